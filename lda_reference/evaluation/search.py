"""Where an algorithm ends: runs from several starts, in several schedules, stopped by one rule.

A comparison of algorithms follows one protocol:

1. Each algorithm runs from several starts in each of its schedules, and from the ends of the others: `started`,
   `until_settled`. If it stays near such an end and values it more than its own ends, its search failed.
2. A run has settled when gamma moves little, over one sweep and over two: the total variation of a token's gamma is
   below 1e-5 on average and below 1e-3 in every row. A run that moves over one sweep and not over two swings between
   two states, which is an end of its own kind. The bound shows neither: it can stand still while gamma swings.
3. The training value chooses a run, never the test data: `chosen`, `best_of`. Differences between algorithms are paired
   by start: `paired`. Chains of a sampler are compared by `evaluation.chains`.
"""

import time
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..corpus import Corpus
from ..engine import Algorithm, State, moved
from ..fitting import sweep_rng, value_to_stop_by
from ..model import Array, Prior

TOLERANCE = 1e-5  # the mean total variation of a token's gamma
LARGEST_RATIO = 100  # times that: the total variation of any row
EVERY = 10  # sweeps between two checks
LEAST = 30  # sweeps: near a random start, where all topics are alike, gamma hardly moves either


class End(NamedTuple):
    """Where a run ended."""

    state: State  # a single run, without a replicate axis
    value: float  # its bound, or its objective if it has no bound, in nats per token
    sweeps: int
    period: int  # 1: gamma has settled; 2: it swings between two states; 0: the number of sweeps ended the run
    seconds: float  # of its sweeps; runs that are swept together share their time equally

    @property
    def settled(self) -> bool:
        """Whether gamma has settled."""
        return self.period == 1


def started(A: Algorithm, c: Corpus, K: int, p: Prior, start: str | None, seeds: Sequence[int]) -> list[State]:
    """The first states of several runs, each as `fit` draws it from its seed."""
    return [A.init(c, K, p, sweep_rng(seed, 0), start=start) for seed in seeds]


def until_settled(
    A: Algorithm,
    states: Sequence[State],
    c: Corpus,
    p: Prior,
    schedule: str | None = None,
    limit: int = 1000,
    tolerance: float = TOLERANCE,
    every: int = EVERY,
    least: int = LEAST,
) -> list[End]:
    """Sweep each state until its gamma settles.

    Every `every` sweeps the state is compared with those one and two sweeps before. In `token` and `document` order the
    runs are swept together as replicates, which costs less than one after the other and gives the same numbers.

    The algorithm has a bound or an objective, and its states have no replicate axis. The schedule is by default its
    first. `limit` is the largest number of sweeps, `every` those between two checks (2 or more), and `least` the
    smallest number. `tolerance` is that of the mean total variation; that of any row may be 100 times as large.

    >>> import lda_reference as lda
    >>> c, p = lda.Corpus.from_documents([[0, 0, 1], [1, 2, 2]]), lda.Prior(0.5, 0.5)
    >>> A = lda.ALGORITHMS["vb"]
    >>> ends = until_settled(A, started(A, c, 2, p, None, [0, 1, 2]), c, p, "nested")
    >>> [end.settled for end in ends]
    [True, True, True]
    """
    schedule = schedule or A.schedules[0]
    value_function = value_to_stop_by(A)
    run_numbers, ends = list(range(len(states))), dict[int, End]()
    for alive_runs in [run_numbers] if schedule in ("token", "document") else [[i] for i in run_numbers]:
        s_alive = State(np.stack([states[i].gamma for i in alive_runs], 1))
        run_seconds, n_sweeps = np.zeros(len(alive_runs)), 0
        while alive_runs:
            start_time, one_before = time.perf_counter(), s_alive
            for _ in range(min(every, limit - n_sweeps)):
                two_before, one_before, s_alive = one_before, s_alive, A.sweep(s_alive, c, p, schedule=schedule)
                n_sweeps += 1
            run_seconds = run_seconds + (time.perf_counter() - start_time) / len(alive_runs)
            periods = period(two_before, one_before, s_alive, c, tolerance) * (n_sweeps >= least)
            is_run_over = (periods > 0) | (n_sweeps >= limit)
            run_values = np.asarray(value_function(s_alive, c, p)) / c.N if is_run_over.any() else run_seconds
            for r in np.flatnonzero(is_run_over):
                state = State(s_alive.gamma[:, r])
                ends[alive_runs[r]] = End(state, float(run_values[r]), n_sweeps, int(periods[r]), float(run_seconds[r]))
            alive_runs = [i for i, has_ended in zip(alive_runs, is_run_over, strict=True) if not has_ended]
            s_alive, run_seconds = State(s_alive.gamma[:, ~is_run_over]), run_seconds[~is_run_over]
    return [ends[i] for i in run_numbers]


