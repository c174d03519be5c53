"""Prediction: the probability of held-out tokens, perplexity, and folding in new documents."""

from __future__ import annotations

import numpy as np

from .corpus import Corpus
from .engine import Algorithm, State, hold_topics
from .model import Array, Prior


def token_probability(c: Corpus, theta_jk: Array, phi_wk: Array) -> Array:
    """sum_k theta_jk phi_wk of each row of `c`, averaged over samples where there are several.

    TNW06 (19); with a sample axis before the topic axis, (D, S, K) and (W, S, K), TNW06 (20).

    Returns
    -------
    (M,) probabilities
    """
    if theta_jk.shape[0] != c.D or phi_wk.shape[0] != c.W or theta_jk.shape[1:] != phi_wk.shape[1:]:
        raise ValueError(
            f"theta_jk has shape {theta_jk.shape} and phi_wk {phi_wk.shape}, expected {c.D} documents, {c.W} words and"
            " the same topics"
        )
    samples = 1 if theta_jk.ndim == 2 else theta_jk.shape[1]
    theta, phi = theta_jk.reshape(c.D, -1), phi_wk.reshape(c.W, -1)
    out = np.empty(c.M)
    size = max(1, 2**18 // max(1, theta.shape[1]))
    for i in range(0, c.M, size):
        rows = slice(i, i + size)
        out[rows] = np.einsum("mk,mk->m", theta[c.j[rows]], phi[c.w[rows]]) / samples  # TNW06 (19)(20)
    return out


def perplexity(c: Corpus, theta_jk: Array, phi_wk: Array) -> float:
    """exp of minus the mean natural logarithm of the predictive probability of a token of `c`.

    The one definition used everywhere here. It depends on which tokens `c` holds and on how theta and phi were
    estimated: say both beside the number. A uniform model has perplexity W. Infinite if a token has probability 0.

    Parameters
    ----------
    c : Corpus
        The test tokens, of the documents that theta is of.
    theta_jk : (D, K) or (D, S, K)
    phi_wk : (W, K) or (W, S, K)
        With a sample axis the probability of a token is averaged over the samples, TNW06 (20).

    Raises
    ------
    ValueError
        If `c` has no token, or the shapes do not fit.

    Examples
    --------
    >>> c = Corpus.from_documents([[0, 1], [2]], W=4)
    >>> perplexity(c, np.full((2, 3), 1 / 3), np.full((4, 3), 1 / 4))
    4.0
    """
    return perplexity_of(c, token_probability(c, theta_jk, phi_wk))


def perplexity_of(c: Corpus, probability: Array) -> float:
    """The perplexity of rows with given predictive probabilities."""
    if c.N == 0:
        raise ValueError("the test corpus has no token: its perplexity is not defined")
    with np.errstate(divide="ignore"):
        return float(np.exp(-(c.n @ np.log(probability)) / c.N))  # AWST09 §4, SOL14 §3.1, BOO16 §6


def fold_in(A: Algorithm, c: Corpus, phi_wk: Array, p: Prior, rng: np.random.Generator, sweeps: int = 100) -> Array:
    """theta of new documents by the algorithm that trained, its topics held fixed. AWST09 §4.

    Parameters
    ----------
    A : Algorithm
    c : Corpus
        What is known of the documents, such as their first halves.
    phi_wk : (W, K), columns sum to 1
    p : Prior
    rng : numpy.random.Generator
    sweeps : int
        Samplers are averaged over the second half of them.

    Returns
    -------
    theta_jk : (D, K), rows sum to 1
        For a document without tokens the algorithm's estimate from the prior alone.

    Raises
    ------
    ValueError
        For a word of `c` that no topic can produce.

    Examples
    --------
    >>> import lda_reference as lda
    >>> c, phi_wk = lda.Corpus.from_documents([[0, 0, 0, 1], []], W=2), np.array([[0.9, 0.1], [0.1, 0.9]])
    >>> fold_in(lda.ALGORITHMS["cvb0"], c, phi_wk, lda.Prior(0.5, 0.1), np.random.default_rng(0)).round(2)
    array([[0.75, 0.25],
           [0.5 , 0.5 ]])
    """
    K, c = phi_wk.shape[-1], A.rows(c)
    if c.N == 0:
        return A.estimate(State(np.empty((0, K))), c, p)[0]
    fixed = hold_topics(A, phi_wk, c)
    state = fixed.init(c, K, p, rng=rng)
    total, count = np.zeros((c.D, K)), 0
    for t in range(1, sweeps + 1):
        state = fixed.sweep(state, c, p, rng=rng)
        if A.assignment == "sample" and t > sweeps // 2:
            total, count = total + A.estimate(state, c, p)[0], count + 1
    return total / count if count else A.estimate(state, c, p)[0]
