"""The rows of a corpus in groups of documents, and the sums with which an update is computed."""

import math
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice, pairwise
from operator import getitem
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csc_array, csr_array

from ..arguments import check_memory
from ..corpus import Corpus, Ints
from ..model import Array
from .counts import sum_all, sum_rows, summed
from .update import KNOWN, Count, Sums, Term, Update, itself

BLOCK = 2**16  # numbers in a block of rows: half a megabyte, so that a few blocks stay in the L2 cache

FEW_ROWS = 1024  # of a group that is one block

Run = Callable[..., Iterable[Any]]  # map, or a pool's


class Group(NamedTuple):
    """Some rows that are treated together: those of some documents, or of a whole corpus."""

    rows: Any  # where they are in gamma, a slice or Ints
    n: Ints
    j: Ints  # their documents and words, numbered within the group
    w: Ints
    documents: Any  # the documents and words of the group, numbered as in the corpus, a slice or Ints
    words: Any
    document_matrix: Any  # sparse (documents, rows) and (words, rows): times the rows of gamma, they are N_jk and N_wk
    word_matrix: Any


def group_of(c: Corpus, rows: slice, dtype: Any, shared_indices: Ints) -> Group:
    """Rows of a corpus as a group. `shared_indices` are 0, 1, ..., whose memory the groups share."""
    n, j, w = c.n[rows], c.j[rows], c.w[rows]
    is_whole_corpus = len(n) == c.M
    first_j, stop_j = (0, c.D) if is_whole_corpus else (int(j[0]), int(j[-1]) + 1)
    # a large group has most of the words, and numbering them would cost more than to take all
    words, w = (slice(None), w) if is_whole_corpus or len(n) >= 2 * c.W else unique_entries(w, c.W)
    j, w, float_counts = (j - first_j).astype(shared_indices.dtype), w.astype(shared_indices.dtype), n.astype(dtype)
    D, W = stop_j - first_j, c.W if isinstance(words, slice) else len(words)
    indptr = np.searchsorted(j, np.arange(D + 1)).astype(shared_indices.dtype)
    document_matrix = csr_array((float_counts, shared_indices[: len(n)], indptr), shape=(D, len(n)))
    word_matrix = csc_array((float_counts, w, shared_indices[: len(n) + 1]), shape=(W, len(n)))
    return Group(rows, n, j, w, slice(first_j, stop_j), words, document_matrix, word_matrix)


def rows_in(group: Group, block: slice) -> Any:
    """Where gamma has the rows of a block of a group."""
    if isinstance(group.rows, slice):
        return slice(group.rows.start + block.start, group.rows.start + block.stop)
    return group.rows[block]


def document_starts(c: Corpus) -> Ints:
    """Where the rows of each document begin, and where those of the last end."""
    return np.searchsorted(c.j, np.arange(c.D + 1))


def documents_by_words(x: Array, c: Corpus) -> Any:
    """A number for each row, as a sparse (D, W) array."""
    return csr_array((x, c.w, document_starts(c)), shape=(c.D, c.W))


def groups(c: Corpus, number: int, dtype: Any = np.float64) -> Iterator[Group]:
    """The corpus in about `number` groups of whole documents, with about the same number of rows."""
    row_bounds = document_starts(c)
    if number < c.D:
        row_bounds = row_bounds[np.searchsorted(row_bounds, np.linspace(0, c.M, number + 1))]
    row_bounds = np.unique(row_bounds)
    most_rows = np.diff(row_bounds).max(initial=0)
    shared_indices = np.arange(most_rows + 1, dtype=np.int32 if most_rows < 2**31 else np.int64)
    for first_row, end_row in pairwise(row_bounds.tolist()):
        yield group_of(c, slice(first_row, end_row), dtype, shared_indices)


def unique_entries(index: Ints, entry_limit: int) -> tuple[Ints, Ints]:
    """The different entries of an index below a limit, in ascending order, and the number of each entry among them."""
    if 8 * len(index) < entry_limit:
        return np.unique(index, return_inverse=True)
    entries = np.flatnonzero(np.bincount(index.astype(np.intp), minlength=entry_limit))
    rank_of_entry = np.empty(entry_limit, np.int64)
    rank_of_entry[entries] = np.arange(len(entries))
    return entries, rank_of_entry.take(index)


# The sums of an update -----------------------------------------------------------------------------------------------

NOTHING_HELD = Sums(np.empty(0), np.empty(0), np.empty(0))


