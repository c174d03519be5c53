"""SN12's claims about its experiments, judged from sn12_runs.csv."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from common import Claim, read

from lda_reference.evaluation.search import Difference, paired

Line = dict[str, str]
NEAR = 0.1  # two algorithms are called similar if they differ by less than this share of the gap from CVB to CVB0
SETTINGS = (
    "{studies} (a number after a name counts random documents); 80% of each document's words for training; beta = 0.01;"
    " asymmetric alpha from 0.1, learned by Minka's fixed point from the 16th sweep on; {seeds}; pairs have the same"
    " start; `block`, `corpus` and `nested` runs are compared after 100 sweeps and where the bound settles (1e-5 nats"
    " per token and sweep, at most 300 sweeps), `token` runs after 100. The paper has T = 40, 80 and 120 on whole"
    " corpora and gives its perplexities only as bars."
)
SOURCE = "sn12_runs.csv, "


class Setting(NamedTuple):
    study: str
    T: str
    schedule: str
    start: str
    stopped: str

    def __str__(self) -> str:
        stopped = "" if self.schedule == "token" else ", 100 sweeps" if self.stopped == "100" else ", settled"
        return f"{self.study}, T = {self.T}, `{self.schedule}`, {self.start}{stopped}"


Runs = dict[Setting, dict[str, dict[str, Line]]]  # of a setting, an algorithm, a seed


def by_setting(lines: Iterable[Line]) -> Runs:
    """The lines in order; `token` runs stop after 100 sweeps, so one of their two lines is enough."""
    found: Runs = defaultdict(lambda: defaultdict(dict))
    for x in lines:
        if not (x["schedule"] == "token" and x["stopped"] == "100"):
            key = Setting(*(x[name] for name in Setting._fields))
            found[key][x["algorithm"]][x["seed"]] = x
    order = {"token": 0, "block": 1, "corpus": 2}
    return dict(sorted(found.items(), key=lambda item: (*item[0][:2], order.get(item[0].schedule, 3), *item[0][3:])))


def difference(x: dict[str, Line], y: dict[str, Line], kind: str = "perplexity") -> Difference | None:
    """The mean of x - y over seeds that both have; None for fewer than two pairs."""
    seeds = sorted(set(x) & set(y))
    if len(seeds) < 2:
        return None
    return paired([float(x[seed][kind]) for seed in seeds], [float(y[seed][kind]) for seed in seeds])


def shown(d: Difference | None, digits: int = 1) -> str:
    return "-" if d is None else f"{d.mean:+.{digits}f} ± {d.standard_error:.{digits}f}"


def clear(d: Difference) -> bool:
    """Whether a difference is positive by more than two standard errors."""
    return d.mean > 2 * d.standard_error


def verdict(held: list[bool]) -> str:
    if not held:
        return "not tested"
    return "reproduced" if all(held) else "depends on search" if any(held) else "not reproduced"


def settings_of(lines: Iterable[Line]) -> str:
    lines = list(lines)
    studies = "; ".join(sorted({f"{x['study']}, T = {x['T']}" for x in lines}))
    counts = defaultdict(set)
    for x in lines:
        counts[x["study"], x["T"], x["algorithm"], x["schedule"], x["start"]].add(x["seed"])
    numbers = sorted({len(of) for of in counts.values()} or {0})
    text = f"{numbers[0]}" if numbers[0] == numbers[-1] else f"{numbers[0]} to {numbers[-1]}"
    return SETTINGS.format(studies=studies, seeds=f"{text} runs in each setting")


def extremes(lines: list[Line], worse: str, names: Iterable[str], these: str) -> str:
    """For each study the smallest perplexity of one algorithm and the largest of others, where the runs end."""
    texts = []
    for study, T in sorted({(x["study"], x["T"]) for x in lines}):
        ends = [x for x in lines if (x["study"], x["T"], x["stopped"]) == (study, T, "end")]
        low, high = ([float(x["perplexity"]) for x in ends if x["algorithm"] in some] for some in ([worse], names))
        if low and high:
            texts.append(f"{min(low):.0f} and {max(high):.0f} ({study}, T = {T})")
    return (
        f"Over all schedules and starts, the smallest perplexity of {worse.upper()} and the largest of {these} are "
        + ("; ".join(texts))
    )


def outperform(runs: Runs, lines: list[Line]) -> Claim:
    others = ("cvb0", "cvb1s", "cvb1d", "tcvb0")
    rows, held, seen, pairs = [], [], [], []
    for setting, of in runs.items():
        found = [difference(of["cvb"], of[x]) for x in others]
        held += [clear(d) for d in found if d]
        seen += [clear(d) for x in others if (d := difference(of["cvb"], of[x], "of_seen"))]
        singles = [(of["cvb"][seed], x) for name in others for seed, x in of[name].items() if seed in of["cvb"]]
        pairs += [float(x["perplexity"]) > float(y["perplexity"]) for x, y in singles]
        if any(found):
            median = np.median([float(x["perplexity"]) for x in of["cvb"].values()])
            bound = shown(difference(of["cvb"], of["cvb0"], "value"), 3)
            rows.append(f"| {setting} | {median:.0f} | " + " | ".join(map(shown, found)) + f" | {bound} |")
    evidence = (
        f"CVB's perplexity is higher by more than two standard errors in {sum(held)} of {len(held)} comparisons (over"
        f" words seen in training in {sum(seen)} of {len(seen)}), and in {sum(pairs)} of {len(pairs)} pairs of single"
        f" runs. {extremes(lines, 'cvb', others, 'the others')}. How much"
        " higher CVB's perplexity is, paired; in the last column how much higher the bound (12) of CVB is than that of"
        " CVB0, in nats per token:\n\n| setting | median of CVB | than CVB0 | than CVB1s | than CVB1d | than TCVB0 |"
        " bound |\n|---|---|---|---|---|---|---|\n" + "\n".join(rows)
    )
    claim = "CVB0, CVB1s, CVB1d and TCVB0 outperform CVB in perplexity."
    names = ("cvb", *others)
    settings = settings_of(x for x in lines if x["algorithm"] in names)
    return Claim("§10, Fig. 1", claim, verdict(held), settings, evidence, SOURCE + "algorithms " + ", ".join(names))


def alike(runs: Runs, lines: list[Line], pairs: list[tuple[str, str]], claim: str) -> Claim:
    """Whether pairs of algorithms differ by less than a tenth of the gap from CVB to CVB0."""
    rows, held, lower, higher = [], [], [], []
    for setting, of in runs.items():
        gap = difference(of["cvb"], of["cvb0"])
        found = [difference(of[x], of[y]) for x, y in pairs]
        if gap is None or not any(found):
            continue
        there = [d for d in found if d]
        held += [abs(d.mean) < NEAR * gap.mean for d in there]
        lower += [clear(d._replace(mean=-d.mean)) for d in there]
        higher += [clear(d) for d in there]
        rows.append(f"| {setting} | {gap.mean:.1f} | " + " | ".join(map(shown, found)) + " |")
    evidence = (
        f"The mean difference is less than a tenth of the gap from CVB to CVB0 in {sum(held)} of {len(held)}"
        f" comparisons; the first algorithm is better by more than two standard errors in {sum(lower)} and worse in"
        f" {sum(higher)}. Differences in perplexity, paired:\n\n| setting | gap CVB - CVB0 | "
        + " | ".join(f"{x} - {y}" for x, y in pairs) + " |\n" + "|---" * (2 + len(pairs)) + "|\n" + "\n".join(rows)
    )  # fmt: skip
    names = {"cvb", "cvb0"}.union(*pairs)
    settings, source = settings_of(x for x in lines if x["algorithm"] in names), ", ".join(sorted(names))
    return Claim("§10, Fig. 1", claim, verdict(held), settings, evidence, SOURCE + "algorithms " + source)


def correction(lines: list[Line]) -> Claim:
    some = [x for x in lines if x["algorithm"] == "cvb1d"]
    texts = []
    for study, T in sorted({(x["study"], x["T"]) for x in some}):
        mine = [x for x in some if (x["study"], x["T"]) == (study, T)]
        mean = [float(x["correction"]) for x in mine]
        largest = max(float(x["largest_correction"]) for x in mine)
        texts.append(
            f"{study}, T = {T}: {np.median(mean):.2e} (from {min(mean):.2e} to {max(mean):.2e} over all runs, schedules"
            f" and starts; the largest of any topic is {largest:.2e})"
        )
    small = [float(x["largest_correction"]) < 0.01 for x in some]
    evidence = "Mean over topics of Var[n_t] / (E[n_t] + V beta)², of CVB1d: " + "; ".join(texts) + ". Print: 3.17e-4."
    claim = "The second term of (50) is vanishingly small: about 3.17e-4 with T = 120, negligible compared with 1."
    return Claim("§10", claim, verdict(small), settings_of(some), evidence, SOURCE + "cvb1d, column correction")


def against_vb(lines: list[Line]) -> Claim:
    """Every schedule of CVB against every schedule of VB, from the same start."""
    runs: dict[tuple[str, ...], dict[str, Line]] = defaultdict(dict)
    for x in lines:
        if x["algorithm"] in ("vb", "cvb") and x["stopped"] == "end":
            runs[x["study"], x["T"], x["start"], x["algorithm"], x["schedule"]][x["seed"]] = x
    rows, held, seen, against = [], [], [], []
    some = [x for x in lines if x["algorithm"] in ("vb", "cvb")]
    for (study, T, start, name, schedule), ours in runs.items():
        for (*setting, other, order), theirs in runs.items():
            d = difference(theirs, ours)
            if (name, other) != ("cvb", "vb") or setting != [study, T, start] or d is None:
                continue
            of_seen = difference(theirs, ours, "of_seen")
            held.append(clear(d))
            against.append(clear(d._replace(mean=-d.mean)))
            seen.append(of_seen is not None and clear(of_seen))
            median = np.median([float(x["perplexity"]) for x in theirs.values()])
            texts = f"{study}, T = {T}, {start}", f"`{schedule}`", f"`{order}`", f"{median:.0f}"
            rows.append(f"| {' | '.join(texts)} | {shown(d)} | {shown(of_seen)} |")
    evidence = (
        f"VB's perplexity is higher by more than two standard errors in {sum(held)} of {len(held)} comparisons and"
        f" lower in {sum(against)} (over words seen in training it is higher in {sum(seen)}). The pairs have the same"
        f" start. {extremes(lines, 'vb', ['cvb'], 'CVB')}. VB minus CVB, paired, where the runs end:\n\n"
        "| setting | schedule of CVB | of VB | median of VB | difference | over seen words"
        " |\n|---|---|---|---|---|---|\n" + "\n".join(rows)
    )
    claim = "CVB outperforms VB; VB is left out of the figure, because its results change the scale."
    return Claim(
        "§10", claim, verdict(held), settings_of(some), evidence, SOURCE + "algorithms vb and cvb, stopped = end"
    )


def reason(runs: Runs, lines: list[Line]) -> Claim:
    """CVB's correction in one term alone, against CVB0 and CVB."""
    names = [f"cvb-{x}" for x in ("document", "word", "topic")]
    rows, held = [], []
    for setting, of in runs.items():
        gap, found = difference(of["cvb"], of["cvb0"]), [difference(of[x], of["cvb0"]) for x in names]
        if gap is None or not all(found):
            continue
        document, word, topic = (d.mean for d in found if d)
        held.append(abs(topic) < NEAR * gap.mean < max(document, word))
        rows.append(f"| {setting} | {shown(gap)} | " + " | ".join(map(shown, found)) + " |")
    evidence = (
        f"In {sum(held)} of {len(held)} settings the correction of the topic term alone changes the perplexity by less"
        " than a tenth of the gap, and that of another term by more. How much higher the perplexity is than that of"
        " CVB0 if CVB's variance correction stands in all terms, or in one of them alone:\n\n"
        "| setting | all (CVB) | document | word | topic |\n|---|---|---|---|---|\n" + "\n".join(rows)
    )
    claim = (
        "CVB0 is better than CVB because zero-forcing matters in n_dt and n_tv and hardly in n_t, the only place where"
        " CVB0 has it."
    )
    some = [x for x in lines if x["algorithm"] in ("cvb", "cvb0", *names)]
    return Claim("§§8, 10", claim, verdict(held), settings_of(some), evidence, SOURCE + "algorithms cvb-*, cvb, cvb0")


