"""Exact CVB by convolution, TNW06 Appendix A: plain code for tiny corpora.

    gamma_ijk  ∝  exp(E[log(alpha + n_jk.^-ij)] + E[log(beta + n_.kx_ij^-ij)] - E[log(W beta + n_.k.^-ij)])      (15)

Under q a count is a sum of independent Bernoulli variables. Its distribution is the convolution of the vectors
v_i'jk = [1 - gamma_i'jk, gamma_i'jk] of its tokens, and E[log(a + n)] is a sum over this distribution.

Appendix A stores the distributions of all counts and deconvolves them by the current token. Rounding errors then grow
from token to token (see `deconvolve`). This module therefore convolves the distributions of all other tokens again for
each row. A row takes about K N² operations, and `Algorithm.check` refuses more than 2,000 tokens. With held topics the
terms of `cvb_exact` are used.

`threshold` sets smaller entries of a distribution to zero. Appendix A proposes this to save time; here it only shows
the effect on gamma. The lost probability is not restored.

    TNW06    ij                 j        x_ij     beta          W beta       n_jk.            n_.kx_ij         n_.k.
    code     a token of row i   c.j[i]   c.w[i]   eta[c.w[i]]   eta.sum()    rows of c.j[i]   rows of c.w[i]   all rows

The plain text is `plain.updates.CVBExact`, which is exact CVB in any numbers.
"""

from dataclasses import replace

import numpy as np

from ..corpus import Corpus, Ints
from ..model import Array, Prior
from .cvb_exact import ALGORITHM as CVB_EXACT


def convolve(v: Array, g: Array, threshold: float = 0.0) -> Array:
    """The distribution of n + b, where v is that of n, v[m] = P(n = m), and b is 1 with probability g."""
    new_v = np.zeros((len(v) + 1, *v.shape[1:]))
    new_v[:-1] += v * (1 - g)  # TNW06 App. A
    new_v[1:] += v * g  # TNW06 App. A
    new_v[new_v < threshold] = 0.0
    return new_v


def deconvolve(v: Array, g: Array) -> Array:
    """The distribution of n, where v is that of n + b, and b is 1 with probability g. No update uses it.

    Let r be the result, whose last entry is 0. The equations v_m = (1 - g) r_m + g r_(m-1) are solved upwards if
    g < 1/2 and downwards otherwise. In this direction an error is multiplied by less than 1 in each step. This works
    for one token. If many tokens are taken out and put in, the part of the error with alternating sign is divided by
    1 - 2g each time, and all digits are lost.
    """
    is_below_half = g < 0.5
    divisor = np.where(is_below_half, 1 - g, g)
    r_up, r_down = np.zeros_like(v), np.zeros_like(v)
    r_up[0] = v[0] / divisor
    for m in range(1, len(v)):
        r_up[m] = np.where(is_below_half, (v[m] - g * r_up[m - 1]) / divisor, 0.0)  # TNW06 App. A
    for m in range(len(v) - 1, 0, -1):
        r_down[m - 1] = np.where(is_below_half, 0.0, (v[m] - (1 - g) * r_down[m]) / divisor)  # TNW06 App. A
    return np.maximum(np.where(is_below_half, r_up, r_down), 0.0)  # only rounding makes a probability negative


def distribution(gamma: Array, n: Ints, threshold: float = 0.0) -> Array:
    """The distribution of a count, (count + 1, ..., K), for n[m] tokens of row m of gamma (M, ..., K)."""
    v = np.ones((1, *gamma.shape[1:]))
    for g in np.repeat(gamma, n.astype(np.intp), axis=0):
        v = convolve(v, g, threshold)
    return v


def mean_log(a: Array | float, v: Array) -> Array:
    """E[log(a + n)] = sum_n v_n log(a + n), with n on the first axis."""
    n = np.arange(len(v)).reshape(-1, *(1,) * (v.ndim - 1))
    return np.asarray((v * np.log(a + n)).sum(0))  # TNW06 App. A


def weights_of_row(gamma: Array, c: Corpus, p: Prior, i: int, threshold: float = 0.0) -> Array:
    """The right-hand side of (15) for row i, up to a constant."""
    alpha, eta = p.arrays(gamma.shape[-1], c.W)
    n = c.n - (np.arange(c.M) == i)  # without one token of the row
    same_document, same_word, all_rows = c.j == c.j[i], c.w == c.w[i], np.full(c.M, True)
    v_jk, v_wk, v_k = (distribution(gamma[mask], n[mask], threshold) for mask in (same_document, same_word, all_rows))
    document_term, word_term, topic_term = mean_log(alpha, v_jk), mean_log(eta[c.w[i]], v_wk), mean_log(eta.sum(0), v_k)
    log_weights = document_term + word_term - topic_term  # TNW06 (15), SN12 (5), restored
    return np.exp(log_weights - log_weights.max(-1, keepdims=True))


# The engine calls `plain` for each row instead of the three terms of `cvb_exact`.
UPDATE = CVB_EXACT.update._replace(plain=weights_of_row)
ALGORITHM = replace(CVB_EXACT, name="convolution", update=UPDATE, schedules=("token",))
