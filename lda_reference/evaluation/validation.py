"""Choosing a prior, and when to stop, by documents held out: AWST09 §§2.1, 3.1 and 4.1."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..algorithms import ALGORITHMS
from ..algorithms.ml import tempered
from ..corpus import Corpus, split
from ..engine import Algorithm
from ..fitting import Fit, sweep_rng
from ..model import Array, Prior
from .prediction import estimates, fold_in, perplexity

GRID = (0.01, 0.1, 0.25, 0.5, 0.75, 1.0)  # of alpha and of eta, AWST09 §4.1
POWERS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)  # of tempered EM; AWST09 gives none


class Halves(NamedTuple):
    """Validation or test documents: what is known of them, and what is to be predicted.

    >>> c = Corpus.from_documents([[0, 1, 2]])
    >>> halves(c, np.random.default_rng(0)).known.N
    2
    """

    known: Corpus
    rest: Corpus


def halves(c: Corpus, rng: np.random.Generator) -> Halves:
    """A random half of the tokens of each document, and the others. AWST09 §4."""
    return Halves(*split(c, "halves", rng=rng))


def completion(
    A: Algorithm, h: Halves, phi_wk: Array, p: Prior, seed: int, sweeps: int = 20, estimator: str | None = None
) -> float:
    """The perplexity of the second halves, theta folded in on the first in `corpus` order where there is one.

    Words that no topic can produce, those that `ml` and `vem` have not seen in training, are left out of both halves:
    with them the perplexity is infinite whatever else is chosen.

    >>> h = Halves(Corpus.from_documents([[0, 2]]), Corpus.from_documents([[1, 2]]))
    >>> completion(ALGORITHMS["ml"], h, np.array([[0.5], [0.5], [0.0]]), Prior(), seed=0)
    2.0
    """
    schedule = "corpus" if "corpus" in A.schedules else None
    known, rest = (_produced(c, phi_wk) for c in h)
    theta_jk = fold_in(A, known, phi_wk, p, sweep_rng(seed, 1), sweeps, estimator, schedule)
    return perplexity(rest, theta_jk, phi_wk)


def _produced(c: Corpus, phi_wk: Array) -> Corpus:
    possible = phi_wk.max(-1)[c.w] > 0
    return c if possible.all() else c.with_rows(c.j[possible], c.w[possible], c.n[possible])


@dataclass(frozen=True)
class Validation:
    """A monitor for `fit`: the perplexity of validation documents, as `validation` in the history of some sweeps.

    Attributes
    ----------
    halves : Halves
    every : int
        Sweeps; 2 in AWST09 §4.1.
    sweeps : int
        Of folding in.
    """

    halves: Halves
    every: int = 2
    sweeps: int = 20

    def __call__(self, f: Fit) -> dict[str, Any]:
        if f.sweeps % self.every:
            return {}
        A = ALGORITHMS[f.algorithm]
        return {"validation": completion(A, self.halves, f.phi_wk, f.prior, f.seed, self.sweeps)}


def no_better(f: Fit, patience: int = 5) -> bool:
    """A rule for `fit` to stop by: whether none of the last validation perplexities is below the best before them.

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
    """Validation perplexities over a grid.

    Attributes
    ----------
    alphas, etas : tuple of float
        Those that the algorithm ran at; of a grid of powers `alphas` are the powers and `etas` is empty.
    perplexity : (alphas, etas) or (alphas,)
    """

    alphas: tuple[float, ...]
    etas: tuple[float, ...]
    perplexity: Array

    @property
    def best(self) -> tuple[float, ...]:
        """The alpha and eta, or the power, of the least perplexity."""
        at = np.unravel_index(np.argmin(self.perplexity), self.perplexity.shape)
        return tuple(axis[i] for axis, i in zip((self.alphas, self.etas), at, strict=False))


