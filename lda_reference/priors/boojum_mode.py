"""The mode of the Boojum: BOO16 §5.2, and §6 for vectors of equal entries.

For m < 0 the density B(x)^m exp(-τ·x) is largest at Φ(τ / |m|), where

    Φ(u)  =  argmin_x log B(x) + u·x                                                                           §5.2

The objective is convex, with the gradient Ψ(x_n) - Ψ(sum x) + u_n. It has a minimum if and only if there are two
dimensions or more and sum_n exp(-u_n) < 1. If the sum is 1 or more, the objective falls without end as x grows along
exp(-u_n). Among vectors of N equal entries x, the gradient is zero at

    Ψ(N x) - Ψ(x)  =  mean u                                                                                     §6

This has a solution if and only if N >= 2 and mean u > log N, which follows from sum_n exp(-u_n) < 1.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import digamma
from scipy.special import zeta as hurwitz

from ..model import Array
from .boojum import divided, finite_vector, log_sum_exp, parameters

EULER = float(-digamma(1.0))


def Phi(u: ArrayLike) -> Array:
    """Φ(u) = argmin_x log B(x) + u·x, the mode of Boojum(-1, u): BOO16 §5.2.

    With s = sum x the gradient is zero at x_n = Ψ⁻¹(Ψ(s) - u_n), so that there is one unknown, s. Brent's method finds
    it. With δ = 1 - sum_n exp(-u_n), its bracket (N - 1) / (2 max u)  <=  s  <=  N / (2 δ) follows from
    Ψ(N x) - Ψ(x) > (N - 1) / (2 N x) on the left and x - 1/2 < exp Ψ(x) < x on the right.

    If sum_n exp(-u_n) is near 1, the result has only as many digits as δ. If it is 1 or more, or N < 2, there is a
    ValueError.

    >>> Phi([1.5, 0.5])  # Ψ(1 + 1) - Ψ(1) = 1, Ψ(2 + 1) - Ψ(2) = 1/2, Ψ(3) - Ψ(1) = 3/2
    array([1., 2.])
    """
    u = _checked_u(u)
    N = len(u)
    log_sum = log_sum_exp(-u)
    if log_sum >= 0:
        raise ValueError(
            f"the sum of exp(-u) is 1 + {np.expm1(min(log_sum, 700.0)):.3g}, expected less than 1: otherwise"
            " log B(x) + u.x has no minimum and falls without end as x grows"
        )
    low_log_s = np.log((N - 1) / 2) - np.log(np.max(u)) - 1e-3  # the margin is for rounding
    high_log_s = np.log(N / 2) - np.log(-np.expm1(log_sum)) + 1e-3

    def x_of(log_s: float) -> Array:
        return inverse_digamma(digamma(np.exp(log_s)) - u)

    def F(log_s: float) -> float:
        return float(np.log(x_of(log_s).sum()) - log_s)  # BOO16 §5.2

    return x_of(brentq(F, low_log_s, high_log_s, xtol=1e-15, rtol=4 * np.finfo(float).eps))


def Phi_symmetric(u: ArrayLike) -> float:
    """The x that minimises log B(x 1) + x sum_n u_n, the mode of Boojum(-1, u) among equal entries: BOO16 §6.

    In v = 1 / (N x) the difference Ψ(N x) - Ψ(x) is convex. It lies between log N + (N - 1) v / 2 and
    log N + (N - 1) v, so Newton's method falls to the solution from v = 2 (mean u - log N) / (N - 1).

    If N < 2, or the mean of u (N,) is log N or less, there is a ValueError.

    >>> round(Phi_symmetric([0.5, 1.5]), 12)  # Ψ(2) - Ψ(1) = 1
    1.0
    """
    u = _checked_u(u)
    N, mean_u = len(u), float(u.mean())
    if not mean_u > np.log(N):
        raise ValueError(
            f"the mean of u is {mean_u}, expected more than log N = {np.log(N)}: otherwise log B(x 1) + x sum u has no"
            " minimum and falls without end as x grows"
        )
    v = 2 * (mean_u - np.log(N)) / (N - 1)
    for _ in range(100):
        s = 1 / v
        F = digamma(s) - digamma(s / N) - mean_u  # BOO16 §6
        lower_v = v - F / (N * _square_trigamma(s / N) - _square_trigamma(s))
        if not 0 < lower_v < v:
            break
        v = lower_v
    return float(1 / (N * v))


def mode(m: float, tau: ArrayLike) -> Array:
    """The x that maximises the density B(x)^m exp(-τ·x): Φ(τ / |m|), for m < 0.

    For m >= 0 the density is largest in the limit x → 0, and there is a ValueError, as there is where `Phi` has one.

    >>> mode(-4, [6, 2])
    array([1., 2.])
    """
    m, tau = parameters(m, tau)
    if m >= 0:
        raise ValueError(f"m is {m}, expected a negative number: for 0 and above the density is largest at x = 0")
    return Phi(divided(tau, -m))  # BOO16 §5.2


def inverse_digamma(y: Array) -> Array:
    """The x > 0 with Ψ(x) = y, by Newton's method from the limits exp(y) + 1/2 and -1 / (y + 0.577...).

    >>> inverse_digamma(digamma([0.01, 3.0])).round(12)
    array([0.01, 3.  ])
    """
    x = np.where(y > -2.22, np.exp(y) + 0.5, -1 / (np.minimum(y, -2.22) + EULER))
    for _ in range(6):  # five steps reach the precision of float64 from either limit
        x = x - (digamma(x) - y) * x * (x / _square_trigamma(x))
    return x


def _square_trigamma(x: Any) -> Any:
    """x² Ψ'(x) = 1 + x² Ψ'(1 + x), which neither overflows nor vanishes near 0."""
    return 1 + x * (x * hurwitz(2.0, 1 + x))


def _checked_u(u: ArrayLike) -> Array:
    if len(vector := finite_vector(u, "u")) < 2:
        raise ValueError("u has 1 entry, expected 2 or more: in one dimension u x has no minimum above 0")
    return vector
