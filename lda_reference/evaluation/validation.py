"""Choosing a prior, and deciding when to stop, by validation documents: AWST09 §§2.1, 3.1 and 4.1."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..algorithms import named
from ..corpus import Corpus, split
from ..engine import Algorithm
from ..fitting import Fit, fit, sweep_rng
from ..model import Array, Prior
from .prediction import estimates, fold_in, perplexity, quickest_order

GRID = (0.01, 0.1, 0.25, 0.5, 0.75, 1.0)  # values of alpha and of eta, AWST09 §4.1
POWERS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)  # powers for tempered EM; AWST09 does not give its own


class Halves(NamedTuple):
    """The two halves of validation or test documents.

    Attributes
    ----------
    known : Corpus
        The tokens from which theta is folded in.
    heldout : Corpus
        The tokens to predict, of the same documents.
    """

    known: Corpus
    heldout: Corpus


def halves(c: Corpus, rng: np.random.Generator) -> Halves:
    """Split the tokens of each document into two random halves. AWST09 §4.

    Parameters
    ----------
    c : Corpus
    rng : numpy.random.Generator

    Returns
    -------
    Halves
        If a document has an odd number of tokens, its known half has one more.

    Examples
    --------
    >>> halves(Corpus.from_documents([[0, 1, 2]]), np.random.default_rng(0)).known.N
    2
    """
    return Halves(*split(c, "halves", rng=rng))


def completion(
    A: Algorithm, h: Halves, phi_wk: Array, p: Prior, seed: int, sweeps: int = 20, estimator: str | None = None
) -> float:
    """The perplexity of the held-out halves, with theta folded in from the known halves.

    Words that have probability 0 under every topic are left out of both halves, because any perplexity with them is
    infinite. In `ml` and `vem` these are the words that do not occur in training.

    Parameters
    ----------
    A : Algorithm
        It folds in with its `corpus` schedule if it has one.
    h : Halves
    phi_wk : (W, K), columns sum to 1
    p : Prior
    seed : int
        The seed of the draws in folding in.
    sweeps : int
        The number of sweeps of folding in.
    estimator : {"mean", "digamma", "counts"}, optional
        The estimator of theta; default the algorithm's own.

    Returns
    -------
    float, 1 or more

    Raises
    ------
    ValueError
        If no held-out token is left, and as `fold_in`.

    Examples
    --------
    >>> h = Halves(Corpus.from_documents([[0, 2]]), Corpus.from_documents([[1, 2]]))
    >>> completion(named("ml"), h, np.array([[0.5], [0.5], [0.0]]), Prior(), seed=0)
    2.0
    """
    schedule = quickest_order(A)
    known, heldout = (_possible_rows(c, phi_wk) for c in h)
    theta_jk = fold_in(A, known, phi_wk, p, sweep_rng(seed, 1), sweeps, estimator, schedule)
    return perplexity(heldout, theta_jk, phi_wk)


def _possible_rows(c: Corpus, phi_wk: Array) -> Corpus:
    """The rows of words that some topic can produce."""
    possible = phi_wk.max(-1)[c.w] > 0
    return c if possible.all() else c.with_rows(c.j[possible], c.w[possible], c.n[possible])


@dataclass(frozen=True)
class Validation:
    """A monitor for `fit`: the perplexity of validation documents, as `validation` in the history.

    Attributes
    ----------
    halves : Halves
    every : int
        The perplexity is computed after every `every`-th sweep of the fit; 2 in AWST09 §4.1.
    sweeps : int
        The number of sweeps of folding in.
    """

    halves: Halves
    every: int = 2
    sweeps: int = 20

    def __call__(self, f: Fit) -> dict[str, Any]:
        if f.sweeps % self.every:
            return {}
        return {"validation": completion(f.algorithm, self.halves, f.phi_wk, f.prior, f.seed, self.sweeps)}


def no_better(f: Fit, patience: int = 5) -> bool:
    """A stopping rule for `fit`: whether none of the last validation perplexities is below the best before them.

    Parameters
    ----------
    f : Fit
        A fit with the monitor `Validation`.
    patience : int
        The number of last perplexities.

    Returns
    -------
    bool

    Examples
    --------
    >>> import lda_reference as lda
    >>> c = lda.synthetic.bars(np.random.default_rng(0), side=3, D=60).corpus
    >>> train, valid = lda.split(c, "documents", 0.3, np.random.default_rng(1))
    >>> monitor = Validation(halves(valid, np.random.default_rng(2)))
    >>> lda.fit(train, 6, "vb", sweeps=200, monitor=monitor, stop=no_better).sweeps < 200
    True
    """
    values = [h["validation"] for h in f.history if "validation" in h]
    return bool(len(values) > patience and min(values[-patience:]) >= min(values[:-patience]))


class Grid(NamedTuple):
    """Validation perplexities on a grid of hyperparameters.

    Attributes
    ----------
    alphas, etas : tuple of float
        The values at which the algorithm ran. For `ml`, `alphas` are the powers of tempered EM and `etas` is empty.
    perplexity : (alphas, etas) or (alphas,)
    """

    alphas: tuple[float, ...]
    etas: tuple[float, ...]
    perplexity: Array

    @property
    def best(self) -> tuple[float, ...]:
        """The alpha and eta, or the power, with the smallest perplexity."""
        at = np.unravel_index(np.argmin(self.perplexity), self.perplexity.shape)
        return tuple(axis[i] for axis, i in zip((self.alphas, self.etas), at, strict=False))


def grid_search(
    train: Corpus,
    valid: Halves,
    K: int,
    algorithm: str | Algorithm,
    alphas: Sequence[float] = GRID,
    etas: Sequence[float] = GRID,
    sweeps: int = 100,
    seed: int = 0,
    estimator: str | None = None,
    progress: Callable[[Iterable[Any]], Iterable[Any]] = iter,
) -> Grid:
    """The validation perplexity at every alpha and eta of a grid, or at every power of a list.

    All runs start from the same state, and use the `corpus` schedule if there is one, so the best point is that of one
    start and one schedule: repeat the search with other seeds before comparing algorithms. The algorithm's
    `prior_offset` is added to the values given: `map` runs at values one higher (AWST09 §4.1). If an algorithm can be
    tempered, as `ml` can, `alphas` are powers (AWST09 §2.1); it folds in with the same power, and `etas` are not used.

    Parameters
    ----------
    train : Corpus
    valid : Halves
    K : int
        Number of topics.
    algorithm : str or Algorithm
        A name in `ALGORITHMS`, or an algorithm.
    alphas, etas : numbers
    sweeps, seed : int
        The number of sweeps and the seed of training.
    estimator : {"mean", "digamma", "counts"}, optional
        The estimator of theta and phi, see `prediction.estimates`; default the algorithm's own.
    progress : function from an iterable to an iterable
        For example tqdm.

    Returns
    -------
    Grid

    Raises
    ------
    ValueError
        If training or folding in raises one.

    Examples
    --------
    >>> import lda_reference as lda
    >>> c = lda.synthetic.bars(np.random.default_rng(0), side=3, D=60).corpus
    >>> train, valid = lda.split(c, "documents", 0.3, np.random.default_rng(1))
    >>> grid = grid_search(train, halves(valid, np.random.default_rng(2)), 6, "cvb0", [0.1, 1], [0.1, 10], 30)
    >>> grid.perplexity.shape, grid.best[1]
    ((2, 2), 0.1)
    """
    A = named(algorithm) if isinstance(algorithm, str) else algorithm
    if A.tempered is not None:
        values = [_trained(A.tempered(x), train, valid, K, Prior(), sweeps, seed, estimator) for x in progress(alphas)]
        return Grid(tuple(alphas), (), np.array(values))
    alphas, etas = (tuple(x + A.prior_offset for x in axis) for axis in (alphas, etas))
    pairs = [Prior(alpha, eta) for alpha in alphas for eta in etas]
    values = [_trained(A, train, valid, K, p, sweeps, seed, estimator) for p in progress(pairs)]
    return Grid(alphas, etas, np.reshape(values, (len(alphas), len(etas))))


def _trained(
    A: Algorithm, train: Corpus, valid: Halves, K: int, p: Prior, sweeps: int, seed: int, estimator: str | None
) -> float:
    train = A.arranged(train)
    schedule = "corpus" if "corpus" in A.schedules else None
    s = fit(train, K, A, p, sweeps, schedule, seed=seed).state
    phi_wk = (A.estimate(s, train, p) if estimator is None else estimates(s, train, p, estimator))[1]
    return completion(A, valid, phi_wk, p, seed, estimator=estimator)
