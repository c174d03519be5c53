"""Sums over documents, words and the corpus; posterior means and entropy."""

import math
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csc_array, csr_array

from ..arguments import check_memory
from ..corpus import Corpus, Ints
from ..model import Array, Prior, column
from .state import State
from .update import KNOWN, WITH_PRIOR, Count, Update, expected

BLOCK = 2**16  # numbers in a block of rows: half a megabyte, so that a few blocks stay in the L2 cache

Run = Callable[..., Iterable[Any]]  # map, or a pool's


class Sums(NamedTuple):
    """A statistic summed over the tokens of each document, each word and the corpus; components are on axis 1."""

    jk: Array
    wk: Array
    k: Array


class Pseudocounts(NamedTuple):
    """The prior numbers that the three terms add to their counts."""

    alpha: Any  # () or (K,)
    eta: Any  # (), (W,) or (W, K)
    W_eta: Any  # () or (K,): the sum of eta over the vocabulary


def pseudocounts(p: Prior, W: int, offset: float = 0.0) -> Pseudocounts:
    """alpha - offset, eta - offset, and the sum of the latter over the vocabulary."""
    alpha, eta = np.asarray(p.alpha), np.asarray(p.eta)
    W_eta = np.asarray(W * eta if eta.ndim == 0 else eta.sum(0))
    return Pseudocounts(np.asarray(alpha - offset), np.asarray(eta - offset), np.asarray(W_eta - W * offset))


# Counts --------------------------------------------------------------------------------------------------------------


def sum_rows(x: Array, n: Array, index: Ints, size: int) -> Array:
    """(size, ...) sums of the rows of x (M, ...), each times its n, over the rows of equal index."""
    M = len(index)
    if np.all(index[1:] >= index[:-1]):  # as for documents: this takes less time
        ends = np.searchsorted(index, np.arange(size + 1))
        scatter = csr_array((n, np.arange(M), ends), shape=(size, M))
    else:
        scatter = csc_array((n, index, np.arange(M + 1)), shape=(size, M))
    return (scatter @ x.reshape(M, math.prod(x.shape[1:]))).reshape(size, *x.shape[1:])


def sum_all(x: Array) -> Array:
    """The sum of the rows of x (M, ...). A product, because NumPy is slow to add short rows."""
    return (np.ones(len(x)) @ x.reshape(len(x), math.prod(x.shape[1:]))).reshape(x.shape[1:])


def numbered(index: Ints, size: int) -> tuple[Ints, Ints]:
    """The different entries of an index below `size`, in ascending order, and the number of each entry among them."""
    if 8 * len(index) < size:
        return np.unique(index, return_inverse=True)
    present = np.flatnonzero(np.bincount(index.astype(np.intp), minlength=size))
    number = np.empty(size, np.int64)
    number[present] = np.arange(len(present))
    return present, number.take(index)


def sums(gamma: Array, c: Corpus) -> Sums:
    """The counts N_jk (D, K), N_wk (W, K) and N_k (K,), expected or drawn, rebuilt from gamma."""
    n = c.n.astype(np.float64)
    N_wk = sum_rows(gamma, n, c.w, c.W)
    return Sums(sum_rows(gamma, n, c.j, c.D), N_wk, sum_all(N_wk))


def sums_of(s: State, c: Corpus) -> Sums:
    """The counts of a state. Its gamma is not made if they are known without it."""
    N: Sums | None = s.known_sums(c)
    return sums(s.gamma, c) if N is None else N


def posterior_mean(s: State, c: Corpus, p: Prior) -> tuple[Array, Array]:
    """Posterior means of theta and phi at the (expected) counts of a state."""
    N = sums_of(s, c)
    return mean_of_counts(N.jk, N.wk, p)


