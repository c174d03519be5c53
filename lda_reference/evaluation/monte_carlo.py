"""The Monte Carlo error of chains: batch means and SOL14's rule for stopping, R-hat and effective sample size.

What is averaged must be a quantity. The number of a topic is none: numbered otherwise, the topics are the same and
their mean number is another. SOL14's published code averages the numbers; here draws are arrays, such as the gamma of
a sampler's state, which of a corpus of tokens holds the indicators of the topics.

A posterior of LDA does not change when its topics are numbered otherwise. So the posterior mean of every indicator of
a topic is 1/K with a symmetric alpha, whatever the corpus, and an indicator that seems to have converged elsewhere
tells of one labelling only. Over long runs and between chains compare what no labelling changes: `co_assignment`,
`log_joint_collapsed`, the probability of held-out tokens.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.fft import irfft, next_fast_len, rfft
from scipy.special import ndtri
from scipy.stats import rankdata

from ..model import Array

# Batch means ---------------------------------------------------------------------------------------------------------


class Batches(NamedTuple):
    """What is kept of the draws so far; `Batches()` before the first.

    Attributes
    ----------
    draws : int
    batch : array
        Mean of the draws of the batch at hand; after its last draw, until the next one, of the whole batch.
    mean : array
        Mean of the means of the complete batches.
    squares : array
        Sum of their squared differences from it.
    length : int, 1 or more
        Draws in a batch, which stays as it is throughout: SOL14 §2.4 takes 50. It should be well above the number of
        draws over which the chain is correlated. If not, the standard error is too small, however many the draws.
    """

    draws: int = 0
    batch: Any = 0.0
    mean: Any = 0.0
    squares: Any = 0.0
    length: int = 50


def update(s: Batches, x: ArrayLike) -> Batches:
    """The state after one more draw, SOL14 §2.4.

    Parameters
    ----------
    s : Batches
    x : array of any shape, the same for all draws
        Finite; indicators count as 0 and 1.

    Raises
    ------
    ValueError
        For an array that is empty, not finite or of another shape than the draws before, or a length below 1.

    Examples
    --------
    >>> s = Batches(length=2)
    >>> for x in ([1, 0], [0, 1], [1, 0], [1, 0], [0, 1]):
    ...     s = update(s, x)
    >>> posterior_mean(s), standard_error(s)
    (array([0.6, 0.4]), array([0.25, 0.25]))
    """
    x = np.array(x, np.float64)  # a copy: the caller may go on to change its own
    if s.draws and x.shape != np.shape(s.batch):
        raise ValueError(f"x has shape {x.shape}, expected that of the draws before, {np.shape(s.batch)}")
    if x.size == 0:
        raise ValueError(f"x has shape {x.shape}, expected at least one entry")
    for at in np.argwhere(~np.isfinite(x)):
        raise ValueError(f"x[{', '.join(map(str, at))}] is {x[tuple(at)]}, expected a finite number")
    if s.length < 1:
        raise ValueError(f"length is {s.length}, expected 1 or more")
    i = s.draws % s.length
    batch = x if i == 0 else s.batch + (x - s.batch) / (i + 1)  # SOL14 §2.4
    s = s._replace(draws=s.draws + 1, batch=batch)
    if i + 1 < s.length:
        return s
    # differences from the mean so far, not a sum of squares, which loses all digits where the mean is far from 0
    off = batch - s.mean
    mean = s.mean + off / (s.draws // s.length)  # SOL14 §2.4
    return s._replace(mean=mean, squares=s.squares + off * (batch - mean))  # SOL14 §2.4


def posterior_mean(s: Batches) -> Any:
    """The mean of all draws, those of an incomplete batch too. SOL14 §2.4.

    Raises
    ------
    ValueError
        Before the first draw.

    Examples
    --------
    >>> posterior_mean(update(update(Batches(), [0, 1]), [1, 1]))
    array([0.5, 1. ])
    """
    if s.draws == 0:
        raise ValueError("draws is 0, expected at least one draw")
    i = s.draws % s.length
    return (i * s.batch + (s.draws - i) * s.mean) / s.draws  # SOL14 §2.4


def standard_error(s: Batches) -> Any:
    """The Monte Carlo standard error of the mean of the complete batches, for each entry. SOL14 §2.4.

    With a batches of b draws and the sample variance V of their means, the variance of the chain is estimated by b V
    (Jones and Haran 2006) and the standard error by sqrt(b V / (a b)).

    Returns
    -------
    array of the shape of a draw, 0 or more
        nan below two complete batches. 0 where all batches have one mean: it says nothing of what the chain has not
        visited.

    Examples
    --------
    >>> s = Batches(length=1)
    >>> for x in (1.0, 3.0):
    ...     s = update(s, x)
    >>> float(standard_error(s))
    1.0
    """
    a = s.draws // s.length
    if a < 2:
        return np.full(np.shape(s.batch), np.nan)
    return np.sqrt(s.squares / (a - 1) / a)  # SOL14 §2.4


def converged(s: Batches, tolerance: float = 0.03) -> bool:
    """Whether the largest standard error of all entries is below the tolerance: SOL14's rule for stopping, §2.4.

    False below two complete batches. It can change at the end of a batch only. Two batches give a poor estimate of a
    variance; SOL14's published code waits for five.

    Parameters
    ----------
    s : Batches
        Of several arrays, such as z and theta, each its own; stop when all have converged.
    tolerance : float, > 0

    Raises
    ------
    ValueError
        For a tolerance out of range.

    Examples
    --------
    >>> s = Batches(length=2)
    >>> for x in (0, 1, 0, 1):
    ...     s = update(s, x)
    >>> converged(s), converged(update(Batches(), 0.5))
    (True, False)
    """
    if not tolerance > 0:
        raise ValueError(f"tolerance is {tolerance}, expected a positive number")
    return bool(np.max(standard_error(s)) < tolerance)  # SOL14 §2.4


def co_assignment(z: ArrayLike, pairs: ArrayLike) -> Array:
    """Whether the two tokens of each pair have one topic: a draw that no labelling of the topics changes.

    Parameters
    ----------
    z : (N, [R]) integers
        The topic of each token.
    pairs : (P, 2) integers from 0, below N

    Returns
    -------
    (P, [R]), 0 or 1

    Raises
    ------
    ValueError
        For pairs of another shape, or a token that is not there.

    Examples
    --------
    >>> co_assignment([2, 0, 2], [[0, 1], [0, 2]])
    array([0., 1.])
    """
    z, pairs = np.asarray(z), np.asarray(pairs)
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise ValueError(f"pairs has shape {pairs.shape}, expected (P, 2)")
    for p, side in np.argwhere((pairs < 0) | (pairs >= len(z))):
        raise ValueError(f"pairs[{p}, {side}] is {pairs[p, side]}, expected a token from 0 below N = {len(z)}")
    return np.asarray(z[pairs[:, 0]] == z[pairs[:, 1]], np.float64)


# Several chains ------------------------------------------------------------------------------------------------------


def r_hat(x: ArrayLike) -> Any:
    """Rank-normalised split R-hat, which is near 1 where chains agree.

    Vehtari, Gelman, Simpson, Carpenter and Bürkner, Rank-normalization, folding, and localization (Bayesian Analysis
    2021), §§3-4. Each chain is cut in two halves and each draw replaced by the normal score of its rank among all.
    Then R-hat is sqrt(V / W) with W the mean of the variances within the n draws of a half, B/n the variance of their
    means, and V = (n-1)/n W + B/n. The same is done with the distances from the median, which shows differences of
    scale, and the larger of the two is taken. They advise to use draws below 1.01 only.

    Parameters
    ----------
    x : (T, R, ...), finite
        T >= 4 draws of R >= 1 chains; the middle one of an odd number is left out.

    Returns
    -------
    (...)
        nan where all draws are equal, inf where each half is constant and not all are equal.

    Raises
    ------
    ValueError
        For too few draws, or one that is not finite.

    Examples
    --------
    >>> x = np.random.default_rng(0).normal(size=(1000, 4))
    >>> round(float(r_hat(x)), 2), round(float(r_hat(x + [0, 0, 0, 1])), 2)
    (1.0, 1.11)
    """
    halves = _halves(x)
    folded = np.abs(halves - np.median(halves, axis=(0, 1)))
    # of two values half and half the distances are all equal and say nothing: fmax leaves their nan out
    return np.fmax(_r_hat_of(_normal_scores(halves)), _r_hat_of(_normal_scores(folded)))


def effective_sample_size(x: ArrayLike) -> Any:
    """The number of independent draws that would give the mean as exactly: Vehtari et al.'s bulk ESS.

    Source, halves and normal scores as in `r_hat`, §3.2 there. The autocorrelation at lag t is
    rho_t = 1 - (W - C_t) / V, with C_t the mean of the autocovariances, divisor n. Sums of pairs
    P_i = rho_2i + rho_2i+1 are taken while positive, say k of them, each no larger than the one before (Geyer 1992).
    With S draws in all

        ESS = S / tau,   tau = -1 + 2 sum_i P_i + max(rho_2k, 0),   but at most S log10(S).

    Where the pairs stay positive to the last lag the chains are too short; Stan's programs, which then leave out the
    last two, give a slightly larger number.

    Parameters
    ----------
    x : (T, R, ...), finite
        T >= 4 draws of R >= 1 chains; the middle one of an odd number is left out.

    Returns
    -------
    (...)
        nan where all draws are equal.

    Raises
    ------
    ValueError
        For too few draws, or one that is not finite.

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
    """W within the chains, and V of all draws estimated from W and the chains' means."""
    n = len(z)
    W = (z - z[:1]).var(0, ddof=1).mean(0)  # exactly 0 for constant chains
    return W, (n - 1) / n * W + z.mean(0).var(0, ddof=1)


def _halves(x: ArrayLike) -> Array:
    """(T // 2, 2 R, ...) from (T, R, ...)."""
    x = np.asarray(x, np.float64)
    if x.ndim < 2 or x.shape[0] < 4 or x.shape[1] < 1:
        raise ValueError(f"x has shape {x.shape}, expected (T, R, ...) with 4 draws or more of at least one chain")
    for at in np.argwhere(~np.isfinite(x)):
        raise ValueError(f"x[{', '.join(map(str, at))}] is {x[tuple(at)]}, expected a finite number")
    half = len(x) // 2
    return np.concatenate([x[:half], x[-half:]], axis=1)


def _normal_scores(x: Array) -> Array:
    """Of the ranks among all draws of an entry, equal draws sharing the mean of theirs."""
    S = x.shape[0] * x.shape[1]
    rank = rankdata(x.reshape(S, -1), axis=0).reshape(x.shape)
    return np.asarray(ndtri((rank - 3 / 8) / (S + 1 / 4)))
