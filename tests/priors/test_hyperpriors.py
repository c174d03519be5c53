"""VB with hyperpriors: BOO16's Figures 2 and 3 by plain loops, the joint density, the bound, and beta integrated out."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import digamma, gammaln, roots_jacobi, roots_laguerre

import lda_reference as lda
from lda_reference import plain
from lda_reference.priors.boojum import Boojum, is_proper
from lda_reference.priors.boojum_mode import Phi, Phi_symmetric
from lda_reference.priors.hyperpriors import bound, log_joint, q_alpha, q_eta, q_phi, q_theta
from lda_reference.priors.learners import conjugate, em2, in_turn

from ..helpers import K, log_p_of_urns, plain_log_B, random_state

VB = lda.ALGORITHMS["vb"]
CORPUS = lda.Corpus.from_documents([[0, 0, 1, 4], [1, 2, 2, 2, 0], [3, 3, 4, 1], [5], [0, 2, 5, 5, 3, 1]], W=7)
PRIOR = lda.Prior([0.5, 0.2, 1.0], [0.2, 1.0, 0.4, 0.3, 0.7, 0.15, 0.6])


# Figures 2 and 3, by plain loops ---------------------------------------------------------------------------------------


def bars(gamma):
    """adot, bdot, abar[d][k] and bbar[k][w] of Figure 2, from mu, and E[alpha] and E[beta] of PRIOR."""
    case = plain.case_of("vb", "estimate", gamma, CORPUS, PRIOR)
    N_jk, N_wk, _ = map(np.array, plain.algorithm(case).counts())
    adot, bdot = PRIOR.alpha + N_jk, PRIOR.eta + N_wk.T
    return adot, bdot, *(digamma(dirichlet_parameters.sum(1, keepdims=True)) - digamma(dirichlet_parameters) for dirichlet_parameters in (adot, bdot))


def test_figure_2_by_loops():
    s = random_state(0, CORPUS, K)
    adot, bdot, abar, bbar = bars(s.gamma)
    N_jk, N_wk, _ = lda.engine.sums(s.gamma, CORPUS)
    alpha_jk, abar_jk = q_theta(N_jk, PRIOR.alpha)
    eta_wk, bbar_wk = q_phi(N_wk, PRIOR.eta)
    for computed_table, looped_table in ((alpha_jk, adot), (abar_jk, abar), (eta_wk.T, bdot), (bbar_wk.T, bbar)):
        assert_allclose(computed_table, looped_table, rtol=1e-12)

    mu = np.exp(-(abar[CORPUS.j] + bbar.T[CORPUS.w]))
    mu /= mu.sum(1, keepdims=True)
    assert_allclose(VB.sweep(s, CORPUS, PRIOR).gamma, mu, rtol=1e-11)

    boojum_posterior = q_alpha(abar_jk, Boojum(1.5, np.array([1.0, 2.0, 3.0])))
    assert boojum_posterior.m == 1.5 - CORPUS.D
    assert_allclose(boojum_posterior.tau, np.arange(1, K + 1) + np.sum(abar, 0), rtol=1e-12)
    boojum_posterior = q_eta(bbar_wk, Boojum(K, np.arange(CORPUS.W) * 1.0))
    assert boojum_posterior.m == 0
    assert_allclose(boojum_posterior.tau, np.arange(CORPUS.W) + np.sum(bbar, 0), rtol=1e-12)


@pytest.mark.parametrize("prior_form", ["vector", "symmetric"])
def test_em2_by_loops(prior_form):
    """Figure 3 [D][d]: log B(x) + u.x is convex, and its gradient is zero at the new prior."""
    s = random_state(1, CORPUS, K)
    _, _, abar, bbar = bars(s.gamma)
    p = em2(alpha=prior_form, eta=prior_form)(s, CORPUS, PRIOR)
    for learned_part, u in ((p.alpha, np.mean(abar, 0)), (p.eta, np.mean(bbar, 0))):
        assert np.ndim(learned_part) == (prior_form == "vector")
        x = np.broadcast_to(learned_part, len(u))
        gradient = digamma(x) - digamma(x.sum()) + u
        assert_allclose(gradient if prior_form == "vector" else gradient.sum(), 0, atol=1e-9)
    for learned_alpha_or_eta in ("alpha", "eta"):
        learned_p = em2(**{learned_alpha_or_eta: prior_form})(s, CORPUS, PRIOR)
        assert_array_equal(getattr(learned_p, learned_alpha_or_eta), getattr(p, learned_alpha_or_eta))
        unlearned_alpha_or_eta = "eta" if learned_alpha_or_eta == "alpha" else "alpha"
        assert_array_equal(getattr(learned_p, unlearned_alpha_or_eta), getattr(PRIOR, unlearned_alpha_or_eta))


@pytest.mark.parametrize("zeta", [0.0, 0.7])
def test_conjugate_by_loops(zeta):
    s = random_state(2, CORPUS, K)
    _, _, abar, bbar = bars(s.gamma)
    mean_beta, mean_alpha = (1 / (zeta + np.sum(bar_table, 0)) for bar_table in (bbar, abar))
    assert_array_equal(conjugate(zeta)(s, CORPUS, PRIOR).alpha, PRIOR.alpha)
    p = conjugate(zeta, alpha=True)(s, CORPUS, PRIOR)
    assert_allclose(p.eta, mean_beta, rtol=1e-12)
    assert_allclose(p.alpha, mean_alpha, rtol=1e-12)
    assert_allclose(conjugate([zeta] * K, True, False)(s, CORPUS, PRIOR).alpha, mean_alpha, rtol=1e-12)
    eta_by_rate = conjugate(np.arange(CORPUS.W) * 1.0)(s, CORPUS, PRIOR).eta
    rates = 1 / eta_by_rate - 1 / conjugate()(s, CORPUS, PRIOR).eta
    assert_allclose(rates, np.arange(CORPUS.W), rtol=1e-10, atol=1e-12)
    learned_p = in_turn(em2(alpha="vector"), conjugate(zeta))(s, CORPUS, PRIOR)
    assert_array_equal(learned_p.alpha, em2(alpha="vector")(s, CORPUS, PRIOR).alpha)
    assert_allclose(learned_p.eta, mean_beta, rtol=1e-12)


# §5.3 ------------------------------------------------------------------------------------------------------------------


@given(st.integers(1, 5), st.integers(2, 6), st.floats(-6, 4), st.integers(0, 10**6))
@settings(deadline=None, max_examples=40)
def test_inequality_of_5_3(D, K, log10_scale, seed):
    """It holds for every adot, and so does each step of its proof."""
    rng = np.random.default_rng(seed)
    adot = 10 ** (log10_scale + rng.uniform(-2, 2, size=(D, K)))
    log_sum_exp = np.logaddexp.reduce(digamma(adot).mean(0))
    mean_digamma = digamma(adot.sum(1)).mean()
    assert log_sum_exp < mean_digamma
    _, abar = q_theta(adot, np.zeros(K))
    assert np.all(np.exp(-abar) < adot / adot.sum(1, keepdims=True))
    assert is_proper(*q_alpha(abar, Boojum(0, np.zeros(K))))
    assert Phi_symmetric(abar.mean(0)) > 0
    assert np.all(Phi(abar.mean(0)) > 0)


def test_em2_asserts_the_inequality():
    """If the prior is so large that rounding hides the difference, that is an error; nothing is clamped."""
    s = random_state(0, CORPUS, K)
    for prior_part, prior_form in itertools.product(("alpha", "eta"), ("vector", "symmetric")):
        with pytest.raises(ArithmeticError, match=rf"the sum of exp\(-u\) is 1 \+ .* in the update of {prior_part}"):
            em2(**{prior_part: prior_form})(s, CORPUS, lda.Prior([1e20, 1, 1], [1e20] + [1] * 6))


# The joint and the bound -----------------------------------------------------------------------------------------------


def test_joint_by_loops():
    """(1), with the observed words: z, theta, phi, alpha and beta all given."""
    rng = np.random.default_rng(4)
    z = rng.integers(K, size=CORPUS.N)
    theta, phi = rng.dirichlet(np.ones(K), size=CORPUS.D), rng.dirichlet(np.ones(CORPUS.W), size=K).T
    alpha, beta = PRIOR.vectors(K, CORPUS.W)
    alpha_prior, eta_prior = Boojum(0.5, rng.gamma(2.0, size=K)), Boojum(K, rng.gamma(2.0, size=CORPUS.W))
    log_p = 0.0
    for alpha_or_beta, boojum_prior, theta_or_beta in ((alpha, alpha_prior, theta), (beta, eta_prior, phi.T)):
        log_p += boojum_prior.m * plain_log_B(alpha_or_beta) - sum(boojum_prior.tau * alpha_or_beta)
        for distribution in theta_or_beta:
            log_p += -plain_log_B(alpha_or_beta) + sum((parameter - 1) * math.log(probability) for parameter, probability in zip(alpha_or_beta, distribution, strict=True))
    tokens = CORPUS.tokens()
    for i in range(CORPUS.N):
        log_p += math.log(theta[tokens.j[i], z[i]]) + math.log(phi[tokens.w[i], z[i]])
    counts = lda.model.counts_of(z, CORPUS, K)
    assert log_joint(*counts, theta, phi, PRIOR, alpha_prior, eta_prior) == pytest.approx(log_p, abs=1e-11)


def test_bound_of_a_fixed_prior_is_that_of_vb():
    s = random_state(0, CORPUS, K)
    for p in (PRIOR, lda.Prior(0.3, 0.2)):
        assert bound(s, CORPUS, p) == pytest.approx(VB.bound(s, CORPUS, p), abs=1e-11)


def test_bound_of_full_conjugacy_by_quadrature():
    """E_q[log p(beta) + log p(phi | beta) + log p(z, w | phi) - log q(beta) - log q(phi)], four dimensions."""
    c = lda.Corpus.from_documents([[0, 0, 1, 1, 0], [1, 1, 0]], W=2)
    s = lda.State(np.random.default_rng(0).dirichlet([3, 3], size=c.M))
    p, zeta = lda.Prior(0.7, [1.2, 0.8]), np.array([0.3, 0.9])
    N_wk = lda.engine.sums(s.gamma, c).wk
    laguerre_nodes, laguerre_weights = roots_laguerre(24)
    beta = np.stack(np.meshgrid(laguerre_nodes * p.eta[0], laguerre_nodes * p.eta[1], indexing="ij"), -1)[:, :, None, None]
    grid_weights = (laguerre_weights[:, None] * laguerre_weights)[:, :, None, None]
    log_B = gammaln(beta).sum(-1) - gammaln(beta.sum(-1))
    log_ratio = 2 * log_B - (zeta * beta).sum(-1)  # log p(beta)
    log_ratio = log_ratio - (-beta / p.eta - np.log(p.eta)).sum(-1)  # log q(beta)
    for k in range(2):
        posterior_eta = p.eta + N_wk[:, k]
        jacobi_nodes, jacobi_weights = roots_jacobi(60, posterior_eta[1] - 1, posterior_eta[0] - 1)
        phi_of_word_0 = ((1 + jacobi_nodes) / 2).reshape((-1, 1) if k == 0 else (1, -1))
        log_phi = np.stack((np.log(phi_of_word_0), np.log1p(-phi_of_word_0)), -1)
        grid_weights = grid_weights * (jacobi_weights / jacobi_weights.sum()).reshape(phi_of_word_0.shape)
        log_ratio = log_ratio + ((beta - 1) * log_phi).sum(-1) - log_B  # log p(phi_k | beta)
        log_ratio = log_ratio + (N_wk[:, k] * log_phi).sum(-1)  # E[log p(w | z, phi)] under q(z)
        log_ratio = log_ratio - ((posterior_eta - 1) * log_phi).sum(-1) + plain_log_B(posterior_eta)  # log q(phi_k)
    expected_log_ratio = float((grid_weights * log_ratio).sum())
    log_B_ratio = log_p_of_urns(N_wk.T, p.eta)
    assert bound(s, c, p, zeta_eta=zeta) - VB.bound(s, c, p) + log_B_ratio == pytest.approx(expected_log_ratio, abs=1e-5)
