"""SN12's claims as comparisons, from sn12/runs.csv; claims.toml says what each asks of them.

The unit is a seed: runs in a pair have the same start. The paper's own schedule is 100 sweeps in `token` order from
random rows; the others are compared after 100 sweeps and where the bound settles.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from figures.common import Evidence, by, grouped, less, ratio, read, table
from figures.verdicts import Comparison

Line = dict[str, str]
ORDERS = ("token", "block", "corpus", "nested")
FAMILY = ("cvb0", "cvb1s", "cvb1d", "tcvb0")


class Setting:
    """The runs of one corpus, T, schedule, start and number of sweeps: for each algorithm the lines by seed."""

    def __init__(self, key: Sequence[str], lines: list[Line]) -> None:
        self.study, self.T, self.schedule, self.start, self.stopped = key
        self.of = {name: mine for (name,), mine in grouped(lines, "algorithm").items()}

    def column(self, algorithm: str, column: str = "perplexity") -> dict[tuple[str, ...], float]:
        return by(self.of.get(algorithm, []), column)

    def less(self, x: str, y: str) -> Any:
        """The perplexity of x minus that of y, by seed."""
        return np.array(less(self.column(x), self.column(y)))

    def gap(self) -> float:
        """By how much CVB is above CVB0 on average; 0 if both have not run."""
        d = self.less("cvb", "cvb0")
        return float(d.mean()) if len(d) else 0.0

    def compared(self, what: str, values: Any, kind: str = "", **levels: str) -> list[Comparison]:
        """A comparison, if there are numbers."""
        name = f"{what}; {self.study}, T = {self.T}, `{self.schedule}`"
        paper = (self.schedule, self.start, self.stopped) == ("token", "dirichlet", "100")
        levels |= {"corpus": self.study, "search": f"{self.schedule}, {self.start}", "budget": self.stopped}
        return [Comparison(name, list(values), None, paper, levels, kind)] if len(values) else []


def settings(lines: list[Line]) -> list[Setting]:
    """`token` runs stop after 100 sweeps, so one of their two lines is enough."""
    some = [x for x in lines if not (x["schedule"] == "token" and x["stopped"] == "end")]
    of = grouped(some, "study", "T", "schedule", "start", "stopped")
    return [Setting(key, of[key]) for key in sorted(of, key=lambda key: (*key[:2], ORDERS.index(key[2]), *key[3:]))]


def outperform(runs: list[Setting], lines: list[Line]) -> Evidence:
    found = [c for s in runs for x in FAMILY for c in s.compared(f"CVB - {x.upper()}", s.less("cvb", x), algorithm=x)]
    shares = []
    for s in runs:
        for other in runs:
            same = (other.study, other.T, other.schedule, other.stopped) == (s.study, s.T, s.schedule, s.stopped)
            if s.start == "growing" and other.start == "dirichlet" and same and s.gap() and other.gap():
                shares.append(s.gap() / other.gap())
    note = f"The smallest perplexity of CVB and the largest of the others are {extremes(lines, 'cvb', FAMILY)}."
    if shares:
        note += (
            f" A part of the gap is search: from `growing` it is {min(shares):.0%} to {max(shares):.0%} of the gap from"
            " `dirichlet`."
        )
    return Evidence(found, note if found else "")


def extremes(lines: list[Line], worse: str, names: Sequence[str]) -> str:
    """For each study the smallest perplexity of one algorithm and the largest of others, where the runs end."""
    texts = []
    for (study, T), ends in grouped([x for x in lines if x["stopped"] == "end"], "study", "T").items():
        low, high = ([float(x["perplexity"]) for x in ends if x["algorithm"] in some] for some in ((worse,), names))
        if low and high:
            texts.append(f"{min(low):,.0f} and {max(high):,.0f} ({study}, T = {T})")
    return "; ".join(texts)


def alike(runs: list[Setting], pairs: Sequence[tuple[str, str]]) -> Evidence:
    """Differences over the gap from CVB to CVB0."""
    found = []
    for s in runs:
        for x, y in pairs:
            if s.gap() > 0:
                found += s.compared(f"{x.upper()} - {y.upper()}", s.less(x, y) / s.gap(), algorithm=x)
    return Evidence(found)


def correction(lines: list[Line]) -> Evidence:
    found, rows = [], []
    some = [x for x in lines if x["algorithm"] == "cvb1d"]
    for (study, T, schedule, start), mine in grouped(some, "study", "T", "schedule", "start").items():
        largest = by([x for x in mine if x["stopped"] == "100"], "largest_correction")
        found.append(
            Comparison(f"{study}, T = {T}", [0.01 - x for x in largest.values()], levels={"search": schedule + start})
        )
    for (study, T), mine in grouped(some, "study", "T").items():
        mean = [float(x["correction"]) for x in mine]
        largest_of_all = max(float(x["largest_correction"]) for x in mine)
        rows.append([study, T, f"{np.median(mean):.2e} ({min(mean):.2e} to {max(mean):.2e})", f"{largest_of_all:.2e}"])
    return Evidence(found, table(["corpus", "T", "mean over topics", "largest of any topic"], rows) if rows else "")


def against_vb(lines: list[Line]) -> Evidence:
    """Every schedule of VB less every schedule of CVB, from the same start, where the runs end."""
    found = []
    ends = [x for x in lines if x["stopped"] == "end"]
    for (study, T, start), mine in grouped(ends, "study", "T", "start").items():
        of = {key: by(some, "perplexity") for key, some in grouped(mine, "algorithm", "schedule").items()}
        for order in ORDERS:
            for vb in ("corpus", "nested"):
                values = less(of.get(("vb", vb), {}), of.get(("cvb", order), {}))
                name = f"VB `{vb}` - CVB `{order}`; {study}, T = {T}"
                levels = {"corpus": study, "search": f"{order}, {vb}, {start}"}
                found += (
                    [Comparison(name, values, None, order == "token" and start == "dirichlet", levels)]
                    if values
                    else []
                )
    note = (
        f"The smallest perplexity of VB and the largest of CVB are {extremes(lines, 'vb', ['cvb'])}." if found else ""
    )
    return Evidence(found, note)


def reason(runs: list[Setting]) -> Evidence:
    """CVB's correction in one term alone, against CVB0: how much of the gap to CVB it makes."""
    found = []
    for s in runs:
        for name in ("document", "word", "topic"):
            if s.gap() > 0:
                kind = "likeness" if name == "topic" else "difference"
                found += s.compared(f"{name} term", s.less(f"cvb-{name}", "cvb0") / s.gap(), kind, term=name)
    return Evidence(found)


