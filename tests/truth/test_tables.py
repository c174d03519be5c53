"""Sums over tables of counts: against enumeration, plain loops in 50 digits, and a second sum for 1200 tokens."""

import itertools
import math

import mpmath
import numpy as np
import pytest
from scipy.special import gammaln

import lda_reference as lda
from lda_reference.truth import table_posterior, tables
from lda_reference.truth.enumeration import assignments

from ..helpers import topic_sizes

CORPUS = lda.Corpus.from_documents([[0, 0, 3], [0, 1], [], [1, 3]], W=4)  # word 2 and document 2 have no tokens
THREE = np.array([[360, 40, 0], [0, 400, 0], [0, 0, 400]])
CASES = {
    "one topic": (1, lda.Prior(0.3, [0.2, 0.5, 1.0, 2.0])),
    "two": (2, lda.Prior(0.4, 0.3)),
    "two, vectors": (2, lda.Prior([0.3, 0.7], [0.2, 0.5, 1.0, 2.0])),
    "three": (3, lda.Prior(0.3, 0.5)),
    "three, vectors": (3, lda.Prior([0.3, 0.7, 1.1], [0.2, 0.5, 1.0, 2.0])),
}


def enumerated(c, K, p):
    """(weight, N_jk, N_wk) of every assignment."""
    found = []
    for _, N_jk, N_wk in assignments(c.tokens(), K):
        log_p = lda.log_joint_collapsed(N_jk, N_wk, p)
        found += [(math.exp(log_p[b]), N_jk[:, b], N_wk[:, b]) for b in range(len(log_p))]
    total = sum(weight for weight, _, _ in found)
    return [(weight / total, N_jk, N_wk) for weight, N_jk, N_wk in found]


@pytest.mark.parametrize("case", CASES)
def test_cells_equal_enumeration(case):
    K, p = CASES[case]
    found, expected = table_posterior.cells(CORPUS, K, p), lda.exact.posterior(CORPUS, K, p)
    assert found.log_evidence == pytest.approx(expected.log_evidence, abs=1e-13)
    row = {(j, w): a for a, (j, w) in enumerate(zip(found.types.j, found.types.w, strict=True))}
    of = [row[j, w] for j, w in zip(CORPUS.j, CORPUS.w, strict=True)]
    np.testing.assert_allclose(found.gamma[of], expected.gamma, rtol=1e-12)
    different = ~np.eye(CORPUS.N, dtype=bool)
    np.testing.assert_allclose(found.together[np.ix_(of, of)][different], expected.together[different], rtol=1e-12)


@pytest.mark.parametrize("case", CASES)
def test_moments_equal_enumeration(case):
    K, p = CASES[case]
    alpha, eta = p.vectors(K, CORPUS.W)
    D, W = CORPUS.D, CORPUS.W
    theta, phi, predictive = np.zeros((D, D)), np.zeros((W, W)), np.zeros((D, W))
    for weight, N_jk, N_wk in enumerated(CORPUS, K, p):
        A, H = N_jk.sum(1) + alpha.sum(), N_wk.sum(0) + eta.sum()
        for j, i in itertools.product(range(D), repeat=2):
            extra = int(i == j)
            each = [(N_jk[j, k] + alpha[k]) * (N_jk[i, k] + alpha[k] + extra) for k in range(K)]
            theta[j, i] += weight * sum(each) / (A[j] * (A[i] + extra))
        for w, v in itertools.product(range(W), repeat=2):
            for k in range(K):
                second = N_wk[v, k] + eta[v] + int(w == v)
                phi[w, v] += weight * (N_wk[w, k] + eta[w]) * second / (H[k] * (H[k] + 1))
        for j, w, k in itertools.product(range(D), range(W), range(K)):
            predictive[j, w] += weight * (N_jk[j, k] + alpha[k]) / A[j] * (N_wk[w, k] + eta[w]) / H[k]
    found = table_posterior.moments(CORPUS, K, p)
    np.testing.assert_allclose(found.theta, theta, rtol=1e-12)
    np.testing.assert_allclose(found.phi, phi, rtol=1e-12)
    np.testing.assert_allclose(found.predictive, predictive, rtol=1e-12)
    np.testing.assert_allclose(found.predictive.sum(1), 1, rtol=1e-12)


def test_the_predictive_probability_is_a_ratio_of_evidences():
    K, p = CASES["three, vectors"]
    more = lda.Corpus.from_documents([[0, 0, 3], [0, 1, 1], [], [1, 3]], W=4)
    ratio = math.exp(tables.log_evidence(more, K, p) - tables.log_evidence(CORPUS, K, p))
    assert table_posterior.moments(CORPUS, K, p).predictive[1, 1] == pytest.approx(ratio, rel=1e-12)


@pytest.mark.parametrize("case", CASES)
def test_topic_sizes_equal_enumeration(case):
    K, p = CASES[case]
    expected = np.zeros((CORPUS.N + 1, K))
    for weight, _, N_wk in enumerated(CORPUS, K, p):
        for k in range(K):
            expected[int(N_wk[:, k].sum()), k] += weight
    np.testing.assert_allclose(topic_sizes(CORPUS, K, p), expected, rtol=1e-12, atol=1e-16)


