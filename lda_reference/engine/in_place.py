"""The schedules `document`, `block` and `corpus`: group of documents after group, gamma overwritten.

All rows of a group are computed from the sums before it. They are computed in blocks that fit the cache, and each block
writes its new rows over its old ones, because new arrays of the size of gamma would cost more than the arithmetic.
`Algorithm.sweep` sweeps a copy of the state's gamma; `fit` and the starts own their gamma, and sweep it itself.

A sweep also gives the sums of the new gamma, with which the next one begins. It adds them up group by group. Where the
prior numbers are in the sums (`schedules.is_added`) it is faster to add what a group changes to the sums of words. Such
a sum keeps a rounding error of about 1e-16 for each group, which is small beside the prior number. Without a prior
number it could be all that is left of a topic.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..corpus import Ints
from ..model import Array
from .counts import (
    Fixed,
    Run,
    Sums,
    add_totals,
    blocks_of,
    by_word,
    column,
    components_moved,
    statistic_of,
    sum_all,
    summed,
)
from .groups import Group, rows_in
from .schedules import is_added
from .state import Keeps
from .update import KNOWN, Assign, Update, ones, soft, weights

FEW = 6  # with fewer blocks of rows, threads cost more than they save


class WordSums(NamedTuple):
    """N_wk as a run has it, which differs from the sums of gamma by rounding."""

    wk: Array


KEPT = Keeps(WordSums, "sums", ("WRK",), (0.0, float("inf")))  # so that a resumed run goes on with the same numbers


def are_kept(fixed: Fixed) -> bool:
    """Whether sums can be kept from sweep to sweep, because a prior number is added to each of them."""
    update, numbers = fixed.update, fixed.numbers
    return all(is_added(term, x, update.excludes) for term, x in zip(update.terms, numbers, strict=True))


NewRows = Callable[[Array, Any], Array]  # from weights, and the places of their rows in gamma


def assigner(assign: Assign) -> NewRows:
    """An assignment as a function that may overwrite the weights, and does not ask where the rows are."""
    return lambda x, rows: soft(x, x) if assign is soft else assign(x)


def sweep_groups(
    fixed: Fixed, S: Sums, gamma: Array, new: Array, new_rows: NewRows, parts: Iterable[Group], together: bool,
    keeps: bool, run: Run = map, has_change: bool = True,
) -> tuple[Sums, float]:  # fmt: skip
    """For each group: compute all its rows of `new` from the same sums, then refresh S, which is overwritten.

    `new` may be gamma itself. With `together`, the schedule `corpus`, S stays as it is. A sweep that `keeps` the sums
    of words adds changes to them, which `are_kept` must allow. Where gamma is overwritten, the results are the sums of
    the new gamma, and the sum of its absolute changes, if somebody asks for it.
    """
    in_place, change = new is gamma, 0.0
    starts_at_0 = [in_place and not keeps and count != KNOWN for count in fixed.counts[1:]]
    new_S = Sums(S.jk, *(np.zeros_like(x) if at_0 else x for x, at_0 in zip(S[1:], starts_at_0, strict=True)))
    moves = in_place and not (keeps or together)
    moved = buffers = np.empty((0, 0))
    for group in parts if keeps else (by_word(group, fixed) for group in parts):
        first = rows_in(group, slice(0, 1))
        numbers = max(np.size(statistic_of(x, gamma, fixed.given[x])(first)) for x in fixed.counts)
        blocks = list(blocks_of(len(group.j), numbers))
        pool = run if len(blocks) >= FEW else map
        if keeps and len(moved) < len(group.j):  # arrays that all groups use, because new memory takes time
            del moved
            moved = np.empty((len(group.j) * 9 // 8, *gamma.shape[1:]), gamma.dtype)  # groups differ by a few rows
        if buffers.shape[1] < blocks[0].stop:
            buffers = np.empty((4, blocks[0].stop, *gamma.shape[1:]), gamma.dtype)
        wk = S.wk.copy() if moves and isinstance(group.words, slice) else S.wk[group.words]
        shared = buffers if pool is map else None
        weights_of = weights_of_rows(fixed, Sums(S.jk[group.documents], wk, S.k.copy()), gamma, group, shared)
        if moves:
            add_totals((S,), fixed, gamma, group, run, is_lost=True)
        kept_wk: Any = wk if keeps else None
        del wk  # which is large, as the tables in `weights_of`, where a statistic has many numbers
        job = partial(_compute, gamma, new, new_rows, group, weights_of, moved if keeps else None, shared, has_change)
        change += sum(pool(job, blocks))
        del weights_of, job
        if keeps:
            _add_moved(S, kept_wk, gamma if in_place else None, group, moved[: len(group.j)])
        elif in_place:
            add_totals((new_S, S) if moves else (new_S,), fixed, gamma, group, run)
        elif not together:
            add_totals((S,), fixed, gamma, group, run, new, is_lost=True)
    if keeps:
        S.k[...] = sum_all(S.wk)  # as in a run that is resumed with these sums of words
    return new_S, change


def _add_moved(S: Sums, wk: Array, gamma: Array | None, group: Group, moved: Array) -> None:
    """Refresh kept sums after a group, whose rows have moved. Those of words were wk, which is overwritten."""
    part = summed(group.word_sums, moved)
    S.k[...] += sum_all(part)
    wk += part
    S.wk[group.words] = np.maximum(wk, 0.0, out=wk)  # a count is 0 or more; rounding can make it -1e-16
    if gamma is not None:
        S.jk[group.documents] = summed(group.document_sums, gamma[group.rows])


def _compute(
    gamma: Array, new: Array, new_rows: NewRows, group: Group, weights_of: Callable[[slice], Array],
    moved: Array | None, buffers: Array | None, has_change: bool, block: slice,
) -> float:  # fmt: skip
    """Compute a block of rows, and return the sum of their absolute changes if they overwrite the old ones."""
    rows = rows_in(group, block)
    x = new_rows(weights_of(block), rows)
    has_change, free, change = has_change and new is gamma, None if buffers is None else buffers[3, : len(x)], 0.0
    if has_change or moved is not None:
        changes = np.subtract(x, gamma[rows], out=free if moved is None else moved[block])
        if has_change:  # a product, because NumPy is slow to add float32 in double precision
            absolute = np.abs(changes, out=free)
            change = float(absolute.dot(ones(absolute.shape[-1], absolute.dtype)).sum(dtype=np.float64))
    new[rows] = x
    return change


# The weights of rows -------------------------------------------------------------------------------------------------


def weights_of_rows(
    fixed: Fixed, S: Sums, gamma: Array, group: Group, buffers: Array | None = None
) -> Callable[[slice], Array]:
    """A function that gives the weights of a block of a group, from its sums without what each row excludes.

    The weights may be in the buffers, three arrays that have room for the rows of a block.
    """
    update, numbers = fixed.update, fixed.numbers
    if update.excludes == "nothing":
        of_tables = gathered(update, tables(fixed, S, gamma, group.words))
        return lambda block: of_tables(group.j[block], group.w[block])
    eta = column(numbers.eta[group.words] if numbers.eta.ndim else numbers.eta, gamma)
    factors = [
        _factor(fixed, i, number, sums, index, gamma, None if buffers is None else buffers[i])
        for i, (number, sums, index) in enumerate(
            ((numbers.alpha, S.jk, group.j), (eta, S.wk, group.w), (numbers.W_eta, S.k[None], None))
        )
    ]

    def weights_of(block: slice) -> Array:
        rows = rows_in(group, block)
        excluded: dict[Any, Any] = {}
        for term in update.terms:
            count, uniforms = term.count, fixed.given[term.count]
            if term.of_rows and (count, "leaving") not in excluded:
                uniforms = uniforms[rows] if count.draws else uniforms
                excluded[count, "leaving"] = count.leaving(gamma[rows], uniforms)
            elif not term.of_rows and count not in excluded:
                one = statistic_of(count, gamma, uniforms)(rows)
                excluded[count] = left_out(update, one, group.n[block], gamma)
        document, word, topic = (factor(block, excluded) for factor in factors)
        return weights(update, document, word, topic, out=document)

    return weights_of


def _factor(
    fixed: Fixed, i: int, number: Any, sums: Array, index: Ints | None, gamma: Array, buffer: Any
) -> Callable[[slice, dict[Any, Any]], Array]:
    """A term as a function of a block and of what its rows exclude.

    `index` is the document or word of each row, None for the topic term, which has one sum for all rows.
    """
    term = fixed.update.terms[i]
    if term.of_rows:
        rows_of = term.of_rows(number, sums)
        return lambda block, excluded: rows_of(
            slice(None) if index is None else index[block], excluded[term.count, "leaving"]
        )
    if is_added(term, number, fixed.update.excludes):
        table = term.value(number, sums).astype(gamma.dtype, copy=False)

        def added(block: slice, excluded: dict[Any, Any]) -> Array:
            out = None if buffer is None else buffer[: block.stop - block.start]
            # "clip" because NumPy would otherwise copy what it takes, to leave `out` as it was after an error
            x = table if index is None else table.take(index[block], 0, out=out, mode="clip")
            return np.subtract(x, excluded[term.count], out=out)

        return added

    def direct(block: slice, excluded: dict[Any, Any]) -> Array:
        place = slice(None) if index is None else index[block]
        seen = term.count.remove(components_moved(sums[place], gamma), excluded[term.count])
        return term.value(number[place] if i == 1 and np.ndim(number) else number, seen)

    return direct


def left_out(update: Update, one: Array, n: Ints, gamma: Array) -> Array:
    """The statistic that each row excludes, from that of one token; a fraction below 1 is excluded whole."""
    if update.excludes == "type":
        return column(n, gamma) * one
    return one if n.dtype.kind == "i" else column(np.minimum(n, 1.0), gamma) * one


def tables(fixed: Fixed, S: Sums, gamma: Array, words: Any = slice(None)) -> tuple[Array, Array, Array]:
    """The terms of all documents, of all words, and of the topics, with nothing excluded."""
    update, numbers = fixed.update, fixed.numbers
    eta = column(numbers.eta[words] if numbers.eta.ndim else numbers.eta, gamma)
    return (
        update.document.value(numbers.alpha, components_moved(S.jk, gamma)),
        update.word.value(eta, components_moved(S.wk, gamma)),
        update.topic.value(numbers.W_eta, S.k),
    )


def gathered(update: Update, three: tuple[Array, Array, Array]) -> Callable[[Ints, Ints], Array]:
    """The weights of rows (j, w) from the terms of all documents and words."""
    document, word, topic = three
    if not update.logs:
        return _products(document, word / topic)
    (E_jk, _), (E_wk, _) = exponentials(document.copy()), exponentials(word - topic)
    if E_jk.min() * E_wk.min() > 1e-200:
        return _products(E_jk, E_wk)
    # with tiny priors all products of a row could vanish
    return lambda j, w: weights(update, document.take(j, 0), word.take(w, 0), topic)


def exponentials(logs: Array) -> tuple[Array, Array]:
    """The exponentials of logarithms, divided by the largest of each row, and its logarithm; written over them."""
    top = logs.max(-1)
    top = np.where(top > -np.inf, top, 0.0)  # -inf for a word that no row contains
    logs -= top[..., None]
    return np.exp(logs, out=logs), top


def _products(E_jk: Array, E_wk: Array) -> Callable[[Ints, Ints], Array]:
    return lambda j, w: np.multiply(x := E_jk.take(j, 0), E_wk.take(w, 0), out=x)
