"""Exact CVB: its update is the enumerated expectation, and it climbs its bound."""

import numpy as np
import pytest
from scipy.special import softmax

import lda_reference as lda

from ..helpers import CORPORA, PRIORS, TINY, TINY_PRIORS, K, start, updated

ALGORITHMS = lda.ALGORITHMS


@pytest.mark.parametrize("prior", TINY_PRIORS)
@pytest.mark.parametrize("rows", ["tokens", "types"])
@pytest.mark.parametrize("way", ["cvb_exact", "convolution"])
def test_exact_cvb_is_the_enumerated_expectation(way, rows, prior):  # TNW06 (15)
    c, p = TINY if rows == "tokens" else TINY.types(), TINY_PRIORS[prior]
    rng = np.random.default_rng(3)
    for concentration in (1.0, 0.05):
        gamma = rng.dirichlet(np.full(K, concentration), size=c.M)
        expected = softmax(lda.exact.expected_log(gamma, c, K, p), 1)
        new = np.repeat(updated(ALGORITHMS[way], gamma, c, p), c.n, axis=0)
        np.testing.assert_allclose(new, expected, rtol=0, atol=1e-10)


@pytest.mark.parametrize("rows", CORPORA)
def test_no_row_of_exact_cvb_lowers_its_bound(rows):
    c = CORPORA[rows]
    for p in (PRIORS["0.1"], PRIORS["vectors"], PRIORS["1e-3"]):
        for seed in range(3):
            s = start("cvb_exact", c, seed=seed)
            for _ in range(3):
                new = ALGORITHMS["cvb_exact"].sweep(s, c, p).gamma
                steps = [lda.State(np.vstack([new[:i], s.gamma[i:]])) for i in range(c.M + 1)]
                bounds = [ALGORITHMS["cvb_exact"].bound(x, c, p) for x in steps]
                assert (np.diff(bounds) >= -1e-9).all()
                s = lda.State(new)
