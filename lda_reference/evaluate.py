"""Comparing an estimate with the truth that a corpus was drawn from."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linear_sum_assignment

from .corpus import Ints
from .model import Array


def match_topics(phi_wk: Array, true_wk: Array) -> tuple[Ints, Array]:
    """The one-to-one matching of topics with the least total variation distance in sum (the Hungarian method).

    Parameters
    ----------
    phi_wk, true_wk : (W, K), columns sum to 1

    Returns
    -------
    order : (K,)
        `phi_wk[:, order]` stands beside `true_wk`.
    distance : (K,)
        Of each pair, in [0, 1]: half the sum of absolute differences.

    Examples
    --------
    >>> match_topics(np.array([[0.2, 1], [0.8, 0]]), np.eye(2))
    (array([1, 0]), array([0. , 0.2]))
    """
    if phi_wk.shape != true_wk.shape:
        raise ValueError(f"phi_wk has shape {phi_wk.shape}, expected that of the true topics, {true_wk.shape}")
    distance = 0.5 * np.abs(phi_wk[:, :, None] - true_wk[:, None, :]).sum(0)
    rows, columns = linear_sum_assignment(distance)
    order = rows[np.argsort(columns)]
    return order, distance[order, np.arange(len(order))]


def top_words(phi_wk: Array, count: int = 10) -> Ints:
    """(count, K) the most probable words of each topic, the most probable first, equals by number.

    >>> top_words(np.array([[0.1, 0.5], [0.6, 0.5], [0.3, 0.0]]), 2)
    array([[1, 0],
           [2, 1]])
    """
    return np.argsort(-phi_wk, axis=0, kind="stable")[:count]
