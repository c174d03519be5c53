"""Exact answers on small corpora, by summing over all K^N assignments or over tables of counts (tables.py).

With a symmetric alpha and one eta for all topics the posterior does not change when the topics are renumbered, so every
marginal p(z_i = k | x) is 1/K. Compare what does not depend on the numbers of the topics: the evidence and the
co-assignment p(z_i = z_i' | x). With an asymmetric alpha, or an eta for each topic, the marginals are informative too.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp

from ..algorithms.cgs import ALGORITHM as CGS
from ..corpus import Corpus
from ..engine import checked_topics, pseudocounts, soft, weights
from ..model import Array, Prior, log_joint_collapsed
from .enumeration import assignments, checked_factors, enumerable_tokens, log_terms
from .table_posterior import cells
from .tables import LIMIT, least_terms, log_evidence, terms

__all__ = ["Posterior", "callen", "expected_log", "log_evidence", "posterior"]


class Posterior(NamedTuple):
    """The exact posterior of the topics of the tokens."""

    log_evidence: float  # log p(x | alpha, eta), in nats
    gamma: Array  # (N, K), p(z_i = k | x); 1/K everywhere if the prior is the same for all topics
    together: Array  # (N, N), p(z_i = z_i' | x), which renumbering the topics does not change


def posterior(c: Corpus, K: int, p: Prior) -> Posterior:
    """The evidence and the posterior of z, by enumeration or by sums over tables of counts, which are fewer.

    Sums over tables take some hundred tokens of few words, and few topics. `log_evidence` is one such sum.

    A row of count n stands for n tokens, in row order. A ValueError says if the corpus is empty, K is below 1, the
    prior does not fit, or both ways have too many terms: K^N is above 2^22, and a sum over tables is above 2e9.

    >>> import lda_reference as lda
    >>> e = posterior(lda.Corpus.from_documents([[0, 0]], W=2), 2, lda.Prior(1, 1))
    >>> round(float(np.exp(e.log_evidence)), 6)  # 2/3 · 1/2 · 2/3 together + 1/3 · 1/2 · 1/2 apart
    0.305556
    >>> e.gamma[0], e.together[0].round(6)
    (array([0.5, 0.5]), array([1.      , 0.727273]))
    """
    K = checked_topics(c, p, K)
    if _tables_are_fewer(c, K):
        cells_of_types, tokens = cells(c, K, p), c.tokens()
        row_of_token = np.searchsorted(cells_of_types.types.j * c.W + cells_of_types.types.w, tokens.j * c.W + tokens.w)
        p_together = cells_of_types.together[np.ix_(row_of_token, row_of_token)]
        np.fill_diagonal(p_together, 1.0)
        return Posterior(cells_of_types.log_evidence, cells_of_types.gamma[row_of_token], p_together)
    tokens = enumerable_tokens(c, K, p)
    log_p_of_z = np.concatenate([log_joint_collapsed(N_jk, N_wk, p) for _, N_jk, N_wk in assignments(tokens, K)])
    log_evidence = float(logsumexp(log_p_of_z))  # SOL14 (1)
    gamma, p_together = np.zeros((tokens.N, K)), np.zeros((tokens.N, tokens.N))
    block_start = 0
    for z, _, _ in assignments(tokens, K):
        p_of_z = np.exp(log_p_of_z[block_start : block_start + len(z)] - log_evidence)
        block_start += len(z)
        for k in range(K):
            has_topic_k = (z == k).astype(np.float64)
            gamma[:, k] += p_of_z @ has_topic_k
            p_together += has_topic_k.T @ (p_of_z[:, None] * has_topic_k)
    return Posterior(log_evidence, gamma, p_together)


def _tables_are_fewer(c: Corpus, K: int) -> bool:
    """Whether the sums over tables, one for each pair of rows and topic, have fewer terms than the enumeration."""
    if K < 2 or 2.0 ** min(K - 1, 64) > LIMIT or least_terms(c, K) > LIMIT:  # a table has 2^(K-1) terms or more
        return False
    M = c.types().M
    log_term_count = math.log(terms(c, K)) + np.log(K * M * (M + 1) / 2)  # of an int of any size
    return bool(terms(c, K) <= LIMIT and log_term_count < c.N * np.log(K))


def callen(c: Corpus, K: int, p: Prior) -> Posterior:
    """Callen's equations: the expectation of the conditional (8) under the exact posterior, TNW06 (9).

        gamma[i, k] = E[p(z_i = k | z^-i, x)],    together[i, i'] = E[p(z_i = z_i' | z^-i, x)]

    They equal those of `posterior` up to rounding. The arguments and the errors are those of `posterior`.

    >>> import lda_reference as lda
    >>> callen(lda.Corpus.from_documents([[0, 0]], W=2), 2, lda.Prior(1, 1)).together[0].round(6)
    array([1.      , 0.727273])
    """
    token_corpus = enumerable_tokens(c, K, p)
    pseudo_counts = pseudocounts(p, c.W)
    log_evidence = posterior(c, K, p).log_evidence
    gamma, p_together = np.zeros((token_corpus.N, K)), np.zeros((token_corpus.N, token_corpus.N))
    for z, N_jk, N_wk in assignments(token_corpus, K):
        p_of_z = np.exp(log_joint_collapsed(N_jk, N_wk, p) - log_evidence)
        N_k = N_wk.sum(0)
        for i in range(token_corpus.N):
            one_hot_z_i = np.eye(K)[z[:, i]]  # what the token adds to its counts
            eta = pseudo_counts.eta[token_corpus.w[i]] if pseudo_counts.eta.ndim else pseudo_counts.eta
            counts = N_jk[token_corpus.j[i]] - one_hot_z_i, N_wk[token_corpus.w[i]] - one_hot_z_i, N_k - one_hot_z_i
            prior_numbers = pseudo_counts.alpha, eta, pseudo_counts.W_eta
            term_values = (term.value(a, n) for term, a, n in zip(CGS.update.terms, prior_numbers, counts, strict=True))
            conditional_p = soft(weights(CGS.update, *term_values))  # TNW06 (8)
            gamma[i] += p_of_z @ conditional_p  # TNW06 (9)
            p_together[i] += p_of_z @ np.take_along_axis(conditional_p, z, -1)
    np.fill_diagonal(p_together, 1.0)
    return Posterior(log_evidence, gamma, p_together)


def expected_log(gamma: ArrayLike, c: Corpus, K: int, p: Prior) -> Array:
    """The exponent of TNW06 (15) for every token, by summing over all assignments: (N, K), in nats.

    q draws each z_i independently with the probabilities gamma (M, K), whose rows sum to 1; the n tokens of a row share
    its own. The other arguments and the errors are those of `posterior`; it is also an error if gamma has another shape
    or its rows are not probabilities.

    >>> import lda_reference as lda
    >>> c = lda.Corpus.from_documents([[0, 0]], W=2)
    >>> expected_log([[1, 0], [0.5, 0.5]], c, 2, lda.Prior(1, 1)).round(4)  # the first token is certain
    array([[-0.2027, -0.2027],
           [ 0.2877, -0.6931]])
    """
    enumerable_tokens(c, K, p)
    gamma = np.repeat(checked_factors(gamma, c, K), c.n.astype(np.intp), axis=0)
    term_logs = log_terms(gamma, c, K, p)
    return np.array([weights @ (log_jk + log_wk - log_k) for weights, log_jk, log_wk, log_k in term_logs])  # TNW06 (15)
