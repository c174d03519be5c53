"""Maximum likelihood: tempered EM, and counts that are zero."""

import numpy as np
import pytest

import lda_reference as lda
from lda_reference import plain
from lda_reference.algorithms import ml

from ..helpers import CORPORA, PRIORS, K, start


def test_objectives_of_maximum_likelihood_are_continuous_at_zero_counts():
    c, p = lda.Corpus.from_documents([[0, 1, 1], [0]], W=2), lda.Prior()
    tiny_gamma, zero_gamma = ([[1 - smallest_share, smallest_share], [0, 1], [0, 1], [1, 0]] for smallest_share in (5e-324, 0.0))
    for algorithm_name in ("ml", "vem"):
        objectives = [lda.ALGORITHMS[algorithm_name].objective(lda.State(np.array(gamma)), c, p) for gamma in (tiny_gamma, zero_gamma)]
        assert objectives[0] == pytest.approx(objectives[1], abs=1e-12)


def test_ml_estimates_are_uniform_without_counts():
    c, A = CORPORA["types"], lda.ALGORITHMS["ml"]
    gamma = np.zeros((c.M, K))
    gamma[:, 0] = 1.0
    s = A.sweep(A.init(c, K, lda.Prior(), gamma=gamma), c, lda.Prior())
    np.testing.assert_array_equal(s.gamma, gamma)  # an empty topic stays empty
    theta_jk, phi_wk = A.estimate(s, c, lda.Prior())
    np.testing.assert_allclose(theta_jk[2], 1 / K)  # the document without tokens
    np.testing.assert_allclose(phi_wk[:, 1], 1 / c.W)
    # MAP tends to the same estimates as alpha and eta fall to 1
    MAP = lda.ALGORITHMS["map"]
    map_estimate = MAP.estimate(s, c, lda.Prior(1 + 1e-9, 1 + 1e-9))
    np.testing.assert_allclose(np.vstack(map_estimate), np.vstack((theta_jk, phi_wk)), atol=1e-8)


def test_tempered_em_is_em_at_one_and_raises_the_update_to_a_power():
    c, p = CORPORA["types"], PRIORS["0.1"]
    s = start("ml", c)
    np.testing.assert_allclose(ml.tempered(1.0).sweep(s, c, p).gamma, lda.ALGORITHMS["ml"].sweep(s, c, p).gamma, rtol=0, atol=1e-14)
    assert np.isfinite(ml.tempered(1e4).sweep(s, c, p).gamma).all()  # although powers of counts overflow
    weights = np.array([plain.update("ml", i, s.gamma, c, p) for i in range(c.M)]) ** 0.7
    new_gamma = ml.tempered(0.7).sweep(s, c, p).gamma
    np.testing.assert_allclose(new_gamma, weights / weights.sum(1, keepdims=True), rtol=0, atol=1e-12)
    with pytest.raises(ValueError, match=r"beta is 0.0"):
        ml.tempered(0.0)


def test_tempered_em_climbs_its_own_objective():
    c, p, A = CORPORA["types"], PRIORS["0.1"], ml.tempered(0.6)
    s = start("ml", c, seed=4)
    objectives = [A.objective(s, c, p)]
    for _ in range(40):
        s = A.sweep(s, c, p)
        objectives.append(A.objective(s, c, p))
    assert (np.diff(objectives) >= -1e-10).all()
    assert objectives[-1] > objectives[0] + 0.1
