"""The rule of the experiment on search, on lines whose answer is known."""

import numpy as np
import pytest

from figures.search import experiment, results

CSV_PATH = results.Path(results.__file__).parent / "experiment.csv"


def run_lines(corpus, R, noise_sd, gap=0.1, seed=0):
    """Runs whose annealed bound makes up a part R of the gap, with noise in each split."""
    rng = np.random.default_rng(seed)
    for split in range(5):
        noisy_share = R + noise_sd * rng.standard_normal()
        bound_of_arm = {"random": -8.0, "cvb0": -8.0 + gap, "annealed": -8.0 + noisy_share * gap}
        arm_runs = [("vb", arm, arm_bound, 1000 - 10_000 * (arm_bound + 8 - gap)) for arm, arm_bound in bound_of_arm.items()]
        arm_runs += [("cvb0", "random", 0, 1000), ("cvb0", "annealed", 0, 1000), ("cvb0", "vb", 0, 1000)]
        for objective, arm, bound, score in arm_runs:
            for run_seed in range(2):
                line_fields = [corpus, 10, split, run_seed, "main", objective, "", arm, 20, 1.0, 0.0, bound, 0.0, 0.0, score]
                yield dict(zip(experiment.COLUMNS, map(str, line_fields), strict=True))


@pytest.mark.parametrize(
    ("R", "noise_sd", "verdict"),
    [(1.0, 0.02, "search"), (0.5, 0.02, "not search alone"), (0.82, 0.1, "not decided")],
)  # fmt: skip
def test_the_verdict_of_five_corpora(R, noise_sd, verdict):
    runs_of_corpora = [results.Runs(list(run_lines(corpus_name, R, noise_sd, seed=i)), corpus_name) for i, corpus_name in enumerate(results.JUDGED)]
    assert results.verdict([results.part(corpus_runs, "bound_2") for corpus_runs in runs_of_corpora]) == verdict


def test_four_of_five_are_enough_and_three_are_not():
    interval_above, interval_around = results.Interval(1.0, 0.9, 1.1, 5), results.Interval(1.0, 0.7, 1.3, 5)
    assert [results.verdict([interval_above] * n + [interval_around] * (5 - n)) for n in (4, 3)] == ["search", "not decided"]
    assert results.verdict([interval_above] * 3) == "not decided"  # two corpora have no runs yet


def test_the_interval_counts_overlapping_splits():
    """With test sets of a ninth of the training tokens, the variance of the mean is (1/5 + 1/9) s², and not s²/5."""
    split_shares = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    interval = results.interval(split_shares)
    assert (interval.mean, interval.splits) == (3.0, 5)
    assert interval.high - interval.mean == pytest.approx(2.7764451 * np.sqrt(2.5 * (1 / 5 + 1 / 9)))
    assert results.interval(split_shares[:1]).low == -np.inf


def test_shares_along_both_paths():
    """All of the perplexity gap goes if VB starts at CVB0's end; nothing of it comes if CVB0 starts at VB's."""
    r8_runs = results.Runs(list(run_lines("r8", 0.9, 0.0)), "r8")
    first_share, last_share, mean_share = results.orders(r8_runs)
    assert (first_share.mean, last_share.mean, mean_share.mean) == (pytest.approx(1), 0, pytest.approx(0.5))
    assert results.share_of(r8_runs).mean == pytest.approx(0.9)


@pytest.mark.parametrize(
    ("share_limits", "gap_limits", "expected_word"),
    [((0.6, 0.9), (5, 9), "most"), ((0.1, 0.4), (5, 9), "part"),
     ((0.6, 0.9), (-1, 9), "not decided"), ((-0.4, -0.1), (5, 9), "none")],
)  # fmt: skip
def test_the_word_for_a_share(share_limits, gap_limits, expected_word):
    share_interval, gap_interval = (results.Interval(sum(low_high) / 2, *low_high, 5) for low_high in (share_limits, gap_limits))
    assert results.word(share_interval, gap_interval) == expected_word


def test_the_runs_follow_the_protocol():
    """The columns are those of the script, and each corpus has the number of topics of the protocol."""
    rows = results.read(CSV_PATH)
    assert list(rows[0]) == experiment.COLUMNS
    assert {(row["corpus"], int(row["K"])) for row in rows} <= {(study_name, study.K) for study_name, study in experiment.STUDIES.items()}


def test_what_the_readme_says():
    """Annealing makes up nearly all of the difference in VB's bound on three of five corpora, drawn topics on all."""
    runs_of_corpus = {corpus_name: results.Runs(results.read(CSV_PATH), corpus_name) for corpus_name in results.JUDGED}
    assert results.verdict([results.part(runs, "bound_2") for runs in runs_of_corpus.values()]) == "not search alone"
    for corpus_name, runs in runs_of_corpus.items():
        assert len(runs.splits) == 5
        cvb0_bounds, random_bounds, sampled_bounds = (runs.means("vb", arm, "bound_2") for arm in ("cvb0", "random", "sampled"))
        assert min(cvb0_bounds - random_bounds) > 0.05
        assert (cvb0_bounds - sampled_bounds).mean() < 0.03
        assert results.part(runs, "bound_2", "sampled").mean > 0.9
        annealed_share, partial_shares = results.part(runs, "bound_2"), {"20news-1500": 0.7, "nips": 0.6}
        if corpus_name in partial_shares:
            assert round(annealed_share.mean, 1) == partial_shares[corpus_name]
            assert annealed_share.high < results.SEARCH_SHARE
        else:
            assert annealed_share.low > results.SEARCH_SHARE
            assert results.word(results.share_of(runs), results.gap_of(runs, "random", "random")) == "most"
