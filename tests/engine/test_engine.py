"""The engine against plain loops, and what must hold of every algorithm of the registry."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lda_reference as lda
from lda_reference import engine
from lda_reference.algorithms import gibbs
from lda_reference.engine import update

from .. import loops
from ..helpers import (
    CORPORA,
    EXTREME,
    PRIORS,
    SAMPLERS,
    SOFT,
    TOKENS,
    K,
    changed,
    prior_for,
    problems,
    randomness,
    run,
    start,
)

SOFT_SCHEDULES = [(name, schedule) for name in SOFT for schedule in lda.ALGORITHMS[name].schedules if schedule != "nested"]


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("rows", CORPORA)
@pytest.mark.parametrize(("name", "schedule"), SOFT_SCHEDULES)
def test_three_sweeps_equal_plain_loops(name, schedule, rows, prior):
    A = lda.ALGORITHMS[name]
    c, p = A.arranged(CORPORA[rows]), prior_for(name, PRIORS[prior])
    s = start(name, c)
    expected = s.gamma.tolist()
    for t in range(3 if name in loops.COUNTS_ALONE else 2):
        some = randomness(name, c, t)
        s = A.sweep(s, c, p, schedule=schedule, **some)
        expected = loops.sweep(name, expected, c, p, schedule, u=some.get("uniforms"))
        np.testing.assert_allclose(s.gamma, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("rows", CORPORA)
@pytest.mark.parametrize(("name", "schedule"), SOFT_SCHEDULES)
def test_hard_sweeps_equal_plain_loops(name, schedule, rows):
    A = lda.ALGORITHMS[name]
    c, p = A.arranged(CORPORA[rows]), prior_for(name, PRIORS["vectors"])
    s, some = start(name, c), randomness(name, A.arranged(CORPORA[rows]), 0)
    expected = loops.sweep(name, s.gamma.tolist(), c, p, schedule, loops.hard, some.get("uniforms"))
    np.testing.assert_array_equal(A.sweep(s, c, p, schedule=schedule, assignment="hard", **some).gamma, expected)


def test_hard_assignment_takes_the_first_of_equal_topics():
    assert engine.hard(np.array([[1.0, 2.0, 2.0], [3.0, 3.0, 3.0]])).tolist() == [[0, 1, 0], [1, 0, 0]]


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("rows", CORPORA)
def test_collapsed_gibbs_draws_what_plain_loops_draw(rows, prior):
    c, p, A = CORPORA[rows], PRIORS[prior], lda.ALGORITHMS["cgs"]
    rng = np.random.default_rng(5)
    s = start("cgs", c)
    z = s.z.tolist()
    for _ in range(5):
        u = rng.random(c.N)
        s = A.sweep(s, c, p, uniforms=u)
        z = loops.cgs_sweep(z, c, p, u, K)
        assert s.z.tolist() == z
    # tokens of one word in one document are exchangeable, so rows of count n and n rows draw alike
    row = np.repeat(np.arange(c.M), c.n)
    fractions = [[np.mean(s.z[row == i] == k) for k in range(K)] for i in range(c.M)]
    np.testing.assert_allclose(s.gamma, fractions, rtol=0, atol=1e-15)


def test_stochastic_em_draws_every_token_from_the_old_counts():
    c, p, A = CORPORA["types"], PRIORS["0.1"], lda.ALGORITHMS["ml"]
    z = np.random.default_rng(3).integers(K, size=c.N)
    s = A.init(c, K, p, z=z)
    u = np.random.default_rng(4).random(c.N)
    new = A.sweep(s, c, p, assignment="sample", uniforms=u)
    expected, token = [], 0
    for row in range(c.M):
        x = loops.row_weights("ml", s.gamma, c, p, row, K)
        for _ in range(c.n[row]):
            expected.append(loops.draw(x, u[token]))
            token += 1
    assert new.z.tolist() == expected


def test_draw_counts_the_partial_sums_that_are_not_above_u_times_the_last():
    x = np.array([1.0, 1.0, 2.0])
    assert [engine.draw(x, u) for u in (0.0, 0.2499, 0.25, 0.4999, 0.5, 0.9999)] == [0, 0, 1, 1, 2, 2]
    assert engine.draw(np.array([0.0, 0.0, 1.0, 0.0]), 0.0) == 2  # a topic of weight 0 is never drawn
    many = np.tile(x, (6, 1))
    assert engine.draw(many, np.array([0.0, 0.2499, 0.25, 0.4999, 0.5, 0.9999])).tolist() == [0, 0, 1, 1, 2, 2]


@pytest.mark.parametrize("prior", ["0.1", "vectors"])
@pytest.mark.parametrize("rows", CORPORA)
@pytest.mark.parametrize("name", lda.ALGORITHMS)
def test_replicates_equal_their_single_runs(name, rows, prior):
    A = lda.ALGORITHMS[name]
    c, p, R = A.arranged(CORPORA[rows]), prior_for(name, PRIORS[prior]), 4
    many = start(name, c, replicates=R)
    for schedule in A.schedules:
        sweeps = 1 if name == "gibbs" else 3  # its parameters are drawn replicate after replicate
        together = many
        for t in range(sweeps):
            together = A.sweep(together, c, p, schedule=schedule, **randomness(name, c, t, R))
        theta_jk, phi_wk = A.estimate(together, c, p)
        assert theta_jk.shape == (c.D, R, K)
        assert phi_wk.shape == (c.W, R, K)
        shared = randomness(name, c, 0, R).get("rng")
        for r in range(R):
            alone = lda.State(many.gamma[:, r].copy(), None if many.z is None else many.z[:, r].copy())
            for t in range(sweeps):
                some = randomness(name, c, t, R)
                some = {"uniforms": some["uniforms"][:, r]} if some else {}
                alone = A.sweep(alone, c, p, schedule=schedule, rng=shared, **some)
            np.testing.assert_allclose(together.gamma[:, r], alone.gamma, rtol=0, atol=1e-13)
            if many.z is not None:
                np.testing.assert_array_equal(together.z[:, r], alone.z)
            one = A.estimate(alone, c, p)
            np.testing.assert_allclose(theta_jk[:, r], one[0], rtol=0, atol=1e-13)
            np.testing.assert_allclose(phi_wk[:, r], one[1], rtol=0, atol=1e-13)


@pytest.mark.parametrize("name", lda.ALGORITHMS)
def test_replicates_start_as_single_calls_one_after_the_other(name):
    A, p = lda.ALGORITHMS[name], prior_for(name, PRIORS["0.1"])
    c = A.arranged(CORPORA["types"])
    many = A.init(c, K, p, rng=np.random.default_rng(9), replicates=3)
    rng = np.random.default_rng(9)
    for r in range(3):
        np.testing.assert_array_equal(many.gamma[:, r], A.init(c, K, p, rng=rng).gamma)


@pytest.mark.parametrize("name", lda.ALGORITHMS)
def test_estimates_are_distributions(name):
    A, p = lda.ALGORITHMS[name], prior_for(name, PRIORS["vectors"])
    c = A.arranged(CORPORA["types"])
    theta_jk, phi_wk = A.estimate(start(name, c), c, p)
    np.testing.assert_allclose(theta_jk.sum(1), 1, rtol=0, atol=1e-12)
    np.testing.assert_allclose(phi_wk.sum(0), 1, rtol=0, atol=1e-12)
    assert theta_jk.shape == (c.D, K)
    assert phi_wk.shape == (c.W, K)


def test_estimates_by_plain_loops():
    c, p = CORPORA["types"], PRIORS["vectors"]
    for name, shift_theta, shift_phi, prior in (
        ("ml", [0, 0, 0], [0] * 6, p),
        ("map", p.alpha, p.eta, prior_for("map", p)),
        ("cvb0", p.alpha, p.eta, p),
        ("vb", p.alpha, p.eta, p),
    ):
        s = start(name, c)
        theta_jk, phi_wk = lda.ALGORITHMS[name].estimate(s, c, prior)
        N = [[sum(c.n[i] * s.gamma[i, k] for i in range(c.M) if c.j[i] == 1) + shift_theta[k] for k in range(K)]]
        np.testing.assert_allclose(theta_jk[1], np.array(N[0]) / sum(N[0]), rtol=0, atol=1e-13)
        N_w = [sum(c.n[i] * s.gamma[i, 2] for i in range(c.M) if c.w[i] == w) + shift_phi[w] for w in range(c.W)]
        np.testing.assert_allclose(phi_wk[:, 2], np.array(N_w) / sum(N_w), rtol=0, atol=1e-13)


def test_ml_gives_the_uniform_distribution_where_there_is_no_mass():
    c, A = CORPORA["types"], lda.ALGORITHMS["ml"]
    gamma = np.zeros((c.M, K))
    gamma[:, 0] = 1.0
    s = A.sweep(A.init(c, K, lda.Prior(), gamma=gamma), c, lda.Prior())
    np.testing.assert_array_equal(s.gamma, gamma)  # a topic once empty stays empty
    theta_jk, phi_wk = A.estimate(s, c, lda.Prior())
    np.testing.assert_allclose(theta_jk[2], 1 / K)  # the document without tokens
    np.testing.assert_allclose(phi_wk[:, 1], 1 / c.W)
    # and MAP tends there as eta falls to 1
    M = lda.ALGORITHMS["map"]
    limit = M.estimate(s, c, lda.Prior(1 + 1e-9, 1 + 1e-9))
    np.testing.assert_allclose(limit[0], theta_jk, atol=1e-8)
    np.testing.assert_allclose(limit[1], phi_wk, atol=1e-8)


def test_map_is_cvb0_without_exclusion_at_a_prior_lower_by_one():  # AWST09 footnote 4
    c, p = CORPORA["types"], PRIORS["vectors"]
    s = start("cvb0", c)
    one_higher = lda.Prior(np.add(p.alpha, 1), np.add(p.eta, 1))
    without = changed(lda.ALGORITHMS["cvb0"], excludes="nothing")
    a = lda.ALGORITHMS["map"].sweep(s, c, one_higher, schedule="token").gamma
    np.testing.assert_allclose(a, without.sweep(s, c, p, schedule="token").gamma, rtol=0, atol=1e-12)


BY_BLOCKS = [(name, schedule) for name in SOFT for schedule in ("corpus", "block") if schedule in lda.ALGORITHMS[name].schedules]


@pytest.mark.parametrize(("name", "schedule"), BY_BLOCKS)
def test_threads_and_sizes_of_blocks_of_rows_change_nothing(name, schedule, monkeypatch):
    rng = np.random.default_rng(0)
    c = lda.synthetic.draw(rng, rng.integers(0, 40, size=60), K, 50, lda.Prior(0.5, 0.5)).corpus.types()
    A, p = lda.ALGORITHMS[name], prior_for(name, lda.Prior(0.1, 0.1))
    c = A.arranged(c)
    s, some = start(name, c), {"schedule": schedule, "blocks": 3} | randomness(name, c, 0)
    whole = A.sweep(s, c, p, **some).gamma
    monkeypatch.setattr(engine.counts, "BLOCK", 700 * K)
    np.testing.assert_allclose(A.sweep(s, c, p, **some).gamma, whole, rtol=0, atol=1e-13)
    with ThreadPoolExecutor(2) as pool:
        threaded = A.sweep(s, c, p, executor=pool, **some).gamma
    np.testing.assert_allclose(threaded, whole, rtol=0, atol=1e-13)


@pytest.mark.parametrize("prior", ["0.1", "vectors"])
@pytest.mark.parametrize("rows", CORPORA)
@pytest.mark.parametrize("blocks", [1, 2, 3, 100])
@pytest.mark.parametrize("name", [name for name in SOFT if "block" in lda.ALGORITHMS[name].schedules])
def test_blocks_lie_between_corpus_and_document(name, blocks, rows, prior):
    """One block is `corpus`, as many as documents is `document`; between them plain loops say what it is."""
    A = lda.ALGORITHMS[name]
    c, p = A.arranged(CORPORA[rows]), prior_for(name, PRIORS[prior])
    s, some = start(name, c), randomness(name, c, 0)
    new = A.sweep(s, c, p, schedule="block", blocks=blocks, **some).gamma
    expected = loops.sweep(name, s.gamma.tolist(), c, p, "block", u=some.get("uniforms"), blocks=blocks)
    np.testing.assert_allclose(new, expected, rtol=0, atol=1e-12)
    if blocks in (1, 100):
        same = A.sweep(s, c, p, schedule="corpus" if blocks == 1 else "document", **some).gamma
        np.testing.assert_array_equal(new, same)


# What must hold of every algorithm ----------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(problems())
def test_rows_are_distributions_and_the_old_state_is_untouched(problem):
    c, topics, p, seed = problem
    given = c
    for name, A in lda.ALGORITHMS.items():
        q, c = prior_for(name, p), A.arranged(given)
        s = start(name, c, seed=seed, K=topics)
        before = s.gamma.copy()
        for schedule in A.schedules:
            gamma = run(name, c, q, s, seed, schedule=schedule).gamma
            assert (gamma >= 0).all()
            np.testing.assert_allclose(gamma.sum(-1), 1, rtol=0, atol=1e-12)
        np.testing.assert_array_equal(s.gamma, before)


@settings(max_examples=40, deadline=None)
@given(problems(), st.randoms(use_true_random=False))
def test_renaming_topics_documents_and_words_renames_the_answer(problem, random):
    c, topics, p, seed = problem
    topic_order = random.sample(range(topics), topics)
    words = random.sample(range(c.W), c.W)  # word w becomes words[w]
    alpha, eta = p.vectors(topics, c.W)
    new_eta = np.empty(c.W)
    new_eta[words] = eta
    for name in SOFT:  # a sampler reads its uniform in topic order, so a draw is not renamed, only its law
        A = lda.ALGORITHMS[name]
        if A.draws or A.update.excludes == "type":  # likewise draws; and types are sorted by word
            continue
        s = start(name, c, seed=seed, K=topics)
        q, renamed_q = prior_for(name, p), prior_for(name, lda.Prior(alpha[topic_order], new_eta))
        renamed_c = c.with_rows(c.j, np.array(words)[c.w], c.n)
        renamed = A.init(renamed_c, topics, renamed_q, gamma=s.gamma[:, topic_order])
        for schedule in A.schedules:
            a = run(name, c, q, s, seed, schedule=schedule).gamma[:, topic_order]
            b = run(name, renamed_c, renamed_q, renamed, seed, schedule=schedule).gamma
            np.testing.assert_allclose(a, b, rtol=0, atol=1e-10)
        if "corpus" in A.schedules:  # documents in another order: the same only where order has no meaning
            order = np.argsort(-c.j, kind="stable")
            turned_c = lda.Corpus(c.D - 1 - c.j[order], c.w[order], c.n[order], c.D, c.W)
            turned = A.init(turned_c, topics, q, gamma=s.gamma[order])
            a = run(name, c, q, s, seed, schedule="corpus").gamma[order]
            np.testing.assert_allclose(a, run(name, turned_c, q, turned, seed, schedule="corpus").gamma, atol=1e-10)


@pytest.mark.parametrize("value", [1e-8, 1e-3, 1.0, 1e6])
@pytest.mark.parametrize("case", EXTREME)
@pytest.mark.parametrize("name", lda.ALGORITHMS)
def test_extremes_stay_finite_and_normalised(name, case, value):
    c, topics = EXTREME[case]
    if name in SAMPLERS and c.N > 10**5:
        c = lda.Corpus(c.j, c.w, np.minimum(c.n, 3000), c.D, c.W)  # a draw for every token: the same at a size that is quick
    A, p = lda.ALGORITHMS[name], prior_for(name, lda.Prior(value, value))
    if A.draws or A.plain:
        c = lda.Corpus(c.j, c.w, np.minimum(c.n, 30), c.D, c.W)
    c = A.arranged(c)
    gamma = np.full((c.M, topics), 1e-300)
    gamma[:, -1] = 1.0
    starts = [A.init(c, topics, p, rng=np.random.default_rng(1))]
    if name not in SAMPLERS:
        starts.append(A.init(c, topics, p, gamma=np.eye(topics)[np.arange(c.M) % topics]))  # topics without mass
        starts.append(A.init(c, topics, p, gamma=gamma))
    for s in starts:
        for schedule in A.schedules:
            now = s
            for t in range(3):
                now = A.sweep(now, c, p, schedule=schedule, **randomness(name, c, t))
                assert np.isfinite(now.gamma).all()
                assert (now.gamma >= 0).all()
                np.testing.assert_allclose(now.gamma.sum(-1), 1, rtol=0, atol=1e-12)
            for x in A.estimate(now, c, p):
                assert np.isfinite(x).all()
                assert (x >= 0).all()


def test_a_residue_of_rounding_never_makes_a_probability_negative():
    # 0.1 + 0.2 - 0.1 - 0.2 is 2.8e-17 and 0.3 - (0.1 + 0.2) is -5.6e-17: below a prior of 1e-18 the sign would show
    c = lda.Corpus.from_documents([[0, 0, 0]], W=1)
    gamma = np.array([[0.1, 0.9], [0.2, 0.8], [0.7, 0.3]])
    p = lda.Prior(1e-18, 1e-18)
    for name in ("cvb0", "vb", "ml"):
        s = lda.ALGORITHMS[name].init(c, 2, p, gamma=gamma)
        for _ in range(50):
            s = lda.ALGORITHMS[name].sweep(s, c, p, schedule="token")
            assert (s.gamma >= 0).all()
            assert np.isfinite(s.gamma).all()
    assert update.nonnegative_difference(np.array([0.3]), np.array([0.1 + 0.2])) == 0


def test_corpus_order_of_vb_survives_products_that_vanish():
    # all tokens in topic 0, and a word that topic 0 cannot have: exp(psi(1e-3)) = exp(-1000) times 1, and 1 times 0
    c, p, A = lda.Corpus.from_documents([[0, 0, 1]], W=2), lda.Prior(1e-3, 1e-3), lda.ALGORITHMS["vb"]
    s = A.init(c, 2, p, gamma=[[1, 0]] * 3)
    for schedule in A.schedules:
        new = A.sweep(s, c, p, schedule=schedule, held_topics=[[1, 0], [0, 1]])
        np.testing.assert_array_equal(new.gamma, [[1, 0], [1, 0], [0, 1]])


# What is climbed ----------------------------------------------------------------------------------------------------


@settings(max_examples=25, deadline=None)
@given(problems())
def test_objectives_never_fall(problem):
    c, topics, p, seed = problem
    for name in ("ml", "map", "vb", "vem"):
        A, q = lda.ALGORITHMS[name], prior_for(name, p)
        for schedule in ("token", "document", "block", "corpus"):
            s = start(name, c, seed=seed, K=topics)
            last = A.objective(s, c, q)
            for _ in range(6):
                s = A.sweep(s, c, q, schedule=schedule)
                now = A.objective(s, c, q)
                assert now >= last - 1e-9 * max(1, abs(last)), (name, schedule)
                last = now


def test_every_single_row_of_a_token_sweep_climbs():
    c = CORPORA["types"]
    for name in ("ml", "map", "vb", "vem"):
        A, p = lda.ALGORITHMS[name], prior_for(name, PRIORS["vectors"])
        s = start(name, c)
        new = A.sweep(s, c, p, schedule="token").gamma
        values = [A.objective(lda.State(np.vstack([new[:i], s.gamma[i:]])), c, p) for i in range(c.M + 1)]
        assert (np.diff(values) >= -1e-11).all()
        assert values[-1] > values[0] + 1e-3


# Errors -------------------------------------------------------------------------------------------------------------

C, P = CORPORA["types"], lda.Prior(0.1, 0.1)
CVB0, CGS, ML, MAP = (lda.ALGORITHMS[name] for name in ("cvb0", "cgs", "ml", "map"))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: CVB0.init(C, 0, P, rng=np.random.default_rng(0)), "K is 0, expected a whole number of topics from 1"),
        (lambda: CVB0.init(C, 2.5, P, rng=np.random.default_rng(0)), "K is 2.5"),
        (lambda: CVB0.init(lda.Corpus.from_documents([[]], W=2), 2, P, rng=np.random.default_rng(0)), "is empty"),
        (lambda: CVB0.init(C, 3, lda.Prior([1, 2]), rng=np.random.default_rng(0)), "alpha has 2 entries, expected K = 3"),
        (lambda: CVB0.init(C, 3, lda.Prior(1, [1, 2]), rng=np.random.default_rng(0)), "eta has 2 entries, expected W = 6"),
        (lambda: CVB0.init(C, 3, P), "gamma, z and rng are all missing, expected one of them to start from"),
        (lambda: CVB0.init(C, 3, P, gamma=np.ones((2, 3))), r"gamma has shape \(2, 3\), expected \(9, 3\)"),
        (lambda: CVB0.init(C, 3, P, gamma=np.ones((9, 3))), r"gamma\[0\] is \[1. 1. 1.\], expected probabilities"),
        (lambda: CVB0.init(C, 2, P, gamma=[[1, 0]] * 8 + [[np.nan, 1]]), r"gamma\[8\] is \[nan  1.\]"),
        (lambda: CVB0.init(C, 2, P, gamma=[[1, 0]] * 8 + [[-1, 2]]), r"gamma\[8\] is \[-1.  2.\]"),
        (lambda: CVB0.init(C, 2, P, gamma=[[1, 0]] * 9, z=[0] * 14), "gamma and z are given together, expected only one of them"),
        (lambda: CVB0.init(C, 2, P, rng=np.random.default_rng(0), replicates=0), "replicates is 0"),
        (lambda: CGS.init(C, 2, P, gamma=[[1, 0]] * 9), "starts from z"),
        (lambda: CGS.init(C, 2, P, z=[0] * 13 + [2]), r"z\[13\] is 2, expected a topic from 0 below K = 2"),
        (lambda: CGS.init(C, 2, P, z=[0] * 3), r"z has shape \(3,\), expected \(14,\)"),
        (lambda: MAP.init(C, 2, P, rng=np.random.default_rng(0)), "alpha is 0.1, expected more than 1: map subtracts 1 from it"),
        (lambda: MAP.init(C, 2, lda.Prior(2, 1), rng=np.random.default_rng(0)), "eta is 1.0, expected more than 1: map subtracts 1 from it"),
        (lambda: lda.ALGORITHMS["tcvb0"].init(TOKENS, 2, P, rng=np.random.default_rng(0)), r"tcvb0 takes out all tokens of a type at once: give it corpus.types\(\)"),
        (lambda: lda.ALGORITHMS["cvb1s"].init(C, 2, P, rng=np.random.default_rng(0)), r"give it corpus.tokens\(\)"),
        (lambda: lda.ALGORITHMS["gibbs"].sweep(start("gibbs", C), C, P, uniforms=[0.5] * 14), "rng is missing: gibbs draws theta and phi with it"),
        (lambda: CVB0.sweep(start("cvb0", C), C, P, uniforms=[0.5] * 14), "uniforms are given, but cvb0 draws nothing with this assignment"),
        (lambda: CVB0.sweep(start("cvb0", C), C, P, schedule="block", blocks=0), "blocks is 0, expected a whole number from 1"),
        (lambda: CVB0.sweep(start("cvb0", C), C, P, inner=3), "inner is 3, expected None with schedule token: only nested has inner steps"),
        (lambda: CVB0.sweep(start("cvb0", C), C, P, held_topics=np.ones((2, 3))), r"held_topics has shape \(2, 3\), expected"),
        (lambda: CVB0.sweep(start("cvb0", C), C, P, schedule="nested"), "cvb0 has no schedule 'nested', expected one of"),
        (lambda: CGS.sweep(start("cgs", C), C, P, schedule="corpus"), "cgs has no schedule 'corpus'"),
        (lambda: CVB0.sweep(start("cvb0", C), C, P, assignment="best"), "assignment is 'best'"),
        (lambda: CVB0.sweep(start("cvb0", C), C, P, assignment="sample"), "no z to sample"),
        (lambda: CVB0.sweep(start("cvb0", C), C, P, executor=ThreadPoolExecutor(1)), "an executor needs corpus or block order: in token order"),
        (lambda: CVB0.sweep(start("cvb0", C), TOKENS, P), r"gamma has shape \(9, 3\), expected \(M, K\) or \(M, R, K\) with a row for each"),
        (lambda: CGS.sweep(start("cgs", C), C, P), "uniforms and rng are both missing"),
        (lambda: CGS.sweep(start("cgs", C), C, P, uniforms=[0.5]), r"uniforms has shape \(1,\), expected \(14,\)"),
        (lambda: CGS.sweep(start("cgs", C), C, P, uniforms=[0.5] * 13 + [1.0]), r"uniforms\[13\] is 1.0"),
        (lambda: ML.sweep(ML.init(C, 2, P, z=[0] * 14), C, P, "token", "sample", [0.5] * 14), "cannot sample in token"),
        (lambda: CVB0.sweep(CVB0.init(C, 2, P, z=[0] * 14), C, P, "corpus", "sample", [0.5] * 14), "cannot sample in corpus"),
        (lambda: CGS.bound(start("cgs", C), C, P), r"cgs has no bound on log p\(x . alpha, eta\): it is a sampler"),
        (lambda: CGS.objective(start("cgs", C), C, P), "cgs climbs no known function: it is a sampler"),
        (lambda: CVB0.objective(start("cvb0", C), C, P), "cvb0 climbs no known function: its updates can lower its bound"),
        (lambda: ML.bound(start("ml", C), C, P), r"ml has no bound on log p\(x . alpha, eta\): it has no prior"),
        (lambda: MAP.bound(start("ml", C), C, lda.Prior(2, 2)), "maximises over theta and phi"),
        (lambda: lda.Prior(0, 1), "alpha is 0.0, expected a positive finite number"),
        (lambda: lda.Prior([1, -1]), r"alpha\[1\] is -1.0"),
        (lambda: lda.Prior(1, np.nan), "eta is nan"),
        (lambda: lda.Prior(1, [[1]]), r"eta has shape \(1, 1\)"),
        (lambda: lda.Prior("a"), "alpha is 'a'"),
        (lambda: lda.explain(CVB0, start("cvb0", C), C, P, row=9), "row is 9, expected a row from 0 below M = 9"),
        (lambda: lda.explain(CVB0, start("cvb0", C, replicates=2), C, P, row=0), r"expected \(M, K\): explain shows one run, not replicates"),
    ],
)
def test_bad_arguments_are_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@pytest.mark.parametrize("name", lda.ALGORITHMS)
def test_explain_shows_the_update_of_a_row(name):
    A, p = lda.ALGORITHMS[name], prior_for(name, PRIORS["vectors"])
    c = A.arranged(CORPORA["types"])
    s = start(name, c)
    row = c.M - 1
    text = lda.explain(A, s, c, p, row)
    shown = [float(x) for x in text.splitlines()[-1].split()[-K:]]
    if name == "gibbs":
        theta_jk, phi_wk = gibbs.draw_parameters(s, c, p, np.random.default_rng(0))
        expected = loops.soft(theta_jk[c.j[row]] * phi_wk[c.w[row]])
    elif name in SAMPLERS:
        one_hot = np.eye(K)[s.z]
        expected = loops.soft(loops.row_weights(name, one_hot, c.tokens(), p, int(c.n[:row].sum()), K))
    else:
        u = np.random.default_rng(0).random((c.N, A.draws)) if A.draws else None
        expected = loops.soft(loops.row_weights(name, s.gamma, c, p, row, K, u))
    np.testing.assert_allclose(shown, expected, rtol=1e-6)
    assert f"document {c.j[row]}, word {c.w[row]}, count {c.n[row]}" in text
