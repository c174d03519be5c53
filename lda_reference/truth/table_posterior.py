"""Posterior expectations from exact sums over tables of counts: each is a ratio of two sums of tables.py."""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..corpus import Corpus
from ..model import Array, Prior
from .tables import Factors, added, along, compositions, factors, log_sum, tilted


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
    f, t = factors(c, K, p), c.types()
    log_p, (alpha, eta) = log_sum(f), p.arrays(K, c.W)
    equal = np.ptp(alpha) == 0 and eta.ndim == 1
    topics, multiplicity = ([K - 1], K) if equal else (range(K), 1)  # equal topics have equal expectations
    _, w_of_rows = np.unique(t.w, return_inverse=True)
    rows = list(zip(t.j.tolist(), w_of_rows.tolist(), strict=True))
    gamma, together = np.full((t.M, K), 1 / K), np.ones((t.M, t.M))

    def expectation(documents: list[tuple[int, Array]]) -> float:
        return math.exp(log_sum(tilted(f, documents)) - log_p)

    for a, (j, w) in enumerate(rows):
        if multiplicity == 1:
            gamma[a] = [expectation([(j, _log_count(f, j, w, k))]) / t.n[a] for k in topics]
        for b, (i, v) in enumerate(rows[: a + 1]):
            pairs = t.n[a] * (t.n[b] - (a == b))
            if pairs:
                both = [[(j, _log_count(f, j, w, k)), (i, _log_count(f, i, v, k, int(a == b)))] for k in topics]
                together[a, b] = together[b, a] = multiplicity * sum(map(expectation, both)) / pairs
    return Cells(log_p, t, gamma, together)


def moments(c: Corpus, K: int, p: Prior) -> Moments:
    """Posterior expectations of theta and phi up to the numbers of the topics; arguments and errors as `log_evidence`.

    Each entry costs a sum, and K of them if alpha is a vector.

    >>> moments(Corpus.from_documents([[0]], W=2), 2, Prior(1, 1)).predictive.round(6)  # 2/3 · 2/3 + 1/3 · 1/2
    array([[0.611111, 0.388889]])
    """
    f = factors(c, K, p)
    (alpha, eta), log_p = p.vectors(K, c.W), log_sum(f)
    topics, multiplicity = ([K - 1], K) if np.ptp(alpha) == 0 else (range(K), 1)
    number = {w: i for i, w in enumerate(np.unique(c.w).tolist())}
    H, sizes = eta.sum(), np.arange(c.N + 1)

    def theta(j: int, k: int, more: int = 0) -> tuple[int, Array]:
        m_k = np.abs(added(f.n_jw[j], f))[k]
        return j, np.log(m_k + alpha[k] + more) - np.log(f.n_jw[j].sum() + alpha.sum() + more)

    def phi(w: int, k: int, more: int = 0) -> list[tuple[int, Array]]:
        if w not in number:
            return [(0, np.log(eta[w] + more))]  # a constant
        N_wk = compositions(int(f.n_jw[:, number[w]].sum()), K)[k]
        return [(number[w], np.log(np.abs(N_wk) + eta[w] + more))]

    def expectation(documents: list[tuple[int, Array]], words: list[tuple[int, Array]], k: int, draws: int) -> float:
        size = -sum((np.log(H + sizes + i) for i in range(draws)), np.zeros(c.N + 1))
        return math.exp(log_sum(tilted(f, documents, words, [(k, size)])) - log_p)

    def matrix(rows: int, columns: int, entry: Callable[[int, int, int], float], symmetric: bool) -> Array:
        out = np.zeros((rows, columns))
        for a in range(rows):
            for b in range(a + 1 if symmetric else columns):
                out[a, b] = multiplicity * sum(entry(a, b, k) for k in topics)
        return out + np.tril(out, -1).T if symmetric else out

    return Moments(
        log_p,
        matrix(c.D, c.D, lambda a, b, k: expectation([theta(a, k), theta(b, k, int(a == b))], [], k, 0), True),
        matrix(c.W, c.W, lambda a, b, k: expectation([], [*phi(a, k), *phi(b, k, int(a == b))], k, 2), True),
        matrix(c.D, c.W, lambda j, w, k: expectation([theta(j, k)], phi(w, k), k, 1), False),
    )


def _log_count(f: Factors, j: int, w: int, k: int, excluded: int = 0) -> Array:
    """log of m_jwk - excluded, by the table of document j; -inf where that is not positive."""
    m = compositions(int(f.n_jw[j, w]), len(f.topics))[k] - excluded
    return along(np.log(m, out=np.full(m.shape, -np.inf), where=m > 0), w, f)
