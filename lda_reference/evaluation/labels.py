"""Labels of documents: classification through topics, SOL14 §3.1, and ranking by class, AWST09 §4.2."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import rankdata

from ..corpus import Ints
from ..model import Array

Bools = NDArray[np.bool_]


def class_probability(theta_jk: Array, labels: ArrayLike, C: int) -> Array:
    """p_k(c), the distribution of each topic over the classes of the training documents: SOL14 §3.1.

        p_k(c) = sum_j δ(c_j = c) theta_jk / sum_j theta_jk

    Parameters
    ----------
    theta_jk : (D, K), rows sum to 1
        theta of the training documents.
    labels : (D,) integers from 0, below C
        The class of each document.
    C : int
        Number of classes.

    Returns
    -------
    (K, C), rows sum to 1

    Raises
    ------
    ValueError
        If a label is out of range, or a topic has no mass in any document.

    Examples
    --------
    >>> class_probability(np.array([[1.0, 0.0], [0.5, 0.5], [0.5, 0.5]]), [0, 0, 1], 2)
    array([[0.75, 0.25],
           [0.5 , 0.5 ]])
    """
    labels = _checked_labels(labels, len(theta_jk), C)
    mass = theta_jk.sum(0)
    for k in np.flatnonzero(~(mass > 0)):
        raise ValueError(f"theta_jk[:, {k}] adds up to {mass[k]}, expected a topic with some mass")
    return (theta_jk.T @ np.eye(C)[labels]) / mass[:, None]  # SOL14 §3.1


def classify(theta_jk: Array, p_kc: Array) -> Array:
    """The probability of each class for each document, sum_k theta_jk p_k(c). SOL14 §3.1.

    The predicted class is `classify(...).argmax(1)`, the first of the most probable classes.

    Parameters
    ----------
    theta_jk : (D, K), rows sum to 1
        theta of the test documents.
    p_kc : (K, C), rows sum to 1
        From `class_probability`.

    Returns
    -------
    (D, C), rows sum to 1

    Raises
    ------
    ValueError
        If the shapes do not fit.

    Examples
    --------
    >>> classify(np.array([[0.5, 0.5]]), np.array([[1.0, 0.0], [0.25, 0.75]]))
    array([[0.625, 0.375]])
    """
    if theta_jk.ndim != 2 or p_kc.ndim != 2 or theta_jk.shape[1] != len(p_kc):
        raise ValueError(f"theta_jk has shape {theta_jk.shape} and p_kc {p_kc.shape}, expected (D, K) and (K, C)")
    return theta_jk @ p_kc  # SOL14 §3.1


def accuracy(scores: Array, labels: ArrayLike) -> float:
    """The fraction of documents whose predicted class is their own. SOL14 §3.1.

    The predicted class is the first of those with the highest score.

    Parameters
    ----------
    scores : (D, C)
        For example from `classify`.
    labels : (D,) integers from 0, below C

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    ValueError
        If a label is out of range, a score is nan, or there is no document.

    Examples
    --------
    >>> accuracy(np.array([[0.9, 0.1], [0.4, 0.6], [0.5, 0.5], [0.2, 0.8]]), [0, 1, 1, 1])
    0.75
    """
    labels = _checked_scores(scores, labels)
    return float(np.mean(scores.argmax(1) == labels))  # SOL14 §3.1


def auc(score: Array, positive: Bools) -> float:
    """The area under the ROC curve: the probability that a positive has a higher score than a negative.

    A pair of equal scores counts one half (Mann and Whitney's statistic).

    Parameters
    ----------
    score : (D,)
    positive : (D,) bool

    Returns
    -------
    float in [0, 1]
        1/2 for random scores.

    Raises
    ------
    ValueError
        If a score is nan, or all documents are positive or all negative.

    Examples
    --------
    >>> auc(np.array([0.1, 0.2, 0.2, 0.3]), np.array([False, False, True, True]))
    0.875
    """
    P = _number_of_positives(score, positive)
    above = rankdata(score)[positive].sum() - P * (P + 1) / 2
    return float(above / (P * (len(score) - P)))  # AWST09 §4.2


def average_precision(score: Array, positive: Bools) -> float:
    """The mean, over the positives, of the precision among all documents that score as high or higher.

    This is the area under the precision-recall curve as a sum over distinct thresholds, (R_i - R_i-1) P_i, without
    interpolation.

    Parameters
    ----------
    score : (D,)
    positive : (D,) bool

    Returns
    -------
    float in (0, 1]
        About the fraction of positives for random scores.

    Raises
    ------
    ValueError
        If a score is nan, or all documents are positive or all negative.

    Examples
    --------
    >>> average_precision(np.array([0.1, 0.2, 0.3, 0.4]), np.array([True, False, False, True]))
    0.75
    """
    _number_of_positives(score, positive)
    retrieved = rankdata(-score, "max")[positive]
    return float(np.mean(rankdata(-score[positive], "max") / retrieved))  # AWST09 §4.2


def mean_by_class(measure: Callable[[Array, Bools], float], scores: Array, labels: ArrayLike) -> float:
    """The mean over classes of `auc` or `average_precision`, each class against all others.

    AWST09 §4.2 reports a mean AUC and a mean average precision, but does not say what the means are over. Here they are
    over classes: the test documents are ranked by the score of each class, and each class has the same weight.

    Parameters
    ----------
    measure : function (score (D,), positive (D,) bool) -> float
    scores : (D, C)
        For example from `classify`.
    labels : (D,) integers from 0, below C
        A class without documents is left out.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    ValueError
        If a label is out of range, a score is nan, or all documents have one class.

    Examples
    --------
    >>> scores = np.array([[0.8, 0.2, 0.0], [0.6, 0.4, 0.0], [0.7, 0.3, 0.0]])
    >>> mean_by_class(auc, scores, [0, 0, 1])
    0.5
    """
    labels = _checked_scores(scores, labels)
    classes = np.unique(labels)
    if len(classes) < 2:
        raise ValueError(f"labels has class {classes[0]} alone, expected documents of at least two classes")
    return float(np.mean([measure(scores[:, c], labels == c) for c in classes]))  # AWST09 §4.2


def _number_of_positives(score: Array, positive: Bools) -> int:
    """The number of positives, after a check of both arguments."""
    if score.ndim != 1 or positive.shape != score.shape or positive.dtype != bool:
        raise ValueError(
            f"score has shape {score.shape} and positive {positive.shape} of {positive.dtype}, expected (D,) and (D,)"
            " of bool"
        )
    for j in np.flatnonzero(np.isnan(score)):
        raise ValueError(f"score[{j}] is nan, expected a number")
    P = int(positive.sum())
    if not 0 < P < len(positive):
        raise ValueError(f"positive has {P} of {len(positive)} True, expected at least one True and one False")
    return P


def _checked_labels(labels: ArrayLike, D: int, C: int) -> Ints:
    labels = np.asarray(labels)
    if labels.shape != (D,):
        raise ValueError(f"labels has shape {labels.shape}, expected {(D,)}: a class for each document")
    for j in np.flatnonzero(~((labels >= 0) & (labels < C) & (labels == np.floor(labels)))):
        raise ValueError(f"labels[{j}] is {labels[j]}, expected a class from 0 below C = {C}")
    return labels.astype(np.int64)


def _checked_scores(scores: Array, labels: ArrayLike) -> Ints:
    """The labels of documents, after a check of scores and labels."""
    if scores.ndim != 2 or len(scores) == 0:
        raise ValueError(f"scores has shape {scores.shape}, expected (D, C) with at least one document")
    for j, c in np.argwhere(np.isnan(scores)):
        raise ValueError(f"scores[{j}, {c}] is nan, expected a number")
    return _checked_labels(labels, *scores.shape)