def period(two_before: State, one_before: State, s: State, c: Corpus, tolerance: float = TOLERANCE) -> Array:
    """The period of a run by its last three states: see `End`; of each replicate if there are several.

    >>> c = Corpus.from_documents([[0, 1]])
    >>> a, b = State(np.array([[0.2, 0.8], [0.8, 0.2]])), State(np.array([[0.8, 0.2], [0.2, 0.8]]))
    >>> [int(period(*last, c)) for last in ([a, a, a], [a, b, a], [a, a, b])]
    [1, 2, 0]
    """
    changes = (moved(earlier_state, s, c.n) for earlier_state in (one_before, two_before))
    still_once, still_twice = ((mean < tolerance) & (largest < LARGEST_RATIO * tolerance) for mean, largest in changes)
    return np.where(still_once & still_twice, 1, np.where(still_twice, 2, 0))


def chosen(ends: Sequence[End]) -> End:
    """The end with the highest training value."""
    return max(ends, key=lambda end: end.value)


def best_of(values: ArrayLike, scores: ArrayLike, R: int) -> float:
    """The expected score of the run with the highest value among R runs, drawn without replacement from those given.

    If the runs are in ascending order of their values, the i-th (from 1) is the best of R with probability
    C(i-1, R-1) / C(n, R). Values and scores are for example training bounds and test perplexities.

    >>> values, scores = [-7.6, -7.5, -7.7], [1800.0, 1750.0, 1900.0]
    >>> [round(best_of(values, scores, R), 1) for R in (1, 2, 3)]
    [1816.7, 1766.7, 1750.0]
    """
    run_values, x = np.asarray(values, np.float64), np.asarray(scores, np.float64)
    if run_values.shape != x.shape or run_values.ndim != 1:
        raise ValueError(f"values has shape {run_values.shape} and scores {x.shape}, expected one score for each value")
    if not 1 <= R <= len(run_values):
        raise ValueError(f"R is {R}, expected 1 to {len(run_values)}, the number of runs")
    ranks = np.arange(len(run_values))
    weights = np.cumprod(np.r_[1.0, (ranks[R - 1 :] + 1) / (ranks[R - 1 :] - R + 2)])[:-1]  # C(i-1, R-1), i = R, ..., n
    return float(weights @ x[np.argsort(run_values, kind="stable")][R - 1 :] / weights.sum())


class Difference(NamedTuple):
    """A mean difference of pairs, its standard error (nan for one pair) and the number of pairs."""

    mean: float
    standard_error: float
    pairs: int


def paired(x: ArrayLike, y: ArrayLike) -> Difference:
    """The mean of x - y over pairs, for example of two algorithms from the same starts; a ValueError if there is none.

    >>> paired([3.0, 5.0], [1.0, 2.0])
    Difference(mean=2.5, standard_error=0.5, pairs=2)
    """
    x_array, y_array = np.asarray(x, np.float64), np.asarray(y, np.float64)
    if x_array.shape != y_array.shape or x_array.ndim != 1 or not len(x_array):
        raise ValueError(f"x has shape {x_array.shape} and y {y_array.shape}, expected pairs of numbers")
    x_minus_y: Array = x_array - y_array
    standard_error = float(x_minus_y.std(ddof=1) / np.sqrt(len(x_minus_y))) if len(x_minus_y) > 1 else float("nan")
    return Difference(float(x_minus_y.mean()), standard_error, len(x_minus_y))
