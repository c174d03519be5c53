"""Exact sums over tables of counts: the truth for small vocabularies and a thousand tokens and more.

The joint probability TNW06 (7) depends on z through counts alone. Let m_jwk be how many of the n_jw tokens of word w in
document j have topic k. Assignments with the same m are added together:

    p(x) = sum_m  prod_j [ prod_w (n_jw; m_jw1, ..., m_jwK)  B(alpha + m_j) / B(alpha) ]
                  prod_k [ prod_w Gamma(eta_w + N_wk) / Gamma(eta_w) ]  Gamma(H) / Gamma(H + N_k)

Here (n; m) is a multinomial coefficient, m_jk = sum_w m_jwk, N_wk = sum_j m_jwk, N_k = sum_w N_wk and H = sum_w eta_w.
The topics see the documents through N_wk alone, so the documents' brackets are multiplied like polynomials whose
exponents are the counts. The number of terms is known before the sum begins (`terms`).

The expectation of a product of functions of the tables, counts and sizes is a ratio of two such sums, with the
functions among the factors: `tilted`. Sums are in logs. The error of a log evidence is about 1e-15 times its size.
"""

import functools
import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.special import gammaln, logsumexp

from ..arguments import shown
from ..corpus import Corpus, Ints
from ..engine import checked_topics
from ..model import Array, Prior, log_joint_of_documents

LIMIT = 2 * 10**9  # terms; about a minute
Pairs = Sequence[tuple[int, Array]]


class Factors(NamedTuple):
    """The factors of a sum, in logs. A table's axes are the words and, for each word, the topics from 1 to K - 1.

    Topic 0 has the tokens that are left. An entry where their number would be negative is -inf.
    """

    n_jw: Ints  # (D, V), the documents' counts of the V words that occur
    documents: tuple[Array, ...]  # the multinomial coefficients times B(alpha + m_j) / B(alpha), by the table
    words: tuple[Array, ...]  # prod_k Gamma(eta_w + N_wk) / Gamma(eta_w), by the counts in the topics
    topics: Array  # (K, N + 1), Gamma(H) / Gamma(H + N_k), by the size


def terms(c: Corpus, K: int) -> int:
    """The number of terms that `log_evidence` adds.

    >>> terms(Corpus.from_documents([[0, 0, 1], [1] * 9]), 2)  # 6 tables of a document, and 10 of the other
    60
    """
    return _order(_n_jw(c), K)[1]


def least_terms(c: Corpus, K: int) -> int:
    """The number of tables of the corpus; `terms` is at least as large, and takes longer to count."""
    N_w = c.by_word(c.n)[np.unique(c.w)]
    return math.prod(math.comb(int(n) + K - 1, K - 1) for n in N_w)


def log_evidence(c: Corpus, K: int, p: Prior) -> float:
    """log p(x | alpha, eta) for K topics, in nats.

    A ValueError says if the corpus is empty, K is below 1, the prior does not fit, or there are more terms than
    `LIMIT`; the message has their number.

    The three documents of `three_docs1200-ldaK2` in posteriordb have 400 tokens each, and take some seconds. With a
    twentieth of the tokens:

    >>> X = np.array([[360, 40, 0], [0, 400, 0], [0, 0, 400]])
    >>> terms(Corpus.from_csr(X), 2)
    69774802
    >>> round(log_evidence(Corpus.from_csr(X // 20), 2, Prior(1, 1)), 6)
    -45.808173
    """
    return log_sum(factors(c, K, p))


