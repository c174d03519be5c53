"""Sums over tables of counts: against enumeration, and plain loops in 50 digits."""

import itertools

import mpmath
import numpy as np
import pytest

import lda_reference as lda
from lda_reference.truth import table_posterior, tables

from ..helpers import TINY_PRIORS, law_of_assignments

CORPUS = lda.Corpus.from_documents([[0, 0, 3], [0, 1], [], [1, 3]], W=4)  # word 2 and document 2 have no tokens
POSTERIORDB_COUNTS = np.array([[360, 40, 0], [0, 400, 0], [0, 0, 400]])
CASES = {
    "one topic": (1, lda.Prior(0.3, [0.2, 0.5, 1.0, 2.0])),
    "symmetric": (2, lda.Prior(0.4, 0.3)),
    "vectors": (3, lda.Prior([0.3, 0.7, 1.1], [0.2, 0.5, 1.0, 2.0])),
}


@pytest.mark.parametrize(("K", "p"), [*CASES.values(), (3, TINY_PRIORS["eta by topic"])], ids=[*CASES, "eta by topic"])
def test_cells_equal_enumeration(K, p):
    cells, exact = table_posterior.cells(CORPUS, K, p), lda.exact.posterior(CORPUS, K, p)
    assert cells.log_evidence == pytest.approx(exact.log_evidence, abs=1e-13)
    row_of_type = {(j, w): a for a, (j, w) in enumerate(zip(cells.types.j, cells.types.w, strict=True))}
    rows = [row_of_type[j, w] for j, w in zip(CORPUS.j, CORPUS.w, strict=True)]
    np.testing.assert_allclose(cells.gamma[rows], exact.gamma, rtol=1e-12)
    off_diagonal = ~np.eye(CORPUS.N, dtype=bool)
    np.testing.assert_allclose(cells.together[np.ix_(rows, rows)][off_diagonal], exact.together[off_diagonal], rtol=1e-12)


@pytest.mark.parametrize("case_name", CASES)
def test_moments_equal_enumeration(case_name):
    K, p = CASES[case_name]
    alpha, eta = p.vectors(K, CORPUS.W)
    _, N_jk, N_wk, law = law_of_assignments(CORPUS, K, p)
    a, b = N_jk + alpha, N_wk + eta[:, None, None]
    A, H = a.sum(-1, keepdims=True), b.sum(0)
    one_more = np.eye(CORPUS.D)[:, :, None, None]
    theta = np.einsum("jrk,jirk,r->ji", a / A, (a + one_more) / (A + one_more), law)
    phi = np.einsum("wrk,wvrk,r->wv", b / H, (b + np.eye(CORPUS.W)[:, :, None, None]) / (H + 1), law)
    moments = table_posterior.moments(CORPUS, K, p)
    np.testing.assert_allclose(moments.theta, theta, rtol=1e-12)
    np.testing.assert_allclose(moments.phi, phi, rtol=1e-12)
    np.testing.assert_allclose(moments.predictive, np.einsum("jrk,wrk,r->jw", a / A, b / H, law), rtol=1e-12)


@pytest.mark.parametrize(("alpha", "eta"), [(0.1, 0.1), (1e-3, 5.0), (50.0, 1e-3)])
def test_fifty_digits(alpha, eta):
    """The same sum over tables by plain loops in mpmath, for two topics and two words."""
    counts = [(3, 2), (0, 3), (2, 2)]
    with mpmath.workdps(50):
        a, e, p_x = mpmath.mpf(alpha), mpmath.mpf(eta), mpmath.mpf(0)
        for m in itertools.product(*(range(n + 1) for pair in counts for n in pair)):
            term = mpmath.mpf(1)
            for j, (n_0, n_1) in enumerate(counts):
                n_topic_0 = m[2 * j] + m[2 * j + 1]
                term *= mpmath.binomial(n_0, m[2 * j]) * mpmath.binomial(n_1, m[2 * j + 1])
                term *= mpmath.beta(a + n_topic_0, a + n_0 + n_1 - n_topic_0) / mpmath.beta(a, a)
            N_0, N_1 = sum(n[0] for n in counts), sum(n[1] for n in counts)
            N_00, N_10 = sum(m[0::2]), sum(m[1::2])
            for x, y in ((N_00, N_10), (N_0 - N_00, N_1 - N_10)):
                term *= mpmath.beta(e + x, e + y) / mpmath.beta(e, e)
            p_x += term
        log_p = float(mpmath.log(p_x))
    c = lda.Corpus.from_csr(np.array(counts))
    assert tables.log_evidence(c, 2, lda.Prior(alpha, eta)) == pytest.approx(log_p, rel=1e-14)


def test_three_documents_of_posteriordb():
    log_evidence = lda.exact.log_evidence(lda.Corpus.from_csr(POSTERIORDB_COUNTS), 2, lda.Prior(1, 1))
    assert log_evidence == pytest.approx(-588.2022104777383, abs=1e-11)


def test_terms_are_counted_before_the_sum(monkeypatch):
    assert tables.terms(lda.Corpus.from_csr(POSTERIORDB_COUNTS), 2) == 361 * 41 * 401 + 361 * 441 * 401
    monkeypatch.setattr(tables, "LIMIT", 10**6)
    with pytest.raises(ValueError, match=r"has at least 10\^7\.8 terms for K = 2, more than the limit of 1,000,000"):
        tables.log_evidence(lda.Corpus.from_csr(POSTERIORDB_COUNTS), 2, lda.Prior(1, 1))


def test_a_sum_that_is_far_too_large_is_refused_at_once():
    with pytest.raises(ValueError, match="at least 10"):
        tables.log_evidence(lda.Corpus.from_csr(np.ones((200, 300))), 10, lda.Prior(1, 1))
