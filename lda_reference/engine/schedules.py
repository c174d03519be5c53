"""The schedules: when the sums are refreshed.

- `token`: after each row. It is one loop, `sweep_tokens`, also for collapsed Gibbs sampling.
- `document`, `block`, `corpus`: after each document, after each of some groups of documents, after all rows. They are
  one loop over groups of documents, `sweep_blocks`: all rows of a group are computed from the sums before it.

Both hand the weights of new rows to a function `put`, which assigns them.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ..corpus import Corpus, Ints
from ..model import Array
from .counts import (
    Fixed,
    Places,
    Run,
    Statistic,
    Sums,
    blocks_of,
    column,
    components_moved,
    numbered,
    statistic_of,
    totals,
    with_priors,
)
from .update import KNOWN, Assign, Count, Term, Update, soft, weights

FEW = 6  # with fewer blocks of rows, threads cost more than they save
Put = Callable[[Any, Array], None]  # (rows, weights): the new rows


def put_into(new: Array, assign: Assign) -> Put:
    """A function that turns the weights of rows into their new gamma."""

    def put(rows: Any, weights: Array) -> None:
        if assign is soft and isinstance(rows, slice):
            soft(weights, new[rows])  # without a copy
        else:
            new[rows] = assign(weights)

    return put


# Row after row -------------------------------------------------------------------------------------------------------


def sweep_tokens(fixed: Fixed, S: Sums, statistic: Callable[[Count, Any], Statistic], put: Put, c: Corpus) -> None:
    """Update each row in order, and refresh the sums after each.

    `statistic(count, given)(i)` is the statistic of one token of row i, old before `put` and new after it.
    """
    fixed, S = with_priors(fixed, S)
    update, numbers = fixed.update, fixed.numbers
    value_j, value_w, value_k = (term.value for term in update.terms)
    remove_j, remove_w, remove_k = (term.count.remove for term in update.terms)
    nothing, token, plus = update.excludes == "nothing", update.excludes == "token", np.add
    alpha, W_eta = numbers.alpha, numbers.W_eta
    of, times = _of_three_counts({count: statistic(count, x) for count, x in fixed.given.items()}, update, c)
    # lists are faster to index
    eta = [numbers.eta] * c.W if numbers.eta.ndim == 0 else list(numbers.eta.reshape(c.W, -1))
    S_jk, S_wk, S_k = list(S.jk), list(S.wk), S.k
    for i, (j, w, n) in enumerate(zip(c.j.tolist(), c.w.tolist(), c.n.tolist(), strict=True)):
        S_j, S_w = S_jk[j], S_wk[w]
        one = of(i)
        own_j, own_w, own_k = one if n == 1 else times(n, one)
        rest_j, rest_w, rest_k = remove_j(S_j, own_j), remove_w(S_w, own_w), remove_k(S_k, own_k)
        if nothing:
            seen_j, seen_w, seen_k = S_j, S_w, S_k
        elif token and n > 1:
            seen_j, seen_w, seen_k = remove_j(S_j, one[0]), remove_w(S_w, one[1]), remove_k(S_k, one[2])
        else:
            seen_j, seen_w, seen_k = rest_j, rest_w, rest_k
        put(i, weights(update, value_j(alpha, seen_j), value_w(eta[w], seen_w), value_k(W_eta, seen_k)))
        new_j, new_w, new_k = of(i) if n == 1 else times(n, of(i))
        plus(rest_j, new_j, S_j)  # S_j, S_w and S_k are views: this refreshes S
        plus(rest_w, new_w, S_w)
        plus(rest_k, new_k, S_k)


Three = tuple[Any, Any, Any]


def _of_three_counts(
    statistics: dict[Count, Statistic], update: Update, c: Corpus
) -> tuple[Callable[[int], Three], Callable[[int, Three], Three]]:
    """For the three counts of an update: the statistic of one token of a row, and n times such a statistic."""
    of_j, of_w, of_k = (statistics[term.count] for term in update.terms)
    factor = {n: np.asarray(float(n)) for n in np.unique(c.n).tolist()}  # arrays are faster than numbers
    if of_j is of_w is of_k:  # computed once

        def of(i: int) -> Three:
            x = of_j(i)
            return x, x, x

        def times(n: int, one: Three) -> Three:
            x = factor[n] * one[0]
            return x, x, x

    else:

        def of(i: int) -> Three:
            x = of_j(i)
            return x, x if of_w is of_j else of_w(i), of_k(i)

        def times(n: int, one: Three) -> Three:
            x = factor[n]
            return x * one[0], x * one[1], x * one[2]

    return of, times


# Group of documents after group of documents -------------------------------------------------------------------------


class Group(NamedTuple):
    """Some documents: their rows, and of each row its document and its word, numbered within the group."""

    rows: slice
    j: Ints
    w: Ints
    documents: slice  # those of the group, numbered as in the corpus
    words: Any  # a slice or integers, numbered as in the corpus


def groups(c: Corpus, number: int) -> Iterator[Group]:
    """The corpus in about `number` groups of whole documents, with about the same number of rows."""
    if number == 1:
        yield Group(slice(0, c.M), c.j, c.w, slice(None), slice(None))
        return
    ends = np.searchsorted(c.j, np.arange(c.D + 1))  # where the rows of each document begin
    if number < c.D:
        ends = ends[np.searchsorted(ends, np.linspace(0, c.M, number + 1))]
    ends = np.unique(ends)
    for start, stop in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        first, last = int(c.j[start]), int(c.j[stop - 1]) + 1
        # a large group has most of the words, and numbering them would cost more than to refresh all
        words, w = numbered(c.w[start:stop], c.W) if stop - start < 2 * c.W else (slice(None), c.w[start:stop])
        yield Group(slice(start, stop), c.j[start:stop] - first, w, slice(first, last), words)


def sweep_blocks(
    fixed: Fixed, S: Sums, old: Array, new: Array, put: Put, c: Corpus, number: int, run: Run = map
) -> None:
    """For each of `number` groups of documents: compute all its rows from the same sums, then refresh the sums.

    `put` writes the new rows into `new`.
    """
    fixed, S = with_priors(fixed, S)
    for group in groups(c, number):
        here = Sums(S.jk[group.documents], S.wk[group.words], S.k)
        of = weights_of_rows(fixed, here, old, c, group)

        def compute(rows: slice, of: Callable[[slice], Array] = of) -> None:
            put(rows, of(rows))

        blocks = list(blocks_of(group.rows, *(statistic_of(count, old, given) for count, given in fixed.given.items())))
        pool = run if len(blocks) >= FEW else map
        for _ in pool(compute, blocks):
            pass
        if group.rows.stop < c.M:
            _refresh(fixed, S, here, old, new, c, group, pool)


def _refresh(fixed: Fixed, S: Sums, here: Sums, old: Array, new: Array, c: Corpus, group: Group, run: Run) -> None:
    """Refresh the sums of words and corpus after a group. Those of its documents are not needed again."""
    leaves = {count: _loss(count, old, new, given) for count, given in fixed.given.items()}
    at = Places(group.rows, None, 0, group.w, len(here.wk))
    part = totals(fixed.counts, leaves, old.ndim, c.n, at, fixed.known, run)
    _, word, topic = fixed.counts
    if word != KNOWN:
        rest = word.remove(components_moved(here.wk, old), components_moved(part.wk, old))
        S.wk[group.words] = components_moved(rest, old)
    if topic != KNOWN:
        S.k[:] = topic.remove(S.k, part.k)


def _loss(count: Count, old: Array, new: Array, given: Any) -> Statistic:
    """A function of rows that gives their statistic before a sweep minus that after it."""
    before, after = statistic_of(count, old, given), statistic_of(count, new, given)
    return lambda rows: before(rows) - after(rows)


def weights_of_rows(fixed: Fixed, S: Sums, gamma: Array, c: Corpus, group: Group) -> Callable[[slice], Array]:
    """A function that gives the weights of rows of a group, from its sums without what each row excludes."""
    update, numbers, of_count, shift = fixed.update, fixed.numbers, fixed.given, group.rows.start
    if update.excludes == "nothing":
        of_tables = gathered(update, tables(fixed, S, gamma, group.words))
        return lambda rows: of_tables(*(index[rows.start - shift : rows.stop - shift] for index in (group.j, group.w)))

    eta = column(numbers.eta[group.words] if numbers.eta.ndim else numbers.eta, gamma)
    # of each term: its prior number, its sums, and which of them each row needs (None: there is only one)
    sides: tuple[tuple[Term, Any, Array, Ints | None], ...] = (
        (update.document, numbers.alpha, S.jk, group.j),
        (update.word, eta, S.wk, group.w),
        (update.topic, numbers.W_eta, S.k[None], None),
    )
    faster = [term.of_rows(number, sums) if term.of_rows else None for term, number, sums, _ in sides]
    slow = {term.count for term, fast in zip(update.terms, faster, strict=True) if fast is None}
    leaving = {term.count for term, fast in zip(update.terms, faster, strict=True) if fast is not None}

    def of(rows: slice) -> Array:
        local = slice(rows.start - shift, rows.stop - shift)
        of_token = {count: statistic_of(count, gamma, of_count[count])(rows) for count in slow}
        out = {count: left_out(update, part, c.n[rows], gamma) for count, part in of_token.items()}
        numbers_given = {count: of_count[count][rows] if count.draws else of_count[count] for count in leaving}
        gone = {count: count.leaving(gamma[rows], x) for count, x in numbers_given.items()}
        factors = []
        for (term, number, sums, index), fast in zip(sides, faster, strict=True):
            place = None if index is None else index[local]
            if fast is not None:
                factors.append(fast(slice(None) if place is None else place, gone[term.count]))
                continue
            of_rows = components_moved(sums if place is None else sums.take(place, 0), gamma)
            in_place = place is not None and term.count.remove is np.subtract  # memory takes most of the time
            seen = term.count.remove(of_rows, out[term.count], **{"out": of_rows} if in_place else {})
            factors.append(term.value(number[place] if index is group.w and np.ndim(number) else number, seen))
        document, word, topic = factors
        return weights(update, document, word, topic, out=document)

    return of


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
