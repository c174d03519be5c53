"""What is right of each algorithm for a reason of its own."""

import math
from dataclasses import replace
from functools import partial

import mpmath
import numpy as np
import pytest
from scipy.special import digamma, gammaln

import lda_reference as lda
from lda_reference import bernoulli, engine, table_1
from lda_reference.algorithms import cgs, convolution, cvb, gibbs, ml, vb

from .. import loops
from ..helpers import CORPORA, HARD_CASES, PRIORS, TINY, TINY_PRIORS, K, prior_for, start

A = lda.ALGORITHMS
COLLAPSED = ("cvb_exact", "convolution", "cvb", "cvb0", "cvb1", "cvb1d")


def updated(algorithm, gamma, c, p):
    """gamma after one update of every row from the old sums."""
    if algorithm.plain is not None:
        return np.array([engine.soft(algorithm.plain(gamma, c, p, i)) for i in range(c.M)])
    return algorithm.sweep(lda.State(gamma), c, p, schedule="corpus").gamma


# Exact CVB ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("prior", TINY_PRIORS)
@pytest.mark.parametrize("rows", ["tokens", "types"])
@pytest.mark.parametrize("way", ["cvb_exact", "convolution"])
def test_exact_cvb_is_the_enumerated_expectation(way, rows, prior):  # TNW06 (15)
    c, p = TINY if rows == "tokens" else TINY.types(), TINY_PRIORS[prior]
    rng = np.random.default_rng(3)
    for concentration in (1.0, 0.05):
        gamma = rng.dirichlet(np.full(K, concentration), size=c.M)
        exponent = lda.exact.expected_log(gamma, c, K, p)
        expected = np.exp(exponent - exponent.max(1, keepdims=True))
        expected /= expected.sum(1, keepdims=True)
        new = np.repeat(updated(A[way], gamma, c, p), c.n, axis=0)
        np.testing.assert_allclose(new, expected, rtol=0, atol=1e-10)


@pytest.mark.parametrize("rows", CORPORA)
@pytest.mark.parametrize("prior", PRIORS)
def test_convolution_and_generating_function_agree(rows, prior):
    c, p = CORPORA[rows], PRIORS[prior]
    a = b = start("cvb_exact", c)
    for _ in range(3):
        a, b = A["cvb_exact"].sweep(a, c, p), A["convolution"].sweep(b, c, p)
        np.testing.assert_allclose(a.gamma, b.gamma, rtol=0, atol=1e-9)
        x, y = (updated(A[name], a.gamma, c, p) for name in ("cvb_exact", "convolution"))
        np.testing.assert_allclose(x, y, rtol=0, atol=1e-9)


def test_convolution_keeps_its_digits_through_a_sweep_of_many_uncertain_tokens():
    """Distributions that are kept up through a sweep, a token taken out by deconvolution for each row, lose them all."""
    p = lda.Prior(0.1, 0.1)
    c = lda.synthetic.draw(np.random.default_rng(5), [12] * 8, 3, 10, lda.Prior(0.3, 0.3)).corpus
    for rows in (c, c.types()):
        a = b = A["cvb_exact"].init(rows, 3, p, rng=np.random.default_rng(0))
        for _ in range(3):
            a, b = A["cvb_exact"].sweep(a, rows, p), A["convolution"].sweep(b, rows, p)
            np.testing.assert_allclose(a.gamma, b.gamma, rtol=0, atol=1e-10)


def sparsified(threshold):
    return replace(A["convolution"], plain=partial(convolution.weights_of_row, threshold=threshold))


def test_sparsified_convolution_is_near_and_says_what_it_drops():
    c, p = CORPORA["types"], PRIORS["0.1"]
    s = start("cvb_exact", c)
    whole = A["convolution"].sweep(s, c, p).gamma
    near, far = (sparsified(threshold).sweep(s, c, p).gamma for threshold in (1e-12, 0.05))
    assert np.abs(near - whole).max() < 1e-8
    assert np.abs(far - whole).max() > 1e-4


def test_convolution_refuses_large_corpora():
    c = lda.Corpus([0], [0], [2_001], 1, 1)
    for call in (lambda: start("convolution", c, K=2), lambda: A["convolution"].sweep(start("cvb0", c, K=2), c, PRIORS["0.1"])):
        with pytest.raises(ValueError, match="convolution is plain code for up to 2,000 tokens, and the corpus has 2,001"):
            call()


