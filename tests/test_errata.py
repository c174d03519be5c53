"""The errors in print of ERRATA.md that numbers can show and that no other test shows."""

import itertools
import math

import numpy as np
import pytest
from scipy.special import digamma, gammaln, softmax
from sklearn.metrics import average_precision_score, roc_auc_score

import lda_reference as lda
from lda_reference.engine import sums
from lda_reference.model import counts_of

from .helpers import TINY, K, for_each_tiny_prior, joint, updated

ALGORITHMS = lda.ALGORITHMS
PRIOR = lda.Prior(0.4, 0.3)
GAMMA = np.random.default_rng(0).dirichlet(np.ones(K), size=TINY.M)  # one row for each token


def normalised(x, axis=-1):
    return x / x.sum(axis, keepdims=True)


def without_token(c, i):
    """The corpus without its token i."""
    is_kept = np.arange(c.N) != i
    return c.with_rows(c.j[is_kept], c.w[is_kept], c.n[is_kept])


def test_the_update_of_cvb_has_the_log_inside_the_expectation():  # TNW06 (14)
    mean_log, mean_joint = np.zeros((2, TINY.N, K))
    for z in itertools.product(range(K), repeat=TINY.N):
        p_xz = joint(z, TINY, K, PRIOR)
        for i in range(TINY.N):
            p_of_others = math.prod(GAMMA[token, k] for token, k in enumerate(z) if token != i)
            mean_log[i, z[i]] += p_of_others * math.log(p_xz)
            mean_joint[i, z[i]] += p_of_others * p_xz
    cvb_gamma = updated(ALGORITHMS["cvb_exact"], GAMMA, TINY, PRIOR)
    np.testing.assert_allclose(softmax(mean_log, -1), cvb_gamma, rtol=0, atol=1e-12)
    assert np.abs(softmax(mean_joint, -1) - cvb_gamma).max() > 0.05  # as printed


def test_the_expectations_of_vb_add():  # AWST09 (9)
    N_jk, N_wk, N_k = sums(GAMMA, TINY)
    mean_log_theta = digamma(N_jk + 0.4) - digamma(N_jk.sum(1, keepdims=True) + K * 0.4)
    mean_log_phi = digamma(N_wk + 0.3) - digamma(N_k + TINY.W * 0.3)
    vb_gamma = updated(ALGORITHMS["vb"], GAMMA, TINY, PRIOR)
    np.testing.assert_allclose(softmax(mean_log_phi[TINY.w] + mean_log_theta[TINY.j], -1), vb_gamma, rtol=0, atol=1e-12)
    assert np.abs(softmax(mean_log_phi[TINY.w] * mean_log_theta[TINY.j], -1) - vb_gamma).max() > 0.1  # as printed


@pytest.mark.parametrize("c", [TINY, TINY.types()])
def test_the_collapsed_bound_is_not_strictly_better(c):  # AWST09 §2.4
    s = lda.State(np.ones((c.M, 1)))
    evidence = lda.exact.posterior(c, 1, PRIOR).log_evidence
    assert [ALGORITHMS[name].bound(s, c, PRIOR) for name in ("vb", "cvb0")] == pytest.approx([evidence] * 2, rel=1e-12)


@for_each_tiny_prior
def test_conditionals_of_the_topics_are_normalised(p):
    """The weights of SOL14 (8)(28) are not a distribution. App. D (*): the sum of (27) is p(w_i | w_-i, z_-i)."""
    z = [0, 1, 2, 0, 0, 1]
    alpha, eta = p.arrays(K, TINY.W)
    weight_sums, word_ratios = [], []
    for i in range(TINY.N):
        c, z_others, j, w = without_token(TINY, i), np.delete(z, i), TINY.j[i], TINY.w[i]
        N_jk, N_wk = counts_of(z_others, c, K)
        weights = (eta[w] + N_wk[w]) * (alpha + N_jk[j]) / (eta.sum(0) + N_wk.sum(0))  # (29)
        p_xz = np.array([joint([*z[:i], k, *z[i + 1 :]], TINY, K, p) for k in range(K)])
        np.testing.assert_allclose(normalised(weights), normalised(p_xz), rtol=1e-12)
        weight_sums.append(weights.sum())
        p_27 = weights / (alpha.sum() + N_jk[j].sum())  # (27)
        p_w = p_xz.sum() / joint(z_others, c, K, p)  # the probability of w_i given the rest
        assert p_27.sum() == pytest.approx(p_w, rel=1e-12)
        word_ratios.append(p_w / np.mean(eta[w] / eta.sum(0)))
    assert np.abs(np.log(weight_sums)).max() > 0.3  # in print it is 1
    assert np.abs(np.log(word_ratios)).max() > 0.2  # in print it is p(w_i), to which it has no fixed ratio


def test_the_conditional_given_the_parameters_is_normalised():  # SOL14 (7)(24)
    rng = np.random.default_rng(1)
    theta_jk, phi_wk = rng.dirichlet(np.ones(K), size=TINY.D), rng.dirichlet(np.ones(TINY.W), size=K).T
    z = [0, 1, 2, 0, 0, 1]
    for i in range(TINY.N):
        weights = theta_jk[TINY.j[i]] * phi_wk[TINY.w[i]]
        log_p = np.array([lda.log_joint([*z[:i], k, *z[i + 1 :]], theta_jk, phi_wk, TINY, PRIOR) for k in range(K)])
        np.testing.assert_allclose(normalised(weights), softmax(log_p), rtol=1e-10)
        assert weights.sum() < 0.9  # as printed


