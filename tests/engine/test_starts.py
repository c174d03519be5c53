"""Starts: each as in the plain text, with replicates, for soft algorithms and for samplers."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from numpy.random import default_rng
from numpy.testing import assert_allclose, assert_array_equal

import lda_reference as lda
from lda_reference import plain
from lda_reference.engine import starts
from lda_reference.engine.starts import STARTS, anneal
from lda_reference.plain.updates import COLLAPSED, UNCOLLAPSED

from ..helpers import CORPORA, PRIORS, K, prior_for, refusals, topics_of

C, P = CORPORA["types"], PRIORS["vectors"]
NAMES = [*(name for name in STARTS if name != "anneal"), "anneal:2:4"]  # after numbers sweeps of so few tokens, one end
VB, CGS, CVB0 = (lda.ALGORITHMS[name] for name in ("vb", "cgs", "cvb0"))


def start_state(A, start_name, seed=0, c=C, replicates=None, p=P):
    return A.init(c, K, p, default_rng(seed), start=start_name, replicates=replicates)


@pytest.mark.parametrize("row_kind", CORPORA)
@pytest.mark.parametrize("start_name", [*NAMES, "dirichlet:0.01", "dirichlet:1e-300", "dirichlet:500"])
@pytest.mark.parametrize("algorithm_name", ["vb", "ml", "cvb_exact", "cgs", "gibbs"])
def test_every_start_gives_every_algorithm_a_state_that_it_can_sweep(algorithm_name, start_name, row_kind):
    A, c = lda.ALGORITHMS[algorithm_name], CORPORA[row_kind]
    s = start_state(A, start_name, c=c)
    assert_allclose(s.gamma.sum(-1), 1, rtol=0, atol=1e-12)
    assert (s.gamma >= 0).all()
    assert (s.z is not None) == (A.assignment == "sample")
    assert s != start_state(A, start_name, seed=1, c=c)
    new_state = A.sweep(s, c, P, rng=default_rng(1))
    assert_allclose(new_state.gamma.sum(-1), 1, rtol=0, atol=1e-12)


@pytest.mark.parametrize("start_name", [None, *NAMES])
@pytest.mark.parametrize("A", [VB, CGS, lda.ALGORITHMS["hmc"]], ids=repr)
def test_replicates_are_single_starts_one_after_the_other(A, start_name):
    replicated_state, rng = start_state(A, start_name, replicates=3), default_rng(0)
    for r in range(3):
        state_r = A.init(C, K, P, rng, start=start_name)
        assert_array_equal(replicated_state.gamma[:, r], state_r.gamma)
        if state_r.z is not None:
            assert_array_equal(replicated_state.z[:, r], state_r.z)


@pytest.mark.parametrize("start_name", ["collapsed", "growing", "anneal:2:4"])
def test_threads_have_no_effect_on_a_start(start_name):
    with ThreadPoolExecutor(2) as pool:
        thread_state = VB.init(LARGE_CORPUS, K, P, default_rng(0), start=start_name, executor=pool)
    assert_allclose(thread_state.gamma, start_state(VB, start_name, c=LARGE_CORPUS).gamma, rtol=0, atol=1e-13)


def test_growing_may_go_on_with_sweeps_of_the_whole():
    gamma = start_state(VB, "growing", c=LARGE_CORPUS).gamma
    for _ in range(3):
        gamma = CVB0.sweep(lda.State(gamma), LARGE_CORPUS, P, "block").gamma
    assert_allclose(start_state(VB, "growing:3", c=LARGE_CORPUS).gamma, gamma, rtol=0, atol=1e-12)


def test_rows_of_dirichlet_have_its_moments():
    assert start_state(VB, "dirichlet") == start_state(VB, "dirichlet:1")
    c = lda.Corpus.from_documents([[0] * 4000])
    for concentration in (0.2, 1, 10):
        gamma = VB.init(c, 4, lda.Prior(), default_rng(0), start=f"dirichlet:{concentration}").gamma
        variance = (1 / 4) * (3 / 4) / (4 * concentration + 1)
        assert np.abs(gamma.mean(0) - 1 / 4).max() < 5 * np.sqrt(variance / 4000)
        assert_allclose(gamma.var(0), variance, rtol=0.15)


LARGE_CORPUS = lda.synthetic.draw(default_rng(3), [9] * 37, K, 6, lda.Prior(0.1, 0.1)).corpus.types()


@pytest.mark.parametrize("p", [P, PRIORS["eta by topic"]], ids=["one eta", "eta by topic"])
@pytest.mark.parametrize("c", [C, LARGE_CORPUS], ids=["5 documents", "37 documents"])
@pytest.mark.parametrize("start_name", [name for name in STARTS if name not in ("dirichlet", "anneal")])
def test_a_start_is_that_of_the_plain_text(start_name, c, p, monkeypatch):
    """From the same random numbers. An empty document is not in the order of `growing`: it could not break the symmetry."""
    monkeypatch.setattr(starts, "FEW_TOPICS", 0)
    rng, gamma_or_z, (documents_with_tokens, j) = default_rng(0), [], np.unique(c.j, return_inverse=True)
    if start_name == "one-hot":
        gamma_or_z, plain_draws = rng.integers(K, size=c.N), {}
    elif start_name == "topics":
        plain_draws = {"weights_wk": rng.gamma(100.0, 1 / 100, (c.W, K))}
    elif start_name == "documents":
        plain_draws = {"documents": rng.integers(c.D, size=K)}
    elif start_name == "incremental":
        plain_draws = {"uniforms": rng.random(c.M), "blocks": 32}
    elif start_name == "collapsed":
        gamma_or_z = start_state(VB, "dirichlet", c=c).gamma
        gammas, moves = [gamma_or_z], []  # CVB0 until a token's gamma moves little, on average over one sweep and over two
        while len(gammas) <= 300 and not (len(moves) == 2 and max(moves) < 1e-3):
            gammas.append(CVB0.sweep(lda.State(gammas[-1]), c, p, "block").gamma)
            moves = [c.n @ np.abs(gammas[-1] - old_gamma).sum(-1) / 2 / c.N for old_gamma in gammas[-3:-1]]
        plain_draws = {"blocks": 32, "sweeps": len(gammas) - 1}
    else:
        document_order = np.searchsorted(documents_with_tokens, rng.permutation(documents_with_tokens))
        n_doublings = {4: 1, 37: 2}[len(documents_with_tokens)]  # the first part has 2 K documents, or is a half
        first_gamma = rng.standard_exponential((np.isin(j, document_order[: -(-len(document_order) // 2**n_doublings)]).sum(), K))
        plain_draws = {"order": document_order, "first": first_gamma / first_gamma.sum(1, keepdims=True), "blocks": 8, "doublings": n_doublings}
    start_corpus = c if start_name == "documents" else lda.Corpus(j, c.w, c.n, len(documents_with_tokens), c.W)
    case = plain.case_of("start", "", gamma_or_z, start_corpus, p, start=start_name, schedule="block", K=K, **plain_draws)
    tolerance = {"incremental": 0, "collapsed": 1e-11, "growing": 1e-11}.get(start_name, 1e-15)
    assert_allclose(start_state(VB, start_name, c=c, p=p).gamma, plain.answer(case)["gamma"], rtol=0, atol=tolerance)


@pytest.mark.parametrize("p", [P, PRIORS["eta by topic"]], ids=["one eta", "eta by topic"])
@pytest.mark.parametrize("algorithm_name", [name for name in (*UNCOLLAPSED, *COLLAPSED) if not lda.ALGORITHMS[name].draws])
def test_annealed_sweeps_are_those_of_the_plain_text(algorithm_name, p):
    A, p = lda.ALGORITHMS[algorithm_name], prior_for(algorithm_name, p)
    first_gamma = A.init(C, K, p, default_rng(0)).gamma
    options = {"start": "anneal", "of": algorithm_name, "schedule": "corpus", "K": K, "sweeps": 5}
    for start_name, top_number in (("anneal:2:5", 2.0), ("anneal:0.5:5", 0.5)):  # some numbers of the priors are above 0.5
        plain_gamma = plain.answer(plain.case_of("start", "", first_gamma, C, p, top=top_number, **options))["gamma"]
        assert_allclose(start_state(A, start_name, p=p).gamma, plain_gamma, rtol=0, atol=1e-12)


def test_the_priors_of_annealing_fall_in_equal_ratios():
    alphas = [float(p.alpha) for p in anneal(lda.Prior(0.02, 0.1))]
    assert (len(alphas), alphas[0]) == (300, 2)
    assert_allclose([alphas[150], alphas[299] * (2 / 0.02) ** (-1 / 300)], [0.2, 0.02], rtol=1e-13)


def test_annealing_is_sweeps_of_a_sampler_too():
    rng, twin_rng = default_rng(0), default_rng(0)
    s = CGS.init(C, K, P, twin_rng)
    for p in anneal(P, top=3.0, sweeps=4):
        s = CGS.sweep(s, C, p, rng=twin_rng)
    assert CGS.init(C, K, P, rng, start="anneal:3:4") == s


def test_a_sampler_draws_z_from_the_rows_of_the_start():
    rng = default_rng(0)
    gamma = STARTS["topics"](C, K, P, rng).gamma
    u = rng.random(C.N)
    assert start_state(CGS, "topics").z.tolist() == topics_of(np.repeat(gamma, C.n, axis=0), u)


UNKNOWN = ["best", "topics:3", "dirichlet:", "dirichlet:0", "dirichlet:inf", "anneal:0", "anneal:2:1.5", "anneal:2:3:4"]
EXPECTATION = "expected one of dirichlet, one-hot, topics, documents, incremental, collapsed, growing, anneal; or"

test_unknown_starts_and_two_of_them_are_named = refusals(lambda options: VB.init(C, K, P, default_rng(0), **options), [
    *(({"start": name}, f"start is {name!r}, {EXPECTATION}") for name in UNKNOWN),
    ({"gamma": np.full((C.M, K), 1 / K), "start": "topics"}, "gamma and start are given together, expected only one of them"),
])
