"""How good the sampler test is: how many draws find a mistake, and how often correct chains fail.

At the level in use, none of 7,000 simulated runs of the whole test failed, each with 20,000 independent draws from the
enumerated posterior of every corpus (`false_alarms_of_exact_draws`); 117 had a p-value below 0.1 and 7 one below 0.01,
because Bonferroni's correction is cautious. Draws of a chain are correlated. Before p(z_i = k) was compared too,
`false_alarms` gave these rates: with collapsed Gibbs sampling and 4,000 draws, none of 20,000 runs failed; with a chain
so slow that a batch was five autocorrelation times, 4 of 8,000 runs failed; with 20,000 draws of this chain, none of
3,000 runs failed.
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
from ..model import Array, Prior, log_joint_collapsed
from ..truth.enumeration import assignments
from .loading import Case
from .samplers import BATCHES, LEVEL, RARE, compared, indicators, law, probabilities, tested, verdict

BLOCK = 1000  # chains that are run together


class Study(NamedTuple):
    """How often correct runs were rejected.

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


def detectable(case: Case, name: str, level: float = LEVEL, power: float = 0.9, times: ArrayLike | None = None) -> int:
    """How many draws find a known mistake.

    Let a statistic, such as that two tokens share a topic, hold with probability p in the correct chain and q in the
    mistaken one. The mean of S draws has the standard error sqrt(q (1 - q) tau / S), where tau is the integrated
    autocorrelation time. The test of this statistic alone finds the mistake with probability `power` if

        S = tau q (1 - q) ((t_(1 - level / 2P) + z_power) / (q - p))^2,

    where t and z are quantiles of Student's distribution with 39 degrees of freedom and of the normal distribution, and
    P is the number of statistics. The result is the smallest S of all. The S of a statistic is at least
    40 · 10 / (p (1 - p)), so that the batches are long enough for it.

    Parameters
    ----------
    case : dict
        A case of samplers.json.
    name : str
        One of its mistakes.
    level, power : float
    times : (P,), optional
        tau of each statistic; by default that of the correct chain, `autocorrelation_times`.

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
    >>> detectable(case, "half", times=[1])
    1600
    """
    if name not in case["mistakes"]:
        raise ValueError(f"name is {name!r}, expected one of {', '.join(case['mistakes']) or 'none: it has none'}")
    tau = autocorrelation_times(case) if times is None else np.asarray(times, np.float64)
    p, q = probabilities(law(case)), probabilities(law(case, name))
    z = stdtrit(BATCHES - 1, 1 - level / (2 * len(p))) + ndtri(power)
    with np.errstate(divide="ignore", invalid="ignore"):
        draws = np.maximum(tau * q * (1 - q) * (z / (q - p)) ** 2, BATCHES * RARE / (p * (1 - p)))
    return math.ceil(float(np.where(p == q, np.inf, draws).min()))


def autocorrelation_times(case: Case, sweeps: int = 2000, chains: int = 4, seed: int = 0) -> Array:
    """tau of each statistic in the package's own chain: draws over effective sample size."""
    z = sample(case, sweeps, np.random.default_rng(seed), chains)
    size = effective_sample_size(indicators(z.swapaxes(1, 2), law(case)))  # (sweeps, chains, statistics)
    return np.where(np.isnan(size), 1.0, sweeps * chains / size)


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
    found: Sequence[Case],
    runs: int = 2000,
    draws: int = 4000,
    seed: int = 0,
    levels: Sequence[float] = (0.1, 0.01, LEVEL),
) -> Study:
    """How often whole runs of correct chains of the package fail. Their draws are consecutive and therefore correlated.

    Parameters
    ----------
    found : sequence of cases
        The cases of samplers.json that a run asks.
    runs : int
        The number of runs, each with a chain of its own for each case.
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
    >>> false_alarms([case], runs=20, draws=2000).rejected[-1]
    0
    """
    rng, p = np.random.default_rng(seed), np.ones(runs)
    for case in found:
        for start in range(0, runs, BLOCK):
            z = sample(case, draws, rng, min(BLOCK, runs - start))
            some = [verdict(z[:, :, r], law(case)).p for r in range(z.shape[2])]
            p[start : start + BLOCK] = np.minimum(p[start : start + BLOCK], some)
    return _study(p * len(found), levels)


def false_alarms_of_exact_draws(
    found: Sequence[Case],
    runs: int = 2000,
    draws: int = 20_000,
    seed: int = 0,
    levels: Sequence[float] = (0.1, 0.01, LEVEL),
) -> Study:
    """How often whole runs of independent draws from the enumerated posterior fail.

    The number of times that each assignment of topics is drawn in a batch has a multinomial distribution, so that a run
    costs little. The parameters are those of `false_alarms`.

    Examples
    --------
    >>> case = {
    ...     "algorithm": "cgs", "K": 2, "prior": {"alpha": 1.0, "eta": 1.0}, "together": [[1, 8 / 11], [8 / 11, 1]],
    ...     "corpus": {"j": [0, 0], "w": [0, 0], "n": [1, 1], "D": 1, "W": 2},
    ... }
    >>> false_alarms_of_exact_draws([case], runs=50).rejected[-1]
    0
    """
    rng, p, length = np.random.default_rng(seed), np.ones(runs), draws // BATCHES
    for case in found:
        z, q = posterior_of_assignments(case)
        used = tested(law(case), length)
        f, expected = indicators(z, law(case))[:, used].astype(np.float64), probabilities(law(case))[used]
        for start in range(0, runs, BLOCK):
            means = rng.multinomial(length, q, size=(BATCHES, min(BLOCK, runs - start))) @ f / length
            each = compared(means, expected, length)[0]
            p[start : start + BLOCK] = np.minimum(p[start : start + BLOCK], each.min(-1) * len(used))
    return _study(p * len(found), levels)


def posterior_of_assignments(case: Case) -> tuple[NDArray[Any], Array]:
    """All assignments of topics to the tokens of a case, (K^N, N), and p(z | x) of each."""
    t, prior_of = corpus(case).tokens(), prior(case)
    blocks = [(z, log_joint_collapsed(N_jk, N_wk, prior_of)) for z, N_jk, N_wk in assignments(t, case["K"])]
    log_p = np.concatenate([x for _, x in blocks])
    p = np.exp(log_p - log_p.max())
    return np.concatenate([z for z, _ in blocks]), p / p.sum()


def _study(p: Array, levels: Sequence[float]) -> Study:
    return Study(len(p), tuple(levels), tuple(int((p < level).sum()) for level in levels))
