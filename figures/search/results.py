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
TEST_OVER_TRAIN = 1 / 9  # test tokens over training tokens
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


def interval(sample: Any) -> Interval:
    """Student's interval with the variance of overlapping splits (Nadeau and Bengio 2003); infinite below 2 splits."""
    sample = np.asarray(sample, np.float64)
    J = len(sample)
    if J < 2:
        return Interval(float(sample.mean()) if J else np.nan, -np.inf, np.inf, J)
    half_width = float(stats.t.ppf(0.975, J - 1) * sample.std(ddof=1) * np.sqrt(1 / J + TEST_OVER_TRAIN))
    return Interval(float(sample.mean()), float(sample.mean()) - half_width, float(sample.mean()) + half_width, J)


class Runs:
    """The runs of a corpus: means over seeds, one number a split, of an objective's arm."""

    def __init__(self, lines: list[dict[str, str]], corpus: str, groups: tuple[str, ...] = PLAIN_GROUPS) -> None:
        corpus_lines = [line for line in select(lines, corpus=corpus) if line["group"] in groups]
        self.K = corpus_lines[0]["K"] if corpus_lines else ""
        self.ends = [line for line in corpus_lines if line["seed"] != "mean"]
        self.averages = select(corpus_lines, seed="mean")
        n_runs = {split: len(rows) for (split,), rows in grouped(self.arm("vb", "annealed"), "split").items()}
        self.splits = sorted((split for split in n_runs if n_runs[split] == max(n_runs.values())), key=int)

    def arm(self, objective: str, arm: str, average: bool = False) -> list[dict[str, str]]:
        return select(self.averages if average else self.ends, objective=objective, arm=arm)

    def among(self, arms: Iterable[str]) -> list[str]:
        """The arms of VB that have runs on all splits."""
        return [arm for arm in arms if len(self.arm("vb", arm)) >= len(self.splits)]

    def means(self, objective: str, arm: str, column: str, average: bool = False) -> Any:
        """One number for each complete split: the mean over its seeds, or the number of their averaged ends."""
        arm_lines = self.arm(objective, arm, average)
        return np.array([numbers(select(arm_lines, split=split), column).mean() for split in self.splits])


def part(runs: Runs, column: str, search_arm: str = "annealed") -> Interval:
    """(searched - random) / (from CVB0's end - random), of VB."""
    searched_means, random_means, cvb0_means = (runs.means("vb", arm, column) for arm in (search_arm, "random", "cvb0"))
    return interval((searched_means - random_means) / (cvb0_means - random_means))


def verdict(shares: list[Interval]) -> str:
    """The rule, over the corpora that are judged."""
    if sum(share.low > SEARCH_SHARE for share in shares) >= LEAST_YES:
        return "search"
    return "not search alone" if sum(share.high < SEARCH_SHARE for share in shares) >= LEAST_NO else "not decided"


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
    (random_means, annealed_means), cvb0_means = vb_means, runs.means("cvb0", "random", "perplexity")
    return interval((random_means - annealed_means) / (random_means - cvb0_means))


def orders(runs: Runs) -> list[Interval]:
    """The part of the gap that is search, along both paths of the 2 x 2, and their mean."""
    vb_random, vb_from_cvb0, cvb0_from_vb, cvb0 = (runs.means(*objective_arm, "perplexity") for objective_arm in
                  (("vb", "random"), ("vb", "cvb0"), ("cvb0", "vb"), ("cvb0", "random")))  # fmt: skip
    share_1, share_2 = (vb_random - vb_from_cvb0) / (vb_random - cvb0), (cvb0_from_vb - cvb0) / (vb_random - cvb0)
    return [interval(share_1), interval(share_2), interval((share_1 + share_2) / 2)]


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
    shares = {arm: part(runs, "bound_2", arm).text(2) for arm in runs.among(SEARCHES)}
    row = [means.get(arm, "-") for arm in ("random", "cvb0", "annealed", "sampled")]
    return [f"{TITLES[corpus]}, K = {runs.K}", str(len(runs.splits)), *row, *(shares.get(arm, "-") for arm in SEARCHES)]


def perplexities(corpus: str, runs: Runs) -> list[str]:
    """A line of the table of perplexities."""
    gap, share = gap_of(runs, "random", "random"), share_of(runs)
    mean_texts = [f"{runs.means(*arm, 'perplexity').mean():.1f}" for arm in ARMS.values()]
    gap_left_texts = [gap_of(runs, "annealed", "random").text(1)]
    gap_left_texts += [gap_of(runs, "annealed", "random", average=True).text(1) if runs.averages else "-"]
    return [TITLES[corpus], *mean_texts, gap.text(1), share.text(2), word(share, gap), *gap_left_texts]


