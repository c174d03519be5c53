"""Where an algorithm ends: runs from several starts, in several schedules, stopped by one rule.

A comparison of algorithms follows one protocol:

1. Each algorithm runs from several starts in each of its schedules, and from the ends of the others: `started`,
   `until_settled`. If it stays near such an end and values it more than its own ends, its search failed.
2. A run ends when its bound (without one, its objective) changes by less than 1e-5 nats per token and sweep.
   For the collapsed soft algorithms this is the exact bound TNW06 (12), also for CVB0, which does not climb it.
3. The training value chooses a run, never the test data: `chosen`, `best_of`. Differences between algorithms are paired
   by start: `paired`. Chains of a sampler are compared by `evaluation.chains`.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import Executor
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..corpus import Corpus
from ..engine import Algorithm, State
from ..fitting import sweep_rng, value_to_stop_by
from ..model import Array, Prior

TOLERANCE = 1e-5  # nats per token and sweep
EVERY = 10  # sweeps between two values, because (12) costs as much as many sweeps
LEAST = 30  # sweeps: near a random start, where all topics are alike, the values hardly change either


class End(NamedTuple):
    """Where a run ended.

    Attributes
    ----------
    state : State
        A single run, without a replicate axis.
    value : float
        Its bound, or its objective if it has no bound, in nats per token.
    sweeps : int
    settled : bool
        Whether the rule ended the run, and not the largest number of sweeps.
    seconds : float
        Of its sweeps, without those of the values. Runs that are swept together share their time equally.
    """

    state: State
    value: float
    sweeps: int
    settled: bool
    seconds: float


def started(A: Algorithm, c: Corpus, K: int, p: Prior, start: str | None, seeds: Sequence[int]) -> list[State]:
    """The first states of several runs, each as `fit` draws it from its seed.

    Examples
    --------
    >>> import lda_reference as lda
    >>> c = lda.Corpus.from_documents([[0, 1, 1], [2, 0]])
    >>> started(lda.ALGORITHMS["vb"], c, 2, lda.Prior(), "topics", [0, 1])
    [State(gamma (5, 2)), State(gamma (5, 2))]
    """
    return [A.init(c, K, p, sweep_rng(seed, 0), start=start) for seed in seeds]


def until_settled(
    A: Algorithm,
    states: Sequence[State],
    c: Corpus,
    p: Prior,
    schedule: str | None = None,
    limit: int = 500,
    tolerance: float = TOLERANCE,
    every: int = EVERY,
    least: int = LEAST,
    executor: Executor | None = None,
) -> list[End]:
    """Sweep each state until its value settles.

    Every `every` sweeps the bound is computed. A run has settled when it has changed since the last time by less than
    `tolerance` nats per token and sweep. In `token` and `document` order the runs are swept together as replicates,
    which costs less than one after the other and gives the same numbers.

    Parameters
    ----------
    A : Algorithm
        With a bound or an objective; not a sampler.
    states : sequence of State
        Without a replicate axis.
    c : Corpus
    p : Prior
    schedule : str, optional
        Default: the algorithm's first.
    limit, every, least : int
        The largest number of sweeps, the sweeps between two values, and the smallest number of sweeps.
    tolerance : float
    executor : concurrent.futures.Executor, optional
        See `Algorithm.sweep`.

    Raises
    ------
    ValueError
        If the algorithm has neither a bound nor an objective, and as `Algorithm.sweep`.

    Examples
    --------
    >>> import lda_reference as lda
    >>> c, p = lda.Corpus.from_documents([[0, 0, 1], [1, 2, 2]]), lda.Prior(0.5, 0.5)
    >>> A = lda.ALGORITHMS["vb"]
    >>> ends = until_settled(A, started(A, c, 2, p, None, [0, 1, 2]), c, p, "nested")
    >>> [end.settled for end in ends]
    [True, True, True]
    """
    schedule = schedule or A.schedules[0]
    value = value_to_stop_by(A)
    runs, ends = list(range(len(states))), dict[int, End]()
    for alive in [runs] if schedule in ("token", "document") else [[i] for i in runs]:
        s = State(np.stack([states[i].gamma for i in alive], 1))
        last, seconds = np.asarray(value(s, c, p)) / c.N, np.zeros(len(alive))
        t = 0
        while alive:
            steps = min(every, limit - t)
            begun = time.perf_counter()
            for _ in range(steps):
                s, t = A.sweep(s, c, p, schedule=schedule, executor=executor), t + 1
            seconds = seconds + (time.perf_counter() - begun) / len(alive)
            now = np.asarray(value(s, c, p)) / c.N
            settled = (np.abs(now - last) < tolerance * steps) & (t >= least)
            for r in np.flatnonzero(settled | (t >= limit)):
                ends[alive[r]] = End(State(s.gamma[:, r]), float(now[r]), t, bool(settled[r]), float(seconds[r]))
            going = ~(settled | (t >= limit))
            alive = [i for i, goes in zip(alive, going, strict=True) if goes]
            s, last, seconds = State(s.gamma[:, going]), now[going], seconds[going]
    return [ends[i] for i in runs]


def chosen(ends: Sequence[End]) -> End:
    """The end with the highest training value."""
    return max(ends, key=lambda end: end.value)


def best_of(values: ArrayLike, scores: ArrayLike, R: int) -> float:
    """The expected score of the run with the highest value among R runs, drawn without replacement from those given.

    If the runs are in ascending order of their values, the i-th (from 1) is the best of R with probability
    C(i-1, R-1) / C(n, R).

    Parameters
    ----------
    values, scores : (n,)
        For example training bounds and test perplexities.
    R : int, 1 to n

    Raises
    ------
    ValueError
        If there are not n values and n scores, or R is out of range.

    Examples
    --------
    >>> values, scores = [-7.6, -7.5, -7.7], [1800.0, 1750.0, 1900.0]
    >>> [round(best_of(values, scores, R), 1) for R in (1, 2, 3)]
    [1816.7, 1766.7, 1750.0]
    """
    v, x = np.asarray(values, np.float64), np.asarray(scores, np.float64)
    if v.shape != x.shape or v.ndim != 1:
        raise ValueError(f"values has shape {v.shape} and scores {x.shape}, expected one score for each value")
    if not 1 <= R <= len(v):
        raise ValueError(f"R is {R}, expected 1 to {len(v)}, the number of runs")
    rank = np.arange(len(v))
    weight = np.cumprod(np.r_[1.0, (rank[R - 1 :] + 1) / (rank[R - 1 :] - R + 2)])[:-1]  # C(i-1, R-1), i = R, ..., n
    return float(weight @ x[np.argsort(v, kind="stable")][R - 1 :] / weight.sum())


class Difference(NamedTuple):
    """A mean difference of pairs, its standard error (nan for one pair) and the number of pairs."""

    mean: float
    standard_error: float
    pairs: int


def paired(x: ArrayLike, y: ArrayLike) -> Difference:
    """The mean of x - y over pairs, for example of two algorithms from the same starts; a ValueError if there is none.

    Examples
    --------
    >>> paired([3.0, 5.0], [1.0, 2.0])
    Difference(mean=2.5, standard_error=0.5, pairs=2)
    """
    a, b = np.asarray(x, np.float64), np.asarray(y, np.float64)
    if a.shape != b.shape or a.ndim != 1 or not len(a):
        raise ValueError(f"x has shape {a.shape} and y {b.shape}, expected pairs of numbers")
    d: Array = a - b
    error = float(d.std(ddof=1) / np.sqrt(len(d))) if len(d) > 1 else float("nan")
    return Difference(float(d.mean()), error, len(d))
