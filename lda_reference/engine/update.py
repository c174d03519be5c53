"""The update: three terms and an exclusion.

AWST09 §2.6 observes that the algorithms for LDA are one update with different smoothing:

    gamma_jwk  ∝  document(jk) word(wk) / topic(k)

A **term** is a function of a prior number `a` (alpha, eta, or the sum of eta over the vocabulary) and of what is known
of a count, its sum over the tokens of a document, of a word, or of the corpus. What is known of a count is the sum of
a **statistic** of its tokens: their probabilities, say, or these and their variances. An **exclusion** says what a row
takes out of the sums before its own update: nothing, one token, or all tokens of its type.

The new row is then assigned: `soft` keeps the distribution, `hard` takes its largest topic, and `draw` draws one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ..model import Array

Assign = Callable[[Array], Array]  # from weights to a row of gamma

ZERO = np.zeros(())  # an array, because NumPy is slower with a float


class Count(NamedTuple):
    """What is known of a count: the sum over its tokens of a statistic, and how to take a part out of the sum.

    Attributes
    ----------
    statistic : function (gamma, given) -> array
        Of one token of each row. If it has several components, such as a mean and a variance, they come first:
        (..., K) -> (components, ..., K). `given` is the smallest prior number that a term adds to the count, or, if
        `draws` is positive, the uniforms of each row.
    remove : function (sum, part) -> sum
        The sum without a part of it.
    draws : int
        The number of uniforms that the statistic takes for each token.
    leaving : function (gamma, given) -> anything, or None
        A token of each row in the form that `Term.of_rows` takes out.
    """

    statistic: Callable[[Array, Any], Array]
    remove: Callable[[Any, Any], Any]
    draws: int = 0
    leaving: Callable[[Array, Any], Any] | None = None


def expected(gamma: Array, given: Any) -> Array:
    """gamma itself, so that its sums are the expected counts N_jk, N_wk and N_k."""
    return gamma


def nonnegative_difference(S: Array, part: Array) -> Array:
    """S - part, for a sum of numbers from 0.

    In exact arithmetic S >= part, and the maximum does nothing. In floating point S - part can be about -1e-16 S, which
    would make a probability negative if the prior were smaller than that.
    """
    return np.maximum(S - part, ZERO)


MEAN = Count(expected, nonnegative_difference)


@dataclass(frozen=True)
class Term:
    """One of the three factors of an update.

    Attributes
    ----------
    value : function (a, n) -> array
        The factor, or its logarithm if the update is in logs, from the prior number and what is known of the count.
    count : Count
    of_rows : function (a, S, given) -> function (index, leaving) -> array, or None
        A faster form for many rows. From the sums S (size, [components,] ..., K) of all documents or words it makes a
        function that gives the factor of some of them, each without the token `leaving`. None if it would lose digits.
    """

    value: Callable[[Any, Any], Any]
    count: Count = MEAN
    of_rows: Callable[[Any, Array, Any], Callable[[Any, Any], Array] | None] | None = None


class Update(NamedTuple):
    """The right-hand side of an algorithm's update.

    Attributes
    ----------
    document, word, topic : Term
        The document and the word term multiply, the topic term divides.
    excludes : {"nothing", "token", "type"}
        What a row takes out of the sums before its own update.
    logs : bool
        Whether the terms are given as logarithms.
    """

    document: Term
    word: Term
    topic: Term
    excludes: str
    logs: bool = False

    @property
    def terms(self) -> tuple[Term, Term, Term]:
        return self.document, self.word, self.topic


# Terms that no token changes: held topics, drawn parameters ----------------------------------------------------------


def itself(a: Any, n: Any) -> Any:
    return n


def no_statistic(gamma: Array, given: Any) -> Array:
    return ZERO


def kept(S: Any, part: Any) -> Any:
    return S


KNOWN = Count(no_statistic, kept)


def with_held_topics(update: Update) -> Update:
    """The update with a given phi_wk as its word term and without a topic term."""
    return update._replace(word=Term(itself, KNOWN), topic=Term(itself, KNOWN))


# The new row ---------------------------------------------------------------------------------------------------------


def weights(update: Update, document: Array, word: Array, topic: Array) -> Array:
    """The right-hand side of the update, up to a constant for each row."""
    if not update.logs:
        return document * word / topic
    x = document + word - topic
    return np.exp(x - x.max(-1, keepdims=True))


def soft(x: Array) -> Array:
    """The distribution proportional to the weights x."""
    total = x.dot(_ones(x.shape[-1]))  # a product, because NumPy is slow to add short rows
    return x / (total if x.ndim == 1 else total[..., None])


@cache
def _ones(K: int) -> Array:
    return np.ones(K)


def hard(x: Array) -> Array:
    """All mass on the largest weight, the first of equals."""
    return np.eye(x.shape[-1])[x.argmax(-1)]


def draw(x: Array, u: Any) -> Any:
    """Topics drawn from the weights x (..., K) by the uniforms u (...).

    The topic is the number of the first K-1 partial sums, added in topic order, that are <= u times the last.
    """
    partial = np.add.accumulate(x, -1)
    if x.ndim == 1:
        return int(partial[:-1].searchsorted(u * partial[-1], "right"))
    return (partial[..., :-1] <= (u * partial[..., -1])[..., None]).sum(-1)


def dirichlet(a: Array, axis: int, rng: np.random.Generator) -> Array:
    """Dirichlet draws along an axis, as normalised gamma variables, in logs because those of tiny shapes underflow."""
    # Gamma(a) is Gamma(a + 1) times the power 1/a of a uniform
    logs = np.log(rng.standard_gamma(a + 1)) - rng.standard_exponential(a.shape) / a
    x = np.exp(logs - logs.max(axis, keepdims=True))
    return x / x.sum(axis, keepdims=True)
