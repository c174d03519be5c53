"""The test of a port that draws its own random numbers: its draws held to an enumerated posterior.

The posterior of the topics of a tiny corpus is known exactly, by summing over all assignments. With a symmetric alpha
the topics have no names, so what is tested is what no renumbering changes: for each pair of tokens i < i', how often
they share a topic, against p(z_i = z_i' | x).

**The statistic.** S consecutive draws are cut into 40 batches of equal length. The standard error of the mean is that
of the means of the batches, which allows for the correlation of consecutive draws as long as it dies out within a
batch; where the means of neighbouring batches are still correlated, with r > 0, it is multiplied by
sqrt((1 + r) / (1 - r)), that of an autoregression. It is never taken below that of independent draws,
sqrt(p (1 - p) / S), so that a chain that stands still has an error too. A pair's p-value is that of Student's t with
39 degrees of freedom.

**Which pairs.** Batch means are near normal where a batch holds the rarer of the two outcomes often enough: pairs with
p (1 - p) below 10 / (length of a batch) are left out, unless p is exactly 0 or 1, where a single other draw is wrong.

**All pairs together.** The p-value of a corpus is the smallest of its pairs times their number (Bonferroni), which
holds whatever the dependence of the pairs; that of a run is the smallest of its corpora times their number. Bonferroni
loses little here: a mistake moves many pairs at once, and the strongest decides. A chi-square with an estimated
covariance would need more batches than there are pairs, and rests on the joint normality of their means far in the
tail, where it is worst.

**False alarms.** A run fails at p < `LEVEL`, a fifth of the 1 in 1,000 that are allowed: what is approximate above
costs a little of the difference. `false_alarms` measures the rate on correct chains: of 20,000 runs of collapsed
Gibbs sampling with 4,000 draws each none failed; of a chain made so slow that a batch was five autocorrelation times, 4
of 8,000; of the same with 20,000 draws none of 3,000.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri, stdtr, stdtrit

from ..algorithms import ALGORITHMS
from ..corpus import Corpus
from ..evaluation.chains import effective_sample_size
from ..model import Array, Prior

DRAWS = 20_000
BATCHES = 40
RARE = 10  # of the rarer outcome, variance in a batch of independent draws
LEVEL = 2e-4  # of a run
BLOCK = 1000  # chains that are run together
COMPATIBLE = 1e-3  # the draws are those of a mistake unless they reject it at this level

Case = dict[str, Any]


class Verdict(NamedTuple):
    """The pair of tokens that speaks most against a law, and how much.

    Attributes
    ----------
    p : float
        Over all pairs of the corpus.
    pair : (int, int)
    mean, error, expected : float
        How often they share a topic, the standard error of that, and what the law says.
    """

    p: float
    pair: tuple[int, int]
    mean: float
    error: float
    expected: float


class Study(NamedTuple):
    """How often correct chains were rejected.

    Attributes
    ----------
    runs : int
    levels : tuple of float
        Levels of significance, the last the one in use.
    rejected : tuple of int
        How many runs had a p-value below each.
    """

    runs: int
    levels: tuple[float, ...]
    rejected: tuple[int, ...]


def question(case: Case, draws: int = DRAWS, seed: int = 0) -> Case:
    """What a port is sent."""
    about = {name: case[name] for name in ("id", "algorithm", "corpus", "K", "prior")}
    return about | {"operation": "sample", "draws": draws, "seed": seed}


def tokens(case: Case) -> int:
    """The number of tokens N of the corpus of a case."""
    return int(sum(case["corpus"]["n"]))


def fault(z: Any, draws: int, N: int, K: int) -> str | None:
    """What is wrong with the form of an answer; None where it is `draws` lists of N topics from 0 below K."""
    if not isinstance(z, list) or len(z) != draws:
        what = f"has length {len(z)}" if isinstance(z, list) else "is no list"
        return f"z {what}, expected {draws} draws"
    for s, draw in enumerate(z):
        if not isinstance(draw, list) or len(draw) != N:
            what = f"has length {len(draw)}" if isinstance(draw, list) else "is no list"
            return f"z[{s}] {what}, expected the topics of {N} tokens"
        for i, k in enumerate(draw):
            if isinstance(k, bool) or not isinstance(k, (int, float)) or not 0 <= k < K or k != int(k):
                return f"z[{s}, {i}] is {str(k)[:20]}, expected a topic from 0 below {K}"
    return None


def verdict(z: ArrayLike, together: ArrayLike) -> Verdict:
    """Draws held to a law of the co-assignments.

    Parameters
    ----------
    z : (S, N) integers
        Consecutive draws of a chain.
    together : (N, N)
        p(z_i = z_i' | x).

    Raises
    ------
    ValueError
        For fewer than two draws a batch.

    Examples
    --------
    >>> z = np.random.default_rng(0).integers(2, size=(4000, 2))
    >>> verdict(z, [[1, 0.5], [0.5, 1]]).p > 0.05, verdict(z, [[1, 0.6], [0.6, 1]]).p < 1e-9
    (True, True)
    """
    z, together = np.asarray(z), np.asarray(together, np.float64)
    S, N = z.shape
    length = S // BATCHES
    if length < 2:
        raise ValueError(f"draws is {S}, expected {2 * BATCHES} or more: two a batch")
    first, second = np.triu_indices(N, 1)
    expected = together[first, second]
    certain = (expected <= 0) | (expected >= 1)
    used = certain | (expected * (1 - expected) * length >= RARE)
    if not used.any():
        return Verdict(1.0, (0, 0), 1.0, 0.0, 1.0)
    first, second, expected, certain = first[used], second[used], expected[used], certain[used]
    means = batch_means(z, first, second)
    mean = means.mean(0)
    # never less than of independent draws: a chain that stands still has batch means that do not vary
    error = np.sqrt(np.maximum(_variance(means), expected * (1 - expected) / (BATCHES * length)))
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.abs(mean - expected) / error
    p = np.where(certain, np.where(mean == expected, 1.0, 0.0), 2 * stdtr(BATCHES - 1, -t))
    worst = int(np.argmin(p))
    pair = (int(first[worst]), int(second[worst]))
    smallest = min(1.0, float(p[worst]) * len(p))
    return Verdict(smallest, pair, float(mean[worst]), float(error[worst]), float(expected[worst]))


def fewest(case: Case) -> int:
    """The fewest draws of a case by which some pair of tokens can be judged."""
    p = np.array(case["together"], np.float64)[np.triu_indices(tokens(case), 1)]
    most = float(np.max(p * (1 - p), initial=0.0))
    return BATCHES * max(2, math.ceil(RARE / most) if most else 2)


def batch_means(z: NDArray[Any], first: NDArray[Any], second: NDArray[Any]) -> Array:
    """(BATCHES, P): how often the tokens of each pair share a topic, a batch; draws left over are left out."""
    length = len(z) // BATCHES
    x = z[: BATCHES * length].reshape(BATCHES, length, -1)
    return np.stack([(x[:, :, i] == x[:, :, j]).mean(1) for i, j in zip(first, second, strict=True)], axis=-1)


def _variance(means: Array) -> Array:
    """Of the mean of batch means (BATCHES, P), each with its neighbours' correlation."""
    off = means - means.mean(0)
    squares = (off**2).sum(0)
    with np.errstate(divide="ignore", invalid="ignore"):
        r = np.where(squares > 0, (off[1:] * off[:-1]).sum(0) / squares, 0.0)
    r = np.clip(r, 0, 0.9)  # of few batches an estimate can be anything: never less than independent, never infinite
    return squares / (BATCHES - 1) / BATCHES * (1 + r) / (1 - r)


def describe(v: Verdict, draws: int) -> str:
    """A verdict in words."""
    i, j = v.pair
    return (
        f"tokens {i} and {j} share a topic in {v.mean:.4f} of {draws} draws, expected {v.expected:.4f}"
        f" with a standard error of {v.error:.4f}"
    )


def compatible(z: ArrayLike, case: Case) -> list[str]:
    """The known mistakes whose stationary law the draws do not reject."""
    return [name for name, law in case.get("mistakes", {}).items() if verdict(z, law).p >= COMPATIBLE]


def named(cases: Sequence[Case], draws: Sequence[ArrayLike], passed: Sequence[bool]) -> str | None:
    """The one mistake that explains the draws of one sampler on several corpora; None where none or several do.

    Of each corpus its law must not be rejected; where it is no other than the right one, the right one must not be.
    """
    names = dict.fromkeys(name for case in cases for name in case.get("mistakes", {}))
    for case, z, right in zip(cases, draws, passed, strict=True):
        kept = compatible(z, case)
        names = {name: None for name in names if (name in kept if name in case.get("mistakes", {}) else right)}
    return next(iter(names)) if len(names) == 1 else None


# How many draws ------------------------------------------------------------------------------------------------------


def detectable(
    case: Case, name: str, level: float = LEVEL, power: float = 0.9, times: ArrayLike | None = None
) -> int:
    """How many draws find a planted mistake.

    For a pair with p(z_i = z_i' | x) = p and q in the mistaken chain, the mean of S draws has the standard error
    sqrt(q (1 - q) tau / S), with tau the integrated autocorrelation time. The pair alone is found with the
    probability `power` once

        S = tau q (1 - q) ((t_(1 - level / 2P) + z_power) / (q - p))^2,

    t and z the quantiles of Student's distribution with 39 degrees of freedom and of the normal distribution, P the
    number of pairs. The smallest such S of all pairs, of each no fewer than make batches long enough for it,
    S >= 40 · 10 / (p (1 - p)).

    Parameters
    ----------
    case : dict
        Of samplers.json.
    name : str
        One of its mistakes.
    level, power : float
    times : (N, N), optional
        tau of each pair; default those of the correct chain, `autocorrelation_times`.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        For a mistake that the case does not have.

    Examples
    --------
    >>> case = {"together": [[1, 0.5], [0.5, 1]], "mistakes": {"half": [[1, 0.6], [0.6, 1]]}}
    >>> detectable(case, "half", times=np.ones((2, 2)))
    1600
    """
    if name not in case["mistakes"]:
        raise ValueError(f"name is {name!r}, expected one of {', '.join(case['mistakes']) or 'none: there are none'}")
    tau = autocorrelation_times(case) if times is None else np.asarray(times, np.float64)
    pairs = np.triu_indices(len(case["together"]), 1)
    p, q = (np.array(x, np.float64)[pairs] for x in (case["together"], case["mistakes"][name]))
    z = stdtrit(BATCHES - 1, 1 - level / (2 * len(p))) + ndtri(power)
    with np.errstate(divide="ignore"):
        draws = np.maximum(tau[pairs] * q * (1 - q) * (z / (q - p)) ** 2, BATCHES * RARE / (p * (1 - p)))
    return math.ceil(float(np.where(p == q, np.inf, draws).min()))


def autocorrelation_times(case: Case, sweeps: int = 2000, chains: int = 4, seed: int = 0) -> Array:
    """tau of each pair of tokens in the package's own chain: draws over effective sample size, (N, N)."""
    N = tokens(case)
    z = sample(case, sweeps, np.random.default_rng(seed), chains)
    first, second = np.triu_indices(N, 1)
    together = (z[:, first] == z[:, second]).swapaxes(1, 2)  # (sweeps, chains, pairs)
    size = effective_sample_size(together)
    tau = np.ones((N, N))
    tau[first, second] = np.where(np.isnan(size), 1.0, sweeps * chains / size)
    return np.maximum(tau, tau.T)


def sample(case: Case, sweeps: int, rng: np.random.Generator, chains: int = 1, burn_in: int = 100) -> NDArray[Any]:
    """Draws of the package's own sampler: (sweeps, N, chains) topics after a burn-in from topics drawn uniformly."""
    c, p = corpus(case), prior(case)
    A = ALGORITHMS[case["algorithm"]]
    s = A.init(c, case["K"], p, rng=rng, replicates=chains)
    for _ in range(burn_in):
        s = A.sweep(s, c, p, rng=rng)
    z = np.empty((sweeps, c.N, chains), np.int8 if case["K"] < 128 else np.int64)
    for t in range(sweeps):
        s = A.sweep(s, c, p, rng=rng)
        z[t] = s.z
    return z


def corpus(case: Case) -> Corpus:
    """The corpus of a case."""
    return Corpus(*(case["corpus"][name] for name in ("j", "w", "n", "D", "W")))


def prior(case: Case) -> Prior:
    """The prior of a case."""
    return Prior(case["prior"]["alpha"], case["prior"]["eta"])


# False alarms --------------------------------------------------------------------------------------------------------


def false_alarms(
    case: Case,
    runs: int = 2000,
    draws: int = 2000,
    seed: int = 0,
    levels: Sequence[float] = (0.1, 0.01, LEVEL),
) -> Study:
    """How often correct chains fail: the package's own, of consecutive and so of correlated draws.

    Parameters
    ----------
    case : dict
        Of samplers.json.
    runs : int
        Independent chains.
    draws : int
        Of each. Fewer than `DRAWS` are a harder trial: batches are shorter, their means less normal and more
        correlated.
    seed : int
    levels : sequence of float

    Returns
    -------
    Study

    Examples
    --------
    >>> case = {
    ...     "algorithm": "cgs", "K": 2, "prior": {"alpha": 1.0, "eta": 1.0}, "together": [[1, 8 / 11], [8 / 11, 1]],
    ...     "corpus": {"j": [0, 0], "w": [0, 0], "n": [1, 1], "D": 1, "W": 2},
    ... }
    >>> false_alarms(case, runs=20, draws=2000).rejected[-1]
    0
    """
    rng, together, p = np.random.default_rng(seed), np.array(case["together"]), np.empty(runs)
    for start in range(0, runs, BLOCK):
        z = sample(case, draws, rng, min(BLOCK, runs - start))
        p[start : start + BLOCK] = [verdict(z[:, :, r], together).p for r in range(z.shape[2])]
    return Study(runs, tuple(levels), tuple(int((p < level).sum()) for level in levels))
