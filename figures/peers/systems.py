"""Adapters that give all systems of the benchmark one form, in which each sweep is timed and what is read is not.

A function of this module takes the training corpus, K, the prior, a seed and options, and prepares the corpus in the
form that its system reads. It returns a function (sweeps, step), which makes the start and the sweeps, and calls
`step(t, read)` after sweep t; t = 0 is the start of a system that can be stopped there. `read` is a function that
returns a `Reading`. A package that is not installed raises an ImportError.

- `this_package` reads the estimates that `fit` has, (N + alpha) / (N_j + K alpha) and (N + eta) / (N_k + W eta).
- `tomotopy` and `lda_package` hold one sample of collapsed Gibbs sampling, and are read by the same formulas.
- `scikit_learn` and `gensim` are variational Bayes with the schedule `nested`, and are read by the normalised
  parameters of q(phi) and q(theta). These parameters of q(theta) come from one more pass of the system's own over the
  documents, which is not timed, so their readings are slightly better than what was paid for. gamma is optimal for
  these q(phi) and q(theta), so that our bound can be computed for them.
"""

import logging
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from scipy.special import digamma

import lda_reference as lda
from lda_reference.engine.sweepers import sweeper_of
from lda_reference.fitting import sweep_rng


class Reading(NamedTuple):
    """theta_jk and phi_wk, and for soft algorithms gamma."""

    theta_jk: np.ndarray
    phi_wk: np.ndarray
    gamma: np.ndarray | None = None


Step = Callable[[int, Callable[[], Reading]], None]
Run = Callable[[int, Step], object]


def this_package(
    c: lda.Corpus, K: int, p: lda.Prior, seed: int, algorithm: str, start: str, schedule: str, dtype: str = "float64",
    threads: int = 1,
) -> Run:  # fmt: skip
    """This package's start and sweeps, as `fit` makes them."""
    A = lda.ALGORITHMS[algorithm]

    def run(sweeps: int, step: Step) -> None:
        with ThreadPoolExecutor(threads) as pool:
            executor = pool if threads > 1 else None
            init_state = A.init(c, K, p, sweep_rng(seed, 0), start=start, executor=executor, dtype=np.dtype(dtype).type)
            sweeper = sweeper_of(A, init_state, c, schedule, executor, copies=False)
            del init_state

            def read() -> Reading:
                gamma = None if A.is_sampler else sweeper.state.gamma
                return Reading(*A.estimate(sweeper.state, c, p), gamma)

            for t in range(1, sweeps + 1):
                has_gamma = sweeper.state.recipe is None  # as in `fit`, which makes no gamma to know its change
                sweeper.sweep(p, sweep_rng(seed, t), has_gamma or t % 10 == 0)
                step(t, read)

    return run


def tomotopy(c: lda.Corpus, K: int, p: lda.Prior, seed: int, workers: int) -> Run:
    """tomotopy's LDAModel with fixed priors. Adding the documents is part of the preparation."""
    import tomotopy

    model = tomotopy.LDAModel(k=K, alpha=p.alpha, eta=p.eta, seed=seed + 1)
    model.optim_interval = 0
    token_corpus = c.tokens()
    row_bounds = np.searchsorted(token_corpus.j, np.arange(c.D + 1))
    document_lengths = np.diff(row_bounds)
    for document_j in np.flatnonzero(document_lengths):
        model.add_doc(list(map(str, token_corpus.w[row_bounds[document_j] : row_bounds[document_j + 1]])))

    def read() -> Reading:
        theta_jk = np.full((c.D, K), 1 / K)
        theta_jk[document_lengths > 0] = [document.get_topic_dist() for document in model.docs]
        phi_wk = np.full((c.W, K), p.eta)  # words that the training corpus does not contain are not in its vocabulary
        w_of_tomotopy_word = np.array(model.used_vocabs, np.int64)
        for k in range(K):
            phi_wk[w_of_tomotopy_word, k] = model.get_topic_word_dist(k, normalize=False)
        return Reading(normalised(theta_jk, 1), normalised(phi_wk, 0))

    def run(sweeps: int, step: Step) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # several workers do not repeat a run exactly
            for t in range(sweeps + 1):
                model.train(min(t, 1), workers=workers)
                step(t, read)

    return run


