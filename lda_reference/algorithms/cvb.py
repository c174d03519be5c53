"""Collapsed variational Bayes by the Gaussian and Taylor approximation, TNW06 §3.1; AWST09 §2.4.

A count is a sum of independent Bernoulli variables and nearly Gaussian, with

    E[n_jk^-ij]   = sum_{i' != i} gamma_i'jk
    Var[n_jk^-ij] = sum_{i' != i} gamma_i'jk (1 - gamma_i'jk)                                                 TNW06 (16)

and to second order about the mean

    E[log(alpha + n_jk^-ij)]  ≈  log(alpha + E[n_jk^-ij]) - Var(n_jk^-ij) / (2 (alpha + E[n_jk^-ij])²)       TNW06 (17)

so that

    gamma_ijk  ∝  (alpha + E[n_jk^-ij]) (beta + E[n_kx_ij^-ij]) (W beta + E[n_k^-ij])^-1
                  exp(- Var(n_jk^-ij) / (2 (alpha + E[n_jk^-ij])²)
                      - Var(n_kx_ij^-ij) / (2 (beta + E[n_kx_ij^-ij])²)
                      + Var(n_k^-ij) / (2 (W beta + E[n_k^-ij])²))                                            TNW06 (18)

AWST09 (12) is the same with N for the means and V for the variances. Both exclude the current token, from the mean and
from the variance. The terms are logarithms: with small priors the exponent may be -1e5.

The bound is minus the collapsed free energy, TNW06 (12), at gamma, evaluated exactly.

The plain text is `plain.updates.CVB`.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from ..engine.update import Count, Term, Update, nonnegative_difference
from ..model import Array
from .cvb0 import ALGORITHM as CVB0


def mean_and_variance(gamma: Array, rows: Any = ...) -> Array:
    """The mean and the variance of the count of one token of each row, of TNW06 (16), stacked."""
    mean = gamma[rows]
    return np.array((mean, mean * (1 - mean)))  # TNW06 (16)


MEAN_AND_VARIANCE = Count(mean_and_variance, nonnegative_difference, second="variance")


def second_order_log(a: Any, NV: Array) -> Array:
    """E[log(a + n)] from the mean and variance of n, to second order."""
    N, V = NV
    return np.log(a + N) - V / (2 * (a + N) ** 2)  # TNW06 (17)(18), AWST09 (12), SN12 (6)-(8), restored


TERM = Term(second_order_log, MEAN_AND_VARIANCE)

ALGORITHM = replace(CVB0, name="cvb", update=Update(TERM, TERM, TERM, excludes="token", logs=True))
