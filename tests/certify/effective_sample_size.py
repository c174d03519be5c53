"""The information in the draws of chains, for posteriordb: Vehtari et al. 2021, as `evaluation.chains`."""

import numpy as np
from scipy.fft import irfft, next_fast_len, rfft

from lda_reference.evaluation.chains import _halves, _normal_scores, _variances


def effective_sample_size(x):
    """The number of independent draws that would give an equally precise mean: Vehtari et al.'s bulk ESS, §3.2.

    The halves, the normal scores, V and W are those of `r_hat`. The autocorrelation at lag t is
    rho_t = 1 - (W - C_t) / V, where C_t is the mean of the autocovariances with divisor n. Let P_0, ..., P_(k-1) be the
    sums of pairs P_i = rho_2i + rho_2i+1 before the first that is not positive, each replaced by the smallest so far
    (Geyer 1992). Then, with S draws in all,

        ESS = S / tau,   tau = -1 + 2 sum_i P_i + max(rho_2k, 0),   but at most S log10(S).

    If all pairs are positive the chains are too short; Stan's programs then leave out the last two lags, and give a
    slightly larger number.

    It is nan if all draws are equal.
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
