"""The Boojum, the conjugate prior of the Dirichlet distribution: BOO16 §3.

With B(x) = prod_n Gamma(x_n) / Gamma(sum_n x_n), the Boojum is the distribution over positive vectors

    Boojum(x; m, τ)  =  B(x)^m exp(-τ·x) / Z(m, τ)

    Z(m, τ) < ∞   if and only if   τ_n > 0 for all n, m < 1, and (m >= 0 or sum_n exp(-τ_n / |m|) < 1)         Prop. 1

    x ~ Boojum(m, τ),  y_p | x ~ Dirichlet(x), p in P   ⟹   x | y ~ Boojum(m - |P|, τ - sum_p log y_p)         Prop. 2

Proposition 1 holds for two dimensions or more. In one dimension B(x) = 1, and the Boojum is Exponential(τ) for every m.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..arguments import check_entries, positive
from ..model import Array, log_B


class Boojum(NamedTuple):
    """The parameters of a Boojum, m and tau (N,)."""

    m: float
    tau: Array


def log_beta(x: ArrayLike) -> Any:
    """log B(x) over the last axis of x > 0, B(x) = prod_n Gamma(x_n) / Gamma(sum_n x_n): BOO16 §3."""
    return log_B(np.asarray(x, np.float64), -1)  # BOO16 §3


def log_density(x: ArrayLike, m: float, tau: ArrayLike) -> Any:
    """log B(x)^m exp(-τ·x), the density without the factor 1 / Z(m, τ), which has no formula: BOO16 §3.

    It is in nats, (...) for x (..., N) and tau (N,). A ValueError says if an entry of x is not positive, or its last
    axis is not as long as tau.

    >>> round(float(log_density([1.0, 2.0], 0, [3.0, 0.5])), 4), round(float(log_density([1.0, 1.0], -2, [1, 1])), 4)
    (-4.0, -2.0)
    """
    boojum = parameters(m, tau)
    x = np.asarray(x, np.float64)
    if x.shape[-1:] != boojum.tau.shape:
        raise ValueError(f"x has shape {x.shape}, expected a last axis of {len(boojum.tau)}, as tau has")
    x = positive(x, "x")
    return boojum.m * log_beta(x) - (x * boojum.tau).sum(-1)  # BOO16 §3


def is_proper(m: float, tau: ArrayLike) -> bool:
    """Whether Z(m, τ) is finite: BOO16 Proposition 1, and for N = 1 whether τ > 0.

    The sum of exp(-τ_n / |m|) is compared with 1 in logarithms. If it differs from 1 by less than the rounding error,
    either answer is possible.

    >>> is_proper(-1, [0.7, 0.7]), is_proper(-1, [0.69, 0.69])  # log 2 = 0.693...
    (True, False)
    >>> is_proper(1, [1, 1]), is_proper(1, [1])
    (False, True)
    """
    m, tau = parameters(m, tau)
    if not np.all(tau > 0):
        return False
    if len(tau) == 1:
        return True
    return m < 1 and (m >= 0 or log_sum_exp(-divided(tau, abs(m))) < 0)  # BOO16 Prop. 1


def given_draws(m: float, tau: ArrayLike, y: ArrayLike) -> Boojum:
    """The posterior of a Dirichlet's parameter after draws from it, if its prior is Boojum(m, τ): BOO16 Proposition 2.

    The draws are the rows of y (P, N), which sum to 1. The posterior has m - P and τ - sum_p log y_p, and is proper if
    the prior is. A ValueError says if y has another shape, or an entry that is not positive.

    >>> q = given_draws(0, [1.0, 2.0], [[0.5, 0.5], [0.25, 0.75]])
    >>> q.m, q.tau.round(4)
    (-2.0, array([3.0794, 2.9808]))
    """
    prior, y = parameters(m, tau), np.asarray(y, np.float64)
    if y.ndim != 2 or y.shape[1:] != prior.tau.shape:
        raise ValueError(f"y has shape {y.shape}, expected (P, {len(prior.tau)}): a row for each draw")
    return given_logs(prior, -np.log(positive(y, "y")))  # BOO16 Prop. 2


def given_logs(prior: Boojum, minus_logs: Array) -> Boojum:
    """The posterior as in `given_draws`, from minus the logarithms of the draws, (P, N), or their expectations."""
    with np.errstate(over="ignore"):  # `hyperpriors.exponential_mean` refuses an infinite rate
        return Boojum(prior.m - len(minus_logs), prior.tau + minus_logs.sum(0))  # BOO16 Prop. 2


def parameters(m: float, tau: ArrayLike) -> Boojum:
    """The parameters, checked: a ValueError if one is not finite or `tau` is not a vector."""
    if not np.isfinite(m):
        raise ValueError(f"m is {m}, expected a finite number")
    return Boojum(float(m), finite_vector(tau, "tau"))


def finite_vector(x: ArrayLike, name: str) -> Array:
    """`x` as a vector of one or more finite numbers."""
    vector = np.asarray(x, np.float64)
    if vector.ndim != 1 or vector.size == 0:
        raise ValueError(f"{name} has shape {vector.shape}, expected a vector of one entry or more")
    check_entries(np.isfinite(vector), vector, name, "a finite number")
    return vector


def rates(zeta: ArrayLike, size: int, size_name: str) -> Array:
    """`zeta` as a vector of `size` finite numbers, 0 or more; one number is repeated. Errors call it `size_name`."""
    zeta = np.asarray(zeta, np.float64)
    if zeta.ndim > 1 or (zeta.ndim and zeta.size != size):
        raise ValueError(f"zeta has shape {zeta.shape}, expected a number or {size_name} = {size} numbers")
    check_entries((zeta >= 0) & np.isfinite(zeta), zeta, "zeta", "a finite number of 0 or more")
    return np.broadcast_to(zeta, (size,))


def divided(tau: Array, m: float) -> Array:
    """τ / m, infinite where it overflows; then exp(-τ / m) is 0, as it should be."""
    with np.errstate(over="ignore"):
        return tau / m


def log_sum_exp(a: Array) -> float:
    """log sum exp(a), accurate also where the sum is near 1.

    >>> bool(log_sum_exp(np.array([0.0, -50.0])) == np.exp(-50.0))
    True
    """
    i_max = int(np.argmax(a))
    if a[i_max] == -np.inf:
        return -np.inf
    return float(a[i_max] + np.log1p(np.exp(np.delete(a, i_max) - a[i_max]).sum()))
