"""Estimates, the probability of tokens, perplexity and folding in: against plain loops and enumeration."""

import math

import numpy as np
import pytest
from numpy.random import default_rng
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import digamma

import lda_reference as lda
from lda_reference import plain
from lda_reference.evaluation import prediction
from lda_reference.plain.vb_steps import FoldIn

from ..helpers import SOFT, all_refused, prior_for

C = lda.Corpus([0, 0, 2], [1, 3, 0], [2, 1, 4], 3, 4)


def test_perplexity_by_plain_loops_and_over_samples():
    rng = default_rng(0)
    theta = rng.dirichlet(np.ones(3), size=(3, 5))  # three documents, five samples
    phi = np.moveaxis(rng.dirichlet(np.ones(4), size=(5, 3)), -1, 0)
    for n_samples in (None, 1, 5):  # None: without an axis of samples
        sample_range, log_p = range(n_samples or 1), 0.0
        for j, w, n in zip(C.j, C.w, C.n, strict=True):
            probability = sum(theta[j, sample, k] * phi[w, sample, k] for sample in sample_range for k in range(3)) / len(sample_range)
            log_p += n * math.log(probability)
        theta_phi = (theta[:, 0], phi[:, 0]) if n_samples is None else (theta[:, :n_samples], phi[:, :n_samples])
        assert lda.perplexity(C, *theta_phi) == pytest.approx(math.exp(-log_p / 7), rel=1e-13)


def test_perplexity_of_checks_the_probabilities():
    assert prediction.perplexity_of(C, np.array([0.5, 0.0, 0.5])) == math.inf
    all_refused([
        (lambda: prediction.perplexity_of(C, np.array([1.0, math.nan, 0.5])), r"probability\[1\] is nan"),
        (lambda: lda.perplexity(lda.Corpus([], [], [], 3, 4), np.full((3, 2), 0.5), np.full((4, 2), 0.25)), "has no token"),
    ])


def test_folding_in_checks_its_arguments():
    A, p, phi = lda.ALGORITHMS["cvb0"], lda.Prior(0.5, 0.5), np.full((4, 2), 0.25)

    def fold(c, phi_wk=phi, **options):
        return lda.fold_in(A, c, phi_wk, p, default_rng(0), **options)

    empty_corpus = lda.Corpus([], [], [], 3, 4)
    all_refused([
        (lambda: fold(empty_corpus, at=lda.Prior(0.5, [0.5] * 3)), "eta has 3 entries, expected W = 4"),
        (lambda: fold(C, phi_wk=np.eye(4)[:, [1, 1]]), "word 3 has probability 0 under every topic"),
    ])
    assert_allclose(fold(empty_corpus), 0.5)  # documents without tokens have the prior's mean


class HeldTopics(plain.Algorithm):
    """An algorithm whose word and topic terms are a given phi and 1."""

    word, topic = FoldIn.word, FoldIn.topic


@pytest.mark.parametrize("algorithm_name", [name for name in SOFT if name in plain.ALGORITHMS and not lda.ALGORITHMS[name].draws])
def test_fold_in_updates_with_the_topics_held(algorithm_name):
    A = lda.ALGORITHMS[algorithm_name]
    c, p = A.arranged(C), prior_for(algorithm_name, lda.Prior([0.3, 0.1, 2.0], [0.1, 0.2, 0.3, 0.4]))
    phi_wk = default_rng(0).dirichlet(np.ones(4), size=3).T
    s = A.init(c, 3, p, rng=default_rng(1))
    for schedule in set(A.schedules) - {"nested"}:
        case = plain.case_of(algorithm_name, "sweep", s.gamma, c, p, schedule=schedule, blocks=32, phi_wk=phi_wk)
        plain_gamma = plain.answer(case, float, HeldTopics)["gamma"]
        new_gamma = A.sweep(s, c, p, schedule=schedule, held_topics=phi_wk).gamma
        assert_allclose(new_gamma, plain_gamma, rtol=0, atol=1e-12)


@pytest.mark.parametrize("algorithm_name", lda.ALGORITHMS)
def test_folded_in_mixtures_find_the_topics_of_a_document(algorithm_name):
    phi_wk = np.array([[0.48, 0.01], [0.48, 0.01], [0.02, 0.49], [0.02, 0.49]])
    c = lda.Corpus.from_documents([[0, 1] * 10, [2, 3] * 10, []], W=4)
    p = prior_for(algorithm_name, lda.Prior([0.2, 0.6], 0.1))
    theta_jk = lda.fold_in(lda.ALGORITHMS[algorithm_name], c, phi_wk, p, default_rng(0), sweeps=20)
    assert theta_jk[0, 0] > 0.9
    assert theta_jk[1, 1] > 0.9
    assert_allclose(theta_jk[2], [0.5, 0.5] if algorithm_name == "ml" else [0.25, 0.75], atol=1e-12)


def proportions(counts, axis):
    sums = counts.sum(axis, keepdims=True)
    return np.where(sums > 0, counts, 1) / np.where(sums > 0, sums, counts.shape[axis])


