"""Exact answers on tiny corpora, by summing over all K^N assignments.

With a symmetric alpha the posterior does not change when the topics are renumbered, so every marginal p(z_i = k | x)
is 1/K, and a uniform factorised answer satisfies Callen's equations without knowing anything. What carries
information is label-invariant: the evidence, and the co-assignment p(z_i = z_i' | x). An asymmetric alpha gives the
topics names, and the marginals meaning.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp

from ..algorithms.cgs import ALGORITHM as CGS
from ..corpus import Corpus, Ints
from ..engine import checked_gamma, pseudocounts, soft, weights
from ..model import Array, Prior, log_joint_collapsed

LIMIT = 2**22  # assignments


class Posterior(NamedTuple):
    """The exact posterior of the topics of the tokens.

    Attributes
    ----------
    log_evidence : float
        log p(x | alpha, eta), in nats.
    gamma : (N, K)
        p(z_i = k | x); 1/K throughout where alpha is symmetric.
    together : (N, N)
        p(z_i = z_i' | x), which does not depend on the numbers of the topics.
    """

    log_evidence: float
    gamma: Array
    together: Array


class Callen(NamedTuple):
    """The right-hand sides of Callen's equations, from the exact posterior.

    Attributes
    ----------
    gamma : (N, K)
        E[p(z_i = k | z^-i, x)], which is p(z_i = k | x): TNW06 (9).
    together : (N, N)
        E[p(z_i = z_i' | z^-i, x)], which is p(z_i = z_i' | x): the same equation for a label-invariant event.
    """

    gamma: Array
    together: Array


def posterior(c: Corpus, K: int, p: Prior) -> Posterior:
    """The evidence and the posterior of z, by enumeration.

    Parameters
    ----------
    c : Corpus
        A row of count n stands for n tokens, in row order.
    K : int
    p : Prior

    Raises
    ------
    ValueError
        If K^N is above 2^22, saying how large it is.

    Examples
    --------
    >>> import lda_reference as lda
    >>> e = posterior(lda.Corpus.from_documents([[0, 0]], W=2), 2, lda.Prior(1, 1))
    >>> round(float(np.exp(e.log_evidence)), 6)  # 2/3 · 1/2 · 2/3 together + 1/3 · 1/2 · 1/2 apart
    0.305556
    >>> e.gamma[0], e.together[0].round(6)
    (array([0.5, 0.5]), array([1.      , 0.727273]))
    """
    t = _tiny(c, K, p)
    log_p = np.concatenate([log_joint_collapsed(N_jk, N_wk, p) for _, N_jk, N_wk in _assignments(t, K)])
    log_evidence = float(logsumexp(log_p))  # SOL14 (1)
    gamma, together = np.zeros((t.N, K)), np.zeros((t.N, t.N))
    start = 0
    for z, _, _ in _assignments(t, K):
        weight = np.exp(log_p[start : start + len(z)] - log_evidence)
        start += len(z)
        for k in range(K):
            here = (z == k).astype(np.float64)
            gamma[:, k] += weight @ here
            together += here.T @ (weight[:, None] * here)
    return Posterior(log_evidence, gamma, together)


def callen(c: Corpus, K: int, p: Prior) -> Callen:
    """The expectation of the conditional (8) under the exact posterior, TNW06 (9).

    The exact posterior satisfies them to rounding: `gamma` and `together` are those of `posterior`.
    """
    t = _tiny(c, K, p)
    a = pseudocounts(p, c.W)
    log_evidence = posterior(c, K, p).log_evidence
    gamma, together = np.zeros((t.N, K)), np.zeros((t.N, t.N))
    for z, N_jk, N_wk in _assignments(t, K):
        weight = np.exp(log_joint_collapsed(N_jk, N_wk, p) - log_evidence)
        N_k = N_wk.sum(0)
        for i in range(t.N):
            own = np.eye(K)[z[:, i]]  # what the token adds to its counts
            eta = a.eta[t.w[i]] if a.eta.ndim else a.eta
            counts = N_jk[t.j[i]] - own, N_wk[t.w[i]] - own, N_k - own
            numbers = a.alpha, eta, a.W_eta
            terms = (term.value(x, n) for term, x, n in zip(CGS.update.terms, numbers, counts, strict=True))
            conditional = soft(weights(CGS.update, *terms))  # TNW06 (8)
            gamma[i] += weight @ conditional  # TNW06 (9)
            together[i] += weight @ np.take_along_axis(conditional, z, -1)
    np.fill_diagonal(together, 1.0)
    return Callen(gamma, together)


def expected_log(gamma: ArrayLike, c: Corpus, K: int, p: Prior) -> Array:
    """The exponent of TNW06 (15) for every token, by summing over all assignments.

    E_q[log(alpha + n_jk^-ij) + log(beta + n_kw^-ij) - log(W beta + n_k^-ij)], the z independent with the
    probabilities gamma.

    Parameters
    ----------
    gamma : (M, K)
        Of the rows of c; the n tokens of a row share it.

    Returns
    -------
    (N, K), in nats.

    Examples
    --------
    >>> import lda_reference as lda
    >>> c = lda.Corpus.from_documents([[0, 0]], W=2)
    >>> expected_log([[1, 0], [0.5, 0.5]], c, 2, lda.Prior(1, 1)).round(4)  # the second token sees a certain first
    array([[-0.2027, -0.2027],
           [ 0.2877, -0.6931]])
    """
    t = _tiny(c, K, p)
    tokens_gamma = np.repeat(checked_gamma(gamma, c.M, K, None), c.n, axis=0)
    _, eta = p.vectors(K, c.W)
    alpha = np.asarray(p.alpha)
    out = np.zeros((t.N, K))
    for z, N_jk, N_wk in _assignments(t, K):
        weight = np.prod(tokens_gamma[np.arange(t.N), z], axis=-1)
        N_k = N_wk.sum(0)
        for i in range(t.N):
            own = np.eye(K)[z[:, i]]
            j, w = t.j[i], t.w[i]
            out[i] += weight @ (
                np.log(alpha + N_jk[j] - own) + np.log(eta[w] + N_wk[w] - own) - np.log(eta.sum() + N_k - own)
            )  # TNW06 (15)
    return out


def _tiny(c: Corpus, K: int, p: Prior) -> Corpus:
    if K < 1:
        raise ValueError(f"K is {K}, expected a whole number of topics from 1")
    if c.N == 0:
        raise ValueError("the corpus is empty: it has no token")
    p.check(K, c.W)
    if K**c.N > LIMIT:
        raise ValueError(
            f"enumeration is for tiny corpora: K^N = {K}^{c.N}, about 10^{c.N * np.log10(K):.1f} assignments, is"
            f" more than the {LIMIT:,} that are summed here"
        )
    return c.tokens()


def _assignments(t: Corpus, K: int) -> Iterator[tuple[Ints, Array, Array]]:
    """All assignments, in blocks: z (B, N), and their counts with the block as replicate axis, (D, B, K), (W, B, K)."""
    size = max(1, 2**20 // (K * (t.D + t.W + t.N)))
    for start in range(0, K**t.N, size):
        number = np.arange(start, min(start + size, K**t.N))
        z = np.stack(np.unravel_index(number, (K,) * t.N), -1)
        N_jk, N_wk = np.zeros((t.D, len(z), K)), np.zeros((t.W, len(z), K))
        one_hot = np.eye(K)[z]
        for i, (j, w) in enumerate(zip(t.j, t.w, strict=True)):
            N_jk[j] += one_hot[:, i]
            N_wk[w] += one_hot[:, i]
        yield z, N_jk, N_wk