@for_each_tiny_prior
def test_posterior_means_are_smoothed(p):
    """SOL14 §2.4.1: the mean of theta phi over z is the ratio of the evidences with one more token and without it."""
    evidence = math.exp(lda.exact.posterior(TINY, K, p).log_evidence)
    mean_probabilities = {"smoothed": np.zeros((TINY.D, TINY.W)), "as printed": np.zeros((TINY.D, TINY.W))}
    for z in itertools.product(range(K), repeat=TINY.N):
        N_jk, N_wk = counts_of(z, TINY, K)
        p_z = joint(z, TINY, K, p) / evidence
        theta_jk, phi_wk = ALGORITHMS["cgs"].estimate(lda.State(np.eye(K)[list(z)], np.array(z)), TINY, p)
        mean_probabilities["smoothed"] += p_z * theta_jk @ phi_wk.T
        with np.errstate(invalid="ignore"):  # 0/0 without tokens, set to 0
            mean_probabilities["as printed"] += p_z * np.nan_to_num(normalised(N_jk)) @ np.nan_to_num(normalised(N_wk, 0)).T
    evidence_ratio = np.zeros((TINY.D, TINY.W))
    for j, w in np.ndindex(evidence_ratio.shape):
        c_with_token = TINY.with_rows(*(np.insert(column, np.searchsorted(TINY.j, j, "right"), added_entry) for column, added_entry in zip((TINY.j, TINY.w, TINY.n), (j, w, 1), strict=True)))
        evidence_ratio[j, w] = math.exp(lda.exact.posterior(c_with_token, K, p).log_evidence) / evidence
    np.testing.assert_allclose(mean_probabilities["smoothed"], evidence_ratio, rtol=1e-11)
    assert np.abs(mean_probabilities["as printed"] - evidence_ratio).max() > 0.1


def test_the_pooled_perplexity_is_not_a_mean_over_documents():  # BOO16 §6
    c = lda.Corpus.from_documents([[0] * 5, [1]], W=2)
    theta_jk, phi_wk = np.ones((2, 1)), np.array([[0.8], [0.2]])
    perplexity_j = [lda.perplexity(lda.Corpus.from_documents(document_lists, W=2), np.ones((1, 1)), phi_wk) for document_lists in ([[0] * 5], [[1]])]
    pooled_perplexity = math.exp(-(5 * math.log(0.8) + math.log(0.2)) / 6)  # the formula
    assert lda.perplexity(c.types(), theta_jk, phi_wk) == pytest.approx(pooled_perplexity, rel=1e-13)
    assert np.mean(perplexity_j) > 1.9 * pooled_perplexity  # the text


@pytest.mark.parametrize("n0", range(K + 1))
def test_full_conjugacy_has_an_improper_posterior(n0):
    """BOO16 §5.3: p(eta_w, z | x) ~ eta_w^-n0 near 0 if n0 topics lack word w; it has no integral for n0 >= 1."""
    N_jk, N_wk = np.full((2, K), 3.0), np.full((4, K), 2.0)
    N_wk[1, :n0] = 0

    def log_posterior(eta_w):
        eta = np.array([0.5, eta_w, 0.2, 1.5])
        log_boojum_prior = K * (gammaln(eta).sum() - gammaln(eta.sum())) - 0.7 * eta.sum()
        return log_boojum_prior + lda.log_joint_collapsed(N_jk, N_wk, lda.Prior(0.1, eta))

    slope = (log_posterior(1e-7) - log_posterior(1e-9)) / math.log(100)
    assert slope == pytest.approx(-n0, abs=1e-5)


def test_a_standard_error_of_accuracy_below_0_05_is_in_percent():
    """As fractions two accuracies that are 5 points apart are enough for SOL14's bound; in percent five are far from it."""
    accuracies = np.array([0.90, 0.95, 0.91, 0.97, 0.93])
    assert accuracies[:2].std(ddof=1) / 2**0.5 < 0.05
    assert (100 * accuracies).std(ddof=1) / 5**0.5 > 1


def test_an_auc_of_0_90_excludes_an_average_precision_of_0_14():  # AWST09 §4.2; chapter 23 derives the inequality
    def bound(n_relevant, n_documents, auc):
        i = np.arange(1, n_relevant + 1)
        return np.sqrt(i).mean() ** 2 / (i.mean() + (n_documents - n_relevant) * (1 - auc))

    for relevant_ranks in itertools.combinations(range(10), 3):
        is_relevant = np.isin(np.arange(10), relevant_ranks)
        auc, average_precision = roc_auc_score(is_relevant, -np.arange(10)), average_precision_score(is_relevant, -np.arange(10))
        assert average_precision >= bound(3, 10, auc) - 1e-12
    assert all(bound(n_relevant, 20 * n_relevant, 0.90) > 0.185 for n_relevant in range(1, 2000))
    assert bound(10**5, 20 * 10**5, 0.90) < 0.186
