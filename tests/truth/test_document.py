"""The evidence of a document given the topics: enumeration, quadrature, plain loops, and 200 runs of each estimate."""

import itertools
import math

import mpmath
import numpy as np
import pytest
from scipy.integrate import quad

import lda_reference as lda
from lda_reference.truth import document, document_samplers

from .. import helpers
from . import calibration

PHI = np.array([[0.7, 0.05, 0.2], [0.1, 0.6, 0.0], [0.15, 0.05, 0.5], [0.05, 0.3, 0.3]])
PRIOR = lda.Prior(alpha=[0.3, 0.7, 1.1])
CORPUS = lda.Corpus.from_documents([[0, 0, 3, 1], [1], [], [1, 2, 2, 0, 0, 3]], W=4)
TEXT = [0, 0, 3, 1, 1, 2, 0]  # a document to repeat
ESTIMATES = {
    "prior": lambda c, rng: document.from_the_prior(c, PHI, PRIOR, rng, 40),
    "pseudo-counts": lambda c, rng: document.from_pseudo_counts(c, PHI, PRIOR, rng, 40),
    "chib": lambda c, rng: document_samplers.chib(c, PHI, PRIOR, rng, 6, 2),
    "left-to-right": lambda c, rng: document_samplers.mean_of_products(
        document_samplers.left_to_right(c, PHI, PRIOR, rng, 5), c
    ),
    "in sequence": lambda c, rng: document_samplers.mean_of_products(
        document_samplers.left_to_right(c, PHI, PRIOR, rng, 5, sweeps=0), c
    ),
}


def texts(c):
    t = c.tokens()
    return [t.w[t.j == j].tolist() for j in range(t.D)]


@pytest.mark.parametrize("c", [CORPUS, CORPUS.types()])
def test_exact_equals_enumeration(c):
    expected = [math.log(helpers.enumerated_document(text, np.asarray(PRIOR.alpha), PHI)[0]) for text in texts(c)]
    np.testing.assert_allclose(document.exact(c, PHI, PRIOR), expected, atol=1e-13)


def test_exact_by_quadrature_of_two_topics():
    phi, p = np.array([[0.9, 0.2], [0.1, 0.8]]), lda.Prior(alpha=[1.5, 2.0])
    c = lda.Corpus([0, 0], [0, 1], [30, 12], 1, 2)

    def integrand(t):
        return t**0.5 * (1 - t) * (0.9 * t + 0.2 * (1 - t)) ** 30 * (0.1 * t + 0.8 * (1 - t)) ** 12

    value = quad(integrand, 0, 1, epsabs=0, epsrel=1e-12)[0] / math.exp(helpers.plain_log_B([1.5, 2.0]))
    assert document.exact(c, phi, p)[0] == pytest.approx(math.log(value), abs=1e-11)


@pytest.mark.parametrize("alpha", [1e-3, 0.5, 40.0])
def test_exact_to_fifty_digits(alpha):
    """The count polynomial of 300 tokens and two topics, in mpmath."""
    n, phi = [160, 90, 50], np.array([[0.7, 0.1], [0.2, 0.3], [0.1, 0.6]])
    with mpmath.workdps(50):
        a, polynomial = mpmath.mpf(alpha), [mpmath.mpf(1)]
        for n_w, (x, y) in zip(n, phi, strict=True):
            word = [mpmath.binomial(n_w, m) * mpmath.mpf(x) ** (n_w - m) * mpmath.mpf(y) ** m for m in range(n_w + 1)]
            out = [mpmath.mpf(0)] * (len(polynomial) + n_w)
            for i, j in itertools.product(range(len(polynomial)), range(n_w + 1)):
                out[i + j] += polynomial[i] * word[j]
            polynomial = out
        N = sum(n)
        total = sum(q * mpmath.beta(a + N - m, a + m) for m, q in enumerate(polynomial)) / mpmath.beta(a, a)
        expected = float(mpmath.log(total))
    c = lda.Corpus.from_csr(np.array([n]))
    assert document.exact(c, phi, lda.Prior(alpha))[0] == pytest.approx(expected, rel=1e-13)


def test_terms_are_counted_before_the_sum():
    c = lda.Corpus.from_csr(np.array([[2, 5, 1]]))
    assert document.terms(c, 2) == 1 * 3 + 3 * 6 + 2 * 8
    with helpers.refused("the count polynomials have 10^1.6 terms for K = 2, more than the limit of 30"):
        document.exact(c, np.full((3, 2), 1 / 3), lda.Prior(), limit=30)
    assert document.terms(c, 1) == 3


