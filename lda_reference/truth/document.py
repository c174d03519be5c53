"""The evidence of a document given the topics: exactly, and by left-to-right.

    p(x_j | phi, alpha)  =  E[prod_w (sum_k phi_wk theta_k)^n_jw],      theta ~ Dirichlet(alpha)

`exact` expands the product into monomials of theta, the count polynomial, and replaces theta^m by its expectation
B(alpha + m) / B(alpha). Its terms are counted before it starts (`terms`): about N^K of them, so it is for few topics.

`left_to_right` is Algorithm 3 of Wallach, Murray, Salakhutdinov and Mimno (2009). Each of R particles goes through the
document. At position n it draws the topics of all positions before n again, in turn and from their conditionals given
one another, those of TNW06 (8) with phi held, and then

    p_n^r  =  p(x_n | z^r_<n, phi)  =  sum_k phi_{x_n k} (N_jk + alpha_k) / (n - 1 + sum_k alpha_k),
    z_n^r  ~  p(z_n | x_n, z^r_<n, phi)

The algorithm as printed estimates log p(x) by sum_n log(mean_r p_n^r), `product_of_means`, which has a bias that more
particles do not remove. The mean of the particles' products, `mean_of_products`, is unbiased for any number of them
(chapter 22). A corpus stands for its documents, each on its own; an empty document has evidence 1.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp, xlogy

from ..algorithms.cvb0 import smoothed
from ..arguments import check_distributions, check_generator, whole_number
from ..corpus import Corpus, Ints
from ..engine import draw
from ..model import Array, Prior, log_joint_of_documents
from .tables import LIMIT, compositions, log_coefficients, multiplied

BLOCK = 2**16  # numbers in the counts of the documents that are swept together


def terms(c: Corpus, K: int) -> int:
    """The number of terms that `exact` adds.

    >>> terms(Corpus.from_documents([[0, 0, 1]]), 2)  # 1 x 3, then 2 x 3
    9
    """
    n_terms, c_types = 0, c.types()
    for j in range(c_types.D):
        n_before = 0
        for n in c_types.n[c_types.j == j].tolist():
            fewer_n, more_n = sorted((n_before, n))
            n_terms += math.comb(fewer_n + K - 1, K - 1) * (more_n + 1) ** (K - 1)
            n_before += n
    return n_terms


def exact(c: Corpus, phi_wk: ArrayLike, p: Prior) -> Array:
    """log p(x_j | phi, alpha) of each document, by its count polynomial: (D,), in nats.

    It is the probability of the words in their order, which does not change with the order. A ValueError says if phi_wk
    (W, K) or alpha does not fit, a word of the corpus has probability 0 under every topic, or there are more terms than
    `LIMIT`.

    >>> phi_wk = np.array([[0.9, 0.2], [0.1, 0.8]])
    >>> np.exp(exact(Corpus.from_documents([[0], [0, 1], []]), phi_wk, Prior(alpha=1))).round(6)
    array([0.55    , 0.206667, 1.      ])
    """
    phi_wk = checked_topics(c, phi_wk, p)
    K, c_types = phi_wk.shape[1], c.types()
    n_terms = terms(c, K)
    if n_terms > LIMIT:
        raise ValueError(
            f"the count polynomials have 10^{math.log10(n_terms):.1f} terms for K = {K}, more than the limit of"
            f" {LIMIT:,}: they are for few topics and short documents"
        )
    log_p = np.zeros(c_types.D)
    for j in np.unique(c_types.j).tolist():
        count_polynomial = np.zeros((1,) * (K - 1))
        for w, n in zip(c_types.w[c_types.j == j].tolist(), c_types.n[c_types.j == j].tolist(), strict=True):
            m_k = np.abs(np.moveaxis(compositions(n, K), 0, -1))
            count_polynomial = multiplied(count_polynomial, log_coefficients(n, K) + xlogy(m_k, phi_wk[w]).sum(-1))
        m_k = np.abs(np.moveaxis(compositions(int(c_types.n[c_types.j == j].sum()), K), 0, -1)).astype(float)
        log_p[j] = logsumexp(count_polynomial + log_joint_of_documents(m_k, p))
    return log_p


class Block(NamedTuple):
    """Some documents, the longest first, with R particles each."""

    rows: Ints  # (d, n_max): the number of each token in the corpus of tokens; 0 after the end of a document
    longer: Ints  # (n_max,): the number of documents with more than n tokens
    phi: Array  # (d, n_max, K): phi_wk of each token


def left_to_right(c: Corpus, phi_wk: ArrayLike, p: Prior, rng: np.random.Generator, particles: int = 20) -> Array:
    """log p_n^r of every token and particle, for `mean_of_products` and `product_of_means`: (N, R), in nats.

    A row of count n stands for n tokens, in row order. A document of n tokens takes n^2 / 2 draws a particle.

    >>> phi_wk, c = np.array([[0.9, 0.2], [0.1, 0.8]]), Corpus.from_documents([[0, 1]])
    >>> log_p = left_to_right(c, phi_wk, Prior(alpha=1), np.random.default_rng(0), particles=1000)
    >>> np.exp(mean_of_products(log_p, c)).round(2)  # the exact value: 0.2067
    array([0.21])
    """
    check_generator(rng)
    phi_wk, tokens = checked_topics(c, phi_wk, p), c.tokens()
    R, K = whole_number(particles, "particles", 1), phi_wk.shape[1]
    alpha, _ = p.arrays(K, c.W)
    log_p = np.zeros((tokens.N, R))
    for block in _blocks(tokens, phi_wk, R):
        n_documents, n_max = block.rows.shape
        N_jk, z = np.zeros((n_documents, R, K)), np.zeros((n_max, n_documents, R), np.int64)
        for n in range(n_max):
            n_longer = int(block.longer[n])
            for i in range(n):
                _add_topics(N_jk[:n_longer], z[i, :n_longer], -1)
                weights = conditional(N_jk[:n_longer], block.phi[:n_longer, i], alpha)
                z[i, :n_longer] = draw(weights, rng.random((n_longer, R)))
                _add_topics(N_jk[:n_longer], z[i, :n_longer], 1)
            weights = conditional(N_jk[:n_longer], block.phi[:n_longer, n], alpha)
            log_p[block.rows[:n_longer, n]] = np.log(weights.sum(-1) / (n + alpha.sum()))  # WMSM09 [left_to_right]
            z[n, :n_longer] = draw(weights, rng.random((n_longer, R)))
            _add_topics(N_jk[:n_longer], z[n, :n_longer], 1)
    return log_p


def mean_of_products(log_p: Array, c: Corpus) -> Array:
    """log of the mean over particles of prod_n p_n^r, an unbiased estimate of each document's evidence: (D,), in nats.

    >>> mean_of_products(np.log([[0.5, 0.1], [0.5, 0.3]]), Corpus.from_documents([[0, 1]])).round(4)  # log 0.14
    array([-1.9661])
    """
    return logsumexp(_sums_by_document(log_p, c), -1) - math.log(log_p.shape[1])


def product_of_means(log_p: Array, c: Corpus) -> Array:
    """sum_n log(mean_r p_n^r) of each document, as printed: Wallach et al. (2009), Algorithm 3. (D,), in nats.

    >>> product_of_means(np.log([[0.5, 0.1], [0.5, 0.3]]), Corpus.from_documents([[0, 1]])).round(4)  # log 0.12
    array([-2.1203])
    """
    return _sums_by_document(logsumexp(log_p, -1) - math.log(log_p.shape[1]), c)


def checked_topics(c: Corpus, phi_wk: ArrayLike, p: Prior) -> Array:
    """phi_wk as an array (W, K), after a check that it and alpha fit, and that every word of the corpus has a topic."""
    phi_wk = np.asarray(phi_wk, np.float64)
    if phi_wk.ndim != 2 or len(phi_wk) != c.W:
        raise ValueError(f"phi_wk has shape {phi_wk.shape}, expected (W, K) with W = {c.W} rows")
    check_distributions(phi_wk, "phi_wk", 0)
    p.check(phi_wk.shape[1], c.W)
    for w in np.unique(c.w)[~(phi_wk[np.unique(c.w)] > 0).any(-1)]:
        raise ValueError(f"word {w} has probability 0 under every topic, so the evidence of its documents is 0")
    return phi_wk


def conditional(N_jk: Array, phi: Array, alpha: Array) -> Array:
    """(N_jk + alpha_k) phi_wk of one token of each document: (d, R, K) from the counts (d, R, K) and phi (d, K)."""
    return smoothed(alpha, N_jk) * phi[:, None]  # TNW06 (8), with phi known


def _add_topics(N_jk: Array, z: Ints, increment: int) -> None:
    """Add `increment` to the count of topic z (d, R) in N_jk (d, R, K), in place."""
    flat_N_jk = N_jk.reshape(-1, N_jk.shape[-1])  # a view: N_jk is the first documents of a whole array
    flat_N_jk[np.arange(len(flat_N_jk)), z.ravel()] += increment


def _sums_by_document(x: Array, c: Corpus) -> Array:
    """The sums of x (N, ...) over the tokens of each document: (D, ...)."""
    sums_j = np.zeros((c.D, *x.shape[1:]))
    np.add.at(sums_j, c.tokens().j, x)
    return sums_j


def _blocks(tokens: Corpus, phi_wk: Array, R: int) -> Iterator[Block]:
    """The documents that have tokens, the longest first, in blocks whose counts fit the cache."""
    document_lengths, starts = np.bincount(tokens.j, minlength=tokens.D), np.searchsorted(tokens.j, np.arange(tokens.D))
    documents_by_length = np.argsort(-document_lengths, kind="stable")[: np.count_nonzero(document_lengths)]
    block_size = max(1, BLOCK // (R * phi_wk.shape[1]))
    for block_start in range(0, len(documents_by_length), block_size):
        block_documents = documents_by_length[block_start : block_start + block_size]
        positions = np.arange(document_lengths[block_documents[0]])
        is_in_document = positions < document_lengths[block_documents][:, None]
        token_rows = np.where(is_in_document, starts[block_documents][:, None] + positions, 0)
        yield Block(token_rows, is_in_document.sum(0), phi_wk[tokens.w[token_rows]])
