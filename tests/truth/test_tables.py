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
    cells_posterior, exact_posterior = table_posterior.cells(CORPUS, K, p), lda.exact.posterior(CORPUS, K, p)
    assert cells_posterior.log_evidence == pytest.approx(exact_posterior.log_evidence, abs=1e-13)
    row_of_type = {(j, w): type_row for type_row, (j, w) in enumerate(zip(cells_posterior.types.j, cells_posterior.types.w, strict=True))}
    type_rows = [row_of_type[j, w] for j, w in zip(CORPUS.j, CORPUS.w, strict=True)]
    np.testing.assert_allclose(cells_posterior.gamma[type_rows], exact_posterior.gamma, rtol=1e-12)
    off_diagonal = ~np.eye(CORPUS.N, dtype=bool)
    np.testing.assert_allclose(cells_posterior.together[np.ix_(type_rows, type_rows)][off_diagonal], exact_posterior.together[off_diagonal], rtol=1e-12)


@pytest.mark.parametrize("case_name", CASES)
def test_moments_equal_enumeration(case_name):
    K, p = CASES[case_name]
    alpha, eta = p.vectors(K, CORPUS.W)
    _, N_jk, N_wk, p_of_z = law_of_assignments(CORPUS, K, p)
    alpha_plus_N_jk, eta_plus_N_wk = N_jk + alpha, N_wk + eta[:, None, None]
    A, H = alpha_plus_N_jk.sum(-1, keepdims=True), eta_plus_N_wk.sum(0)
    one_more_token = np.eye(CORPUS.D)[:, :, None, None]
    theta = np.einsum("jrk,jirk,r->ji", alpha_plus_N_jk / A, (alpha_plus_N_jk + one_more_token) / (A + one_more_token), p_of_z)
    phi = np.einsum("wrk,wvrk,r->wv", eta_plus_N_wk / H, (eta_plus_N_wk + np.eye(CORPUS.W)[:, :, None, None]) / (H + 1), p_of_z)
    moments = table_posterior.moments(CORPUS, K, p)
    np.testing.assert_allclose(moments.theta, theta, rtol=1e-12)
    np.testing.assert_allclose(moments.phi, phi, rtol=1e-12)
    np.testing.assert_allclose(moments.predictive, np.einsum("jrk,wrk,r->jw", alpha_plus_N_jk / A, eta_plus_N_wk / H, p_of_z), rtol=1e-12)


@pytest.mark.parametrize(("alpha", "eta"), [(0.1, 0.1), (1e-3, 5.0), (50.0, 1e-3)])
def test_fifty_digits(alpha, eta):
    """The same sum over tables by plain loops in mpmath, for two topics and two words."""
    counts = [(3, 2), (0, 3), (2, 2)]
    with mpmath.workdps(50):
        mp_alpha, mp_eta, p_x = mpmath.mpf(alpha), mpmath.mpf(eta), mpmath.mpf(0)
        for cell_counts in itertools.product(*(range(n_tokens + 1) for document_counts in counts for n_tokens in document_counts)):
            table_term = mpmath.mpf(1)
            for j, (n_0, n_1) in enumerate(counts):
                n_topic_0 = cell_counts[2 * j] + cell_counts[2 * j + 1]
                table_term *= mpmath.binomial(n_0, cell_counts[2 * j]) * mpmath.binomial(n_1, cell_counts[2 * j + 1])
                table_term *= mpmath.beta(mp_alpha + n_topic_0, mp_alpha + n_0 + n_1 - n_topic_0) / mpmath.beta(mp_alpha, mp_alpha)
            N_0, N_1 = sum(document_counts[0] for document_counts in counts), sum(document_counts[1] for document_counts in counts)
            N_00, N_10 = sum(cell_counts[0::2]), sum(cell_counts[1::2])
            for n_word_0, n_word_1 in ((N_00, N_10), (N_0 - N_00, N_1 - N_10)):
                table_term *= mpmath.beta(mp_eta + n_word_0, mp_eta + n_word_1) / mpmath.beta(mp_eta, mp_eta)
            p_x += table_term
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