def total(
    update: Update, gamma: Array, c: Corpus, held_sums: Sums = NOTHING_HELD, pool_map: Run = map, row_groups: Any = None
) -> Sums:
    """The sums of the statistics of an update, rebuilt from gamma, apart from those that are held.

    They are added up group by group over the `row_groups`, as a sweep adds up those of the next.
    """
    statistics_of_first_row = [components_moved(count.statistic(gamma, slice(0, 1)), gamma) for count in update.counts]
    sum_shapes = [(*size, *x.shape[1:]) for size, x in zip(((c.D,), (c.W,), ()), statistics_of_first_row, strict=True)]
    check_memory(sum(map(math.prod, sum_shapes)), "the sums of this update")
    S = Sums(*(x if x.size else np.zeros(shape) for x, shape in zip(held_sums, sum_shapes, strict=True)))
    group_count = min(32, 1 + c.M // FEW_ROWS) if all(count.leaving for count in update.counts) else 1  # see `by_word`
    for group in row_groups or groups(c, group_count, gamma.dtype):
        add_totals((S,), update, gamma, by_word(group, update), pool_map)
    return S


def sum_statistic(count: Count, gamma: Array, c: Corpus) -> Sums:
    """A statistic summed over the tokens of each document (D, C, ..., K), of each word, and of the corpus."""
    return total(Update(term := Term(itself, count), term, term, "nothing"), gamma, c)


def by_word(group: Group, update: Update) -> Group:
    """The group with its rows in the order of their words, whose large sums then change once; without its matrices."""
    if not all(count.leaving for count in update.counts):
        return group
    order_by_word = np.argsort(group.w, kind="stable")
    rows = group.rows.start + order_by_word if isinstance(group.rows, slice) else group.rows[order_by_word]
    return group._replace(rows=rows, n=group.n[order_by_word], j=group.j[order_by_word], w=group.w[order_by_word])


def add_totals(
    targets: tuple[Sums, ...], update: Update, gamma: Array, group: Group, pool_map: Run = map, is_lost: bool = False,
    old_gamma: Array | None = None,
) -> None:  # fmt: skip
    """Add the sums of the three statistics of an update over the rows of a group to all targets.

    Those of documents are written into the first. What `is_lost` is taken out of the targets instead, but not of the
    sums of documents, which are not needed again. From an `old_gamma` to gamma, it is the difference that is lost.
    """
    D, W = group.document_matrix.shape[0], group.word_matrix.shape[0]
    for count in set(update.counts) - {KNOWN}:
        is_of_document, is_of_word, is_of_topic = (x == count for x in update.counts)
        is_of_document &= not is_lost
        statistic = partial(count.statistic, gamma) if old_gamma is None else partial(count.lost, old_gamma, gamma)
        if count.statistic is getitem or (len(group.j) <= FEW_ROWS and not count.leaving):
            matrices = [group.document_matrix] * is_of_document + [group.word_matrix] * (is_of_word or is_of_topic)
            x = components_moved(statistic(group.rows), gamma)
            block_sums: Any = [[(slice(None), entry_sums) for entry_sums in pool_map(partial(summed, x=x), matrices)]]
        else:
            sized_indices = [(group.j, D)] * is_of_document + [(group.w, W)] * (is_of_word or is_of_topic)
            block_sums = sums_of_blocks(statistic, gamma, group, sized_indices, pool_map) if sized_indices else ()
        if is_of_document:
            N_jk = targets[0].jk[group.documents]
            N_jk[...] = 0.0
        for index_sums in filter(None, block_sums):
            entries, entry_sums = index_sums[-1]
            if is_of_document:
                N_jk[index_sums[0][0]] += index_sums[0][1]
            for S in targets:
                if is_of_word:
                    word_rows = entries if isinstance(group.words, slice) else group.words[entries]
                    S.wk[word_rows] = _changed(count, S.wk[word_rows], entry_sums, gamma, is_lost)
                if is_of_topic:
                    S.k[...] = _changed(count, S.k[None], sum_all(entry_sums)[None], gamma, is_lost)[0]


def _changed(count: Count, S: Array, S_part: Array, gamma: Array, is_lost: bool) -> Array:
    if not is_lost:
        return np.add(S, S_part, out=S)
    return components_moved(count.remove(components_moved(S, gamma), components_moved(S_part, gamma)), gamma)


def sums_of_blocks(
    statistic: Callable[[Any], Array], gamma: Array, group: Group, sized_indices: list[tuple[Ints, int]], pool_map: Run
) -> Iterator[list[tuple[Ints, Array]]]:
    """The statistic summed over the tokens of equal index in each block of rows, for each index and its size.

    Of each sum it yields the different entries of the index in the block, and the sums for these.
    """

    def statistic_of(block: slice) -> Array:
        return components_moved(statistic(rows_in(group, block)), gamma)

    def sums_of_block(block: slice) -> list[tuple[Ints, Array]]:
        x, index_sums = statistic_of(block), []
        for index, size in sized_indices:
            entries, entry_numbers = unique_entries(index[block], size)
            index_sums.append((entries, sum_rows(x, group.n[block].astype(np.float64), entry_numbers, len(entries))))
        return index_sums

    blocks = iter(blocks_of(len(group.j), math.prod(statistic_of(slice(0, 1)).shape[1:])))
    while block_batch := list(islice(blocks, 64)):  # a pool may run ahead, but not until memory is full
        yield from pool_map(sums_of_block, block_batch)


def blocks_of(M: int, row_size: int) -> Iterator[slice]:
    """M rows in blocks that fit the cache, of so many numbers a row."""
    size = max(1, BLOCK // row_size, min(1024, 8 * BLOCK // row_size))  # with fewer rows Python takes most of the time
    return (slice(i, min(i + size, M)) for i in range(0, M, size))


def components_moved(x: Array, gamma: Array) -> Array:
    """`x` with its component axis, if any, moved from the first place to the second, or back."""
    return x.swapaxes(0, 1) if x.ndim > gamma.ndim else x