def test_convolution_with_held_topics_is_exact_cvb():
    c, p, held = TINY, PRIORS["0.1"], np.random.default_rng(0).dirichlet(np.ones(TINY.W), K).T
    s = start("convolution", c)
    a, b = (A[name].sweep(s, c, p, held_topics=held).gamma for name in ("convolution", "cvb_exact"))
    np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("rows", CORPORA)
def test_exact_cvb_never_lowers_its_bound_row_after_row(rows):
    c = CORPORA[rows]
    for p in (PRIORS["0.1"], PRIORS["vectors"], PRIORS["1e-3"]):
        for seed in range(3):
            s = start("cvb_exact", c, seed=seed)
            for _ in range(3):
                new = A["cvb_exact"].sweep(s, c, p).gamma
                steps = [lda.State(np.vstack([new[:i], s.gamma[i:]])) for i in range(c.M + 1)]
                bounds = [A["cvb_exact"].bound(x, c, p) for x in steps]
                assert (np.diff(bounds) >= -1e-9).all()
                s = lda.State(new)


def by_convolution(f, g, digits=40):
    """E[f(n)] in mpmath."""
    with mpmath.workdps(digits):
        distribution = [mpmath.mpf(1)]
        for x in (mpmath.mpf(float(x)) for x in g):
            longer = [*distribution, mpmath.mpf(0)]
            distribution = [longer[i] * (1 - x) + (longer[i - 1] * x if i else 0) for i in range(len(longer))]
        return mpmath.fsum(q * f(i) for i, q in enumerate(distribution))


@pytest.mark.parametrize("a", [1e-3, 0.1, 1.0, 700.0, 1e6])
@pytest.mark.parametrize("case", HARD_CASES)
def test_expected_log_and_inverse_meet_forty_digits(case, a):
    g = HARD_CASES[case]
    S = bernoulli.statistic(g[:, None], a).sum(1)
    log = float(by_convolution(lambda i: mpmath.log(mpmath.mpf(a) + i), g))
    inverse = float(by_convolution(lambda i: 1 / (mpmath.mpf(a) + i), g))
    a = np.asarray(a)
    assert abs(bernoulli.mean_log(a, S)[0] - log) < 1e-13 * max(1, abs(log))
    assert abs(bernoulli.mean_inverse(a, S)[0] / inverse - 1) < 1e-12
    v = convolution.distribution(g[:, None], np.ones(len(g), int))
    assert abs(convolution.mean_log(a, v)[0] - log) < 1e-12 * max(1, abs(log))


def test_five_thousand_terms():
    """Where the answer is known: all g alike, a binomial distribution."""
    n, g = 5000, 0.3
    S = n * bernoulli.statistic(np.array([g]), 1e-3)
    with mpmath.workdps(40):
        for a in (1e-3, 0.1, 50.0):
            g_, a_ = mpmath.mpf(g), mpmath.mpf(a)
            terms = [mpmath.binomial(n, m) * g_**m * (1 - g_) ** (n - m) * mpmath.log(a_ + m) for m in range(n + 1)]
            assert abs(bernoulli.mean_log(np.asarray(a), S)[0] - float(mpmath.fsum(terms))) < 1e-12


def test_deconvolution_undoes_convolution_from_the_stable_side():
    rng = np.random.default_rng(0)
    for g in (0.0, 1e-12, 0.3, 0.5, 0.7, 1 - 1e-12, 1.0):
        v = np.ones((1, 1))
        for x in rng.random(398):
            v = convolution.convolve(v, np.array([x]))
        out = convolution.convolve(v, np.array([g]))
        v = np.append(v, [[0.0]], axis=0)  # the largest count is now impossible
        np.testing.assert_allclose(convolution.deconvolve(out, np.array([g])), v, rtol=0, atol=1e-15)
        wrong = np.zeros_like(v)  # the other way round, for 0.3: errors grow as (g / (1 - g))^-m
        if g == 0.3:
            for m in range(len(v) - 1, 0, -1):
                wrong[m - 1] = (out[m] - (1 - g) * wrong[m]) / g
            assert np.abs(wrong - v).max() > 1


