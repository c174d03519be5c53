"""The test of a port that draws its own random numbers: its draws are compared with an enumerated posterior.

The posterior of the topics of a tiny corpus is known exactly, by summing over all assignments. With a symmetric alpha
the numbers of the topics mean nothing, so the test uses a quantity that no renumbering changes: for each pair of tokens
i < i', how often they share a topic, which should be p(z_i = z_i' | x).

**The statistic.** S consecutive draws are cut into 40 batches of equal length. The standard error of the mean is
estimated from the means of the batches, which allows for correlated draws if the correlation dies out within a batch.
When the means of neighbouring batches are correlated, with r > 0, the error is multiplied by
sqrt((1 + r) / (1 - r)), as for an autoregression. It is at least that of independent draws, sqrt(p (1 - p) / S), so
that a chain that never moves has an error too. A pair's p-value is that of Student's t with 39 degrees of freedom.

**The pairs.** Batch means are nearly normal only if a batch contains the rarer outcome often enough. Pairs with
p (1 - p) below 10 / (length of a batch) are left out, unless p is exactly 0 or 1, where one other draw is an error.

**All pairs together.** The p-value of a corpus is the smallest of its pairs times their number (Bonferroni), which is
valid however the pairs depend on one another. The p-value of a run is the smallest of its corpora times their number.

A run fails at p < `LEVEL`, which is a fifth of the 1 in 1,000 that is allowed, because the approximations above may use
up some of the difference. `power` measures how often correct chains fail.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtr

from ..model import Array
from .loading import Case

DRAWS = 20_000
BATCHES = 40
RARE = 10  # the least variance of the number of times that a pair shares a topic in a batch of independent draws
LEVEL = 2e-4  # the level of significance of one run
COMPATIBLE = 1e-3  # the level below which draws reject the law of a mistake


class Verdict(NamedTuple):
    """The pair of tokens that contradicts a law most, and how strongly.

    Attributes
    ----------
    p : float
        The p-value, over all pairs of the corpus.
    pair : (int, int)
    mean, error, expected : float
        How often the two share a topic, its standard error, and its probability under the law.
    """

    p: float
    pair: tuple[int, int]
    mean: float
    error: float
    expected: float


def question(case: Case, draws: int = DRAWS, seed: int = 0) -> Case:
    """What a port is sent."""
    about = {name: case[name] for name in ("id", "algorithm", "corpus", "K", "prior")}
    return about | {"operation": "sample", "draws": draws, "seed": seed}


def tokens(case: Case) -> int:
    """The number of tokens N of the corpus of a case."""
    return int(sum(case["corpus"]["n"]))


def fault(z: Any, draws: int, N: int, K: int) -> str | None:
    """Says what is wrong with the form of an answer; None if it is `draws` lists of N topics from 0 below K."""
    if not isinstance(z, list) or len(z) != draws:
        what = f"has length {len(z)}" if isinstance(z, list) else "is not a list"
        return f"z {what}, expected {draws} draws"
    for s, draw in enumerate(z):
        if not isinstance(draw, list) or len(draw) != N:
            what = f"has length {len(draw)}" if isinstance(draw, list) else "is not a list"
            return f"z[{s}] {what}, expected the topics of {N} tokens"
        for i, k in enumerate(draw):
            if isinstance(k, bool) or not isinstance(k, (int, float)) or not 0 <= k < K or k != int(k):
                return f"z[{s}, {i}] is {str(k)[:20]}, expected a topic from 0 below {K}"
    return None


def verdict(z: ArrayLike, together: ArrayLike) -> Verdict:
    """Compare draws with the probabilities that two tokens share a topic.

    Parameters
    ----------
    z : (S, N) integers
        Consecutive draws of a chain.
    together : (N, N)
        p(z_i = z_i' | x).

    Returns
    -------
    Verdict

    Raises
    ------
    ValueError
        If there are fewer than two draws in a batch.

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
        raise ValueError(f"draws is {S}, expected at least {2 * BATCHES}: two in each batch")
    first, second = np.triu_indices(N, 1)
    expected = together[first, second]
    certain = (expected <= 0) | (expected >= 1)
    used = certain | (expected * (1 - expected) * length >= RARE)
    if not used.any():
        return Verdict(1.0, (0, 0), 1.0, 0.0, 1.0)
    first, second, expected, certain = first[used], second[used], expected[used], certain[used]
    means = batch_means(z, first, second)
    mean = means.mean(0)
    # at least the error of independent draws: the batch means of a chain that never moves do not vary
    error = np.sqrt(np.maximum(_variance(means), expected * (1 - expected) / (BATCHES * length)))
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.abs(mean - expected) / error
    p = np.where(certain, np.where(mean == expected, 1.0, 0.0), 2 * stdtr(BATCHES - 1, -t))
    worst = int(np.argmin(p))
    pair = (int(first[worst]), int(second[worst]))
    smallest = min(1.0, float(p[worst]) * len(p))
    return Verdict(smallest, pair, float(mean[worst]), float(error[worst]), float(expected[worst]))


def fewest(case: Case) -> int:
    """The least number of draws with which some pair of tokens of a case can be tested."""
    p = np.array(case["together"], np.float64)[np.triu_indices(tokens(case), 1)]
    most = float(np.max(p * (1 - p), initial=0.0))
    return BATCHES * max(2, math.ceil(RARE / most) if most else 2)


def batch_means(z: NDArray[Any], first: NDArray[Any], second: NDArray[Any]) -> Array:
    """How often the tokens of each of P pairs share a topic, in each batch: (BATCHES, P).

    The draws that do not fill a batch at the end are left out.
    """
    length = len(z) // BATCHES
    x = z[: BATCHES * length].reshape(BATCHES, length, -1)
    return np.stack([(x[:, :, i] == x[:, :, j]).mean(1) for i, j in zip(first, second, strict=True)], axis=-1)


def _variance(means: Array) -> Array:
    """The variance of the mean of batch means (BATCHES, P), allowing for the correlation of neighbouring batches."""
    off = means - means.mean(0)
    squares = (off**2).sum(0)
    with np.errstate(divide="ignore", invalid="ignore"):
        r = np.where(squares > 0, (off[1:] * off[:-1]).sum(0) / squares, 0.0)
    r = np.clip(r, 0, 0.9)  # the estimate from few batches is rough; the error stays finite, and not below independence
    return squares / (BATCHES - 1) / BATCHES * (1 + r) / (1 - r)


def describe(v: Verdict, draws: int) -> str:
    """A verdict in words."""
    i, j = v.pair
    return (
        f"tokens {i} and {j} share a topic in {v.mean:.4f} of {draws} draws, expected {v.expected:.4f}"
        f" with a standard error of {v.error:.4f}"
    )


def compatible(z: ArrayLike, case: Case) -> list[str]:
    """The known mistakes whose stationary laws the draws do not reject."""
    return [name for name, law in case.get("mistakes", {}).items() if verdict(z, law).p >= COMPATIBLE]


def named(cases: Sequence[Case], draws: Sequence[ArrayLike], passed: Sequence[bool]) -> str | None:
    """The one mistake that explains the draws of one sampler on several corpora; None if none or several do.

    On each corpus the draws must not reject the mistake's law. If a corpus does not list the mistake, its law is the
    same with and without it, and the corpus must have passed.
    """
    names = dict.fromkeys(name for case in cases for name in case.get("mistakes", {}))
    for case, z, right in zip(cases, draws, passed, strict=True):
        kept = compatible(z, case)
        names = {name: None for name in names if (name in kept if name in case.get("mistakes", {}) else right)}
    return next(iter(names)) if len(names) == 1 else None
