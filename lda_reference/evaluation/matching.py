"""Comparing topics with each other, and topics and mixtures with those that a corpus was drawn from."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linear_sum_assignment
from scipy.special import xlog1py

from ..arguments import check_distributions, finite, real, shown, whole_number, whole_numbers
from ..corpus import Ints
from ..model import Array


def match_topics(phi_wk: Array, true_wk: Array) -> tuple[Ints, Array]:
    """The one-to-one matching of topics with the least sum of total variation distances (the Hungarian method).

    The columns of phi_wk and true_wk, both (W, K), sum to 1. Of the results, `order` (K,) are integers, by which
    `phi_wk[:, order[k]]` is matched with `true_wk[:, k]`, and `distance` (K,) is the total variation distance of each
    pair, in [0, 1]: half the sum of absolute differences. A ValueError says if the shapes differ, or are not (W, K).

    >>> match_topics(np.array([[0.2, 1], [0.8, 0]]), np.eye(2))
    (array([1, 0]), array([0. , 0.2]))
    """
    phi_wk = finite(phi_wk, "phi_wk", (2,), "(W, K): match the topics of one run at a time")
    true_wk = finite(true_wk, "true_wk")
    if phi_wk.shape != true_wk.shape:
        raise ValueError(f"phi_wk has shape {phi_wk.shape}, expected that of the true topics, {true_wk.shape}")
    check_distributions(phi_wk, "phi_wk", 0)
    check_distributions(true_wk, "true_wk", 0)
    pair_distances = 0.5 * np.abs(phi_wk[:, :, None] - true_wk[:, None, :]).sum(0)
    matched_fitted_topics, matched_true_topics = linear_sum_assignment(pair_distances)
    order = matched_fitted_topics[np.argsort(matched_true_topics)]
    return order, pair_distances[order, np.arange(len(order))]


def jensen_shannon(phi_wk: Array) -> Array:
    """The Jensen-Shannon distances between topics: the square roots of the divergences (Lin 1991), in nats.

    With m = (p + q) / 2 the divergence is (KL(p, m) + KL(q, m)) / 2. Its square root is a metric (Endres and Schindelin
    2003), the distance of two points in a Euclidean space (Fuglede and Topsøe 2004). The columns of phi_wk (W, K) sum
    to 1. Topics without a common word have the largest distance, sqrt(log 2) = 0.83.

    >>> jensen_shannon(np.array([[1.0, 0.5, 0.0], [0.0, 0.5, 1.0]])).round(4)
    array([[0.    , 0.4645, 0.8326],
           [0.4645, 0.    , 0.4645],
           [0.8326, 0.4645, 0.    ]])
    """
    phi_wk = finite(real(phi_wk, "phi_wk"), "phi_wk", (2,), "(W, K)")
    check_distributions(phi_wk, "phi_wk", 0)
    K = phi_wk.shape[1]
    distances = np.zeros((K, K))
    for k in range(K - 1):
        p, q = phi_wk[:, k, None], phi_wk[:, k + 1 :]
        p_plus_q = p + q
        d = np.divide(p - q, p_plus_q, out=np.zeros(q.shape), where=p_plus_q > 0)
        # With p = m(1 + d) and q = m(1 - d), a word adds m/2 times (1 + d) log(1 + d) + (1 - d) log(1 - d) to the
        # divergence. Where d is small, the two terms cancel, so the sum is written as 2 d atanh(d) + log(1 - d²).
        is_d_small = np.abs(d) < 0.5
        small_d = np.where(is_d_small, d, 0.0)
        small_d_terms = 2 * small_d * np.arctanh(small_d) + np.log1p(-(small_d**2))
        divergence_terms = np.where(is_d_small, small_d_terms, xlog1py(1 + d, d) + xlog1py(1 - d, -d))
        distances[k, k + 1 :] = distances[k + 1 :, k] = np.sqrt((p_plus_q / 4 * divergence_terms).sum(0))
    return distances


def top_words(phi_wk: Array, count: int = 10) -> Ints:
    """The `count` most probable words of each topic of phi_wk (W, K): (count, K) integers.

    The most probable word is first, and equally probable words are in the order of their numbers.

    >>> top_words(np.array([[0.1, 0.5], [0.6, 0.5], [0.3, 0.0]]), 2)
    array([[1, 0],
           [2, 1]])
    """
    count = whole_number(count, "count", 0)
    phi_wk = finite(phi_wk, "phi_wk", (2, 3), "(W, K)")
    return np.argsort(-phi_wk.astype(np.float64), axis=0, kind="stable")[:count]


def mse_theta(theta_jk: Array, true_jk: Array, order: ArrayLike) -> float:
    """The mean squared error of theta over documents and topics: SOL14 §3.1, with the divisor of its published code.

    `order` (K,) is from `match_topics`: `theta_jk[:, order[k]]` is compared with `true_jk[:, k]`. The result is from 0
    to 2/K. A ValueError says if the shapes differ, there is no document, or `order` is not a permutation.

    >>> mse_theta(np.array([[0.5, 0.5], [0.0, 1.0]]), np.array([[1.0, 0.0], [1.0, 0.0]]), [1, 0])
    0.125
    """
    theta_jk, true_jk = finite(theta_jk, "theta_jk"), finite(true_jk, "true_jk")
    order = whole_numbers(order, "order")
    if theta_jk.ndim != 2 or theta_jk.shape != true_jk.shape or len(theta_jk) == 0:
        raise ValueError(f"theta_jk has shape {theta_jk.shape} and true_jk {true_jk.shape}, expected (D, K), D > 0")
    if not np.array_equal(np.sort(order), np.arange(theta_jk.shape[1])):
        raise ValueError(f"order is {shown(order)}, expected a permutation of {theta_jk.shape[1]} topics")
    return float(np.mean((theta_jk[:, order] - true_jk) ** 2))  # SOL14 §3.1