def learned_alpha(runs: list[Setting]) -> Evidence:
    found, rows = [], []
    for s in runs:
        found += s.compared("CVB - CVB0", s.less("cvb", "cvb0"))
        fixed = s.less("cvb-fixed", "cvb0-fixed")
        if len(fixed) and s.gap() and s.stopped == "100":
            sums = [np.median(list(s.column(x, "alpha_sum").values())) for x in ("cvb", "cvb0")]
            rows.append(
                [
                    f"{s.study}, `{s.schedule}`, {s.start}",
                    f"{s.gap():+,.0f}",
                    f"{fixed.mean():+,.0f}",
                    *(f"{x:.1f}" for x in sums),
                ]
            )
    head = ["after 100 sweeps", "gap, alpha learned", "gap, alpha = 0.1", "sum of alpha, CVB", "CVB0"]
    return Evidence(found, "With alpha held at 0.1 there is a gap, too:\n\n" + table(head, rows) if rows else "")


def types_and_tokens(runs: list[Setting], sign: int) -> Evidence:
    """CVB0 over types and over tokens from the same start: the largest part by which their perplexities differ."""
    found = []
    for s in runs:
        apart = ratio(s.column("cvb0"), s.column("cvb0-tokens"))
        if s.schedule == "corpus" and apart:
            found.append(Comparison(f"{s.study}, T = {s.T}, {len(apart)} runs", [sign * (np.abs(apart).max() - 1e-3)]))
    return Evidence(found)


def data(folder: Path) -> dict[str, Evidence]:
    lines = read(folder / "sn12/runs.csv")
    runs = settings(lines)
    return {
        "outperform": outperform(runs, lines),
        "cvb1": alike(runs, [("cvb1s", "cvb0"), ("cvb1d", "cvb0"), ("cvb1s", "cvb0-tokens")]),
        "cvb1d": alike(runs, [("cvb1d", "cvb1s")]),
        "correction": correction(lines),
        "tcvb0": alike(runs, [("tcvb0", "cvb0")]),
        "vb": against_vb(lines),
        "zero-forcing": reason(runs),
        "learned-alpha": learned_alpha(runs),
        "types": types_and_tokens(runs, 1),
        "types instead": types_and_tokens(runs, -1),
    }
