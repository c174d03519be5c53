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
from dataclasses import replace
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from ..corpus import Corpus, Ints
from ..model import Array, Prior, log_joint_of_documents
from .counts import column, sum_all
from .groups import Run, blocks_of, components_moved, document_starts, documents_by_words, groups, sums_of_blocks
from .state import Blocks, Recipe, State, slices_of
from .update import HELD_TERM, KNOWN, MEAN, Assign, Pseudocounts, Sums, Update, soft, weights

SMALLEST_Z = 1e-200  # Z; with tiny priors all products of a row could vanish
DOCUMENTS_AT_ONCE = 256  # whose factors are kept while gamma is made
MOST_TOKENS = 1e18  # of a corpus, when it is foreseen whether Z could vanish
STACK_SIZE = 2**18  # numbers of a stack: 2 MB
TOLERANCE = 1e-4  # SOL14 Algorithm 1, line 9: the relative change of a document's part of the objective


def eta_of_words(pseudo: Pseudocounts, gamma: Array, words: Any) -> Array:
    """The prior numbers of some words, of a shape that can be added to their sums."""
    return column(pseudo.eta[words] if pseudo.eta.ndim else pseudo.eta, gamma)


def terms_of(
    update: Update, pseudo: Pseudocounts, S: Sums, gamma: Array, words: Any = slice(None)
) -> tuple[Array, Array, Array]:
    """The terms of documents, of words and of topics, with nothing excluded."""
    return (
        update.document.value(pseudo.alpha, components_moved(S.jk, gamma)),
        update.word.value(eta_of_words(pseudo, gamma, words), components_moved(S.wk, gamma)),
        update.topic.value(pseudo.W_eta, S.k),
    )


def document_factor(update: Update, pseudo: Pseudocounts, N_jk: Array, gamma: Array) -> Array:
    """E_jk in a new array; that of logarithms is divided by the largest of each row."""
    E_jk = new_array(update.document.value(pseudo.alpha, components_moved(N_jk, gamma)), N_jk)
    return exponentials(E_jk)[0] if update.logs else E_jk


def word_factor(update: Update, pseudo: Pseudocounts, S: Sums, gamma: Array, words: Any = slice(None)) -> Array:
    """E_wk in a new array, likewise."""
    _, word_term, topic_term = terms_of(update, pseudo, S._replace(jk=S.jk[:0]), gamma, words)
    E_wk = new_array(word_term, S.wk)
    if update.logs:
        E_wk -= topic_term
        return exponentials(E_wk)[0]
    E_wk /= topic_term
    return E_wk


def has_word_factors(update: Update, pseudo: Pseudocounts) -> bool:
    """Whether no number of E_wk can be so small that Z vanishes. Z is not below the least of a row of E_wk."""
    N, eta, W_eta = np.array([0.0, MOST_TOKENS]), np.min(pseudo.eta), np.min(pseudo.W_eta)
    terms = [term.value(a, N) for term, a in ((update.word, eta), (update.topic, W_eta))]
    return not update.logs or float(np.sum(np.diff(terms))) < -np.log(SMALLEST_Z)


def with_word_factors(update: Update, S: Sums) -> tuple[Update, Sums]:
    """The same update, and its sums, if the sums of words are replaced by E_wk."""

    def document_factor_of(alpha: Any, N_jk: Array) -> Array:
        return document_factor(update, Pseudocounts(alpha, None, None), N_jk, N_jk)

    factor_update = Update(replace(update.document, value=document_factor_of), HELD_TERM, HELD_TERM, update.excludes)
    return factor_update, S._replace(k=np.ones_like(S.k))


def new_array(term_values: Array, term_sums: Array) -> Array:
    """A term that can be overwritten, which takes less memory than another array. A held term is its sum itself."""
    return term_values.copy() if np.may_share_memory(term_values, term_sums) else term_values


def exponentials(logs: Array) -> tuple[Array, Array]:
    """The exponentials of logarithms, divided by the largest of each row, and its logarithm; written over them."""
    top_log = logs.max(-1)
    top_log = np.where(top_log > -np.inf, top_log, 0.0)  # -inf for a word that no row contains
    logs -= top_log[..., None]
    return np.exp(logs, out=logs), top_log


def gathered(
    update: Update, pseudo: Pseudocounts, S: Sums, gamma: Array, words: Any = slice(None), E_wk: Array | None = None
) -> Callable[[Ints, Ints], Array]:
    """The weights of rows (j, w), in new arrays."""
    E_jk = document_factor(update, pseudo, S.jk, gamma)
    E_wk = word_factor(update, pseudo, S, gamma, words) if E_wk is None else E_wk
    if update.logs and not E_jk.min() * E_wk.min() > SMALLEST_Z:
        document_term, word_term, topic_term = terms_of(update, pseudo, S, gamma, words)
        return lambda j, w: weights(update, document_term.take(j, 0), word_term.take(w, 0), topic_term)
    return lambda j, w: np.multiply(x := E_jk.take(j, 0), E_wk.take(w, 0), out=x)