def test_estimates_by_plain_loops():
    """AWST09 (15), (16) with the denominators as printed, then normalised, and SOL14 §2.4.1; with replicates too."""
    rng = default_rng(0)
    c, p, K = lda.Corpus.from_documents([[0, 1, 1, 3], [], [2, 0]], W=5), lda.Prior([0.2, 0.5, 0.001], 0.3), 3
    alpha, eta = np.array(p.alpha), p.eta
    gamma = rng.dirichlet(np.ones(K), (c.M, 2))
    for r in range(2):
        N_jk, N_wk, _ = map(np.array, plain.algorithm(plain.case_of("vb", "estimate", gamma[:, r], c, p)).counts())
        E_jk, E_wk = (np.exp(digamma(parameters) - digamma(parameters.sum(axis, keepdims=True))) for parameters, axis in ((N_jk + alpha, 1), (N_wk + eta, 0)))
        assert E_wk.sum(0).max() < 0.9  # so (16) holds as ∝ and not as =
        estimates_by_loops = {
            "mean": (proportions(N_jk + alpha, 1), proportions(N_wk + eta, 0)),
            "digamma": (proportions(E_jk, 1), proportions(E_wk, 0)),
            "counts": (proportions(N_jk, 1), proportions(N_wk, 0)),
        }
        assert tuple(estimates_by_loops) == prediction.ESTIMATORS
        for estimator, theta_phi in estimates_by_loops.items():
            for estimate, estimate_by_loops in zip(prediction.estimates(lda.State(gamma), c, p, estimator), theta_phi, strict=True):
                assert_allclose(estimate[:, r], estimate_by_loops, rtol=0, atol=1e-14)
    partly_empty_corpus = lda.Corpus.from_documents([[], [0]], W=2)  # exp Ψ(1e-5) is 0 in floating point, and may be
    theta_jk = prediction.estimates(lda.State(np.ones((1, 2)) / 2), partly_empty_corpus, lda.Prior(1e-5, 1.0), "digamma")[0]
    assert_array_equal(theta_jk[0], [0.5, 0.5])
    theta_and_phi = prediction.estimates(lda.State(np.ones((1, 1))), lda.Corpus.from_documents([[0]], W=2), lda.Prior(1, 1e-5), "digamma")
    assert theta_and_phi[1].sum() == 1


def test_mixtures_are_folded_in_for_each_sample_and_by_each_estimator():
    rng = default_rng(0)
    c, p, A = lda.Corpus.from_documents([[0, 1, 0], [2, 3], []], W=4), lda.Prior(0.3, 0.1), lda.ALGORITHMS["vb"]
    phi_wk = rng.dirichlet(np.ones(4), (2, 3)).transpose(2, 0, 1)
    assert lda.fold_in(A, c, phi_wk, p, default_rng(1), 10).shape == (3, 2, 3)
    theta_300 = lda.fold_in(A, c, phi_wk[:, 0], p, default_rng(1), 300)
    assert_allclose(lda.fold_in(A, c, phi_wk[:, 0], p, rng, 300, schedule="token"), theta_300, atol=1e-9)
    theta_of_estimator = {estimator: lda.fold_in(A, c, phi_wk[:, 0], p, default_rng(1), 50, estimator) for estimator in prediction.ESTIMATORS}
    assert_array_equal(theta_of_estimator["mean"], lda.fold_in(A, c, phi_wk[:, 0], p, default_rng(1), 50))
    for j in (0, 1):
        # what is printed as an offset of -0.5 takes mass from the smaller shares
        assert theta_of_estimator["digamma"][j].max() > theta_of_estimator["mean"][j].max()
        assert theta_of_estimator["counts"][j].max() > theta_of_estimator["mean"][j].max()
    assert_allclose([theta_jk[2] for theta_jk in theta_of_estimator.values()], 1 / 3)


def test_matrices_of_counts_are_corpora():
    rng, A = default_rng(1), lda.ALGORITHMS["cvb0"]
    theta, phi, p = rng.dirichlet(np.ones(2), 3), rng.dirichlet(np.ones(4), 2).T, lda.Prior(0.5, 0.1)
    X = C.to_csr()
    assert lda.perplexity(X, theta, phi) == lda.perplexity(C, theta, phi)
    assert_array_equal(lda.token_probability(X, theta, phi), lda.token_probability(C, theta, phi))
    assert_array_equal(*(lda.fold_in(A, matrix_or_corpus, phi, p, sweeps=3) for matrix_or_corpus in (X, C.types())))


def test_folding_in_without_a_generator_starts_uniform():
    A, phi, p = lda.ALGORITHMS["vb"], default_rng(1).dirichlet(np.ones(4), 2).T, lda.Prior(0.5, 0.1)
    s = A.sweep(A.init(C, 2, p, gamma=np.full((C.M, 2), 0.5)), C, p, held_topics=phi)
    assert_array_equal(lda.fold_in(A, C, phi, p, sweeps=1), A.estimate(s, C, p)[0])
    with pytest.raises(ValueError, match=r"^rng is None, expected a numpy.random.Generator, with which cgs draws"):
        lda.fold_in(lda.ALGORITHMS["cgs"], C, phi, p)
