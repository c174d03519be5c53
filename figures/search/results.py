"""What search/experiment.csv says, by the rule of search/protocol.md: a part of the ledger.

    python -m figures.search.results [--quick]

It also draws search/experiment.svg.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from figures.common import grouped, numbers, options, read, select, table
from figures.style import COLOURS, plt, save

JUDGED = ("r8", "cranfield", "20news-1500", "reuters-2500", "nips")
TITLES = {"r8": "R8", "cranfield": "Cranfield", "20news-1500": "20 Newsgroups", "reuters-2500": "Reuters-50",
         "nips": "NIPS", "kos": "KOS, the pilot", "bars": "bars"}  # fmt: skip
OVERLAP = 1 / 9  # test tokens over training tokens
SEARCH_SHARE, LEAST_YES, LEAST_NO = 0.8, 4, 2
PLAIN_GROUPS = ("main", "cvb", "sampled", "longer")  # groups with alpha = eta = 0.1


class Interval(NamedTuple):
    """A mean over splits with its 95% interval, and the number of splits."""

    mean: float
    low: float
    high: float
    splits: int

    def text(self, digits: int) -> str:
        return f"{self.mean:.{digits}f} ({self.low:.{digits}f} to {self.high:.{digits}f})"


def interval(x: Any) -> Interval:
    """Student's interval with the variance of overlapping splits (Nadeau and Bengio 2003); infinite below 2 splits."""
    x = np.asarray(x, np.float64)
    J = len(x)
    if J < 2:
        return Interval(float(x.mean()) if J else np.nan, -np.inf, np.inf, J)
    half_width = float(stats.t.ppf(0.975, J - 1) * x.std(ddof=1) * np.sqrt(1 / J + OVERLAP))
    return Interval(float(x.mean()), float(x.mean()) - half_width, float(x.mean()) + half_width, J)


class Runs:
    """The runs of a corpus: means over seeds, one number a split, of an objective's arm."""

    def __init__(self, lines: list[dict[str, str]], corpus: str, groups: tuple[str, ...] = PLAIN_GROUPS) -> None:
        runs = [line for line in select(lines, corpus=corpus) if line["group"] in groups]
        self.K = runs[0]["K"] if runs else ""
        self.ends = [line for line in runs if line["seed"] != "mean"]
        self.averages = select(runs, seed="mean")
        n_runs = {split: len(rows) for (split,), rows in grouped(self.arm("vb", "annealed"), "split").items()}
        self.splits = sorted((split for split in n_runs if n_runs[split] == max(n_runs.values())), key=int)

    def arm(self, objective: str, arm: str, average: bool = False) -> list[dict[str, str]]:
        return select(self.averages if average else self.ends, objective=objective, arm=arm)

    def among(self, arms: Iterable[str]) -> list[str]:
        """The arms of VB that have runs on all splits."""
        return [arm for arm in arms if len(self.arm("vb", arm)) >= len(self.splits)]

    def means(self, objective: str, arm: str, column: str, average: bool = False) -> Any:
        """One number for each complete split: the mean over its seeds, or the number of their averaged ends."""
        runs = self.arm(objective, arm, average)
        return np.array([numbers(select(runs, split=split), column).mean() for split in self.splits])


def part(runs: Runs, column: str, search: str = "annealed") -> Interval:
    """(searched - random) / (from CVB0's end - random), of VB."""
    searched, random, cvb0 = (runs.means("vb", arm, column) for arm in (search, "random", "cvb0"))
    return interval((searched - random) / (cvb0 - random))


def verdict(parts: list[Interval]) -> str:
    """The rule, over the corpora that are judged."""
    if sum(part_r.low > SEARCH_SHARE for part_r in parts) >= LEAST_YES:
        return "search"
    return "not search alone" if sum(part_r.high < SEARCH_SHARE for part_r in parts) >= LEAST_NO else "not decided"


def word(share: Interval, gap: Interval) -> str:
    """How much of a gap in perplexity a search makes up, in a word."""
    if gap.low <= 0 <= gap.high or share.low <= 0.5 <= share.high or share.low <= 0 <= share.high:
        return "not decided"
    return "most" if share.low > 0.5 else "part" if share.low > 0 else "none"


