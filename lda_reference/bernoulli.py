"""Exact expectations of a sum of independent Bernoulli variables, through its generating function.

For n a sum of independent Bernoulli variables of probabilities g_i, with mean m and variance V,

    G(s) = E[s^n] = prod_i (1 - g_i + g_i s)

is additive in logs, and Malmsten's integral for log Gamma gives

    E[log Gamma(a + n)] = log Gamma(a + m) + ∫_0^∞ (e^(-at) G(e^-t) - e^(-(a+m)t)) / (1 - e^-t) dt/t.

With y = log t it is an integral over the real line of a smooth function that falls off on both sides, and the
trapezoidal rule converges geometrically: with step 0.25 to about 1e-14, relative to the value.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .model import Array

STEP = 0.25  # of the trapezoidal rule in log t
FIRST = -22.0  # log t at the first node; what lies to the left is `left_tail`


def nodes(a: float) -> Array:
    """The nodes t for priors of at least `a`: equally spaced in log t, until e^(-at) and e^-t are below e^-60."""
    last = np.log(60 / min(a, 1.0))
    return np.exp(FIRST + STEP * np.arange(int(np.ceil((last - FIRST) / STEP)) + 1))


def log_generating_function(gamma: Array, t: Array) -> Array:
    """log E[e^(-t x)] = log(1 - g + g e^-t) of Bernoulli variables x of probability g, at each node t: (Q, ...).

    Near t = 0, where small differences count, to full relative accuracy; elsewhere to 1e-16 absolutely. Never -inf,
    which could not be taken out of a sum again.
    """
    out = np.empty((len(t), *gamma.shape))
    near, far = np.searchsorted(t, (np.log(2), 700.0))
    s = _first(t, gamma)
    np.log1p(gamma * np.expm1(-s[:near]), out=out[:near])  # 1 - g + g e^-t is 1/2 or more
    np.log((1 - gamma) + gamma * np.exp(-s[near:far]), out=out[near:far])
    if far < len(t):  # e^-t vanishes
        with np.errstate(divide="ignore"):
            out[far:] = np.logaddexp(np.log1p(-gamma), np.log(gamma) - s[far:])
    return out


def log_gamma_integrand(a: ArrayLike, m: Array, log_G: Array, t: float) -> Array:
    """The integrand in y = log t of E[log Gamma(a + n)] - log Gamma(a + m), at one node."""
    a = np.asarray(a)
    excess = log_G + m * t  # log of G(e^-t) / e^(-mt), from 0 up
    small = np.exp(-(a + m) * t) * np.expm1(np.minimum(excess, 1.0))
    plain = np.exp(log_G - a * t) - np.exp(-(a + m) * t)  # where expm1 could overflow
    return np.where(excess <= 1.0, small, plain) / -np.expm1(-t)


def left_tail(V: Array) -> Array:
    """The trapezoidal sum over the nodes left of the first, where the integrand is V t / 2."""
    return STEP * V * np.exp(FIRST) / (2 * np.expm1(STEP))


# The statistic of a row: its mean and its log generating function at the nodes ---------------------------------------


def statistic(gamma: Array, t: Array) -> Array:
    """(1 + Q, ..., K): gamma, and log E[e^(-t x)] at each of the nodes t."""
    return np.concatenate((gamma[None], log_generating_function(gamma, t)))


def rest(S: Array, s: Array) -> Array:
    """A sum without a part: the mean cannot fall below 0, log E[e^(-t n)] cannot rise above it but by rounding.

    Running sums lose digits when a gamma near 1 leaves, whose log generating function is large: after 5000 tokens moved
    three times 5e-11 at a = 0.1, 3e-7 at 1e-8. They are rebuilt at each sweep.
    """
    out = S - s
    np.maximum(out[0], 0.0, out=out[0])
    np.minimum(out[1:], 0.0, out=out[1:])
    return out


def expected_log(a: Array, S: Array, t: Array) -> Array:
    """E[log(a + n)] = ∫_0^∞ (e^-t - e^(-at) G(e^-t)) dt/t, Frullani's integral."""
    return log_of_laplace(a + S[0], _laplace(a, S, t, 1.0), t)


def log_of_laplace(x: Array, laplace: Array, t: Array) -> Array:
    """E[log(a + n)] from x = E[a + n] and the sum over the nodes of e^(-at) G(e^-t)."""
    # left of the first node the integrand is (x - 1) t - (x^2 - 1) t^2 / 2 + ..., where V t^2 is nought
    left = ((LEFT[2] / 6 * x - LEFT[1] / 2) * x + LEFT[0]) * x - (LEFT[2] / 6 - LEFT[1] / 2 + LEFT[0])
    return _at_one(t.tobytes()) - STEP * laplace + left