@pytest.mark.parametrize("name", ESTIMATES)
def test_200_runs_are_unbiased(name):
    c, rng = lda.Corpus.from_documents([TEXT], W=4), np.random.default_rng(1)
    found = calibration.on_a_document(lambda c, *_: ESTIMATES[name](c, rng), c, PHI, PRIOR, rng, runs=200)
    assert abs(found.mean - 1) < 4 * found.standard_error
    assert found.standard_error < 0.03


@pytest.mark.parametrize("name", ESTIMATES)
def test_documents_of_all_lengths_at_once(name):
    """All documents, one of them empty, one of a token, repeated and in one call."""
    c = lda.Corpus.from_documents(texts(CORPUS) * 100, W=4)
    logs = ESTIMATES[name](c, np.random.default_rng(2)).reshape(100, 4)
    for j, exact in enumerate(document.exact(CORPUS, PHI, PRIOR)):
        found = calibration.ratio(logs[:, j], exact)
        assert abs(found.mean - 1) <= 4 * found.standard_error + 1e-12
    np.testing.assert_array_equal(logs[:, 2], 0.0)


@pytest.mark.parametrize("name", ESTIMATES)
def test_with_one_topic_estimates_are_exact(name, monkeypatch):
    monkeypatch.setattr("tests.truth.test_document.PHI", PHI[:, :1])
    monkeypatch.setattr("tests.truth.test_document.PRIOR", lda.Prior(0.4))
    exact = [sum(math.log(PHI[w, 0]) for w in text) for text in texts(CORPUS)]
    np.testing.assert_allclose(ESTIMATES[name](CORPUS, np.random.default_rng(0)), exact, atol=1e-12)


# Plain loops ---------------------------------------------------------------------------------------------------------


def chosen(weights, u):
    partial = list(itertools.accumulate(weights))
    return sum(x <= u * partial[-1] for x in partial[:-1])


def conditional(z, known, x, alpha):
    """(N_jk + alpha_k) phi_xk from the topics at the positions `known`."""
    return [(sum(z[i] == k for i in known) + alpha[k]) * PHI[x, k] for k in range(3)]


@pytest.mark.parametrize("sweeps", [0, 1, 2])
def test_left_to_right_equals_plain_loops(sweeps):
    alpha, R = np.asarray(PRIOR.alpha), 3
    c = lda.Corpus.from_documents([TEXT], W=4)
    found = document_samplers.left_to_right(c, PHI, PRIOR, np.random.default_rng(4), R, sweeps)
    rng, z = np.random.default_rng(4), [[] for _ in range(R)]
    for n, x in enumerate(TEXT):
        for _ in range(sweeps):
            for i in range(n):
                u = rng.random((1, R))[0]
                for r in range(R):
                    z[r][i] = chosen(conditional(z[r], [m for m in range(n) if m != i], TEXT[i], alpha), u[r])
        u = rng.random((1, R))[0]
        for r in range(R):
            weights = conditional(z[r], range(n), x, alpha)
            assert found[n, r] == pytest.approx(math.log(sum(weights) / (n + alpha.sum())), rel=1e-13)
            z[r].append(chosen(weights, u[r]))


def test_chib_equals_plain_loops():
    alpha, S, N = np.asarray(PRIOR.alpha), 5, len(TEXT)
    c = lda.Corpus.from_documents([TEXT], W=4)
    star = document.pseudo_counts(c, PHI, PRIOR, 10).gamma.argmax(-1).tolist()

    def swept(z, order, rng):
        z = list(z)
        for n in order:
            z[n] = chosen(conditional(z, [i for i in range(N) if i != n], TEXT[n], alpha), rng.random())
        return z

    def transition(z):
        z, out = list(z), 1.0
        for n in range(N):
            weights = conditional(z, [i for i in range(N) if i != n], TEXT[n], alpha)
            out *= weights[star[n]] / sum(weights)
            z[n] = star[n]
        return out

    for seed in range(5):
        rng = np.random.default_rng(seed)
        s = int(rng.integers(1, S + 1))
        middle = z = swept(star, range(N)[::-1], rng)
        T = [transition(z)]
        for _ in range(S - s):
            z = swept(z, range(N), rng)
            T.append(transition(z))
        z = middle
        for _ in range(s - 1):
            z = swept(z, range(N)[::-1], rng)
            T.append(transition(z))
        counts = np.bincount(star, minlength=3)
        log_joint = helpers.plain_log_B(alpha + counts) - helpers.plain_log_B(alpha)
        log_joint += sum(math.log(PHI[w, k]) for w, k in zip(TEXT, star, strict=True))
        found = document_samplers.chib(c, PHI, PRIOR, np.random.default_rng(seed), S)
        assert found[0] == pytest.approx(log_joint - math.log(sum(T) / S), rel=1e-13)


