"""The update of a row, and a sweep row by row.

AWST09 §2.6 observes that its updates (5) and (11) to (14) are products of such terms. Here all updates have this form:

    gamma_jwk  ∝  document(jk) word(wk) / topic(k)

A row is a document j, a word w and the number n of its tokens. Each term is a function (a, S) of a prior number and a
sum:

    term        a                                   S is a sum over the tokens of
    document    alpha_k                             document j
    word        eta_w                               word w
    topic       the sum of eta over the vocabulary  the corpus

S is the sum of a statistic of each token. For most algorithms the statistic is gamma, and S is the expected count.

For each row, `sweep_tokens` does this:

    1. seen    = S without what is excluded: nothing, one token of the row, or all n of them
    2. weights = document(alpha, seen_j) word(eta_w, seen_w) / topic(sum of eta, seen_k);
                 exp(document + word - topic) if the terms are logarithms
    3. gamma   = weights / sum of the weights over k                 (`soft`; `hard` and `draw` are alternatives)
    4. S       = S - n * old + n * new, where old and new are the statistic of one token before and after step 3

`groups.total` computes S from gamma at the start of each sweep. This is the schedule `token`; in others step 4 waits,
see `in_place`. Drawn or held theta_jk and phi_wk can replace S (`KNOWN`): nothing is excluded from them, and step 4
leaves them unchanged.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from operator import getitem
from typing import Any, NamedTuple

import numpy as np

from ..arguments import check_choice, expect, kind
from ..corpus import Corpus, Ints
from ..model import Array, Prior, column

Assign = Callable[[Array], Array]  # from weights to a row of gamma
ZERO = np.zeros(())  # an array, because NumPy is slower with a float


class Count(NamedTuple):
    """How tokens are counted: a statistic of each token, which is summed, and how to take a part out of the sum.

    `statistic(gamma, rows)` is the statistic of one token of some rows of gamma, or of one row. If it has several
    components, such as a mean and a variance, they come first, so that they can be unpacked: (components, ..., K).
    `remove(sum, part)` is the sum without a part of it.
    """

    statistic: Callable[..., Array]
    remove: Callable[[Any, Any], Any]
    draws: int = 0  # of the topic term: the number of uniforms for each token that `statistic` and `leaving` take
    leaving: Any = None  # or a function (gamma, rows) -> what `Term.of_rows` needs to exclude one token of each row
    lost: Any = None  # or a function (old gamma, gamma, rows) -> the statistic of old gamma - that of gamma, faster
    largest: float = float("inf")  # the largest sum of a count and its prior for which the terms keep their digits
    second: str = ""  # what the second component is, if `explain` shows it


def nonnegative_difference(S: Array, part: Array) -> Array:
    """S - part, which is 0 or more in exact arithmetic."""
    return np.maximum(S - part, ZERO)  # rounding can leave -1e-16 S, a negative weight with a prior below that


MEAN = Count(getitem, nonnegative_difference)  # of gamma itself, so that S is the expected count N_jk, N_wk or N_k
DRAWN_COUNT = Count(getitem, np.subtract)  # counts of draws are whole numbers, and nothing is rounded


@dataclass(frozen=True)
class Term:
    """One of the three terms of an update.

    `value(a, S)` is the term, or its logarithm if the update is in logs, from the prior number and the sum without what
    is excluded. S is called N where it is a count, NV where it has a mean and a variance.

    `of_rows`, if there is one, is a faster form for many rows. From the sums S (size, [components,] ..., K) of all
    documents or words, `of_rows(a, S)` makes a function (index, leaving) -> array that gives the term of some rows:
    `index` is the row's document or word, `leaving` is that of its count.
    """

    value: Callable[[Any, Any], Any]
    count: Count = MEAN
    of_rows: Callable[[Any, Array], Callable[[Any, Any], Array]] | None = None
    additive: bool = False  # whether value(a, S) is a + S: rows can be subtracted from that, and tokens be drawn ahead


class Update(NamedTuple):
    """The right-hand side of an algorithm's update: the document and the word term multiply, the topic term divides.

    A row takes out of the sums before its own update what it `excludes`: nothing, one token, or all n of its type.
    `plain` (gamma, corpus, prior, row) -> weights is the update of a row as plain code, for tiny corpora. It replaces
    the terms, unless topics are held.
    """

    document: Term
    word: Term
    topic: Term
    excludes: str  # "nothing", "token" or "type"
    logs: bool = False  # whether the terms are given as logarithms
    plain: Callable[[Array, Any, Any, int], Array] | None = None

    @property
    def terms(self) -> tuple[Term, Term, Term]:
        return self.document, self.word, self.topic

    @property
    def counts(self) -> tuple[Count, Count, Count]:
        return self.document.count, self.word.count, self.topic.count

    def with_uniforms(self, uniforms: Array) -> Update:
        """The same with the uniforms (M, [R,] S) of a sweep, for a topic term that draws."""
        count = self.topic.count
        statistic, leaving = (partial(function, uniforms=uniforms) for function in (count.statistic, count.leaving))
        return self._replace(topic=replace(self.topic, count=count._replace(statistic=statistic, leaving=leaving)))


def check_update(update: Update) -> None:
    """Raise a ValueError if an update cannot be right, by its terms at the counts 0.1 and 0.9, with a prior of 0.6."""
    check_choice(update.excludes, "excludes", ("nothing", "token", "type"))
    for name, term in zip(Update._fields, update.terms, strict=False):
        expect(isinstance(term, Term), term, f"the {name} term", "a Term, such as Term(f)")
        if term.count.draws and name != "topic":
            raise ValueError(f"the {name} term draws, expected the topic term alone to draw")
        if term.count.draws:
            continue
        x = term.value(np.array(0.6), term.count.statistic(np.array([[0.1, 0.9]]), ...))
        if getattr(x, "shape", None) not in ((), (1, 2)):
            raise ValueError(f"the {name} term is {kind(x)}, of shape {np.shape(x)}, expected an array: rows by topics")
        if not np.all(x >= (-np.inf if update.logs else 0)):
            raise ValueError(f"the {name} term is {np.min(x):.3g} at a small count, expected 0 or more, or logs=True")


# The new row ---------------------------------------------------------------------------------------------------------


def weights(update: Update, document: Array, word: Array, topic: Array, out: Array | None = None) -> Array:
    """The right-hand side of the update, up to a constant for each row, which avoids overflow."""
    if not update.logs:
        row_weights = np.multiply(document, word, out)
        row_weights /= topic
        return row_weights
    row_weights = np.add(document, word, out)
    row_weights -= topic
    row_weights -= row_weights.max(-1, keepdims=True)
    return np.exp(row_weights, out=row_weights)


def soft(x: Array, out: Array | None = None) -> Array:
    """The weights x divided by their sum."""
    row_sums = x.dot(ones(x.shape[-1], x.dtype))  # a product, because NumPy is slow to add short rows
    return np.divide(x, row_sums if x.ndim == 1 else row_sums[..., None], out=out)


ones: Callable[..., Array] = cache(np.ones)


def hard(x: Array) -> Array:
    """All mass on the largest weight, or on the first of several equal ones."""
    return np.eye(x.shape[-1])[x.argmax(-1)]


def draw(x: Array, u: Any) -> Any:
    """Topics from weights x (..., K) and uniforms u (...): the number of k < K whose partial sums s_k are <= u s_K."""
    cumulative = np.add.accumulate(x, -1)
    if x.ndim == 1:
        return bisect_right(cumulative, u * cumulative[-1], 0, len(cumulative) - 1)
    is_below = cumulative <= (u * cumulative[..., -1])[..., None]
    is_below[..., -1] = False  # so that the first False is at the topic
    return is_below.argmin(-1)


# Terms that no token changes: held topics, drawn parameters ----------------------------------------------------------


def itself(a: Any, n: Any) -> Any:
    """What stands where S stands: theta_jk or phi_wk, held or drawn, or a + S of an additive term."""
    return n


def no_statistic(gamma: Array, rows: Any) -> Array:
    """Zero, the statistic of a count that is known."""
    return ZERO


KNOWN = Count(no_statistic, np.subtract)  # nothing is summed, and nothing is excluded

HELD_TERM = Term(itself, KNOWN)  # the word term if phi_wk is given; the topic term is then 1, or log 1


# A sweep row by row --------------------------------------------------------------------------------------------------


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


def is_added(term: Term, a: Any, excludes: str) -> bool:
    """Whether the prior number is added to the sums of a term once, and not again for every row.

    A row's own tokens are then subtracted from a + S instead of S. With a prior number below 1e-3 the rounding of a + S
    would cost digits. Sums of draws stay whole numbers.
    """
    can_be_added = term.additive and term.count != DRAWN_COUNT
    return can_be_added and excludes != "nothing" and float(np.min(a)) >= 1e-3


def sweep_rows(update: Update, pseudo: Pseudocounts, S: Sums, gamma: Array, assign: Assign, c: Corpus) -> None:
    """Overwrite gamma by an update of each row in order. S may change."""

    def put_gamma(i: int, row_weights: Array) -> None:
        gamma[i] = assign(row_weights)

    sweep_tokens(update, pseudo, S, (c.j, c.w, c.n), gamma, range(c.M), put_gamma)


def sweep_tokens(
    update: Update, pseudo: Pseudocounts, S: Sums, rows: tuple[Ints, Ints, Ints], gamma: Any, places: Any,
    put: Callable[[int, Array], None],
) -> None:  # fmt: skip
    """Update rows (j, w, n) in order, and refresh after each the sums S, or a + S of additive terms.

    `put(i, weights)` makes the new row i. Before it gamma[places[i]] is the old row, and after it the new one.
    """
    add_into, excludes_nothing, excludes_token = np.add, update.excludes == "nothing", update.excludes == "token"
    (alpha, eta, W_eta), triples = pseudo, []
    for term, a, S_t in zip(update.terms, (alpha, column(eta, S.wk), W_eta), S, strict=True):
        is_in_S = is_added(term, a, update.excludes)
        triples.append((term.value(a, S_t), itself, np.subtract) if is_in_S else (S_t, term.value, term.count.remove))
    (S_jk, value_j, remove_j), (S_wk, value_w, remove_w), (S_k, value_k, remove_k) = triples
    distinct_counts = list(dict.fromkeys(update.counts))  # the statistic of each is computed once
    statistics = [count.statistic for count in distinct_counts]
    ix_j, ix_w, ix_k = (distinct_counts.index(count) for count in update.counts)
    # lists are faster to index than arrays, and arrays are faster to multiply with than numbers
    eta = [eta] * len(S.wk) if eta.ndim == 0 else list(eta.reshape(len(S.wk), -1))
    float_of_n = {n: np.asarray(float(n)) for n in np.unique(rows[2]).tolist()}
    rows_jk, rows_wk = list(S_jk), list(S_wk)
    for i, (j, w, n) in enumerate(zip(*(x.tolist() for x in rows), strict=True)):
        S_j, S_w = rows_jk[j], rows_wk[w]
        one_n = [statistic(gamma, places[i]) for statistic in statistics]
        all_n = one_n if n == 1 else [float_of_n[n] * x for x in one_n]
        left_j, left_w, left_k = remove_j(S_j, all_n[ix_j]), remove_w(S_w, all_n[ix_w]), remove_k(S_k, all_n[ix_k])
        if excludes_nothing:
            seen_j, seen_w, seen_k = S_j, S_w, S_k
        elif excludes_token and n > 1:
            seen_j, seen_w, seen_k = remove_j(S_j, one_n[ix_j]), remove_w(S_w, one_n[ix_w]), remove_k(S_k, one_n[ix_k])
        else:
            seen_j, seen_w, seen_k = left_j, left_w, left_k
        put(i, weights(update, value_j(alpha, seen_j), value_w(eta[w], seen_w), value_k(W_eta, seen_k)))
        new_one = [statistic(gamma, places[i]) for statistic in statistics]
        all_n = new_one if n == 1 else [float_of_n[n] * x for x in new_one]
        add_into(left_j, all_n[ix_j], S_j)  # S_j, S_w and S_k are views: this refreshes S, or a + S
        add_into(left_w, all_n[ix_w], S_w)
        add_into(left_k, all_n[ix_k], S_k)
