"""What holds for every algorithm of the registry: replicates, estimates, invariances, objectives."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import lda_reference as lda
from lda_reference import plain
from lda_reference.algorithms.cvb import MEAN_AND_VARIANCE
from lda_reference.engine import Term

from .. import fuzz
from ..helpers import CORPORA, PRIORS, SOFT, K, all_refused, gradient, prior_for, problems, randomness, run, start

# `convolution` has the numbers of `cvb_exact`
CLIMBERS = [name for name, A in lda.ALGORITHMS.items() if not isinstance(A.objective_of, str) and name != "convolution"]


@pytest.mark.parametrize("prior_name", ["vectors", "eta by topic"])
@pytest.mark.parametrize("row_kind", CORPORA)
@pytest.mark.parametrize("algorithm_name", lda.ALGORITHMS)
def test_replicates_equal_single_runs(algorithm_name, row_kind, prior_name):
    if prior_name == "eta by topic" and algorithm_name in ("hmc", "ep"):
        return  # they have no such prior
    A = lda.ALGORITHMS[algorithm_name]
    c, p, R = A.arranged(CORPORA[row_kind]), prior_for(algorithm_name, PRIORS[prior_name]), 2
    s = start(algorithm_name, c, replicates=R)
    for schedule in A.schedules:
        n_sweeps = 1 if algorithm_name in ("gibbs", "hmc") else 2  # their numbers are drawn one replicate after the other
        joint_state = s
        for sweep_number in range(n_sweeps):
            joint_state = A.sweep(joint_state, c, p, schedule=schedule, **randomness(algorithm_name, c, sweep_number, R))
        theta_jk, phi_wk = A.estimate(joint_state, c, p)
        assert theta_jk.shape == (c.D, R, K)
        assert phi_wk.shape == (c.W, R, K)
        rng = randomness(algorithm_name, c, 0, R).get("rng")
        for r in range(R):
            z, own_r = None if s.z is None else s.z[:, r].copy(), s.own and type(s.own)(*(array[:, r] for array in s.own))
            single_state = lda.State(s.gamma[:, r].copy(), z, own_r)
            for sweep_number in range(n_sweeps):
                uniforms = randomness(algorithm_name, c, sweep_number, R).get("uniforms")
                single_state = A.sweep(single_state, c, p, schedule=schedule, rng=rng, uniforms=None if uniforms is None else uniforms[:, r])
            assert_allclose(joint_state.gamma[:, r], single_state.gamma, rtol=0, atol=1e-13)
            if s.z is not None:
                assert_array_equal(joint_state.z[:, r], single_state.z)
            for joint_estimate, single_estimate in zip((theta_jk, phi_wk), A.estimate(single_state, c, p), strict=True):
                assert_allclose(joint_estimate[:, r], single_estimate, rtol=0, atol=1e-13)
            for bound_or_objective, description in ((A.bound, A.bound_of), (A.objective, A.objective_of)):
                if not isinstance(description, str):
                    copied_state = lda.State(joint_state.gamma[:, r])
                    assert_allclose(bound_or_objective(joint_state, c, p)[r], bound_or_objective(copied_state, c, p), rtol=1e-13)


@pytest.mark.parametrize("prior_name", ["vectors", "eta by topic"])
@pytest.mark.parametrize("algorithm_name", plain.ALGORITHMS)
def test_estimates_are_those_of_the_plain_text(algorithm_name, prior_name):
    A, p = lda.ALGORITHMS[algorithm_name], prior_for(algorithm_name, PRIORS[prior_name])
    c = A.arranged(CORPORA["types"])
    s = start(algorithm_name, c)
    plain_estimates = plain.answer(plain.case_of(algorithm_name, "estimate", s.gamma if s.z is None else s.z, c, p, K=K))
    for estimate, plain_estimate in zip(A.estimate(s, c, p), plain_estimates.values(), strict=True):
        assert_allclose(estimate, plain_estimate, rtol=0, atol=1e-13)


@settings(max_examples=fuzz.cases(8, 60), deadline=None)
@given(problems())
def test_objectives_never_fall(problem):
    c, K, p, seed = problem
    for algorithm_name in (name for name in CLIMBERS if lda.ALGORITHMS[name].update.excludes == "nothing"):
        A, prior_of_A = lda.ALGORITHMS[algorithm_name], prior_for(algorithm_name, p)
        for schedule in ("token", "document", "block", "corpus"):
            s = start(algorithm_name, c, seed=seed, K=K)
            objectives = [A.objective(s, c, prior_of_A)]
            for _ in range(6):
                s = A.sweep(s, c, prior_of_A, schedule=schedule)
                objectives.append(A.objective(s, c, prior_of_A))
                assert objectives[-1] >= objectives[-2] - 1e-9 * max(1, abs(objectives[-2])), (algorithm_name, schedule)


@pytest.mark.parametrize("algorithm_name", CLIMBERS)
def test_fixed_points_are_stationary(algorithm_name):
    c, p = CORPORA["types"], prior_for(algorithm_name, lda.Prior(0.5, 0.5))
    s = start(algorithm_name, c, seed=1)
    for _ in range(1500):
        s = lda.ALGORITHMS[algorithm_name].sweep(s, c, p)
    assert np.abs(gradient(lda.ALGORITHMS[algorithm_name].objective, s.gamma, c, p)).max() < 1e-6


def test_an_algorithm_has_known_exclusions_and_schedules():
    A = lda.ALGORITHMS["cvb0"]
    all_refused([
        (lambda: replace(A, update=A.update._replace(excludes="none")), "excludes is 'none', expected one of nothing, token, type"),
        (lambda: replace(A, schedules=("tokens",)), "schedules is .*'tokens'.*, expected some of token, document, block, corpus, nested"),
    ])


@pytest.mark.parametrize("term_name", ["document", "word"])
def test_a_term_that_cannot_be_right_is_named(term_name):
    A = lda.ALGORITHMS["cvb0"]

    def with_term(term, logs=False):
        return replace(A, update=A.update._replace(**{term_name: term}, logs=logs))

    all_refused([
        (lambda: with_term(lda.ALGORITHMS["cvb1s"].update.topic), f"the {term_name} term draws, expected the topic term alone to draw"),
        (lambda: with_term(lambda a, N: a + N), f"the {term_name} term is .*, expected a Term, such as Term"),
        (lambda: with_term(Term(lambda a, N: 1.0)), rf"the {term_name} term is of the type float, of shape \(\), expected an array: rows by topics"),
        (lambda: with_term(Term(lambda a, NV: a + NV, MEAN_AND_VARIANCE)), rf"the {term_name} term is .* of shape \(2, 1, 2\), expected an array: rows by topics"),
        (lambda: with_term(Term(lambda a, N: np.log(a + N))), f"the {term_name} term is -0.357 at a small count, expected 0 or more, or logs=True"),
        (lambda: with_term(Term(lambda a, N: a + N * np.nan)), f"the {term_name} term is nan at a small count, expected 0 or more, or logs=True"),
    ])
    assert with_term(Term(lambda a, N: np.log(a + N)), logs=True).update.logs


@settings(max_examples=fuzz.cases(12, 100), deadline=None)
@given(problems(), st.randoms(use_true_random=False))
def test_renaming_topics_documents_and_words_renames_the_answer(problem, random_source):
    c, K, p, seed = problem
    topic_order = random_source.sample(range(K), K)
    new_word = random_source.sample(range(c.W), c.W)  # word w becomes new_word[w]
    alpha, eta = p.vectors(K, c.W)
    new_eta = np.empty(c.W)
    new_eta[new_word] = eta
    for algorithm_name in SOFT:  # a sampler reads its uniforms in topic order, so only the distribution of its draws is renamed
        A = lda.ALGORITHMS[algorithm_name]
        if A.draws or A.update.excludes == "type":  # it draws too, or it needs types, which are sorted by word
            continue
        s = start(algorithm_name, c, seed=seed, K=K)
        prior_of_A, renamed_prior = prior_for(algorithm_name, p), prior_for(algorithm_name, lda.Prior(alpha[topic_order], new_eta))
        renamed_corpus = c.with_rows(c.j, np.array(new_word)[c.w], c.n)
        renamed_state = A.init(renamed_corpus, K, renamed_prior, gamma=s.gamma[:, topic_order])
        for schedule in A.schedules:
            reordered_gamma = run(algorithm_name, c, prior_of_A, s, seed, schedule=schedule).gamma[:, topic_order]
            renamed_gamma = run(algorithm_name, renamed_corpus, renamed_prior, renamed_state, seed, schedule=schedule).gamma
            assert_allclose(reordered_gamma, renamed_gamma, rtol=0, atol=1e-10)
        if "corpus" in A.schedules:  # in this schedule, the order of the documents has no effect
            row_order = np.argsort(-c.j, kind="stable")
            turned_corpus = lda.Corpus(c.D - 1 - c.j[row_order], c.w[row_order], c.n[row_order], c.D, c.W)
            turned_state = A.init(turned_corpus, K, prior_of_A, gamma=s.gamma[row_order])
            reordered_gamma = run(algorithm_name, c, prior_of_A, s, seed, schedule="corpus").gamma[row_order]
            assert_allclose(reordered_gamma, run(algorithm_name, turned_corpus, prior_of_A, turned_state, seed, schedule="corpus").gamma, atol=1e-10)
