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
    log_evidence, (alpha, eta) = log_sum(factors_), p.arrays(K, c.W)
    is_symmetric_prior = np.ptp(alpha) == 0 and eta.ndim == 1
    topics, n_equal = ([K - 1], K) if is_symmetric_prior else (range(K), 1)  # equal topics have equal expectations
    _, word_places = np.unique(types.w, return_inverse=True)
    jw_pairs = list(zip(types.j.tolist(), word_places.tolist(), strict=True))
    gamma, p_together = np.full((types.M, K), 1 / K), np.ones((types.M, types.M))

    def tilted_expectation(document_tilts: list[tuple[int, Array]]) -> float:
        return math.exp(log_sum(tilted(factors_, document_tilts)) - log_evidence)

    for a, (j, w) in enumerate(jw_pairs):
        if n_equal == 1:
            gamma[a] = [tilted_expectation([(j, _log_m(factors_, j, w, k))]) / types.n[a] for k in topics]
        for b, (i, v) in enumerate(jw_pairs[: a + 1]):
            n_pairs = types.n[a] * (types.n[b] - (a == b))
            if n_pairs:
                tilts = [[(j, _log_m(factors_, j, w, k)), (i, _log_m(factors_, i, v, k, int(a == b)))] for k in topics]
                p_together[a, b] = p_together[b, a] = n_equal * sum(map(tilted_expectation, tilts)) / n_pairs
    return Cells(log_evidence, types, gamma, p_together)


def moments(c: Corpus, K: int, p: Prior) -> Moments:
    """Posterior expectations of theta and phi up to the numbers of the topics; arguments and errors as `log_evidence`.

    Each entry costs a sum, and K of them if alpha is a vector.

    >>> moments(Corpus.from_documents([[0]], W=2), 2, Prior(1, 1)).predictive.round(6)  # 2/3 · 2/3 + 1/3 · 1/2
    array([[0.611111, 0.388889]])
    """
    table_factors = factors(c, K, p)
    (alpha, eta), log_evidence = p.vectors(K, c.W), log_sum(table_factors)
    distinct_topics, n_equal_topics = ([K - 1], K) if np.ptp(alpha) == 0 else (range(K), 1)
    place_of_word = {w: i for i, w in enumerate(np.unique(c.w).tolist())}
    H, size_range = eta.sum(), np.arange(c.N + 1)

    def theta_of(j: int, k: int, extra_n: int = 0) -> tuple[int, Array]:
        m_k = np.abs(topic_sizes(table_factors.n_jw[j], table_factors))[k]
        return j, np.log(m_k + alpha[k] + extra_n) - np.log(table_factors.n_jw[j].sum() + alpha.sum() + extra_n)

    def phi_of(w: int, k: int, extra_n: int = 0) -> list[tuple[int, Array]]:
        if w not in place_of_word:
            return [(0, np.log(eta[w] + extra_n))]  # a constant
        N_wk = compositions(int(table_factors.n_jw[:, place_of_word[w]].sum()), K)[k]
        return [(place_of_word[w], np.log(np.abs(N_wk) + eta[w] + extra_n))]

    def tilted_mean(tilts_j: list[tuple[int, Array]], tilts_w: list[tuple[int, Array]], k: int, n_draws: int) -> float:
        log_size_tilt = -sum((np.log(H + size_range + i) for i in range(n_draws)), np.zeros(c.N + 1))
        return math.exp(log_sum(tilted(table_factors, tilts_j, tilts_w, [(k, log_size_tilt)])) - log_evidence)

    def matrix(row_count: int, column_count: int, entry: Callable[[int, int, int], float], is_mirrored: bool) -> Array:
        matrix_entries = np.zeros((row_count, column_count))
        for row in range(row_count):
            for column in range(row + 1 if is_mirrored else column_count):
                matrix_entries[row, column] = n_equal_topics * sum(entry(row, column, k) for k in distinct_topics)
        return matrix_entries + np.tril(matrix_entries, -1).T if is_mirrored else matrix_entries

    return Moments(
        log_evidence,
        matrix(c.D, c.D, lambda i, j, k: tilted_mean([theta_of(i, k), theta_of(j, k, int(i == j))], [], k, 0), True),
        matrix(c.W, c.W, lambda v, w, k: tilted_mean([], [*phi_of(v, k), *phi_of(w, k, int(v == w))], k, 2), True),
        matrix(c.D, c.W, lambda j, w, k: tilted_mean([theta_of(j, k)], phi_of(w, k), k, 1), False),
    )


def _log_m(f: Factors, j: int, w: int, k: int, excluded_n: int = 0) -> Array:
    """log of m_jwk - excluded, by the table of document j; -inf where that is not positive."""
    m_of_topic = compositions(int(f.n_jw[j, w]), len(f.topics))[k] - excluded_n
    return along(np.log(m_of_topic, out=np.full(m_of_topic.shape, -np.inf), where=m_of_topic > 0), w, f)
