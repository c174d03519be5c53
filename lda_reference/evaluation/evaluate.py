"""Comparing an estimate with the truth that a corpus was drawn from, or with the labels of documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import linear_sum_assignment
from scipy.stats import rankdata

from ..corpus import Corpus, Ints
from ..model import Array
from ..synthetic import Synthetic, draw_from

Bools = NDArray[np.bool_]

# Topics --------------------------------------------------------------------------------------------------------------


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


def mse_theta(theta_jk: Array, true_jk: Array, order: ArrayLike) -> float:
    """The mean squared error of the mixtures, over documents and topics: SOL14 §3.1, the divisor from its code.

    Parameters
    ----------
    theta_jk, true_jk : (D, K), rows sum to 1
    order : (K,)
        From `match_topics`: `theta_jk[:, order]` stands beside `true_jk`.

    Returns
    -------
    float in [0, 2/K]

    Raises
    ------
    ValueError
        For shapes that do not fit, no document, or an order that is no permutation.

    Examples
    --------
    >>> mse_theta(np.array([[0.5, 0.5], [0.0, 1.0]]), np.array([[1.0, 0.0], [1.0, 0.0]]), [1, 0])
    0.125
    """
    order = np.asarray(order)
    if theta_jk.ndim != 2 or theta_jk.shape != true_jk.shape or len(theta_jk) == 0:
        raise ValueError(f"theta_jk has shape {theta_jk.shape} and true_jk {true_jk.shape}, expected one (D, K), D > 0")
    if not np.array_equal(np.sort(order), np.arange(theta_jk.shape[1])):
        raise ValueError(f"order is {order.tolist()}, expected a permutation of {theta_jk.shape[1]} topics")
    return float(np.mean((theta_jk[:, order] - true_jk) ** 2))  # SOL14 §3.1


# Labels of documents -------------------------------------------------------------------------------------------------


def class_probability(theta_jk: Array, labels: ArrayLike, C: int) -> Array:
    """p_k(c), the distribution of each topic over the classes of the training documents: SOL14 §3.1.

        p_k(c) = sum_j δ(c_j = c) theta_jk / sum_j theta_jk

    Parameters
    ----------
    theta_jk : (D, K)
        Of the training documents.
    labels : (D,) integers from 0, below C
    C : int

    Returns
    -------
    (K, C), rows sum to 1

    Raises
    ------
    ValueError
        For a label out of range, or a topic without mass, of which the labels say nothing.

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

    The label given is the most probable: `classify(...).argmax(1)`, of equals the first.

    Parameters
    ----------
    theta_jk : (D, K), rows sum to 1
        Of the test documents.
    p_kc : (K, C), rows sum to 1
        From `class_probability`.

    Returns
    -------
    (D, C), rows sum to 1

    Raises
    ------
    ValueError
        For shapes that do not fit.

    Examples
    --------
    >>> classify(np.array([[0.5, 0.5]]), np.array([[1.0, 0.0], [0.25, 0.75]]))
    array([[0.625, 0.375]])
    """
    if theta_jk.ndim != 2 or p_kc.ndim != 2 or theta_jk.shape[1] != len(p_kc):
        raise ValueError(f"theta_jk has shape {theta_jk.shape} and p_kc {p_kc.shape}, expected (D, K) and (K, C)")
    return theta_jk @ p_kc  # SOL14 §3.1


def accuracy(scores: Array, labels: ArrayLike) -> float:
    """The fraction of documents whose own class has the highest score, of equals the first. SOL14 §3.1.

    Parameters
    ----------
    scores : (D, C)
    labels : (D,) integers from 0, below C

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    ValueError
        For a label out of range, a score that is nan, or no document.

    Examples
    --------
    >>> accuracy(np.array([[0.9, 0.1], [0.4, 0.6], [0.5, 0.5], [0.2, 0.8]]), [0, 1, 1, 1])
    0.75
    """
    labels = _checked_scores(scores, labels)
    return float(np.mean(scores.argmax(1) == labels))  # SOL14 §3.1


def auc(score: Array, positive: Bools) -> float:
    """The area under the ROC curve: the probability that a positive has a higher score than a negative.

    Equal scores count half (Mann and Whitney's statistic, by ranks).

    Parameters
    ----------
    score : (D,)
    positive : (D,) bool

    Returns
    -------
    float in [0, 1], 1/2 by chance

    Raises
    ------
    ValueError
        For a score that is nan, or documents that are all positive or all negative.

    Examples
    --------
    >>> auc(np.array([0.1, 0.2, 0.2, 0.3]), np.array([False, False, True, True]))
    0.875
    """
    P = _number_of_positives(score, positive)
    above = rankdata(score)[positive].sum() - P * (P + 1) / 2
    return float(above / (P * (len(score) - P)))  # AWST09 §4.2


def average_precision(score: Array, positive: Bools) -> float:
    """The mean over the positives of the precision among all that score as high or higher.

    Documents of equal score are retrieved together: the area under the precision-recall curve as a sum over distinct
    thresholds, (R_i - R_i-1) P_i, without interpolation.

    Parameters
    ----------
    score : (D,)
    positive : (D,) bool

    Returns
    -------
    float in (0, 1], about the fraction of positives by chance

    Raises
    ------
    ValueError
        For a score that is nan, or documents that are all positive or all negative.

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

    AWST09 §4.2 gives a mean AUC and a mean average precision of newsgroups, and no more than that the topic model is
    used for classification. This is the reading by class: for each class the test documents are ranked by its score,
    and each class counts alike. Not meant can be the rank of a document's own label among all 20: there a mean AUC of
    0.90 is a mean rank of 2.9, and the mean of 1/rank at least 1/2.9 = 0.34, not 0.14.

    Parameters
    ----------
    measure : function (score (D,), positive (D,) bool) -> float
    scores : (D, C)
        Such as those of `classify`.
    labels : (D,) integers from 0, below C
        A class that no document has is left out.

    Raises
    ------
    ValueError
        For a label out of range, a score that is nan, or documents of one class alone.

    Examples
    --------
    >>> scores = np.array([[0.8, 0.2, 0.0], [0.6, 0.4, 0.0], [0.7, 0.3, 0.0]])
    >>> mean_by_class(auc, scores, [0, 0, 1])
    0.5
    """
    labels = _checked_scores(scores, labels)
    classes = np.unique(labels)
    if len(classes) < 2:
        raise ValueError(f"labels has class {classes[0]} alone, expected documents of two classes or more")
    return float(np.mean([measure(scores[:, c], labels == c) for c in classes]))  # AWST09 §4.2


# Repetition ----------------------------------------------------------------------------------------------------------


def bootstrap(c: Corpus, theta_jk: Array, phi_wk: Array, rng: np.random.Generator) -> Synthetic:
    """A corpus of tokens drawn from estimates, its documents as long as those of `c`: SOL14 §3.3.

    Of training and test documents each a draw, from the theta fitted and the theta folded in; document j keeps its
    label.

    Parameters
    ----------
    c : Corpus
    theta_jk : (D, K), rows sum to 1
    phi_wk : (W, K), columns sum to 1
    rng : numpy.random.Generator

    Returns
    -------
    Synthetic
        With the vocabulary of `c`. It need not have every word of it.

    Raises
    ------
    ValueError
        For shapes that do not fit.

    Examples
    --------
    >>> c = Corpus([0, 2], [1, 0], [2, 1], D=3, W=2)
    >>> bootstrap(c, np.ones((3, 1)), np.array([[0.0], [1.0]]), np.random.default_rng(0)).corpus.j
    array([0, 0, 2])
    """
    if theta_jk.shape[0] != c.D or phi_wk.shape[0] != c.W or theta_jk.shape[1:] != phi_wk.shape[1:]:
        raise ValueError(
            f"theta_jk has shape {theta_jk.shape} and phi_wk {phi_wk.shape}, expected {c.D} documents, {c.W} words and"
            " the same topics"
        )
    lengths = np.bincount(np.repeat(c.j, c.n), minlength=c.D)
    s = draw_from(rng, lengths, theta_jk, phi_wk)  # SOL14 §3.3
    return s._replace(corpus=c.with_rows(s.corpus.j, s.corpus.w, s.corpus.n))


def until_standard_error(values: Iterable[float], below: float = 0.05, least: int = 2) -> tuple[float, float, int]:
    """Take values until the standard error of their mean is below a bound: SOL14 §§3.2-3.3, of accuracies.

    The number of repetitions T depends on the unit. SOL14's published code takes accuracy in percent and T from 52 to
    500. Of accuracies as fractions two are enough for a bound of 0.05 as soon as they differ by less than 0.1.

    Parameters
    ----------
    values : iterable of floats
        Such as a generator that draws, fits and measures; no more are asked for than are needed. With
        `itertools.islice` there is a largest number.
    below : float
    least : int
        Values taken at least; below 2 there is no standard error.

    Returns
    -------
    mean, standard error, T
        If the values end before, those of all of them, the standard error of a single one nan.

    Raises
    ------
    ValueError
        For no values at all.

    Examples
    --------
    >>> until_standard_error([1.0, 3.0, 2.0, 2.0, 9.0], below=0.5)
    (2.0, 0.408248290463863, 4)
    """
    seen, error = [], np.nan
    for x in values:
        seen.append(x)
        if len(seen) > 1:
            error = float(np.std(seen, ddof=1) / np.sqrt(len(seen)))  # SOL14 §3.2
        if len(seen) >= least and error < below:
            break
    if not seen:
        raise ValueError("values is empty, expected at least one")
    return float(np.mean(seen)), error, len(seen)


def _number_of_positives(score: Array, positive: Bools) -> int:
    """The number of positives, after a look at both arguments."""
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
    """The labels of documents, after a look at their scores too."""
    if scores.ndim != 2 or len(scores) == 0:
        raise ValueError(f"scores has shape {scores.shape}, expected (D, C) with at least one document")
    for j, c in np.argwhere(np.isnan(scores)):
        raise ValueError(f"scores[{j}, {c}] is nan, expected a number")
    return _checked_labels(labels, *scores.shape)
