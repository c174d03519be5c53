"""The evidence of a document given the topics: enumeration, fifty digits, plain loops, and many runs of left-to-right."""

import itertools
import math

import mpmath
import numpy as np
import pytest

import lda_reference as lda
from lda_reference.truth import document

from .. import helpers

PHI = np.array([[0.7, 0.05, 0.2], [0.1, 0.6, 0.0], [0.15, 0.05, 0.5], [0.05, 0.3, 0.3]])
PRIOR = lda.Prior(alpha=[0.3, 0.7, 1.1])
CORPUS = lda.Corpus.from_documents([[0, 0, 3, 1], [1], [], [1, 2, 2, 0, 0, 3]], W=4)


def texts(c):
    tokens = c.tokens()
    return [tokens.w[tokens.j == j].tolist() for j in range(tokens.D)]


@pytest.mark.parametrize("c", [CORPUS, CORPUS.types()])
def test_exact_equals_enumeration(c):
    log_p = [math.log(helpers.enumerated_document(words_of_document, np.asarray(PRIOR.alpha), PHI)[0]) for words_of_document in texts(c)]
    np.testing.assert_allclose(document.exact(c, PHI, PRIOR), log_p, atol=1e-13)
    prior_by_topic = lda.Prior(PRIOR.alpha, PHI + 0.1)  # the prior of the topics has no effect, since they are given
    np.testing.assert_array_equal(document.exact(c, PHI, prior_by_topic), document.exact(c, PHI, PRIOR))


@pytest.mark.parametrize("alpha", [1e-3, 0.5, 40.0])
def test_exact_to_fifty_digits(alpha):
    """The count polynomial of 150 tokens and two topics, in mpmath."""
    word_counts, phi = [80, 45, 25], np.array([[0.7, 0.1], [0.2, 0.3], [0.1, 0.6]])
    with mpmath.workdps(50):
        mp_alpha, polynomial = mpmath.mpf(alpha), [mpmath.mpf(1)]
        for n_w, (phi_w0, phi_w1) in zip(word_counts, phi, strict=True):
            word_polynomial = [mpmath.binomial(n_w, m) * mpmath.mpf(phi_w0) ** (n_w - m) * mpmath.mpf(phi_w1) ** m for m in range(n_w + 1)]
            polynomial_product = [mpmath.mpf(0)] * (len(polynomial) + n_w)
            for power, word_power in itertools.product(range(len(polynomial)), range(n_w + 1)):
                polynomial_product[power + word_power] += polynomial[power] * word_polynomial[word_power]
            polynomial = polynomial_product
        N = sum(word_counts)
        p_x = sum(coefficient * mpmath.beta(mp_alpha + N - m, mp_alpha + m) for m, coefficient in enumerate(polynomial)) / mpmath.beta(mp_alpha, mp_alpha)
        log_p = float(mpmath.log(p_x))
    c = lda.Corpus.from_csr(np.array([word_counts]))
    assert document.exact(c, phi, lda.Prior(alpha))[0] == pytest.approx(log_p, rel=1e-13)


def test_terms_are_counted_before_the_sum(monkeypatch):
    c = lda.Corpus.from_csr(np.array([[2, 5, 1]]))
    assert document.terms(c, 2) == 1 * 3 + 3 * 6 + 2 * 8
    monkeypatch.setattr(document, "LIMIT", 30)
    with helpers.refused("the count polynomials have 10^1.6 terms for K = 2, more than the limit of 30"):
        document.exact(c, np.full((3, 2), 1 / 3), lda.Prior())
    assert document.terms(c, 1) == 3


def test_the_mean_of_products_is_unbiased():
    """1000 copies of the documents, one of them empty and one of a token, by 5 particles each."""
    c = lda.Corpus.from_documents(texts(CORPUS) * 1000, W=4)
    log_p_of_particles = document.left_to_right(c, PHI, PRIOR, np.random.default_rng(2), 5)
    log_estimates = document.mean_of_products(log_p_of_particles, c).reshape(1000, 4)
    np.testing.assert_array_equal(log_estimates[:, 2], 0.0)
    exact_log_p = document.exact(CORPUS, PHI, PRIOR)
    for j in range(4):
        mean_ratio, standard_error = helpers.ratio(log_estimates[:, j], exact_log_p[j])
        assert abs(mean_ratio - 1) <= 4 * standard_error + 1e-12
        assert standard_error < 0.01


def test_left_to_right_equals_plain_loops():
    alpha, R, words = np.asarray(PRIOR.alpha), 3, [0, 0, 3, 1, 1, 2, 0]
    log_p = document.left_to_right(lda.Corpus.from_documents([words], W=4), PHI, PRIOR, np.random.default_rng(4), R)

    def conditional(z, positions, w):
        """(N_jk + alpha_k) phi_xk from the topics at these positions."""
        return [(sum(z[i] == k for i in positions) + alpha[k]) * PHI[w, k] for k in range(3)]

    rng, z = np.random.default_rng(4), [[] for _ in range(R)]
    for position, w in enumerate(words):
        for i in range(position):
            uniforms = rng.random((1, R))[0]
            for r in range(R):
                z[r][i] = helpers.topics_of([conditional(z[r], [other_i for other_i in range(position) if other_i != i], words[i])], [uniforms[r]])[0]
        uniforms = rng.random((1, R))[0]
        for r in range(R):
            topic_weights = conditional(z[r], range(position), w)
            assert log_p[position, r] == pytest.approx(math.log(sum(topic_weights) / (position + alpha.sum())), rel=1e-13)
            z[r] += helpers.topics_of([topic_weights], [uniforms[r]])


def test_the_product_of_means_has_a_bias():
    """With 400 particles it is as far from p(x) as with 50; the mean of products is not."""
    phi, p, words = np.array([[0.9, 0.1], [0.1, 0.9]]), lda.Prior(alpha=0.05), [0] * 4 + [1] * 4
    c = lda.Corpus.from_documents([words] * 200, W=2)
    exact_log_p = math.log(helpers.enumerated_document(words, np.full(2, 0.05), phi)[0])
    for n_particles in (50, 400):
        log_p = document.left_to_right(c, phi, p, np.random.default_rng(0), n_particles)
        ratio_of_mean_of_products, standard_error = helpers.ratio(document.mean_of_products(log_p, c), exact_log_p)
        assert abs(ratio_of_mean_of_products - 1) < 4 * standard_error
        ratio_of_product_of_means, standard_error = helpers.ratio(document.product_of_means(log_p, c), exact_log_p)
        assert abs(ratio_of_product_of_means - 1) > 0.1
        assert abs(ratio_of_product_of_means - 1) > 8 * standard_error


test_errors = helpers.refusals(lambda call: call(np.random.default_rng(0)), [
    (lambda rng: document.exact(CORPUS, PHI * 1.1, PRIOR), "phi_wk[:, 0] adds up to 1.1, expected 1"),
    (lambda rng: document.left_to_right(CORPUS, PHI, PRIOR, rng, 0), "particles is 0"),
    (lambda rng: document.left_to_right(CORPUS, np.eye(4)[:, :1], lda.Prior(), rng), "word 1 has probability 0 under every topic"),
])