# The Gaussian, its relatives, and where they all meet ---------------------------------------------------------------


def test_without_variance_the_collapsed_algorithms_are_the_gibbs_conditional():  # TNW06 (8)
    c = CORPORA["tokens"]
    z = np.random.default_rng(0).integers(K, size=c.N)
    gamma = np.eye(K)[z]
    for p in PRIORS.values():
        expected = [loops.soft(loops.row_weights("cgs", gamma.tolist(), c, p, i, K)) for i in range(c.M)]
        for name in COLLAPSED:
            np.testing.assert_allclose(updated(A[name], gamma, c, p), expected, rtol=0, atol=1e-12, err_msg=name)


def test_taylor_is_the_second_order_expansion():  # TNW06 (17)
    """Its error against the exact expectation falls with the third power of 1 / (a + m), as the next term would."""
    errors = []
    for n in (20, 40, 80, 160):
        g = np.full((n, 1), 0.3)
        exact = bernoulli.mean_log(np.asarray(0.5), bernoulli.statistic(g, 0.5).sum(1))[0]
        errors.append(abs(cvb.second_order_log(0.5, cvb.mean_and_variance(g, None).sum(1))[0] - exact))
    ratios = np.divide(errors[:-1], errors[1:])
    assert ((ratios > 3.5) & (ratios < 4.7)).all()  # the third moment grows with n: n / n^3


def test_gaussian_cvb_does_not_climb_the_bound():
    """Its fixed point is not stationary for (12): the gradient in logits stays, while that of exact CVB vanishes."""
    c, p = CORPORA["types"], lda.Prior(0.3, 0.3)
    ends = {}
    for name in ("cvb", "cvb_exact"):
        s = start(name, c, seed=1)
        for _ in range(3000):
            s = A[name].sweep(s, c, p)
        ends[name] = np.abs(gradient(A[name].bound, s.gamma, c, p)).max()
    assert ends["cvb_exact"] < 1e-6
    assert ends["cvb"] > 1e-3


def gradient(f, gamma, c, p, h=1e-5):
    """Of f in the logits of gamma, by central differences."""
    out = np.zeros_like(gamma)
    logits = np.log(np.maximum(gamma, 1e-30))
    for at in np.ndindex(gamma.shape):
        values = []
        for sign in (1, -1):
            x = logits.copy()
            x[at] += sign * h
            x = np.exp(x - x.max(1, keepdims=True))
            values.append(f(lda.State(x / x.sum(1, keepdims=True)), c, p))
        out[at] = (values[0] - values[1]) / (2 * h)
    return out


@pytest.mark.parametrize("name", ["ml", "map", "vb", "vem"])
def test_fixed_points_are_stationary(name):
    c, p = CORPORA["types"], prior_for(name, lda.Prior(0.5, 0.5))
    s = start(name, c, seed=1)
    for _ in range(5000):
        s = A[name].sweep(s, c, p)
    assert np.abs(gradient(A[name].objective, s.gamma, c, p)).max() < 1e-6


def test_objectives_of_maximum_likelihood_survive_counts_that_vanish():
    c, p = lda.Corpus.from_documents([[0, 1, 1], [0]], W=2), lda.Prior()
    tiny, none = ([[1 - x, x], [0, 1], [0, 1], [1, 0]] for x in (5e-324, 0.0))
    for name in ("ml", "vem"):
        values = [A[name].objective(lda.State(np.array(gamma)), c, p) for gamma in (tiny, none)]
        assert values[0] == pytest.approx(values[1], abs=1e-12)


# Variants -----------------------------------------------------------------------------------------------------------


def test_tempered_em_is_em_at_one_and_raises_the_update_to_a_power():
    c, p = CORPORA["types"], PRIORS["0.1"]
    s = start("ml", c)
    np.testing.assert_allclose(ml.tempered(1.0).sweep(s, c, p).gamma, A["ml"].sweep(s, c, p).gamma, rtol=0, atol=1e-14)
    assert np.isfinite(ml.tempered(1e4).sweep(s, c, p).gamma).all()  # though the power of a count is not
    x = np.array([loops.row_weights("ml", s.gamma.tolist(), c, p, i, K) for i in range(c.M)]) ** 0.7
    new = ml.tempered(0.7).sweep(s, c, p).gamma
    np.testing.assert_allclose(new, x / x.sum(1, keepdims=True), rtol=0, atol=1e-12)
    with pytest.raises(ValueError, match=r"beta is 0.0"):
        ml.tempered(0.0)


