"""The update of a row, and the order of a sweep.

AWST09 §2.6 writes the updates of all algorithms in one form:

    gamma_jwk  ∝  document(jk) word(wk) / topic(k)

A row is a document j, a word w and the number n of its tokens. Each term is a function (a, S) of a prior number and a
sum:

    term        a                                   S is a sum over the tokens of
    document    alpha_k                             document j
    word        eta_w                               word w
    topic       the sum of eta over the vocabulary  the corpus

S is the sum of a statistic of each token. For most algorithms the statistic is gamma, and S is the expected count.

For each row, `schedules.sweep_tokens` does this:

    1. seen    = S without what is excluded: nothing, one token of the row, or all n of them
    2. weights = document(alpha, seen_j) word(eta_w, seen_w) / topic(sum of eta, seen_k);
                 exp(document + word - topic) if the terms are logarithms
    3. gamma   = weights / sum of the weights over k                 (`soft`; `hard` and `draw` are alternatives)
    4. S       = S - n * old + n * new, where old and new are the statistic of one token before and after step 3

`counts.total` computes S from gamma at the start of each sweep. This is the schedule `token`; in others step 4 waits,
see `schedules`. Drawn or held theta_jk and phi_wk can replace S (`KNOWN`): nothing is excluded from them, and step 4
leaves them unchanged.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ..arguments import check_choice, expect, kind
from ..model import Array

Assign = Callable[[Array], Array]  # from weights to a row of gamma
ZERO = np.zeros(())  # an array, because NumPy is slower with a float


class Count(NamedTuple):
    """What is known of a count: a statistic of its tokens, which is summed, and how to take a part out of the sum.

    `statistic(gamma, given)` is the statistic of one token of each row. If it has several components, such as a mean
    and a variance, they come first, so that they can be unpacked: (..., K) -> (components, ..., K). `given` is the
    row's uniforms if `draws` is positive, and otherwise None. `remove(sum, part)` is the sum without a part of it.
    """

    statistic: Callable[[Array, Any], Array]
    remove: Callable[[Any, Any], Any]
    draws: int = 0  # the number of uniforms that the statistic takes for each token
    leaving: Any = None  # or a function (gamma, given) -> what `Term.of_rows` needs to exclude one token of each row
    largest: float = float("inf")  # the largest sum of a count and its prior for which the terms keep their digits
    second: str = ""  # what the second component is, if `explain` shows it


def expected(gamma: Array, given: Any) -> Array:
    """gamma itself, so that its sums are the expected counts N_jk, N_wk and N_k."""
    return gamma


def nonnegative_difference(S: Array, part: Array) -> Array:
    """S - part, which is 0 or more in exact arithmetic."""
    return np.maximum(S - part, ZERO)  # rounding can leave -1e-16 S, a negative weight with a prior below that


MEAN = Count(expected, nonnegative_difference)
DRAWN = Count(expected, np.subtract)  # counts of draws are whole numbers, and nothing is rounded


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
    additive: bool = False  # whether value(a, S) is a + S, so that a part can be subtracted from it instead of from S


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
        """The terms of the document, of the word and of the topic."""
        return self.document, self.word, self.topic


def check_update(update: Update) -> None:
    """Raise a ValueError if an update cannot be right, by its terms at the counts 0.1 and 0.9, with a prior of 0.6."""
    check_choice(update.excludes, "excludes", ("nothing", "token", "type"))
    for name, term in zip(Update._fields, update.terms, strict=False):
        expect(isinstance(term, Term), term, f"the {name} term", "a Term, such as Term(f)")
        if term.count.draws or term.count.statistic is no_statistic:
            continue
        x = term.value(np.array(0.6), term.count.statistic(np.array([[0.1, 0.9]]), None))
        if getattr(x, "shape", None) not in ((), (1, 2)):
            raise ValueError(f"the {name} term is {kind(x)}, of shape {np.shape(x)}, expected an array: rows by topics")
        if not np.all(x >= (-np.inf if update.logs else 0)):
            raise ValueError(f"the {name} term is {np.min(x):.3g} at a small count, expected 0 or more, or logs=True")


# The new row ---------------------------------------------------------------------------------------------------------


def weights(update: Update, document: Array, word: Array, topic: Array, out: Array | None = None) -> Array:
    """The right-hand side of the update, up to a constant for each row, which avoids overflow."""
    if not update.logs:
        x = np.multiply(document, word, out)
        x /= topic
        return x
    x = np.add(document, word, out)
    x -= topic
    x -= x.max(-1, keepdims=True)
    return np.exp(x, out=x)


def soft(x: Array, out: Array | None = None) -> Array:
    """The weights x divided by their sum."""
    total = x.dot(ones(x.shape[-1], x.dtype))  # a product, because NumPy is slow to add short rows
    return np.divide(x, total if x.ndim == 1 else total[..., None], out=out)


ones: Callable[..., Array] = cache(np.ones)


def hard(x: Array) -> Array:
    """All mass on the largest weight, or on the first of several equal ones."""
    return np.eye(x.shape[-1])[x.argmax(-1)]


def draw(x: Array, u: Any) -> Any:
    """Topics from weights x (..., K) and uniforms u (...): the number of k < K whose partial sums s_k are <= u s_K."""
    partial = np.add.accumulate(x, -1)
    if x.ndim == 1:
        return bisect_right(partial, u * partial[-1], 0, len(partial) - 1)
    below = partial <= (u * partial[..., -1])[..., None]
    below[..., -1] = False  # so that the first False is at the topic
    return below.argmin(-1)


def log_gammas(a: Array, rng: np.random.Generator) -> Array:
    """The logs of Gamma(a) draws: Gamma(a) is Gamma(a + 1) times the power 1/a of a uniform."""
    return np.log(rng.standard_gamma(a + 1)) - rng.standard_exponential(a.shape) / a


def dirichlet(a: Array, axis: int, rng: np.random.Generator) -> Array:
    """Dirichlet draws along an axis: normalised Gamma variables, in logs because those of tiny shape underflow to 0."""
    logs = log_gammas(a, rng)
    x = np.exp(logs - logs.max(axis, keepdims=True))
    return x / x.sum(axis, keepdims=True)


# Terms that no token changes: held topics, drawn parameters ----------------------------------------------------------


def itself(a: Any, n: Any) -> Any:
    """The held or drawn theta_jk or phi_wk, which stands where S stands."""
    return n


def no_statistic(gamma: Array, given: Any) -> Array:
    """Zero, the statistic of a count that is known."""
    return ZERO


def kept(S: Any, part: Any) -> Any:
    """The sum as it is, with nothing excluded."""
    return S


KNOWN = Count(no_statistic, kept)  # nothing is summed, and nothing is excluded


# Sums to which the prior number has been added. What is left after a subtraction is at least that number, to rounding.
WITH_PRIOR = Term(itself, Count(expected, np.subtract))
HELD = Term(itself, KNOWN)  # the word term if phi_wk is given; the topic term is then 1
