"""Comparing chains: R-hat.

Source: Vehtari, Gelman, Simpson, Carpenter and Bürkner, Rank-normalization, folding, and localization (Bayesian
Analysis 2021). Compare quantities that do not depend on how the topics are numbered: see `monte_carlo`.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri
from scipy.stats import rankdata

from ..arguments import finite
from ..model import Array


def r_hat(x: ArrayLike) -> Any:
    """Rank-normalised split R-hat, which is near 1 if the chains agree: Vehtari et al. §§3-4.

    Each chain is cut into two halves of n draws, and each draw is replaced by the normal score of its rank among all.
    If W is the mean of the variances within the halves and B/n is the variance of their means,

        R-hat = sqrt(V / W),   V = (n-1)/n W + B/n.

    The same is computed from the distances to the median, which shows differences of scale. The result is the larger
    of the two. The authors advise using draws only if it is below 1.01.

    x (T, R, ...) has T >= 4 finite draws of R >= 1 chains. If T is odd, the middle draw is left out. The result is nan
    if all draws are equal, and inf if each half is constant and not all are equal.

    >>> x = np.random.default_rng(0).normal(size=(1000, 4))
    >>> round(float(r_hat(x)), 2), round(float(r_hat(x + [0, 0, 0, 1])), 2)
    (1.0, 1.11)
    """
    half_chains = _halves(x)
    distances_to_median = np.abs(half_chains - np.median(half_chains, axis=(0, 1)))
    # if two values are equally frequent, all distances are equal and uninformative: fmax ignores their nan
    return np.fmax(_r_hat_of(_normal_scores(half_chains)), _r_hat_of(_normal_scores(distances_to_median)))


def _r_hat_of(normal_scores: Array) -> Any:
    W, V = _variances(normal_scores)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.sqrt(V / W)


def _variances(normal_scores: Array) -> tuple[Any, Any]:
    """W, the variance within the chains, and V, the variance of all draws estimated from W and the chains' means."""
    n = len(normal_scores)
    W = (normal_scores - normal_scores[:1]).var(0, ddof=1).mean(0)  # exactly 0 for constant chains
    return W, (n - 1) / n * W + normal_scores.mean(0).var(0, ddof=1)


def _halves(draws: ArrayLike) -> Array:
    """The halves of R chains of T draws as 2 R chains: (T // 2, 2 R, ...) from (T, R, ...)."""
    draws = np.asarray(draws, np.float64)
    if draws.ndim < 2 or draws.shape[0] < 4 or draws.shape[1] < 1:
        raise ValueError(f"x has shape {draws.shape}, expected (T, R, ...) with at least 4 draws of at least one chain")
    half_length = len(finite(draws, "x")) // 2
    return np.concatenate([draws[:half_length], draws[-half_length:]], axis=1)


def _normal_scores(draws: Array) -> Array:
    """The normal scores of the ranks of each entry's draws; equal draws share the mean of their ranks."""
    n_draws = draws.shape[0] * draws.shape[1]
    ranks = rankdata(draws.reshape(n_draws, -1), axis=0).reshape(draws.shape)
    return np.asarray(ndtri((ranks - 3 / 8) / (n_draws + 1 / 4)))
