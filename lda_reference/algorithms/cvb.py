"""Collapsed variational Bayes by the Gaussian and Taylor approximation, TNW06 §3.1; AWST09 §2.4.

A count is a sum of independent Bernoulli variables, about Gaussian, with

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
from the variance. The factors are taken in logs: with small priors the exponent may be -1e5.

Its bound is the collapsed free energy, TNW06 (12), at gamma, evaluated exactly.
"""

from typing import Any

import numpy as np

from ..corpus import Corpus
from ..engine import Algorithm, Smoothing, State, posterior_mean
from ..model import Array, Prior
from .cvb_exact import bound


def statistic(gamma: Array) -> Array:
    """Mean and variance."""
    return np.stack((gamma, gamma * (1 - gamma)))  # TNW06 (16)


def expected_log(a: Any, NV: Array) -> Array:
    """E[log(a + n)] from the mean and variance of n, to second order."""
    N, V = NV
    return np.log(a + N) - V / (2 * (a + N) ** 2)  # TNW06 (17), SN12 (6)-(8), restored


def document(q: Smoothing, NV_jk: Array) -> Array:
    return expected_log(q.alpha, NV_jk)  # TNW06 (18), AWST09 (12)


def word(q: Smoothing, NV_wk: Array) -> Array:
    return expected_log(q.eta, NV_wk)  # TNW06 (18), AWST09 (12)


def topic(q: Smoothing, NV_k: Array) -> Array:
    return expected_log(q.W_eta, NV_k)  # TNW06 (18), AWST09 (12)


def objective(s: State, c: Corpus, p: Prior) -> Any:
    raise ValueError("cvb climbs no function that is known: its Gaussian step is not one of its bound, TNW06 (12)")


ALGORITHM = Algorithm(
    name="cvb",
    schedules=("token", "document", "corpus"),
    excludes="token",
    statistic=statistic,
    document=document,
    word=word,
    topic=topic,
    logs=True,
    estimate=posterior_mean,
    bound=bound,
    objective=objective,
)
