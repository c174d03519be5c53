"""The protocol of comparisons: when runs end, what their values are, and which run is chosen."""

from itertools import combinations

import numpy as np
import pytest

import lda_reference as lda
from lda_reference.engine import moved
from lda_reference.evaluation import search

from ..helpers import prior_for

C = lda.synthetic.bars(np.random.default_rng(0), side=3, D=30, length=20).corpus.types()
P = lda.Prior(0.1, 0.1)


def distances(state_a, state_b):
    return np.abs(state_a.gamma - state_b.gamma).sum(-1) / 2


@pytest.mark.parametrize(("algorithm_name", "schedule"), [("vb", "corpus"), ("vb", "nested"), ("map", "corpus"), ("ml", "corpus"), ("cvb0", "block")])
def test_a_run_ends_where_gamma_moves_little_over_one_sweep_and_over_two(algorithm_name, schedule):
    A, p = lda.ALGORITHMS[algorithm_name], prior_for(algorithm_name, P)
    climbed_function = A.objective if algorithm_name in ("map", "ml") else A.bound
    states = search.started(A, C, 4, p, None, [5, 6])
    run_ends = search.until_settled(A, states, C, p, schedule, tolerance=1e-4, every=3, least=6)
    for s, run_end in zip(states, run_ends, strict=True):
        state_chain = [s]
        for _ in range(run_end.sweeps):
            state_chain.append(A.sweep(state_chain[-1], C, p, schedule=schedule))
        pairs_of_moves = [[distances(state_chain[sweep_number - lag], state_chain[sweep_number]) for lag in (1, 2)] for sweep_number in range(6, run_end.sweeps + 1, 3)]
        is_still = [max(C.n @ move for move in pair_of_moves) / C.N < 1e-4 and np.max(pair_of_moves) < 1e-2 for pair_of_moves in pairs_of_moves]
        assert (run_end.period, run_end.settled, run_end.sweeps % 3, run_end.sweeps >= 6) == (1, True, 0, True)
        assert is_still == [False] * (len(is_still) - 1) + [True]
        assert run_end.value == pytest.approx(climbed_function(state_chain[-1], C, p) / C.N, rel=1e-12)
        np.testing.assert_allclose(run_end.state.gamma, state_chain[-1].gamma, atol=1e-12)


@pytest.mark.parametrize(("schedule", "period"), [("corpus", 2), ("document", 1), ("token", 1)])
def test_a_swing_of_period_2_is_named(schedule, period):
    """Two equal documents of three words: in `corpus` order they swing, while the bound stands still."""
    A, c = lda.ALGORITHMS["cvb0"], lda.Corpus.from_documents([[0, 1, 2], [0, 1, 2]])
    for run_end in search.until_settled(A, search.started(A, c, 2, P, None, range(5)), c, P, schedule):
        state_1 = A.sweep(run_end.state, c, P, schedule)
        state_2 = A.sweep(state_1, c, P, schedule)
        assert (run_end.period, run_end.settled) == (period, period == 1)
        assert (distances(state_1, run_end.state).max() > 0.7) == (period == 2)
        assert distances(state_2, run_end.state).max() < 1e-3
        assert A.bound(state_1, c, P) == pytest.approx(A.bound(run_end.state, c, P), abs=1e-5)


def test_one_row_that_moves_is_enough_to_go_on():
    """1e-5 on average leaves room for a row of 100,000 tokens that still moves by 1e-2."""
    documents = [[0] * 10**5, [1]]
    c = lda.Corpus.from_documents(documents).types()
    old_state, new_state = (lda.State(np.array([[0.5, 0.5], [gamma_10, 1 - gamma_10]])) for gamma_10 in (0.5, 0.6))
    mean_move, largest_move = moved(old_state, new_state, c.n)
    assert (mean_move, largest_move) == (pytest.approx(0.1 / (10**5 + 1)), pytest.approx(0.1))
    assert [search.period(old_state, old_state, state, c) for state in (new_state, old_state)] == [0, 1]


def test_runs_swept_together_end_as_single_runs():
    A, c = lda.ALGORITHMS["cvb0"], lda.synthetic.bars(np.random.default_rng(0), side=3, D=8, length=20).corpus.types()
    states = search.started(A, c, 4, P, "topics", range(3))
    run_ends = search.until_settled(A, states, c, P, "token", tolerance=1e-4, every=4)
    assert len({run_end.sweeps for run_end in run_ends}) > 1  # some go on when others have ended
    for s, run_end in zip(states, run_ends, strict=True):
        end_of_single_run = search.until_settled(A, [s], c, P, "token", tolerance=1e-4, every=4)[0]
        assert (run_end.sweeps, run_end.period) == (end_of_single_run.sweeps, end_of_single_run.period)
        np.testing.assert_allclose(run_end.state.gamma, end_of_single_run.state.gamma, atol=1e-12)
        assert run_end.value == pytest.approx(end_of_single_run.value, abs=1e-12)


def test_a_run_that_has_not_settled_says_so_and_a_sampler_cannot():
    A = lda.ALGORITHMS["vb"]
    run_end = search.until_settled(A, search.started(A, C, 4, P, None, [0]), C, P, limit=7, tolerance=1e-12, every=5)[0]
    assert (run_end.sweeps, run_end.period, run_end.settled) == (7, 0, False)
    A = lda.ALGORITHMS["cgs"]
    with pytest.raises(ValueError, match="cgs has neither a bound nor an objective"):
        search.until_settled(A, search.started(A, C, 2, P, None, [0]), C, P)


def test_starts_are_those_of_fit():
    start_state = lda.fit(C, 4, "vb", P, sweeps=0, start="topics", seed=3).state
    assert search.started(lda.ALGORITHMS["vb"], C, 4, P, "topics", [2, 3])[1] == start_state


@pytest.mark.parametrize("R", [1, 2, 3, 6])
def test_best_of_is_the_mean_over_all_choices_of_runs(R):
    rng = np.random.default_rng(R)
    run_values, scores = rng.normal(size=6), rng.normal(size=6)
    best_scores = [scores[max(chosen_runs, key=lambda run: run_values[run])] for chosen_runs in combinations(range(6), R)]
    assert search.best_of(run_values, scores, R) == pytest.approx(np.mean(best_scores), rel=1e-12)


def test_one_pair_has_no_standard_error():
    assert np.isnan(search.paired([1.0], [2.0]).standard_error)
