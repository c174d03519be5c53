"""Exact expectations of a sum of independent Bernoulli variables, through its generating function.

Let n be the sum of independent Bernoulli variables of probabilities g_i, with mean m. The logarithm of its generating
function

    G(s) = E[s^n] = prod_i (1 - g_i + g_i s)

is a sum over the variables, and expectations of n are integrals of it:

    E[log(a + n)]       = ∫_0^∞ (e^-t - e^(-at) G(e^-t)) dt/t                                                 (Frullani)
    E[1 / (a + n)]      = ∫_0^∞ e^(-at) G(e^-t) dt
    E[log Gamma(a + n)] = log Gamma(a) + ∫_0^∞ (m e^-t - e^(-at) (1 - G(e^-t)) / (1 - e^-t)) dt/t             (Malmsten)

`quadrature` has the nodes t of these integrals. Right of its last but one node G(e^-t) is G(0), because e^-t is less
than the rounding error of 1. Left of e^-3 a series with u = 1 - e^-t gives log G from few numbers:

    log G(e^-t) = - sum_r (sum_i g_i^r) u^r / r                    ten powers suffice
    1 / (1 - g + g e^-t) = 1 / (1 - g u) = sum_r g^r u^r

The statistic of a variable is therefore the first ten powers of g, and -log(1 - g + g e^-t) at the nodes of the right
part. The error is about 1e-14, relative to the larger of 1 and the value, for a + n up to 1e8, and 3e-9 at LARGEST.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy.special import gammaln

from .engine.update import Count, nonnegative_difference
from .model import Array
from .quadrature import NODES, SUM_OF_EXPONENTIALS, integral, on_nodes, times_weights

DEGREE = 10  # the number of powers of g in the left part
LEFT_COUNT = int(np.searchsorted(NODES, 0.99 * np.exp(-3)))  # the number of nodes in the left part
RIGHT_NODES = NODES[LEFT_COUNT:]
U = -np.expm1(-NODES)
POWERS_OF_U = U[:LEFT_COUNT, None] ** np.arange(DEGREE + 1)
SERIES = -POWERS_OF_U[:, 1:] / np.arange(1, DEGREE + 1)  # of log G in the left part
LARGEST = 1e9  # a + n, beyond which the error grows quickly: 1e-2 at 1e10
BLOCK_SIZE = 2**17  # numbers in a block of rows: a megabyte, half of an L2 cache

# The count of a term: its statistic, and what takes a token out of the sums of rows --------------------------------

# The arguments of logarithms and reciprocals, as products of (1 - g, g) with these matrices, which is the fastest way.
LOG1P_END = DEGREE + int(np.searchsorted(RIGHT_NODES, np.log(2)))  # where 1 - g u is 1/2 or more, log1p keeps a small g
MINUS_U = np.array((np.zeros(LOG1P_END - DEGREE), -U[LEFT_COUNT:][: LOG1P_END - DEGREE]))  # -g u
EXP_MINUS_T = np.exp(-RIGHT_NODES[LOG1P_END - DEGREE :]) ** np.array([[0.0], [1.0]])  # 1 - g + g e^-t
FACTORS = np.append(np.ones(1 + DEGREE), np.exp(-RIGHT_NODES)) ** np.array([[0.0], [1.0]])  # 1s and 1 - g + g e^-t


def statistic(gamma: Array, rows: Any = ...) -> Array:
    """gamma, ..., gamma^DEGREE and -log(1 - gamma + gamma e^-t) at the right nodes, all 0 or more: (C, ..., K).

    A running sum of it is rounded at each step, so each sweep computes the sums again.
    """
    gamma = gamma[rows]
    complement_and_gamma = _complement_and_itself(gamma)
    return _components(_powers(gamma), complement_and_gamma @ MINUS_U, complement_and_gamma @ EXP_MINUS_T)


def lost(old_gamma: Array, gamma: Array, rows: Any = ...) -> Array:
    """The statistic of the old gamma without that of gamma, which takes one logarithm instead of two: (C, ..., K)."""
    old_gamma, gamma = old_gamma[rows], gamma[rows]
    old_pair, pair = _complement_and_itself(old_gamma), _complement_and_itself(gamma)
    minus_gu, one_minus_gu = (old_pair - pair) @ MINUS_U, old_pair @ EXP_MINUS_T
    minus_gu /= 1 + pair @ MINUS_U
    one_minus_gu /= pair @ EXP_MINUS_T
    powers = _powers(old_gamma)
    powers -= _powers(gamma)
    return _components(powers, minus_gu, one_minus_gu)


def _components(powers: Array, minus_gu: Array, one_minus_gu: Array) -> Array:
    """(C, ..., K): the powers, and minus the logarithms of 1 + minus_gu and of one_minus_gu, which are overwritten."""
    shape = powers.shape[1:]
    row_axes = min(1, len(shape) - 1)  # in memory the components come after the rows, as sums over rows need them
    components = np.empty((*shape[:row_axes], DEGREE + len(RIGHT_NODES), *shape[row_axes:]))
    if row_axes:
        components = components.swapaxes(0, 1)
    components[:DEGREE] = powers
    np.negative(_nodes_first(np.log1p(minus_gu, out=minus_gu), shape), out=components[DEGREE:LOG1P_END])
    np.negative(_nodes_first(np.log(one_minus_gu, out=one_minus_gu), shape), out=components[LOG1P_END:])
    return components


def leaving(gamma: Array, rows: Any = ...) -> Array:
    """1, gamma, ..., gamma^DEGREE and 1 / (1 - gamma + gamma e^-t) at the right nodes: (..., K, 1 + C).

    Dividing by 1 - g + g e^-t = 1 - g u takes a token out of G(e^-t). In the left part the geometric series divides.
    """
    gamma = gamma[rows]
    factors = _complement_and_itself(gamma) @ FACTORS
    components = np.reciprocal(factors, out=factors).reshape(*gamma.shape, -1)
    components[..., 1 : 1 + DEGREE] = np.moveaxis(_powers(gamma), 0, -1)
    return components


def _powers(gamma: Array) -> Array:
    """gamma, ..., gamma^DEGREE on a new first axis."""
    powers = np.empty((DEGREE, *gamma.shape))
    if gamma.ndim == 1:  # faster for a single row, slower for many
        powers[:] = gamma
        return np.multiply.accumulate(powers, out=powers)
    powers[0] = gamma
    for exponent in range(1, DEGREE):
        np.multiply(powers[exponent - 1], gamma, out=powers[exponent])
    return powers


def _complement_and_itself(gamma: Array) -> Array:
    """1 - gamma and gamma, flat, as two columns."""
    two_columns = np.empty((gamma.size, 2))
    flat_gamma = gamma.reshape(-1)
    np.subtract(1.0, flat_gamma, out=two_columns[:, 0])
    two_columns[:, 1] = flat_gamma
    return two_columns


def _nodes_first(cols: Array, shape: tuple[int, ...]) -> Array:
    """Columns (gamma.size, nodes) as (nodes, *shape of gamma)."""
    return cols.T if len(shape) == 1 else cols.reshape(*shape, cols.shape[-1]).transpose(-1, *range(len(shape)))


GENERATING_FUNCTION = Count(statistic, nonnegative_difference, leaving=leaving, lost=lost, largest=LARGEST)


def log_generating_function(S: Array) -> Array:
    """log G(e^-t) at all nodes, from S, a sum of the statistic: (Q, ..., K).

    The relative error is about 1e-16 near t = 0, and the absolute error is about 1e-16 for each token elsewhere.
    """
    log_G = np.empty((len(NODES), *S.shape[1:]))
    np.matmul(SERIES, S[:DEGREE].reshape(DEGREE, -1), out=log_G[:LEFT_COUNT].reshape(LEFT_COUNT, -1))
    np.negative(S[DEGREE:], out=log_G[LEFT_COUNT:])
    return log_G


def generating_function(S: Array) -> Array:
    """G(e^-t) at all nodes, as `log_generating_function`."""
    log_G = log_generating_function(S)
    return np.exp(log_G, out=log_G)


# Its expectations ----------------------------------------------------------------------------------------------------


def mean_log(a: Array, S: Array) -> Array:
    """E[log(a + n)], a term of TNW06 (15), from the whole distribution of n, not its mean alone.

    Frullani's integral of a difference: each part alone would diverge at 0, but its sum over the nodes is finite.

    >>> S = statistic(np.array([[1.0], [1.0]])).sum(1)  # n is 2
    >>> mean_log(np.asarray(3.0), S).round(12) == np.log(5).round(12)
    array([ True])
    """
    return SUM_OF_EXPONENTIALS - integral(generating_function(S), a, 0)


def mean_inverse(a: Array, S: Array) -> Array:
    """E[1 / (a + n)] of SN12 (48), from S, the statistic summed over the tokens that n counts."""
    return integral(generating_function(S), a, 1)


def log_rising(a: Array, mean: Array, one_minus_G: Array, order: int = 0) -> Array:
    """E[log Gamma(a + n) - log Gamma(a)], or its derivative in a, by Malmsten's integral.

    a is (), (K,) or (..., 1), and positive; `mean` (..., K) is E[n], and `one_minus_G` (Q, ..., K) is 1 - G(e^-t) at
    the nodes. The order is 0 for the function and 1 for its derivative.
    """
    malmsten_integral = integral(one_minus_G / on_nodes(U, mean), np.asarray(a), order)
    return (SUM_OF_EXPONENTIALS * mean - malmsten_integral, malmsten_integral)[order]


def mean_log_gamma(a: Any, S: Array) -> Array:
    """E[log Gamma(a + n)] of TNW06 (12) for all rows of the sums S (size, C, ..., K)."""
    means = np.empty((len(S), *S.shape[2:]))
    for row_slice, a_rows, S_rows in blocks(a, S):
        one_minus_G = -np.expm1(log_generating_function(S_rows))
        means[row_slice] = gammaln(a_rows) + log_rising(a_rows, S_rows[0], one_minus_G)
    return means


def blocks(a: Any, S: Array) -> Iterator[tuple[slice, Array, Array]]:
    """Rows of the sums S (size, C, ..., K) whose values at the nodes fit the cache.

    Of each block it yields the slice of its rows, their prior numbers, (), (K,) or (rows, ..., 1), and their sums,
    (C, rows, ..., K).
    """
    a = np.asarray(a)
    n_block_rows = max(1, BLOCK_SIZE // (len(NODES) * int(np.prod(S.shape[2:]))))
    for first_row in range(0, len(S), n_block_rows):
        row_slice = slice(first_row, first_row + n_block_rows)
        yield row_slice, a[row_slice] if a.ndim == S.ndim - 1 else a, S[row_slice].swapaxes(0, 1)


# The same for many rows, each without one token ----------------------------------------------------------------------

OfRows = Callable[[Any, Array], Array]


def mean_log_of_rows(a: Any, S: Array) -> OfRows:
    """`mean_log` for rows of the sums S (size, C, ..., K), each without one token, whose `leaving` is given."""
    integral_function = integral_of_rows(a, S, 0)
    return lambda index, token_row: SUM_OF_EXPONENTIALS - integral_function(index, token_row)


def integral_of_rows(a: Any, S: Array, order: int) -> OfRows:
    """The integral of t^order e^(-at) G(e^-t) dt/t for the same rows; `mean_inverse` if the order is 1."""
    weights = table(a, S, order)
    columns = slice(0, needed_columns(weights))
    return lambda index, token_row: np.einsum("...q,...q->...", weights[index][..., columns], token_row[..., columns])


def table(a: Any, S: Array, order: int) -> Array:
    """The numbers whose product with a token's `leaving` is the integral without it: (size, ..., K, 1 + C).

    With x the weight times G at a node, the integral without a token of probability g is the sum of x / (1 - g u). In
    the left part this is the sum over r of g^r times the sum over the nodes of x u^r.
    """
    integral_table = np.empty((len(S), *S.shape[2:], 1 + S.shape[1]))
    for row_slice, a_rows, S_rows in blocks(a, S):
        weighted_G = times_weights(generating_function(S_rows), a_rows, order)
        left_sums = POWERS_OF_U.T @ weighted_G[:LEFT_COUNT].reshape(LEFT_COUNT, -1)
        integral_table[row_slice, ..., : 1 + DEGREE] = np.moveaxis(left_sums.reshape(-1, *weighted_G.shape[1:]), 0, -1)
        integral_table[row_slice, ..., 1 + DEGREE :] = np.moveaxis(weighted_G[LEFT_COUNT:], 0, -1)
    return integral_table


def needed_columns(weights: Array) -> int:
    """The number of columns of a table without the last of them that add less than 1e-18, relative to each value.

    A column is multiplied by 1 / (1 - g u), which is at most e^t, and the first column alone is less than each value.
    """
    largest_entries = weights.max(0).reshape(-1, weights.shape[-1]).max(0)  # faster than over all these axes at once
    column_bounds = largest_entries[1 + DEGREE :] * np.exp(RIGHT_NODES)
    needed_nodes = np.flatnonzero(column_bounds > 1e-18 * weights[..., 0].min())
    return 1 + DEGREE + (int(needed_nodes[-1]) + 1 if len(needed_nodes) else 0)