# In `corpus` order ---------------------------------------------------------------------------------------------------


class OneUpdate(NamedTuple):
    """gamma as one update of all rows from the sums before a sweep, which is made when somebody asks for it."""

    update: Update
    pseudo: Pseudocounts
    sums: Sums

    def __call__(self, c: Corpus) -> Blocks:
        """gamma in blocks of rows, for which E_jk is made of some documents after the others."""
        (update, pseudo, S), stop_j = self, 0
        E_wk = word_factor(update, pseudo, S, S.jk)
        for rows in slices_of(c.M):
            j = c.j[rows]
            if j[-1] >= stop_j:
                first_j, stop_j = int(j[0]), max(int(j[0]) + DOCUMENTS_AT_ONCE, int(j[-1]) + 1)
                weights_of = gathered(update, pseudo, S._replace(jk=S.jk[first_j:stop_j]), S.jk, E_wk=E_wk)
            new_gamma = weights_of(j - first_j, c.w[rows])
            yield rows, soft(new_gamma, new_gamma)


def needs_no_gamma(update: Update, assign: Assign) -> bool:
    """Whether a sweep in `corpus` order is a product of matrices."""
    return assign is soft and update.excludes == "nothing" and set(update.counts) <= {MEAN, KNOWN}


def after_update(update: Update, pseudo: Pseudocounts, S: Sums, c: Corpus, pool_map: Run = map) -> State:
    """The state after one update of all rows from the sums S."""
    sums_after = by_replicate(lambda S_r: _sums_after(update, pseudo, S_r, c, pool_map), S)
    return State(Recipe(OneUpdate(update, pseudo, S), c, sums_after))


def by_replicate(sums_after: Callable[[Sums], Sums], S: Sums) -> Sums:
    """What a function makes of sums without a replicate axis; with that axis, of the sums of each replicate."""
    if S.jk.ndim == 2:
        return sums_after(S)
    replicate_shape = S.jk.shape[1:]
    wk, k = np.broadcast_to(S.wk, (len(S.wk), *replicate_shape)), np.broadcast_to(S.k, replicate_shape)
    sums_of_runs = [sums_after(Sums(S.jk[:, r], wk[:, r], k[r])) for r in range(len(k))]
    return Sums(*(np.stack(x, axis) for x, axis in zip(zip(*sums_of_runs, strict=True), (1, 1, 0), strict=True)))


def _sums_after(update: Update, pseudo: Pseudocounts, S: Sums, c: Corpus, pool_map: Run) -> Sums:
    E_jk, E_wk = document_factor(update, pseudo, S.jk, S.jk), word_factor(update, pseudo, S, S.jk)
    Z, ones = np.empty(c.M), np.ones(E_jk.shape[1])

    def set_Z(rows: slice) -> None:
        products = E_jk.take(c.j[rows], 0)
        products *= E_wk.take(c.w[rows], 0)
        np.dot(products, ones, out=Z[rows])

    for _ in pool_map(set_Z, blocks_of(c.M, len(ones))):
        pass
    if update.logs and not Z.min(initial=np.inf) > SMALLEST_Z:
        N_jk, N_wk, weights_of = np.zeros_like(E_jk), np.zeros_like(E_wk), gathered(update, pseudo, S, S.jk)

        def gamma_of_rows(rows: slice) -> Array:
            return soft(weights_of(c.j[rows], c.w[rows]))

        for block_sums in sums_of_blocks(gamma_of_rows, E_jk, next(groups(c, 1)), [(c.j, c.D), (c.w, c.W)], pool_map):
            for N, (entries, entry_sums) in zip((N_jk, N_wk), block_sums, strict=True):
                N[entries] += entry_sums
        return Sums(N_jk, N_wk, sum_all(N_wk))
    n_over_Z = documents_by_words(np.divide(c.n, Z, out=Z), c)
    N_jk, N_wk = pool_map(operator.matmul, (n_over_Z, n_over_Z.T), (E_wk, E_jk))
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
    top_log: Array  # the logarithm of the largest


