"""SN12's claims as comparisons, from sn12/runs.csv; claims.toml says what each asks of them.

The unit is a seed: runs in a pair have the same start. The paper's own schedule is 100 sweeps in `token` order from
random rows; the others are compared after 100 sweeps and where the bound settles.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from figures.common import Evidence, by, grouped, less, numbers, ratio, read, select, table
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

    def compared(self, what: str, values: Any, kind: str = "", **levels: str) -> Comparison:
        name = f"{what}; {self.study}, T = {self.T}, `{self.schedule}`"
        paper = (self.schedule, self.start, self.stopped) == ("token", "dirichlet", "100")
        levels |= {"corpus": self.study, "search": f"{self.schedule}, {self.start}", "budget": self.stopped}
        return Comparison(name, list(values), None, paper, levels, kind)


def settings(lines: list[Line]) -> list[Setting]:
    """`token` runs stop after 100 sweeps, so one of their two lines is enough."""
    some = [x for x in lines if not (x["schedule"] == "token" and x["stopped"] == "end")]
    of = grouped(some, "study", "T", "schedule", "start", "stopped")
    return [Setting(key, of[key]) for key in sorted(of, key=lambda key: (*key[:2], ORDERS.index(key[2]), *key[3:]))]


def outperform(runs: list[Setting], lines: list[Line]) -> Evidence:
    found = [s.compared(f"CVB - {x.upper()}", s.less("cvb", x), algorithm=x) for s in runs for x in FAMILY]
    gaps = {(s.study, s.T, s.schedule, s.stopped, s.start): s.gap() for s in runs if s.gap()}
    shares = [gap / gaps[*key, "dirichlet"] for (*key, start), gap in gaps.items()
              if start == "growing" and (*key, "dirichlet") in gaps]  # fmt: skip
    note = f"The smallest perplexity of CVB and the largest of the others are {extremes(lines, 'cvb', FAMILY)}."
    if shares:
        note += (
            f" A part of the gap is search: from `growing` it is {min(shares):.0%} to {max(shares):.0%} of the gap from"
            " `dirichlet`."
        )
    return Evidence(found, note if lines else "")


def extremes(lines: list[Line], worse: str, names: Sequence[str]) -> str:
    """For each study the smallest perplexity of one algorithm and the largest of others, where the runs end."""
    texts = []
    for (study, T), ends in grouped(select(lines, stopped="end"), "study", "T").items():
        low, high = (numbers(select(ends, algorithm=tuple(some))) for some in ((worse,), names))
        if len(low) and len(high):
            texts.append(f"{min(low):,.0f} and {max(high):,.0f} ({study}, T = {T})")
    return "; ".join(texts)


def alike(runs: list[Setting], *pairs: tuple[str, str]) -> Iterator[Comparison]:
    """Differences over the gap from CVB to CVB0."""
    for s in (s for s in runs if s.gap() > 0):
        for x, y in pairs:
            yield s.compared(f"{x.upper()} - {y.upper()}", s.less(x, y) / s.gap(), algorithm=x)


def correction(lines: list[Line]) -> Evidence:
    found, rows, some = [], [], select(lines, algorithm="cvb1d")
    for (study, T, schedule, start), mine in grouped(some, "study", "T", "schedule", "start").items():
        x = 0.01 - numbers(select(mine, stopped="100"), "largest_correction")
        found.append(Comparison(f"{study}, T = {T}", list(x), levels={"search": schedule + start}))
    for (study, T), mine in grouped(some, "study", "T").items():
        mean, largest = numbers(mine, "correction"), numbers(mine, "largest_correction").max()
        rows.append([study, T, f"{np.median(mean):.2e} ({min(mean):.2e} to {max(mean):.2e})", f"{largest:.2e}"])
    return Evidence(found, table(["corpus", "T", "mean over topics", "largest of any topic"], rows))


def against_vb(lines: list[Line]) -> Evidence:
    """Every schedule of VB less every schedule of CVB, from the same start, where the runs end."""
    found = []
    for (study, T, start), mine in grouped(select(lines, stopped="end"), "study", "T", "start").items():
        of = {key: by(some, "perplexity") for key, some in grouped(mine, "algorithm", "schedule").items()}
        for order in ORDERS:
            for vb in ("corpus", "nested"):
                values = less(of.get(("vb", vb), {}), of.get(("cvb", order), {}))
                name = f"VB `{vb}` - CVB `{order}`; {study}, T = {T}"
                levels = {"corpus": study, "search": f"{order}, {vb}, {start}"}
                found.append(Comparison(name, values, None, order == "token" and start == "dirichlet", levels))
    note = f"The smallest perplexity of VB and the largest of CVB are {extremes(lines, 'vb', ['cvb'])}."
    return Evidence(found, note if any(x.values for x in found) else "")


def reason(runs: list[Setting]) -> Iterator[Comparison]:
    """CVB's correction in one term alone, against CVB0: how much of the gap to CVB it makes."""
    for s in (s for s in runs if s.gap() > 0):
        for name in ("document", "word", "topic"):
            kind = "likeness" if name == "topic" else "difference"
            yield s.compared(f"{name} term", s.less(f"cvb-{name}", "cvb0") / s.gap(), kind, term=name)


def learned_alpha(runs: list[Setting]) -> Evidence:
    rows = []
    for s in runs:
        fixed = s.less("cvb-fixed", "cvb0-fixed")
        if len(fixed) and s.gap() and s.stopped == "100":
            sums = [f"{np.median(numbers(s.of[x], 'alpha_sum')):.1f}" for x in ("cvb", "cvb0")]
            name = f"{s.study}, `{s.schedule}`, {s.start}"
            rows.append([name, f"{s.gap():+,.0f}", f"{fixed.mean():+,.0f}", *sums])
    found = [s.compared("CVB - CVB0", s.less("cvb", "cvb0")) for s in runs]
    head = ["after 100 sweeps", "gap, alpha learned", "gap, alpha = 0.1", "sum of alpha, CVB", "CVB0"]
    return Evidence(found, "With alpha held at 0.1 there is a gap, too:\n\n" + table(head, rows) if rows else "")


def types_and_tokens(runs: list[Setting], sign: int) -> Iterator[Comparison]:
    """CVB0 over types and over tokens from the same start: the largest part by which their perplexities differ."""
    for s in runs:
        apart = ratio(s.column("cvb0"), s.column("cvb0-tokens"))
        if s.schedule == "corpus" and apart:
            yield Comparison(f"{s.study}, T = {s.T}, {len(apart)} runs", [sign * (np.abs(apart).max() - 1e-3)])


def data(folder: Path) -> dict[str, Any]:
    lines = read(folder / "sn12/runs.csv")
    runs = settings(lines)
    return {
        "outperform": outperform(runs, lines),
        "cvb1": alike(runs, ("cvb1s", "cvb0"), ("cvb1d", "cvb0"), ("cvb1s", "cvb0-tokens")),
        "cvb1d": alike(runs, ("cvb1d", "cvb1s")),
        "correction": correction(lines),
        "tcvb0": alike(runs, ("tcvb0", "cvb0")),
        "vb": against_vb(lines),
        "zero-forcing": reason(runs),
        "learned-alpha": learned_alpha(runs),
        "types": types_and_tokens(runs, 1),
        "types instead": types_and_tokens(runs, -1),
    }
