"""Updates that exclude nothing: their weights, and sweeps in `corpus` and `nested` order that make no gamma.

Without an exclusion the weight of a topic is a product of a term of the document and a term of the word:

    gamma_jwk = E_jk E_wk / Z_jw        Z_jw = sum_k E_jk E_wk

The sums after a soft update are therefore products of matrices, in which gamma does not appear:

    N_jk = E_jk sum_w (n_jw / Z_jw) E_wk        N_wk = E_wk sum_j (n_jw / Z_jw) E_jk

In the schedule `nested`, SOL14 Algorithm 1, documents do not depend on one another, because the topics are fixed. Those
of similar length are computed together, in a stack, which a document leaves when it has converged.
"""

import math
import operator
from collections.abc import Callable, Iterator
from functools import cache
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from ..corpus import Corpus, Ints
from ..model import Array, Prior, log_joint_of_documents
from .counts import column, sum_all
from .groups import Run, begins, blocks_of, components_moved, documents_by_words, groups, sums_of_blocks
from .state import Recipe, Rows, State
from .update import KNOWN, MEAN, Assign, Pseudocounts, Sums, Update, soft, weights

SMALLEST = 1e-200  # Z; with tiny priors all products of a row could vanish
STACK = 2**18  # numbers of a stack: 2 MB
CONVERGED = 1e-4  # SOL14 Algorithm 1, line 9: the relative change of a document's part of the objective


def eta_of_words(numbers: Pseudocounts, gamma: Array, words: Any) -> Array:
    """The prior numbers of some words, of a shape that can be added to their sums."""
    return column(numbers.eta[words] if numbers.eta.ndim else numbers.eta, gamma)


def terms_of(
    update: Update, numbers: Pseudocounts, S: Sums, gamma: Array, words: Any = slice(None)
) -> tuple[Rows, Rows, Array]:
    """The terms of documents and of words, two functions of a slice, and of the topics, with nothing excluded."""
    eta = eta_of_words(numbers, gamma, words)

    def of_words(rows: slice) -> Array:
        x: Array = update.word.value(eta[rows] if eta.ndim else eta, components_moved(S.wk[rows], gamma))
        return x

    def of_documents(rows: slice) -> Array:
        x: Array = update.document.value(numbers.alpha, components_moved(S.jk[rows], gamma))
        return x

    return of_documents, of_words, update.topic.value(numbers.W_eta, S.k)


def factors(update: Update, document: Rows, word: Rows, topic: Array) -> tuple[Rows, Rows]:
    """E_jk and E_wk from the three terms; those of logarithms are divided by the largest of each row."""
    if not update.logs:
        return document, lambda rows: word(rows) / topic
    return lambda rows: exponentials(document(rows).copy())[0], lambda rows: exponentials(word(rows) - topic)[0]


def table(rows_of: Rows, shape: tuple[int, ...], dtype: Any = float) -> Array:
    """All rows, which are computed in blocks, because what they are computed from takes memory."""
    x = np.empty(shape, dtype)
    for rows in blocks_of(len(x), math.prod(shape[1:])):
        x[rows] = rows_of(rows)
    return x


def exponentials(logs: Array) -> tuple[Array, Array]:
    """The exponentials of logarithms, divided by the largest of each row, and its logarithm; written over them."""
    top = logs.max(-1)
    top = np.where(top > -np.inf, top, 0.0)  # -inf for a word that no row contains
    logs -= top[..., None]
    return np.exp(logs, out=logs), top


def gathered(
    update: Update, numbers: Pseudocounts, S: Sums, gamma: Array, words: Any = slice(None)
) -> Callable[[Ints, Ints], Array]:
    """The weights of rows (j, w), in new arrays. Only the factors of all words are kept."""
    document, word, topic = terms_of(update, numbers, S, gamma, words)
    of_documents, of_words = factors(update, document, word, topic)
    E_wk = table(of_words, (len(S.wk), *gamma.shape[1:]))
    smallest, word_logs = E_wk.min(), cache(lambda: table(word, E_wk.shape))

    def weights_of(j: Ints, w: Ints) -> Array:
        first = j.min()
        documents, place = slice(first, j.max() + 1), j - first
        E_jk = of_documents(documents)
        if update.logs and not E_jk.min() * smallest > SMALLEST:
            return weights(update, document(documents).take(place, 0), word_logs().take(w, 0), topic)
        return np.multiply(x := E_jk.take(place, 0), E_wk.take(w, 0), out=x)

    return weights_of


# In `corpus` order ---------------------------------------------------------------------------------------------------


