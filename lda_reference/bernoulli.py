"""Exact expectations of a sum of independent Bernoulli variables, through its generating function.

Let n be the sum of independent Bernoulli variables of probabilities g_i, with mean m and variance V. The logarithm of
its generating function

    G(s) = E[s^n] = prod_i (1 - g_i + g_i s)

is a sum over the variables, and expectations of n are integrals of it:

    E[log(a + n)]       = ∫_0^∞ (e^-t - e^(-at) G(e^-t)) dt/t                                          (Frullani)
    E[1 / (a + n)]      = ∫_0^∞ e^(-at) G(e^-t) dt
    E[log Gamma(a + n)] = log Gamma(a + m) + ∫_0^∞ (e^(-at) G(e^-t) - e^(-(a+m)t)) / (1 - e^-t) dt/t    (Malmsten)

With y = log t, each integrand is a smooth function on the real line that goes to 0 at both ends. For such a function
the error of the trapezoidal rule falls geometrically with one over the step. With step 0.25 the error is about 1e-14,
relative to the larger of 1 and the value, for counts up to 1e6. The nodes left of the first are summed by a series in
(a + n) e^-22, so larger counts lose digits: at 1e8, E[log(a + n)] is correct to 2e-10 and E[1 / (a + n)] to 1.5e-8.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .engine.update import Count
from .model import Array

STEP = 0.25  # the step of the trapezoidal rule in log t
FIRST = -22.0  # log t at the first node
# For i = 1, 2, 3 the trapezoidal sum of t^i over the nodes left of the first, h (t_0 e^-h)^i + h (t_0 e^-2h)^i + ...,
# with h = STEP and t_0 the first node. Those nodes are added by such series.
LEFT = [STEP * np.exp(FIRST * i) / np.expm1(STEP * i) for i in (1, 2, 3)]


def nodes(a: float) -> Array:
    """The nodes t for prior numbers of at least `a`: equally spaced in log t, until the integrands are below e^-60."""
    last = np.log(60 / min(a, 1.0))
    return first_nodes(int(np.ceil((last - FIRST) / STEP)) + 1)


@cache
def first_nodes(Q: int) -> Array:
    """The first Q nodes. A sum of length 1 + Q was made at these, so `mean_log` finds the nodes from the length."""
    t = np.exp(FIRST + STEP * np.arange(Q))
    t.flags.writeable = False
    return t


def log_generating_function(gamma: Array, t: Array) -> Array:
    """log(1 - g + g e^-t) of Bernoulli variables of probability g, at each node t: (Q, ...).

    The relative error is about 1e-16 near t = 0, and the absolute error is about 1e-16 elsewhere. The result is never
    -inf, which could not be taken out of a sum again.
    """
    out = np.empty((len(t), *gamma.shape))
    near, far = np.searchsorted(t, (np.log(2), 700.0))
    t_q = _on_first_axis(t, gamma)
    np.log1p(gamma * np.expm1(-t_q[:near]), out=out[:near])  # 1 - g + g e^-t is 1/2 or more
    np.log((1 - gamma) + gamma * np.exp(-t_q[near:far]), out=out[near:far])
    if far < len(t):  # e^-t vanishes
        with np.errstate(divide="ignore"):
            out[far:] = np.logaddexp(np.log1p(-gamma), np.log(gamma) - t_q[far:])
    return out


# The count of a term: its mean, and its log generating function at the nodes ------------------------------------------


def statistic(gamma: Array, a: float) -> Array:
    """gamma, and the log generating function at the nodes for prior numbers of at least `a`: (1 + Q, ..., K)."""
    return np.concatenate((gamma[None], log_generating_function(gamma, nodes(a))))


def remove(S: Array, part: Array) -> Array:
    """A sum without a part. The mean is at least 0 and the logs are at most 0; only rounding can violate this.

    The error of a running sum grows when a token with gamma near 1 leaves, because its logs are large. For 5000 tokens
    that move three times each, it is 5e-11 at a = 0.1 and 3e-7 at a = 1e-8. Each sweep computes the sums again.
    """
    out = S - part
    np.maximum(out[0], 0.0, out=out[0])
    np.minimum(out[1:], 0.0, out=out[1:])
    return out


def factor_without(gamma: Array, a: float) -> tuple[Array, Array]:
    """gamma of rows, and 1 / (1 - g + g e^-t) at the nodes, (rows, ..., K, Q), which takes a token out of G(e^-t)."""
    y = gamma[..., None] * np.exp(-nodes(a))
    y += (1 - gamma)[..., None]
    return gamma, np.reciprocal(y, out=y)


GENERATING_FUNCTION = Count(statistic, remove, leaving=factor_without)


# Its expectations ----------------------------------------------------------------------------------------------------


def mean_log(a: Array, S: Array) -> Array:
    """E[log(a + n)], a term of TNW06 (15), from S, which is E[n] and the log generating function of n at the nodes."""
    t = first_nodes(len(S) - 1)
    return _log_of_laplace(a + S[0], _laplace(a, S, t, 1.0), t)


def mean_inverse(a: Array, S: Array) -> Array:
    """E[1 / (a + n)] of SN12 (48), from S, which is E[n] and the log generating function of n at the nodes."""
    t = first_nodes(len(S) - 1)
    return _inverse_of_laplace(a + S[0], _laplace(a, S, t, t))


def _log_of_laplace(x: Array, laplace: Array, t: Array) -> Array:
    """E[log(a + n)] from x = E[a + n] and the sum over the nodes of e^(-at) G(e^-t)."""
    # left of the first node V t^2 is negligible, and the integrand is (x-1) t - (x^2-1) t^2 / 2 + (x^3-1) t^3 / 6
    left = ((LEFT[2] / 6 * x - LEFT[1] / 2) * x + LEFT[0]) * x - (LEFT[2] / 6 - LEFT[1] / 2 + LEFT[0])
    return _sum_of_exponentials(len(t)) - STEP * laplace + left


def _inverse_of_laplace(x: Array, laplace: Array) -> Array:
    """E[1 / (a + n)] from x = E[a + n] and the sum over the nodes of t e^(-at) G(e^-t)."""
    # left of the first node the integrand is t - x t^2 + x^2 t^3 / 2
    return STEP * laplace + LEFT[0] - LEFT[1] * x + LEFT[2] * x**2 / 2


@cache
def _sum_of_exponentials(Q: int) -> float:
    """The sum of e^-t over the first Q nodes, times the step."""
    return float(STEP * np.exp(-first_nodes(Q)).sum())


def _laplace(a: Array, S: Array, t: Array, weight: Any) -> Array:
    """The sum over the nodes of weight e^(-at) G(e^-t)."""
    G = np.exp(S[1:])
    if np.size(a) == 1:  # a product of matrices is faster
        return (weight * np.exp(-a.reshape(()) * t) @ G.reshape(len(t), -1)).reshape(G.shape[1:])
    t_q = _on_first_axis(t, S[0])
    return (_on_first_axis(weight * np.ones(len(t)), S[0]) * np.exp(-a * t_q) * G).sum(0)


def _on_first_axis(t: ArrayLike, like: Array) -> Array:
    """One number for each node, on a new first axis before the axes of `like`."""
    return np.reshape(t, (-1, *(1,) * like.ndim))


# The same for many rows, each without one token. G(e^-t) is divided by the token's 1 - g + g e^-t, which takes a tenth
# of the time of subtracting logarithms. Nodes are the last axis here: NumPy is slow where the last axis is short.

# With prior numbers of at least this, all nodes are below 650, so the factor of a token is above e^-650. If G is below
# e^-745 and underflows, then G without the token is below e^-95 and does not matter.
SAFE = 60 / 650

OfRows = Callable[[Any, tuple[Array, Array]], Array]


def mean_log_of_rows(a: Any, S: Array, least: float) -> OfRows | None:
    """`mean_log` for rows of the sums S (size, 1 + Q, ..., K), each without one token; None if `least` is too small."""
    if least < SAFE:
        return None
    t = nodes(least)
    at, mean = _terms_of_laplace(a, S, t, 1.0), S[:, 0] + a

    def of(index: Any, leaving: tuple[Array, Array]) -> Array:
        gamma, y = leaving
        return _log_of_laplace(mean[index] - gamma, np.einsum("...q,...q->...", at[index], y), t)

    return of


def mean_inverse_of_rows(a: Any, S: Array, least: float) -> OfRows | None:
    """`mean_inverse` for rows of the sums S (size, 1 + Q, ..., K), each without one token; or None."""
    if least < SAFE:
        return None
    t = nodes(least)
    at, mean = _terms_of_laplace(a, S, t, t), S[:, 0] + a

    def of(index: Any, leaving: tuple[Array, Array]) -> Array:
        gamma, y = leaving
        return _inverse_of_laplace(mean[index] - gamma, np.einsum("...q,...q->...", at[index], y))

    return of


def _terms_of_laplace(a: Any, S: Array, t: Array, weight: Any) -> Array:
    """weight e^(-at) G(e^-t) at the nodes, from sums (size, 1 + Q, ..., K)."""
    G = np.exp(np.ascontiguousarray(np.moveaxis(S[:, 1:], 1, -1)))
    return np.asarray(weight * np.exp(-np.asarray(a)[..., None] * t) * G)


# The expectation of log Gamma, for the bound -------------------------------------------------------------------------


def log_gamma_integrand(a: ArrayLike, m: Array, log_G: Array, t: float) -> Array:
    """The integrand in y = log t of E[log Gamma(a + n)] - log Gamma(a + m), at one node."""
    a = np.asarray(a)
    excess = log_G + m * t  # the log of G(e^-t) / e^(-mt), which is never negative
    small = np.exp(-(a + m) * t) * np.expm1(np.minimum(excess, 1.0))
    plain = np.exp(log_G - a * t) - np.exp(-(a + m) * t)  # where expm1 could overflow
    return np.where(excess <= 1.0, small, plain) / -np.expm1(-t)


def log_gamma_left_of_nodes(V: Array) -> Array:
    """The trapezoidal sum over the nodes left of the first, where the integrand is V t / 2."""
    return STEP * V * np.exp(FIRST) / (2 * np.expm1(STEP))
