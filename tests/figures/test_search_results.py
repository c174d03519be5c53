"""The rule of the experiment on search, on lines whose answer is known."""

import csv

import numpy as np
import pytest

from figures.search import experiment, results

FILE = results.Path(results.__file__).parent / "experiment.csv"


def lines(corpus, R, noise, splits=5, seeds=2, gap=0.1, seed=0):
    """Runs whose annealed bound makes up a part R of the gap, with noise in each split."""
    rng = np.random.default_rng(seed)
    for split in range(splits):
        part = R + noise * rng.standard_normal()
        values = {"random": -8.0, "cvb0": -8.0 + gap, "annealed": -8.0 + part * gap}
        runs = [("vb", arm, x, 1000 - 10_000 * (x + 8 - gap)) for arm, x in values.items()]
        runs += [("cvb0", "random", 0, 1000), ("cvb0", "annealed", 0, 1000), ("cvb0", "vb", 0, 1000)]
        for objective, arm, bound, score in runs:
            for s in range(seeds):
                line = [corpus, 10, split, s, "main", objective, "", arm, 20, 1.0, 0.0, bound, 0.0, 0.0, score]
                yield dict(zip(experiment.COLUMNS, map(str, line), strict=True))


@pytest.mark.parametrize(
    ("R", "noise", "verdict"),
    [(1.0, 0.02, "search"), (0.5, 0.02, "not search alone"), (0.82, 0.1, "not decided")],
)  # fmt: skip
def test_the_verdict_of_five_corpora(R, noise, verdict):
    runs = [results.Runs(list(lines(x, R, noise, seed=i)), x) for i, x in enumerate(results.JUDGED)]
    assert results.verdict([results.part(x, "bound_2") for x in runs]) == verdict


def test_four_of_five_are_enough_and_three_are_not():
    yes, no = results.Interval(1.0, 0.9, 1.1, 5), results.Interval(1.0, 0.7, 1.3, 5)
    assert results.verdict([yes] * 4 + [no]) == "search"
    assert results.verdict([yes] * 3 + [no] * 2) == "not decided"
    assert results.verdict([yes] * 3) == "not decided"  # two corpora have no runs yet


def test_the_interval_counts_overlapping_splits():
    """With test sets of a ninth of the training tokens, the variance of the mean is (1/5 + 1/9) s², and not s²/5."""
    x = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    interval = results.interval(x)
    assert (interval.mean, interval.splits) == (3.0, 5)
    assert interval.high - interval.mean == pytest.approx(2.7764451 * np.sqrt(2.5 * (1 / 5 + 1 / 9)))
    assert results.interval(x[:1]).low == -np.inf


def test_shares_along_both_paths():
    """All of the perplexity gap goes if VB starts at CVB0's end; nothing of it comes if CVB0 starts at VB's."""
    runs = results.Runs(list(lines("r8", 0.9, 0.0)), "r8")
    first, last, mean = results.orders(runs)
    assert (first.mean, last.mean, mean.mean) == (pytest.approx(1), 0, pytest.approx(0.5))
    assert results.share_of(runs).mean == pytest.approx(0.9)


@pytest.mark.parametrize(
    ("share", "gap", "word"),
    [((0.6, 0.9), (5, 9), "most"), ((0.1, 0.4), (5, 9), "part"),
     ((0.6, 0.9), (-1, 9), "not decided"), ((-0.4, -0.1), (5, 9), "none")],
)  # fmt: skip
def test_the_word_for_a_share(share, gap, word):
    a, b = (results.Interval(sum(x) / 2, *x, 5) for x in (share, gap))
    assert results.word(a, b) == word


def test_the_runs_follow_the_protocol():
    """The columns are those of the script, and each corpus has the number of topics of the protocol."""
    with open(FILE, newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == experiment.COLUMNS
    assert {(x["corpus"], int(x["K"])) for x in rows} <= {(name, x.K) for name, x in experiment.STUDIES.items()}


def test_what_the_readme_says():
    """Annealing makes up nearly all of the difference in VB's bound on three of five corpora, drawn topics on all."""
    by_corpus = {name: results.Runs(results.read(FILE), name) for name in results.JUDGED}
    assert results.verdict([results.part(runs, "bound_2") for runs in by_corpus.values()]) == "not search alone"
    for name, runs in by_corpus.items():
        assert len(runs.splits) == 5
        cvb0, random, sampled = (runs.means("vb", arm, "bound_2") for arm in ("cvb0", "random", "sampled"))
        assert min(cvb0 - random) > 0.05
        assert (cvb0 - sampled).mean() < 0.03
        assert results.part(runs, "bound_2", "sampled").mean > 0.9
        part, partial = results.part(runs, "bound_2"), {"20news-1500": 0.7, "nips": 0.6}
        if name in partial:
            assert round(part.mean, 1) == partial[name]
            assert part.high < results.SEARCH_SHARE
        else:
            assert part.low > results.SEARCH_SHARE
            assert results.word(results.share_of(runs), results.gap_of(runs, "random", "random")) == "most"
