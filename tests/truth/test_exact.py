"""The model's probabilities, enumeration, and the bounds that enumeration judges."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.stats import dirichlet

import lda_reference as lda
from lda_reference.model import counts_of

from ..helpers import (
    PRIORS,
    TINY,
    TINY_PRIORS,
    K,
    all_refused,
    enumerated,
    enumerated_free_energy,
    for_each_tiny_case,
    for_each_tiny_prior,
    joint,
    long_form_bound,
    prior_tables,
    problems,
    run,
    start,
)


@for_each_tiny_prior
def test_collapsed_joint_is_a_polya_urn(p):
    for z in ([0, 1, 2, 0, 0, 1], [2] * 6, [0, 0, 1, 1, 2, 2]):
        log_p = lda.log_joint_collapsed(*counts_of(z, TINY, K), p)
        assert log_p == pytest.approx(math.log(joint(z, TINY, K, p)), abs=1e-12)


@pytest.mark.parametrize("prior_name", ["vectors", "eta by topic"])
def test_full_joint_integrates_to_the_collapsed_one(prior_name):
    """log p(x, z, theta, phi) is log p(x, z) plus the log density of the Dirichlet posteriors, at any theta and phi."""
    p = TINY_PRIORS[prior_name]
    z = [0, 1, 2, 0, 0, 1]
    N_jk, N_wk = counts_of(z, TINY, K)
    alpha, eta_wk = prior_tables(p, K, TINY.W)
    rng = np.random.default_rng(0)
    theta_jk = rng.dirichlet(np.ones(K), size=TINY.D)
    phi_wk = rng.dirichlet(np.ones(TINY.W), size=K).T
    log_posterior = sum(dirichlet.logpdf(theta_jk[j], alpha + N_jk[j]) for j in range(TINY.D))
    log_posterior += sum(dirichlet.logpdf(phi_wk[:, k], eta_wk[:, k] + N_wk[:, k]) for k in range(K))
    log_p = lda.log_joint_collapsed(N_jk, N_wk, p) + log_posterior
    assert lda.log_joint(z, theta_jk, phi_wk, TINY, p) == pytest.approx(log_p, abs=1e-10)


@for_each_tiny_case
def test_posterior_by_plain_loops(c, p):
    p_x, gamma, together = enumerated(c, K, p)
    posterior = lda.exact.posterior(c, K, p)
    assert posterior.log_evidence == pytest.approx(math.log(p_x), abs=1e-12)
    np.testing.assert_allclose(posterior.gamma, gamma, rtol=0, atol=1e-12)
    np.testing.assert_allclose(posterior.together, together, rtol=0, atol=1e-12)


@for_each_tiny_prior
def test_the_exact_posterior_satisfies_callens_equations(p):
    posterior, callen_posterior = lda.exact.posterior(TINY, K, p), lda.exact.callen(TINY, K, p)
    np.testing.assert_allclose(callen_posterior.gamma, posterior.gamma, rtol=0, atol=1e-13)
    np.testing.assert_allclose(callen_posterior.together, posterior.together, rtol=0, atol=1e-13)


@for_each_tiny_case
def test_expected_log_by_plain_loops(c, p):
    tokens = c.tokens()
    gamma = np.random.default_rng(1).dirichlet(np.ones(K), size=c.M)
    token_gamma = np.repeat(gamma, c.n, axis=0)
    expected_log = np.zeros((c.N, K))
    alpha, eta_wk = prior_tables(p, K, c.W)
    for i in range(c.N):
        other_tokens = [other_i for other_i in range(c.N) if other_i != i]
        for z in itertools.product(range(K), repeat=len(other_tokens)):
            q_of_z = math.prod(token_gamma[other_i, k] for other_i, k in zip(other_tokens, z, strict=True))
            for k in range(K):
                tokens_of_k = [other_i for other_i, topic in zip(other_tokens, z, strict=True) if topic == k]
                N_jk, N_wk = sum(tokens.j[other_i] == tokens.j[i] for other_i in tokens_of_k), sum(tokens.w[other_i] == tokens.w[i] for other_i in tokens_of_k)
                topic_weight = (alpha[k] + N_jk) * (eta_wk[tokens.w[i], k] + N_wk) / (eta_wk[:, k].sum() + len(tokens_of_k))
                expected_log[i, k] += q_of_z * math.log(topic_weight)
    np.testing.assert_allclose(lda.exact.expected_log(gamma, c, K, p), expected_log, rtol=0, atol=1e-12)


def test_enumeration_says_how_large_the_task_is():
    c = lda.Corpus.from_documents([[0] * 30], W=1)
    all_refused([
        (lambda: lda.exact.posterior(c, 10, PRIORS["0.1"]), r"K\^N = 10\^30, about 10\^30.0 assignments"),
        (lambda: lda.exact.posterior(lda.bible.corpus(), 2, PRIORS["0.1"]), r"K\^N = 2\^138693, about 10\^41750.8 assignments"),  # at once
    ])


@settings(max_examples=30, deadline=None)
@given(problems())
def test_vb_bound_is_the_free_energy_term_by_term(problem):
    c, n_topics, p, seed = problem
    s = start("vb", c, seed=seed, K=n_topics)
    assert lda.ALGORITHMS["vb"].bound(s, c, p) == pytest.approx(long_form_bound(s.gamma, c, p), rel=1e-8, abs=1e-8)


@settings(max_examples=30, deadline=None)
@given(problems())
def test_vb_bound_below_collapsed_bound_below_evidence(problem):  # TNW06 (13)
    c, n_topics, p, seed = problem
    if n_topics**c.N > 20_000:
        return
    log_evidence = lda.exact.posterior(c, n_topics, p).log_evidence
    for n_sweeps in (0, 3):
        s = run("vb", c, p, start("vb", c, seed=seed, K=n_topics), seed, sweeps=n_sweeps)
        vb_bound, collapsed_bound = lda.ALGORITHMS["vb"].bound(s, c, p), lda.ALGORITHMS["cvb0"].bound(s, c, p)
        assert vb_bound <= collapsed_bound + 1e-10 * abs(collapsed_bound) + 1e-10
        assert collapsed_bound <= log_evidence + 1e-10 * abs(log_evidence) + 1e-10


@for_each_tiny_case
def test_collapsed_bound_is_the_enumerated_free_energy(c, p):  # TNW06 (12)
    rng = np.random.default_rng(2)
    for gamma in (*(rng.dirichlet(np.full(K, concentration), size=c.M) for concentration in (1.0, 0.05)), np.eye(K)[np.arange(c.M) % K]):
        free_energy = enumerated_free_energy(gamma, c, p)
        assert lda.ALGORITHMS["cvb0"].bound(lda.State(gamma), c, p) == pytest.approx(free_energy, abs=1e-9)