def expected_inverse(a: Array, S: Array, t: Array) -> Array:
    """E[1 / (a + n)] = ∫_0^∞ e^(-at) G(e^-t) dt."""
    return inverse_of_laplace(a + S[0], _laplace(a, S, t, t))


def inverse_of_laplace(x: Array, laplace: Array) -> Array:
    """E[1 / (a + n)] from x = E[a + n] and the sum over the nodes of t e^(-at) G(e^-t)."""
    return STEP * laplace + LEFT[0] - LEFT[1] * x + LEFT[2] * x**2 / 2


# h (t_0 e^-h)^i + h (t_0 e^-2h)^i + ...: the trapezoidal sum of t^i over the nodes left of the first
LEFT = [STEP * np.exp(FIRST * i) / np.expm1(STEP * i) for i in (1, 2, 3)]


@cache
def _at_one(t: bytes) -> float:
    """The sum of e^-t over the nodes, times the step."""
    return float(STEP * np.exp(-np.frombuffer(t)).sum())


def _laplace(a: Array, S: Array, t: Array, weight: Any) -> Array:
    """The sum over the nodes of weight e^(-at) G(e^-t)."""
    G = np.exp(S[1:])
    if np.size(a) == 1:
        return (weight * np.exp(-a.reshape(()) * t) @ G.reshape(len(t), -1)).reshape(G.shape[1:])
    return (_first(weight * np.ones(len(t)), S[0]) * np.exp(-a * _first(t, S[0])) * G).sum(0)


# The same for many rows at once, each with a token of its own left out of its sums: dividing G(e^-t) by that token's
# 1 - g + g e^-t costs a tenth of taking logarithms apart. Rows are first and nodes last: NumPy is slow where the last
# axis is short.

SAFE = 60 / 650  # the least prior for which a G that vanishes in floating point does not matter


def terms(a: ArrayLike, S: Array, t: Array, weight: Any = 1.0) -> Array:
    """weight e^(-at) G(e^-t) at the nodes, of sums (size, 1 + Q, ..., K), over which a is broadcast."""
    G = np.exp(np.ascontiguousarray(np.moveaxis(S[:, 1:], 1, -1)))
    return weight * np.exp(-np.asarray(a)[..., None] * t) * G


def tokens(gamma: Array, t: Array) -> Array:
    """1 / (1 - g + g e^-t) of rows at the nodes: (B, ..., K, Q)."""
    y = gamma[..., None] * np.exp(-t)
    y += (1 - gamma)[..., None]
    return np.reciprocal(y, out=y)


def laplace_without(terms_of_rows: Array, tokens_of_rows: Array) -> Array:
    """The sum over the nodes of e^(-at) G(e^-t), each row without its token."""
    return np.einsum("...q,...q->...", terms_of_rows, tokens_of_rows)


def _first(t: ArrayLike, like: Array) -> Array:
    """Nodes as the first of the axes to come."""
    return np.reshape(t, (-1, *(1,) * like.ndim))


# The distribution of the count, TNW06 Appendix A ---------------------------------------------------------------------

LARGEST = 20_000  # tokens


def convolve(v: Array, part: Array, out: Array) -> None:
    """The distribution of a count with a token added to it, into `out`; the count is on the first axis, long enough."""
    q, g = part
    longer = v * q
    longer[1:] += v[:-1] * g
    out[:] = longer  # TNW06 App. A


def deconvolve(v: Array, part: Array) -> Array:
    """The distribution of a count with a token taken out of it.

    v_m = (1 - g) r_m + g r_(m-1) is solved for r from below where g < 1/2 and from above where g >= 1/2: each way
    errors shrink by the ratio of g and 1 - g, the other way they would grow by it. That is so of one token. A
    distribution that is kept up by taking out many, one after the other, and convolving others in, loses all its
    digits: the part of its errors that alternates in sign is divided by 1 - 2g each time.
    """
    q, g = part
    low = g < 0.5
    divisor = np.where(low, q, g)
    up, down = np.zeros_like(v), np.zeros_like(v)
    up[0] = v[0] / divisor
    for m in range(1, len(v)):
        up[m] = np.where(low, (v[m] - g * up[m - 1]) / divisor, 0.0)  # TNW06 App. A
    for m in range(len(v) - 1, 0, -1):
        down[m - 1] = np.where(low, 0.0, (v[m] - q * down[m]) / divisor)  # TNW06 App. A
    return np.maximum(np.where(low, up, down), 0.0)  # a probability is negative by rounding alone


def expected_log_of(a: Array, v: Array) -> Array:
    """E[log(a + n)] = sum_n v_n log(a + n), n on the first axis."""
    n = np.arange(len(v)).reshape(-1, *(1,) * (v.ndim - 1))
    return (v * np.log(a + n)).sum(0)  # TNW06 App. A