def test_tempered_em_climbs_its_own_objective():
    c, p, T = CORPORA["types"], PRIORS["0.1"], ml.tempered(0.6)
    s = start("ml", c, seed=4)
    values = [T.objective(s, c, p)]
    for _ in range(40):
        s = T.sweep(s, c, p)
        values.append(T.objective(s, c, p))
    assert (np.diff(values) >= -1e-10).all()
    assert values[-1] > values[0] + 0.1


def test_the_reading_of_vb_with_a_half_taken_off():  # AWST09 (11)
    c, p = lda.Corpus([0, 0, 1, 1], [0, 1, 1, 2], [40, 50, 60, 70], 2, 3), lda.Prior(2.0, 3.0)
    s = start("vb", c)
    a, b = (x.sweep(s, c, p).gamma for x in (vb.APPROXIMATE, A["vb"]))
    assert 0 < np.abs(a - b).max() < 2e-3  # exp(psi(n)) is n - 0.5 + O(1/n)
    N_jk, N_wk, N_k = engine.sums(s.gamma, c)
    x = (N_wk[c.w] + 3 - 0.5) / (N_k + 3 * 3 - 0.5) * (N_jk[c.j] + 2 - 0.5)
    np.testing.assert_allclose(a, x / x.sum(1, keepdims=True), rtol=0, atol=1e-14)
    n = np.array([5.0, 50.0])
    assert (np.abs(np.exp(digamma(n)) - (n - 0.5)) < 1 / (20 * n)).all()
    with pytest.raises(ValueError, match=r"a prior number is 0\.1, expected more than 0\.5"):
        vb.APPROXIMATE.sweep(s, c, PRIORS["0.1"])
    with pytest.raises(ValueError, match="climbs no known function: it approximates"):
        vb.APPROXIMATE.objective(s, c, p)


def nested_by_loops(gamma, c, p, name):
    """SOL14 Algorithm 1, one outer iteration, document by document."""
    alpha = [loops.entry(p.alpha, k) for k in range(K)]
    N_wk = np.array([loops.counts(gamma, c, -1, w, K)[1] for w in range(c.W)])
    eta = np.array([loops.entry(p.eta, w) for w in range(c.W)])
    if name == "vb":
        E_log_phi = digamma(N_wk + eta[:, None]) - digamma(N_wk.sum(0) + eta.sum())
    else:
        with np.errstate(divide="ignore"):
            E_log_phi = np.log(N_wk / N_wk.sum(0))
    out = np.array(gamma)
    for j in range(c.D):
        rows = [i for i in range(c.M) if c.j[i] == j]
        phi_ik = [[1 / K] * K for _ in rows]
        last = None
        while rows:
            N_k = [sum(c.n[i] * g[k] for i, g in zip(rows, phi_ik, strict=True)) for k in range(K)]
            Q = sum(gammaln(alpha[k] + N_k[k]) - gammaln(alpha[k]) for k in range(K))
            Q -= gammaln(sum(alpha) + sum(N_k)) - gammaln(sum(alpha))
            for i, g in zip(rows, phi_ik, strict=True):
                Q += c.n[i] * sum(g[k] * (E_log_phi[c.w[i], k] - math.log(g[k])) for k in range(K) if g[k] > 0)
            if last is not None and abs(Q - last) <= 1e-4 * abs(last):
                break
            last = Q
            phi_ik = [loops.soft([math.exp(digamma(alpha[k] + N_k[k]) + E_log_phi[c.w[i], k]) for k in range(K)]) for i in rows]
        if rows:
            out[rows] = phi_ik
    return out


@pytest.mark.parametrize("name", ["vb", "vem"])
@pytest.mark.parametrize("rows", CORPORA)
def test_nested_schedule_is_algorithm_1(name, rows):
    c = CORPORA[rows]
    for p in (PRIORS["0.1"], PRIORS["vectors"]):
        s = start(name, c)
        expected = nested_by_loops(s.gamma.tolist(), c, p, name)
        np.testing.assert_allclose(A[name].sweep(s, c, p, schedule="nested").gamma, expected, rtol=0, atol=1e-12)


