"""The alpha-divergence of SN12 §5 and the power means of its Theorem 1.

The order of the divergence, SN12's alpha, is `a` here, because `alpha` is the prior of the documents. The formulas of
SN12 were lost when it was machine-read. All equations are derived again, and their numbers follow its running text.

    D_a[p || q] = ∫ (a p(x) + (1-a) q(x) - p(x)^a q(x)^(1-a)) dx / (a (1-a))                            (12)

Theorem 1. If x is a random variable that is not negative, and a_2 > a_1 are real,

    E[x^a_2]^(1/a_2)  >=  E[x^a_1]^(1/a_1)   and   E[x^a]^(1/a) → exp E[log x]  for a → 0               (46)

If an exponent is not positive and x is 0 with positive probability, the mean is 0: the limit x → 0.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import hyp1f1, logsumexp

from ..arguments import check_entries
from ..model import Array


def divergence(log_p: ArrayLike, log_q: ArrayLike, a: float) -> float:
    """The alpha-divergence D_a[p || q] of two measures on a finite set, SN12 (12).

        D_a[p || q] = sum_x (a p + (1-a) q - p^a q^(1-a)) / (a (1-a))

    The measures need not be normalised. D_a is never negative, and is 0 only if p = q. D_a[p || q] = D_(1-a)[q || p].

    ====  =======================================  =================
    a     D_a[p || q]
    ====  =======================================  =================
    -1    1/2 sum (q - p)² / p                     inverse chi²
    0     KL[q || p] = sum q log(q/p) - q + p      a limit
    1/2   2 sum (√p - √q)²                         Hellinger
    1     KL[p || q] = sum p log(p/q) - p + q      a limit
    2     1/2 sum (p - q)² / q                     chi²
    ====  =======================================  =================

    The logarithms are natural, and -inf where p or q is 0. D_a is in nats at a = 0 and 1. It is infinite if p = 0 < q
    somewhere and a <= 0 ("zero-forcing"), or q = 0 < p and a >= 1. A ValueError says if the shapes differ, a logarithm
    is nan or inf, or a is not finite.

    >>> p, q = np.log([0.5, 0.5]), np.log([0.2, 0.8])
    >>> [round(divergence(p, q, a), 4) for a in (-1, 0, 0.5, 1, 2)]
    [0.18, 0.1927, 0.2053, 0.2231, 0.2812]
    >>> divergence([0, -np.inf], [0, 0], 0.5), divergence([0, -np.inf], [0, 0], 0)
    (2.0, inf)
    """
    log_p, log_q = _checked_logs(log_p, "log_p"), _checked_logs(log_q, "log_q")
    if log_p.shape != log_q.shape:
        raise ValueError(f"log_q has shape {log_q.shape}, expected that of log_p, {log_p.shape}")
    a = checked_order(a, "a")
    if a > 0.5:
        log_p, log_q, a = log_q, log_p, 1 - a
    is_p_positive, is_q_positive = log_p > -np.inf, log_q > -np.inf
    with np.errstate(over="ignore"):  # what is too large for a float is infinite
        D_a = np.sum(_pointwise_terms(log_p[is_p_positive & is_q_positive], log_q[is_p_positive & is_q_positive], a))
        D_a += np.sum(np.exp(log_p[~is_q_positive])) / (1 - a)  # SN12 (12), restored
        if np.any(is_q_positive & ~is_p_positive):
            D_a += np.sum(np.exp(log_q[~is_p_positive])) / a if a > 0 else np.inf  # SN12 (12), restored
        return float(D_a)


def power_mean(x: ArrayLike, weights: ArrayLike, a: float) -> Any:
    """E[x^a]^(1/a), and its limit exp E[log x] at a = 0: SN12 Theorem 1.

    It grows with a (Liapunov's inequality), from the smallest x at a = -inf to the largest at a = inf.

    The weights (B,) of the outcomes x (B, ...) are probabilities up to a common factor. An outcome of weight 0 does not
    count, even if its x is 0. If a <= 0 and another x is 0, the mean is 0.

    >>> [round(float(power_mean([1, 4], [0.5, 0.5], a)), 4) for a in (-1, 0, 0.5, 1, 2)]
    [1.6, 2.0, 2.25, 2.5, 2.9155]
    """
    x = np.asarray(x, np.float64)
    check_entries((x >= 0) & np.isfinite(x), x, "x", "a finite number from 0")
    with np.errstate(divide="ignore"):
        return np.exp(log_power_mean(np.log(x), weights, a))


def log_power_mean(log_x: ArrayLike, weights: ArrayLike, a: float) -> Any:
    """The logarithm of `power_mean` from log x (-inf where x is 0): log E[x^a] / a, and its limit E[log x] at a = 0.

    It is accurate near a = 0, too. The errors are those of `power_mean`.

    >>> log_power_mean([-1000.0, -1002.0], [1, 1], 0), log_power_mean([-1000.0, -1002.0], [1, 1], 1e-9).round(10)
    (np.float64(-1001.0), np.float64(-1000.9999999995))
    """
    log_x, a = _checked_logs(log_x, "log_x"), checked_order(a, "a")
    unit_weights = _checked_weights(weights, log_x)
    log_x, unit_weights = log_x[unit_weights > 0], unit_weights[unit_weights > 0].reshape(-1, *(1,) * (log_x.ndim - 1))
    mean_log = (unit_weights * log_x).sum(0)
    if a == 0:
        return mean_log  # SN12 (46), restored
    with np.errstate(invalid="ignore"):  # nan where an x is 0
        v = a * (log_x - mean_log)
    is_log_small = np.abs(v).max(0) <= 1
    v = np.where(is_log_small, v, 0.0)
    log_mean_exp = np.log1p((unit_weights * v**2 / 2 * hyp1f1(1, 3, v)).sum(0))  # e^v - 1 - v, because E[v] = 0
    direct_mean = logsumexp(a * log_x + np.log(unit_weights), axis=0) / a  # SN12 (46), restored
    return np.where(is_log_small, mean_log + log_mean_exp / a, direct_mean)[()]


def checked_order(a: float, name: str) -> float:
    """The order of a divergence or mean as a float, after a check that it is finite."""
    if not np.isfinite(a):
        raise ValueError(f"{name} is {a}, expected a finite number: the order of the divergence")
    return float(a)


# Parts ---------------------------------------------------------------------------------------------------------------


def _pointwise_terms(log_p: Array, log_q: Array, a: float) -> Array:
    """The terms of D_a where p and q are positive, for a <= 1/2.

    Near a = 0 and near p = q, (12) is a small difference divided by a small number. With u = log(p/q) and
    f(v) = e^v - 1 - v it equals q (f(u) - f(a u)/a) / (1-a), which is accurate there. Its limit at a = 0 is q f(u).
    """
    p, q, u = np.exp(log_p), np.exp(log_q), log_p - log_q
    kl_terms = _scaled_excess(p, q, u)  # q log(q/p) - q + p
    if a == 0:
        return kl_terms
    p_a = np.exp(a * log_p + (1 - a) * log_q)  # p^a q^(1-a)
    D_direct = (a * p + (1 - a) * q - p_a) / (a * (1 - a))  # SN12 (12), restored
    D_stable = (kl_terms - _scaled_excess(p_a, q, a * u) / a) / (1 - a)  # the same
    return np.where((a > 0) & (a * u < -1), D_direct, D_stable)  # there f(u) and f(a u)/a are large and nearly equal


def _scaled_excess(p: Array, q: Array, u: Array) -> Array:
    """q f(u) = p - q - q u, for p = q e^u."""
    is_u_small = np.abs(u) <= 1
    small_u = np.where(is_u_small, u, 0.0)
    return np.where(is_u_small, q * small_u**2 / 2 * hyp1f1(1, 3, small_u), p - q - q * u)  # accurate near 0


def _checked_weights(weights: ArrayLike, log_x: Array) -> Array:
    weight_array = np.asarray(weights, np.float64)
    if weight_array.shape != log_x.shape[:1]:
        raise ValueError(f"weights has shape {weight_array.shape}, expected {log_x.shape[:1]}: one for each outcome")
    check_entries((weight_array >= 0) & np.isfinite(weight_array), weight_array, "weights", "a finite number from 0")
    if not weight_array.any():
        raise ValueError("weights are all 0, expected at least one positive weight")
    return weight_array / weight_array.sum()


def _checked_logs(log_numbers: ArrayLike, name: str) -> Array:
    log_numbers = np.asarray(log_numbers, np.float64)
    check_entries(log_numbers < np.inf, log_numbers, name, "a finite logarithm or -inf")
    return log_numbers
