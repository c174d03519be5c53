"""Posterior expectations from exact sums over tables of counts: each is a ratio of two sums of tables.py."""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..corpus import Corpus
from ..model import Array, Prior
from .tables import Factors, along, compositions, factors, log_sum, tilted, topic_sizes


class Cells(NamedTuple):
    """The posterior of the topics of two tokens, by their documents and words, and log p(x), in nats.

    Each of the M rows of `types` is a document and a word. `gamma` (M, K) is p(z = k | x) of a token of the row, and
    `together` (M, M) is p(z = z' | x) of two different tokens of two rows, which renumbering the topics does not
    change. On the diagonal both are of one row, and it is 1 if that row has one token.
    """

    log_evidence: float
    types: Corpus
    gamma: Array
    together: Array


class Moments(NamedTuple):
    """Posterior expectations that renumbering the topics does not change, and log p(x), in nats.

    `theta` (D, D) is E[sum_k theta_jk theta_j'k | x], and `phi` (W, W) is E[sum_k phi_wk phi_w'k | x]. `predictive`
    (D, W) is E[sum_k theta_jk phi_wk | x], the probability that the next token of document j is word w.
    """

    log_evidence: float
    theta: Array
    phi: Array
    predictive: Array


def cells(c: Corpus, K: int, p: Prior) -> Cells:
    """The evidence, and the posterior of the topics by documents and words; arguments and errors as `log_evidence`.

    Each pair of rows costs a sum, and K of them if alpha is a vector or eta a matrix.

    >>> e = cells(Corpus.from_documents([[0, 0]], W=2), 2, Prior(1, 1))
    >>> e.together.round(6)
    array([[0.727273]])
    """
    factors_, types = factors(c, K, p), c.types()
    log_p, (alpha, eta) = log_sum(factors_), p.arrays(K, c.W)
    is_symmetric = np.ptp(alpha) == 0 and eta.ndim == 1
    topics, multiplicity = ([K - 1], K) if is_symmetric else (range(K), 1)  # equal topics have equal expectations
    _, w_of_rows = np.unique(types.w, return_inverse=True)
    jw_pairs = list(zip(types.j.tolist(), w_of_rows.tolist(), strict=True))
    gamma, together = np.full((types.M, K), 1 / K), np.ones((types.M, types.M))

    def expectation(documents: list[tuple[int, Array]]) -> float:
        return math.exp(log_sum(tilted(factors_, documents)) - log_p)

    for a, (j, w) in enumerate(jw_pairs):
        if multiplicity == 1:
            gamma[a] = [expectation([(j, _log_m(factors_, j, w, k))]) / types.n[a] for k in topics]
        for b, (i, v) in enumerate(jw_pairs[: a + 1]):
            n_pairs = types.n[a] * (types.n[b] - (a == b))
            if n_pairs:
                tilts = [[(j, _log_m(factors_, j, w, k)), (i, _log_m(factors_, i, v, k, int(a == b)))] for k in topics]
                together[a, b] = together[b, a] = multiplicity * sum(map(expectation, tilts)) / n_pairs
    return Cells(log_p, types, gamma, together)


def moments(c: Corpus, K: int, p: Prior) -> Moments:
    """Posterior expectations of theta and phi up to the numbers of the topics; arguments and errors as `log_evidence`.

    Each entry costs a sum, and K of them if alpha is a vector.

    >>> moments(Corpus.from_documents([[0]], W=2), 2, Prior(1, 1)).predictive.round(6)  # 2/3 · 2/3 + 1/3 · 1/2
    array([[0.611111, 0.388889]])
    """
    factors_ = factors(c, K, p)
    (alpha, eta), log_p = p.vectors(K, c.W), log_sum(factors_)
    topics, multiplicity = ([K - 1], K) if np.ptp(alpha) == 0 else (range(K), 1)
    place_of_word = {w: i for i, w in enumerate(np.unique(c.w).tolist())}
    H, sizes = eta.sum(), np.arange(c.N + 1)

    def theta(j: int, k: int, extra_n: int = 0) -> tuple[int, Array]:
        m_k = np.abs(topic_sizes(factors_.n_jw[j], factors_))[k]
        return j, np.log(m_k + alpha[k] + extra_n) - np.log(factors_.n_jw[j].sum() + alpha.sum() + extra_n)

    def phi(w: int, k: int, extra_n: int = 0) -> list[tuple[int, Array]]:
        if w not in place_of_word:
            return [(0, np.log(eta[w] + extra_n))]  # a constant
        N_wk = compositions(int(factors_.n_jw[:, place_of_word[w]].sum()), K)[k]
        return [(place_of_word[w], np.log(np.abs(N_wk) + eta[w] + extra_n))]

    def expectation(documents: list[tuple[int, Array]], words: list[tuple[int, Array]], k: int, n_draws: int) -> float:
        log_size = -sum((np.log(H + sizes + i) for i in range(n_draws)), np.zeros(c.N + 1))
        return math.exp(log_sum(tilted(factors_, documents, words, [(k, log_size)])) - log_p)

    def matrix(row_count: int, column_count: int, entry: Callable[[int, int, int], float], is_symmetric: bool) -> Array:
        entries = np.zeros((row_count, column_count))
        for a in range(row_count):
            for b in range(a + 1 if is_symmetric else column_count):
                entries[a, b] = multiplicity * sum(entry(a, b, k) for k in topics)
        return entries + np.tril(entries, -1).T if is_symmetric else entries

    return Moments(
        log_p,
        matrix(c.D, c.D, lambda a, b, k: expectation([theta(a, k), theta(b, k, int(a == b))], [], k, 0), True),
        matrix(c.W, c.W, lambda a, b, k: expectation([], [*phi(a, k), *phi(b, k, int(a == b))], k, 2), True),
        matrix(c.D, c.W, lambda j, w, k: expectation([theta(j, k)], phi(w, k), k, 1), False),
    )


def _log_m(f: Factors, j: int, w: int, k: int, excluded_n: int = 0) -> Array:
    """log of m_jwk - excluded, by the table of document j; -inf where that is not positive."""
    m = compositions(int(f.n_jw[j, w]), len(f.topics))[k] - excluded_n
    return along(np.log(m, out=np.full(m.shape, -np.inf), where=m > 0), w, f)
