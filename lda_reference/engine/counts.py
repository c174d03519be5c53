"""Sums over documents, words and the corpus; posterior means and entropy."""

import math
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csc_array, csr_array

from ..arguments import check_memory
from ..corpus import Corpus, Ints
from ..model import Array, Prior, column
from .groups import Group, group_of, numbered, rows_in
from .state import State
from .update import KNOWN, Count, Term, Update, expected, itself

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


def sums(gamma: Array, c: Corpus) -> Sums:
    """The counts N_jk (D, K), N_wk (W, K) and N_k (K,), expected or drawn, rebuilt from gamma."""
    n = c.n.astype(gamma.dtype)
    N_jk, N_wk = (sum_rows(gamma, n, index, size).astype(np.float64) for index, size in ((c.j, c.D), (c.w, c.W)))
    return Sums(N_jk, N_wk, sum_all(N_wk))


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
    theta_jk /= theta_jk.sum(-1, keepdims=True)  # AWST09 (15)
    phi_wk /= phi_wk.sum(0)  # AWST09 (15)
    return theta_jk, phi_wk


def plus_prior(a: Any, N: Array) -> Array:
    """The numerators of (15)."""
    return N + a  # AWST09 (15)


def normalised(x: Array, axis: int) -> Array:
    """x divided by its sum along an axis."""
    return x / x.sum(axis, keepdims=True)


def entropy(gamma: Array | State, c: Corpus) -> Any:
    """H(q(z)) = - sum over tokens of sum_k gamma log gamma, of gamma or of a state, in nats; (R,) with replicates."""
    total: Any = 0.0
    for rows, x in (gamma if isinstance(gamma, State) else State(gamma)).blocks():
        logs = np.log(x, out=np.zeros_like(x), where=x > 0)
        total = total - np.einsum("m,m...k,m...k->...", c.n[rows].astype(np.float64), x, logs)
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


def hold_fixed(update: Update, numbers: Pseudocounts, known: Sums = NOTHING_KNOWN, uniforms: Any = None) -> Fixed:
    """What a sweep holds fixed, with the second argument of each statistic."""
    given = {term.count: uniforms if term.count.draws else None for term in update.terms}
    return Fixed(update, numbers, given, known)


def statistic_of(count: Count, gamma: Array, given: Any) -> Statistic:
    """A function of row numbers that gives their statistic. It reads gamma at each call, and so sees new rows."""
    if count.statistic is expected:
        return gamma.__getitem__  # faster, with the same result
    return lambda rows: count.statistic(gamma[rows], given[rows] if count.draws else given)


def total(fixed: Fixed, gamma: Array, c: Corpus, run: Run = map) -> Sums:
    """The sums of the statistics of an update, rebuilt from gamma; `run` may be a pool's map."""
    return sum_parts(fixed, gamma, (c.D, c.W), [group_of(c, slice(0, c.M), gamma.dtype)], run)


def sum_statistic(count: Count, gamma: Array, c: Corpus) -> Sums:
    """A statistic summed over the tokens of each document (D, C, ..., K), of each word, and of the corpus."""
    term = Term(itself, count)
    return total(hold_fixed(Update(term, term, term, "nothing"), Pseudocounts(0, 0, 0)), gamma, c)


def sum_parts(fixed: Fixed, gamma: Array, sizes: tuple[int, int], parts: Iterable[Group], run: Run = map) -> Sums:
    """The sums with which a sweep begins, added group by group, as a sweep adds those of the next.

    `sizes` are the numbers of documents and words.
    """
    S, shapes = list[Any](fixed.known), dict[int, tuple[int, ...]]()
    for i, (size, count) in enumerate(zip((*sizes, None), fixed.counts, strict=True)):
        if count != KNOWN:
            uniforms = np.zeros((1, *fixed.given[count].shape[1:])) if count.draws else None
            row = count.statistic(np.zeros((1, *gamma.shape[1:])), uniforms)
            shape = components_moved(row, gamma).shape[1:]
            shapes[i] = shape if size is None else (size, *shape)
    check_memory(sum(map(math.prod, shapes.values())), "the sums of this update")
    for i, shape in shapes.items():
        S[i] = np.zeros(shape)
    for group in parts:
        add_totals((Sums(*S),), fixed, gamma, by_word(group, fixed), run)
    return Sums(*S)


def by_word(group: Group, fixed: Fixed) -> Group:
    """The group with its rows in the order of their words, whose large sums then change once; without its matrices."""
    if not all(count.leaving for count in fixed.counts):
        return group
    order = np.argsort(group.w, kind="stable")
    rows = group.rows.start + order if isinstance(group.rows, slice) else group.rows[order]
    return group._replace(rows=rows, n=group.n[order], j=group.j[order], w=group.w[order])


