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
from ..helpers import (
    CORPORA,
    PRIORS,
    SOFT,
    K,
    all_refused,
    gradient,
    prior_for,
    problems,
    randomness,
    run,
    start,
)

# `convolution` has the numbers of `cvb_exact`
CLIMB = [name for name, A in lda.ALGORITHMS.items() if not isinstance(A.objective_of, str) and name != "convolution"]


@pytest.mark.parametrize("prior", ["vectors", "eta by topic"])
@pytest.mark.parametrize("rows", CORPORA)
@pytest.mark.parametrize("name", lda.ALGORITHMS)
def test_replicates_equal_single_runs(name, rows, prior):
    if prior == "eta by topic" and name in ("hmc", "ep"):
        return  # they have no such prior
    A = lda.ALGORITHMS[name]
    c, p, R = A.arranged(CORPORA[rows]), prior_for(name, PRIORS[prior]), 2
    many = start(name, c, replicates=R)
    for schedule in A.schedules:
        sweeps = 1 if name in ("gibbs", "hmc") else 2  # their numbers are drawn one replicate after the other
        together = many
        for t in range(sweeps):
            together = A.sweep(together, c, p, schedule=schedule, **randomness(name, c, t, R))
        theta_jk, phi_wk = A.estimate(together, c, p)
        assert theta_jk.shape == (c.D, R, K)
        assert phi_wk.shape == (c.W, R, K)
        shared = randomness(name, c, 0, R).get("rng")
        for r in range(R):
            z, coordinates = None if many.z is None else many.z[:, r].copy(), many.own and type(many.own)(*(x[:, r] for x in many.own))
            alone = lda.State(many.gamma[:, r].copy(), z, coordinates)
            for t in range(sweeps):
                uniforms = randomness(name, c, t, R).get("uniforms")
                alone = A.sweep(alone, c, p, schedule=schedule, rng=shared, uniforms=None if uniforms is None else uniforms[:, r])
            assert_allclose(together.gamma[:, r], alone.gamma, rtol=0, atol=1e-13)
            if many.z is not None:
                assert_array_equal(together.z[:, r], alone.z)
            for x, y in zip((theta_jk, phi_wk), A.estimate(alone, c, p), strict=True):
                assert_allclose(x[:, r], y, rtol=0, atol=1e-13)
            for value, stated in ((A.bound, A.bound_of), (A.objective, A.objective_of)):
                if not isinstance(stated, str):
                    single = lda.State(together.gamma[:, r])
                    assert_allclose(value(together, c, p)[r], value(single, c, p), rtol=1e-13)


@pytest.mark.parametrize("prior", ["vectors", "eta by topic"])
@pytest.mark.parametrize("name", plain.ALGORITHMS)
def test_estimates_are_those_of_the_plain_text(name, prior):
    A, p = lda.ALGORITHMS[name], prior_for(name, PRIORS[prior])
    c = A.arranged(CORPORA["types"])
    s = start(name, c)
    expected = plain.answer(plain.case_of(name, "estimate", s.gamma if s.z is None else s.z, c, p, K=K))
    for estimate, x in zip(A.estimate(s, c, p), expected.values(), strict=True):
        assert_allclose(estimate, x, rtol=0, atol=1e-13)


@settings(max_examples=fuzz.cases(8, 60), deadline=None)
@given(problems())
def test_objectives_never_fall(problem):
    c, topics, p, seed = problem
    for name in (x for x in CLIMB if lda.ALGORITHMS[x].update.excludes == "nothing"):
        A, q = lda.ALGORITHMS[name], prior_for(name, p)
        for schedule in ("token", "document", "block", "corpus"):
            s = start(name, c, seed=seed, K=topics)
            values = [A.objective(s, c, q)]
            for _ in range(6):
                s = A.sweep(s, c, q, schedule=schedule)
                values.append(A.objective(s, c, q))
                assert values[-1] >= values[-2] - 1e-9 * max(1, abs(values[-2])), (name, schedule)


@pytest.mark.parametrize("name", CLIMB)
def test_fixed_points_are_stationary(name):
    c, p = CORPORA["types"], prior_for(name, lda.Prior(0.5, 0.5))
    s = start(name, c, seed=1)
    for _ in range(1500):
        s = lda.ALGORITHMS[name].sweep(s, c, p)
    assert np.abs(gradient(lda.ALGORITHMS[name].objective, s.gamma, c, p)).max() < 1e-6


def test_an_algorithm_has_known_exclusions_and_schedules():
    A = lda.ALGORITHMS["cvb0"]
    all_refused([
        (lambda: replace(A, update=A.update._replace(excludes="none")), "excludes is 'none', expected one of nothing, token, type"),
        (lambda: replace(A, schedules=("tokens",)), "schedules is .*'tokens'.*, expected some of token, document, block, corpus, nested"),
    ])


@pytest.mark.parametrize("place", ["document", "word"])
def test_a_term_that_cannot_be_right_is_named(place):
    A = lda.ALGORITHMS["cvb0"]

    def with_term(x, logs=False):
        return replace(A, update=A.update._replace(**{place: x}, logs=logs))

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
    c, topics, p, seed = problem
    topic_order = random.sample(range(topics), topics)
    words = random.sample(range(c.W), c.W)  # word w becomes words[w]
    alpha, eta = p.vectors(topics, c.W)
    new_eta = np.empty(c.W)
    new_eta[words] = eta
    for name in SOFT:  # a sampler reads its uniforms in topic order, so only the distribution of its draws is renamed
        A = lda.ALGORITHMS[name]
        if A.draws or A.update.excludes == "type":  # it draws too, or it needs types, which are sorted by word
            continue
        s = start(name, c, seed=seed, K=topics)
        q, renamed_q = prior_for(name, p), prior_for(name, lda.Prior(alpha[topic_order], new_eta))
        renamed_c = c.with_rows(c.j, np.array(words)[c.w], c.n)
        renamed = A.init(renamed_c, topics, renamed_q, gamma=s.gamma[:, topic_order])
        for schedule in A.schedules:
            a = run(name, c, q, s, seed, schedule=schedule).gamma[:, topic_order]
            b = run(name, renamed_c, renamed_q, renamed, seed, schedule=schedule).gamma
            assert_allclose(a, b, rtol=0, atol=1e-10)
        if "corpus" in A.schedules:  # in this schedule, the order of the documents has no effect
            order = np.argsort(-c.j, kind="stable")
            turned_c = lda.Corpus(c.D - 1 - c.j[order], c.w[order], c.n[order], c.D, c.W)
            turned = A.init(turned_c, topics, q, gamma=s.gamma[order])
            a = run(name, c, q, s, seed, schedule="corpus").gamma[order]
            assert_allclose(a, run(name, turned_c, q, turned, seed, schedule="corpus").gamma, atol=1e-10)