def stacks(c: Corpus, K: int) -> Iterator[tuple[Ints, Ints, Array]]:
    """Documents that have rows, the longest first: the first three arrays of stacks of about `STACK_SIZE` numbers."""
    first_rows = document_starts(c)
    row_counts = np.diff(first_rows)
    document_order, stack_start = np.argsort(-row_counts, kind="stable")[: np.count_nonzero(row_counts)], 0
    while stack_start < len(document_order):
        longest_length = int(row_counts[document_order[stack_start]])
        documents = document_order[stack_start : stack_start + max(1, STACK_SIZE // (longest_length * K))]
        place_in_document = np.arange(longest_length) - (longest_length - row_counts[documents, None])
        rows = first_rows[documents, None] + np.maximum(place_in_document, 0)
        yield documents, c.w.take(rows), np.where(place_in_document >= 0, c.n.take(rows), 0.0)
        stack_start += len(documents)


def step(stack: Stack, log_jk: Array, log_wk_of: Callable[[Any], Array], assign: Assign) -> tuple[Array, Array]:
    """The counts of each document after one update of all its rows, and the part of the objective that has its rows."""
    _, w, n, E_jlk, log_scale = stack
    E_jk, largest_log = exponentials(log_jk.copy())
    log_scale, Z = log_scale + largest_log[:, None], np.matmul(E_jlk, E_jk[:, :, None])[:, :, 0]
    if not Z.min() > SMALLEST_Z:
        E_jlk, log_scale = exponentials(log_jk[:, None] + log_wk_of(w))
        E_jk, Z = np.ones_like(E_jk), E_jlk.sum(-1)
    if assign is soft:  # the same as below, without the rows of gamma and their logarithms
        N_jk = E_jk * np.matmul((n / Z)[:, None], E_jlk)[:, 0]  # SOL14 Algorithm 1, lines 7 and 8
        return N_jk, np.einsum("jl,jl->j", n, np.log(Z) + log_scale) - np.einsum("jk,jk->j", N_jk, log_jk)
    gamma, is_real_row = np.zeros(E_jlk.shape), n > 0
    gamma[is_real_row] = assign((E_jlk * E_jk[:, None])[is_real_row])
    log_gamma = np.log(gamma, out=np.zeros_like(gamma), where=gamma > 0)
    return np.matmul(n[:, None], gamma)[:, 0], np.einsum("jl,jlk,jlk->j", n, gamma, finite(log_wk_of(w)) - log_gamma)


def finite(logs: Array) -> Array:
    """Logarithms, with 0 for that of an impossible topic, where gamma is 0."""
    return np.where(np.isfinite(logs), logs, 0.0)


def before_last_step(
    update: Update, pseudo: Pseudocounts, S: Sums, c: Corpus, assign: Assign, n_steps: int | None, pool_map: Run
) -> Sums:
    """The sums S with each document's counts before the last of its steps with the topics fixed, SOL14 Algorithm 1.

    gamma is then one update from these. A document begins with the uniform distribution, and takes `n_steps` steps, or
    goes until its part of the objective has converged. That is VB's, because this schedule has VB's document term.
    """
    if S.jk.ndim == 3:
        return by_replicate(lambda S_r: before_last_step(update, pseudo, S_r, c, assign, n_steps, pool_map), S)
    eta, topic_term = column(pseudo.eta, S.wk), update.topic.value(pseudo.W_eta, S.k)

    def log_wk_of(words: Any) -> Array:  # of some words, because those of all are seldom needed twice
        word_term = update.word.value(eta[words] if eta.ndim else eta, S.wk[words])
        with np.errstate(divide="ignore"):
            return word_term - topic_term if update.logs else np.log(word_term / topic_term)

    K, p = S.wk.shape[1], Prior(pseudo.alpha)  # eta has no part in the objective of a document
    log_wk = log_wk_of(slice(None))  # SOL14 Algorithm 1, line 11: mu, from the last sweep
    uniform_part_w, before_N_jk = finite(log_wk).mean(1) + np.log(K), np.zeros((c.D, K))
    E_wk, top_log_w = exponentials(log_wk)

    def converge(documents: Ints, w: Ints, n: Array) -> None:
        stack = Stack(documents, w, n, E_wk.take(w, 0), top_log_w.take(w))
        N_jk = np.repeat(n.sum(1)[:, None] / K, K, 1)  # SOL14 Algorithm 1, lines 4 and 5, without alpha
        last_bound_j = log_joint_of_documents(N_jk, p) + np.einsum("jl,jl->j", n, uniform_part_w.take(w))
        for step_number in count(1):
            log_jk = update.document.value(pseudo.alpha, N_jk)
            new_jk, objective_of_rows = step(stack, log_jk if update.logs else np.log(log_jk), log_wk_of, assign)
            bound_j = log_joint_of_documents(new_jk, p) + objective_of_rows
            has_moved = np.abs(bound_j - last_bound_j) > TOLERANCE * np.abs(last_bound_j)
            active_j = has_moved if n_steps is None else np.full(len(last_bound_j), step_number < n_steps)
            if not active_j.all():
                before_N_jk[stack.documents[~active_j]] = N_jk[~active_j]
                if not active_j.any():
                    return
                stack, new_jk, bound_j = Stack(*(x[active_j] for x in stack)), new_jk[active_j], bound_j[active_j]
            N_jk, last_bound_j = new_jk, bound_j

    for _ in pool_map(lambda stack_arrays: converge(*stack_arrays), stacks(c, K)):
        pass
    return S._replace(jk=before_N_jk)
