"""The schedules `document`, `block` and `corpus`: group of documents after group, gamma overwritten.

All rows of a group are computed from the sums before it. They are computed in blocks that fit the cache, and each block
writes its new rows over its old ones, because new arrays of the size of gamma would cost more than the arithmetic.
`Algorithm.sweep` overwrites a copy of gamma; `fit` and the starts own their gamma, and overwrite it.

A sweep also gives the sums of the new gamma, with which the next one begins. It adds them up group by group. Where the
prior numbers are in the sums (`update.is_added`) it is faster to add what a group changes to the sums of words. Such
a sum keeps a rounding error of about 1e-16 for each group, which is small beside the prior number. Without a prior
number it could be all that is left of a topic.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..corpus import Ints
from ..model import Array
from .counts import column, sum_all, summed
from .groups import Group, Run, add_totals, blocks_of, by_word, components_moved, rows_in
from .products import eta_of_words, gathered
from .state import Keeps
from .update import KNOWN, Assign, Count, Pseudocounts, Sums, Update, is_added, ones, soft, weights

FEW = 6  # with fewer blocks of rows, threads cost more than they save


class WordSums(NamedTuple):
    """N_wk as a run has it, which differs from the sums of gamma by rounding."""

    wk: Array


KEPT = Keeps(WordSums, "sums", ("WRK",))  # so that a resumed run goes on with the same numbers


def are_kept(update: Update, numbers: Pseudocounts) -> bool:
    """Whether sums can be kept from sweep to sweep, because a prior number is added to each of them."""
    return all(is_added(term, x, update.excludes) for term, x in zip(update.terms, numbers, strict=True))


def sweep_groups(
    update: Update, numbers: Pseudocounts, S: Sums, gamma: Array, assign: Assign, parts: Iterable[Group],
    together: bool, keeps: bool, run: Run = map, has_change: bool = True,
) -> tuple[Sums, float]:  # fmt: skip
    """For each group: compute all its rows of gamma from the same sums, then refresh S. Both are overwritten.

    With `together`, the schedule `corpus`, S stays as it is. A sweep that `keeps` the sums adds changes to those of
    words, which must be sums of gamma. The results are the sums of the new gamma, unless S stays as it is, and the sum
    of its absolute changes, if somebody asks for it.
    """
    new_S, change, moves = S, 0.0, not (keeps or together)
    if moves:
        tables_of = zip(update.counts[1:], S[1:], strict=True)
        new_S = Sums(S.jk, *(x if count == KNOWN else np.zeros_like(x) for count, x in tables_of))
    moved = np.empty((0, 0))
    for group in parts if keeps else (by_word(group, update) for group in parts):
        first = rows_in(group, slice(0, 1))
        blocks = list(blocks_of(len(group.j), max(np.size(x.statistic(gamma, first)) for x in update.counts)))
        pool = run if len(blocks) >= FEW else map
        if keeps and len(moved) < len(group.j):  # an array that all groups use, because new memory costs time
            del moved
            moved = np.empty((len(group.j) * 33 // 32, *gamma.shape[1:]), gamma.dtype)  # groups differ by a few rows
        wk = S.wk.copy() if moves and isinstance(group.words, slice) else S.wk[group.words]
        group_S = Sums(S.jk[group.documents], wk, S.k.copy())
        weights_of = weights_of_rows(update, numbers, group_S, gamma, group)
        if moves:
            add_totals((S,), update, gamma, group, run, is_lost=True)
        kept_wk: Any = wk if keeps else None
        del wk, group_S  # which are large, as the tables in `weights_of`, where a statistic has many numbers
        job = partial(_compute, gamma, assign, group, weights_of, moved if keeps else None, has_change)
        change += sum(pool(job, blocks))
        del weights_of, job
        if keeps:
            part = summed(group.word_sums, moved[: len(group.j)])
            S.k[...] = np.maximum(S.k + sum_all(part), 0.0)
            kept_wk += part
            S.wk[group.words] = np.maximum(kept_wk, 0.0, out=kept_wk)  # rounding can make a count of 0 -1e-16
            del part, kept_wk
            S.jk[group.documents] = summed(group.document_sums, gamma[group.rows])
        elif moves:
            add_totals((new_S, S), update, gamma, group, run)
    if keeps:
        S.k[...] = sum_all(S.wk)  # as in a run that is resumed with these sums of words
    return new_S, change


def _compute(
    gamma: Array, assign: Assign, group: Group, weights_of: Callable[[slice], Array],
    moved: Array | None, has_change: bool, block: slice,
) -> float:  # fmt: skip
    """Compute a block of rows, and return the sum of their absolute changes if it is wanted."""
    rows, x = rows_in(group, block), weights_of(block)
    x = soft(x, x) if assign is soft else assign(x)
    change = 0.0
    if has_change or moved is not None:
        changes = np.subtract(x, gamma[rows], out=None if moved is None else moved[block])
        if has_change:  # a product, because NumPy is slow to add float32 in double precision
            absolute = np.abs(changes)
            change = float(absolute.dot(ones(absolute.shape[-1], absolute.dtype)).sum(dtype=np.float64))
    gamma[rows] = x
    return change


# The weights of rows -------------------------------------------------------------------------------------------------


def weights_of_rows(
    update: Update, numbers: Pseudocounts, S: Sums, gamma: Array, group: Group
) -> Callable[[slice], Array]:
    """A function that gives the weights of a block of a group, from its sums without what each row excludes.

    A term takes the fastest way that it allows: by `Term.of_rows`; by a subtraction from the sum to which the prior
    number has been added (`is_added`); or by its value at the sum that is left.
    """
    if update.excludes == "nothing":
        of_tables = gathered(update, numbers, S, gamma, group.words)
        return lambda block: of_tables(group.j[block], group.w[block])
    sides: list[Any] = []  # without the sums of a term that has `of_rows`, which may be large
    of_terms = (numbers.alpha, eta_of_words(numbers, gamma, group.words), numbers.W_eta)
    for term, number, sums in zip(update.terms, of_terms, (S.jk, S.wk, S.k[None]), strict=True):
        if term.of_rows:
            sides.append((term, number, False, term.of_rows(number, sums)))
        elif added := is_added(term, number, update.excludes):
            x = np.empty(sums.shape, gamma.dtype)  # filled in blocks, because in float32 a whole value would be larger
            for rows in blocks_of(len(x), x[0].size):
                x[rows] = term.value(number[rows] if np.ndim(number) == x.ndim else number, sums[rows])
            sides.append((term, number, added, x))
        else:
            sides.append((term, number, added, sums))
    left = {term.count for term in update.terms if term.of_rows}
    removed = {term.count for term in update.terms if not term.of_rows}

    def weights_of(block: slice) -> Array:
        rows, values = rows_in(group, block), list[Any]()
        leaving = {count: count.leaving(gamma, rows) for count in left}
        excluded = {count: left_out(update, count, gamma, rows, group.n[block]) for count in removed}
        for i, (term, number, added, prepared) in enumerate(sides):
            index: Any = (group.j[block], group.w[block], slice(None))[i]
            if term.of_rows:
                values.append(prepared(index, leaving[term.count]))
            elif added:
                x, out = (prepared, None) if i == 2 else (prepared.take(index, 0),) * 2
                values.append(np.subtract(x, excluded[term.count], out=out))
            else:
                seen = term.count.remove(components_moved(prepared[index], gamma), excluded[term.count])
                values.append(term.value(number[index] if i == 1 and np.ndim(number) else number, seen))
        document, word, topic = values
        return weights(update, document, word, topic, out=document)

    return weights_of


def left_out(update: Update, count: Count, gamma: Array, rows: Any, n: Ints) -> Array:
    """The statistic that each of some rows, of n tokens, excludes; a fraction below 1 is excluded whole."""
    of_token = count.statistic(gamma, rows)
    if update.excludes == "type":
        return column(n, gamma) * of_token
    return of_token if n.dtype.kind == "i" else column(np.minimum(n, 1.0), gamma) * of_token
