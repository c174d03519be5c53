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
@pytest.mark.parametrize("A_name", lda.ALGORITHMS)
def test_replicates_equal_single_runs(A_name, row_kind, prior_name):
    if prior_name == "eta by topic" and A_name in ("hmc", "ep"):
        return  # they have no such prior
    A = lda.ALGORITHMS[A_name]
    c, p, R = A.arranged(CORPORA[row_kind]), prior_for(A_name, PRIORS[prior_name]), 2
    s = start(A_name, c, replicates=R)
    for schedule in A.schedules:
        sweeps = 1 if A_name in ("gibbs", "hmc") else 2  # their numbers are drawn one replicate after the other
        joint_state = s
        for t in range(sweeps):
            joint_state = A.sweep(joint_state, c, p, schedule=schedule, **randomness(A_name, c, t, R))
        theta_jk, phi_wk = A.estimate(joint_state, c, p)
        assert theta_jk.shape == (c.D, R, K)
        assert phi_wk.shape == (c.W, R, K)
        rng = randomness(A_name, c, 0, R).get("rng")
        for r in range(R):
            z, u = None if s.z is None else s.z[:, r].copy(), s.own and type(s.own)(*(x[:, r] for x in s.own))
            s_r = lda.State(s.gamma[:, r].copy(), z, u)
            for t in range(sweeps):
                uniforms = randomness(A_name, c, t, R).get("uniforms")
                s_r = A.sweep(s_r, c, p, schedule=schedule, rng=rng, uniforms=None if uniforms is None else uniforms[:, r])
            assert_allclose(joint_state.gamma[:, r], s_r.gamma, rtol=0, atol=1e-13)
            if s.z is not None:
                assert_array_equal(joint_state.z[:, r], s_r.z)
            for x, y in zip((theta_jk, phi_wk), A.estimate(s_r, c, p), strict=True):
                assert_allclose(x[:, r], y, rtol=0, atol=1e-13)
            for function, description in ((A.bound, A.bound_of), (A.objective, A.objective_of)):
                if not isinstance(description, str):
                    state_r = lda.State(joint_state.gamma[:, r])
                    assert_allclose(function(joint_state, c, p)[r], function(state_r, c, p), rtol=1e-13)


@pytest.mark.parametrize("prior_name", ["vectors", "eta by topic"])
@pytest.mark.parametrize("A_name", plain.ALGORITHMS)
def test_estimates_are_those_of_the_plain_text(A_name, prior_name):
    A, p = lda.ALGORITHMS[A_name], prior_for(A_name, PRIORS[prior_name])
    c = A.arranged(CORPORA["types"])
    s = start(A_name, c)
    plain_estimates = plain.answer(plain.case_of(A_name, "estimate", s.gamma if s.z is None else s.z, c, p, K=K))
    for estimate, x in zip(A.estimate(s, c, p), plain_estimates.values(), strict=True):
        assert_allclose(estimate, x, rtol=0, atol=1e-13)


@settings(max_examples=fuzz.cases(8, 60), deadline=None)
@given(problems())
def test_objectives_never_fall(problem):
    c, K, p, seed = problem
    for A_name in (x for x in CLIMBERS if lda.ALGORITHMS[x].update.excludes == "nothing"):
        A, q = lda.ALGORITHMS[A_name], prior_for(A_name, p)
        for schedule in ("token", "document", "block", "corpus"):
            s = start(A_name, c, seed=seed, K=K)
            objectives = [A.objective(s, c, q)]
            for _ in range(6):
                s = A.sweep(s, c, q, schedule=schedule)
                objectives.append(A.objective(s, c, q))
                assert objectives[-1] >= objectives[-2] - 1e-9 * max(1, abs(objectives[-2])), (A_name, schedule)


@pytest.mark.parametrize("A_name", CLIMBERS)
def test_fixed_points_are_stationary(A_name):
    c, p = CORPORA["types"], prior_for(A_name, lda.Prior(0.5, 0.5))
    s = start(A_name, c, seed=1)
    for _ in range(1500):
        s = lda.ALGORITHMS[A_name].sweep(s, c, p)
    assert np.abs(gradient(lda.ALGORITHMS[A_name].objective, s.gamma, c, p)).max() < 1e-6