@pytest.mark.parametrize(("alpha", "eta"), [(0.1, 0.1), (1e-3, 5.0), (50.0, 1e-3), (1.0, 1.0)])
def test_fifty_digits(alpha, eta):
    """The same sum over tables by plain loops in mpmath, for two topics and two words."""
    counts = [(4, 2), (0, 5), (3, 3)]
    with mpmath.workdps(50):
        a, e, total = mpmath.mpf(alpha), mpmath.mpf(eta), mpmath.mpf(0)
        for m in itertools.product(*(range(n + 1) for pair in counts for n in pair)):
            term = mpmath.mpf(1)
            for j, (n_0, n_1) in enumerate(counts):
                first = m[2 * j] + m[2 * j + 1]
                term *= mpmath.binomial(n_0, m[2 * j]) * mpmath.binomial(n_1, m[2 * j + 1])
                term *= mpmath.beta(a + first, a + n_0 + n_1 - first) / mpmath.beta(a, a)
            N_0, N_1 = sum(n[0] for n in counts), sum(n[1] for n in counts)
            first_0, first_1 = sum(m[0::2]), sum(m[1::2])
            for x, y in ((first_0, first_1), (N_0 - first_0, N_1 - first_1)):
                term *= mpmath.beta(e + x, e + y) / mpmath.beta(e, e)
            total += term
        expected = float(mpmath.log(total))
    c = lda.Corpus.from_csr(np.array(counts))
    assert tables.log_evidence(c, 2, lda.Prior(alpha, eta)) == pytest.approx(expected, rel=1e-14)


def three_documents(first, second, third):
    """log p(x) of documents (a, b, 0), (0, second, 0), (0, 0, third) with K = 2 and all priors 1, by a sum of its own.

    With alpha = 1 a document of one word has every count with the same probability, 1 / (n + 1). So the sum runs over
    the first document's two counts and those of the others, and over the counts of word 1 by a running total.
    """
    a, b = first
    log_factorial = gammaln(np.arange(a + b + second + third + 3) + 1)
    f = log_factorial
    parts = []
    for x in range(a + 1):  # tokens of word 0 in topic 0; those of word 1 are y in this document and z in all
        of_y = [
            f[a] - f[x] - f[a - x] + f[b] - f[y] - f[b - y] + f[x + y] + f[a + b - x - y] - f[a + b + 1]
            for y in range(b + 1)
        ]
        window = np.full(b + second + 1, 0.0)
        top = max(of_y)
        for y, log in enumerate(of_y):
            window[y : y + second + 1] += math.exp(log - top)
        z, t = np.arange(b + second + 1)[:, None], np.arange(third + 1)[None]
        in_0, in_1 = x + z + t, a + b + second + third - x - z - t
        topics = 2 * math.log(2) + f[x] + f[z] + f[t] - f[in_0 + 2]
        topics = topics + f[a - x] + f[b + second - z] + f[third - t] - f[in_1 + 2]
        logs = np.log(window)[:, None] + top + topics
        parts.append((logs.max(), math.fsum(np.exp(logs - logs.max()).sum(1))))
    top = max(x for x, _ in parts)
    total = math.fsum(total * math.exp(x - top) for x, total in parts)
    return top + math.log(total) - math.log(second + 1) - math.log(third + 1)


def test_three_documents_of_posteriordb():
    assert three_documents((4, 1), 3, 2) == pytest.approx(
        lda.exact.log_evidence(lda.Corpus.from_csr(np.array([[4, 1, 0], [0, 3, 0], [0, 0, 2]])), 2, lda.Prior(1, 1)),
        abs=1e-13,
    )
    found = lda.exact.log_evidence(lda.Corpus.from_csr(THREE), 2, lda.Prior(1, 1))
    assert found == pytest.approx(-588.2022104777383, abs=1e-11)
    assert found == pytest.approx(three_documents((360, 40), 400, 400), abs=1e-10)


def test_terms_are_counted_before_the_sum():
    assert tables.terms(lda.Corpus.from_csr(THREE), 2) == 361 * 41 * 401 + 361 * 441 * 401
    with pytest.raises(ValueError, match=r"has at least 10\^7\.8 terms for K = 2, more than the limit of 1,000,000"):
        tables.log_evidence(lda.Corpus.from_csr(THREE), 2, lda.Prior(1, 1), limit=10**6)


def test_a_large_corpus_is_refused_at_once():
    c = lda.Corpus.from_csr(np.ones((200, 300)))
    with pytest.raises(ValueError, match="at least 10"):
        tables.log_evidence(c, 10, lda.Prior(1, 1))


@pytest.mark.parametrize(
    ("c", "K", "p", "message"),
    [
        (CORPUS, 0, lda.Prior(), "K is 0"),
        (lda.Corpus([], [], [], D=1, W=2), 2, lda.Prior(), "the corpus is empty"),
        (CORPUS, 2, lda.Prior([1, 2, 3]), "alpha has 3 entries, expected K = 2"),
    ],
)
def test_errors(c, K, p, message):
    with pytest.raises(ValueError, match=message):
        tables.log_evidence(c, K, p)


def test_equal_entries_of_alpha_are_a_symmetric_prior():
    """The short cut for a symmetric alpha gives what the sum over all topics gives."""
    almost = lda.Prior([0.4, 0.4 * (1 + 1e-12)], 0.3)
    a, b = (table_posterior.cells(CORPUS, 2, p).together for p in (lda.Prior(0.4, 0.3), almost))
    np.testing.assert_allclose(a, b, rtol=1e-11)
