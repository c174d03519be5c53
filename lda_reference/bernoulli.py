"""Exact expectations of a sum of independent Bernoulli variables, through its generating function.

For n a sum of independent Bernoulli variables of probabilities g_i, with mean m and variance V,

    G(s) = E[s^n] = prod_i (1 - g_i + g_i s)

is additive in logs, and

    E[log(a + n)]       = ∫_0^∞ (e^-t - e^(-at) G(e^-t)) dt/t                                          (Frullani)
    E[1 / (a + n)]      = ∫_0^∞ e^(-at) G(e^-t) dt
    E[log Gamma(a + n)] = log Gamma(a + m) + ∫_0^∞ (e^(-at) G(e^-t) - e^(-(a+m)t)) / (1 - e^-t) dt/t    (Malmsten)

With y = log t each is an integral over the real line of a smooth function that falls off on both sides, and the
trapezoidal rule converges geometrically: with step 0.25 to about 1e-14, relative to the value.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .engine import Count
from .model import Array

STEP = 0.25  # of the trapezoidal rule in log t
FIRST = -22.0  # log t at the first node; what lies to the left is added by formulas
# h (t_0 e^-h)^i + h (t_0 e^-2h)^i + ...: the trapezoidal sum of t^i over the nodes left of the first
LEFT = [STEP * np.exp(FIRST * i) / np.expm1(STEP * i) for i in (1, 2, 3)]


def nodes(a: float) -> Array:
    """The nodes t for prior numbers from `a` up: equally spaced in log t, until e^(-at) and e^-t are below e^-60."""
    last = np.log(60 / min(a, 1.0))
    return first_nodes(int(np.ceil((last - FIRST) / STEP)) + 1)


@cache
def first_nodes(Q: int) -> Array:
    """The first Q nodes."""
    t = np.exp(FIRST + STEP * np.arange(Q))
    t.flags.writeable = False
    return t


def log_generating_function(gamma: Array, t: Array) -> Array:
    """log E[e^(-t x)] = log(1 - g + g e^-t) of Bernoulli variables x of probability g, at each node t: (Q, ...).

    Near t = 0, where small differences count, to full relative accuracy; elsewhere to 1e-16 absolutely. Never -inf,
    which could not be taken out of a sum again.
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
    """(1 + Q, ..., K): gamma, and log E[e^(-t x)] at each of the nodes t for prior numbers of at least `a`."""
    return np.concatenate((gamma[None], log_generating_function(gamma, nodes(a))))


def remove(S: Array, part: Array) -> Array:
    """A sum without a part: the mean cannot fall below 0, and log E[e^(-t n)] cannot rise above it, except by rounding.

    Running sums lose digits when a gamma near 1 leaves, whose log generating function is large: after 5000 tokens moved
    three times 5e-11 at a = 0.1, 3e-7 at 1e-8. They are rebuilt at each sweep.
    """
    out = S - part
    np.maximum(out[0], 0.0, out=out[0])
    np.minimum(out[1:], 0.0, out=out[1:])
    return out


def reciprocal(gamma: Array, a: float) -> tuple[Array, Array]:
    """gamma, and 1 / (1 - g + g e^-t) at the nodes, (B, ..., K, Q): what divides a token out of G(e^-t)."""
    y = gamma[..., None] * np.exp(-nodes(a))
    y += (1 - gamma)[..., None]
    return gamma, np.reciprocal(y, out=y)


GENERATING_FUNCTION = Count(statistic, remove, leaving=reciprocal)


# Its expectations ----------------------------------------------------------------------------------------------------


def mean_log(a: Array, S: Array) -> Array:
    """E[log(a + n)] from what is known of n."""
    t = first_nodes(len(S) - 1)
    return _log_of_laplace(a + S[0], _laplace(a, S, t, 1.0), t)


def mean_inverse(a: Array, S: Array) -> Array:
    """E[1 / (a + n)] from what is known of n."""
    t = first_nodes(len(S) - 1)
    return _inverse_of_laplace(a + S[0], _laplace(a, S, t, t))


def _log_of_laplace(x: Array, laplace: Array, t: Array) -> Array:
    """E[log(a + n)] from x = E[a + n] and the sum over the nodes of e^(-at) G(e^-t)."""
    # left of the first node the integrand is (x - 1) t - (x^2 - 1) t^2 / 2 + ..., because V t^2 is negligible there
    left = ((LEFT[2] / 6 * x - LEFT[1] / 2) * x + LEFT[0]) * x - (LEFT[2] / 6 - LEFT[1] / 2 + LEFT[0])
    return _sum_of_exponentials(len(t)) - STEP * laplace + left


def _inverse_of_laplace(x: Array, laplace: Array) -> Array:
    """E[1 / (a + n)] from x = E[a + n] and the sum over the nodes of t e^(-at) G(e^-t)."""
    return STEP * laplace + LEFT[0] - LEFT[1] * x + LEFT[2] * x**2 / 2


@cache
def _sum_of_exponentials(Q: int) -> float:
    """The sum of e^-t over the first Q nodes, times the step."""
    return float(STEP * np.exp(-first_nodes(Q)).sum())


def _laplace(a: Array, S: Array, t: Array, weight: Any) -> Array:
    """The sum over the nodes of weight e^(-at) G(e^-t)."""
    G = np.exp(S[1:])
    if np.size(a) == 1:
        return (weight * np.exp(-a.reshape(()) * t) @ G.reshape(len(t), -1)).reshape(G.shape[1:])
    t_q = _on_first_axis(t, S[0])
    return (_on_first_axis(weight * np.ones(len(t)), S[0]) * np.exp(-a * t_q) * G).sum(0)


def _on_first_axis(t: ArrayLike, like: Array) -> Array:
    """One number for each node, as the first of the axes to come."""
    return np.reshape(t, (-1, *(1,) * like.ndim))


# The same for many rows, each without a token: dividing G(e^-t) by the token's 1 - g + g e^-t costs a tenth of taking
# logarithms apart. Nodes are the last axis here, because NumPy is slow where the last axis is short.

SAFE = 60 / 650  # the smallest prior number for which a G that vanishes in floating point does not matter

OfRows = Callable[[Any, tuple[Array, Array]], Array]


def mean_log_of_rows(a: Any, S: Array, least: float) -> OfRows | None:
    """`mean_log` for rows of the sums S (size, 1 + Q, ..., K), each without a token."""
    if least < SAFE:
        return None
    t = nodes(least)
    at, mean = _terms_of_laplace(a, S, t, 1.0), S[:, 0] + a

    def of(index: Any, leaving: tuple[Array, Array]) -> Array:
        gamma, y = leaving
        return _log_of_laplace(mean[index] - gamma, np.einsum("...q,...q->...", at[index], y), t)

    return of


def mean_inverse_of_rows(a: Any, S: Array, least: float) -> OfRows | None:
    """`mean_inverse` for rows of the sums S (size, 1 + Q, ..., K), each without a token."""
    if least < SAFE:
        return None
    t = nodes(least)
    at, mean = _terms_of_laplace(a, S, t, t), S[:, 0] + a

    def of(index: Any, leaving: tuple[Array, Array]) -> Array:
        gamma, y = leaving
        return _inverse_of_laplace(mean[index] - gamma, np.einsum("...q,...q->...", at[index], y))

    return of


def _terms_of_laplace(a: Any, S: Array, t: Array, weight: Any) -> Array:
    """weight e^(-at) G(e^-t) at the nodes, of sums (size, 1 + Q, ..., K)."""
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
