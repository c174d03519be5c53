"""The nodes and weights of the integrals of `bernoulli`, which have the form ∫_0^∞ f(t) dt/t.

As a function of y = log t, each of these f is smooth and goes to 0 at both ends, so the error of the trapezoidal rule
falls geometrically with one over its step. At both ends a few nodes stand for all others:

- Left end: where t < e^FIRST_LOG_T, f is t times a function that is nearly a polynomial. A Gauss rule has four nodes.
- Right end: where t > e^LAST_LOG_T, f is a number times t^r e^(-at). One node is enough, and its weight depends on a.

The error is about 1e-14, relative to the larger of 1 and the value.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from .model import Array

STEP = 0.25  # the step of the trapezoidal rule in log t
FIRST_LOG_T, LAST_LOG_T = -20.0, 3.5  # log t of its first and its last node


def geometric(first_log_t: float, last_log_t: float) -> Array:
    """Nodes equally spaced in log t, from the first to about the last."""
    return np.exp(first_log_t + STEP * np.arange(round((last_log_t - first_log_t) / STEP) + 1))


def left_end(n: int) -> tuple[Array, Array]:
    """The n nodes and weights of the Gauss rule that stands for all nodes left of the first.

    Those are t_0 e^-h, t_0 e^-2h, ... for the first node t_0 and the step h. If f is t times a polynomial in t of
    degree below 2n, the weighted sum of f at the n nodes is the infinite sum h f(t_0 e^-h) + h f(t_0 e^-2h) + ...
    """
    moments = STEP / np.expm1(STEP * np.arange(1, 2 * n + 1))  # the infinite sums of (t / t_0)^i for i = 1, ..., 2n
    i = np.arange(n)
    coefficients = np.linalg.solve(moments[i[:, None] + i], -moments[n:])  # of the orthogonal polynomial of degree n
    roots = np.sort(np.roots([1.0, *coefficients[::-1]]))
    return roots * np.exp(FIRST_LOG_T), np.linalg.solve(roots ** i[:, None], moments[:n]) / roots


_left_rule = left_end(4)
# The last node stands for all right of LAST_LOG_T. It is finite because log(1 - g + g e^-t) must be: -inf could not be
# taken out of a sum again.
NODES = np.concatenate((_left_rule[0], geometric(FIRST_LOG_T, LAST_LOG_T), [300.0]))
WEIGHTS = np.concatenate((_left_rule[1], np.full(len(NODES) - 5, STEP), [0.0]))
SUM_OF_EXPONENTIALS = float(WEIGHTS @ np.exp(-NODES))  # for an f that contains e^-t


def weights(a: ArrayLike, order: int = 0) -> Array:
    """The weight of F(t) at each node in the integral of t^order e^(-at) F(t) dt/t, for F constant from LAST_LOG_T on.

    a is positive and has any shape, the order is 0, 1 or 2, and the result is (Q, ...). The last node has the sum of
    the weights of all nodes for which it stands.

    >>> float(weights(2.0, 1).sum().round(12))  # the integral of e^(-2t)
    0.5
    """
    a = np.asarray(a, np.float64)
    node_weights = np.exp(-np.multiply.outer(NODES, a)) * on_nodes(WEIGHTS * NODES**order, a)
    for skipped_node in geometric(LAST_LOG_T + STEP, np.log(60 / a.min(initial=1.0)) + STEP):
        node_weights[-1] += STEP * skipped_node**order * np.exp(-skipped_node * a)
    return node_weights


@lru_cache(maxsize=32)
def _cached_weights(a_bytes: bytes, shape_of_a: tuple[int, ...], order: int) -> Array:
    """`weights` of numbers, given by their bytes, kept, because all rows of a sweep ask for the same few."""
    kept_weights = weights(np.frombuffer(a_bytes).reshape(shape_of_a), order)
    kept_weights.flags.writeable = False
    return kept_weights


def on_nodes(node_factors: Array, template: Array) -> Array:
    """One number for each node, on a new first axis before the axes of `template`."""
    return node_factors.reshape(-1, *(1,) * template.ndim)


def times_weights(F: Array, a: Array, order: int) -> Array:
    """F (Q, ..., K), multiplied in place by the weights for numbers `a` of shape (), (K,) or (..., 1)."""
    node_weights = _cached_weights(a.tobytes(), a.shape, order)
    F *= node_weights.reshape(len(NODES), *(1,) * (F.ndim - node_weights.ndim), *a.shape)
    return F


def integral(F: Array, a: Array, order: int) -> Array:
    """The integral of t^order e^(-at) F(t) dt/t from F (Q, ..., K), which is overwritten."""
    if a.size == 1:  # a product of matrices is faster
        return (_cached_weights(a.tobytes(), (), order) @ F.reshape(len(NODES), -1)).reshape(F.shape[1:])
    return times_weights(F, a, order).sum(0)
