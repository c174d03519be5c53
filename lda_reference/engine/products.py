"""Updates that exclude nothing: their weights, and sweeps in `corpus` and `nested` order that make no gamma.

Without an exclusion the weight of a topic is a product of a term of the document and a term of the word:

    gamma_jwk = E_jk E_wk / Z_jw        Z_jw = sum_k E_jk E_wk

The sums after a soft update are therefore products of matrices, in which gamma does not appear:

    N_jk = E_jk sum_w (n_jw / Z_jw) E_wk        N_wk = E_wk sum_j (n_jw / Z_jw) E_jk

In the schedule `nested`, SOL14 Algorithm 1, documents do not depend on one another, because the topics are fixed. Those
of similar length are computed together, in a stack, which a document leaves when it has converged.
"""

import operator
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from ..corpus import Corpus, Ints
from ..model import Array, Prior, log_joint_of_documents
from .counts import column, sum_all
from .groups import Run, begins, blocks_of, components_moved, documents_by_words, groups, sums_of_blocks
from .state import Blocks, Recipe, State, slices_of
from .update import KNOWN, MEAN, Assign, Pseudocounts, Sums, Update, soft, weights

SMALLEST = 1e-200  # Z; with tiny priors all products of a row could vanish
DOCUMENTS = 256  # whose factors are kept while gamma is made
STACK = 2**18  # numbers of a stack: 2 MB
CONVERGED = 1e-4  # SOL14 Algorithm 1, line 9: the relative change of a document's part of the objective


def eta_of_words(numbers: Pseudocounts, gamma: Array, words: Any) -> Array:
    """The prior numbers of some words, of a shape that can be added to their sums."""
    return column(numbers.eta[words] if numbers.eta.ndim else numbers.eta, gamma)


def terms_of(
    update: Update, numbers: Pseudocounts, S: Sums, gamma: Array, words: Any = slice(None)
) -> tuple[Array, Array, Array]:
    """The terms of documents, of words and of topics, with nothing excluded."""
    return (
        update.document.value(numbers.alpha, components_moved(S.jk, gamma)),
        update.word.value(eta_of_words(numbers, gamma, words), components_moved(S.wk, gamma)),
        update.topic.value(numbers.W_eta, S.k),
    )


def document_factor(update: Update, numbers: Pseudocounts, N_jk: Array, gamma: Array) -> Array:
    """E_jk in a new array; that of logarithms is divided by the largest of each row."""
    E_jk = new_array(update.document.value(numbers.alpha, components_moved(N_jk, gamma)), N_jk)
    return exponentials(E_jk)[0] if update.logs else E_jk


def word_factor(update: Update, numbers: Pseudocounts, S: Sums, gamma: Array, words: Any = slice(None)) -> Array:
    """E_wk in a new array, likewise."""
    _, word, topic = terms_of(update, numbers, S._replace(jk=S.jk[:0]), gamma, words)
    E_wk = new_array(word, S.wk)
    if update.logs:
        E_wk -= topic
        return exponentials(E_wk)[0]
    E_wk /= topic
    return E_wk


def new_array(term: Array, N: Array) -> Array:
    """A term that can be overwritten, which takes less memory than another array. A held term is its sum itself."""
    return term.copy() if np.may_share_memory(term, N) else term


def exponentials(logs: Array) -> tuple[Array, Array]:
    """The exponentials of logarithms, divided by the largest of each row, and its logarithm; written over them."""
    top = logs.max(-1)
    top = np.where(top > -np.inf, top, 0.0)  # -inf for a word that no row contains
    logs -= top[..., None]
    return np.exp(logs, out=logs), top


def gathered(
    update: Update, numbers: Pseudocounts, S: Sums, gamma: Array, words: Any = slice(None), E_wk: Array | None = None
) -> Callable[[Ints, Ints], Array]:
    """The weights of rows (j, w), in new arrays."""
    E_jk = document_factor(update, numbers, S.jk, gamma)
    E_wk = word_factor(update, numbers, S, gamma, words) if E_wk is None else E_wk
    if update.logs and not E_jk.min() * E_wk.min() > SMALLEST:
        document, word, topic = terms_of(update, numbers, S, gamma, words)
        return lambda j, w: weights(update, document.take(j, 0), word.take(w, 0), topic)
    return lambda j, w: np.multiply(x := E_jk.take(j, 0), E_wk.take(w, 0), out=x)


# In `corpus` order ---------------------------------------------------------------------------------------------------


class OneUpdate(NamedTuple):
    """gamma as one update of all rows from the sums before a sweep, which is made when somebody asks for it."""

    update: Update
    numbers: Pseudocounts
    sums: Sums

    def __call__(self, c: Corpus) -> Blocks:
        """gamma in blocks of rows, for which E_jk is made of some documents after the others."""
        (update, numbers, S), stop = self, 0
        E_wk = word_factor(update, numbers, S, S.jk)
        for rows in slices_of(c.M):
            j = c.j[rows]
            if j[-1] >= stop:
                first, stop = int(j[0]), max(int(j[0]) + DOCUMENTS, int(j[-1]) + 1)
                weights_of = gathered(update, numbers, S._replace(jk=S.jk[first:stop]), S.jk, E_wk=E_wk)
            x = weights_of(j - first, c.w[rows])
            yield rows, soft(x, x)


