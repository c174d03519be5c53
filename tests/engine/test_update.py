"""The update of a row: every algorithm and schedule against the plain text, and counts that are nearly zero."""

import itertools

import numpy as np
import pytest

import lda_reference as lda
from lda_reference import engine, plain
from lda_reference.engine import update

from ..helpers import CORPORA, PRIORS, SOFT, K, in_plain, prior_for, randomness, start, topics_of

SOFT_SCHEDULES = [(name, schedule) for name in SOFT for schedule in lda.ALGORITHMS[name].schedules if schedule != "nested"]
# The numbers of one prior are too small to be added to the sums
ALL_PRIORS = PRIORS | {"small": lda.Prior(5e-4, [0.1, 9e-4, 0.1, 0.1, 0.2, 0.3])}
CASES = [(row_kind, "vectors", {"assignment": "hard"}) for row_kind in CORPORA]
CASES += [("types", prior_name, {}) for prior_name in ALL_PRIORS] + [("tokens", prior_name, {}) for prior_name in ("vectors", "small")]
# The schedule `nested` brings each document in turn to convergence, or makes `inner` steps
OPTIONS = [{}, {"assignment": "hard"}, {"inner": 1}, {"inner": 3}, {"inner": 2, "assignment": "hard"}]
OPTIONS += [{"assignment": lambda x: engine.soft(x)}]  # a function of the caller
NESTED_CASES = itertools.product(CORPORA, ["0.1", "vectors", "eta by topic"], OPTIONS)
ALL_CASES = [(*name_and_schedule, *case) for name_and_schedule in SOFT_SCHEDULES for case in CASES]
ALL_CASES += [(name, "nested", *case) for case in NESTED_CASES for name in ("vb", "vem")]


@pytest.mark.parametrize(("algorithm_name", "schedule", "row_kind", "prior_name", "options"), ALL_CASES)
def test_three_sweeps_equal_the_plain_text(algorithm_name, schedule, row_kind, prior_name, options):
    A = lda.ALGORITHMS[algorithm_name]
    c, p = A.arranged(CORPORA[row_kind]), prior_for(algorithm_name, ALL_PRIORS[prior_name])
    s = start(algorithm_name, c)
    plain_gamma = s.gamma.tolist()
    for sweep_number in range(3):
        sweep_options = randomness(algorithm_name, c, sweep_number) | options
        s = A.sweep(s, c, p, schedule=schedule, **sweep_options)
        plain_gamma = in_plain(A, plain_gamma, c, p, schedule, **sweep_options)
        np.testing.assert_allclose(s.gamma, plain_gamma, rtol=0, atol=1e-12)


@pytest.mark.parametrize("algorithm_name", lda.ALGORITHMS)
def test_an_additive_term_is_the_prior_number_plus_the_count(algorithm_name):
    a, S, removed_count = np.array([0.3, 0.1]), np.array([3.5, 0.7]), np.array([0.25, 0.7])
    for term in lda.ALGORITHMS[algorithm_name].update.terms:
        if term.additive:
            np.testing.assert_allclose(term.value(a, S), a + S, rtol=1e-15)
            np.testing.assert_allclose(term.value(a, S) - removed_count, term.value(a, S - removed_count), rtol=1e-15)


def test_hard_assignment_takes_the_first_of_equal_topics():
    assert engine.hard(np.array([[1.0, 2.0, 2.0], [3.0, 3.0, 3.0]])).tolist() == [[0, 1, 0], [1, 0, 0]]


def test_draw_counts_the_partial_sums_up_to_u_times_the_last():
    weights = np.array([1.0, 1.0, 2.0])
    assert [engine.draw(weights, u) for u in (0.0, 0.2499, 0.25, 0.4999, 0.5, 0.9999)] == [0, 0, 1, 1, 2, 2]
    assert engine.draw(np.array([0.0, 0.0, 1.0, 0.0]), 0.0) == 2  # a topic of weight 0 is never drawn
    tiny_weights, below_1 = np.array([5e-324, 5e-324, 5e-324]), 1 - 2**-53
    assert below_1 * tiny_weights.sum() == tiny_weights.sum()  # by rounding, u times the last partial sum is not below it
    assert engine.draw(tiny_weights, below_1) == engine.draw(tiny_weights[None], np.array([below_1]))[0] == 2
    weight_rows = np.tile(weights, (6, 1))
    assert engine.draw(weight_rows, np.array([0.0, 0.2499, 0.25, 0.4999, 0.5, 0.9999])).tolist() == [0, 0, 1, 1, 2, 2]


def test_rounding_never_makes_a_probability_negative():
    # 0.1 + 0.2 - 0.1 - 0.2 is 2.8e-17 and 0.3 - (0.1 + 0.2) is -5.6e-17. A prior of 1e-18 would not hide the sign.
    c = lda.Corpus.from_documents([[0, 0, 0]], W=1)
    gamma = np.array([[0.1, 0.9], [0.2, 0.8], [0.7, 0.3]])
    p = lda.Prior(1e-18, 1e-18)
    for algorithm_name in ("cvb0", "vb", "ml"):
        s = lda.ALGORITHMS[algorithm_name].init(c, 2, p, gamma=gamma)
        for _ in range(50):
            s = lda.ALGORITHMS[algorithm_name].sweep(s, c, p, schedule="token")
            assert (s.gamma >= 0).all()
            assert np.isfinite(s.gamma).all()
    assert update.nonnegative_difference(np.array([0.3]), np.array([0.1 + 0.2])) == 0


def test_vb_survives_weights_that_underflow():
    # All tokens are in topic 0, which cannot have word 1. The weights of word 1 are 1 times 0 and exp(psi(1e-3)) times 1,
    # which is exp(-1000).
    c, p, A = lda.Corpus.from_documents([[0, 0, 1]], W=2), lda.Prior(1e-3, 1e-3), lda.ALGORITHMS["vb"]
    s = A.init(c, 2, p, gamma=[[1, 0]] * 3)
    for schedule in A.schedules:
        new_state = A.sweep(s, c, p, schedule=schedule, held_topics=[[1, 0], [0, 1]])
        np.testing.assert_array_equal(new_state.gamma, [[1, 0], [1, 0], [0, 1]])


def test_stochastic_em_draws_every_token_from_the_old_counts():
    c, p, A = CORPORA["types"], PRIORS["0.1"], lda.ALGORITHMS["ml"]
    z = np.random.default_rng(3).integers(K, size=c.N)
    s = A.init(c, K, p, z=z)
    uniforms = np.random.default_rng(4).random(c.N)
    new_state = A.sweep(s, c, p, assignment="sample", uniforms=uniforms)
    weights = [plain.update("ml", row, s.gamma, c, p) for row in range(c.M)]
    assert new_state.z.tolist() == topics_of(np.repeat(weights, c.n, axis=0), uniforms)
