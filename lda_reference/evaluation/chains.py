"""Comparing chains, and the information in their draws: R-hat and the effective sample size.

Source: Vehtari, Gelman, Simpson, Carpenter and Bürkner, Rank-normalization, folding, and localization (Bayesian
Analysis 2021). Compare quantities that do not depend on how the topics are numbered: see `monte_carlo`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.fft import irfft, next_fast_len, rfft
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

    Parameters
    ----------
    x : (T, R, ...), finite
        T >= 4 draws of R >= 1 chains. If T is odd, the middle draw is left out.

    Returns
    -------
    (...), 0 or more
        nan if all draws are equal; inf if each half is constant and not all are equal.

    Raises
    ------
    ValueError
        If there are too few draws, or one is not finite.

    Examples
    --------
    >>> x = np.random.default_rng(0).normal(size=(1000, 4))
    >>> round(float(r_hat(x)), 2), round(float(r_hat(x + [0, 0, 0, 1])), 2)
    (1.0, 1.11)
    """
    halves = _halves(x)
    folded = np.abs(halves - np.median(halves, axis=(0, 1)))
    # if two values are equally frequent, all distances are equal and uninformative: fmax ignores their nan
    return np.fmax(_r_hat_of(_normal_scores(halves)), _r_hat_of(_normal_scores(folded)))


def effective_sample_size(x: ArrayLike) -> Any:
    """The number of independent draws that would give an equally precise mean: Vehtari et al.'s bulk ESS, §3.2.

    The halves, the normal scores, V and W are those of `r_hat`. The autocorrelation at lag t is
    rho_t = 1 - (W - C_t) / V, where C_t is the mean of the autocovariances with divisor n. Let P_0, ..., P_(k-1) be the
    sums of pairs P_i = rho_2i + rho_2i+1 before the first that is not positive, each replaced by the smallest so far
    (Geyer 1992). Then, with S draws in all,

        ESS = S / tau,   tau = -1 + 2 sum_i P_i + max(rho_2k, 0),   but at most S log10(S).

    If all pairs are positive the chains are too short; Stan's programs then leave out the last two lags, and give a
    slightly larger number.

    Parameters
    ----------
    x
        As in `r_hat`.

    Returns
    -------
    (...), positive
        nan if all draws are equal.

    Examples
    --------
    >>> x = np.random.default_rng(0).normal(size=(1000, 4))
    >>> [int(round(effective_sample_size(draws), -2)) for draws in (x, np.repeat(x, 2, axis=0))]
    [3800, 4000]
    """
    z = _normal_scores(_halves(x))
    n, S = len(z), z.shape[0] * z.shape[1]
    W, V = _variances(z)
    centred = z - z[:1]  # exactly 0 for a constant chain
    size = next_fast_len(2 * n, real=True)
    spectrum = rfft(centred - centred.mean(0), size, axis=0)
    covariance = irfft((spectrum * spectrum.conj()).real, size, axis=0)[:n].mean(1) / n
    with np.errstate(invalid="ignore"):
        rho = 1 - (W - covariance) / V
    rho[0] = 1
    pairs = rho[: n // 2 * 2].reshape(n // 2, 2, *rho.shape[1:]).sum(1)
    first = np.logical_and.accumulate(pairs > 0)
    total = np.where(first, np.minimum.accumulate(pairs), 0).sum(0)
    next_even = np.take_along_axis(np.concatenate([rho, 0 * rho[:1]]), 2 * first.sum(0)[None], 0)[0]
    tau = -1 + 2 * total + np.maximum(next_even, 0)
    return np.where(V > 0, S / np.maximum(tau, 1 / np.log10(S)), np.nan)[()]


def _r_hat_of(z: Array) -> Any:
    W, V = _variances(z)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.sqrt(V / W)


def _variances(z: Array) -> tuple[Any, Any]:
    """W, the variance within the chains, and V, the variance of all draws estimated from W and the chains' means."""
    n = len(z)
    W = (z - z[:1]).var(0, ddof=1).mean(0)  # exactly 0 for constant chains
    return W, (n - 1) / n * W + z.mean(0).var(0, ddof=1)


def _halves(x: ArrayLike) -> Array:
    """The halves of R chains of T draws as 2 R chains: (T // 2, 2 R, ...) from (T, R, ...)."""
    x = np.asarray(x, np.float64)
    if x.ndim < 2 or x.shape[0] < 4 or x.shape[1] < 1:
        raise ValueError(f"x has shape {x.shape}, expected (T, R, ...) with at least 4 draws of at least one chain")
    half = len(finite(x, "x")) // 2
    return np.concatenate([x[:half], x[-half:]], axis=1)


def _normal_scores(x: Array) -> Array:
    """The normal scores of the ranks of each entry's draws; equal draws share the mean of their ranks."""
    S = x.shape[0] * x.shape[1]
    rank = rankdata(x.reshape(S, -1), axis=0).reshape(x.shape)
    return np.asarray(ndtri((rank - 3 / 8) / (S + 1 / 4)))
