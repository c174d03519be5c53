"""Labels of documents, ROC and precision: against plain loops and scikit-learn."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, roc_auc_score

import lda_reference as lda
from lda_reference.evaluation.labels import (
    accuracy,
    auc,
    average_precision,
    class_probability,
    classify,
    mean_by_class,
)

THETA = np.random.default_rng(0).dirichlet(np.ones(4), size=30)
LABELS = np.arange(30) % 3


def test_classification_by_plain_loops():  # SOL14 §3.1
    p_kc = class_probability(THETA, LABELS, 4)
    for k in range(4):
        mass = [sum(THETA[j, k] for j in range(30) if LABELS[j] == c) for c in range(4)]
        for c in range(4):
            assert p_kc[k, c] == pytest.approx(mass[c] / sum(mass), rel=1e-13)
    test = np.random.default_rng(2).dirichlet(np.ones(4), size=20)
    scores = classify(test, p_kc)
    right = 0
    for j in range(20):
        expected = [sum(test[j, k] * p_kc[k, c] for k in range(4)) for c in range(4)]
        np.testing.assert_allclose(scores[j], expected, rtol=1e-13)
        right += expected.index(max(expected)) == j % 3
    assert accuracy(scores, np.arange(20) % 3) == right / 20
    assert 0 < right < 20


def test_classes_do_not_depend_on_the_numbers_of_topics():
    order = [3, 1, 0, 2]
    ours, theirs = (classify(x, class_probability(x, LABELS, 3)) for x in (THETA, THETA[:, order]))
    np.testing.assert_allclose(ours, theirs, rtol=1e-13)


def test_documents_with_a_dominant_topic_are_told_apart():  # SOL14 §3.2
    s, label = lda.synthetic.dominant(np.random.default_rng(0), D=40, W=100)
    assert accuracy(classify(s.theta_jk, class_probability(s.theta_jk, label, 10)), label) == 1


def test_of_equal_scores_the_first_class_is_taken():
    assert accuracy(np.full((4, 2), 0.5), [0, 1, 0, 0]) == 0.75


def test_labels_and_scores_are_checked():
    for bad, what in (([0, 1, 3], r"labels\[2\] is 3"), ([0, -1, 1], r"labels\[1\] is -1"), ([0.5, 1, 1], r"labels\[0\] is 0.5")):
        with pytest.raises(ValueError, match=f"{what}.*expected a class from 0 below C = 3"):
            class_probability(THETA[:3], bad, 3)
        with pytest.raises(ValueError, match=what):
            accuracy(np.zeros((3, 3)), bad)
    with pytest.raises(ValueError, match=r"labels has shape \(2,\), expected \(3,\)"):
        class_probability(THETA[:3], [0, 1], 3)
    with pytest.raises(ValueError, match=r"scores\[1, 0\] is nan"):
        accuracy(np.array([[0.0, 1.0], [math.nan, 1.0]]), [0, 1])
    with pytest.raises(ValueError, match="at least one document"):
        accuracy(np.zeros((0, 2)), [])
    with pytest.raises(ValueError, match=r"theta_jk\[:, 1\] adds up to 0.0, expected a topic with some mass"):
        class_probability(np.array([[1.0, 0.0]]), [0], 1)
    with pytest.raises(ValueError, match=r"theta_jk has shape \(30, 4\) and p_kc \(3, 2\)"):
        classify(THETA, np.ones((3, 2)))


# ROC and precision ---------------------------------------------------------------------------------------------------


def auc_by_pairs(score, positive):
    wins = [(a > b) + (a == b) / 2 for a, p in zip(score, positive, strict=True) if p for b, q in zip(score, positive, strict=True) if not q]
    return sum(wins) / len(wins)


def average_precision_by_thresholds(score, positive):
    """Sum over distinct thresholds, from the highest, of the step in recall times the precision there."""
    total, before = 0.0, 0.0
    for threshold in sorted(set(score), reverse=True):
        found = [p for s, p in zip(score, positive, strict=True) if s >= threshold]
        recall = sum(found) / sum(positive)
        total += (recall - before) * sum(found) / len(found)
        before = recall
    return total


ranked = st.lists(st.tuples(st.integers(-3, 3), st.booleans()), min_size=2, max_size=15).filter(lambda x: len({p for _, p in x}) == 2)


@settings(max_examples=200, deadline=None)
@given(ranked)
def test_auc_counts_pairs_and_precision_goes_by_thresholds(x):
    score, positive = np.array([s for s, _ in x], float), np.array([p for _, p in x])
    assert auc(score, positive) == pytest.approx(auc_by_pairs(score.tolist(), positive.tolist()), rel=1e-13)
    assert auc(-score, positive) == pytest.approx(1 - auc(score, positive), rel=1e-12, abs=1e-12)
    expected = average_precision_by_thresholds(score.tolist(), positive.tolist())
    assert average_precision(score, positive) == pytest.approx(expected, rel=1e-13)
    assert auc(score, positive) == pytest.approx(roc_auc_score(positive, score), rel=1e-12, abs=1e-12)
    assert average_precision(score, positive) == pytest.approx(average_precision_score(positive, score), rel=1e-12)
    shuffled = np.random.default_rng(0).permutation(len(x))
    assert average_precision(np.exp(score)[shuffled], positive[shuffled]) == pytest.approx(expected, rel=1e-13)


def test_extreme_rankings():
    positive = np.array([True, True, False, False, False])
    best = np.array([5.0, 4.0, 3.0, 2.0, 1.0])
    assert (auc(best, positive), average_precision(best, positive)) == (1, 1)
    assert (auc(-best, positive), average_precision(-best, positive)) == (0, pytest.approx((1 / 4 + 2 / 5) / 2))
    level = np.zeros(5)
    assert (auc(level, positive), average_precision(level, positive)) == (0.5, 0.4)


@pytest.mark.parametrize(("measure", "by_loops"), [(auc, auc_by_pairs), (average_precision, average_precision_by_thresholds)])
def test_each_class_against_all_others(measure, by_loops):  # AWST09 §4.2
    scores = np.random.default_rng(3).dirichlet(np.ones(4), size=12)
    labels = np.array([0] * 6 + [1] * 4 + [3] * 2)  # none of class 2
    of = [by_loops(scores[:, c].tolist(), (labels == c).tolist()) for c in (0, 1, 3)]
    assert mean_by_class(measure, scores, labels) == pytest.approx(sum(of) / 3, rel=1e-13)


def test_ranks_of_a_documents_own_label_cannot_be_what_was_measured():
    """AWST09 §4.2 has a mean AUC of 0.90 and a mean average precision of 0.14; ranks among 20 labels rule this out."""
    mean_rank = 1 + (1 - 0.90) * 19
    rng = np.random.default_rng(0)
    for _ in range(10):
        scores, own = rng.normal(size=(100, 20)), rng.integers(20, size=100)
        scores[np.arange(100), own] += rng.uniform(0, 3)
        each = [(auc(s, np.arange(20) == c), average_precision(s, np.arange(20) == c)) for s, c in zip(scores, own, strict=True)]
        mean_auc, mean_precision = np.mean(each, axis=0)
        assert mean_precision >= 1 / (1 + (1 - mean_auc) * 19) - 1e-12  # Jensen's inequality
    assert 1 / mean_rank > 0.34 > 0.14


def test_measures_refuse_what_has_no_pair():
    with pytest.raises(ValueError, match="positive has 2 of 2 True"):
        auc(np.zeros(2), np.array([True, True]))
    with pytest.raises(ValueError, match="positive has 0 of 2 True"):
        average_precision(np.zeros(2), np.array([False, False]))
    with pytest.raises(ValueError, match=r"score\[1\] is nan"):
        auc(np.array([0.0, math.nan]), np.array([True, False]))
    with pytest.raises(ValueError, match=r"positive \(2,\) of int64, expected \(D,\) and \(D,\) of bool"):
        auc(np.zeros(2), np.array([1, 0], np.int64))
    with pytest.raises(ValueError, match="labels has class 1 alone"):
        mean_by_class(auc, np.zeros((3, 2)), [1, 1, 1])
