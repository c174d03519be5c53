"""The approximation of VB's update that subtracts a half from each count, and the E-step of libraries."""

import numpy as np
import pytest
from scipy.special import digamma

import lda_reference as lda
from lda_reference import engine
from lda_reference.algorithms import vb

from ..helpers import start


def test_approximate_vb_subtracts_a_half():  # AWST09 (11)
    c, p = lda.Corpus([0, 0, 1, 1], [0, 1, 1, 2], [40, 50, 60, 70], 2, 3), lda.Prior(2.0, 3.0)
    s = start("vb", c)
    approximate_gamma, vb_gamma = (A.sweep(s, c, p).gamma for A in (vb.APPROXIMATE, lda.ALGORITHMS["vb"]))
    assert 0 < np.abs(approximate_gamma - vb_gamma).max() < 2e-3  # exp(psi(n)) is n - 0.5 + O(1/n)
    N_jk, N_wk, N_k = engine.sums(s.gamma, c)
    weights = (N_wk[c.w] + 3 - 0.5) / (N_k + 3 * 3 - 0.5) * (N_jk[c.j] + 2 - 0.5)
    assert weights.sum(1).min() > 10  # in print, this is ≈ gamma
    np.testing.assert_allclose(approximate_gamma, weights / weights.sum(1, keepdims=True), rtol=0, atol=1e-14)
    n = np.array([5.0, 50.0])
    assert (np.abs(np.exp(digamma(n)) - (n - 0.5)) < 1 / (20 * n)).all()
    with pytest.raises(ValueError, match=r"a prior number is 0\.1, expected more than 0\.5"):
        vb.APPROXIMATE.sweep(s, c, lda.Prior(0.1, 3.0))
    with pytest.raises(ValueError, match="climbs no known function: it approximates"):
        vb.APPROXIMATE.objective(s, c, p)


def test_an_e_step_survives_weights_that_underflow():
    """E[log theta] and E[log phi] are about -500 each, and exp(-1000) is 0."""
    c, tiny_parameters = lda.Corpus.from_documents([[0]], W=2), np.full((2, 2), 1e-3)
    np.testing.assert_allclose(vb.e_step(tiny_parameters[:1], tiny_parameters, c, lda.Prior(1e-3, 1e-3), 1), [[0.501, 0.501]], rtol=1e-14)