# What is not unbiased ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sweeps", [0, 1])
def test_the_product_of_means_has_a_bias(sweeps):
    """With 400 particles it is as far from p(x) as with 50; the mean of products is not."""
    phi, p, text = np.array([[0.9, 0.1], [0.1, 0.9]]), lda.Prior(alpha=0.05), [0] * 4 + [1] * 4
    c = lda.Corpus.from_documents([text] * 400, W=2)
    exact = math.log(helpers.enumerated_document(text, np.full(2, 0.05), phi)[0])
    for particles in (50, 400):
        log_p = document_samplers.left_to_right(c, phi, p, np.random.default_rng(0), particles, sweeps)
        products = calibration.ratio(document_samplers.mean_of_products(log_p, c), exact)
        means = calibration.ratio(document_samplers.product_of_means(log_p, c), exact)
        assert abs(products.mean - 1) < 4 * products.standard_error
        assert abs(means.mean - 1) > 0.1
        assert abs(means.mean - 1) > 8 * means.standard_error


def test_planted_mistakes_are_seen(monkeypatch):
    c = lda.Corpus.from_documents([TEXT] * 3000, W=4)
    exact = math.log(helpers.enumerated_document(TEXT, np.asarray(PRIOR.alpha), PHI)[0])

    def z_score(name):
        found = calibration.ratio(ESTIMATES[name](c, np.random.default_rng(3)), exact)
        return abs(found.mean - 1) / found.standard_error

    assert z_score("chib") < 4
    assert z_score("left-to-right") < 4
    right = document_samplers._sweep
    with monkeypatch.context() as m:  # the first sweep from z* in order, not in reverse
        m.setattr(document_samplers, "_sweep", lambda b, z, N, a, order, rng: right(b, z, N, a, range(len(z)), rng))
        assert z_score("chib") > 5
    with monkeypatch.context() as m:  # another alpha
        m.setattr(document_samplers, "smoothed", lambda a, N: N + 1.0)
        assert z_score("left-to-right") > 5


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda rng: document.exact(CORPUS, PHI[:3], PRIOR), "phi_wk has shape (3, 3), expected (W, K) with W = 4 rows"),
        (lambda rng: document.exact(CORPUS, PHI * 1.1, PRIOR), "phi_wk[:, 0] adds up to 1.1, expected 1"),
        (lambda rng: document.exact(CORPUS, -PHI, PRIOR), "phi_wk[0, 0] is -0.7, expected a probability"),
        (lambda rng: document.exact(CORPUS, PHI, lda.Prior([1, 2])), "alpha has 2 entries, expected K = 3"),
        (lambda rng: document.from_the_prior(CORPUS, PHI, PRIOR, rng, 0), "samples is 0"),
        (lambda rng: document.from_pseudo_counts(CORPUS, PHI, PRIOR, rng, 9, -1), "sweeps is -1"),
        (lambda rng: document_samplers.left_to_right(CORPUS, PHI, PRIOR, rng, 0), "particles is 0"),
        (lambda rng: document_samplers.left_to_right(CORPUS, PHI, PRIOR, rng, 1, -1), "sweeps is -1"),
        (lambda rng: document_samplers.chib(CORPUS, PHI, PRIOR, rng, 0), "steps is 0"),
        (lambda rng: document_samplers.chib(CORPUS, PHI, PRIOR, rng, 1, 0), "chains is 0"),
        (lambda rng: document_samplers.chib(CORPUS, np.array([[1.0], [0], [0], [0]]), lda.Prior(), rng), "word 1 has probability 0 under every topic"),
    ],
)  # fmt: skip
def test_errors(call, message):
    with helpers.refused(message):
        call(np.random.default_rng(0))


def test_an_eta_for_each_topic_has_no_effect_on_a_document_whose_topics_are_given():
    phi_wk = np.array([[0.7, 0.1], [0.3, 0.9]])
    found = [document.exact(lda.Corpus.from_documents([[0, 1, 1]]), phi_wk, lda.Prior(0.3, eta)) for eta in (0.1, phi_wk)]
    np.testing.assert_array_equal(*found)
