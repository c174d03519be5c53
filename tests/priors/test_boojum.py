"""The Boojum of BOO16: its density, and its two propositions by quadrature."""

import itertools
import math

import numpy as np
import pytest
import scipy.stats
from scipy.special import softmax

from lda_reference.priors.boojum import given_draws, is_proper, log_beta, log_density

from ..helpers import log_grid, plain_log_B, refusals

# Proposition 1 ---------------------------------------------------------------------------------------------------------


def by_boxes(m, tau, log_lows, log_highs, log_step=0.5):
    """Integrals of the unnormalised density over boxes (e^log_low, e^log_high)^N, one for each pair."""
    x, log_weights = log_grid(len(tau), min(log_lows), max(log_highs), log_step)
    integrand = np.exp(log_density(x, m, tau) + log_weights)
    log_x = np.log(x)
    return [float(integrand[np.all((log_x > log_low - 1e-9) & (log_x < log_high + 1e-9), -1)].sum()) for log_low, log_high in zip(log_lows, log_highs, strict=True)]


def by_rings(m, tau, n_rings, logit_step, logit_width):
    """The logarithms of its integrals over the rings 2^i < sum x < 2^(i+1), i < n_rings, in polar coordinates."""
    N = len(tau)
    logit_grid = np.arange(-logit_width, logit_width + logit_step / 2, logit_step)
    logits = np.stack(np.meshgrid(*[logit_grid] * (N - 1), indexing="ij"), -1).reshape(-1, N - 1)
    proportions = softmax(np.pad(logits, ((0, 0), (0, 1))), -1)
    proportions = proportions[proportions.min(-1) > 1e-300]
    nodes, weights = np.polynomial.legendre.leggauss(8)
    log_integrals = []
    for ring_index in range(n_rings):
        log_integral = -np.inf
        for radius, radius_weight in zip(2.0**ring_index * (3 + nodes) / 2, weights * 2.0**ring_index / 2, strict=True):
            log_terms = log_density(radius * proportions, m, tau) + np.log(proportions).sum(-1) + (N - 1) * np.log(radius * logit_step) + np.log(radius_weight)
            log_integral = np.logaddexp(log_integral, np.logaddexp.reduce(log_terms))
        log_integrals.append(log_integral)
    return np.array(log_integrals)


@pytest.mark.parametrize("m", [-3.0, -0.5, 0.0, 1.0, 4.0])
def test_in_one_dimension_it_is_an_exponential(m):
    for tau in (0.3, 2.0):
        assert is_proper(m, [tau])
        assert by_boxes(m, [tau], [-40], [6], 0.1)[0] == pytest.approx(1 / tau, rel=1e-9)
    for tau in (0.0, -0.1):
        assert not is_proper(m, [tau])
        increments = np.diff(by_boxes(m, [tau], [-40] * 3, [2, 3, 4]))
        assert increments[1] > 2 * increments[0]


@pytest.mark.parametrize("m", [0.0, 0.5, 0.8, 1.0, 1.2])
@pytest.mark.parametrize("tau", [(1.0, 0.3), (0.7, 2.0, 1.5)])
def test_proposition_1_towards_0(tau, m):
    """As boxes grow towards 0, the increments fall geometrically or do not fall."""
    log_lows = [-20, -40, -60, -80] if len(tau) == 2 else [-12, -24, -36, -48]
    increments = np.diff(by_boxes(m, tau, log_lows, [6] * 4, 0.5 if len(tau) == 2 else 1))
    increment_ratios = increments[1:] / np.maximum(increments[:-1], 1e-300)
    assert np.all(increment_ratios <= np.exp(0.9 * (1 - m) * (log_lows[1] - log_lows[0])) if is_proper(m, tau) else increment_ratios > 0.99)
    assert is_proper(m, tau) == bool(increment_ratios[-1] < 0.5) == (m < 1)


@pytest.mark.parametrize("m", [0.0, 0.5])
@pytest.mark.parametrize("last_tau", [0.2, 0.0, -0.2])
def test_proposition_1_outwards_where_m_is_not_negative(last_tau, m):
    tau = (1.0, last_tau)
    increments = np.diff(by_boxes(m, tau, [-40] * 4, [3, 4, 5, 6], 0.25))
    assert is_proper(m, tau) == bool(increments[-1] < 0.01 * increments[0]) == (last_tau > 0)