def gap_of(runs: Runs, arm: str, cvb0_arm: str, average: bool = False) -> Interval:
    """The perplexity of an arm of VB less that of an arm of CVB0."""
    return interval(runs.means("vb", arm, "perplexity", average) - runs.means("cvb0", cvb0_arm, "perplexity", average))


def share_of(runs: Runs) -> Interval:
    vb_means = [runs.means("vb", arm, "perplexity") for arm in ("random", "annealed")]
    (random, annealed), cvb0 = vb_means, runs.means("cvb0", "random", "perplexity")
    return interval((random - annealed) / (random - cvb0))


def orders(runs: Runs) -> list[Interval]:
    """The part of the gap that is search, along both paths of the 2 x 2, and their mean."""
    a, b, c, d = (runs.means(*pair, "perplexity") for pair in
                  (("vb", "random"), ("vb", "cvb0"), ("cvb0", "vb"), ("cvb0", "random")))  # fmt: skip
    first_path, last_path = (a - b) / (a - d), (c - d) / (a - d)
    return [interval(first_path), interval(last_path), interval((first_path + last_path) / 2)]


ARMS = {"VB, random": ("vb", "random"), "annealed": ("vb", "annealed"), "from CVB0": ("vb", "cvb0"),
        "CVB0, random": ("cvb0", "random"), "CVB0, annealed": ("cvb0", "annealed")}  # fmt: skip
ARM_MARKS = {
    "random": ("o", "full", "VB from random starts"), "annealed": ("D", "full", "VB, its prior lowered slowly"),
    "sampled": ("s", "none", "VB, its topics drawn first"),
}  # fmt: skip

SEARCHES = {"annealed": "R", "sampled": "of `sampled`", "longer": "of `longer`", "random longer": "of `random longer`"}


def bounds(corpus: str, runs: Runs) -> list[str]:
    """A line of the table of VB's own bound."""
    means = {arm: f"{runs.means('vb', arm, 'bound_2').mean():.4f}" for arm in runs.among(["random", "cvb0", *SEARCHES])}
    parts = {arm: part(runs, "bound_2", arm).text(2) for arm in runs.among(SEARCHES)}
    row = [means.get(arm, "-") for arm in ("random", "cvb0", "annealed", "sampled")]
    return [f"{TITLES[corpus]}, K = {runs.K}", str(len(runs.splits)), *row, *(parts.get(arm, "-") for arm in SEARCHES)]


def perplexities(corpus: str, runs: Runs) -> list[str]:
    """A line of the table of perplexities."""
    gap, share = gap_of(runs, "random", "random"), share_of(runs)
    means = [f"{runs.means(*arm, 'perplexity').mean():.1f}" for arm in ARMS.values()]
    gaps_left = [gap_of(runs, "annealed", "random").text(1)]
    gaps_left += [gap_of(runs, "annealed", "random", average=True).text(1) if runs.averages else "-"]
    return [TITLES[corpus], *means, gap.text(1), share.text(2), word(share, gap), *gaps_left]


def with_validated_priors(lines: list[dict[str, str]], priors: list[dict[str, str]]) -> list[str]:
    """The perplexities of both algorithms with the prior that validation tokens choose."""
    rows = []
    for corpus in TITLES:
        runs, points = Runs(lines, corpus, ("validated",)), select(priors, corpus=corpus)
        if not runs.splits:
            continue
        points_of = [select(points, objective=objective) for objective in ("vb", "cvb0")]
        best_points = [min(lines_of_A, key=lambda y: float(y["perplexity"])) for lines_of_A in points_of]
        prior_texts = [f"{point['alpha']}, {point['eta']}" for point in best_points]
        arms = [(objective, arm) for objective in ("vb", "cvb0") for arm in ("random", "annealed")]
        means = [f"{runs.means(*arm, 'perplexity').mean():.1f}" for arm in arms]
        gaps = [gap_of(runs, arm, "random").text(1) for arm in ("random", "annealed")]
        rows.append([TITLES[corpus], *prior_texts, *means, *gaps])
    head = ["corpus", "alpha, eta of VB", "of CVB0", "VB, random", "annealed", "CVB0, random", "annealed", "gap",
            "gap left"]  # fmt: skip
    text = (
        "Perplexities with the prior that validation tokens choose for each algorithm. The gap is that of VB to CVB0,"
        " both from random rows; what is left is VB annealed less CVB0 from random rows."
    )
    return ["", text, "", table(head, rows)] if rows else []