def lda_package(c: lda.Corpus, K: int, p: lda.Prior, seed: int) -> Run:
    """The package `lda`. It has no public function for one sweep, so the loop of its `fit` is repeated here."""
    logging.getLogger("lda").addHandler(logging.NullHandler())
    from lda import LDA

    logging.getLogger("lda").setLevel(logging.ERROR)
    X = c.to_csr()
    model = LDA(K, alpha=p.alpha, eta=p.eta, random_state=seed)
    rng, uniform_draws = np.random.RandomState(seed), model._rands.copy()

    def read() -> Reading:
        return Reading(normalised(model.ndz_ + p.alpha, 1), normalised(model.nzw_.T + p.eta, 0))

    def run(sweeps: int, step: Step) -> None:
        model._initialize(X)
        step(0, read)
        for t in range(1, sweeps + 1):
            rng.shuffle(uniform_draws)
            model._sample_topics(uniform_draws)
            step(t, read)

    return run


def scikit_learn(c: lda.Corpus, K: int, p: lda.Prior, seed: int) -> Run:
    """scikit-learn's LatentDirichletAllocation, batch VB, with its own defaults for the inner loop and one process.

    With the whole corpus as one batch and `learning_decay=0`, `partial_fit` is one iteration of `fit` with the batch
    method: the numbers are the same.
    """
    from sklearn.decomposition import LatentDirichletAllocation

    X = c.to_csr()
    model = LatentDirichletAllocation(
        K, doc_topic_prior=p.alpha, topic_word_prior=p.eta, learning_decay=0.0, learning_offset=1.0, batch_size=c.D,
        total_samples=c.D, random_state=seed, n_jobs=1,
    )  # fmt: skip

    def run(sweeps: int, step: Step) -> None:
        for t in range(1, sweeps + 1):
            model.partial_fit(X)
            step(t, lambda: variational(model.transform(X), model.components_.T, c, p))

    return run


def gensim(c: lda.Corpus, K: int, p: lda.Prior, seed: int) -> Run:
    """gensim's LdaModel as batch VB: the whole corpus is one chunk, and with `decay=0` each pass replaces lambda."""
    from gensim.models import LdaModel

    logging.getLogger("gensim").setLevel(logging.CRITICAL)
    row_bounds = np.searchsorted(c.j, np.arange(c.D + 1)).tolist()
    word_count_pairs = list(zip(c.w.tolist(), c.n.tolist(), strict=True))
    documents = [word_count_pairs[first_row:end_row] for first_row, end_row in pairwise(row_bounds)]
    word_names = {w: str(w) for w in range(c.W)}

    def run(sweeps: int, step: Step) -> None:
        model = LdaModel(
            None, K, word_names, alpha=[p.alpha] * K, eta=p.eta, chunksize=c.D, update_every=1, decay=0, offset=1,
            eval_every=None, random_state=seed,
        )  # fmt: skip
        for t in range(1, sweeps + 1):
            model.state.numdocs = 0  # otherwise each call of `update` counts the documents again
            model.update(documents, passes=1)
            step(t, lambda: variational(model.inference(documents)[0], model.state.get_lambda().T, c, p))

    return run


def variational(theta_jk: np.ndarray, lambda_wk: np.ndarray, c: lda.Corpus, p: lda.Prior) -> Reading:
    """The reading of q(phi) and of q(theta), known up to a factor for each document."""
    theta_jk, lambda_wk = normalised(theta_jk.astype(np.float64), 1), lambda_wk.astype(np.float64)
    K = theta_jk.shape[1]
    parameter_sums = np.bincount(c.j, c.n, c.D) + K * p.alpha  # the parameters of q(theta_j) add up to N_j + K alpha
    log_theta, log_phi = digamma(theta_jk * parameter_sums[:, None]), digamma(lambda_wk) - digamma(lambda_wk.sum(0))
    log_gamma = log_theta[c.j] + log_phi[c.w]  # gamma ∝ exp(E log theta + E log phi)
    gamma = normalised(np.exp(log_gamma - log_gamma.max(1, keepdims=True)), 1)
    return Reading(theta_jk, normalised(lambda_wk, 0), gamma)


def normalised(x: Any, axis: int) -> np.ndarray:
    return x / x.sum(axis, keepdims=True)
