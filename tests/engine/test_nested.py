"""The schedule `nested`: each document to convergence in turn."""

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from scipy.special import digamma, gammaln

import lda_reference as lda
from lda_reference import engine

from .. import loops
from ..helpers import CORPORA, PRIORS, K, start

ALGORITHMS = lda.ALGORITHMS


def nested_by_loops(gamma, c, p, name, assign=loops.soft, inner=math.inf):
    """One outer iteration of SOL14 Algorithm 1, document by document, or a number of steps for each document."""
    alpha = [loops.entry(p.alpha, k) for k in range(K)]
    N_wk = np.array([loops.counts(gamma, c, -1, w, K)[1] for w in range(c.W)])
    eta_wk = np.array([[loops.entry_of_topic(p.eta, w, k) for k in range(K)] for w in range(c.W)])
    if name == "vb":
        E_log_phi = digamma(N_wk + eta_wk) - digamma((N_wk + eta_wk).sum(0))
    else:
        with np.errstate(divide="ignore"):
            E_log_phi = np.log(N_wk / N_wk.sum(0))
    out = np.array(gamma)
    for j in range(c.D):
        rows = [i for i in range(c.M) if c.j[i] == j]
        phi_ik = [[1 / K] * K for _ in rows]
        last, steps = None, 0
        while rows:
            N_k = [sum(c.n[i] * g[k] for i, g in zip(rows, phi_ik, strict=True)) for k in range(K)]
            Q = sum(gammaln(alpha[k] + N_k[k]) - gammaln(alpha[k]) for k in range(K))
            Q -= gammaln(sum(alpha) + sum(N_k)) - gammaln(sum(alpha))
            for i, g in zip(rows, phi_ik, strict=True):
                Q += c.n[i] * sum(g[k] * (E_log_phi[c.w[i], k] - math.log(g[k])) for k in range(K) if g[k] > 0)
            if steps == inner or (last is not None and inner == math.inf and abs(Q - last) <= 1e-4 * abs(last)):
                break
            last, steps = Q, steps + 1
            phi_ik = [assign([math.exp(digamma(alpha[k] + N_k[k]) + E_log_phi[c.w[i], k]) for k in range(K)]) for i in rows]
        if rows:
            out[rows] = phi_ik
    return out


@pytest.mark.parametrize("name", ["vb", "vem"])
@pytest.mark.parametrize("rows", CORPORA)
def test_nested_schedule_is_algorithm_1(name, rows):
    c = CORPORA[rows]
    for p in (PRIORS["0.1"], PRIORS["vectors"], PRIORS["eta by topic"]):
        s = start(name, c)
        expected = nested_by_loops(s.gamma.tolist(), c, p, name)
        np.testing.assert_allclose(ALGORITHMS[name].sweep(s, c, p, schedule="nested").gamma, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", ["vb", "vem"])
@pytest.mark.parametrize("rows", CORPORA)
def test_hard_documents_and_a_number_of_steps_are_plain_loops_too(name, rows):
    c, p = CORPORA[rows], PRIORS["vectors"]
    s = start(name, c)
    for options, of_loops in (
        ({"assignment": "hard"}, {"assign": loops.hard}),
        ({"assignment": lambda x: engine.soft(x)}, {}),  # a function of the caller
        ({"inner": 1}, {"inner": 1}),
        ({"inner": 3}, {"inner": 3}),
        ({"inner": 2, "assignment": "hard"}, {"inner": 2, "assign": loops.hard}),
    ):
        expected = nested_by_loops(s.gamma.tolist(), c, p, name, **of_loops)
        new = ALGORITHMS[name].sweep(s, c, p, schedule="nested", **options).gamma
        np.testing.assert_allclose(new, expected, rtol=0, atol=1e-12)


def test_blocks_of_documents_threads_and_replicates_have_no_effect(monkeypatch):
    rng = np.random.default_rng(0)
    c = lda.synthetic.draw(rng, rng.integers(0, 40, size=60), K, 50, lda.Prior(0.5, 0.5)).corpus.types()
    p, A = lda.Prior(0.1, 0.1), ALGORITHMS["vb"]
    s = start("vb", c, replicates=3)
    whole = A.sweep(s, c, p, schedule="nested").gamma
    for r in range(3):
        one = A.sweep(lda.State(s.gamma[:, r]), c, p, schedule="nested").gamma
        np.testing.assert_allclose(whole[:, r], one, rtol=0, atol=1e-13)
    monkeypatch.setattr(engine.counts, "BLOCK", 30 * K)
    np.testing.assert_allclose(A.sweep(s, c, p, schedule="nested").gamma, whole, rtol=0, atol=1e-13)
    with ThreadPoolExecutor(2) as pool:
        threaded = A.sweep(s, c, p, schedule="nested", executor=pool).gamma
    np.testing.assert_allclose(threaded, whole, rtol=0, atol=1e-13)


def test_tiny_priors_do_not_make_all_weights_of_a_row_vanish():
    c = lda.Corpus.from_documents([[0, 0, 1], [1, 2, 2], [0, 2]])
    p = lda.Prior(1e-3, 1e-3)  # exp(digamma(1e-3)) is 0
    for name in ("vb", "vem"):
        s = ALGORITHMS[name].init(c, 2, p, gamma=np.eye(2)[[0, 0, 1, 1, 1, 0, 0, 1]])
        with np.errstate(all="raise", under="ignore"):
            new = ALGORITHMS[name].sweep(s, c, p, schedule="nested", inner=4).gamma
        np.testing.assert_allclose(new.sum(-1), 1, rtol=0, atol=1e-12)


def test_the_bound_may_fall_because_documents_start_again():
    rng = np.random.default_rng(0)
    c = lda.synthetic.draw(rng, rng.poisson(30, size=30), 3, 40, lda.Prior(0.3, 0.1)).corpus.types()
    p = lda.Prior(0.1, 0.1)
    dips = []
    for seed in range(4):
        s = start("vb", c, seed=seed)
        values = []
        for _ in range(40):
            s = ALGORITHMS["vb"].sweep(s, c, p, schedule="nested")
            values.append(ALGORITHMS["vb"].bound(s, c, p))
        dips.append(np.diff(values).min())
        assert values[-1] > values[0]
    assert min(dips) < -1e-6