def grid_search(
    train: Corpus,
    valid: Halves,
    K: int,
    algorithm: str,
    alphas: Sequence[float] = GRID,
    etas: Sequence[float] = GRID,
    sweeps: int = 100,
    seed: int = 0,
    estimator: str | None = None,
    progress: Callable[[Iterable[Any]], Iterable[Any]] = iter,
) -> Grid:
    """The validation perplexity at every alpha and eta of a grid; for `ml`, at every power of a list.

    All start from the same state and run in `corpus` order where they can. `map` runs one higher than the grid says,
    as it adds alpha - 1 to its counts (AWST09 §4.1). `ml` has no prior: `alphas` are powers of tempered EM (AWST09
    §2.1), folded in with the same power, and `etas` are not used.

    Parameters
    ----------
    train : Corpus
    valid : Halves
    K : int
    algorithm : str
    alphas, etas : numbers
    sweeps, seed : int
    estimator : str, optional
        For theta and phi, see `predict.estimates`; default the algorithm's own.
    progress : function from an iterable to an iterable
        Such as tqdm.

    Examples
    --------
    >>> import lda_reference as lda
    >>> c = lda.synthetic.bars(np.random.default_rng(0), side=3, D=60).corpus
    >>> train, valid = lda.split(c, "documents", 0.3, np.random.default_rng(1))
    >>> grid = grid_search(train, halves(valid, np.random.default_rng(2)), 6, "cvb0", [0.1, 1], [0.1, 10], 30)
    >>> grid.perplexity.shape, grid.best[1]
    ((2, 2), 0.1)
    """
    A = ALGORITHMS[algorithm]
    if algorithm == "ml":
        values = [_trained(tempered(x), train, valid, K, Prior(), sweeps, seed, estimator) for x in progress(alphas)]
        return Grid(tuple(alphas), (), np.array(values))
    alphas, etas = (tuple(x + A.offset for x in axis) for axis in (alphas, etas))
    pairs = [Prior(alpha, eta) for alpha in alphas for eta in etas]
    values = [_trained(A, train, valid, K, p, sweeps, seed, estimator) for p in progress(pairs)]
    return Grid(alphas, etas, np.reshape(values, (len(alphas), len(etas))))


def _trained(
    A: Algorithm, train: Corpus, valid: Halves, K: int, p: Prior, sweeps: int, seed: int, estimator: str | None
) -> float:
    train = A.rows(train)
    s = A.init(train, K, p, rng=sweep_rng(seed, 0))
    schedule = "corpus" if "corpus" in A.schedules else None
    for t in range(1, sweeps + 1):
        s = A.sweep(s, train, p, schedule=schedule, rng=sweep_rng(seed, t))
    phi_wk = (A.estimate(s, train, p) if estimator is None else estimates(s, train, p, estimator))[1]
    return completion(A, valid, phi_wk, p, seed, estimator=estimator)


def table(g: Grid) -> str:
    """The grid as text: a line for each alpha, a column for each eta."""
    if not g.etas:
        return "\n".join(f"power {x:<8g} {value:10.2f}" for x, value in zip(g.alphas, g.perplexity, strict=True))
    lines = ["alpha \\ eta" + "".join(f"{x:>10g}" for x in g.etas)]
    for x, row in zip(g.alphas, g.perplexity, strict=True):
        lines.append(f"{x:<11g}" + "".join(f"{value:10.2f}" for value in row))
    return "\n".join(lines)


def write_numbers(g: Grid, path: Path) -> None:
    """A line for each run, as CSV."""
    with open(path, "w", newline="", encoding="utf-8") as out:
        rows = csv.writer(out)
        rows.writerow(["alpha", "eta", "perplexity"] if g.etas else ["power", "perplexity"])
        for at in np.ndindex(g.perplexity.shape):
            point = [axis[i] for axis, i in zip((g.alphas, g.etas), at, strict=False)]
            rows.writerow([*point, repr(float(g.perplexity[at]))])


def write_figure(g: Grid, path: Path, title: str) -> None:
    """A heat map of the grid, the best marked; of powers a line."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.5, 4), layout="constrained")
    if g.etas:
        image = axis.imshow(g.perplexity, cmap="cividis_r", origin="lower")
        axis.set_xticks(range(len(g.etas)), [f"{x:g}" for x in g.etas])
        axis.set_yticks(range(len(g.alphas)), [f"{x:g}" for x in g.alphas])
        i, j = np.unravel_index(np.argmin(g.perplexity), g.perplexity.shape)
        axis.plot(j, i, marker="*", markersize=14, color="#D55E00", markeredgecolor="white")
        axis.set(xlabel="eta", ylabel="alpha")
        figure.colorbar(image, label="perplexity of validation tokens")
    else:
        axis.plot(g.alphas, g.perplexity, marker="o", color="#0072B2")
        axis.set(xlabel="power", ylabel="perplexity of validation tokens")
        axis.grid(alpha=0.3)
    axis.set_title(title, fontsize="medium")
    figure.savefig(path, dpi=130)
    plt.close(figure)
