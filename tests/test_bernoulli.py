"""Expectations under sums of Bernoulli variables, compared with forty digits of mpmath."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import gammaln

from lda_reference import bernoulli
from lda_reference.algorithms import convolution

from .helpers import HARD_CASES


def by_convolution(f, g, digits=40):
    """E[f(n)] with the distribution of n by convolution, in mpmath."""
    with mpmath.workdps(digits):
        distribution = [mpmath.mpf(1)]
        for x in (mpmath.mpf(float(x)) for x in g):
            longer = [*distribution, mpmath.mpf(0)]
            distribution = [longer[i] * (1 - x) + (longer[i - 1] * x if i else 0) for i in range(len(longer))]
        return mpmath.fsum(q * f(i) for i, q in enumerate(distribution))


@pytest.mark.parametrize("a", [1e-3, 0.1, 1.0, 700.0, 1e6])
@pytest.mark.parametrize("case", HARD_CASES)
def test_expected_log_and_inverse_agree_to_forty_digits(case, a):
    g = HARD_CASES[case]
    S = bernoulli.statistic(g[:, None], a).sum(1)
    log = float(by_convolution(lambda i: mpmath.log(mpmath.mpf(a) + i), g))
    inverse = float(by_convolution(lambda i: 1 / (mpmath.mpf(a) + i), g))
    a = np.asarray(a)
    assert abs(bernoulli.mean_log(a, S)[0] - log) < 1e-13 * max(1, abs(log))
    assert abs(bernoulli.mean_inverse(a, S)[0] / inverse - 1) < 1e-12
    v = convolution.distribution(g[:, None], np.ones(len(g), int))
    assert abs(convolution.mean_log(a, v)[0] - log) < 1e-12 * max(1, abs(log))


def test_expected_log_of_five_thousand_terms():
    """If all g are equal, the distribution is binomial and the answer is known."""
    n, g = 5000, 0.3
    S = n * bernoulli.statistic(np.array([g]), 1e-3)
    with mpmath.workdps(40):
        for a in (1e-3, 0.1, 50.0):
            g_, a_ = mpmath.mpf(g), mpmath.mpf(a)
            terms = [mpmath.binomial(n, m) * g_**m * (1 - g_) ** (n - m) * mpmath.log(a_ + m) for m in range(n + 1)]
            assert abs(bernoulli.mean_log(np.asarray(a), S)[0] - float(mpmath.fsum(terms))) < 1e-12


@pytest.mark.parametrize("a", [1e-3, 0.1, 1.0, 700.0, 1e6])
@pytest.mark.parametrize("case", HARD_CASES)
def test_expected_log_gamma_agrees_to_forty_digits(case, a):
    g = HARD_CASES[case]
    m, V = g.sum(), (g * (1 - g)).sum()
    total = bernoulli.log_gamma_left_of_nodes(V)
    for t in bernoulli.nodes(a):
        log_G = bernoulli.log_generating_function(g, np.array([t])).sum()
        total += bernoulli.STEP * bernoulli.log_gamma_integrand(a, m, log_G, t)
    expected = by_convolution(lambda i: mpmath.loggamma(mpmath.mpf(a) + i), g)
    assert float(abs(gammaln(a + m) + total - expected) / max(1, abs(expected))) < 1e-13


@given(st.floats(0, 1), st.floats(-20, 11))
@settings(max_examples=300, deadline=None)
def test_log_generating_function_is_accurate(g, log_t):
    t = math.exp(log_t)
    with mpmath.workdps(60):
        G, T = mpmath.mpf(g), mpmath.mpf(t)  # each form where it does not cancel
        exact = mpmath.log1p(G * mpmath.expm1(-T)) if t < 1 else mpmath.log((1 - G) + G * mpmath.exp(-T))
        value = float(bernoulli.log_generating_function(np.array([g]), np.array([t]))[0, 0])
        assert abs(value - exact) <= 1e-15 * abs(exact) + (1e-322 if t < math.log(2) else 2e-16)