def with_validated_priors(lines: list[dict[str, str]], prior_lines: list[dict[str, str]]) -> list[str]:
    """The perplexities of both algorithms with the prior that validation tokens choose."""
    table_rows = []
    for corpus in TITLES:
        validated_runs, corpus_prior_lines = Runs(lines, corpus, ("validated",)), select(prior_lines, corpus=corpus)
        if not validated_runs.splits:
            continue
        prior_lines_of_A = [select(corpus_prior_lines, objective=objective) for objective in ("vb", "cvb0")]
        best_prior_lines = [min(lines_of_A, key=lambda y: float(y["perplexity"])) for lines_of_A in prior_lines_of_A]
        prior_texts = [f"{best_line['alpha']}, {best_line['eta']}" for best_line in best_prior_lines]
        arms = [(objective, arm) for objective in ("vb", "cvb0") for arm in ("random", "annealed")]
        mean_texts = [f"{validated_runs.means(*arm, 'perplexity').mean():.1f}" for arm in arms]
        gap_texts = [gap_of(validated_runs, arm, "random").text(1) for arm in ("random", "annealed")]
        table_rows.append([TITLES[corpus], *prior_texts, *mean_texts, *gap_texts])
    table_head = ["corpus", "alpha, eta of VB", "of CVB0", "VB, random", "annealed", "CVB0, random", "annealed", "gap",
            "gap left"]  # fmt: skip
    explanation_text = (
        "Perplexities with the prior that validation tokens choose for each algorithm. The gap is that of VB to CVB0,"
        " both from random rows; what is left is VB annealed less CVB0 from random rows."
    )
    return ["", explanation_text, "", table(table_head, table_rows)] if table_rows else []


def page(csv_path: Path) -> list[str]:
    """The part of the ledger, as lines of Markdown."""
    lines = read(csv_path)
    runs_of_corpus = {corpus: runs for corpus in TITLES if len((runs := Runs(lines, corpus)).splits) > 1}
    if not runs_of_corpus:
        return ["No runs yet."]
    shares = [part(runs_of_corpus[corpus], "bound_2") for corpus in JUDGED if corpus in runs_of_corpus]
    bounds_head = ["corpus", "splits", "random", "from CVB0's end", "annealed", "sampled", *SEARCHES.values()]
    gap_head = ["corpus", *ARMS, "gap", "S", "annealing makes up", "gap left", "gap left, averaged ends"]
    path_rows = [[TITLES[corpus], *(path.text(2) for path in orders(runs))] for corpus, runs in runs_of_corpus.items()]
    return [
        f"By the rule, the verdict is **{verdict(shares)}**; {len(shares)} of {len(JUDGED)} corpora have runs. VB's own"
        " bound, in nats per token, and R with its 95% interval, also of `sampled`, which was chosen later, has no"
        " share in the verdict and takes 1.9 to 2.6 times the CPU time. `longer` is annealing in 800 sweeps, in 0.8 to"
        " 0.9 of the time of `sampled`, and `random longer` has as much from random rows.",
        "",
        table(bounds_head, [bounds(corpus, runs) for corpus, runs in runs_of_corpus.items()]),
        "",
        "Perplexity of held-out tokens. The gap is that of VB to CVB0, both from random rows; S is the share of it"
        " that annealing makes up; what is left is VB annealed less CVB0 from random rows.",
        "",
        table(gap_head, [perplexities(corpus, runs) for corpus, runs in runs_of_corpus.items()]),
        "",
        "The share of the gap that is search by the 2 x 2, through VB from CVB0's end, through CVB0 from VB's end, and"
        " their mean:",
        "",
        table(["corpus", "first path", "second path", "mean"], path_rows),
        *with_validated_priors(lines, read(csv_path.with_name("priors.csv"))),
    ]


def picture(csv_path: Path, out_folder: Path) -> None:
    """How far the perplexities of VB are above that of CVB0 on each corpus."""
    lines = read(csv_path)
    runs_of = {name: runs for name in TITLES if len((runs := Runs(lines, name)).splits) > 1}
    figure, axis = plt.subplots(figsize=(7.2, 0.55 * len(runs_of) + 1.5))
    for y_place, runs in enumerate(reversed(runs_of.values())):
        cvb0_means = runs.means("cvb0", "random", "perplexity")
        for arm in runs.among(ARM_MARKS):
            percent_above = 100 * (runs.means("vb", arm, "perplexity") / cvb0_means - 1)
            marker, fill_style, _ = ARM_MARKS[arm]
            axis.plot(percent_above, [y_place] * len(cvb0_means), marker, color=COLOURS["vb"], ms=3, alpha=0.5, mew=0)
            axis.plot(percent_above.mean(), y_place, marker, color=COLOURS["vb"], ms=9, fillstyle=fill_style)
    for marker, fill_style, label in ARM_MARKS.values():
        axis.plot([], [], marker, color=COLOURS["vb"], ms=8, fillstyle=fill_style, label=label)
    axis.axvline(0, color=COLOURS["cvb0"], lw=2, label="CVB0")
    axis.set_yticks(range(len(runs_of)), [f"{TITLES[name]}, K = {runs.K}" for name, runs in reversed(runs_of.items())])
    axis.set(xlim=(-1, None), ylim=(-0.6, len(runs_of) - 0.4), xlabel="perplexity above CVB0's, in percent")
    figure.legend(loc="outside upper center", ncols=2)
    save(figure, out_folder / "search/experiment.svg")


def main() -> None:
    out_folder = options(__doc__ or "", []).out
    print("\n".join(page(out_folder / "search/experiment.csv")))
    picture(out_folder / "search/experiment.csv", out_folder)


if __name__ == "__main__":
    main()
