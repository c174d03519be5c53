"""The schedules: when the sums are refreshed.

- `token`: after each row. It is one loop, `sweep_tokens`, also for samplers, which draw one token after the other.
- `document`, `block`, `corpus`: after each document, after each of some groups of documents, after all rows. They are
  one loop over groups of documents, `sweep_blocks`: all rows of a group are computed from the sums before it.

Both hand the weights of new rows to a function `put`, which assigns them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ..corpus import Corpus, Ints
from ..model import Array
from .counts import (
    Run,
    Setting,
    Statistic,
    Sums,
    blocks_of,
    column,
    components_first,
    rows_first,
    statistic_of,
    sum_rows,
)
from .update import KNOWN, Count, Term, Update, weights

Put = Callable[[Any, Array], None]  # (rows, weights): the new rows


# Row after row -------------------------------------------------------------------------------------------------------


def sweep_tokens(x: Setting, S: Sums, statistics: dict[Count, Statistic], put: Put, c: Corpus) -> None:
    """Each row in order, the sums refreshed after each. `statistics` give those of a row, before and after `put`."""
    update, a = x.update, x.a
    (document, word, topic), plus = update.terms, np.add
    value_j, value_w, value_k = document.value, word.value, topic.value
    remove_j, remove_w, remove_k = document.count.remove, word.count.remove, topic.count.remove
    nothing, token = update.excludes == "nothing", update.excludes == "token"
    of, times = _three(statistics, update, c)
    alpha, W_eta, eta = a.alpha, a.W_eta, [a.eta] * c.W if a.eta.ndim == 0 else list(a.eta[:, None])
    for i, (j, w, n) in enumerate(zip(c.j.tolist(), c.w.tolist(), c.n.tolist(), strict=True)):
        S_j, S_w, S_k = S.jk[j], S.wk[w], S.k
        one = of(i)
        out_j, out_w, out_k = one if n == 1 or token else times(n, one)
        rest_j, rest_w, rest_k = remove_j(S_j, out_j), remove_w(S_w, out_w), remove_k(S_k, out_k)
        seen_j, seen_w, seen_k = (S_j, S_w, S_k) if nothing else (rest_j, rest_w, rest_k)
        if n > 1 and token:
            out_j, out_w, out_k = times(n - 1, one)
            rest_j, rest_w, rest_k = remove_j(rest_j, out_j), remove_w(rest_w, out_w), remove_k(rest_k, out_k)
        put(i, weights(update, value_j(alpha, seen_j), value_w(eta[w], seen_w), value_k(W_eta, seen_k)))
        new_j, new_w, new_k = of(i) if n == 1 else times(n, of(i))
        plus(rest_j, new_j, S_j)
        plus(rest_w, new_w, S_w)
        plus(rest_k, new_k, S_k)


Three = tuple[Any, Any, Any]


def _three(
    statistics: dict[Count, Statistic], update: Update, c: Corpus
) -> tuple[Callable[[int], Three], Callable[[int, Three], Three]]:
    """For the three counts of an update: the statistic of one token of a row, and n times such a statistic."""
    of_j, of_w, of_k = (statistics[term.count] for term in update.terms)
    number = {m: np.asarray(float(m)) for n in np.unique(c.n).tolist() for m in (n - 1, n)}  # faster than integers
    if of_j is of_w is of_k:

        def of(i: int) -> Three:
            x = of_j(i)
            return x, x, x

        def times(n: int, one: Three) -> Three:
            x = number[n] * one[0]
            return x, x, x

    else:

        def of(i: int) -> Three:
            x = of_j(i)
            return x, x if of_w is of_j else of_w(i), of_k(i)

        def times(n: int, one: Three) -> Three:
            m = number[n]
            return m * one[0], m * one[1], m * one[2]

    return of, times


# Group of documents after group of documents -------------------------------------------------------------------------


class Group(NamedTuple):
    """Some documents: their rows, and where the rows find their sums among those of the group."""

    rows: slice
    j: Ints
    w: Ints
    documents: slice
    words: Any


def groups(c: Corpus, number: int) -> Iterator[Group]:
    """The corpus in about `number` groups of whole documents, of about as many rows each."""
    if number == 1:
        yield Group(slice(0, c.M), c.j, c.w, slice(None), slice(None))
        return
    ends = np.searchsorted(c.j, np.arange(c.D + 1))  # of the rows of each document
    if number < c.D:
        ends = ends[np.searchsorted(ends, np.linspace(0, c.M, number + 1))]
    ends = np.unique(ends)
    for start, stop in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        first, last = int(c.j[start]), int(c.j[stop - 1]) + 1
        words, w = np.unique(c.w[start:stop], return_inverse=True)
        yield Group(slice(start, stop), c.j[start:stop] - first, w, slice(first, last), words)


def sweep_blocks(x: Setting, S: Sums, old: Array, new: Array, put: Put, c: Corpus, number: int, run: Run = map) -> None:
    """The rows of each of `number` groups of documents from the sums before it, which are refreshed after each group.

    `put` writes the new rows into `new`, which the sums are refreshed from.
    """
    for group in groups(c, number):
        here = Sums(S.jk[group.documents], S.wk[group.words], S.k)
        of = weights_of_rows(x, here, old, c, group)

        def compute(rows: slice, of: Callable[[slice], Array] = of) -> None:
            put(rows, of(rows))

        blocks = blocks_of(group.rows, *(statistic_of(count, old, given) for count, given in x.given.items()))
        for _ in run(compute, list(blocks)):
            pass
        if group.rows.stop < c.M:
            _refresh(x, S, here, old, new, c, group)


def _refresh(x: Setting, S: Sums, here: Sums, old: Array, new: Array, c: Corpus, group: Group) -> None:
    """The sums of words and corpus after a group; those of its documents are not needed again."""
    n = c.n[group.rows].astype(np.float64)

    def moved(count: Count, index: Ints, size: int) -> tuple[Array, Array]:
        """The statistic of the group's rows before and after, summed over rows of equal index."""
        both = (rows_first(statistic_of(count, gamma, x.given[count])(group.rows), gamma) for gamma in (old, new))
        out, into = (sum_rows(rows, n, index, size) for rows in both)
        return out, into

    word, topic = x.update.word.count, x.update.topic.count
    if word != KNOWN:
        out, into = moved(word, group.w, len(group.words))
        rest = word.remove(components_first(here.wk, old), components_first(out, old))
        S.wk[group.words] = rows_first(rest, old) + into
    if topic != KNOWN:
        out, into = (out, into) if topic == word else moved(topic, np.zeros_like(group.w), 1)
        S.k[:] = topic.remove(S.k, out.sum(0)) + into.sum(0)


