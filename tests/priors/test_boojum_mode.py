"""The mode of the Boojum: by mpmath, by a general minimiser, and where it exists."""

import mpmath
import numpy as np
import pytest
import scipy.optimize
from scipy.special import digamma

from lda_reference.priors.boojum import log_density
from lda_reference.priors.boojum_mode import Phi, Phi_symmetric, inverse_digamma, mode

from ..helpers import plain_log_B


def u_of(x):
    """The u for which Phi(u) is x."""
    digamma_sum = mpmath.digamma(mpmath.fsum(map(mpmath.mpf, x)))
    return np.array([float(digamma_sum - mpmath.digamma(mpmath.mpf(float(x_i)))) for x_i in x])


def test_inverse_digamma():
    y = np.concatenate((-np.logspace(-6, 12, 40), np.linspace(-3, 3, 31), [10, 20, 30]))
    for y_i, x in zip(y, inverse_digamma(y), strict=True):
        x = mpmath.mpf(float(x))
        assert abs((mpmath.digamma(x) - mpmath.mpf(float(y_i))) / (mpmath.psi(1, x) * x)) < 1e-14


@pytest.mark.parametrize("N", [2, 50])
@pytest.mark.parametrize("scale", [1e-12, 1e-6, 1e-3, 1.0, 1e3, 1e6])
@pytest.mark.parametrize("log10_spread", [0.3, 3])
def test_phi_is_found_over_a_huge_range(log10_spread, scale, N):
    """x is found again from its u, up to the effect of rounding u: 1 part in 1 / (s eps)."""
    x = scale * 10 ** np.random.default_rng(N).uniform(-log10_spread, log10_spread, size=N)
    u = u_of(x)
    phi = Phi(u)
    gradient = phi * (digamma(phi) - digamma(phi.sum()) + u)
    assert np.abs(gradient / np.maximum(1, phi)).max() < 1e-14
    rounding = 1e-14 * max(1, x.sum())
    if log10_spread < 1:
        np.testing.assert_allclose(phi, x, rtol=min(0.1, 10 * rounding))


def test_phi_is_the_minimum():
    rng = np.random.default_rng(5)
    for N in (2, 3, 6):
        u = -np.log(rng.dirichlet(np.ones(N)) * 0.6)
        phi = Phi(u)

        def f(log_x, u=u):
            return plain_log_B(np.exp(log_x)) + float(u @ np.exp(log_x))

        scipy_minimum = scipy.optimize.minimize(f, np.zeros(N), method="BFGS", options={"gtol": 1e-7})
        np.testing.assert_allclose(np.log(phi), scipy_minimum.x, atol=1e-4)
        assert f(np.log(phi)) <= scipy_minimum.fun + 1e-12
        log_steps = np.concatenate((np.eye(N), -np.eye(N))) * 1e-3
        assert all(f(np.log(phi) + log_step) > f(np.log(phi)) for log_step in log_steps)
        phi_symmetric = Phi_symmetric(u)
        symmetric_log_x = np.full(N, np.log(phi_symmetric))
        assert all(f(symmetric_log_x + log_step) > f(symmetric_log_x) for log_step in (1e-3, -1e-3))
        assert f(np.log(phi)) < f(symmetric_log_x)


@pytest.mark.parametrize("N", [2, 7, 300])
def test_phi_symmetric_over_a_huge_range(N):
    for x in 10.0 ** np.arange(-12, 7, 3):
        u = np.full(N, u_of([x] * N)[0])
        assert Phi_symmetric(u) == pytest.approx(x, rel=max(1e-14, 1e-14 * N * x))
        u[:2] += [0.25, -0.25]  # only the mean counts
        assert Phi_symmetric(u) == pytest.approx(x, rel=max(1e-14, 1e-13 * N * x) + 1e-12)


def test_phi_of_very_different_entries():
    assert Phi([1e-3, 1e6])[0] == pytest.approx(0.0316467, rel=1e-5)  # near (u_1 u_2)^-1/2
    for u in ([1e-20, 1000], [1e-250, 700], [1e-3, 1e300]):
        x = Phi(u)
        assert np.all((x > 0) & np.isfinite(x))
    np.testing.assert_allclose(Phi([1e200, 1e200]), 0.5e-200, rtol=1e-12)
    assert Phi_symmetric([1e200] * 3) == pytest.approx(2 / 3 * 1e-200, rel=1e-14)


def test_where_phi_exists():
    """Just inside and just outside of sum exp(-u) < 1 and of mean u > log N. Outside, the objective falls without end."""
    proportions = np.array([0.2, 0.5, 0.3])
    phi_inside = Phi(-np.log(proportions * (1 - 1e-6)))
    assert phi_inside.sum() == pytest.approx(1e6, rel=1e-3)  # (N - 1) / (2 delta)
    np.testing.assert_allclose(phi_inside / phi_inside.sum(), proportions, atol=1e-5)
    for exp_sum in (1 + 1e-6, 1.5):
        u = -np.log(proportions * exp_sum)
        with pytest.raises(ValueError, match=r"the sum of exp\(-u\) is 1 \+ .*falls without end as x grows"):
            Phi(u)
        objectives = [plain_log_B(scale * proportions) + scale * u @ proportions for scale in (1e5, 1e6, 1e7, 1e8)]
        assert np.all(np.diff(objectives) < 0)
    with pytest.raises(ValueError, match=r"1 \+ 0,"):
        Phi(np.log([4.0] * 4))
    objectives = [plain_log_B(scale * np.full(4, 0.25)) + scale * np.log(4) for scale in (1e2, 1e4, 1e6)]
    np.testing.assert_allclose(np.diff(objectives), -1.5 * np.log(100), atol=0.05)  # at equality as -(N-1)/2 log s

    assert Phi_symmetric(np.log([3.0] * 3) + 1e-6) == pytest.approx(1e6 / 3, rel=1e-3)
    for shift in (0, -1e-6):
        with pytest.raises(ValueError, match=r"the mean of u is .*, expected more than log N"):
            Phi_symmetric(np.log([3.0] * 3) + shift)
    assert Phi_symmetric([0.01, 3.0]) > 0  # the mean is above log 2, though the sum of exp(-u) is above 1


def test_mode():
    """The density itself has its maximum there; without a negative m there is no mode."""
    tau, m = np.array([3.0, 2.5, 4.0]), -2.5
    x = mode(m, tau)
    step_factors = np.exp(1e-3 * np.concatenate((np.eye(3), -np.eye(3))))
    assert np.all(log_density(x * step_factors, m, tau) < log_density(x, m, tau))
    with pytest.raises(ValueError, match="expected a negative number"):
        mode(0, tau)
    with pytest.raises(ValueError, match=r"sum of exp\(-u\)"):
        mode(-10, tau)
