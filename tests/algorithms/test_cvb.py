"""CVB with Gaussian approximations, and the case in which all collapsed algorithms agree."""

import numpy as np

import lda_reference as lda
from lda_reference import bernoulli
from lda_reference.algorithms import cvb

from ..helpers import CORPORA, PRIORS, K, new_row, updated

ALGORITHMS = lda.ALGORITHMS
COLLAPSED = ("cvb_exact", "convolution", "cvb", "cvb0", "cvb1", "cvb1d")


def test_collapsed_algorithms_without_variance_are_the_gibbs_conditional():  # TNW06 (8)
    c = CORPORA["tokens"]
    z = np.random.default_rng(0).integers(K, size=c.N)
    gamma = np.eye(K)[z]
    for p in PRIORS.values():
        gibbs_gamma = [new_row("cgs", lda.State(gamma, z), c, p, i) for i in range(c.M)]
        for algorithm_name in COLLAPSED:
            np.testing.assert_allclose(updated(ALGORITHMS[algorithm_name], gamma, c, p), gibbs_gamma, rtol=0, atol=1e-12, err_msg=algorithm_name)


def test_taylor_is_the_second_order_expansion():  # TNW06 (17)
    """Its error is of third order in 1 / (a + m), as the next term of the expansion is."""
    taylor_errors = []
    for n in (20, 40, 80, 160):
        gamma_column = np.full((n, 1), 0.3)
        exact_mean_log = bernoulli.mean_log(np.asarray(0.5), bernoulli.statistic(gamma_column).sum(1))[0]
        taylor_errors.append(abs(cvb.second_order_log(0.5, cvb.mean_and_variance(gamma_column).sum(1))[0] - exact_mean_log))
    error_ratios = np.divide(taylor_errors[:-1], taylor_errors[1:])
    assert ((error_ratios > 3.5) & (error_ratios < 4.7)).all()  # the third moment is proportional to n, so the error is to n / n^3