class OneUpdate(NamedTuple):
    """gamma as one update of all rows from the sums before a sweep, which is made when somebody asks for it."""

    update: Update
    numbers: Pseudocounts
    sums: Sums

    def __call__(self, c: Corpus) -> Rows:
        """A function that gives the rows of gamma in a slice."""
        weights_of = gathered(self.update, self.numbers, self.sums, self.sums.jk)
        return lambda rows: soft(x := weights_of(c.j[rows], c.w[rows]), x)


def needs_no_gamma(update: Update, assign: Assign) -> bool:
    """Whether a sweep in `corpus` order is a product of matrices."""
    return assign is soft and update.excludes == "nothing" and set(update.counts) <= {MEAN, KNOWN}


def after_update(update: Update, numbers: Pseudocounts, S: Sums, c: Corpus, run: Run = map) -> State:
    """The state after one update of all rows from the sums S."""
    sums_after = by_replicate(lambda part: _sums_after(OneUpdate(update, numbers, part), c, run), S)
    return State(Recipe(OneUpdate(update, numbers, S), c, sums_after))


def by_replicate(function: Callable[[Sums], Sums], S: Sums) -> Sums:
    """What a function makes of sums without a replicate axis; with that axis, of the sums of each replicate."""
    if S.jk.ndim == 2:
        return function(S)
    runs = S.jk.shape[1:]
    wk, k = np.broadcast_to(S.wk, (len(S.wk), *runs)), np.broadcast_to(S.k, runs)
    parts = [function(Sums(S.jk[:, r], wk[:, r], k[r])) for r in range(len(k))]
    return Sums(*(np.stack(x, axis) for x, axis in zip(zip(*parts, strict=True), (1, 1, 0), strict=True)))


def _sums_after(make: OneUpdate, c: Corpus, run: Run) -> Sums:
    of_documents, of_words = factors(make.update, *terms_of(make.update, make.numbers, make.sums, make.sums.jk))
    E_jk, E_wk = table(of_documents, make.sums.jk.shape), table(of_words, make.sums.wk.shape)
    Z = normalisers(E_jk, E_wk, c, run)
    if make.update.logs and not Z.min(initial=np.inf) > SMALLEST:
        N_jk, N_wk = np.zeros_like(E_jk), np.zeros_like(E_wk)
        for parts in sums_of_blocks(make(c), 2, next(groups(c, 1)), [(c.j, c.D), (c.w, c.W)], run):
            for N, (numbers, part) in zip((N_jk, N_wk), parts, strict=True):
                N[numbers] += part
        return Sums(N_jk, N_wk, sum_all(N_wk))
    share = documents_by_words(np.divide(c.n, Z, out=Z), c)
    N_jk, N_wk = run(operator.matmul, (share, share.T), (E_wk, E_jk))
    N_jk *= E_jk
    N_wk *= E_wk
    return Sums(N_jk, N_wk, sum_all(N_wk))


def normalisers(E_jk: Array, E_wk: Array, c: Corpus, run: Run) -> Array:
    """Z of all rows."""
    Z, ones, blocks = np.empty(c.M), np.ones(E_jk.shape[1]), list(blocks_of(c.M, E_jk.shape[1]))
    # without threads all blocks use the same memory, because new memory takes time, in a worker of dask most of it
    buffers = np.empty((2, blocks[0].stop, len(ones))) if run is map else None

    def normalise(rows: slice) -> None:
        x, y = (None, None) if buffers is None else buffers[:, : rows.stop - rows.start]
        x = E_jk.take(c.j[rows], 0, out=x, mode="clip")
        x *= E_wk.take(c.w[rows], 0, out=y, mode="clip")
        np.dot(x, ones, out=Z[rows])

    for _ in run(normalise, blocks):
        pass
    return Z


# In `nested` order ---------------------------------------------------------------------------------------------------


class Stack(NamedTuple):
    """Some documents, and of each its rows: (documents, rows) arrays, E (documents, rows, topics)."""

    documents: Ints
    w: Ints  # of a document with fewer rows than the longest, the first word is repeated with the count 0
    n: Array
    E: Array  # the word terms of each row, divided by the largest of them
    top: Array  # the logarithm of the largest