def learned_alpha(runs: Runs, lines: list[Line]) -> Claim:
    """The gap from CVB to CVB0 with the learned alpha, and beside it the gap with alpha = 0.1."""
    rows, held, larger = [], [], []
    for setting, of in runs.items():
        learned, fixed = difference(of["cvb"], of["cvb0"]), difference(of["cvb-fixed"], of["cvb0-fixed"])
        if learned is None:
            continue
        held.append(clear(learned))
        larger += [learned.mean > fixed.mean] if fixed else []
        sums = [np.median([float(x["alpha_sum"]) for x in of[name].values()]) for name in ("cvb", "cvb0")]
        rows.append(f"| {setting} | {shown(learned)} | {shown(fixed)} | " + " | ".join(f"{x:.1f}" for x in sums) + " |")
    evidence = (
        f"The gap is above two standard errors in {sum(held)} of {len(held)} settings. It"
        f" is larger than with alpha = 0.1 in {sum(larger)} of {len(larger)} settings. CVB minus CVB0, paired, and the"
        " sum of the alpha learned (median):\n\n| setting | alpha learned | alpha = 0.1 | sum of alpha, CVB | CVB0 |\n"
        "|---|---|---|---|---|\n" + "\n".join(rows)
    )
    claim = "When an asymmetric alpha is learned, CVB0 clearly outperforms CVB (from Asuncion, 2010)."
    names = ("cvb", "cvb0", "cvb-fixed", "cvb0-fixed")
    settings = settings_of(x for x in lines if x["algorithm"] in names)
    return Claim("§1", claim, verdict(held), settings, evidence, SOURCE + "algorithms " + ", ".join(names))


