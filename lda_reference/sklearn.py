"""LDA as an estimator of scikit-learn, for its pipelines. It needs scikit-learn, which nothing else here imports."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from typing import Any

import numpy as np

try:
    from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
    from sklearn.utils import check_random_state
    from sklearn.utils.metaestimators import available_if
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError as error:
    raise ImportError(
        "lda_reference.sklearn needs scikit-learn 1.6 or later: pip install 'lda_reference[sklearn]'"
    ) from error

from .algorithms import ALGORITHMS, named, online_vb
from .arguments import expect, is_number, is_whole, positive, whole_number
from .corpus import Corpus, split
from .engine import pseudocounts, sums_of
from .evaluation import prediction
from .fitting import Fit, fit
from .formats.selection import within
from .matrices import widened
from .model import Array, Prior, column
from .recommended import schedule_and_start

PARALLEL_ORDERS = ("block", "corpus", "nested")  # schedules whose rows can be computed side by side
ESTIMATOR_ARGUMENTS = {  # what arguments are called in the modules that check them
    "alpha": "doc_topic_prior", "eta": "topic_word_prior", "sweeps": "max_iter", "iterations": "max_iter",
    "seed": "random_state", "Seed": "random_state", "D": "total_samples", "tau0": "learning_offset",
    "kappa": "learning_decay",
}  # fmt: skip


@contextmanager
def in_arguments() -> Iterator[None]:
    """An error names the arguments of the estimator."""
    try:
        yield
    except ValueError as error:
        name_pattern = r"^\w+|\b(?:tau0|kappa)\b"
        raise ValueError(re.sub(name_pattern, lambda x: ESTIMATOR_ARGUMENTS.get(x[0], x[0]), str(error))) from error


def _is_vb(estimator: LDA) -> bool:
    if estimator.algorithm != "vb":
        raise AttributeError(f"partial_fit is online VB: it needs algorithm='vb', not {estimator.algorithm!r}")
    return True


class LDA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Latent Dirichlet allocation by any algorithm of this package, as a transformer of scikit-learn.

    X is a matrix of counts, documents by words, dense or sparse, as from `CountVectorizer`. An entry may be a fraction,
    as from `TfidfVectorizer`: it then counts as that part of a token. The samplers, `cvb_exact`, `convolution`,
    `cvb1`, `cvb1s` and `ep` give a topic to each whole token, and refuse fractions. An X that does not hold counts is a
    ValueError, as are arguments that `lda_reference.fit` refuses. Instead of scikit-learn's `learning_method` there are
    algorithm="vb" with schedule="nested" and start="topics" ("batch"), and `partial_fit` ("online").

    Parameters
    ----------
    n_components : int
        The number of topics, K.
    algorithm : str
        A name in `lda_reference.ALGORITHMS`.
    doc_topic_prior : float or (K,) array, > 0, or None for 1 / n_components
        alpha.
    topic_word_prior : float, (W,) or (K, W) array, > 0, or None for 1 / n_components
        eta. A matrix has a row for each topic, as `components_`: a large number seeds the topic with the word.
    max_iter : int
        The number of sweeps of `fit` and of `transform`.
    schedule, start : str, optional
        See `lda_reference.fit`.
    learn : str, optional
        What is learned of the priors, such as "alpha,eta", from those given; `lda_reference.fit` begins at 0.5.
    random_state : int, RandomState or None
        An int gives the fit of `lda_reference.fit` with that seed and these priors.
    n_jobs : int, optional
        The number of threads of `fit`, by default one; -1 is one for each processor. Where updates wait for each other,
        as those of `cgs` or in `token` order, there is one thread.
    verbose : int
        With 1 or more, `fit` prints the mean absolute change of gamma after each sweep. gamma has the probabilities of
        the topics for the tokens of a row, and not the parameters of q(theta).

    Attributes
    ----------
    components_ : (K, W)
        Row k is phi_k times the expected number of tokens of topic k plus the sum of its prior. For `cvb0` and `vb` the
        entries are the expected counts plus the prior, as in scikit-learn. Samplers average phi over sweeps, and the
        factor is the last sweep's.
    model_ : Fit
        The result of `lda_reference.fit`, with theta of the training documents, the learned prior and the history.
    doc_topic_prior_, topic_word_prior_ : float or array
        The priors at the end, learned or as given; that of the topics as `topic_word_prior`.
    bound_ : float or None
        The bound of the training counts in nats per token, if they are whole and the algorithm has one. scikit-learn's
        `bound_` is exp of minus such a number.
    random_state_ : int
        The seed of the run: `lda_reference.fit` with it and these priors repeats the run.
    n_iter_ : int
    n_batch_iter_ : int
        The number of batches of `partial_fit`.
    n_features_in_ : int
        The number of words, W.
    feature_names_in_ : (W,) strings
        The columns of a data frame, or the words of a `Corpus`, by which those of another `Corpus` are then found.

    Examples
    --------
    >>> X = np.array([[2, 3, 0, 0], [3, 2, 0, 0], [0, 0, 3, 2], [0, 0, 2, 3]])
    >>> lda = LDA(n_components=2, random_state=0).fit(X)
    >>> lda.transform(X).round(2).tolist() == lda.transform(X[:, ::-1])[::-1].round(2).tolist()
    True
    >>> phi_kw = lda.components_ / lda.components_.sum(1, keepdims=True)
    >>> np.allclose(phi_kw.T, lda.model_.phi_wk)
    True
    """

    def __init__(
        self,
        n_components: int = 10,
        algorithm: str = "cvb0",
        doc_topic_prior: Any = 0.1,
        topic_word_prior: Any = 0.1,
        max_iter: int = 100,
        learn: str | None = None,
        random_state: Any = None,
        schedule: str | None = None,
        start: str | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_components = n_components
        self.algorithm = algorithm
        self.doc_topic_prior = doc_topic_prior
        self.topic_word_prior = topic_word_prior
        self.max_iter = max_iter
        self.learn = learn
        self.random_state = random_state
        self.schedule = schedule
        self.start = start
        self.n_jobs = n_jobs
        self.verbose = verbose

    @in_arguments()
    def fit(self, X: Any, y: Any = None) -> LDA:
        """Fit the topics to counts X (D, W); y is not used."""
        whole_number(self.n_components, "n_components", 1)
        c, A = self._corpus(X, reset=True), named(self.algorithm)
        prior = self._prior(c.W)
        is_seed_number = isinstance(self.random_state, (int, np.integer))
        seed = self.random_state if is_seed_number else check_random_state(self.random_state).randint(2**31)
        c = A.arranged(c)
        n_jobs, schedule = 1 if self.n_jobs is None else self.n_jobs, self.schedule or schedule_and_start(A, c)[0]
        expect(is_whole(n_jobs) and (n_jobs > 0 or n_jobs == -1), n_jobs, "n_jobs", "a number of threads, -1 or None")
        n_jobs = (os.cpu_count() or 1) if n_jobs == -1 else int(n_jobs)
        with ThreadPoolExecutor(n_jobs) if n_jobs > 1 and schedule in PARALLEL_ORDERS else nullcontext() as executor:
            fitted = fit(
                c, self.n_components, A, prior, self.max_iter, self.schedule, self.start, seed=int(seed),
                learn=self.learn, monitor=self._print if self.verbose else None, executor=executor,
            )  # fmt: skip
        smoothed_N_k = sums_of(fitted.state, c).k + pseudocounts(fitted.prior, c.W, A.prior_offset).W_eta
        self.model_, self.n_iter_, self.random_state_ = fitted, fitted.sweeps, int(seed)
        self.__dict__.pop("n_batch_iter_", None)  # of an earlier `partial_fit`
        self.doc_topic_prior_, self.topic_word_prior_ = fitted.prior.alpha, np.transpose(fitted.prior.eta)[()]
        has_no_bound = c.fractions or isinstance(A.bound_of, str)
        self.bound_ = None if has_no_bound else float(A.bound(fitted.state, c, fitted.prior)) / c.N
        self.components_, self._phi_wk = fitted.phi_wk.T * smoothed_N_k[:, None], fitted.phi_wk
        return self

    @available_if(_is_vb)
    @in_arguments()
    def partial_fit(
        self, X: Any, y: Any = None, total_samples: float = 1e6, learning_offset: float = 10.0,
        learning_decay: float = 0.7,
    ) -> LDA:
        """A step of online VB with a batch of documents X (B, W), for algorithm="vb"; y is not used.

        The arguments and their defaults are those of scikit-learn's constructor: the number of documents of the whole
        stream, and the step size (learning_offset + t)^-learning_decay of batch t = 1, 2, ... The documents of the
        batch take `max_iter` steps. A batch without words moves the topics towards their prior, as there. See
        `algorithms.online_vb`.
        """
        stream_settings = {"total_samples": total_samples, "learning_offset": learning_offset}
        for setting_name, setting in (stream_settings | {"learning_decay": learning_decay}).items():
            expect(is_number(setting), setting, setting_name, "a number")
        expect(self.learn is None, self.learn, "learn", "None: partial_fit learns no prior")
        is_first_batch = not hasattr(self, "components_")
        c = self._corpus(X, reset=is_first_batch)
        rng = np.random.default_rng(check_random_state(self.random_state).randint(2**31))
        topics = online_vb.init(c.W, self.n_components, rng) if is_first_batch else online_vb.Topics(self.components_.T)
        topics, p = topics._replace(t=getattr(self, "n_batch_iter_", 0)), self._prior(c.W)
        if c.N:
            topics, _ = online_vb.step(topics, c, p, total_samples, 1 + learning_offset, learning_decay, self.max_iter)
        else:
            rate = online_vb.step_size(topics.t, 1 + learning_offset, learning_decay)
            topics = online_vb.Topics(online_vb.moved(topics.eta_wk, column(p.eta, topics.eta_wk), rate), topics.t + 1)
        self.components_, self._phi_wk, self.n_batch_iter_ = topics.eta_wk.T, online_vb.topics(topics), topics.t
        self.doc_topic_prior_, self.topic_word_prior_ = p.alpha, np.transpose(p.eta)[()]
        for attribute_name in ("model_", "bound_"):  # of an earlier fit
            self.__dict__.pop(attribute_name, None)
        return self

    def transform(self, X: Any) -> Array:
        """theta (D, K) of documents with counts X (D, W), with the topics held, by sweeps from uniform rows of gamma.

        A document's theta does not depend on the other documents. The sweeps are those of the algorithm, or of CVB0 if
        it draws random numbers. A document without words has the mean of the prior.
        """
        check_is_fitted(self)
        A = named(self.algorithm)
        A = ALGORITHMS["cvb0"] if A.is_sampler or A.draws else A
        prior, c = Prior(self.doc_topic_prior_, np.transpose(self.topic_word_prior_)), self._corpus(X, reset=False)
        n_sweeps, fold_in_schedule = max(1, self.max_iter), prediction.quickest_order(A)
        return prediction.fold_in(A, c, self._phi_wk, prior, None, n_sweeps, schedule=fold_in_schedule)

    def score(self, X: Any, y: Any = None) -> float:
        """The log probability of a token in the second halves of documents, with theta from the first; y is not used.

        The halves are drawn by one generator for all models, so that a search compares like with like. Entries that
        are fractions are not divided. scikit-learn's `score` is a bound on the log probability of all of X.
        """
        c, rng = self._corpus(X, reset=False), np.random.default_rng(0)
        if c.fractions:
            is_first = rng.random(c.M) < 0.5
            first_half, heldout = (c.with_rows(c.j[mask], c.w[mask], c.n[mask]) for mask in (is_first, ~is_first))
        else:
            first_half, heldout = split(c, "tokens", 0.5, rng)
        return -float(np.log(self.perplexity(first_half, heldout)))

    def perplexity(self, X: Any, heldout: Any = None) -> float:
        """The perplexity of tokens by theta and phi: exp(-(1/N) sum_jw n_jw log sum_k theta_jk phi_wk).

        theta is `transform(X)`, and n_jw are the counts of `heldout` (D, W), by default those of X. If X is scored
        itself, theta has seen the tokens, and the number is too low: give the two halves of each document, as from
        `lda_reference.split(X, "tokens", 0.5, rng)`.
        scikit-learn's `perplexity` is another number, exp(-bound / N), and is higher (chapter 18).
        """
        theta_jk, scored_corpus = self.transform(X), self._corpus(X if heldout is None else heldout, reset=False)
        return prediction.perplexity(scored_corpus, theta_jk, self._phi_wk)

    def _print(self, f: Fit) -> dict[str, Any]:
        change = f.history[-1]["change"]
        print(f"sweep {f.sweeps} of {self.max_iter}" + ("" if change is None else f": gamma changes by {change:.2g}"))
        return {}

    def _prior(self, W: int) -> Prior:
        eta_prior, shape = self.topic_word_prior, np.shape(self.topic_word_prior)
        if len(shape) == 2 and shape != (self.n_components, W):
            raise ValueError(
                f"topic_word_prior has shape {shape}, expected (n_components, n_features) = {(self.n_components, W)}"
            )
        alpha, eta = (1 / self.n_components if prior is None else prior for prior in (self.doc_topic_prior, eta_prior))
        alpha, eta = positive(alpha, "doc_topic_prior"), positive(eta, "topic_word_prior")
        return Prior(alpha, np.transpose(eta) if len(shape) == 2 else eta)

    def _corpus(self, X: Any, reset: bool) -> Corpus:
        corpus_words = X.vocab if isinstance(X, Corpus) else None
        if corpus_words is not None and not reset:
            fitted_words: Any = getattr(self, "feature_names_in_", None)
            if fitted_words is None:
                raise ValueError("X has words and the estimator has none, expected a matrix of counts in its columns")
            return within(X, fitted_words.tolist())[0]
        X = X.to_csr() if isinstance(X, Corpus) else widened(X)
        X = validate_data(self, X, reset=reset, accept_sparse="csr", ensure_non_negative=True)
        if reset and corpus_words is not None:
            self.feature_names_in_: Any = np.array(corpus_words, object)
        return Corpus.from_csr(X, getattr(self, "feature_names_in_", None), fractions=True)

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def __sklearn_tags__(self) -> Any:
        estimator_tags = super().__sklearn_tags__()
        estimator_tags.input_tags.sparse = estimator_tags.input_tags.positive_only = True
        return estimator_tags
