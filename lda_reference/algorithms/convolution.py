"""Exact CVB by convolution: TNW06 Appendix A, as plain code for tiny corpora.

Under q a count is a sum of independent Bernoulli variables, so the distribution of n_jk^-ij is the convolution of all
v_i'jk = [1 - gamma_i'jk, gamma_i'jk] with i' != i, and the expectations of (15) are sums over it:

    gamma_ijk  ∝  exp(E[log(alpha + n_jk^-ij)] + E[log(beta + n_kx_ij^-ij)] - E[log(W beta + n_k^-ij)])           (15)

The appendix keeps the distributions of all counts, and takes the current token out by deconvolution. A distribution
that is kept up so loses all its digits (see `deconvolve`), so the distributions of the other tokens are convolved again
for each row. The cost of a row is the square of the corpus, and corpora above 2,000 tokens are refused. `cvb_exact`
gives the same numbers by quadrature.

As the appendix mentions, small entries can be set to zero: `replace(ALGORITHM, plain=partial(update, threshold=1e-8))`.
"""

from dataclasses import replace

import numpy as np

from ..corpus import Corpus, Ints
from ..model import Array, Prior
from .cvb_exact import ALGORITHM as CVB_EXACT


def convolve(v: Array, g: Array, threshold: float = 0.0) -> Array:
    """The distribution (n + 2, ...) of a count (n + 1, ...) with a token of probability g added to it."""
    out = np.zeros((len(v) + 1, *v.shape[1:]))
    out[:-1] += v * (1 - g)  # TNW06 App. A
    out[1:] += v * g  # TNW06 App. A
    out[out < threshold] = 0.0
    return out


def deconvolve(v: Array, g: Array) -> Array:
    """The distribution of a count with a token of probability g taken out of it.

    v_m = (1 - g) r_m + g r_(m-1) is solved for r from below where g < 1/2 and from above where g >= 1/2. That way
    errors shrink by the ratio of g and 1 - g; the other way they would grow by it. This holds for one token. A
    distribution that many tokens leave and enter loses all its digits: the part of its errors that alternates in sign
    is divided by 1 - 2g each time.
    """
    low = g < 0.5
    divisor = np.where(low, 1 - g, g)
    up, down = np.zeros_like(v), np.zeros_like(v)
    up[0] = v[0] / divisor
    for m in range(1, len(v)):
        up[m] = np.where(low, (v[m] - g * up[m - 1]) / divisor, 0.0)  # TNW06 App. A
    for m in range(len(v) - 1, 0, -1):
        down[m - 1] = np.where(low, 0.0, (v[m] - (1 - g) * down[m]) / divisor)  # TNW06 App. A
    return np.maximum(np.where(low, up, down), 0.0)  # only rounding makes a probability negative


def distribution(gamma: Array, n: Ints, threshold: float = 0.0) -> Array:
    """The distribution of a count: n tokens of each row of gamma (M, ..., K), the count on the first axis."""
    v = np.ones((1, *gamma.shape[1:]))
    for g in np.repeat(gamma, n.astype(np.intp), axis=0):
        v = convolve(v, g, threshold)
    return v


def mean_log(a: Array | float, v: Array) -> Array:
    """E[log(a + n)] = sum_n v_n log(a + n), n on the first axis."""
    n = np.arange(len(v)).reshape(-1, *(1,) * (v.ndim - 1))
    return np.asarray((v * np.log(a + n)).sum(0))  # TNW06 App. A


def update(gamma: Array, c: Corpus, p: Prior, i: int, threshold: float = 0.0) -> Array:
    """The weights of row i, from the distributions of the counts of all other tokens."""
    alpha, eta = p.vectors(gamma.shape[-1], c.W)
    n = c.n - (np.arange(c.M) == i)  # without the token ij
    document, word, corpus = c.j == c.j[i], c.w == c.w[i], np.full(c.M, True)
    v_jk, v_wk, v_k = (distribution(gamma[rows], n[rows], threshold) for rows in (document, word, corpus))
    log_x = (
        mean_log(alpha, v_jk) + mean_log(eta[c.w[i]], v_wk) - mean_log(eta.sum(), v_k)
    )  # TNW06 (15), SN12 (5), restored
    return np.exp(log_x - log_x.max(-1, keepdims=True))


ALGORITHM = replace(CVB_EXACT, name="convolution", schedules=("token",), plain=update)
