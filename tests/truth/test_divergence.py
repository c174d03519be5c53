"""The alpha-divergence of SN12 and its power means: their special cases, against many digits."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lda_reference.truth.divergence import divergence, log_power_mean, power_mean

from ..helpers import all_refused

ORDERS = [-1, 0, 0.5, 1, 2]
NEAR_ORDERS = [1e-30, 1e-15, 1e-9, -1e-9, 1e-3, -1e-3, 1 - 1e-15, 1 + 1e-9, 1 - 1e-6, 1 + 1e-3]
SPECIAL_CASES = {
    -1: lambda p, q: 0.5 * math.fsum((q - p) ** 2 / p),
    0: lambda p, q: math.fsum(q * np.log(q / p) - q + p),
    0.5: lambda p, q: 2 * math.fsum((np.sqrt(p) - np.sqrt(q)) ** 2),
    1: lambda p, q: math.fsum(p * np.log(p / q) - p + q),
    2: lambda p, q: 0.5 * math.fsum((p - q) ** 2 / q),
}


@pytest.mark.parametrize("a", SPECIAL_CASES)
def test_special_cases(a):
    rng = np.random.default_rng(0)
    for _ in range(20):
        p, q = rng.gamma(1.5, size=(2, 6)) + 1e-3
        assert divergence(np.log(p), np.log(q), a) == pytest.approx(SPECIAL_CASES[a](p, q), rel=1e-11)


@pytest.mark.parametrize("a", [0, -3.5, 0.49, 0.51, 7.1, *NEAR_ORDERS])
def test_every_digit_near_the_limits_and_near_equality(a):
    rng = np.random.default_rng(1)
    for difference_scale in (1e-12, 1e-8, 1e-4, 1e-2, 0.3, 1.0, 3.0, 10.0):
        log_q = rng.normal(0, 5, size=3)
        log_p = log_q + difference_scale * rng.normal(size=3)
        with mpmath.workdps(90):
            mp_a, exact_divergence = mpmath.mpf(a), mpmath.mpf(0)
            for log_p_i, log_q_i in zip(log_p, log_q, strict=True):
                p, q = mpmath.exp(mpmath.mpf(float(log_p_i))), mpmath.exp(mpmath.mpf(float(log_q_i)))
                if a == 0:
                    exact_divergence += q * mpmath.log(q / p) - q + p
                else:
                    exact_divergence += (mp_a * p + (1 - mp_a) * q - p**mp_a * q ** (1 - mp_a)) / (mp_a * (1 - mp_a))
        assert abs(divergence(log_p, log_q, a) - exact_divergence) < 2e-14 * exact_divergence


def test_zero_probabilities():
    """a p + (1-a) q - p^a q^(1-a) with p or q zero: finite where the power vanishes, infinite where it is 1/0."""
    log_p, log_q = np.log([0.25]), [-math.inf]
    for a, limit_divergence in ((-1, 0.125), (0, 0.25), (0.5, 0.5), (1 - 1e-9, 0.25e9), (1, math.inf), (2, math.inf)):
        assert divergence(log_p, log_q, a) == pytest.approx(limit_divergence, rel=1e-7)
        assert divergence(log_q, log_p, 1 - a) == pytest.approx(limit_divergence, rel=1e-7)
    for a in (*ORDERS, 0.3):
        assert [divergence(log_p, log_p, a) for log_p in ([-math.inf, 0.0], [-math.inf], [])] == [0, 0, 0]
        divergence_of_first = divergence([0.3], [0.1], a)
        assert divergence([0.3, -math.inf], [0.1, -math.inf], a) == divergence_of_first > 0
    for a in (0.5, 0.1, 0.9):  # near zero as at zero
        assert divergence([-1e9], [0.0], a) == pytest.approx(1 / a, rel=1e-15)
        assert divergence([0.0], [-1e9], a) == pytest.approx(1 / (1 - a), rel=1e-15)
    assert divergence([-math.inf], [-2000.0], 0) == math.inf
    assert divergence([-math.inf, 0.0], [-1.0, 0.0], -1) == math.inf  # zero-forcing


LOG_PAIRS = st.lists(st.tuples(st.floats(-30, 30), st.floats(-30, 30)), min_size=1, max_size=5)


@settings(max_examples=50, deadline=None)
@given(LOG_PAIRS, st.floats(-4, 5))
def test_never_negative_and_zero_only_at_equality(log_pairs, a):
    log_p, log_q = np.array(log_pairs).T
    p_to_q = divergence(log_p, log_q, a)
    assert p_to_q >= 0
    assert divergence(log_p, log_p, a) == 0
    if np.abs(log_p - log_q).max() > 1e-100:  # its square is a float
        assert p_to_q > 0
    assert p_to_q == pytest.approx(divergence(log_q, log_p, 1 - a), rel=1e-11)


@pytest.mark.parametrize("a", [*ORDERS, 1e-30, -1e-15, 1e-9, -1e-9, 1e-3, -1e-3, 1 + 1e-9, 30.0, -30.0])
def test_power_mean_to_every_digit(a):
    rng = np.random.default_rng(2)
    for spread in (1e-10, 1e-4, 0.1, 1.0, 5.0):
        log_x, weights = spread * rng.normal(size=(6, 2)), rng.gamma(1.0, size=6)
        log_means = log_power_mean(log_x, weights, a)
        for k in range(2):
            with mpmath.workdps(90):
                mp_weights, mp_a = [mpmath.mpf(float(x)) for x in weights], mpmath.mpf(a)
                mp_log_x = [mpmath.mpf(float(log_number)) for log_number in log_x[:, k]]
                if a == 0:
                    exact_log_mean = mpmath.fdot(mp_weights, mp_log_x) / mpmath.fsum(mp_weights)
                else:
                    exact_log_mean = mpmath.log(mpmath.fdot(mp_weights, [mpmath.exp(mp_a * log_number) for log_number in mp_log_x]) / mpmath.fsum(mp_weights)) / mp_a
                assert abs(log_means[k] - exact_log_mean) < 2e-15 * np.abs(log_x).max()
        np.testing.assert_allclose(power_mean(np.exp(log_x), weights, a), np.exp(log_means), rtol=1e-14)


def test_power_mean_of_zeros_and_of_weight_zero():
    x = np.array([[0.0, 4.0, 0.0], [9.0, 9.0, 0.0], [0.0, 1.0, 7.0]])
    weights = [0.25, 0.75, 0]
    for a, expected_means in (
        (2, [math.sqrt(0.75 * 81), math.sqrt(0.25 * 16 + 0.75 * 81), 0]),
        (0.5, [(0.75 * 3) ** 2, (0.25 * 2 + 0.75 * 3) ** 2, 0]),
        (0, [0, 4**0.25 * 9**0.75, 0]),
        (-1, [0, 1 / (0.25 / 4 + 0.75 / 9), 0]),
    ):
        np.testing.assert_allclose(power_mean(x, weights, a), expected_means, rtol=1e-14)
        for k in range(3):
            assert power_mean(x[:, k], weights, a) == pytest.approx(expected_means[k], rel=1e-14)
    assert log_power_mean([-math.inf, 0.0], [1, 1], 0) == -math.inf
    assert power_mean([5.0, 0.0], [1e-3, 0], -2) == pytest.approx(5, rel=1e-14)


OUTCOMES = st.lists(st.tuples(st.floats(-10, 10), st.floats(0.01, 1)), min_size=2, max_size=5)


@settings(max_examples=50, deadline=None)
@example([(1.0, 0.5), (-1.0, 1.0)], 0.0, 5e-324)
@given(OUTCOMES, st.floats(-6, 6), st.floats(-6, 6))
def test_liapunovs_inequality(outcomes, a1, a2):  # SN12 (46)
    a1, a2 = sorted((a1, a2))
    log_x, weights = np.array(outcomes).T
    lower_mean, higher_mean = log_power_mean(log_x, weights, a1), log_power_mean(log_x, weights, a2)
    rounding = 1e-14 * np.abs(log_x).max() + 1e-300
    assert lower_mean <= higher_mean + rounding
    assert log_x.min() - rounding <= lower_mean
    assert higher_mean <= log_x.max() + rounding
    if a2 - a1 > 1e-3 and np.ptp(log_x) > 1e-2:
        assert lower_mean < higher_mean  # equal for a constant alone


def test_errors_name_the_argument():
    all_refused([
        (lambda: divergence([0.0], [0.0, 1.0], 1), r"log_q has shape \(2,\), expected that of log_p, \(1,\)"),
        (lambda: divergence([0.0], [math.inf], 1), r"log_q\[0\] is inf, expected a finite logarithm or -inf"),
        (lambda: divergence([0.0], [0.0], math.inf), "a is inf, expected a finite number"),
        (lambda: power_mean([1.0, -1.0], [1, 1], 1), r"x\[1\] is -1.0, expected a finite number from 0"),
        (lambda: power_mean([1.0, 2.0], [0, 0], 1), "weights are all 0"),
    ])
