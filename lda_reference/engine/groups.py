"""The rows of a corpus in groups of documents, whose rows are treated together."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csc_array, csr_array

from ..corpus import Corpus, Ints


class Group(NamedTuple):
    """Some rows that are treated together: those of some documents, or of a whole corpus."""

    rows: Any  # where they are in gamma, a slice or Ints
    n: Ints
    j: Ints  # their documents and words, numbered within the group
    w: Ints
    documents: Any  # the documents and words of the group, numbered as in the corpus, a slice or Ints
    words: Any
    document_sums: Any  # sparse (documents, rows) and (words, rows): times the rows of gamma, they are N_jk and N_wk
    word_sums: Any


def group_of(c: Corpus, rows: slice, dtype: Any = np.float64, numbers: Ints | None = None) -> Group:
    """Rows of a corpus as a group. `numbers` are 0, 1, ..., of which many groups may share the memory."""
    n, j, w = c.n[rows], c.j[rows], c.w[rows]
    is_all = len(n) == c.M
    first, last = (0, c.D) if is_all else (int(j[0]), int(j[-1]) + 1)
    # a large group has most of the words, and numbering them would cost more than to take all
    words, w = (slice(None), w) if is_all or len(n) >= 2 * c.W else numbered(w, c.W)
    numbers = np.arange(len(n) + 1, dtype=np.int32 if len(n) < 2**31 else np.int64) if numbers is None else numbers
    j, w, weight = (j - first).astype(numbers.dtype), w.astype(numbers.dtype), n.astype(dtype)
    D, W = last - first, c.W if isinstance(words, slice) else len(words)
    ends = np.searchsorted(j, np.arange(D + 1)).astype(numbers.dtype)
    document_sums = csr_array((weight, numbers[: len(n)], ends), shape=(D, len(n)))
    word_sums = csc_array((weight, w, numbers[: len(n) + 1]), shape=(W, len(n)))
    return Group(rows, n, j, w, slice(first, last), words, document_sums, word_sums)


def rows_in(group: Group, block: slice) -> Any:
    """Where gamma has the rows of a block of a group."""
    if isinstance(group.rows, slice):
        return slice(group.rows.start + block.start, group.rows.start + block.stop)
    return group.rows[block]


def groups(c: Corpus, number: int, dtype: Any = np.float64) -> Iterator[Group]:
    """The corpus in about `number` groups of whole documents, with about the same number of rows."""
    if number == 1:
        yield group_of(c, slice(0, c.M), dtype)
        return
    ends = np.searchsorted(c.j, np.arange(c.D + 1))  # where the rows of each document begin
    if number < c.D:
        ends = ends[np.searchsorted(ends, np.linspace(0, c.M, number + 1))]
    ends = np.unique(ends)
    numbers = np.arange(np.diff(ends).max(initial=0) + 1, dtype=np.int32)
    for start, stop in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        yield group_of(c, slice(start, stop), dtype, numbers)


def numbered(index: Ints, size: int) -> tuple[Ints, Ints]:
    """The different entries of an index below `size`, in ascending order, and the number of each entry among them."""
    if 8 * len(index) < size:
        return np.unique(index, return_inverse=True)
    present = np.flatnonzero(np.bincount(index.astype(np.intp), minlength=size))
    number = np.empty(size, np.int64)
    number[present] = np.arange(len(present))
    return present, number.take(index)
