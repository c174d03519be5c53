"""Starts: each by its definition, with replicates, for soft algorithms and for samplers."""

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import lda_reference as lda
from lda_reference.engine.starts import STARTS

from .. import loops
from ..helpers import CORPORA, PRIORS, K, prior_for, refused

C, P = CORPORA["types"], PRIORS["vectors"]
VB, CGS = lda.ALGORITHMS["vb"], lda.ALGORITHMS["cgs"]


def drawn(A, name, seed=0, c=C, replicates=None, p=P):
    return A.init(c, K, p, np.random.default_rng(seed), start=name, replicates=replicates)


@pytest.mark.parametrize("rows", CORPORA)
@pytest.mark.parametrize("name", [*STARTS, "dirichlet:0.01", "dirichlet:1e-300", "dirichlet:500"])
@pytest.mark.parametrize("algorithm", ["vb", "ml", "cvb_exact", "cgs", "gibbs"])
def test_every_start_gives_every_algorithm_a_state_that_it_can_sweep(algorithm, name, rows):
    A, c = lda.ALGORITHMS[algorithm], CORPORA[rows]
    s = drawn(A, name, c=c)
    np.testing.assert_allclose(s.gamma.sum(-1), 1, rtol=0, atol=1e-12)
    assert (s.gamma >= 0).all()
    assert (s.z is not None) == (A.assignment == "sample")
    again, other = drawn(A, name, c=c), drawn(A, name, seed=1, c=c)
    assert s == again
    assert s != other
    new = A.sweep(s, c, P, rng=np.random.default_rng(1))
    np.testing.assert_allclose(new.gamma.sum(-1), 1, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", STARTS)
@pytest.mark.parametrize("A", [VB, CGS], ids=repr)
def test_replicates_are_single_starts_one_after_the_other(A, name):
    many, rng = drawn(A, name, replicates=3), np.random.default_rng(0)
    for r in range(3):
        one = A.init(C, K, P, rng, start=name)
        np.testing.assert_array_equal(many.gamma[:, r], one.gamma)
        if one.z is not None:
            np.testing.assert_array_equal(many.z[:, r], one.z)


@pytest.mark.parametrize("name", lda.ALGORITHMS)
def test_replicates_start_as_single_calls_one_after_the_other(name):
    A, p = lda.ALGORITHMS[name], prior_for(name, PRIORS["0.1"])
    c = A.arranged(CORPORA["types"])
    many = A.init(c, K, p, rng=np.random.default_rng(9), replicates=3)
    rng = np.random.default_rng(9)
    for r in range(3):
        np.testing.assert_array_equal(many.gamma[:, r], A.init(c, K, p, rng=rng).gamma)


@pytest.mark.parametrize("name", ["collapsed", "growing"])
def test_threads_have_no_effect_on_a_start(name):
    with ThreadPoolExecutor(2) as pool:
        threaded = VB.init(LARGER, K, P, np.random.default_rng(0), start=name, executor=pool)
    np.testing.assert_allclose(threaded.gamma, drawn(VB, name, c=LARGER).gamma, rtol=0, atol=1e-13)


def test_the_defaults_are_dirichlet_and_one_hot():
    assert drawn(VB, None) == drawn(VB, "dirichlet") == drawn(VB, "dirichlet:1")
    assert drawn(CGS, None) == drawn(CGS, "one-hot")


def test_rows_of_dirichlet_have_its_moments():
    c = lda.Corpus.from_documents([[0] * 4000])
    for concentration in (0.2, 1, 10):
        gamma = lda.ALGORITHMS["vb"].init(
            c, 4, lda.Prior(), np.random.default_rng(0), start=f"dirichlet:{concentration}"
        ).gamma
        variance = (1 / 4) * (3 / 4) / (4 * concentration + 1)
        assert np.abs(gamma.mean(0) - 1 / 4).max() < 5 * np.sqrt(variance / 4000)
        np.testing.assert_allclose(gamma.var(0), variance, rtol=0.15)


def test_one_hot_puts_each_token_in_one_topic():
    c = CORPORA["tokens"]
    gamma = drawn(VB, "one-hot", c=c).gamma
    assert np.isin(gamma, [0, 1]).all()
    row = np.repeat(np.arange(C.M), C.n)
    z = np.random.default_rng(0).integers(K, size=C.N)  # a row of count n has n topics
    expected = [np.eye(K)[z[row == i]].mean(0) for i in range(C.M)]
    np.testing.assert_allclose(drawn(VB, "one-hot").gamma, expected, rtol=0, atol=1e-15)


def test_topics_is_scikit_learns_and_gensims_start():
    """lambda_kw ~ Gamma(100, 1/100) is normalised over words; a row's gamma is proportional to its word's column."""
    lam = np.random.default_rng(0).gamma(100.0, 1 / 100, (C.W, K))
    phi_wk = lam / lam.sum(0)
    expected = [loops.soft(phi_wk[w].tolist()) for w in C.w]
    np.testing.assert_allclose(drawn(VB, "topics").gamma, expected, rtol=0, atol=1e-15)
    assert np.abs(np.array(expected) - 1 / K).max() < 0.15  # nearly uniform


def test_documents_is_lda_cs_seeded_start():
    """Each topic starts from the counts of one random document, plus 1 for each word."""
    chosen = np.random.default_rng(0).integers(C.D, size=K)
    phi_wk = np.ones((C.W, K))
    for k, d in enumerate(chosen):
        for j, w, n in zip(C.j, C.w, C.n, strict=True):
            phi_wk[w, k] += n * (j == d)
    phi_wk /= phi_wk.sum(0)
    np.testing.assert_allclose(drawn(VB, "documents").gamma, phi_wk[C.w] / phi_wk[C.w].sum(1, keepdims=True), atol=1e-15)


def test_incremental_draws_each_document_given_those_before_it():
    """There are no more documents than blocks, so each document is a block."""
    rng, alpha, eta = np.random.default_rng(0), np.array(P.alpha), np.array(P.eta)
    N_wk, expected = np.zeros((C.W, K)), np.zeros((C.M, K))
    for j in range(C.D):
        rows = np.flatnonzero(C.j == j)
        if not rows.size:
            continue
        u = rng.random(len(rows))
        for i, x in zip(rows, u, strict=True):
            weights = alpha * (N_wk[C.w[i]] + eta[C.w[i]]) / (N_wk.sum(0) + eta.sum())
            expected[i, loops.draw(weights.tolist(), x)] = 1
        for i in rows:
            N_wk[C.w[i]] += C.n[i] * expected[i]
    np.testing.assert_array_equal(drawn(VB, "incremental").gamma, expected)


def test_collapsed_is_ten_sweeps_of_cvb0_in_blocks():
    gamma = drawn(VB, "dirichlet").gamma.tolist()
    for _ in range(10):
        gamma = loops.sweep("cvb0", gamma, C, P, "block")
    np.testing.assert_allclose(drawn(VB, "collapsed").gamma, gamma, rtol=0, atol=1e-11)


LARGER = lda.synthetic.draw(np.random.default_rng(3), [9] * 37, K, 6, lda.Prior(0.1, 0.1)).corpus.types()


@pytest.mark.parametrize("p", [P, PRIORS["eta by topic"]], ids=["one eta", "eta by topic"])
@pytest.mark.parametrize("c", [C, LARGER], ids=["5 documents", "37 documents"])
def test_growing_is_cvb0_on_parts_that_grow(c, p):
    """The documents of a part are swept in 8 blocks; the next documents begin with the part's phi."""
    rng, eta = np.random.default_rng(0), np.array(p.eta)
    order = rng.permutation(np.unique(c.j)).tolist()  # an empty document could not break the symmetry
    sizes = [math.ceil(len(order) / 2**i) for i in range(7)]

    def rows_of(documents):
        return [row for row in range(c.M) if c.j[row] in documents]

    rows = rows_of(order[: sizes[6]])
    gamma = dict(zip(rows, rng.standard_exponential((len(rows), K)), strict=True))
    gamma = {row: (g / g.sum()).tolist() for row, g in gamma.items()}
    for i in range(6, 0, -1):
        rows = rows_of(order[: sizes[i]])
        part, new = c.with_rows(c.j[rows], c.w[rows], c.n[rows]), [gamma[row] for row in rows]
        for _ in range(4 if rows else 0):  # with 5 documents the first part is an empty one
            new = loops.sweep("cvb0", new, part, p, "block", blocks=8)
        gamma.update(zip(rows, new, strict=True))
        phi_wk = eta.reshape(c.W, -1) * np.ones(K)
        for row in rows:
            phi_wk[c.w[row]] += c.n[row] * np.array(gamma[row])
        phi_wk /= phi_wk.sum(0)
        gamma.update((row, loops.soft(phi_wk[c.w[row]].tolist())) for row in rows_of(order[sizes[i] : sizes[i - 1]]))
    assert sorted(gamma) == list(range(c.M))
    expected = [gamma[row] for row in range(c.M)]
    np.testing.assert_allclose(drawn(VB, "growing", c=c, p=p).gamma, expected, rtol=0, atol=1e-11)


def test_a_sampler_draws_z_from_the_rows_of_the_start():
    rng = np.random.default_rng(0)
    gamma = STARTS["topics"](C, K, P, rng)
    u = rng.random(C.N)
    row = np.repeat(np.arange(C.M), C.n)
    expected = [loops.draw(gamma[i].tolist(), x) for i, x in zip(row, u, strict=True)]
    assert drawn(CGS, "topics").z.tolist() == expected


@pytest.mark.parametrize("name", ["best", "topics:3", "dirichlet:", "dirichlet:0", "dirichlet:-1", "dirichlet:nan", "dirichlet:inf"])
def test_unknown_starts_are_named(name):
    with refused(f"start is {name!r}, expected one of dirichlet, one-hot, topics, documents, incremental, collapsed, growing"):
        drawn(VB, name)


def test_a_start_goes_with_neither_gamma_nor_z():
    with refused("gamma and start are given together, expected only one of them"):
        VB.init(C, K, P, np.random.default_rng(0), gamma=np.full((C.M, K), 1 / K), start="topics")
    with refused("z and start are given together, expected only one of them"):
        CGS.init(C, K, P, np.random.default_rng(0), z=[0] * C.N, start="topics")


@pytest.mark.parametrize("name", STARTS)
@pytest.mark.parametrize("A", [VB, CGS], ids=repr)
def test_explain_shows_the_first_update_after_a_start(A, name):
    s = drawn(A, name)
    text = lda.explain(A, s, C, P, row=2).splitlines()
    assert [float(x) for x in text[-1].split()[-K:]] == pytest.approx(
        loops.soft(
            loops.row_weights("vb", s.gamma, C, P, 2, K)
            if A is VB
            else loops.row_weights("cgs", np.eye(K)[s.z], C.tokens(), P, int(C.n[:2].sum()), K)
        ),
        rel=1e-6,
    )
