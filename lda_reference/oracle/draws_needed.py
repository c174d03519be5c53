"""How many draws the sampler test needs to find a known mistake."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri, stdtrit

from ..algorithms import ALGORITHMS
from ..evaluation.chains import effective_sample_size
from ..model import Array
from .asking.loading import Case
from .judging.samplers import BATCHES, LEVEL, RARE, Law, law
from .package_operations import problem


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
    p, q = (np.array([*of.values()]) for of in (law(case), law(case, name)))
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
    c, p = problem(case)
    A = ALGORITHMS[case["algorithm"]]
    s = A.init(c, case["K"], p, rng=rng, replicates=chains)
    for _ in range(burn_in):
        s = A.sweep(s, c, p, rng=rng)
    z = np.empty((sweeps, c.N, chains), np.int8 if case["K"] < 128 else np.int64)
    for t in range(sweeps):
        s = A.sweep(s, c, p, rng=rng)
        z[t] = s.z
    return z


def indicators(z: ArrayLike, of: Law) -> NDArray[np.bool_]:
    """Whether each statistic holds in each draw: z is (..., N), the result (..., statistics)."""
    z = np.asarray(z)
    columns = [z[..., i] == (z[..., k] if field == "z" else k) for field, (i, k) in of]
    return np.stack(columns, -1)


def table(found: Sequence[Case], draws: int) -> str:
    """How many draws find each known mistake, on the corpus where the fewest are needed."""
    needed: dict[tuple[str, str], tuple[int, str]] = {}
    for case in found:
        times = autocorrelation_times(case)
        for name in case["mistakes"]:
            enough = detectable(case, name, LEVEL / len(found), times=times)
            key = (case["algorithm"], name)
            needed[key] = min(needed.get(key, (enough, case["id"])), (enough, case["id"]))
    where = f"on the corpus that needs the fewest ({draws} were drawn)"
    lines = [f"Draws that find a known mistake 9 times in 10, {where}:"]
    for (algorithm, name), (enough, best) in needed.items():
        lines.append(f"  {algorithm:<9}  {name:<26}  {enough:>7}  {best}")
    return "\n".join(lines)