def mean_of_counts(N_jk: Array, N_wk: Array, p: Prior) -> tuple[Array, Array]:
    """Posterior means of theta and phi at counts.

    AWST09 (15), TNW06 (19), with sum_k alpha_k for K alpha and sum_w eta_w for W eta:

        theta_jk = (N_jk + alpha) / (N_j + K alpha)       phi_wk = (N_wk + eta) / (N_k + W eta)
    """
    a = pseudocounts(p, len(N_wk))
    theta_jk, phi_wk = plus_prior(a.alpha, N_jk), plus_prior(column(a.eta, N_wk), N_wk)
    return normalised(theta_jk, -1), normalised(phi_wk, 0)  # AWST09 (15)


def plus_prior(a: Any, N: Array) -> Array:
    """The numerators of (15)."""
    return N + a  # AWST09 (15)


def normalised(x: Array, axis: int) -> Array:
    """x divided by its sum along an axis."""
    return x / x.sum(axis, keepdims=True)


def entropy(s: State, c: Corpus) -> Any:
    """H(q(z)) = - sum over tokens of sum_k gamma log gamma, in nats; (R,) with replicates."""
    total: Any = 0.0
    for rows, gamma in s.blocks():
        logs = np.log(gamma, out=np.zeros_like(gamma), where=gamma > 0)
        total = total - np.einsum("m,m...k,m...k->...", c.n[rows].astype(np.float64), gamma, logs)
    return total


# The sums of an update -----------------------------------------------------------------------------------------------

Statistic = Callable[[Any], Array]


class Fixed(NamedTuple):
    """What a sweep holds fixed.

    `given` has the second argument of each statistic: the uniforms of a count that draws, otherwise None. `known` has
    the sums that no token changes: held topics, drawn parameters. The entries of other counts are empty.
    """

    update: Update
    numbers: Pseudocounts
    given: dict[Count, Any]
    known: Sums

    @property
    def counts(self) -> tuple[Count, ...]:
        """The counts of the three terms."""
        return tuple(term.count for term in self.update.terms)


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


def with_priors(fixed: Fixed, S: Sums) -> tuple[Fixed, Sums]:
    """Add the prior numbers of additive terms to their sums, once for all rows.

    With a prior number below 1e-3 the rounding of the sum would cost digits.
    """
    update, sums_, given = fixed.update, list(S), dict(fixed.given)
    if update.excludes == "nothing":
        return fixed, S
    terms: list[Any] = list(update.terms)
    for i, (term, number) in enumerate(zip(update.terms, fixed.numbers, strict=True)):
        if term.additive and np.min(number) >= 1e-3:
            sums_[i] = term.value(column(number, S.wk) if i == 1 else number, S[i])
            terms[i] = WITH_PRIOR
            given[WITH_PRIOR.count] = None
    update = update._replace(document=terms[0], word=terms[1], topic=terms[2])
    return Fixed(update, fixed.numbers, given, fixed.known), Sums(*sums_)


class Places(NamedTuple):
    """Some rows of a corpus, and where they are added: at their document, and at their word."""

    rows: slice
    j: Ints | None  # None if the sums over documents are not wanted
    D: int
    w: Ints
    W: int


def total(fixed: Fixed, gamma: Array, c: Corpus, run: Run = map) -> Sums:
    """The sums of the statistics of an update, rebuilt from gamma; `run` may be a pool's map."""
    statistics = {count: statistic_of(count, gamma, given) for count, given in fixed.given.items()}
    at = Places(slice(0, c.M), c.j, c.D, c.w, c.W)
    return totals(fixed.counts, statistics, gamma.ndim, c.n, at, fixed.known, run)


def sum_statistic(count: Count, gamma: Array, c: Corpus) -> Sums:
    """A statistic summed over the tokens of each document (D, C, ..., K), of each word, and of the corpus."""
    at = Places(slice(0, c.M), c.j, c.D, c.w, c.W)
    return totals((count,) * 3, {count: statistic_of(count, gamma, None)}, gamma.ndim, c.n, at, NOTHING_KNOWN, map)


