"""Topics against each other, and topics and mixtures against those that a corpus was drawn from."""

import mpmath
import numpy as np
import pytest

import lda_reference as lda
from lda_reference.evaluation.matching import jensen_shannon, mse_theta

from ..helpers import refusals

THETA = np.random.default_rng(0).dirichlet(np.ones(4), size=30)


def test_topics_are_matched_one_to_one_at_the_least_distance():
    rng = np.random.default_rng(0)
    phi_wk = rng.dirichlet(np.ones(6), size=4).T
    topic_order, distances = lda.match_topics(phi_wk[:, [2, 0, 3, 1]], phi_wk)
    assert topic_order.tolist() == [1, 3, 0, 2]
    np.testing.assert_array_equal(distances, 0)
    # greedy matching would pair the two that are nearest, 0.1 + 0.7; the best sum is 0.3 + 0.3
    phi_a, phi_b = (np.array([phi_0, np.subtract(1, phi_0)]) for phi_0 in ([0.5, 0.9], [0.6, 0.2]))
    assert lda.match_topics(phi_a, phi_b)[1].sum() == pytest.approx(0.3 + 0.3)
    with pytest.raises(ValueError, match="expected that of the true topics"):
        lda.match_topics(phi_wk, phi_wk[:, :2])


def test_distances_keep_their_digits_however_close_the_topics_are():
    phi_wk = np.random.default_rng(1).dirichlet(np.full(30, 0.05), 8).T
    phi_wk[:, 3:] = phi_wk[:, [2]]
    phi_wk[np.argsort(phi_wk[:, 2])[-2:], 4:] += np.outer([1, -1], [1e-3, 1e-6, 1e-9, 1e-15])
    distances = jensen_shannon(phi_wk)
    with mpmath.workdps(40):
        for (k, other_k), distance in np.ndenumerate(distances):
            p_q_pairs = [(mpmath.mpf(float(p)), mpmath.mpf(float(q))) for p, q in phi_wk[:, [k, other_k]]]
            divergence_sum = sum(p_or_q * mpmath.log(2 * p_or_q / (p + q)) for p, q in p_q_pairs for p_or_q in (p, q) if p_or_q > 0)
            assert distance == pytest.approx(float(mpmath.sqrt(divergence_sum / 2)), rel=1e-12, abs=0)
    with pytest.raises(ValueError, match=r"expected \(W, K\)"):
        jensen_shannon(np.ones(3) / 3)


def test_squared_error_by_plain_loops_after_matching():
    rng = np.random.default_rng(1)
    true_theta, phi = rng.dirichlet(np.ones(4), size=30), rng.dirichlet(np.ones(9), size=4).T
    shuffled_topics = np.array([2, 0, 3, 1])
    topic_order, _ = lda.match_topics(phi[:, shuffled_topics], phi)
    squared_error = sum((THETA[j, k] - true_theta[j, k]) ** 2 for j in range(30) for k in range(4))
    assert mse_theta(THETA[:, shuffled_topics], true_theta, topic_order) == pytest.approx(squared_error / (30 * 4), rel=1e-13)
    assert mse_theta(THETA[:, shuffled_topics], THETA, topic_order) == 0
    assert mse_theta(THETA[:, shuffled_topics], THETA, np.arange(4)) > 0.01


test_squared_error_refuses_what_it_cannot_pair = refusals(lambda call: call(), [
    (lambda: mse_theta(THETA, THETA, [0, 1, 1, 2]), "order is [0, 1, 1, 2], expected a permutation of 4 topics"),
    (lambda: mse_theta(THETA, THETA[1:], np.arange(4)), "theta_jk has shape (30, 4) and true_jk (29, 4)"),
])
