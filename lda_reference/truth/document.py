"""The evidence of a document given the topics: exactly, and by importance sampling.

    p(x_j | phi, alpha)  =  E[prod_w (sum_k phi_wk theta_k)^n_jw],      theta ~ Dirichlet(alpha)

`exact` expands the product into monomials of theta, the count polynomial. Its coefficients are products of multinomial
coefficients (n_w; m_w) and prod_k phi_wk^m_wk; the expectation of theta^m is B(alpha + m) / B(alpha):

    p(x_j | phi, alpha)  =  sum_m  [theta^m] prod_w (sum_k phi_wk theta_k)^n_jw  B(alpha + m) / B(alpha)

Its terms are counted before it starts (`terms`): about N^K of them, so it is for few topics.

The other functions are importance samplers of Wallach, Murray, Salakhutdinov and Mimno (2009). Both are unbiased
estimates of p(x_j | phi, alpha), so that their logarithms are too low in expectation:

- `from_the_prior`         theta ~ Dirichlet(alpha)
- `from_pseudo_counts`     z_i ~ gamma_i independently, gamma from sweeps of CVB0, AWST09 (13), with held topics: the
                           iterated pseudo-counts

document_samplers.py has Chib's estimate and left-to-right.

A corpus stands for its documents, each on its own; an empty document has evidence 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp, xlogy

from ..algorithms.cvb0 import ALGORITHM as CVB0
from ..arguments import check_generator
from ..corpus import Corpus
from ..engine import State, check_distributions, draw, log_gammas, normalised, whole_number
from ..model import Array, Prior, log_joint_of_documents
from .tables import LIMIT, compositions, log_coefficients, multiplied


def terms(c: Corpus, K: int) -> int:
    """The number of terms that `exact` adds.

    Examples
    --------
    >>> terms(Corpus.from_documents([[0, 0, 1]]), 2)  # 1 x 3, then 2 x 3
    9
    """
    number, t = 0, c.types()
    for j in range(t.D):
        so_far = 0
        for n in t.n[t.j == j].tolist():
            fewer, more = sorted((so_far, n))
            number += math.comb(fewer + K - 1, K - 1) * (more + 1) ** (K - 1)
            so_far += n
    return number


def exact(c: Corpus, phi_wk: ArrayLike, p: Prior, limit: int = LIMIT) -> Array:
    """log p(x_j | phi, alpha) of each document, by its count polynomial.

    Parameters
    ----------
    c : Corpus
    phi_wk : (W, K), columns sum to 1
    p : Prior
        Its alpha.
    limit : int
        The largest number of terms. A processor adds some 3e7 a second.

    Returns
    -------
    (D,), in nats
        The probability of the words in their order. It does not change with the order.

    Raises
    ------
    ValueError
        If phi has another shape or its columns are not distributions, alpha does not fit, a word of the corpus has
        probability 0 under every topic, or there are more terms than the limit; the message has their number.

    Examples
    --------
    >>> phi_wk = np.array([[0.9, 0.2], [0.1, 0.8]])
    >>> np.exp(exact(Corpus.from_documents([[0], [0, 1], []]), phi_wk, Prior(alpha=1))).round(6)
    array([0.55    , 0.206667, 1.      ])
    """
    phi_wk = checked_topics(c, phi_wk, p)
    K, t = phi_wk.shape[1], c.types()
    number = terms(c, K)
    if number > limit:
        raise ValueError(
            f"the count polynomials have 10^{math.log10(number):.1f} terms for K = {K}, more than the limit of"
            f" {limit:,}: they are for few topics and short documents"
        )
    out = np.zeros(t.D)
    for j in np.unique(t.j).tolist():
        T = np.zeros((1,) * (K - 1))
        for w, n in zip(t.w[t.j == j].tolist(), t.n[t.j == j].tolist(), strict=True):
            m_k = np.abs(np.moveaxis(compositions(n, K), 0, -1))
            T = multiplied(T, log_coefficients(n, K) + xlogy(m_k, phi_wk[w]).sum(-1))
        m_k = np.abs(np.moveaxis(compositions(int(t.n[t.j == j].sum()), K), 0, -1)).astype(float)
        out[j] = logsumexp(T + log_joint_of_documents(m_k, p))
    return out


def from_the_prior(c: Corpus, phi_wk: ArrayLike, p: Prior, rng: np.random.Generator, samples: int = 1000) -> Array:
    """The mean of prod_w (phi theta)^n over draws of theta from Dirichlet(alpha): Wallach et al. (2009).

    Parameters
    ----------
    c, phi_wk, p
        As `exact`.
    rng : numpy.random.Generator
    samples : int
        Draws for each document.

    Returns
    -------
    (D,), in nats
        The logs of unbiased estimates; -inf if no draw has a topic for every word, which a small alpha makes likely.

    Raises
    ------
    ValueError
        As `exact`, but for the limit; and if samples is below 1.

    Examples
    --------
    >>> phi_wk, c = np.array([[0.9, 0.2], [0.1, 0.8]]), Corpus.from_documents([[0, 1]])
    >>> np.exp(from_the_prior(c, phi_wk, Prior(alpha=1), np.random.default_rng(0))).round(2)  # the exact value: 0.2067
    array([0.21])
    """
    check_generator(rng)
    phi_wk = checked_topics(c, phi_wk, p)
    alpha, _ = p.arrays(phi_wk.shape[1], c.W)

    def log_weights(j: int, rows: slice) -> Array:
        log_theta = _log_dirichlet(np.tile(alpha, (samples, 1)), rng)
        return _log_likelihood(c, rows, phi_wk, log_theta)  # WMSM09 [prior]

    return _log_means(c, whole_number(samples, "samples", 1), log_weights)


def from_pseudo_counts(
    c: Corpus, phi_wk: ArrayLike, p: Prior, rng: np.random.Generator, samples: int = 1000, sweeps: int = 10
) -> Array:
    """The mean of p(x, z) / q(z) over draws of z from q = prod_i gamma_i, the iterated pseudo-counts.

    Wallach et al. (2009). Arguments, result and errors as `from_the_prior`; `sweeps` is the number of iterations.

    Examples
    --------
    >>> phi_wk, c = np.array([[0.9, 0.2], [0.1, 0.8]]), Corpus.from_documents([[0, 1]])
    >>> np.exp(from_pseudo_counts(c, phi_wk, Prior(alpha=1), np.random.default_rng(0))).round(2)
    array([0.21])
    """
    check_generator(rng)
    phi_wk, c = checked_topics(c, phi_wk, p), c.tokens()
    S, K = whole_number(samples, "samples", 1), phi_wk.shape[1]
    gamma = pseudo_counts(c, phi_wk, p, sweeps).gamma
    log_ratio = np.log(np.divide(phi_wk[c.w], gamma, out=np.ones_like(gamma), where=gamma > 0))

    def log_weights(j: int, rows: slice) -> Array:
        q = np.broadcast_to(gamma[rows, None], (rows.stop - rows.start, S, K))
        z = draw(q, rng.random(q.shape[:2]))
        N_jk = np.bincount((np.arange(S) * K + z).ravel(), minlength=S * K).reshape(S, K)
        of_words = np.take_along_axis(log_ratio[rows], z, -1).sum(0)
        return log_joint_of_documents(N_jk.astype(float), p) + of_words  # WMSM09 [pseudo_counts]

    return _log_means(c, S, log_weights)


def pseudo_counts(c: Corpus, phi_wk: Array, p: Prior, sweeps: int) -> State:
    """gamma by sweeps of CVB0 with held topics, from gamma ∝ alpha phi: gamma_ik ∝ (alpha_k + N_jk^-i) phi_wk."""
    alpha, _ = p.arrays(phi_wk.shape[1], c.W)
    s = State(normalised(alpha * phi_wk[c.w], -1))
    for _ in range(whole_number(sweeps, "sweeps", 0) if c.N else 0):
        s = CVB0.sweep(s, c, p, schedule="corpus", held_topics=phi_wk)
    return s


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


def _log_means(c: Corpus, S: int, log_weights: Callable[[int, slice], Array]) -> Array:
    """The log of the mean weight of each document that has tokens."""
    ends = np.searchsorted(c.j, np.arange(c.D + 1)).tolist()
    out = np.zeros(c.D)
    for j in np.unique(c.j).tolist():
        out[j] = logsumexp(log_weights(j, slice(ends[j], ends[j + 1]))) - math.log(S)
    return out


def _log_dirichlet(a: Array, rng: np.random.Generator) -> Array:
    logs = log_gammas(a, rng)
    return logs - logsumexp(logs, -1, keepdims=True)


def _log_likelihood(c: Corpus, rows: slice, phi_wk: Array, log_theta: Array) -> Array:
    """log prod_w (phi theta)^n of a document, for each draw of theta: (S,)."""
    w, n = c.w[rows], c.n[rows]
    top = log_theta.max(-1, keepdims=True)
    with np.errstate(divide="ignore"):  # a theta that gives a word probability 0 has weight 0
        return n @ (np.log(phi_wk[w] @ np.exp(log_theta - top).T) + top.T)
