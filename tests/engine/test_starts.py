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


def drawn(A, name, seed=0, c=C, replicates=None, p=P):
    return A.init(c, K, p, default_rng(seed), start=name, replicates=replicates)


@pytest.mark.parametrize("rows", CORPORA)
@pytest.mark.parametrize("name", [*NAMES, "dirichlet:0.01", "dirichlet:1e-300", "dirichlet:500"])
@pytest.mark.parametrize("algorithm", ["vb", "ml", "cvb_exact", "cgs", "gibbs"])
def test_every_start_gives_every_algorithm_a_state_that_it_can_sweep(algorithm, name, rows):
    A, c = lda.ALGORITHMS[algorithm], CORPORA[rows]
    s = drawn(A, name, c=c)
    assert_allclose(s.gamma.sum(-1), 1, rtol=0, atol=1e-12)
    assert (s.gamma >= 0).all()
    assert (s.z is not None) == (A.assignment == "sample")
    assert s != drawn(A, name, seed=1, c=c)
    new = A.sweep(s, c, P, rng=default_rng(1))
    assert_allclose(new.gamma.sum(-1), 1, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", [None, *NAMES])
@pytest.mark.parametrize("A", [VB, CGS, lda.ALGORITHMS["hmc"]], ids=repr)
def test_replicates_are_single_starts_one_after_the_other(A, name):
    many, rng = drawn(A, name, replicates=3), default_rng(0)
    for r in range(3):
        single = A.init(C, K, P, rng, start=name)
        assert_array_equal(many.gamma[:, r], single.gamma)
        if single.z is not None:
            assert_array_equal(many.z[:, r], single.z)


@pytest.mark.parametrize("name", ["collapsed", "growing", "anneal:2:4"])
def test_threads_have_no_effect_on_a_start(name):
    with ThreadPoolExecutor(2) as pool:
        threaded = VB.init(LARGER, K, P, default_rng(0), start=name, executor=pool)
    assert_allclose(threaded.gamma, drawn(VB, name, c=LARGER).gamma, rtol=0, atol=1e-13)


def test_growing_may_go_on_with_sweeps_of_the_whole():
    gamma = drawn(VB, "growing", c=LARGER).gamma
    for _ in range(3):
        gamma = CVB0.sweep(lda.State(gamma), LARGER, P, "block").gamma
    assert_allclose(drawn(VB, "growing:3", c=LARGER).gamma, gamma, rtol=0, atol=1e-12)


def test_rows_of_dirichlet_have_its_moments():
    assert drawn(VB, "dirichlet") == drawn(VB, "dirichlet:1")
    c = lda.Corpus.from_documents([[0] * 4000])
    for concentration in (0.2, 1, 10):
        gamma = VB.init(c, 4, lda.Prior(), default_rng(0), start=f"dirichlet:{concentration}").gamma
        variance = (1 / 4) * (3 / 4) / (4 * concentration + 1)
        assert np.abs(gamma.mean(0) - 1 / 4).max() < 5 * np.sqrt(variance / 4000)
        assert_allclose(gamma.var(0), variance, rtol=0.15)


LARGER = lda.synthetic.draw(default_rng(3), [9] * 37, K, 6, lda.Prior(0.1, 0.1)).corpus.types()


@pytest.mark.parametrize("p", [P, PRIORS["eta by topic"]], ids=["one eta", "eta by topic"])
@pytest.mark.parametrize("c", [C, LARGER], ids=["5 documents", "37 documents"])
@pytest.mark.parametrize("name", [name for name in STARTS if name not in ("dirichlet", "anneal")])
def test_a_start_is_that_of_the_plain_text(name, c, p, monkeypatch):
    """From the same random numbers. An empty document is not in the order of `growing`: it could not break the symmetry."""
    monkeypatch.setattr(starts, "FEW_TOPICS", 0)
    rng, state, (documents, j) = default_rng(0), [], np.unique(c.j, return_inverse=True)
    if name == "one-hot":
        state, numbers = rng.integers(K, size=c.N), {}
    elif name == "topics":
        numbers = {"weights_wk": rng.gamma(100.0, 1 / 100, (c.W, K))}
    elif name == "documents":
        numbers = {"documents": rng.integers(c.D, size=K)}
    elif name == "incremental":
        numbers = {"uniforms": rng.random(c.M), "blocks": 32}
    elif name == "collapsed":
        state = drawn(VB, "dirichlet", c=c).gamma
        path, moves = [state], []  # CVB0 until a token's gamma moves little, on average over one sweep and over two
        while len(path) <= 300 and not (len(moves) == 2 and max(moves) < 1e-3):
            path.append(CVB0.sweep(lda.State(path[-1]), c, p, "block").gamma)
            moves = [c.n @ np.abs(path[-1] - x).sum(-1) / 2 / c.N for x in path[-3:-1]]
        numbers = {"blocks": 32, "sweeps": len(path) - 1}
    else:
        order = np.searchsorted(documents, rng.permutation(documents))
        doublings = {4: 1, 37: 2}[len(documents)]  # the first part has 2 K documents, or is a half
        first = rng.standard_exponential((np.isin(j, order[: -(-len(order) // 2**doublings)]).sum(), K))
        numbers = {"order": order, "first": first / first.sum(1, keepdims=True), "blocks": 8, "doublings": doublings}
    rows_given = c if name == "documents" else lda.Corpus(j, c.w, c.n, len(documents), c.W)
    case = plain.case_of("start", "", state, rows_given, p, start=name, schedule="block", K=K, **numbers)
    tolerance = {"incremental": 0, "collapsed": 1e-11, "growing": 1e-11}.get(name, 1e-15)
    assert_allclose(drawn(VB, name, c=c, p=p).gamma, plain.answer(case)["gamma"], rtol=0, atol=tolerance)


@pytest.mark.parametrize("p", [P, PRIORS["eta by topic"]], ids=["one eta", "eta by topic"])
@pytest.mark.parametrize("annealed", [x for x in (*UNCOLLAPSED, *COLLAPSED) if not lda.ALGORITHMS[x].draws])
def test_annealed_sweeps_are_those_of_the_plain_text(annealed, p):
    A, p = lda.ALGORITHMS[annealed], prior_for(annealed, p)
    first = A.init(C, K, p, default_rng(0)).gamma
    numbers = {"start": "anneal", "of": annealed, "schedule": "corpus", "K": K, "sweeps": 5}
    for name, top in (("anneal:2:5", 2.0), ("anneal:0.5:5", 0.5)):  # some numbers of the priors are above 0.5
        right = plain.answer(plain.case_of("start", "", first, C, p, top=top, **numbers))["gamma"]
        assert_allclose(drawn(A, name, p=p).gamma, right, rtol=0, atol=1e-12)


def test_the_priors_of_annealing_fall_in_equal_ratios():
    usual = [float(p.alpha) for p in anneal(lda.Prior(0.02, 0.1))]
    assert (len(usual), usual[0]) == (300, 2)
    assert_allclose([usual[150], usual[299] * (2 / 0.02) ** (-1 / 300)], [0.2, 0.02], rtol=1e-13)


def test_annealing_is_sweeps_of_a_sampler_too():
    rng, again = default_rng(0), default_rng(0)
    s = CGS.init(C, K, P, again)
    for p in anneal(P, top=3.0, sweeps=4):
        s = CGS.sweep(s, C, p, rng=again)
    assert CGS.init(C, K, P, rng, start="anneal:3:4") == s


def test_a_sampler_draws_z_from_the_rows_of_the_start():
    rng = default_rng(0)
    gamma = STARTS["topics"](C, K, P, rng).gamma
    u = rng.random(C.N)
    assert drawn(CGS, "topics").z.tolist() == topics_of(np.repeat(gamma, C.n, axis=0), u)


UNKNOWN = ["best", "topics:3", "dirichlet:", "dirichlet:0", "dirichlet:inf", "anneal:0", "anneal:2:1.5", "anneal:2:3:4"]
EXPECTED = "expected one of dirichlet, one-hot, topics, documents, incremental, collapsed, growing, anneal; or"

test_unknown_starts_and_two_of_them_are_named = refusals(lambda options: VB.init(C, K, P, default_rng(0), **options), [
    *(({"start": name}, f"start is {name!r}, {EXPECTED}") for name in UNKNOWN),
    ({"gamma": np.full((C.M, K), 1 / K), "start": "topics"}, "gamma and start are given together, expected only one of them"),
])