def factors(c: Corpus, K: int, p: Prior) -> Factors:
    """The factors of p(x), after the checks of `log_evidence`."""
    K = checked_topics(c, p, K)
    n_terms = n_terms if (n_terms := least_terms(c, K)) > LIMIT else terms(c, K)
    if n_terms > LIMIT:
        raise ValueError(
            f"the sum over tables of counts has at least 10^{math.log10(n_terms):.1f} terms for K = {shown(K)}, more"
            f" than the limit of {LIMIT:,}: it is for few topics and small vocabularies"
        )
    _, eta = p.arrays(K, c.W)
    n_jw = _n_jw(c)
    words = []
    for N_w, eta_w in zip(n_jw.sum(0).tolist(), eta[np.unique(c.w)], strict=True):
        N_wk, eta_w = compositions(N_w, K), eta_w.reshape(-1, *(1,) * (K - 1))
        words.append(np.where(N_wk[0] < 0, -np.inf, (gammaln(eta_w + np.abs(N_wk)) - gammaln(eta_w)).sum(0)))
    H = eta.sum(0).reshape(-1, 1)
    topics = gammaln(H) - gammaln(H + np.arange(c.N + 1))  # for each topic, or the same for all
    return Factors(n_jw, tuple(_document(x, K, p) for x in n_jw), tuple(words), np.tile(topics, (K // len(topics), 1)))


def log_sum(f: Factors) -> float:
    """The log of the sum over all tables of the product of the factors, in nats."""
    return float(logsumexp([logsumexp(log_terms) for log_terms in summands(f)]))


def tilted(f: Factors, documents: Pairs = (), words: Pairs = (), topics: Pairs = ()) -> Factors:
    """The factors times functions of a document's table, a word's counts or a topic's size, given by number and log."""
    lists_of_factors = [list(f.documents), list(f.words), list(f.topics)]
    for factor_list, numbered_logs in zip(lists_of_factors, (documents, words, topics), strict=True):
        for i, log_function in numbered_logs:
            factor_list[i] = factor_list[i] + log_function
    return Factors(f.n_jw, tuple(lists_of_factors[0]), tuple(lists_of_factors[1]), np.array(lists_of_factors[2]))


def summands(f: Factors) -> Iterator[Array]:
    """The logs of all terms: for each table of the last document, an array over the tables of all others together."""
    K = len(f.topics)
    document_order, _ = _order(f.n_jw, K)
    *factors_of_others, last_factor = (f.documents[j] for j in document_order)
    n_w = f.n_jw[document_order[-1]]
    n_w_of_others = f.n_jw.sum(0) - n_w
    log_product = np.zeros((1,) * last_factor.ndim)
    for document_factor in factors_of_others:
        log_product = multiplied(log_product, document_factor)
    for w in np.flatnonzero(n_w == 0).tolist():
        log_product = log_product + along(f.words[w], w, f)
    sizes_of_others = np.abs(topic_sizes(n_w_of_others, f))
    for last_index in map(tuple, np.argwhere(np.isfinite(last_factor))):
        log_terms = log_product + last_factor[last_index]
        for w in np.flatnonzero(n_w).tolist():
            m_w = last_index[w * (K - 1) : (w + 1) * (K - 1)]
            log_terms += along(f.words[w][tuple(slice(i, i + n_w_of_others[w] + 1) for i in m_w)], w, f)
        n_from_1 = [int(sum(last_index[k :: K - 1])) for k in range(K - 1)]
        m_k = [int(n_w.sum()) - sum(n_from_1), *n_from_1]
        for k in range(K):
            log_terms += f.topics[k][m_k[k] :][sizes_of_others[k]]
        yield log_terms


def multiplied(T: Array, P: Array) -> Array:
    """The product of two polynomials whose log coefficients are given: log of the convolution."""
    if np.sum(np.isfinite(P)) > np.sum(np.isfinite(T)):
        T, P = P, T
    log_product = np.full([T_size + P_size - 1 for T_size, P_size in zip(T.shape, P.shape, strict=True)], -np.inf)
    for shift_index in np.argwhere(np.isfinite(P)):
        window_index: Any = (..., *(slice(i, i + size) for i, size in zip(shift_index, T.shape, strict=True)))
        product_view = log_product[window_index]
        np.logaddexp(product_view, T + P[tuple(shift_index)], out=product_view)
    return log_product


def compositions(n: int, K: int) -> Ints:
    """Counts of all K topics by the counts of the topics 1 to K - 1: (K, n + 1, ..., n + 1).

    The count of topic 0 is negative where the others are more than n.

    >>> compositions(2, 2)
    array([[2, 1, 0],
           [0, 1, 2]])
    """
    m_from_1 = np.indices((n + 1,) * (K - 1))
    return np.concatenate([(n - m_from_1.sum(0))[None], m_from_1]) if K > 1 else np.array([n])


def log_coefficients(n: int, K: int) -> Array:
    """log of the multinomial coefficients (n; m), by the counts m of the topics 1 to K - 1: (n + 1, ..., n + 1).

    >>> np.exp(log_coefficients(2, 2)).round(6)
    array([1., 2., 1.])
    """
    m_of_topics = compositions(n, K)
    return np.where(m_of_topics[0] < 0, -np.inf, gammaln(n + 1) - gammaln(np.abs(m_of_topics) + 1).sum(0))


def topic_sizes(n_w: Ints, f: Factors) -> Ints:
    """The sizes of the topics (K, ...) in a table of a document with the counts n_w, by its entries."""
    return _summed([compositions(n, len(f.topics)) for n in n_w.tolist()], len(f.topics))


def _document(n_w: Ints, K: int, p: Prior) -> Array:
    """log of prod_w (n_w; m_w) B(alpha + m) / B(alpha), by the table m of a document."""
    log_coefficient, m_k = (_summed([make(n, K) for n in n_w.tolist()], K) for make in (log_coefficients, compositions))
    return log_coefficient + log_joint_of_documents(np.abs(np.moveaxis(m_k, 0, -1)).astype(float), p)


def _summed(array_of_w: list[Any], K: int) -> Any:
    """The sum over the words of an array over the counts of each, over the axes of a table."""
    return functools.reduce(np.add, [_spread(array_w, w, len(array_of_w), K) for w, array_w in enumerate(array_of_w)])


def _n_jw(c: Corpus) -> Ints:
    """The counts (D, V) of the words that occur."""
    return c.tokens().to_csr()[:, np.unique(c.w)].toarray()  # an error if counts are fractions


def _order(n_jw: Ints, K: int) -> tuple[list[int], int]:
    """The documents, the last one last, in the order with the fewest terms, and the number of terms."""
    tables_of_j = [math.prod((n + 1) ** (K - 1) for n in n_w) for n_w in n_jw.tolist()]
    order_by_tables = sorted(range(len(tables_of_j)), key=lambda j: -tables_of_j[j])
    fewest_terms_and_last: tuple[int, int] | None = None
    for last_j in {tuple(n_jw[j]): j for j in order_by_tables}.values():
        n_w_before, n_terms = np.zeros(n_jw.shape[1], np.int64), 0
        for j in [*(other_j for other_j in order_by_tables if other_j != last_j), last_j]:
            n_tables_before = math.prod((n + 1) ** (K - 1) for n in n_w_before.tolist())
            n_terms += n_tables_before * tables_of_j[j] if n_w_before.any() else 0
            n_w_before = n_w_before + n_jw[j]
        if fewest_terms_and_last is None or n_terms < fewest_terms_and_last[0]:
            fewest_terms_and_last = n_terms, last_j
    if fewest_terms_and_last is None:
        return [], 0
    n_terms, last_j = fewest_terms_and_last
    return [*(other_j for other_j in order_by_tables if other_j != last_j), last_j], max(n_terms, tables_of_j[last_j])


def _spread(x: Any, w: int, V: int, K: int) -> Any:
    """An array over the counts of word w, perhaps with an axis before them, as one over the axes of a table."""
    counts_shape = x.shape[x.ndim - (K - 1) :] if x.ndim >= K - 1 else ()
    lead_shape = x.shape[: x.ndim - (K - 1)]
    return np.reshape(x, (*lead_shape, *(1,) * (w * (K - 1)), *counts_shape, *(1,) * ((V - w - 1) * (K - 1))))


def along(x: Any, w: int, f: Factors) -> Any:
    """An array over the counts of word w as one over the axes of a table."""
    return _spread(x, w, len(f.words), len(f.topics))
