"""Exact CVB: its update is the enumerated expectation, and it climbs its bound."""

import numpy as np
import pytest
from scipy.special import softmax

import lda_reference as lda

from ..helpers import CORPORA, PRIORS, K, for_each_tiny_case, start, updated

ALGORITHMS = lda.ALGORITHMS


@for_each_tiny_case
@pytest.mark.parametrize("algorithm_name", ["cvb_exact", "convolution"])
def test_exact_cvb_is_the_enumerated_expectation(algorithm_name, c, p):  # TNW06 (15)
    rng = np.random.default_rng(3)
    for concentration in (1.0, 0.05):
        gamma = rng.dirichlet(np.full(K, concentration), size=c.M)
        expected_gamma = softmax(lda.exact.expected_log(gamma, c, K, p), 1)
        token_gamma = np.repeat(updated(ALGORITHMS[algorithm_name], gamma, c, p), c.n, axis=0)
        np.testing.assert_allclose(token_gamma, expected_gamma, rtol=0, atol=1e-10)


@pytest.mark.parametrize("row_kind", CORPORA)
def test_no_row_of_exact_cvb_lowers_its_bound(row_kind):
    c = CORPORA[row_kind]
    for p in (PRIORS["0.1"], PRIORS["vectors"], PRIORS["1e-3"]):
        for seed in range(3):
            s = start("cvb_exact", c, seed=seed)
            for _ in range(3):
                new_gamma = ALGORITHMS["cvb_exact"].sweep(s, c, p).gamma
                states_by_row = [lda.State(np.vstack([new_gamma[:i], s.gamma[i:]])) for i in range(c.M + 1)]
                bounds = [ALGORITHMS["cvb_exact"].bound(row_state, c, p) for row_state in states_by_row]
                assert (np.diff(bounds) >= -1e-9).all()
                s = lda.State(new_gamma)
