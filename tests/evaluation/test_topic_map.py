"""Relevance, Jensen-Shannon distances, classical scaling and near-duplicates against plain loops."""

import math

import mpmath
import numpy as np
import pytest
from scipy.spatial.distance import cdist

from lda_reference.evaluation.topic_map import (
    classical_scaling,
    duplicates,
    jensen_shannon,
    relevance,
)

from ..helpers import all_refused, refusals


def topics(seed, W, K, a=0.3):
    return np.random.default_rng(seed).dirichlet(np.full(W, a), K).T


def divergence(p, q):
    """(KL(p, m) + KL(q, m)) / 2 at 40 digits."""
    with mpmath.workdps(40):
        total = mpmath.mpf(0)
        for x, y in zip(map(mpmath.mpf, p.tolist()), map(mpmath.mpf, q.tolist()), strict=True):
            m = (x + y) / 2
            total += sum(t * mpmath.log(t / m) for t in (x, y) if t > 0)
        return total / 2


@pytest.mark.parametrize("weight", [0.0, 0.3, 1.0])
def test_relevance_is_its_formula(weight):
    phi_wk, p_k = topics(0, 7, 3), [0.5, 0.3, 0.2]
    phi_wk[2] = [0.0, 0.1, 0.0]
    phi_wk /= phi_wk.sum(0)
    p_w = [sum(p_k[k] * phi_wk[w, k] for k in range(3)) for w in range(7)]
    found = relevance(phi_wk, np.array(p_w), weight)
    for w in range(7):
        for k in range(3):
            if phi_wk[w, k] == 0:
                assert found[w, k] == -math.inf
            else:
                expected = weight * math.log(phi_wk[w, k]) + (1 - weight) * math.log(phi_wk[w, k] / p_w[w])
                assert found[w, k] == pytest.approx(expected, rel=1e-13, abs=1e-14)


def test_what_has_no_meaning_is_refused():
    phi_wk, p_w = np.array([[0.5, 1.0], [0.5, 0.0]]), np.array([0.5, 0.5])
    all_refused([
        (lambda: jensen_shannon(np.ones(3) / 3), r"expected \(W, K\)"),
        (lambda: jensen_shannon(phi_wk.astype(str)), "phi_wk is of the type ndarray, expected an array of real numbers"),
        (lambda: relevance(phi_wk, p_w, 1.5), r"weight is 1\.5, expected a number in \[0, 1\]"),
        (lambda: relevance(phi_wk, np.array([1.0, 0.0]), 0.5), r"p_w\[1\] is 0, expected more"),
        (lambda: relevance(phi_wk, np.full(3, 1 / 3), 0.5), r"p_w \(3,\), expected \(W, K\) and \(W,\)"),
        (lambda: relevance(phi_wk, np.array([0.5, 0.4]), 0.5), "adds up to"),
    ])


def test_distances_are_the_roots_of_the_divergences():
    phi_wk = topics(1, 30, 5, 0.05)
    phi_wk[:, 3] = phi_wk[:, 2]
    found = jensen_shannon(phi_wk)
    for k in range(5):
        for m in range(5):
            expected = float(mpmath.sqrt(divergence(phi_wk[:, k], phi_wk[:, m])))
            assert found[k, m] == pytest.approx(expected, rel=1e-13, abs=0)


@pytest.mark.parametrize("step", [1e-3, 1e-6, 1e-9, 1e-15])
def test_distances_of_close_topics_keep_their_digits(step):
    p = np.array([0.25, 0.75])
    q = p + np.array([step, -step])
    expected = float(mpmath.sqrt(divergence(p, q)))
    assert expected > 0
    assert jensen_shannon(np.column_stack([p, q]))[0, 1] == pytest.approx(expected, rel=1e-6, abs=0)


def test_scaling_finds_points_in_the_plane_again():
    points = np.random.default_rng(3).normal(size=(8, 2)) * [3, 1]
    found, share = classical_scaling(cdist(points, points))
    np.testing.assert_allclose(cdist(found, found), cdist(points, points), atol=1e-12)
    assert share == pytest.approx(1)
    assert all(column[np.argmax(np.abs(column))] > 0 for column in found.T)
    np.testing.assert_allclose(found.sum(0), 0, atol=1e-12)


def test_jensen_shannon_distances_are_those_of_points():
    distance = jensen_shannon(topics(4, 40, 6))
    found, share = classical_scaling(distance, 5)
    np.testing.assert_allclose(cdist(found, found), distance, atol=1e-12)
    squares = [sum(x**2 for x in found[:, axis]) for axis in range(5)]  # the eigenvalues
    assert squares == sorted(squares, reverse=True)
    plane, of_plane = classical_scaling(distance)
    np.testing.assert_array_equal(plane, found[:, :2])
    assert (share, of_plane) == (pytest.approx(1), pytest.approx(sum(squares[:2]) / sum(squares)))


def test_scaling_of_distances_that_are_not_euclidean_or_all_zero():
    centre = np.array([[0, 1, 1, 1], [1, 0, 2, 2], [1, 2, 0, 2], [1, 2, 2, 0.0]])  # a star, in no Euclidean space
    found, share = classical_scaling(centre, 4)
    assert share <= 1
    np.testing.assert_array_equal(found[:, -1], 0)
    for distance in (np.zeros((1, 1)), np.zeros((3, 3))):
        found, share = classical_scaling(distance)
        np.testing.assert_array_equal(found, np.zeros((len(distance), 2)))
        assert share == 1


test_scaling_refuses_what_is_no_distance = refusals(lambda arguments: classical_scaling(*arguments), [
    ((np.array([[0, 1]]),), "distance has shape (1, 2)"),
    ((np.array([[0, 1], [2, 0]]),), "distance[0, 1] is 1.0"),
    ((np.array([[0, np.nan], [np.nan, 0]]),), "distance[0, 1] is nan"),
    ((np.array([[0, np.inf], [np.inf, 0]]),), "distance[0, 1] is inf"),
    ((np.array([[0, 1], [1, 3]]),), "distance[1, 1] is 3.0, expected 0"),
    ((np.zeros((2, 2)), 0), "dimensions is 0"),
])


def test_duplicates_are_the_close_pairs_in_order():
    distance = jensen_shannon(topics(5, 9, 6, 3.0))
    expected = sorted((distance[k, m], k, m) for k in range(6) for m in range(k + 1, 6) if distance[k, m] < 0.3)
    assert 2 < len(expected) < 15
    assert [(x, k, m) for k, m, x in duplicates(distance, 0.3)] == expected
