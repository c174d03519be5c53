"""The log evidence L of counts: by plain loops, by enumeration, in high precision; its gradient by differences."""

import mpmath
import numpy as np
import pytest

import lda_reference as lda
from lda_reference import bernoulli, quadrature
from lda_reference.priors.evidence import (
    FLAT,
    FixedCounts,
    GammaPrior,
    RandomCounts,
    gradient,
    objective,
    plug_in_counts,
    random_counts,
)

from ..helpers import TOKENS, K, count_distribution, polya_counts, slopes

PRIORS = [FLAT, GammaPrior(2.0, 1.0), GammaPrior(1.5, 0.1), GammaPrior(1.0, 0.3)]


def test_the_objective_is_the_log_evidence_by_plain_loops():
    """log p(z | alpha), token by token from an urn; for eta, log p(x | z)."""
    c = TOKENS.types().tokens()
    rng = np.random.default_rng(0)
    z = rng.integers(K, size=c.N)
    s = lda.ALGORITHMS["cgs"].init(c, K, lda.Prior(), z=z)
    alpha, eta = np.array([0.3, 0.7, 1.1]), 0.4
    log_p_z = log_p_x = 0.0
    N_jk, N_wk, N_k = np.zeros((c.D, K)), np.zeros((c.W, K)), np.zeros(K)
    for j, w, k in zip(c.j, c.w, z, strict=True):
        log_p_z += np.log((alpha[k] + N_jk[j, k]) / (alpha.sum() + N_jk[j].sum()))
        log_p_x += np.log((eta + N_wk[w, k]) / (c.W * eta + N_k[k]))
        N_jk[j, k] += 1
        N_wk[w, k] += 1
        N_k[k] += 1
    for counts_of_state in (plug_in_counts, random_counts):
        assert objective(counts_of_state(s, c, "alpha"), alpha) == pytest.approx(log_p_z, abs=1e-9)
        assert objective(counts_of_state(s, c, "eta"), eta) == pytest.approx(log_p_x, abs=1e-9)
    for prior_part, a, log_p in (("alpha", alpha, log_p_z), ("eta", np.array(eta), log_p_x)):
        log_p_a = objective(plug_in_counts(s, c, prior_part), a, GammaPrior(2.0, 3.0))
        assert log_p_a == pytest.approx(log_p + np.log(a).sum() - 3 * a.sum(), abs=1e-9)


@pytest.mark.parametrize("gamma_prior", PRIORS)
@pytest.mark.parametrize("a", [0.7, np.array([0.2, 1.0, 3.0, 2000.0])])
def test_the_gradient_is_that_of_the_objective(a, gamma_prior):
    counts = polya_counts(1)
    numerical_gradient = slopes(lambda log_a: objective(counts, np.exp(log_a), gamma_prior), np.log(a), 1e-6)
    np.testing.assert_allclose(gradient(counts, a, gamma_prior), numerical_gradient, rtol=0, atol=1e-4)


def test_exact_expectations_are_those_of_the_enumeration():
    c, K = lda.Corpus.from_documents([[0, 1, 1], [2, 0]]), 2
    gamma = np.random.default_rng(0).dirichlet([0.5, 0.5], c.N)
    s = lda.State(gamma)
    for prior_part, prior_numbers in (("alpha", (0.05, np.array([0.4, 2.0]))), ("eta", (0.05, np.array([0.3, 1.0, 2.0])))):
        counts = random_counts(s, c, prior_part)
        for a in prior_numbers:
            expected_log_p = 0.0
            for z in np.ndindex((K,) * c.N):
                p_of_z = gamma[np.arange(c.N), z].prod()
                expected_log_p += p_of_z * objective(plug_in_counts(lda.State(np.eye(K)[list(z)]), c, prior_part), a)
            assert objective(counts, a) == pytest.approx(expected_log_p, abs=1e-10)
    # and the bound (12) moves as L does
    A = lda.ALGORITHMS["cvb_exact"]
    for first_alpha, second_alpha in ((0.05, 0.5), (0.01, 3.0)):
        bound_change = A.bound(s, c, lda.Prior(first_alpha, 0.2)) - A.bound(s, c, lda.Prior(second_alpha, 0.2))
        counts = random_counts(s, c, "alpha")
        assert bound_change == pytest.approx(objective(counts, first_alpha) - objective(counts, second_alpha), abs=1e-9)


def test_exact_expectations_of_many_tokens_in_high_precision():
    """E[Ψ(a + n) - Ψ(a)] of 150 tokens, by convolution at 40 digits."""
    token_probabilities = np.random.default_rng(1).dirichlet([0.05, 0.05], 150)[:, 0]
    S = bernoulli.statistic(token_probabilities[:, None]).sum(1)
    random_count = RandomCounts(-np.expm1(bernoulli.log_generating_function(S)), S[0])
    with mpmath.workdps(40):
        count_law = count_distribution(token_probabilities)
        for derivative_order, mp_function in enumerate((mpmath.loggamma, mpmath.digamma)):
            for a in (1e-3, 0.1, 5.0, 700.0):
                expected_rise = float(sum(p_n * (mp_function(a + n) - mp_function(a)) for n, p_n in enumerate(count_law)))
                assert random_count.log_rising(np.array([a]), derivative_order)[0] == pytest.approx(expected_rise, rel=1e-10)


@pytest.mark.parametrize("a", [0.1, 700.0])
def test_what_lies_left_of_the_first_node_counts_where_counts_are_large(a):
    token_count = np.array([400_000.0])  # tokens of probability 1
    random_count = RandomCounts(-np.expm1(-token_count * quadrature.NODES[:, None]), token_count)
    for derivative_order, mp_function, rel_tolerance in ((0, mpmath.loggamma, 1e-9), (1, mpmath.digamma, 1e-11)):
        with mpmath.workdps(40):
            rise = float(mp_function(mpmath.mpf(a) + 400_000) - mp_function(mpmath.mpf(a)))
        assert random_count.log_rising(np.array([a]), derivative_order)[0] == pytest.approx(rise, rel=rel_tolerance)


@pytest.mark.parametrize("token_count", [1, 7, 5000])
@pytest.mark.parametrize("a", [1e-6, 0.5, 999.0, 1001.0, 1e6, 1e8])
def test_differences_keep_their_digits(a, token_count):
    with mpmath.workdps(50):
        mp_functions = (mpmath.loggamma, mpmath.digamma)
        rises = [float(mp_function(mpmath.mpf(a) + token_count) - mp_function(mpmath.mpf(a))) for mp_function in mp_functions]
    counts = FixedCounts(np.array([[float(token_count)]]))
    for derivative_order in (0, 1):
        assert counts.log_rising(np.array([a]), derivative_order)[0] == pytest.approx(rises[derivative_order], rel=2e-11)
