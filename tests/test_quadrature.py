"""The nodes and weights: known integrals, sums that nodes stand for."""

import math

import numpy as np
import pytest

from lda_reference import quadrature


@pytest.mark.parametrize("a", [1e-8, 1e-3, 0.1, 5.0, 700.0, 1e6])
def test_the_weights_sum_to_known_integrals(a):
    """The integrals of e^(-at) and t e^(-at), and Frullani's, whose value is log a."""
    assert quadrature.weights(a, 1).sum() == pytest.approx(1 / a, rel=1e-14)
    assert quadrature.weights(a, 2).sum() == pytest.approx(1 / a**2, rel=1e-14)
    log = quadrature.SUM_OF_EXPONENTIALS - quadrature.weights(a, 0).sum()
    assert log == pytest.approx(math.log(a), rel=1e-14)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_the_rule_of_the_left_end_is_exact_for_polynomials(n):
    t, w = quadrature.left_end(n)
    left = np.exp(quadrature.FIRST - quadrature.STEP * np.arange(1, 400))
    ratios = [w @ t**i / (quadrature.STEP * (left**i).sum()) for i in range(1, 2 * n + 2)]
    assert ratios[:-1] == pytest.approx([1.0] * (2 * n), rel=1e-13)
    assert abs(ratios[-1] - 1) > 5e-5


def test_one_number_and_many_have_the_same_integrals():
    F = np.random.default_rng(0).random((len(quadrature.NODES), 4, 3))
    for a in (0.3, 1e-8, 700.0):
        one, rows, topics = (quadrature.integral(F.copy(), x, 1) for x in (np.asarray(a), np.full((4, 1), a), np.full(3, a)))
        np.testing.assert_allclose(one, rows, rtol=1e-14)
        np.testing.assert_allclose(one, topics, rtol=1e-14)
