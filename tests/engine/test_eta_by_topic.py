"""An eta for each topic, (W, K): the same numbers as a vector if its columns are equal, refused where it cannot be."""

from operator import call

import numpy as np
import pytest

import lda_reference as lda
from lda_reference import plain
from lda_reference.algorithms import sgrld, vb
from lda_reference.evaluation.prediction import estimates
from lda_reference.priors import learners
from lda_reference.truth import annealed, table_posterior

from ..helpers import CORPORA, PRIORS, TINY, TINY_PRIORS, VECTOR_ETA, K, prior_for, refusals, start

VECTOR_P = lda.Prior([0.3, 0.1, 2.0], VECTOR_ETA)
EQUAL_P = lda.Prior(VECTOR_P.alpha, np.tile(np.array(VECTOR_ETA)[:, None], K))
TOPIC_P = PRIORS["eta by topic"]
C = CORPORA["types"]
S = start("cvb0", C)


@pytest.mark.parametrize("algorithm_name", [algorithm_name for algorithm_name in lda.ALGORITHMS if algorithm_name not in ("hmc", "ep")])
def test_equal_columns_give_the_bounds_of_a_vector(algorithm_name):
    A = lda.ALGORITHMS[algorithm_name]
    c, p, equal_p = A.arranged(C), prior_for(algorithm_name, VECTOR_P), prior_for(algorithm_name, EQUAL_P)
    s = start(algorithm_name, c, replicates=2)
    for bound_or_objective, description in ((A.bound, A.bound_of), (A.objective, A.objective_of)):
        if not isinstance(description, str):
            np.testing.assert_allclose(bound_or_objective(s, c, equal_p), bound_or_objective(s, c, p), rtol=1e-12)


def test_the_digamma_estimate_of_phi_is_that_of_the_plain_text():
    exp_digamma = np.exp(vb.digamma(plain.answer(plain.case_of("vb", "m_step", S.gamma, C, TOPIC_P))["eta_wk"]))
    np.testing.assert_allclose(estimates(S, C, TOPIC_P, "digamma")[1], exp_digamma / exp_digamma.sum(0), rtol=1e-12)


def test_the_bound_of_any_parameters_is_that_of_gamma_at_the_best_ones():
    A, s = lda.ALGORITHMS["vb"], start("vb", C)
    for _ in range(500):
        s = A.sweep(s, C, TOPIC_P)
    eta_wk = vb.m_step(s.gamma, C, TOPIC_P)
    alpha_jk = vb.e_step(np.ones((C.D, K)), eta_wk, C, TOPIC_P, 2000)
    bound = vb.bound_of_parameters(alpha_jk, eta_wk, C, TOPIC_P)
    assert bound == pytest.approx(A.bound(s, C, TOPIC_P), abs=1e-8)


def test_corpora_are_drawn_from_the_prior_of_each_topic():
    eta = np.array([[1000.0, 1.0], [1.0, 1000.0], [1.0, 1000.0]])
    phi_wk = lda.synthetic.draw(np.random.default_rng(0), [5], 2, 3, lda.Prior(1, eta)).phi_wk
    np.testing.assert_allclose(phi_wk, eta / eta.sum(0), atol=0.06)


def test_alpha_is_learned_beside_such_a_prior():
    f = lda.fit(C, K, "cvb0", lda.Prior(0.5, TOPIC_P.eta), sweeps=5, learn="alpha", learn_after=0)
    assert f.prior.alpha != 0.5
    np.testing.assert_array_equal(f.prior.eta, TOPIC_P.eta)


test_what_has_no_such_prior_says_so = refusals(call, [
    (lambda: lda.fit(C, K, "hmc", TOPIC_P, sweeps=1), "eta has shape (6, 3), a prior for each topic, which hmc cannot use"),
    (lambda: lda.fit(C, K, "vb", TOPIC_P, learn="alpha,eta"), "eta is a matrix, a prior for each topic, which cannot be"),
    (lambda: learners.conjugate()(S, C, TOPIC_P), "eta is a matrix"),
    (lambda: annealed.log_likelihood(S, C, TOPIC_P), "eta has shape (6, 3), a prior for each topic, which this"),
    (lambda: table_posterior.moments(TINY, K, TINY_PRIORS["eta by topic"]), "eta has shape (4, 3), a prior for each"),
    (lambda: sgrld.init(C, K, TOPIC_P, np.random.default_rng(0)), "eta has shape (6, 3), a prior for each topic, which sgrld cannot use"),
    (lambda: lda.fit(C, K, "map", lda.Prior(2, TOPIC_P.eta)), "eta is <6 x 3 numbers from 0.0003 to 4>, expected more"),
    (lambda: lda.fit(C, 2, "vb", lda.Prior(0.5, TOPIC_P.eta)), "eta has shape (6, 3), expected (W, K) = (6, 2)"),
])
