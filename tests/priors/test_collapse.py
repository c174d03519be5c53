"""The collapse of full conjugacy: how fast, for which words, and its end; EM type 2 does not collapse."""

from functools import reduce

import numpy as np
import pytest
from scipy.special import digamma

import lda_reference as lda
from lda_reference.priors.hyperpriors import bound
from lda_reference.priors.learners import conjugate, em2

# Four topics, a document each, all tokens certain: word w is in w + 1 of the topics, so n0 = 3, 2, 1, 0.
STAIRS = lda.Corpus.from_documents([[0, 1, 2, 3], [1, 2, 3], [2, 3], [3]])
CERTAIN_STATE = lda.State(np.eye(4)[STAIRS.j])
N0 = np.array([3, 2, 1, 0])


@pytest.mark.parametrize("zeta", [0.0, 2.0])
def test_collapse_with_gamma_held(zeta):
    """1 / E ← n0 / E + C: it grows n0-fold for n0 >= 2, by C for n0 = 1, and converges to C for n0 = 0."""
    p, learn, bounds, eta_means = lda.Prior(0.1, 0.5), conjugate(zeta), [], []
    for _ in range(300):
        old_p, p = p, learn(CERTAIN_STATE, STAIRS, p)
        eta_means.append(p.eta)
        bounds.append(bound(CERTAIN_STATE, STAIRS, p, zeta_eta=zeta))
    digamma_sum = digamma(np.array([4, 3, 2, 1]) + old_p.eta.sum()).sum()
    limit_of_C = zeta + digamma_sum + N0 * np.euler_gamma - (4 - N0) * digamma(1 + old_p.eta)
    np.testing.assert_allclose((1 / p.eta - N0 / old_p.eta)[2:], limit_of_C[2:], rtol=2e-3)
    inverse_means = 1 / np.array(eta_means)
    np.testing.assert_allclose(inverse_means[-1, :2] / inverse_means[-2, :2], [3, 2], rtol=1e-12)
    assert p.eta[0] < 1e-140
    assert p.eta[1] < 1e-89
    np.testing.assert_allclose(inverse_means[-1, 2] / 300, limit_of_C[2], rtol=0.05)  # as 1 / (C t)
    assert p.eta[3] == pytest.approx(1 / limit_of_C[3], rel=1e-2)
    assert abs(np.diff(eta_means, axis=0)[-1, 3]) < 1e-5
    assert np.all(np.array(eta_means) <= (1 / zeta if zeta else np.inf))
    bound_increases = np.diff(bounds)
    assert bound_increases.min() > 0
    assert bound_increases[-1] == pytest.approx(2 * np.log(3) + np.log(2), rel=1e-4)  # (n0 - 1) log n0 of each word, without end
    assert bounds[-1] > 700


def test_a_word_that_one_topic_lacks_has_a_bound_that_converges():
    """If n0 is 1 at most, E goes to 0 slowly, and the bound converges."""
    c = lda.Corpus.from_documents([[0, 0, 1, 1, 1], [1, 1, 1]])
    s, p, bounds_and_inverses = lda.State(np.eye(2)[c.j]), lda.Prior(0.1, 0.5), []
    for n_updates in range(1, 1001):
        p = conjugate()(s, c, p)
        if n_updates in (250, 500, 1000):
            bounds_and_inverses.append((bound(s, c, p, zeta_eta=0), 1 / p.eta[0]))
    bounds, inverse_means = np.transpose(bounds_and_inverses)
    np.testing.assert_allclose(inverse_means[1:] / inverse_means[:-1], 2, rtol=0.02)
    first_increase, second_increase = np.diff(bounds)
    assert 0 < second_increase < 0.6 * first_increase < 1e-2


def test_em2_does_not_collapse():
    """It divides by K: 1 / eta ← (n0 / K) / eta + C. Only a word in no topic goes to 0, and slowly."""
    words_of_topic = [[0] * 6 + [1] * 2 + [2, 3], [1] * 9 + [2, 3, 3], [2] * 5 + [3] * 3, [3] * 4]
    c = lda.Corpus.from_documents(words_of_topic, W=5)
    s, p, eta_means = lda.State(np.eye(4)[c.j]), lda.Prior(0.1, 0.5), []
    for _ in range(400):
        p = em2(eta="vector")(s, c, p)
        eta_means.append(p.eta)
    eta_means = np.array(eta_means)
    assert np.all(np.diff(eta_means[-1, :4]) > 0)
    assert eta_means[-1, 0] > 1e-2
    assert 1e-6 < eta_means[-1, 4] < 1e-2
    np.testing.assert_allclose(eta_means[-1, :4], eta_means[-2, :4], rtol=1e-2)


def test_the_end_of_it_is_an_error():
    learn = conjugate()
    p = reduce(lambda p, _: learn(CERTAIN_STATE, STAIRS, p), range(640), lda.Prior(0.1, 0.5))
    assert 0 < p.eta[0] < 1e-300
    with pytest.raises(ValueError, match=r"the rate of eta\[0\] is inf, .*: E\[eta\[0\]\] has run to 0"):
        reduce(lambda p, _: learn(CERTAIN_STATE, STAIRS, p), range(10), p)  # 3^-646 is below the floats