def cost(lines: list[Line]) -> Claim:
    claim = "TCVB0 saves computation and memory, because it has one distribution for a type and not one for each token."
    evidence = (
        "All algorithms here except CVB1s have one distribution for a type, so CVB0 and TCVB0 take the same memory and"
        " the same number of updates. A comparison of their times would not test the claim."
    )
    return Claim("§9.2", claim, "not tested", settings_of(x for x in lines if x["algorithm"] == "tcvb0"), evidence,
                 SOURCE + "none")  # fmt: skip


def claims(folder: Path) -> list[Claim]:
    lines = read(folder / "sn12_runs.csv")
    if not lines:
        return []
    runs = by_setting(lines)
    near = [("cvb1s", "cvb0"), ("cvb1d", "cvb0"), ("cvb1s", "cvb0-tokens")]
    return [
        outperform(runs, lines),
        alike(runs, lines, near, "The performances of CVB1s and CVB1d are similar to that of CVB0."),
        alike(runs, lines, [("cvb1d", "cvb1s")], "CVB1d is similar to CVB1s, so its approximation is accurate."),
        correction(lines),
        alike(runs, lines, [("tcvb0", "cvb0")], "The performance of TCVB0 is similar to that of CVB0."),
        against_vb(lines),
        reason(runs, lines),
        learned_alpha(runs, lines),
        cost(lines),
    ]
