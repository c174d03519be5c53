"""Labels of documents: classification through topics, SOL14 §3.1."""

import numpy as np
from numpy.typing import ArrayLike

from ..arguments import check_entries
from ..corpus import Ints
from ..model import Array


def class_probability(theta_jk: Array, labels: ArrayLike, C: int) -> Array:
    """p_k(c), the distribution of each topic over the classes of the training documents: SOL14 §3.1.

        p_k(c) = sum_j δ(c_j = c) theta_jk / sum_j theta_jk

    The labels (D,) are integers from 0, below the number of classes C, and the rows of the result (K, C) sum to 1. A
    ValueError says if a label is out of range, or a topic has no mass in any document.

    >>> class_probability(np.array([[1.0, 0.0], [0.5, 0.5], [0.5, 0.5]]), [0, 0, 1], 2)
    array([[0.75, 0.25],
           [0.5 , 0.5 ]])
    """
    labels = _checked_labels(labels, len(theta_jk), C)
    mass_of_topic = theta_jk.sum(0)
    for k in np.flatnonzero(~(mass_of_topic > 0)):
        raise ValueError(f"theta_jk[:, {k}] adds up to {mass_of_topic[k]}, expected a topic with some mass")
    return (theta_jk.T @ np.eye(C)[labels]) / mass_of_topic[:, None]  # SOL14 §3.1


def classify(theta_jk: Array, p_kc: Array) -> Array:
    """The probability of each class for each document, sum_k theta_jk p_k(c). SOL14 §3.1.

    `theta_jk` (D, K) is of the test documents, and `p_kc` (K, C) is from `class_probability`. The predicted class is
    `classify(...).argmax(1)`, the first of the most probable classes.

    >>> classify(np.array([[0.5, 0.5]]), np.array([[1.0, 0.0], [0.25, 0.75]]))
    array([[0.625, 0.375]])
    """
    if theta_jk.ndim != 2 or p_kc.ndim != 2 or theta_jk.shape[1] != len(p_kc):
        raise ValueError(f"theta_jk has shape {theta_jk.shape} and p_kc {p_kc.shape}, expected (D, K) and (K, C)")
    return theta_jk @ p_kc  # SOL14 §3.1


def accuracy(scores: Array, labels: ArrayLike) -> float:
    """The fraction of documents whose predicted class, the first of those with the highest score, is their own.

    `scores` (D, C) are for example from `classify`, and `labels` (D,) are integers from 0, below C. SOL14 §3.1.

    >>> accuracy(np.array([[0.9, 0.1], [0.4, 0.6], [0.5, 0.5], [0.2, 0.8]]), [0, 1, 1, 1])
    0.75
    """
    if scores.ndim != 2 or len(scores) == 0:
        raise ValueError(f"scores has shape {scores.shape}, expected (D, C) with at least one document")
    check_entries(~np.isnan(scores), scores, "scores", "a number")
    labels = _checked_labels(labels, *scores.shape)
    return float(np.mean(scores.argmax(1) == labels))  # SOL14 §3.1


def _checked_labels(labels: ArrayLike, D: int, C: int) -> Ints:
    labels = np.asarray(labels)
    if labels.shape != (D,):
        raise ValueError(f"labels has shape {labels.shape}, expected {(D,)}: a class for each document")
    is_valid_label = (labels >= 0) & (labels < C) & (labels == np.floor(labels))
    check_entries(is_valid_label, labels, "labels", f"a class from 0 below C = {C}")
    return labels.astype(np.int64)