def test_the_bound_may_dip_where_documents_start_anew():
    rng = np.random.default_rng(0)
    c = lda.synthetic.draw(rng, rng.poisson(30, size=30), 3, 40, lda.Prior(0.3, 0.1)).corpus.types()
    p = lda.Prior(0.1, 0.1)
    dips = []
    for seed in range(4):
        s = start("vb", c, seed=seed)
        values = []
        for _ in range(40):
            s = A["vb"].sweep(s, c, p, schedule="nested")
            values.append(A["vb"].bound(s, c, p))
        dips.append(np.diff(values).min())
        assert values[-1] > values[0]
    assert min(dips) < -1e-6


def test_gibbs_draws_its_parameters_from_their_dirichlets():  # SOL14 (5)(6)
    c, p = CORPORA["types"], lda.Prior([0.5, 0.01, 2.0], 0.3)
    s = start("gibbs", c)
    N = engine.sums(s.gamma, c)
    rng = np.random.default_rng(0)
    draws = [gibbs.draw_parameters(s, c, p, rng) for _ in range(4000)]
    for drawn, a, axis in ((np.array([d[0] for d in draws]), N.jk + p.alpha, -1), (np.array([d[1] for d in draws]), N.wk + 0.3, 0)):
        total = a.sum(axis, keepdims=True)
        mean, variance = a / total, a * (total - a) / (total**2 * (total + 1))
        np.testing.assert_allclose(drawn.sum(axis if axis < 0 else axis + 1), 1)
        assert (np.abs(drawn.mean(0) - mean) < 5 * np.sqrt(variance / 4000)).all()
        fourth = ((drawn - mean) ** 4).mean(0)
        assert (np.abs(((drawn - mean) ** 2).mean(0) - variance) < 6 * np.sqrt(fourth / 4000)).all()


def test_gibbs_with_priors_that_underflow_stays_a_distribution():
    c = CORPORA["types"]
    theta_jk, phi_wk = gibbs.draw_parameters(start("gibbs", c), c, lda.Prior(1e-8, 1e-8), np.random.default_rng(0))
    np.testing.assert_allclose(theta_jk.sum(1), 1)
    np.testing.assert_allclose(phi_wk.sum(0), 1)


def test_drawing_each_topic_many_times_tends_to_cvb0():  # AWST09 §2.6
    c, p = CORPORA["tokens"], PRIORS["0.1"]
    s = start("cvb0", c)
    cvb0 = A["cvb0"].sweep(s, c, p).gamma
    errors = []
    for R in (100, 10_000, 1_000_000):
        runs = [cgs.sweep_of_fractions(s, c, p, R, np.random.default_rng(seed)).gamma for seed in range(20)]
        errors.append(np.sqrt(np.mean((np.array(runs) - cvb0) ** 2)))
    ratios = np.divide(errors[:-1], errors[1:])
    assert ((ratios > 7) & (ratios < 14)).all()  # with 1 / sqrt(R)
    assert errors[-1] < 1e-3


# TNW06 Table 1 ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("latent", "parameters"), table_1.TABLE_1)
def test_every_cell_of_table_1_runs_or_says_why_not(latent, parameters):
    cell = table_1.TABLE_1[latent, parameters]
    call = (latent, parameters, TINY, K, lda.Prior(0.4, 0.3))
    if cell.algorithm is None:
        with pytest.raises(ValueError, match="has no algorithm here: open"):
            table_1.run(*call)
        return
    out = table_1.run(*call)
    if cell.algorithm == "enumeration":
        assert out.log_evidence < 0
    elif latent in ("sample", "maximize"):
        assert np.isin(out.state.gamma, [0, 1]).all()
    else:
        np.testing.assert_allclose(out.state.gamma.sum(1), 1)


def test_table_1_has_four_rows_and_columns_and_knows_no_others():
    assert len(table_1.TABLE_1) == 16
    with pytest.raises(ValueError, match="no cell"):
        table_1.run("guess", "sample", TINY, K, PRIORS["0.1"])
