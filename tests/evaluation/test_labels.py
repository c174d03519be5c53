"""Labels of documents: classification through topics, against plain loops."""

import math

import numpy as np

from lda_reference.evaluation.labels import accuracy, class_probability, classify

from ..helpers import refusals

THETA = np.random.default_rng(0).dirichlet(np.ones(4), size=30)
LABELS = np.arange(30) % 3


def test_classification_by_plain_loops():  # SOL14 §3.1
    p_kc = class_probability(THETA, LABELS, 4)
    for k in range(4):
        class_masses = [sum(THETA[j, k] for j in range(30) if LABELS[j] == class_number) for class_number in range(4)]
        np.testing.assert_allclose(p_kc[k], np.array(class_masses) / sum(class_masses), rtol=1e-13)
    test_theta = np.random.default_rng(2).dirichlet(np.ones(4), size=20)
    scores = classify(test_theta, p_kc)
    n_right = 0
    for j in range(20):
        class_scores = [sum(test_theta[j, k] * p_kc[k, class_number] for k in range(4)) for class_number in range(4)]
        np.testing.assert_allclose(scores[j], class_scores, rtol=1e-13)
        n_right += class_scores.index(max(class_scores)) == j % 3
    assert accuracy(scores, np.arange(20) % 3) == n_right / 20
    assert 0 < n_right < 20


test_labels_and_scores_are_checked = refusals(lambda call: call(), [
    (lambda: class_probability(THETA[:3], [0, 1, 3], 3), "labels[2] is 3, expected a class from 0 below C = 3"),
    (lambda: accuracy(np.zeros((3, 3)), [0, -1, 1]), "labels[1] is -1"),
    (lambda: accuracy(np.array([[0.0, 1.0], [math.nan, 1.0]]), [0, 1]), "scores[1, 0] is nan"),
    (lambda: class_probability(np.eye(1, 2), [0], 1), "theta_jk[:, 1] adds up to 0.0, expected a topic with some mass"),
    (lambda: classify(THETA, np.ones((3, 2))), "theta_jk has shape (30, 4) and p_kc (3, 2)"),
])