def stacks(c: Corpus, K: int) -> Iterator[tuple[Ints, Ints, Array]]:
    """All documents that have rows, the longest first: the first three arrays of stacks of about `STACK` numbers."""
    first_rows = begins(c)
    lengths = np.diff(first_rows)
    order, first = np.argsort(-lengths, kind="stable")[: np.count_nonzero(lengths)], 0
    while first < len(order):
        length = int(lengths[order[first]])
        documents = order[first : first + max(1, STACK // (length * K))]
        place = np.arange(length) - (length - lengths[documents, None])
        rows = first_rows[documents, None] + np.maximum(place, 0)
        yield documents, c.w.take(rows), np.where(place >= 0, c.n.take(rows), 0.0)
        first += len(documents)


def step(stack: Stack, log_jk: Array, log_wk: Callable[[], Array], assign: Assign) -> tuple[Array, Array]:
    """The counts of each document after one update of all its rows, and the part of the objective that has its rows."""
    _, w, n, x, shift = stack
    E_jk, largest = exponentials(log_jk.copy())
    shift, Z = shift + largest[:, None], np.matmul(x, E_jk[:, :, None])[:, :, 0]
    if not Z.min() > SMALLEST:
        x, shift = exponentials(log_jk[:, None] + log_wk().take(w, 0))
        E_jk, Z = np.ones_like(E_jk), x.sum(-1)
    if assign is soft:  # the same as below, without the rows of gamma and their logarithms
        new = E_jk * np.matmul((n / Z)[:, None], x)[:, 0]  # SOL14 Algorithm 1, lines 7 and 8
        return new, np.einsum("jl,jl->j", n, np.log(Z) + shift) - np.einsum("jk,jk->j", new, log_jk)
    gamma, is_row = np.zeros(x.shape), n > 0
    gamma[is_row] = assign((x * E_jk[:, None])[is_row])
    logs = np.log(gamma, out=np.zeros_like(gamma), where=gamma > 0)
    return np.matmul(n[:, None], gamma)[:, 0], np.einsum("jl,jlk,jlk->j", n, gamma, finite(log_wk().take(w, 0)) - logs)


def finite(logs: Array) -> Array:
    """Logarithms, with 0 for that of an impossible topic, where gamma is 0."""
    return np.where(np.isfinite(logs), logs, 0.0)


def before_last_step(
    update: Update, numbers: Pseudocounts, S: Sums, c: Corpus, assign: Assign, inner: int | None, run: Run
) -> Sums:
    """The sums S with each document's counts before the last of its steps with the topics fixed, SOL14 Algorithm 1.

    gamma is then one update from these. A document begins with the uniform distribution, and takes `inner` steps, or
    goes until its part of the objective has converged. That is VB's, because this schedule has VB's document term.
    """
    if S.jk.ndim == 3:
        return by_replicate(lambda part: before_last_step(update, numbers, part, c, assign, inner, run), S)
    _, word, topic = terms_of(update, numbers, S, S.jk)  # SOL14 Algorithm 1, line 11: mu, from the last sweep

    def logs_of(words: slice) -> Array:
        with np.errstate(divide="ignore"):
            return word(words) - topic if update.logs else np.log(word(words) / topic)

    K, p = S.wk.shape[1], Prior(numbers.alpha)  # eta has no part in the objective of a document
    log_wk, E_wk = cache(lambda: table(logs_of, S.wk.shape)), np.empty(S.wk.shape)
    top_w, uniform_w, before_jk = np.empty(c.W), np.empty(c.W), np.zeros((c.D, K))
    for words in blocks_of(c.W, K):
        logs = logs_of(words)
        uniform_w[words] = finite(logs).mean(1) + np.log(K)
        E_wk[words], top_w[words] = exponentials(logs)

    def converge(documents: Ints, w: Ints, n: Array) -> None:
        stack = Stack(documents, w, n, E_wk.take(w, 0), top_w.take(w))
        N_jk = np.repeat(n.sum(1)[:, None] / K, K, 1)  # SOL14 Algorithm 1, lines 4 and 5, without alpha
        last = log_joint_of_documents(N_jk, p) + np.einsum("jl,jl->j", n, uniform_w.take(w))
        for number in count(1):
            log_jk = update.document.value(numbers.alpha, N_jk)
            new, of_rows = step(stack, log_jk if update.logs else np.log(log_jk), log_wk, assign)
            value = log_joint_of_documents(new, p) + of_rows
            moves = np.abs(value - last) > CONVERGED * np.abs(last)
            active = moves if inner is None else np.full(len(last), number < inner)
            if not active.all():
                before_jk[stack.documents[~active]] = N_jk[~active]
                if not active.any():
                    return
                stack, new, value = Stack(*(part[active] for part in stack)), new[active], value[active]
            N_jk, last = new, value

    for _ in run(lambda arrays: converge(*arrays), stacks(c, K)):
        pass
    return S._replace(jk=before_jk)