def needs_no_gamma(update: Update, assign: Assign) -> bool:
    """Whether a sweep in `corpus` order is a product of matrices."""
    return assign is soft and update.excludes == "nothing" and set(update.counts) <= {MEAN, KNOWN}


def after_update(update: Update, numbers: Pseudocounts, S: Sums, c: Corpus, run: Run = map) -> State:
    """The state after one update of all rows from the sums S."""
    sums_after = by_replicate(lambda part: _sums_after(update, numbers, part, c, run), S)
    return State(Recipe(OneUpdate(update, numbers, S), c, sums_after))


def by_replicate(function: Callable[[Sums], Sums], S: Sums) -> Sums:
    """What a function makes of sums without a replicate axis; with that axis, of the sums of each replicate."""
    if S.jk.ndim == 2:
        return function(S)
    runs = S.jk.shape[1:]
    wk, k = np.broadcast_to(S.wk, (len(S.wk), *runs)), np.broadcast_to(S.k, runs)
    parts = [function(Sums(S.jk[:, r], wk[:, r], k[r])) for r in range(len(k))]
    return Sums(*(np.stack(x, axis) for x, axis in zip(zip(*parts, strict=True), (1, 1, 0), strict=True)))


def _sums_after(update: Update, numbers: Pseudocounts, S: Sums, c: Corpus, run: Run) -> Sums:
    E_jk, E_wk = document_factor(update, numbers, S.jk, S.jk), word_factor(update, numbers, S, S.jk)
    Z, ones = np.empty(c.M), np.ones(E_jk.shape[1])

    def normalise(rows: slice) -> None:
        x = E_jk.take(c.j[rows], 0)
        x *= E_wk.take(c.w[rows], 0)
        np.dot(x, ones, out=Z[rows])

    for _ in run(normalise, blocks_of(c.M, len(ones))):
        pass
    if update.logs and not Z.min(initial=np.inf) > SMALLEST:
        N_jk, N_wk, weights_of = np.zeros_like(E_jk), np.zeros_like(E_wk), gathered(update, numbers, S, S.jk)

        def gamma_of(rows: slice) -> Array:
            return soft(weights_of(c.j[rows], c.w[rows]))

        for parts in sums_of_blocks(gamma_of, 2, next(groups(c, 1)), [(c.j, c.D), (c.w, c.W)], run):
            for N, (places, part) in zip((N_jk, N_wk), parts, strict=True):
                N[places] += part
        return Sums(N_jk, N_wk, sum_all(N_wk))
    share = documents_by_words(np.divide(c.n, Z, out=Z), c)
    N_jk, N_wk = run(operator.matmul, (share, share.T), (E_wk, E_jk))
    N_jk *= E_jk
    N_wk *= E_wk
    return Sums(N_jk, N_wk, sum_all(N_wk))


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


def step(stack: Stack, log_jk: Array, log_of: Callable[[Any], Array], assign: Assign) -> tuple[Array, Array]:
    """The counts of each document after one update of all its rows, and the part of the objective that has its rows."""
    _, w, n, x, shift = stack
    E_jk, largest = exponentials(log_jk.copy())
    shift, Z = shift + largest[:, None], np.matmul(x, E_jk[:, :, None])[:, :, 0]
    if not Z.min() > SMALLEST:
        x, shift = exponentials(log_jk[:, None] + log_of(w))
        E_jk, Z = np.ones_like(E_jk), x.sum(-1)
    if assign is soft:  # the same as below, without the rows of gamma and their logarithms
        new = E_jk * np.matmul((n / Z)[:, None], x)[:, 0]  # SOL14 Algorithm 1, lines 7 and 8
        return new, np.einsum("jl,jl->j", n, np.log(Z) + shift) - np.einsum("jk,jk->j", new, log_jk)
    gamma, is_row = np.zeros(x.shape), n > 0
    gamma[is_row] = assign((x * E_jk[:, None])[is_row])
    logs = np.log(gamma, out=np.zeros_like(gamma), where=gamma > 0)
    return np.matmul(n[:, None], gamma)[:, 0], np.einsum("jl,jlk,jlk->j", n, gamma, finite(log_of(w)) - logs)


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
    eta, topic = column(numbers.eta, S.wk), update.topic.value(numbers.W_eta, S.k)

    def log_of(words: Any) -> Array:  # of some words, because those of all are seldom needed twice
        word = update.word.value(eta[words] if eta.ndim else eta, S.wk[words])
        with np.errstate(divide="ignore"):
            return word - topic if update.logs else np.log(word / topic)

    K, p = S.wk.shape[1], Prior(numbers.alpha)  # eta has no part in the objective of a document
    logs = log_of(slice(None))  # SOL14 Algorithm 1, line 11: mu, from the last sweep
    uniform_w, before_jk = finite(logs).mean(1) + np.log(K), np.zeros((c.D, K))
    E_wk, top_w = exponentials(logs)

    def converge(documents: Ints, w: Ints, n: Array) -> None:
        stack = Stack(documents, w, n, E_wk.take(w, 0), top_w.take(w))
        N_jk = np.repeat(n.sum(1)[:, None] / K, K, 1)  # SOL14 Algorithm 1, lines 4 and 5, without alpha
        last = log_joint_of_documents(N_jk, p) + np.einsum("jl,jl->j", n, uniform_w.take(w))
        for number in count(1):
            log_jk = update.document.value(numbers.alpha, N_jk)
            new, of_rows = step(stack, log_jk if update.logs else np.log(log_jk), log_of, assign)
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
