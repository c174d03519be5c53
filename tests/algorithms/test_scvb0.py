"""SCVB0: the plain text, a step by hand, clumping, what is kept, and the mean over tokens."""

from fractions import Fraction

import numpy as np
import pytest
from numpy.testing import assert_allclose

import lda_reference as lda
from lda_reference import plain
from lda_reference.algorithms import scvb0
from lda_reference.algorithms.scvb0 import Topics

from ..helpers import refusals
from .test_online_vb import DOCS, PRIOR, PRIORS


def counts(seed):
    rng = np.random.default_rng(seed)
    N_wk = rng.gamma(2, 5, size=(DOCS.W, 2))
    return rng.gamma(1, size=(DOCS.D, 2)), Topics(N_wk, N_wk.sum(0))


@pytest.mark.parametrize("p", PRIORS)
@pytest.mark.parametrize("burn_in", [0, 2])
def test_a_step_is_that_of_the_plain_text(p, burn_in):
    N_jk, s = counts(0)
    options = {"burn_in": burn_in, "total_N": 130, "rho_theta": 0.1, "rho_phi": 0.3}
    case = plain.case_of("scvb0", "online_step", [], DOCS, p, K=2, N_jk=N_jk, N_wk=s.N_wk, N_k=s.N_k, **options)
    plain_step, old_N_jk = plain.answer(case), N_jk.copy()
    new_topics, new_N_jk = scvb0.step(s, DOCS, p, 130, 0.1, 0.3, burn_in, N_jk)
    assert_allclose(new_N_jk, plain_step["N_jk"], rtol=1e-13)
    assert_allclose(np.vstack((new_topics.N_wk, new_topics.N_k)), [*plain_step["N_wk"], plain_step["N_k"]], rtol=1e-13)
    assert np.array_equal(N_jk, old_N_jk)


def test_a_step_by_hand():
    """One document of word 0 twice, alpha = eta = 1, W = 2, so that W eta = 2; N_jk is (1, 0), N_wk is ((2, 1), (0, 1)).

    The weights are (1 + 1)(2 + 1)/(2 + 2) = 3/2 and (0 + 1)(1 + 1)/(2 + 2) = 1/2, and gamma is (3/4, 1/4). Two steps of
    1/2 keep 1/4 of N_jk, and 3/4 of 2 gamma join it: (1/4 + 9/8, 3/8). The corpus has 6 tokens: the estimate of word 0 is
    3 times 2 gamma, and N_wk moves by 1/3: (4/3 + 3/2, 2/3 + 1/2).
    """
    corpus_dict = {"j": [0], "w": [0], "n": [2], "D": 1, "W": 2}
    count_options = {"N_jk": [["1", "0"]], "N_wk": [["2", "1"], ["0", "1"]], "N_k": ["2", "2"], "burn_in": 0, "total_N": "6"}
    rho_options = {"rho_theta": "1/2", "rho_phi": "1/3"}
    case = plain.case_of("scvb0", "online_step", [], corpus_dict, {"alpha": "1", "eta": "1"}, K=2, **count_options, **rho_options)
    new_counts = plain.answer(case, Fraction)
    assert new_counts["N_jk"] == [[Fraction(11, 8), Fraction(3, 8)]]
    assert new_counts["N_wk"] == [[Fraction(17, 6), Fraction(7, 6)], [0, Fraction(2, 3)]]
    assert new_counts["N_k"] == [Fraction(17, 6), Fraction(11, 6)]


def test_numbers_of_tokens_are_kept():
    """A document that has its C_j tokens keeps them, and the topics keep those of the corpus, in N_wk as in N_k."""
    s, N = scvb0.init(4, 2, 130, np.random.default_rng(2)), 130
    for _ in range(3):
        s, N_jk = scvb0.step(s, DOCS, PRIOR, N, 0.1, 0.3, 2)
        assert_allclose(N_jk.sum(1), [3, 3, 0, 5, 2], rtol=1e-14)
        assert_allclose(s.N_wk.sum(0), s.N_k, rtol=1e-14)
        assert_allclose(s.N_k.sum(), N, rtol=1e-14)


def test_the_end_is_a_fixed_point_of_cvb0_with_nothing_excluded():
    """All documents in the batch, and steps of documents that become small: AWST09 (13) at the sums of all tokens."""
    N_jk, s = counts(4)
    for step_number in range(2000):
        s, N_jk = scvb0.step(s, DOCS, PRIOR, DOCS.N, 0.3 * (1 + step_number) ** -0.7, 0.5, 0, N_jk)
    weights = (N_jk + PRIOR.alpha)[DOCS.j] * ((s.N_wk + PRIOR.eta[:, None]) / (s.N_k + PRIOR.eta.sum()))[DOCS.w]
    N = lda.engine.sums(weights / weights.sum(1, keepdims=True), DOCS)
    assert_allclose(N.jk[[0, 1, 3, 4]], N_jk[[0, 1, 3, 4]], atol=0.02)
    assert_allclose(N.wk, s.N_wk, atol=0.02)


STEP = {"s": Topics(np.ones((4, 2)), np.full(2, 4.0)), "batch": DOCS, "p": PRIOR, "N": 50, "rho_theta": 0.1, "rho_phi": 0.1}

test_what_is_refused = refusals(lambda change: scvb0.step(**STEP | change), [
    ({"s": Topics(-np.ones((4, 2)), np.ones(2))}, "N_wk[0, 0] is -1.0, expected a count of 0 or more"),
    ({"rho_phi": 1.5}, "rho_phi is 1.5, expected a number above 0, and at most 1"),
    ({"batch": lda.Corpus([], [], [], D=2, W=4)}, "the corpus is empty"),
    ({"N_jk": np.ones((4, 2))}, "N_jk has shape (4, 2), expected (5, 2)"),
])