def totals(
    counts: tuple[Count, ...], statistics: dict[Count, Statistic], ndim: int, n: Ints, at: Places, known: Sums, run: Run
) -> Sums:
    """The sums of the statistics of three counts over some rows; `ndim` is the number of axes of gamma.

    Each statistic is summed once. If the word and the topic term share one, the corpus' sum is the sum over words.
    """
    found: list[Array] = list(known)
    weight, everything = n[at.rows].astype(np.float64), np.zeros(at.rows.stop - at.rows.start, np.int64)
    for count in set(counts[at.j is None :]) - {KNOWN}:
        wanted = [i for i in range(3) if counts[i] == count and not (i == 0 and at.j is None)]
        through_words = 1 in wanted and 2 in wanted  # the sum over the corpus is the sum over its words
        wanted = [i for i in wanted if not (i == 2 and through_words)]
        indices: list[Any] = [((at.j, at.D), (at.w, at.W), (everything, 1))[i] for i in wanted]
        statistic = statistics[count]
        if count.statistic is expected:
            parts = _sum_halves(statistic(at.rows), weight, run, indices)
        else:
            parts = sum_blocks(statistic, ndim, weight, at.rows, run, indices)
        for i, part in zip(wanted, parts, strict=True):
            found[i] = part if i < 2 else part[0]
        if through_words:
            found[2] = sum_all(found[1])
    return Sums(*found)


def _sum_halves(x: Array, n: Array, run: Run, indices: list[tuple[Ints, int]]) -> list[Array]:
    """The rows of x summed by each index, in two halves, so that two threads can share the work."""
    M = len(x)
    halves = (slice(0, M // 2), slice(M // 2, M)) if 4 * max(size for _, size in indices) <= M else (slice(0, M),)
    tasks = [(rows, index[rows], size) for index, size in indices for rows in halves]
    parts = list(run(lambda task: sum_rows(x[task[0]], n[task[0]], *task[1:]), tasks))
    return parts if len(halves) == 1 else [a + b for a, b in zip(parts[::2], parts[1::2], strict=True)]


def sum_blocks(
    statistic: Statistic, ndim: int, n: Array, rows: slice, run: Run, indices: list[tuple[Ints, int]]
) -> list[Array]:
    """The statistic summed over the tokens of equal index, for each index and its size, a block of rows at a time."""

    def of(block: slice) -> Array:
        x = statistic(block)
        return x.swapaxes(0, 1) if x.ndim > ndim else x

    shape = of(slice(0, 1)).shape[1:]
    check_memory(sum(size for _, size in indices) * math.prod(shape), "the sums of this update")
    found = [np.zeros((size, *shape)) for _, size in indices]

    def of_block(block: slice) -> list[tuple[Ints, Array]]:
        local = slice(block.start - rows.start, block.stop - rows.start)
        x, parts = of(block), []
        for index, size in indices:
            numbers, place = numbered(index[local], size)
            parts.append((numbers, sum_rows(x, n[local], place, len(numbers))))
        return parts

    blocks = iter(blocks_of(rows, statistic))
    while some := list(islice(blocks, 64)):  # a pool may run ahead, but not until memory is full
        for parts in run(of_block, some):
            for sum_, (numbers, part) in zip(found, parts, strict=True):
                sum_[numbers] += part
    return found


def blocks_of(rows: slice, *statistics: Statistic) -> Iterator[slice]:
    """Rows in blocks whose largest statistic fits the cache."""
    numbers = max(1, *(statistic(slice(0, 1)).size for statistic in statistics))
    size = max(1, BLOCK // numbers, min(1024, 8 * BLOCK // numbers))  # with fewer rows Python takes most of the time
    return (slice(i, min(i + size, rows.stop)) for i in range(rows.start, rows.stop, size))


# Axes ----------------------------------------------------------------------------------------------------------------


def components_moved(x: Array, gamma: Array) -> Array:
    """`x` with its component axis, if any, moved from the first place to the second, or back."""
    return x.swapaxes(0, 1) if x.ndim > gamma.ndim else x