def weights_of_rows(x: Setting, S: Sums, gamma: Array, c: Corpus, group: Group) -> Callable[[slice], Array]:
    """A function that gives the weights of rows of a group from its sums, what is excluded taken out of them."""
    update, a, given, shift = x.update, x.a, x.given, group.rows.start
    if update.excludes == "nothing":
        of_tables = _gathered(update, tables(x, S, gamma, group.words))
        return lambda rows: of_tables(*(x[rows.start - shift : rows.stop - shift] for x in (group.j, group.w)))

    eta = column(a.eta[group.words] if a.eta.ndim else a.eta, gamma)
    sides = [
        Side(update.document, a.alpha, S.jk, group.j),
        Side(update.word, eta, S.wk, group.w),
        Side(update.topic, a.W_eta, S.k[None], None),
    ]
    faster = [
        side.term.of_rows(side.number, side.S, given[side.term.count]) if side.term.of_rows else None for side in sides
    ]
    slow = {side.term.count for side, fast in zip(sides, faster, strict=True) if fast is None}
    leaving = {side.term.count for side, fast in zip(sides, faster, strict=True) if fast is not None}

    def of(rows: slice) -> Array:
        local = slice(rows.start - shift, rows.stop - shift)
        one = {count: statistic_of(count, gamma, given[count])(rows) for count in slow}
        out = {count: left_out(update, part, c.n[rows], gamma) for count, part in one.items()}
        gone = {count: _leaving(count, gamma, given[count], rows) for count in leaving}
        factors = []
        for side, fast in zip(sides, faster, strict=True):
            count = side.term.count
            if fast is not None:
                factors.append(fast(slice(None) if side.at is None else side.at[local], gone[count]))
                continue
            index = np.zeros(rows.stop - rows.start, np.intp) if side.at is None else side.at[local]
            seen = count.remove(components_first(side.S.take(index, 0), gamma), out[count])
            number = side.number[index] if side.at is group.w and np.ndim(side.number) else side.number
            factors.append(side.term.value(number, seen))
        return weights(update, *factors)

    return of


class Side(NamedTuple):
    """A term with its prior number, its sums, and where each row of a group finds its sum (None: there is one)."""

    term: Term
    number: Any
    S: Array
    at: Ints | None


def left_out(update: Update, one: Array, n: Ints, gamma: Array) -> Array:
    """What rows take out of their sums, from the statistic of one token of each."""
    return column(n, gamma) * one if update.excludes == "type" else one


def _leaving(count: Count, gamma: Array, given: Any, rows: slice) -> Any:
    assert count.leaving is not None
    return count.leaving(gamma[rows], given[rows] if count.draws else given)


def tables(x: Setting, S: Sums, gamma: Array, words: Any = slice(None)) -> tuple[Array, Array, Array]:
    """The terms of all documents, of all words, and of the topics, with nothing excluded."""
    update, a = x.update, x.a
    eta = column(a.eta[words] if a.eta.ndim else a.eta, gamma)
    return (
        update.document.value(a.alpha, components_first(S.jk, gamma)),
        update.word.value(eta, components_first(S.wk, gamma)),
        update.topic.value(a.W_eta, S.k),
    )


def _gathered(update: Update, three: tuple[Array, Array, Array]) -> Callable[[Ints, Ints], Array]:
    """The weights of rows (j, w) from the terms of all documents and words."""
    document, word, topic = three
    if not update.logs:
        E_jk, E_wk = document, word / topic
        return lambda j, w: E_jk.take(j, 0) * E_wk.take(w, 0)
    word = word - topic
    tops = [x.max(-1, keepdims=True) for x in (document, word)]  # -inf for a word without mass, which has no row
    E_jk, E_wk = (np.exp(x - np.where(top > -np.inf, top, 0.0)) for x, top in zip((document, word), tops, strict=True))
    if E_jk.min() * E_wk.min() > 1e-200:
        return lambda j, w: E_jk.take(j, 0) * E_wk.take(w, 0)
    # with tiny priors all products of a row could vanish
    return lambda j, w: weights(update, document.take(j, 0), word.take(w, 0), np.zeros(()))
