"""How good the sampler test is: how many draws find a mistake, and how often correct chains fail.

`false_alarms` gave these rates at the level in use. With collapsed Gibbs sampling and 4,000 draws, none of 20,000 runs
failed. With a chain so slow that a batch was five autocorrelation times, 4 of 8,000 runs failed; with 20,000 draws of
this chain, none of 3,000 runs failed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri, stdtrit

from ..algorithms import ALGORITHMS
from ..corpus import Corpus
from ..evaluation.chains import effective_sample_size
from ..model import Array, Prior
from .loading import Case
from .samplers import BATCHES, LEVEL, RARE, tokens, verdict

BLOCK = 1000  # chains that are run together


class Study(NamedTuple):
    """How often correct chains were rejected.

    Attributes
    ----------
    runs : int
    levels : tuple of float
        Levels of significance; the last is the one in use.
    rejected : tuple of int
        How many runs had a p-value below each level.
    """

    runs: int
    levels: tuple[float, ...]
    rejected: tuple[int, ...]


def detectable(
    case: Case, name: str, level: float = LEVEL, power: float = 0.9, times: ArrayLike | None = None
) -> int:
    """How many draws find a known mistake.

    Let a pair share a topic with probability p = p(z_i = z_i' | x) in the correct chain and q in the mistaken one. The
    mean of S draws has the standard error sqrt(q (1 - q) tau / S), where tau is the integrated autocorrelation time.
    The test of this pair
    alone finds the mistake with probability `power` if

        S = tau q (1 - q) ((t_(1 - level / 2P) + z_power) / (q - p))^2,

    where t and z are quantiles of Student's distribution with 39 degrees of freedom and of the normal distribution, and
    P is the number of pairs. The result is the smallest S of all pairs. The S of a pair is at least
    40 · 10 / (p (1 - p)), so that the batches are long enough for it.

    Parameters
    ----------
    case : dict
        A case of samplers.json.
    name : str
        One of its mistakes.
    level, power : float
    times : (N, N), optional
        tau of each pair; by default that of the correct chain, `autocorrelation_times`.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If the case does not have the mistake.

    Examples
    --------
    >>> case = {"together": [[1, 0.5], [0.5, 1]], "mistakes": {"half": [[1, 0.6], [0.6, 1]]}}
    >>> detectable(case, "half", times=np.ones((2, 2)))
    1600
    """
    if name not in case["mistakes"]:
        raise ValueError(f"name is {name!r}, expected one of {', '.join(case['mistakes']) or 'none: it has none'}")
    tau = autocorrelation_times(case) if times is None else np.asarray(times, np.float64)
    pairs = np.triu_indices(len(case["together"]), 1)
    p, q = (np.array(x, np.float64)[pairs] for x in (case["together"], case["mistakes"][name]))
    z = stdtrit(BATCHES - 1, 1 - level / (2 * len(p))) + ndtri(power)
    with np.errstate(divide="ignore"):
        draws = np.maximum(tau[pairs] * q * (1 - q) * (z / (q - p)) ** 2, BATCHES * RARE / (p * (1 - p)))
    return math.ceil(float(np.where(p == q, np.inf, draws).min()))


def autocorrelation_times(case: Case, sweeps: int = 2000, chains: int = 4, seed: int = 0) -> Array:
    """tau of each pair of tokens in the package's own chain, (N, N): draws over effective sample size."""
    N = tokens(case)
    z = sample(case, sweeps, np.random.default_rng(seed), chains)
    first, second = np.triu_indices(N, 1)
    together = (z[:, first] == z[:, second]).swapaxes(1, 2)  # (sweeps, chains, pairs)
    size = effective_sample_size(together)
    tau = np.ones((N, N))
    tau[first, second] = np.where(np.isnan(size), 1.0, sweeps * chains / size)
    return np.maximum(tau, tau.T)


def sample(case: Case, sweeps: int, rng: np.random.Generator, chains: int = 1, burn_in: int = 100) -> NDArray[Any]:
    """Draws of the package's own sampler, (sweeps, N, chains), after a burn-in from topics drawn uniformly."""
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


def false_alarms(
    case: Case,
    runs: int = 2000,
    draws: int = 2000,
    seed: int = 0,
    levels: Sequence[float] = (0.1, 0.01, LEVEL),
) -> Study:
    """How often correct chains of the package fail. Their draws are consecutive and therefore correlated.

    Parameters
    ----------
    case : dict
        A case of samplers.json.
    runs : int
        The number of independent chains.
    draws : int
        The number of draws of each chain. Fewer draws than usual make a harder test, because the means of shorter
        batches are less normal and more correlated.
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