def add_totals(
    targets: tuple[Sums, ...], fixed: Fixed, gamma: Array, group: Group, run: Run = map, less: Array | None = None,
    is_lost: bool = False,
) -> None:  # fmt: skip
    """Add the sums of the three statistics of an update over the rows of a group to all targets.

    Those of documents are written into the first. With `less`, the sums of another gamma are subtracted. What `is_lost`
    is taken out of the targets instead, but not of the sums of documents, which are not needed again.
    """
    D, W = group.document_sums.shape[0], group.word_sums.shape[0]
    for count in set(fixed.counts) - {KNOWN}:
        is_of_document, is_of_word, is_of_topic = (x == count for x in fixed.counts)
        is_of_document &= not is_lost
        statistic = statistic_of(count, gamma, fixed.given[count])
        if less is not None:
            statistic = partial(_difference, statistic, statistic_of(count, less, fixed.given[count]))
        if count.statistic is expected:
            matrices = [group.document_sums] * is_of_document + [group.word_sums] * (is_of_word or is_of_topic)
            steps: Any = [[(slice(None), x) for x in run(partial(summed, x=statistic(group.rows)), matrices)]]
        else:
            indices = [(group.j, D)] * is_of_document + [(group.w, W)] * (is_of_word or is_of_topic)
            steps = sums_of_blocks(statistic, gamma.ndim, group, indices, run) if indices else ()
        if is_of_document:
            N_jk = targets[0].jk[group.documents]
            N_jk[...] = 0.0
        for parts in filter(None, steps):
            numbers, part = parts[-1]
            if is_of_document:
                N_jk[parts[0][0]] += parts[0][1]
            for S in targets:
                if is_of_word:
                    places = numbers if isinstance(group.words, slice) else group.words[numbers]
                    S.wk[places] = _changed(count, S.wk[places], part, gamma, is_lost)
                if is_of_topic:
                    S.k[...] = _changed(count, S.k[None], sum_all(part)[None], gamma, is_lost)[0]


def _difference(before: Statistic, after: Statistic, rows: Any) -> Array:
    return before(rows) - after(rows)


def _changed(count: Count, S: Array, part: Array, gamma: Array, is_lost: bool) -> Array:
    if not is_lost:
        return np.add(S, part, out=S)
    return components_moved(count.remove(components_moved(S, gamma), components_moved(part, gamma)), gamma)


def summed(matrix: Any, x: Array) -> Array:
    """The product of a sparse array (size, M) with the rows x (M, ...)."""
    return (matrix @ x.reshape(len(x), math.prod(x.shape[1:]))).reshape(matrix.shape[0], *x.shape[1:])


def sums_of_blocks(
    statistic: Statistic, ndim: int, group: Group, indices: list[tuple[Ints, int]], run: Run
) -> Iterator[list[tuple[Ints, Array]]]:
    """The statistic summed over the tokens of equal index in each block of rows, for each index and its size.

    Of each sum it yields the different entries of the index in the block, and the sums for these.
    """

    def rows_first(block: slice) -> Array:
        x = statistic(rows_in(group, block))
        return x.swapaxes(0, 1) if x.ndim > ndim else x

    def parts_of(block: slice) -> list[tuple[Ints, Array]]:
        x, parts = rows_first(block), []
        for index, size in indices:
            numbers, place = numbered(index[block], size)
            parts.append((numbers, sum_rows(x, group.n[block].astype(np.float64), place, len(numbers))))
        return parts

    blocks = iter(blocks_of(len(group.j), math.prod(rows_first(slice(0, 1)).shape[1:])))
    while some := list(islice(blocks, 64)):  # a pool may run ahead, but not until memory is full
        yield from run(parts_of, some)


def blocks_of(M: int, numbers: int) -> Iterator[slice]:
    """M rows in blocks that fit the cache, of so many numbers a row."""
    size = max(1, BLOCK // numbers, min(1024, 8 * BLOCK // numbers))  # with fewer rows Python takes most of the time
    return (slice(i, min(i + size, M)) for i in range(0, M, size))


# Axes ----------------------------------------------------------------------------------------------------------------


def components_moved(x: Array, gamma: Array) -> Array:
    """`x` with its component axis, if any, moved from the first place to the second, or back."""
    return x.swapaxes(0, 1) if x.ndim > gamma.ndim else x