def test_an_algorithm_has_known_exclusions_and_schedules():
    A = lda.ALGORITHMS["cvb0"]
    all_refused([
        (lambda: replace(A, update=A.update._replace(excludes="none")), "excludes is 'none', expected one of nothing, token, type"),
        (lambda: replace(A, schedules=("tokens",)), "schedules is .*'tokens'.*, expected some of token, document, block, corpus, nested"),
    ])


@pytest.mark.parametrize("place", ["document", "word"])
def test_a_term_that_cannot_be_right_is_named(place):
    A = lda.ALGORITHMS["cvb0"]

    def with_term(term, logs=False):
        return replace(A, update=A.update._replace(**{place: term}, logs=logs))

    all_refused([
        (lambda: with_term(lda.ALGORITHMS["cvb1s"].update.topic), f"the {place} term draws, expected the topic term alone to draw"),
        (lambda: with_term(lambda a, N: a + N), f"the {place} term is .*, expected a Term, such as Term"),
        (lambda: with_term(Term(lambda a, N: 1.0)), rf"the {place} term is of the type float, of shape \(\), expected an array: rows by topics"),
        (lambda: with_term(Term(lambda a, NV: a + NV, MEAN_AND_VARIANCE)), rf"the {place} term is .* of shape \(2, 1, 2\), expected an array: rows by topics"),
        (lambda: with_term(Term(lambda a, N: np.log(a + N))), f"the {place} term is -0.357 at a small count, expected 0 or more, or logs=True"),
        (lambda: with_term(Term(lambda a, N: a + N * np.nan)), f"the {place} term is nan at a small count, expected 0 or more, or logs=True"),
    ])
    assert with_term(Term(lambda a, N: np.log(a + N)), logs=True).update.logs


@settings(max_examples=fuzz.cases(12, 100), deadline=None)
@given(problems(), st.randoms(use_true_random=False))
def test_renaming_topics_documents_and_words_renames_the_answer(problem, random):
    c, K, p, seed = problem
    topic_order = random.sample(range(K), K)
    new_word = random.sample(range(c.W), c.W)  # word w becomes new_word[w]
    alpha, eta = p.vectors(K, c.W)
    new_eta = np.empty(c.W)
    new_eta[new_word] = eta
    for A_name in SOFT:  # a sampler reads its uniforms in topic order, so only the distribution of its draws is renamed
        A = lda.ALGORITHMS[A_name]
        if A.draws or A.update.excludes == "type":  # it draws too, or it needs types, which are sorted by word
            continue
        s = start(A_name, c, seed=seed, K=K)
        q, renamed_q = prior_for(A_name, p), prior_for(A_name, lda.Prior(alpha[topic_order], new_eta))
        renamed_c = c.with_rows(c.j, np.array(new_word)[c.w], c.n)
        renamed_s = A.init(renamed_c, K, renamed_q, gamma=s.gamma[:, topic_order])
        for schedule in A.schedules:
            gamma_a = run(A_name, c, q, s, seed, schedule=schedule).gamma[:, topic_order]
            gamma_b = run(A_name, renamed_c, renamed_q, renamed_s, seed, schedule=schedule).gamma
            assert_allclose(gamma_a, gamma_b, rtol=0, atol=1e-10)
        if "corpus" in A.schedules:  # in this schedule, the order of the documents has no effect
            row_order = np.argsort(-c.j, kind="stable")
            turned_c = lda.Corpus(c.D - 1 - c.j[row_order], c.w[row_order], c.n[row_order], c.D, c.W)
            turned_s = A.init(turned_c, K, q, gamma=s.gamma[row_order])
            gamma_a = run(A_name, c, q, s, seed, schedule="corpus").gamma[row_order]
            assert_allclose(gamma_a, run(A_name, turned_c, q, turned_s, seed, schedule="corpus").gamma, atol=1e-10)
