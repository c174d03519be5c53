"""The test of a port that draws its own random numbers: its draws are compared with an enumerated posterior.

The posterior of the topics of a tiny corpus is known exactly, by summing over all assignments. With a symmetric alpha
the numbers of the topics mean nothing, so the test uses a quantity that no renumbering changes: for each pair of tokens
i < i', how often they share a topic, which should be p(z_i = z_i' | x). With an asymmetric alpha, topics can be told
apart, and the test also uses how often token i has topic k, which should be p(z_i = k | x).

**The statistic.** S consecutive draws are cut into 40 batches of equal length. The standard error of the mean is
estimated from the means of the batches, which allows for correlated draws if the correlation dies out within a batch.
When the means of neighbouring batches are correlated, with r > 0, the error is multiplied by
sqrt((1 + r) / (1 - r)), as for an autoregression. It is at least that of independent draws, sqrt(p (1 - p) / S), so
that a chain that never moves has an error too. A statistic's p-value is that of Student's t with 39 degrees of freedom.

**The choice.** Batch means are nearly normal only if a batch contains the rarer outcome often enough. Statistics with
p (1 - p) below 10 / (length of a batch) are left out, unless p is exactly 0 or 1, where one other draw is an error.

**All together.** The p-value of a corpus is the smallest of its statistics times their number (Bonferroni), which is
valid however they depend on one another. The p-value of a run is the smallest of its corpora times their number.

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

from ...model import Array
from ..asking.loading import Case
from .comparing import cut

DRAWS = 20_000
BATCHES = 40
RARE = 10  # the least variance of the number of times that a pair shares a topic in a batch of independent draws
LEVEL = 2e-4  # the level of significance of one run
COMPATIBLE = 1e-3  # the level below which draws reject the law of a mistake


class Law(NamedTuple):
    """What is compared of a law of z.

    Attributes
    ----------
    together : (N, N)
        p(z_i = z_i').
    topics : (N, K), optional
        p(z_i = k), if alpha is asymmetric.
    """

    together: ArrayLike
    topics: ArrayLike | None = None


class Verdict(NamedTuple):
    """The statistic that contradicts a law most, and how strongly.

    Attributes
    ----------
    p : float
        The p-value, over all statistics of the corpus.
    field : str
        "z" if the statistic is how often two tokens share a topic, "topics" if it is how often a token has a topic.
    index : (int, int)
        The two tokens, or the token and the topic.
    mean, error, expected : float
        How often this is so, its standard error, and its probability under the law.
    """

    p: float
    field: str
    index: tuple[int, int]  # type: ignore[assignment]  # hides tuple.index
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
                return f"z[{s}, {i}] is {cut(str(k), 20)}, expected a topic from 0 below {K}"
    return None


def law(case: Case, mistake: str | None = None) -> Law:
    """The law of z of a case, or that of one of its mistakes."""
    if mistake is None:
        return Law(case["together"], case.get("topics"))
    return Law(case["mistakes"][mistake], case["mistaken_topics"][mistake] if "topics" in case else None)


def places(of: Law) -> list[tuple[str, tuple[int, int]]]:
    """The field and the index of each statistic: all pairs of tokens, then each token with each topic but the first.

    The probability of the first topic follows from those of the others.
    """
    N = len(np.asarray(of.together))
    pairs = [("z", (i, j)) for i in range(N) for j in range(i + 1, N)]
    K = 0 if of.topics is None else np.asarray(of.topics).shape[1]
    return pairs + [("topics", (i, k)) for i in range(N) for k in range(1, K)]


def probabilities(of: Law) -> Array:
    """The probability of each statistic."""
    arrays = {"z": np.asarray(of.together, np.float64)}
    if of.topics is not None:
        arrays["topics"] = np.asarray(of.topics, np.float64)
    return np.array([arrays[field][index] for field, index in places(of)])


def indicators(z: ArrayLike, of: Law) -> NDArray[np.bool_]:
    """Whether each statistic holds in each draw: z is (..., N), the result (..., statistics)."""
    z = np.asarray(z)
    columns = [z[..., i] == (z[..., k] if field == "z" else k) for field, (i, k) in places(of)]
    return np.stack(columns, -1) if columns else np.zeros((*z.shape[:-1], 0), bool)


def verdict(z: ArrayLike, of: Law) -> Verdict:
    """Compare draws with a law.

    Parameters
    ----------
    z : (S, N) integers
        Consecutive draws of a chain.
    of : Law

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
    >>> verdict(z, Law([[1, 0.5], [0.5, 1]])).p > 0.05, verdict(z, Law([[1, 0.6], [0.6, 1]])).p < 1e-9
    (True, True)
    """
    means, length = batch_means(z, of), len(np.asarray(z)) // BATCHES
    if length < 2:
        raise ValueError(f"draws are fewer than {2 * BATCHES}: two in each batch")
    used = tested(of, length)
    if not used.size:
        return Verdict(1.0, "z", (0, 0), 1.0, 0.0, 1.0)
    expected = probabilities(of)[used]
    p, mean, error = compared(means[:, used], expected, length)
    worst = int(np.argmin(p))
    field, index = places(of)[used[worst]]
    smallest = min(1.0, float(p[worst]) * len(p))
    return Verdict(smallest, field, index, float(mean[worst]), float(error[worst]), float(expected[worst]))


def tested(of: Law, length: int) -> NDArray[np.intp]:
    """The numbers of the statistics that batches of this length can test."""
    p = probabilities(of)
    return np.flatnonzero((p <= 0) | (p >= 1) | (p * (1 - p) * length >= RARE))


def compared(means: Array, expected: Array, length: int) -> tuple[Array, Array, Array]:
    """The p-value of each statistic alone, its mean and its standard error.

    Parameters
    ----------
    means : (BATCHES, ..., statistics)
        The means of batches; the axes between are those of several chains.
    expected : (statistics,)
    length : int
        The number of draws of a batch.

    Returns
    -------
    p, mean, error : (..., statistics)
    """
    mean = means.mean(0)
    # at least the error of independent draws: the batch means of a chain that never moves do not vary
    error = np.sqrt(np.maximum(_variance(means), expected * (1 - expected) / (BATCHES * length)))
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.abs(mean - expected) / error
    certain = (expected <= 0) | (expected >= 1)
    return np.where(certain, np.where(mean == expected, 1.0, 0.0), 2 * stdtr(BATCHES - 1, -t)), mean, error


def fewest(case: Case) -> int:
    """The least number of draws with which some pair of tokens of a case can be tested."""
    p = probabilities(Law(case["together"]))
    most = float(np.max(p * (1 - p), initial=0.0))
    return BATCHES * max(2, math.ceil(RARE / most) if most else 2)


def batch_means(z: ArrayLike, of: Law) -> Array:
    """How often each statistic holds in each batch: (BATCHES, statistics).

    The draws that do not fill a batch at the end are left out.
    """
    z = np.asarray(z)
    length = len(z) // BATCHES
    x = indicators(z[: BATCHES * length], of)
    return x.reshape(BATCHES, length, x.shape[-1]).mean(1) if length else np.zeros((BATCHES, x.shape[-1]))


def _variance(means: Array) -> Array:
    """The variance of the mean of batch means (BATCHES, ..., P), with the correlation of neighbouring batches."""
    off = means - means.mean(0)
    squares = (off**2).sum(0)
    with np.errstate(divide="ignore", invalid="ignore"):
        r = np.where(squares > 0, (off[1:] * off[:-1]).sum(0) / squares, 0.0)
    r = np.clip(r, 0, 0.9)  # the estimate from few batches is rough; the error stays finite, and not below independence
    return squares / (BATCHES - 1) / BATCHES * (1 + r) / (1 - r)


def describe(v: Verdict, draws: int) -> str:
    """A verdict in words."""
    i, k = v.index
    what = f"tokens {i} and {k} share a topic" if v.field == "z" else f"token {i} has topic {k}"
    return f"{what} in {v.mean:.4f} of {draws} draws, expected {v.expected:.4f} with a standard error of {v.error:.4f}"


def compatible(z: ArrayLike, case: Case) -> list[str]:
    """The known mistakes whose stationary laws the draws do not reject."""
    return [name for name in case.get("mistakes", {}) if verdict(z, law(case, name)).p >= COMPATIBLE]


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
