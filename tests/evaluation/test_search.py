"""The protocol of comparisons: when runs end, what their values are, and which run is chosen."""

from itertools import combinations

import numpy as np
import pytest

import lda_reference as lda
from lda_reference.evaluation import search

from ..helpers import all_refused, prior_for

C = lda.synthetic.bars(np.random.default_rng(0), side=3, D=30, length=20).corpus.types()
P = lda.Prior(0.1, 0.1)


@pytest.mark.parametrize(
    ("name", "schedule"), [("vb", "corpus"), ("vb", "nested"), ("map", "corpus"), ("ml", "corpus")]
)
def test_a_run_ends_where_its_value_changes_little(name, schedule):
    A, p = lda.ALGORITHMS[name], prior_for(name, P)
    value = A.bound if name == "vb" else A.objective
    states = search.started(A, C, 4, p, None, [5, 6])
    for s, end in zip(
        states, search.until_settled(A, states, C, p, schedule, tolerance=1e-4, every=3, least=6), strict=True
    ):
        values = [value(s, C, p) / C.N]
        for _ in range(end.sweeps):
            s = A.sweep(s, C, p, schedule=schedule)
            values.append(value(s, C, p) / C.N)
        changes = np.abs(np.diff(values[::3]))
        assert (end.settled, end.sweeps % 3, end.sweeps >= 6) == (True, 0, True)
        assert changes[-1] < 3e-4
        assert np.all(changes[1:-1] >= 3e-4)
        assert end.value == pytest.approx(values[-1], rel=1e-12)
        np.testing.assert_allclose(end.state.gamma, s.gamma, atol=1e-12)


def test_runs_swept_together_end_as_single_runs():
    A = lda.ALGORITHMS["cvb0"]
    states = search.started(A, C, 4, P, "topics", range(3))
    together = search.until_settled(A, states, C, P, "token", tolerance=1e-4, every=4)
    assert len({end.sweeps for end in together}) > 1  # some go on when others have ended
    for s, end in zip(states, together, strict=True):
        alone = search.until_settled(A, [s], C, P, "token", tolerance=1e-4, every=4)[0]
        assert (end.sweeps, end.settled) == (alone.sweeps, alone.settled)
        np.testing.assert_allclose(end.state.gamma, alone.state.gamma, atol=1e-12)
        assert end.value == pytest.approx(alone.value, abs=1e-12)


def test_a_run_that_has_not_settled_says_so():
    A = lda.ALGORITHMS["vb"]
    end = search.until_settled(A, search.started(A, C, 4, P, None, [0]), C, P, limit=7, tolerance=1e-12, every=5)[0]
    assert (end.sweeps, end.settled) == (7, False)


def test_starts_are_those_of_fit():
    A = lda.ALGORITHMS["vb"]
    first = lda.fit(C, 4, "vb", P, sweeps=0, start="topics", seed=3).state
    assert search.started(A, C, 4, P, "topics", [2, 3])[1] == first


def test_a_sampler_cannot_settle():
    A = lda.ALGORITHMS["cgs"]
    with pytest.raises(ValueError, match="cgs has neither a bound nor an objective"):
        search.until_settled(A, search.started(A, C, 2, P, None, [0]), C, P)


@pytest.mark.parametrize("R", [1, 2, 3, 6])
def test_best_of_is_the_mean_over_all_choices_of_runs(R):
    rng = np.random.default_rng(R)
    values, scores = rng.normal(size=6), rng.normal(size=6)
    means = [scores[max(runs, key=lambda i: values[i])] for runs in combinations(range(6), R)]
    assert search.best_of(values, scores, R) == pytest.approx(np.mean(means), rel=1e-12)


def test_paired_differences():
    d = search.paired([1.0, 2.0, 6.0], [0.0, 2.0, 2.0])
    assert (d.mean, d.pairs) == (pytest.approx(5 / 3), 3)
    assert d.standard_error == pytest.approx(np.std([1, 0, 4], ddof=1) / np.sqrt(3))
    assert np.isnan(search.paired([1.0], [2.0]).standard_error)


def test_what_does_not_fit_is_refused():
    all_refused([
        (lambda: search.paired([1.0, 2.0], [1.0]), r"x has shape \(2,\) and y \(1,\), expected pairs"),
        (lambda: search.best_of([1.0, 2.0], [1.0], 1), r"values has shape \(2,\) and scores \(1,\), expected one score"),
        (lambda: search.best_of([1.0], [1.0], 2), "R is 2, expected 1 to 1, the number of runs"),
    ])