def page(file: Path) -> list[str]:
    """The part of the ledger, as lines of Markdown."""
    lines = read(file)
    studies = {corpus: runs for corpus in TITLES if len((runs := Runs(lines, corpus)).splits) > 1}
    if not studies:
        return ["No runs yet."]
    parts = [part(studies[corpus], "bound_2") for corpus in JUDGED if corpus in studies]
    head = ["corpus", "splits", "random", "from CVB0's end", "annealed", "sampled", *SEARCHES.values()]
    gap_head = ["corpus", *ARMS, "gap", "S", "annealing makes up", "gap left", "gap left, averaged ends"]
    paths = [[TITLES[corpus], *(path.text(2) for path in orders(runs))] for corpus, runs in studies.items()]
    return [
        f"By the rule, the verdict is **{verdict(parts)}**; {len(parts)} of {len(JUDGED)} corpora have runs. VB's own"
        " bound, in nats per token, and R with its 95% interval, also of `sampled`, which was chosen later, has no"
        " share in the verdict and takes 1.9 to 2.6 times the CPU time. `longer` is annealing in 800 sweeps, in 0.8 to"
        " 0.9 of the time of `sampled`, and `random longer` has as much from random rows.",
        "",
        table(head, [bounds(corpus, runs) for corpus, runs in studies.items()]),
        "",
        "Perplexity of held-out tokens. The gap is that of VB to CVB0, both from random rows; S is the share of it"
        " that annealing makes up; what is left is VB annealed less CVB0 from random rows.",
        "",
        table(gap_head, [perplexities(corpus, runs) for corpus, runs in studies.items()]),
        "",
        "The share of the gap that is search by the 2 x 2, through VB from CVB0's end, through CVB0 from VB's end, and"
        " their mean:",
        "",
        table(["corpus", "first path", "second path", "mean"], paths),
        *with_validated_priors(lines, read(file.with_name("priors.csv"))),
    ]


def picture(file: Path, out_folder: Path) -> None:
    """How far the perplexities of VB are above that of CVB0 on each corpus."""
    lines = read(file)
    studies = {name: runs for name in TITLES if len((runs := Runs(lines, name)).splits) > 1}
    figure, axis = plt.subplots(figsize=(7.2, 0.55 * len(studies) + 1.5))
    for height, runs in enumerate(reversed(studies.values())):
        cvb0 = runs.means("cvb0", "random", "perplexity")
        for arm in runs.among(ARM_MARKS):
            percent_above = 100 * (runs.means("vb", arm, "perplexity") / cvb0 - 1)
            marker, fill, _ = ARM_MARKS[arm]
            axis.plot(percent_above, [height] * len(cvb0), marker, color=COLOURS["vb"], ms=3, alpha=0.5, mew=0)
            axis.plot(percent_above.mean(), height, marker, color=COLOURS["vb"], ms=9, fillstyle=fill)
    for marker, fill, label in ARM_MARKS.values():
        axis.plot([], [], marker, color=COLOURS["vb"], ms=8, fillstyle=fill, label=label)
    axis.axvline(0, color=COLOURS["cvb0"], lw=2, label="CVB0")
    axis.set_yticks(range(len(studies)), [f"{TITLES[name]}, K = {runs.K}" for name, runs in reversed(studies.items())])
    axis.set(xlim=(-1, None), ylim=(-0.6, len(studies) - 0.4), xlabel="perplexity above CVB0's, in percent")
    figure.legend(loc="outside upper center", ncols=2)
    save(figure, out_folder / "search/experiment.svg")


def main() -> None:
    out_folder = options(__doc__ or "", []).out
    print("\n".join(page(out_folder / "search/experiment.csv")))
    picture(out_folder / "search/experiment.csv", out_folder)


if __name__ == "__main__":
    main()
