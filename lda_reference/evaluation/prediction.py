"""Prediction: estimates of theta and phi, the probability of held-out tokens, perplexity, folding in new documents.

From the counts of a state, expected or drawn, and a prior a there are three estimates of theta_j, and with N_wk and eta
likewise of phi_k:

- `mean`      (N_jk + alpha) / (N_j + K alpha), the posterior mean                                  AWST09 (15)
- `digamma`   ∝ exp Ψ(N_jk + alpha), the terms of VB's own update                                   AWST09 (16)
- `counts`    N_jk / N_j, without the prior                                                    SOL14 §2.4.1

In print (16) has exp Ψ(N_k + W eta) and exp Ψ(N_j + K alpha) below; both cancel on normalising. Training at alpha + 1/2
and eta + 1/2 and predicting at alpha and eta (AWST09 §3.2) is `estimates` of a state trained with the one prior, given
the other.
"""

from __future__ import annotations

import numpy as np
from scipy.special import digamma

from ..algorithms import ml
from ..corpus import Corpus
from ..engine import Algorithm, State, normalised, posterior_mean, sums
from ..model import Array, Prior

ESTIMATORS = ("mean", "digamma", "counts")


def estimates(s: State, c: Corpus, p: Prior, estimator: str) -> tuple[Array, Array]:
    """theta_jk and phi_wk from the counts of a state, by one of the three estimators, whatever the algorithm.

    Parameters
    ----------
    s : State
    c : Corpus
    p : Prior
        It need not be the one that the state was trained with.
    estimator : {"mean", "digamma", "counts"}
        With `counts` a document or topic without tokens is uniform.

    Returns
    -------
    theta_jk : (D, [R,] K), rows sum to 1
    phi_wk : (W, [R,] K), columns sum to 1

    Examples
    --------
    >>> import lda_reference as lda
    >>> c, p = lda.Corpus.from_documents([[0, 0, 1]]), lda.Prior(1, 1)
    >>> s = lda.ALGORITHMS["vb"].init(c, 2, p, gamma=[[1, 0], [1, 0], [0, 1]])
    >>> for name in ESTIMATORS:
    ...     print(estimates(s, c, p, name)[0].round(4).tolist())
    [[0.6, 0.4]]
    [[0.6225, 0.3775]]
    [[0.6667, 0.3333]]
    """
    if estimator not in ESTIMATORS:
        raise ValueError(f"estimator is {estimator!r}, expected one of {', '.join(ESTIMATORS)}")
    if estimator == "mean":
        return posterior_mean(s, c, p)
    if estimator == "counts":
        return ml.estimate(s, c, p)  # SOL14 §2.4.1
    N = sums(s.gamma, c)
    alpha, eta = p.vectors(N.k.shape[-1], c.W)
    eta_wk = eta.reshape(-1, *(1,) * (N.wk.ndim - 1))
    return _exp_digamma(N.jk + alpha, -1), _exp_digamma(N.wk + eta_wk, 0)  # AWST09 (16)


def _exp_digamma(x: Array, axis: int) -> Array:
    x = digamma(x)
    return normalised(np.exp(x - x.max(axis, keepdims=True)), axis)  # AWST09 (16)


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


def fold_in(
    A: Algorithm,
    c: Corpus,
    phi_wk: Array,
    p: Prior,
    rng: np.random.Generator,
    sweeps: int = 100,
    estimator: str | None = None,
    schedule: str | None = None,
    at: Prior | None = None,
) -> Array:
    """theta of new documents by the algorithm that trained, its topics held fixed. AWST09 §4.

    Parameters
    ----------
    A : Algorithm
    c : Corpus
        What is known of the documents, such as their first halves.
    phi_wk : (W, K) or (W, S, K), columns sum to 1
        With a sample axis, of S samples or of S runs' modes, each has its own theta.
    p : Prior
    rng : numpy.random.Generator
    sweeps : int
        Samplers are averaged over the second half of them.
    estimator : {"mean", "digamma", "counts"}, optional
        Default: the algorithm's own estimate.
    schedule : str, optional
        Default: the algorithm's first. With the topics held all lead to the same fixed points, `corpus` the fastest.
    at : Prior, optional
        Of the estimate, where it is not that of the updates (AWST09 §3.2).

    Returns
    -------
    theta_jk : (D, K) or (D, S, K), rows sum to 1
        For a document without tokens the estimate from the prior alone.

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
    if phi_wk.ndim == 3:
        each = [fold_in(A, c, phi_wk[:, i], p, rng, sweeps, estimator, schedule, at) for i in range(phi_wk.shape[1])]
        return np.stack(each, 1)
    K, c, at = phi_wk.shape[-1], A.arranged(c), at or p

    def theta(s: State) -> Array:
        return (A.estimate(s, c, at) if estimator is None else estimates(s, c, at, estimator))[0]

    if c.N == 0:
        return theta(State(np.empty((0, K))))
    state = A.init(c, K, p, rng=rng)
    total, count = np.zeros((c.D, K)), 0
    for t in range(1, sweeps + 1):
        state = A.sweep(state, c, p, schedule=schedule, rng=rng, held_topics=phi_wk)
        if A.assignment == "sample" and t > sweeps // 2:
            total, count = total + theta(state), count + 1
    return total / count if count else theta(state)
