"""Prediction: estimates of theta and phi, the probability of held-out tokens, perplexity, folding in new documents.

There are three estimates of theta_j from the counts of a state, expected or drawn, and a prior. Those of phi_k have
N_wk and eta instead:

- `mean`      (N_jk + alpha) / (N_j + K alpha), the posterior mean                                  AWST09 (15)
- `digamma`   ∝ exp Ψ(N_jk + alpha), the terms of VB's own update                                   AWST09 (16)
- `counts`    N_jk / N_j, without the prior                                                    SOL14 §2.4.1

In print the denominators of (16) are exp Ψ(N_k + W eta) and exp Ψ(N_j + K alpha); both cancel in the normalisation. To
train at alpha + 1/2 and eta + 1/2 and predict at alpha and eta (AWST09 §3.2), give `estimates` the second prior.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import digamma

from ..algorithms import ml
from ..arguments import check_choice, check_distributions, check_entries, expect, kind, numbers, whole_number
from ..corpus import Corpus, as_corpus
from ..engine import Algorithm, State, checked_gamma, posterior_mean, sums_of
from ..model import Array, Prior, check_corpus, check_prior, check_problem, column, normalised

ESTIMATORS = ("mean", "digamma", "counts")


def estimates(s: State, c: Corpus, p: Prior, estimator: str) -> tuple[Array, Array]:
    """theta_jk (D, [R,] K) and phi_wk (W, [R,] K) from the counts of the state of any algorithm, by an estimator.

    The prior need not be that of training. With `counts`, the estimate of a document or topic without tokens is
    uniform. A ValueError says if gamma has another shape or its rows are not probabilities, or the prior does not fit.

    >>> import lda_reference as lda
    >>> c, p = lda.Corpus.from_documents([[0, 0, 1]]), lda.Prior(1, 1)
    >>> s = lda.ALGORITHMS["vb"].init(c, 2, p, gamma=[[1, 0], [1, 0], [0, 1]])
    >>> for name in ESTIMATORS:
    ...     print(estimates(s, c, p, name)[0].round(4).tolist())
    [[0.6, 0.4]]
    [[0.6225, 0.3775]]
    [[0.6667, 0.3333]]
    """
    check_choice(estimator, "estimator", ESTIMATORS)
    check_problem(c, p, fractions=True)
    if not isinstance(s, State):
        raise ValueError(f"s is {kind(s)}, expected a State, as from init or sweep")
    K = (s.shape or (1,))[-1]
    if s.recipe is None or s.shape[0] != c.M:
        s = s._replace(gamma=checked_gamma(s.gamma, c.M, K, None))
    p.check(K, c.W)
    if estimator == "mean":
        return posterior_mean(s, c, p)
    if estimator == "counts":
        return ml.estimate(s, c, p)  # SOL14 §2.4.1
    sums = sums_of(s, c)
    alpha, eta = p.arrays(sums.k.shape[-1], c.W)
    return _exp_digamma(sums.jk + alpha, -1), _exp_digamma(sums.wk + column(eta, sums.wk), 0)  # AWST09 (16)


def _exp_digamma(x: Array, axis: int) -> Array:
    x = digamma(x)
    return normalised(np.exp(x - x.max(axis, keepdims=True)), axis)  # AWST09 (16)


def checked_estimates(c: Corpus, theta_jk: Array, phi_wk: Array) -> tuple[Array, Array]:
    """theta_jk and phi_wk as they are, after a check that they are distributions and fit the corpus.

    They are (D, K) and (W, K), or (D, S, K) and (W, S, K). Otherwise a ValueError says what is wrong.
    """
    theta_jk, phi_wk = numbers(theta_jk, "theta_jk"), numbers(phi_wk, "phi_wk")
    fits_corpus = theta_jk.ndim in (2, 3) and theta_jk.shape[:1] + phi_wk.shape[:1] == (c.D, c.W)
    if not fits_corpus or theta_jk.shape[1:] != phi_wk.shape[1:]:
        raise ValueError(
            f"theta_jk has shape {theta_jk.shape} and phi_wk {phi_wk.shape}, expected {c.D} documents, {c.W} words and"
            " the same topics"
        )
    check_distributions(theta_jk, "theta_jk", -1)
    check_distributions(phi_wk, "phi_wk", 0)
    return theta_jk, phi_wk


def token_probability(c: Corpus | Any, theta_jk: Array, phi_wk: Array) -> Array:
    """The predictive probability of a token of each row, sum_k theta_jk phi_wk: TNW06 (19). (M,), in [0, 1].

    c has the test tokens, as a Corpus or a (D, W) matrix of counts; document j has theta_jk. The rows of theta_jk, (D,
    K) or (D, S, K), and the columns of phi_wk, (W, K) or (W, S, K), sum to 1, else there is a ValueError. With a sample
    axis, the probability is averaged over the S samples: TNW06 (20).

    >>> c = Corpus.from_documents([[0, 1, 1]])
    >>> token_probability(c, np.array([[0.5, 0.5]]), np.array([[1.0, 0.5], [0.0, 0.5]]))
    array([0.75, 0.25, 0.25])
    """
    c = as_corpus(c)
    theta_jk, phi_wk = checked_estimates(c, theta_jk, phi_wk)
    n_samples = 1 if theta_jk.ndim == 2 else theta_jk.shape[1]
    theta, phi = theta_jk.reshape(c.D, -1), phi_wk.reshape(c.W, -1)
    probabilities = np.empty(c.M)
    n_block_rows = max(1, 2**18 // max(1, theta.shape[1]))
    for first_row in range(0, c.M, n_block_rows):
        block = slice(first_row, first_row + n_block_rows)
        probabilities[block] = np.einsum("mk,mk->m", theta[c.j[block]], phi[c.w[block]]) / n_samples  # TNW06 (19)(20)
    return probabilities


def perplexity(c: Corpus | Any, theta_jk: Array, phi_wk: Array) -> float:
    """The exponential of minus the mean natural logarithm of the predictive probability of a token of `c`.

    It depends on which tokens `c` holds and on how theta and phi were estimated: report both with the number. The
    perplexity of a uniform model is W, and that of any model 1 or more, and inf if a token has probability 0. The
    arguments and the errors are those of `token_probability`; it is also an error if `c` has no token.

    >>> c = Corpus.from_documents([[0, 1], [2]], W=4)
    >>> perplexity(c, np.full((2, 3), 1 / 3), np.full((4, 3), 1 / 4))
    4.0
    """
    c = as_corpus(c)
    return perplexity_of(c, token_probability(c, theta_jk, phi_wk))


def perplexity_of(c: Corpus, probability: Array) -> float:
    """The perplexity of a corpus from the predictive probability of a token of each row.

    `probability` (M,) is for example from `token_probability`. The perplexity is inf if a token has probability 0. A
    ValueError says if `c` has no token or an entry of `probability` is missing, negative or nan.
    """
    check_corpus(c, fractions=True)
    probability = numbers(probability, "probability")
    if c.N == 0:
        raise ValueError("the test corpus has no token: its perplexity is not defined")
    if probability.shape != (c.M,):
        raise ValueError(f"probability has shape {probability.shape}, expected {(c.M,)}: one for each row of c")
    check_entries(probability >= 0, probability, "probability", "a number in [0, 1]")
    with np.errstate(divide="ignore"):
        return float(np.exp(-(c.n @ np.log(probability)) / c.N))  # AWST09 §4, SOL14 §3.1, BOO16 §6


def quickest_order(A: Algorithm) -> str:
    """The schedule that folds new documents in most quickly: `corpus`, if the algorithm has it.

    With topics held, all schedules have the same fixed points.
    """
    return "corpus" if "corpus" in A.schedules else A.schedules[0]


def fold_in(
    A: Algorithm,
    c: Corpus | Any,
    phi_wk: Array,
    p: Prior,
    rng: np.random.Generator | None = None,
    sweeps: int = 100,
    estimator: str | None = None,
    schedule: str | None = None,
    at: Prior | None = None,
) -> Array:
    """Estimate theta of new documents by sweeps of the algorithm with its topics held fixed: AWST09 §4.

    The result is theta_jk, (D, K) or (D, S, K), whose rows sum to 1. A document without tokens has the estimate from
    the prior alone. A ValueError names an argument that does not fit, or a word of `c` that no topic can have.

    c has the known tokens of the documents, for example their first halves, as a Corpus or a (D, W) matrix of counts.
    phi_wk is (W, K) or (W, S, K), and its columns sum to 1. With a sample axis, theta is estimated for each sample. p
    is the prior of the updates, and `at` that of the estimate, by default p; AWST09 §3.2 uses another one. The
    estimator is "mean", "digamma" or "counts", by default the algorithm's own estimate.

    `rng` draws the start, as `Algorithm.init`, and what the algorithm draws. Without it each row of gamma starts
    uniform. For a sampler, theta is the mean over the second half of the sweeps. The schedule is by default the
    algorithm's first. All have the same fixed points if the topics are held; `corpus` is the fastest.

    >>> import lda_reference as lda
    >>> c, phi_wk = lda.Corpus.from_documents([[0, 0, 0, 1], []], W=2), np.array([[0.9, 0.1], [0.1, 0.9]])
    >>> fold_in(lda.ALGORITHMS["cvb0"], c, phi_wk, lda.Prior(0.5, 0.1), np.random.default_rng(0)).round(2)
    array([[0.75, 0.25],
           [0.5 , 0.5 ]])
    """
    c, phi_wk, at = as_corpus(c), numbers(phi_wk, "phi_wk"), p if at is None else at
    expect(isinstance(A, Algorithm), A, "A", "an Algorithm, such as ALGORITHMS['cvb0']")
    if phi_wk.ndim not in (2, 3) or len(phi_wk) != c.W or not phi_wk.shape[-1]:
        raise ValueError(f"phi_wk has shape {phi_wk.shape}, expected ({c.W}, K) or ({c.W}, S, K)")
    sweeps = whole_number(sweeps, "sweeps", 1)
    if estimator is not None:
        check_choice(estimator, "estimator", ESTIMATORS)
    check_distributions(phi_wk, "phi_wk", 0)
    for prior_name, checked_prior in {"p": p, "at": at}.items():
        check_prior(checked_prior, prior_name)
        checked_prior.check(phi_wk.shape[-1], c.W)
    if phi_wk.ndim == 3:
        thetas = [fold_in(A, c, phi_wk[:, i], p, rng, sweeps, estimator, schedule, at) for i in range(phi_wk.shape[1])]
        return np.stack(thetas, 1)
    K, c = phi_wk.shape[-1], A.arranged(c)

    def theta_of_state(s: State) -> Array:
        return (A.estimate(s, c, at) if estimator is None else estimates(s, c, at, estimator))[0]

    if c.N == 0:
        return theta_of_state(State(np.empty((0, K))))
    expect(rng is not None or not A.samples_z, rng, "rng", f"a numpy.random.Generator, with which {A.name} draws")
    state = A.init(c, K, p, rng=rng, gamma=np.full((c.M, K), 1 / K) if rng is None else None)
    theta_sum, n_summed_sweeps = np.zeros((c.D, K)), 0
    for sweep_number in range(1, sweeps + 1):
        state = A.sweep(state, c, p, schedule=schedule, rng=rng, held_topics=phi_wk)
        if A.is_sampler and sweep_number > sweeps // 2:
            theta_sum, n_summed_sweeps = theta_sum + theta_of_state(state), n_summed_sweeps + 1
    return theta_sum / n_summed_sweeps if n_summed_sweeps else theta_of_state(state)
