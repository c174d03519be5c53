"""Sums over documents, words and the corpus; posterior means and entropy."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csc_array

from ..corpus import Corpus, Ints
from ..model import Array, Prior
from .state import State
from .update import KNOWN, Count, Update, expected

BLOCK = 2**16  # numbers in a block of rows: half a megabyte, so that a few blocks stay in the L2 cache

Run = Callable[..., Iterable[Any]]  # map, or a pool's


class Sums(NamedTuple):
    """A statistic summed over the tokens of each document, each word and the corpus; components are on axis 1."""

    jk: Array
    wk: Array
    k: Array


class Pseudocounts(NamedTuple):
    """The prior numbers that the three terms add to their counts.

    Attributes
    ----------
    alpha : () or (K,)
    eta : () or (W,)
    W_eta : ()
        The sum of eta over the vocabulary.
    """

    alpha: Any
    eta: Any
    W_eta: Any


def pseudocounts(p: Prior, W: int, offset: float = 0.0) -> Pseudocounts:
    """alpha - offset, eta - offset, and the sum of the latter over the vocabulary."""
    alpha, eta = np.asarray(p.alpha), np.asarray(p.eta)
    W_eta = np.asarray(W * eta if eta.ndim == 0 else eta.sum())
    if not offset:
        return Pseudocounts(alpha, eta, W_eta)
    return Pseudocounts(np.asarray(alpha - offset), np.asarray(eta - offset), np.asarray(W_eta - W * offset))


# Counts --------------------------------------------------------------------------------------------------------------


def sum_rows(x: Array, n: Array, index: Ints, size: int) -> Array:
    """(size, ...) sums of the rows of x (M, ...), each times its n, over the rows of equal index."""
    scatter = csc_array((n, index, np.arange(len(index) + 1)), shape=(size, len(index)))
    return (scatter @ x.reshape(len(index), math.prod(x.shape[1:]))).reshape(size, *x.shape[1:])


def sums(gamma: Array, c: Corpus) -> Sums:
    """The counts N_jk (D, K), N_wk (W, K) and N_k (K,), expected or drawn, rebuilt from gamma."""
    n = c.n.astype(np.float64)
    N_wk = sum_rows(gamma, n, c.w, c.W)
    return Sums(sum_rows(gamma, n, c.j, c.D), N_wk, N_wk.sum(0))


def posterior_mean(s: State, c: Corpus, p: Prior) -> tuple[Array, Array]:
    """Posterior means of theta and phi at the (expected) counts.

    AWST09 (15), TNW06 (19), with sum_k alpha_k for K alpha and sum_w eta_w for W eta:

        theta_jk = (N_jk + alpha) / (N_j + K alpha)       phi_wk = (N_wk + eta) / (N_k + W eta)
    """
    N, a = sums(s.gamma, c), pseudocounts(p, c.W)
    theta_jk, phi_wk = plus_prior(a.alpha, N.jk), plus_prior(column(a.eta, N.wk), N.wk)
    return normalised(theta_jk, -1), normalised(phi_wk, 0)  # AWST09 (15)


def plus_prior(a: Any, N: Array) -> Array:
    """The numerators of (15)."""
    return N + a  # AWST09 (15)


def normalised(x: Array, axis: int) -> Array:
    return x / x.sum(axis, keepdims=True)


def entropy(gamma: Array, c: Corpus) -> Any:
    """H(q(z)) = - sum over tokens of sum_k gamma log gamma, in nats; (R,) with replicates."""
    logs = np.log(gamma, out=np.zeros_like(gamma), where=gamma > 0)
    return -np.einsum("m,m...k,m...k->...", c.n.astype(np.float64), gamma, logs)


def mean_one_hot(z: Ints, c: Corpus, K: int) -> Array:
    """gamma of a sampler: for each row, the fraction of its tokens in each topic."""
    one_hot = np.eye(K)
    if c.M == c.N:
        return one_hot[z]
    row = np.repeat(np.arange(c.M), c.n.astype(np.intp))
    return sum_rows(one_hot[z], np.ones(c.N), row, c.M) / column(c.n, one_hot[z])


# The sums of an update -----------------------------------------------------------------------------------------------

Statistic = Callable[[Any], Array]


class Fixed(NamedTuple):
    """What a sweep holds fixed.

    Attributes
    ----------
    update : Update
    numbers : Pseudocounts
    given : dict from Count
        The second argument of each statistic: the uniforms of a count that draws, otherwise None.
    known : Sums
        The sums that no token changes: held topics, drawn parameters. The entries of other counts are empty.
    """

    update: Update
    numbers: Pseudocounts
    given: dict[Count, Any]
    known: Sums


NOTHING_KNOWN = Sums(np.empty(0), np.empty(0), np.empty(0))


def hold_fixed(
    update: Update, numbers: Pseudocounts, known: Sums = NOTHING_KNOWN, uniforms: Array | None = None
) -> Fixed:
    """What a sweep holds fixed, with the second argument of each statistic."""
    given = {term.count: uniforms if term.count.draws else None for term in update.terms}
    return Fixed(update, numbers, given, known)


def statistic_of(count: Count, gamma: Array, given: Any) -> Statistic:
    """A function of row numbers that gives their statistic. It reads gamma at each call, and so sees new rows."""
    statistic = count.statistic
    if statistic is expected:
        return gamma.__getitem__  # faster, with the same result
    if count.draws:
        return lambda rows: statistic(gamma[rows], given[rows])
    return lambda rows: statistic(gamma[rows], given)


def total(fixed: Fixed, gamma: Array, c: Corpus, run: Run = map) -> Sums:
    """The sums of the statistics of an update, rebuilt from gamma; `run` may be a pool's map.

    Each statistic is summed once. If the word and the topic term share one, the corpus' sum is the sum over words.
    """
    found: list[Array] = list(fixed.known)
    counts = [term.count for term in fixed.update.terms]
    index = [(c.j, c.D), (c.w, c.W), (np.zeros_like(c.j), 1)]
    for count in set(counts) - {KNOWN}:
        places = [i for i in range(3) if counts[i] == count]
        through_words = 1 in places and 2 in places  # the sum over the corpus is the sum over its words
        wanted = [i for i in places if not (i == 2 and through_words)]
        if count.statistic is expected:
            n = c.n.astype(np.float64)
            parts = [sum_rows(gamma, n, *index[i]) for i in wanted]
        else:
            statistic = statistic_of(count, gamma, fixed.given[count])
            parts = _sum_blocks(statistic, gamma, c, run, *(index[i] for i in wanted))
        for i, part in zip(wanted, parts, strict=True):
            found[i] = part if i < 2 else part[0]
        if through_words:
            found[2] = found[1].sum(0)
    return Sums(*found)


def _sum_blocks(statistic: Statistic, gamma: Array, c: Corpus, run: Run, *indices: tuple[Ints, int]) -> list[Array]:
    """The statistic summed over the tokens of equal index, for each index and its size, a block of rows at a time."""
    shape = rows_first(statistic(slice(0, 1)), gamma).shape[1:]
    totals = [np.zeros((size, *shape)) for _, size in indices]

    def of_block(rows: slice) -> list[tuple[Ints, Array]]:
        x, n, parts = rows_first(statistic(rows), gamma), c.n[rows].astype(np.float64), []
        for index, _ in indices:
            numbers, place = np.unique(index[rows], return_inverse=True)
            parts.append((numbers, sum_rows(x, n, place, len(numbers))))
        return parts

    blocks = iter(blocks_of(slice(0, c.M), statistic))
    while some := list(islice(blocks, 64)):  # a pool may run ahead, but not until memory is full
        for parts in run(of_block, some):
            for sum_, (numbers, part) in zip(totals, parts, strict=True):
                sum_[numbers] += part
    return totals


def blocks_of(rows: slice, *statistics: Statistic) -> Iterator[slice]:
    """Rows in blocks whose largest statistic fits the cache."""
    numbers = max(1, *(statistic(slice(0, 1)).size for statistic in statistics))
    size = max(1, BLOCK // numbers, min(512, 8 * BLOCK // numbers))  # with fewer rows Python takes most of the time
    return (slice(i, min(i + size, rows.stop)) for i in range(rows.start, rows.stop, size))


# Axes ----------------------------------------------------------------------------------------------------------------


def rows_first(x: Array, gamma: Array) -> Array:
    """`x` with its component axis, if any, moved from the first place to the second."""
    return np.moveaxis(x, 0, 1) if x.ndim > gamma.ndim else x


def components_first(x: Array, gamma: Array) -> Array:
    """`x` with its component axis, if any, moved from the second place to the first."""
    return np.moveaxis(x, 1, 0) if x.ndim > gamma.ndim else x


def column(x: Any, like: Array) -> Any:
    """One number for each row, to be broadcast over topics and replicates; a single number as it is."""
    x = np.asarray(x)
    return x.reshape(-1, *(1,) * (like.ndim - 1)) if x.ndim == 1 else x