@pytest.mark.parametrize(
    ("m", "proportions", "sum_gap", "n_rings", "logit_step", "logit_width"),
    [(-0.5, (0.5, 0.1, 0.4), 0.1, 9, 0.2, 16), (-1.0, (0.3, 0.7), 0.02, 13, 0.02, 20), (-4.0, (0.3, 0.7), 0.02, 13, 0.02, 20)],
)
def test_proposition_1_outwards_where_m_is_negative(m, proportions, sum_gap, n_rings, logit_step, logit_width):
    """If the sum of exp(-tau / |m|) is below 1, the integrals over wider and wider rings fall; otherwise they grow."""
    for exp_sum in (1 - sum_gap, 1.0, 1 + sum_gap):
        tau = -m * -np.log(exp_sum * np.array(proportions))
        log_rings = by_rings(m, tau, n_rings, logit_step, logit_width)
        if exp_sum < 1:
            assert is_proper(m, tau)
            assert log_rings[-1] < log_rings.max() - 5
            assert log_rings[-1] - log_rings[-2] < log_rings[-2] - log_rings[-3] < 0
        else:
            assert log_rings[-1] == log_rings.max()
            assert not is_proper(m, tau * (1 - 1e-15))
    if m == -1:
        log_rings = by_rings(m, -np.log(proportions), n_rings, logit_step, logit_width)
        # at equality s^(1/2) of 1 / B, s of the area and s^(-1/2) of the ridge's width make s ds
        assert np.diff(log_rings)[-1] == pytest.approx(2 * np.log(2), abs=0.01)


def test_properness_at_its_edges():
    assert is_proper(1 - 1e-16, [1, 1])
    assert not is_proper(1, [1, 1])
    for m, dimension in [(-3, 3), (-1, 7)]:  # the sum of exp(-τ / |m|) is 1, and the rounding of log decides there
        tau = -m * np.log([dimension] * dimension)
        assert not is_proper(m, tau * (1 - 1e-15))
        assert is_proper(m, tau * (1 + 1e-15))
    assert is_proper(-1e-320, [1e-3, 1e-3])  # tau / |m| is larger than the floats
    assert not is_proper(-1e300, [1, 1])
    assert is_proper(-1, [1e-18, 42])  # 1 - 1e-18 + 6e-19
    assert not is_proper(-1, [1e-18, 41])  # 1 - 1e-18 + 2e-18
    assert not is_proper(0, [1, 0])
    assert not is_proper(-1, [1, -1e-9])


def test_at_0_it_is_a_product_of_exponentials():
    tau = [0.5, 2.0, 1.3]
    x = np.random.default_rng(0).gamma(1.0, size=(5, 3))
    log_p = scipy.stats.expon.logpdf(x, scale=1 / np.array(tau)).sum(-1)
    np.testing.assert_allclose(log_density(x, 0, tau) + np.log(tau).sum(), log_p, rtol=0, atol=1e-14)
    assert by_boxes(0, tau, [-16], [5], 0.4)[0] == pytest.approx(1 / np.prod(tau), rel=1e-5)


def test_density_by_the_standard_library():
    rng = np.random.default_rng(1)
    for N, m in itertools.product((1, 2, 5), (-2.5, 0, 0.7, 3)):
        x, tau = rng.gamma(2.0, size=(2, N))
        assert log_beta(x) == pytest.approx(plain_log_B(x), abs=1e-13)
        assert log_density(x, m, tau) == pytest.approx(m * plain_log_B(x) - math.fsum(tau * x), abs=1e-12)
    x = rng.gamma(2.0, size=(4, 3, 2))
    assert log_density(x, 0.5, [1, 2])[2, 1] == pytest.approx(0.5 * plain_log_B(x[2, 1]) - x[2, 1] @ [1, 2], abs=1e-13)


# Proposition 2 ---------------------------------------------------------------------------------------------------------


def test_proposition_2_is_the_product_of_densities():
    rng = np.random.default_rng(2)
    for N, n_draws, m in ((2, 1, 0.5), (3, 4, -1.5), (5, 2, 2.0)):
        tau, draws = rng.gamma(2.0, size=N), rng.dirichlet(np.ones(N), size=n_draws)
        boojum_posterior = given_draws(m, tau, draws)
        assert boojum_posterior.m == m - n_draws
        log_ratios = []
        for x in rng.gamma(1.5, size=(6, N)):
            log_likelihood = sum(scipy.stats.dirichlet.logpdf(draw, x) for draw in draws)
            log_ratios.append(log_density(x, m, tau) + log_likelihood - log_density(x, *boojum_posterior))
        np.testing.assert_allclose(log_ratios, -np.log(draws).sum(), rtol=0, atol=1e-11)  # no x left


test_errors_name_the_argument = refusals(lambda call: call(), [
    (lambda: log_density([1.0, 0.0], 1, [1, 1]), "x[1] is 0.0, expected a positive finite number"),
    (lambda: is_proper(0, []), "tau has shape (0,), expected a vector"),
])
