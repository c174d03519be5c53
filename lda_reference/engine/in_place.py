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

FEW_BLOCKS = 6  # with fewer blocks of rows, threads cost more than they save


class WordSums(NamedTuple):
    """N_wk as a run has it, which differs from the sums of gamma by rounding."""

    wk: Array


KEPT_SUMS = Keeps(WordSums, "sums", ("WRK",))  # so that a resumed run goes on with the same numbers


def are_kept(update: Update, pseudo: Pseudocounts) -> bool:
    """Whether sums can be kept from sweep to sweep, because a prior number is added to each of them."""
    return all(is_added(term, a, update.excludes) for term, a in zip(update.terms, pseudo, strict=True))


def sweep_groups(
    update: Update, pseudo: Pseudocounts, S: Sums, gamma: Array, assign: Assign, row_groups: Iterable[Group],
    all_at_once: bool, keeps_sums: bool, pool_map: Run = map, has_change: bool = True, old_gamma: Array | None = None,
) -> tuple[Sums, float]:  # fmt: skip
    """For each group: compute all its rows of gamma from the same sums, then refresh S. Both are overwritten.

    With `all_at_once`, the schedule `corpus`, S stays as it is. A sweep that `keeps_sums` adds changes to those of
    words, which must be sums of gamma. The results are the sums of the new gamma, unless S stays as it is or a copy of
    the `old_gamma` is given, and the sum of the absolute changes of gamma, if somebody asks for it.
    """
    new_S, total_change, refreshes_sums = S, 0.0, not (keeps_sums or all_at_once)
    changes_sums = refreshes_sums and old_gamma is not None and all(count.lost for count in update.counts)
    if rebuilds_sums := refreshes_sums and not changes_sums:
        counts_and_sums = zip(update.counts[1:], S[1:], strict=True)
        new_S = Sums(S.jk, *(x if count == KNOWN else np.zeros_like(x) for count, x in counts_and_sums))
    changes = np.empty((0, 0))
    for group in row_groups if keeps_sums else (by_word(group, update) for group in row_groups):
        first_row = rows_in(group, slice(0, 1))
        blocks = list(blocks_of(len(group.j), max(np.size(x.statistic(gamma, first_row)) for x in update.counts)))
        block_map = pool_map if len(blocks) >= FEW_BLOCKS else map
        if keeps_sums and len(changes) < len(group.j):  # an array that all groups use, because new memory costs time
            del changes
            changes = np.empty((len(group.j) * 33 // 32, *gamma.shape[1:]), gamma.dtype)  # groups differ by a few rows
        if isinstance(group.words, slice):
            group_wk = S.wk.copy() if rebuilds_sums else S.wk[group.words]
        else:
            group_wk = S.wk.take(group.words, 0)  # which is faster than an index
        weights_of = weights_of_rows(update, pseudo, Sums(S.jk[group.documents], group_wk, S.k.copy()), gamma, group)
        if rebuilds_sums:
            add_totals((S,), update, gamma, group, pool_map, is_lost=True)
        kept_wk: Any = group_wk if keeps_sums else None
        del group_wk  # which is large, as the tables in `weights_of` are, where a statistic has many numbers
        overwrite = partial(_overwrite, gamma, assign, group, weights_of, changes if keeps_sums else None, has_change)
        total_change += sum(block_map(overwrite, blocks))
        del weights_of, overwrite
        if keeps_sums:
            wk_change = summed(group.word_matrix, changes[: len(group.j)])
            S.k[...] = np.maximum(S.k + sum_all(wk_change), 0.0)  # rounding can make a count of 0 -1e-16
            kept_wk += wk_change
            S.wk[group.words] = np.clip(kept_wk, 0.0, np.inf, out=kept_wk)  # likewise; `maximum` takes twice as long
            del wk_change, kept_wk
            S.jk[group.documents] = summed(group.document_matrix, gamma[group.rows])
        elif refreshes_sums:
            targets, lost_from = ((S,), old_gamma) if changes_sums else ((new_S, S), None)
            add_totals(targets, update, gamma, group, pool_map, changes_sums, lost_from)
    if keeps_sums:
        S.k[...] = sum_all(S.wk)  # as in a run that is resumed with these sums of words
    return new_S, total_change


def _overwrite(
    gamma: Array, assign: Assign, group: Group, weights_of: Callable[[slice], Array],
    changes: Array | None, has_change: bool, block: slice,
) -> float:  # fmt: skip
    """Compute a block of rows, and return the sum of their absolute changes if it is wanted."""
    rows, new_gamma = rows_in(group, block), weights_of(block)
    new_gamma = soft(new_gamma, new_gamma) if assign is soft else assign(new_gamma)
    total_change = 0.0
    if has_change or changes is not None:
        block_changes = np.subtract(new_gamma, gamma[rows], out=None if changes is None else changes[block])
        if has_change:  # a product, because NumPy is slow to add float32 in double precision
            abs_change = np.abs(block_changes)
            total_change = float(abs_change.dot(ones(abs_change.shape[-1], abs_change.dtype)).sum(dtype=np.float64))
    gamma[rows] = new_gamma
    return total_change


# The weights of rows -------------------------------------------------------------------------------------------------


def weights_of_rows(
    update: Update, pseudo: Pseudocounts, S: Sums, gamma: Array, group: Group
) -> Callable[[slice], Array]:
    """A function that gives the weights of a block of a group, from its sums without what each row excludes.

    A term takes the fastest way that it allows: by `Term.of_rows`; by a subtraction from the sum to which the prior
    number has been added (`is_added`); or by its value at the sum that is left.
    """
    if update.excludes == "nothing":
        weights_at = gathered(update, pseudo, S, gamma, group.words)
        return lambda block: weights_at(group.j[block], group.w[block])
    prepared_terms: list[Any] = []  # without the sums of a term that has `of_rows`, which may be large
    term_priors = (pseudo.alpha, eta_of_words(pseudo, gamma, group.words), pseudo.W_eta)
    for i, (term, a, sums) in enumerate(zip(update.terms, term_priors, (S.jk, S.wk, S.k[None]), strict=True)):
        if term.of_rows:
            prepared_terms.append((term, a, False, term.of_rows(a, sums)))
        elif adds_prior := is_added(term, a, update.excludes):
            if i == 2:  # for each row of a block, because NumPy is slow to repeat short rows
                sums = sums.repeat(next(blocks_of(len(group.j), gamma[0].size)).stop, 0)
            a_plus_S = np.empty(sums.shape, gamma.dtype)  # filled in blocks: in float32 a whole value would be larger
            for rows in blocks_of(len(a_plus_S), a_plus_S[0].size):
                a_plus_S[rows] = term.value(a[rows] if np.ndim(a) == a_plus_S.ndim else a, sums[rows])
            prepared_terms.append((term, a, adds_prior, a_plus_S))
        else:
            prepared_terms.append((term, a, adds_prior, sums))
    leaving_counts = {term.count for term in update.terms if term.of_rows}
    removed_counts = {term.count for term in update.terms if not term.of_rows}

    def weights_of(block: slice) -> Array:
        rows, term_values = rows_in(group, block), list[Any]()
        leaving_by_count = {count: count.leaving(gamma, rows) for count in leaving_counts}
        excluded_by_count = {count: left_out(update, count, gamma, rows, group.n[block]) for count in removed_counts}
        for i, (term, a, adds_prior, prepared_term) in enumerate(prepared_terms):
            index: Any = (group.j[block], group.w[block], slice(block.stop - block.start))[i]
            if term.of_rows:
                term_values.append(prepared_term(index, leaving_by_count[term.count]))
            elif adds_prior:
                a_plus_S, out = (prepared_term[index], None) if i == 2 else (prepared_term.take(index, 0),) * 2
                term_values.append(np.subtract(a_plus_S, excluded_by_count[term.count], out=out))
            else:
                seen_S = term.count.remove(components_moved(prepared_term[index], gamma), excluded_by_count[term.count])
                term_values.append(term.value(a[index] if i == 1 and np.ndim(a) else a, seen_S))
        document_term, word_term, topic_term = term_values
        return weights(update, document_term, word_term, topic_term, out=document_term)

    return weights_of


def left_out(update: Update, count: Count, gamma: Array, row_places: Any, n: Ints) -> Array:
    """The statistic that each of some rows, of n tokens, excludes; a fraction below 1 is excluded whole."""
    token_statistic = count.statistic(gamma, row_places)
    if update.excludes == "type":
        return column(n, gamma) * token_statistic
    return token_statistic if n.dtype.kind == "i" else column(np.minimum(n, 1.0), gamma) * token_statistic
