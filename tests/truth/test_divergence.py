"""The alpha-divergences of SN12: their special cases, and that each update is the minimum it is said to be."""

import functools
import itertools
import math

import mpmath
import numpy as np
import pytest
import scipy.optimize
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import roots_jacobi
from scipy.stats import binom

import lda_reference as lda
from lda_reference.model import counts_of
from lda_reference.truth.divergence import (
    MARGINALISED,
    TABLE_1,
    divergence,
    expectation_propagation,
    global_projection,
    local_projection,
    log_power_mean,
    power_mean,
    three_parameter_projection,
    three_parameters,
)

from .. import loops

K = 3
TINY = lda.Corpus.from_documents([[0, 1, 0], [], [1, 2]], W=4)
GAMMA = np.random.default_rng(3).dirichlet(np.ones(K), size=TINY.N)
PRIORS = {
    "symmetric": lda.Prior(0.4, 0.3),
    "vectors": lda.Prior([0.5, 1e-3, 2.0], [0.2, 1.0, 0.05, 3.0]),
}
ORDERS = [-1, 0, 0.5, 1, 2]
NEAR_LIMITS = [1e-30, 1e-15, 1e-9, -1e-9, 1e-3, -1e-3, 1 - 1e-15, 1 + 1e-9, 1 - 1e-6, 1 + 1e-3]
PLAIN = lda.Prior([0.5, 0.2, 1.0], [0.2, 1.0, 0.4, 3.0])  # for minima that a float can find
prior = pytest.mark.parametrize("prior", PRIORS)


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


@functools.cache
def others(i):
    """Of every assignment of the tokens but i: its probability, and the three counts of token i, recounted."""
    out = []
    for z in itertools.product(range(K), repeat=TINY.N - 1):
        full = [*z[:i], None, *z[i:]]
        seen = [m for m in range(TINY.N) if m != i]
        out.append(
            (
                math.prod(GAMMA[m][full[m]] for m in seen),
                [sum(full[m] == k and TINY.j[m] == TINY.j[i] for m in seen) for k in range(K)],
                [sum(full[m] == k and TINY.w[m] == TINY.w[i] for m in seen) for k in range(K)],
                [sum(full[m] == k for m in seen) for k in range(K)],
            )
        )
    weights, N_jk, N_wk, N_k = (np.array(x, float) for x in zip(*out, strict=True))
    return weights, N_jk, N_wk, N_k


def factors(i, p):
    """The probabilities of the assignments, and the three terms of the conditional: (3, B, K)."""
    weights, N_jk, N_wk, N_k = others(i)
    alpha, eta = p.vectors(K, TINY.W)
    return weights, np.array([N_jk + alpha, N_wk + eta[TINY.w[i]], 1 / (N_k + eta.sum())])


def gradient(f, x, h=0.01):
    """By central differences of six points: errors of h^6."""
    out = np.zeros(len(x))
    for k in range(len(x)):
        step = h * np.eye(len(x))[k]
        for m, weight in ((1, 3 / 4), (2, -3 / 20), (3, 1 / 60)):
            out[k] += weight / h * (f(x + m * step) - f(x - m * step))
    return out


def minimum(f, size):
    """Where the gradient of f vanishes; a step from there to any side is up."""
    x = scipy.optimize.minimize(f, np.zeros(size), jac=lambda x: gradient(f, x), method="BFGS", tol=1e-4).x
    x = scipy.optimize.root(lambda x: gradient(f, x), x, tol=1e-14).x
    assert np.abs(gradient(f, x)).max() < 1e-12
    assert all(f(x + step) > f(x) for step in 1e-3 * np.concatenate((np.eye(size), -np.eye(size))))
    return x


# The divergence -----------------------------------------------------------------------------------------------------

SPECIAL = {
    -1: lambda p, q: 0.5 * math.fsum((q - p) ** 2 / p),
    0: lambda p, q: math.fsum(q * np.log(q / p) - q + p),
    0.5: lambda p, q: 2 * math.fsum((np.sqrt(p) - np.sqrt(q)) ** 2),
    1: lambda p, q: math.fsum(p * np.log(p / q) - p + q),
    2: lambda p, q: 0.5 * math.fsum((p - q) ** 2 / q),
    0.3: lambda p, q: math.fsum(0.3 * p + 0.7 * q - p**0.3 * q**0.7) / 0.21,
    -3.5: lambda p, q: math.fsum(-3.5 * p + 4.5 * q - p**-3.5 * q**4.5) / (-3.5 * 4.5),
}


@pytest.mark.parametrize("a", SPECIAL)
@pytest.mark.parametrize("total", [None, 1, 7.5])
def test_special_cases(total, a):
    """Of measures of mass 1 both, of one mass, and of masses of their own."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        p, q = rng.gamma(1.5, size=(2, 6)) + 1e-3
        if total:
            p, q = total * p / p.sum(), total * q / q.sum()
        assert divergence(np.log(p), np.log(q), a) == pytest.approx(SPECIAL[a](p, q), rel=1e-11)


def divergence_to_ninety_digits(log_p, log_q, a):
    with mpmath.workdps(90):
        a, total = mpmath.mpf(a), mpmath.mpf(0)
        for x, y in zip(log_p, log_q, strict=True):
            p, q = mpmath.exp(mpmath.mpf(float(x))), mpmath.exp(mpmath.mpf(float(y)))
            if a == 0:
                total += q * mpmath.log(q / p) - q + p
            elif a == 1:
                total += p * mpmath.log(p / q) - p + q
            else:
                total += (a * p + (1 - a) * q - p**a * q ** (1 - a)) / (a * (1 - a))
        return total


@pytest.mark.parametrize("a", [*SPECIAL, *NEAR_LIMITS, 0.49, 0.51, 7.1])
def test_every_digit_near_the_limits_and_near_equality(a):
    rng = np.random.default_rng(1)
    for apart in (1e-12, 1e-8, 1e-4, 1e-2, 0.3, 1.0, 3.0, 10.0):
        for _ in range(3):
            log_q = rng.normal(0, 5, size=3)
            log_p = log_q + apart * rng.normal(size=3)
            exact = divergence_to_ninety_digits(log_p, log_q, a)
            assert abs(divergence(log_p, log_q, a) - exact) < 2e-14 * exact


@pytest.mark.parametrize("scale", [-1500.0, -700.0, 0.0, 690.0])
def test_scale_does_not_cost_digits(scale):
    """D_a[s p || s q] = s D_a[p || q], also where p^a q^(1-a) is far from both."""
    log_p, log_q = np.array([-3.0, 0.0, 2.0]), np.array([1.0, 0.5, -2.0])
    for a in (*ORDERS, 1e-9, -3.5):
        value = divergence(log_p + scale, log_q + scale, a)
        assert value == pytest.approx(math.exp(scale) * divergence(log_p, log_q, a), rel=1e-11)


def test_zero_probabilities():
    """a p + (1-a) q - p^a q^(1-a) with p or q zero: finite where the power vanishes, infinite where it is 1/0."""
    p, q = np.log([0.25]), [-math.inf]
    for a, value in ((-1, 0.125), (0, 0.25), (0.5, 0.5), (1 - 1e-9, 0.25e9), (1, math.inf), (2, math.inf)):
        assert divergence(p, q, a) == pytest.approx(value, rel=1e-7)
        assert divergence(q, p, 1 - a) == pytest.approx(value, rel=1e-7)
    for a in (*ORDERS, 0.3):
        assert divergence([-math.inf, 0.0], [-math.inf, 0.0], a) == 0
        assert divergence([-math.inf], [-math.inf], a) == 0
        assert divergence([], [], a) == 0
        expected = divergence([0.3], [0.1], a)
        assert divergence([0.3, -math.inf], [0.1, -math.inf], a) == expected > 0
    for a in (0.5, 0.1, 0.9):  # next to zero as at zero
        assert divergence([-1e9], [0.0], a) == pytest.approx(1 / a, rel=1e-15)
        assert divergence([0.0], [-1e9], a) == pytest.approx(1 / (1 - a), rel=1e-15)
    assert divergence([-math.inf], [-2000.0], 0) == math.inf
    assert divergence([-math.inf, 0.0], [-1.0, 0.0], -1) == math.inf  # zero-forcing


LOGS = st.lists(st.tuples(st.floats(-30, 30), st.floats(-30, 30)), min_size=1, max_size=5)


@settings(max_examples=200, deadline=None)
@given(LOGS, st.floats(-4, 5))
def test_never_negative_and_zero_only_at_equality(pairs, a):
    log_p, log_q = np.array(pairs).T
    value = divergence(log_p, log_q, a)
    assert value >= 0
    assert divergence(log_p, log_p, a) == 0
    if np.abs(log_p - log_q).max() > 1e-100:  # its square is a float
        assert value > 0
    assert value == pytest.approx(divergence(log_q, log_p, 1 - a), rel=1e-11)


# The power mean -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("a", [*ORDERS, *NEAR_LIMITS, -1e-15, 30.0, -30.0])
def test_power_mean_to_every_digit(a):
    rng = np.random.default_rng(2)
    for spread in (1e-10, 1e-4, 0.1, 1.0, 5.0):
        log_x, w = spread * rng.normal(size=(6, 2)), rng.gamma(1.0, size=6)
        value = log_power_mean(log_x, w, a)
        for k in range(2):
            with mpmath.workdps(90):
                v, order = [mpmath.mpf(float(x)) for x in w], mpmath.mpf(a)
                x = [mpmath.mpf(float(y)) for y in log_x[:, k]]
                if a == 0:
                    exact = mpmath.fdot(v, x) / mpmath.fsum(v)
                else:
                    exact = mpmath.log(mpmath.fdot(v, [mpmath.exp(order * y) for y in x]) / mpmath.fsum(v)) / order
                assert abs(value[k] - exact) < 2e-15 * np.abs(log_x).max()
        np.testing.assert_allclose(power_mean(np.exp(log_x), w, a), np.exp(value), rtol=1e-14)


def test_power_mean_of_zeros_and_of_weight_zero():
    x = np.array([[0.0, 4.0, 0.0], [9.0, 9.0, 0.0], [0.0, 1.0, 7.0]])
    w = [0.25, 0.75, 0]
    for a, expected in (
        (2, [math.sqrt(0.75 * 81), math.sqrt(0.25 * 16 + 0.75 * 81), 0]),
        (0.5, [(0.75 * 3) ** 2, (0.25 * 2 + 0.75 * 3) ** 2, 0]),
        (0, [0, 4**0.25 * 9**0.75, 0]),
        (-1, [0, 1 / (0.25 / 4 + 0.75 / 9), 0]),
    ):
        np.testing.assert_allclose(power_mean(x, w, a), expected, rtol=1e-14)
        for k in range(3):
            assert power_mean(x[:, k], w, a) == pytest.approx(expected[k], rel=1e-14)
    assert log_power_mean([-math.inf, 0.0], [1, 1], 0) == -math.inf
    assert power_mean([5.0, 0.0], [1e-3, 0], -2) == pytest.approx(5, rel=1e-14)


OUTCOMES = st.lists(st.tuples(st.floats(-10, 10), st.floats(0.01, 1)), min_size=2, max_size=5)


@settings(max_examples=200, deadline=None)
@given(OUTCOMES, st.floats(-6, 6), st.floats(-6, 6))
def test_liapunovs_inequality(outcomes, a1, a2):  # SN12 (46)
    a1, a2 = sorted((a1, a2))
    log_x, w = np.array(outcomes).T
    low, high = log_power_mean(log_x, w, a1), log_power_mean(log_x, w, a2)
    rounding = 1e-14 * np.abs(log_x).max() + 1e-300
    assert low <= high + rounding
    assert log_x.min() - rounding <= low
    assert high <= log_x.max() + rounding
    if a2 - a1 > 1e-3 and np.ptp(log_x) > 1e-2:
        assert low < high  # equal for a constant alone


# The updates by plain loops -----------------------------------------------------------------------------------------


@prior
@pytest.mark.parametrize("of", ["conditional", "joint"])
@pytest.mark.parametrize("a", [*ORDERS, -2.5])
def test_local_projection_by_plain_loops(a, of, prior):
    p = PRIORS[prior]
    expected = np.zeros((TINY.N, K))
    for i in range(TINY.N):
        weights, f = factors(i, p)
        for w, x in zip(weights, f.prod(0), strict=True):
            x = x / x.sum() if of == "conditional" else x
            expected[i] += w * (np.log(x) if a == 0 else x**a)
        expected[i] = np.exp(expected[i]) if a == 0 else expected[i] ** (1 / a)
    expected /= expected.sum(-1, keepdims=True)
    np.testing.assert_allclose(local_projection(GAMMA, TINY, K, p, a, of), expected, rtol=0, atol=1e-14)
    if a == 1:
        np.testing.assert_allclose(expectation_propagation(GAMMA, TINY, K, p, of), expected, rtol=0, atol=1e-14)


@prior
@pytest.mark.parametrize("a", [(1, 1, -1), (0, 0, 0), (1, 1, 1), (-1, 0.5, 2), (2, -2.5, 0), (0, 1, 0.5)])
def test_three_parameters_by_plain_loops(a, prior):
    p = PRIORS[prior]
    terms = np.exp(three_parameters(GAMMA, TINY, K, p, a))
    for i in range(TINY.N):
        weights, f = factors(i, p)
        for term, x, order in zip(terms, f, a, strict=True):
            expected = np.exp(weights @ np.log(x)) if order == 0 else (weights @ x**order) ** (1 / order)
            np.testing.assert_allclose(term[i], expected, rtol=2e-14)
    product = terms.prod(0)
    value = three_parameter_projection(GAMMA, TINY, K, p, a)
    np.testing.assert_allclose(value, product / product.sum(-1, keepdims=True), rtol=0, atol=1e-15)


@prior
@pytest.mark.parametrize(("name", "oracle"), [("cvb0", "cvb0"), ("cvb", "cvb_exact"), ("cvb1", "cvb1")])
@pytest.mark.parametrize("sharp", [False, True])
def test_marginalised_rows_of_table_1_are_the_algorithms(sharp, name, oracle, prior):
    """CVB0 from expected counts alone, exact CVB and CVB1 from the distributions of the counts."""
    p = PRIORS[prior]
    gamma = np.eye(K)[[0, 2, 2, 1, 0]] if sharp else GAMMA
    value = three_parameter_projection(gamma, TINY, K, p, TABLE_1[name])
    for i in range(TINY.N):
        x = loops.row_weights(oracle, gamma.tolist(), TINY, p, i, K)
        np.testing.assert_allclose(value[i], np.divide(x, math.fsum(x)), rtol=0, atol=1e-14)


def test_table_1():
    assert TABLE_1 == {"vb": (0, 0, 0), "cvb": (0, 0, 0), "cvb0": (1, 1, -1), "ep": (1, 1, 1), "cvb1": (1, 1, 1)}
    assert {"cvb", "cvb0", "cvb1"} == MARGINALISED


def test_row_vb_of_table_1_is_a_power_mean_of_theta_and_phi():
    """What is not marginalised has a distribution of its own: powers of Beta variables, by Gauss-Jacobi quadrature."""
    p = lda.Prior([4.0, 5.0, 7.0], [6.0, 5.0, 4.5, 8.0])
    alpha, eta = p.vectors(K, TINY.W)
    for i in range(TINY.N):
        N_jk, N_wk, N_k = (np.array(N) for N in loops.counts(GAMMA.tolist(), TINY, TINY.j[i], TINY.w[i], K))
        x = np.ones(K)
        for a, whole, order in (
            (alpha + N_jk, (alpha + N_jk).sum() * np.ones(K), TABLE_1["vb"][0]),
            (eta[TINY.w[i]] + N_wk, eta.sum() + N_k, TABLE_1["vb"][1]),
        ):
            for k in range(K):
                nodes, weights = roots_jacobi(150, whole[k] - a[k] - 1, a[k] - 1)
                x[k] *= power_mean((1 + nodes) / 2, weights, order)
        expected = loops.row_weights("vb", GAMMA.tolist(), TINY, p, i, K)
        np.testing.assert_allclose(x / x.sum(), np.divide(expected, sum(expected)), rtol=0, atol=1e-12)


# The updates as minima ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("a", ORDERS)
def test_local_projection_is_the_minimum(a):
    """SN12 (20) of (21): over distributions, and over measures of any mass, whose minimum is (20) without ∝."""
    p, i = PLAIN, 1
    weights, f = factors(i, p)
    conditional = f.prod(0) / f.prod(0).sum(-1, keepdims=True)
    log_w = np.log(weights)[:, None]

    def d(log_q):
        return divergence(np.log(conditional) + log_w, log_q + log_w, a)

    expected = local_projection(GAMMA, TINY, K, p, a)[i]
    free = minimum(d, K)
    np.testing.assert_allclose(np.exp(free), power_mean(conditional, weights, a), rtol=1e-10)
    np.testing.assert_allclose(softmax(free), expected, rtol=0, atol=1e-11)
    normalised = minimum(lambda x: d(np.log(softmax(np.append(x, 0)))), K - 1)
    np.testing.assert_allclose(softmax(np.append(normalised, 0)), expected, rtol=0, atol=1e-11)


@pytest.mark.parametrize("a", [-1, 0, 0.5, 1, 2])
@pytest.mark.parametrize("term", [0, 1, 2])
def test_each_of_three_parameters_is_the_minimum(term, a):
    """SN12 (24)-(42): one term projected alone, the two that rest the same numbers on both sides, whatever they are."""
    p, i = PLAIN, 0
    weights, f = factors(i, p)
    chosen = [1, 1, -1]
    chosen[term] = a
    logs = np.array(three_parameters(GAMMA, TINY, K, p, tuple(chosen)))[:, i]
    log_w = np.log(weights)[:, None]
    for rest in (np.delete(logs, term, 0).sum(0), np.random.default_rng(4).normal(size=K)):
        x = minimum(lambda x, r=rest: divergence(np.log(f[term]) + r + log_w, x + r + log_w, a), K)
        np.testing.assert_allclose(x, logs[term], rtol=0, atol=1e-10)


def test_three_parameters_must_be_numbers():
    """With the other terms as functions of the counts on both sides, the minimum is another: SN12 means numbers."""
    p, i, a = PLAIN, 0, 1
    weights, f = factors(i, p)
    log_r = np.log(f[1] * f[2]) + np.log(weights)[:, None]
    x = minimum(lambda x: divergence(np.log(f[0]) + log_r, x + log_r, a), K)
    r = weights[:, None] * f[1] * f[2]
    np.testing.assert_allclose(x, np.log((r * f[0]).sum(0) / r.sum(0)), rtol=0, atol=1e-10)
    assert np.abs(x - three_parameters(GAMMA, TINY, K, p, (a, a, a))[0][i]).max() > 0.1


@pytest.mark.parametrize("a", ORDERS)
def test_global_projection_is_the_minimum(a):
    """SN12 (18), over the factor of one token, of D_a[p(x, z) || q(z)]."""
    p, i = PLAIN, 2
    z = np.array(list(itertools.product(range(K), repeat=TINY.N)))
    log_p = np.array([lda.log_joint_collapsed(*counts_of(row, TINY, K), p) for row in z])
    log_p -= np.log(np.exp(log_p).sum())  # a mass near that of q
    rest = np.log(np.delete(GAMMA[np.arange(TINY.N), z], i, 1)).sum(1)
    x = minimum(lambda x: divergence(log_p, rest + x[z[:, i]], a), K)
    np.testing.assert_allclose(softmax(x), global_projection(GAMMA, TINY, K, p, a)[i], rtol=0, atol=1e-10)


@prior
def test_global_projection_of_order_1_is_the_posterior_whatever_the_gamma(prior):
    """And so the fixed point of (18) is exact, where (20) and the three parameters see q in its place."""
    p = PRIORS[prior]
    e = lda.exact.posterior(TINY, K, p)
    for seed in range(3):
        gamma = np.random.default_rng(seed).dirichlet(np.full(K, 0.3), size=TINY.N)
        np.testing.assert_allclose(global_projection(gamma, TINY, K, p, 1), e.gamma, rtol=0, atol=1e-13)
    if prior == "vectors":
        assert np.abs(local_projection(e.gamma, TINY, K, p, 1) - e.gamma).max() > 1e-3


# The limit a → 0, and the order of the orders -----------------------------------------------------------------------


@prior
@pytest.mark.parametrize("sharp", [False, True])
def test_order_0_is_exact_cvb(sharp, prior):
    """SN12 (47): conditional, joint, three terms and the whole of (18) at a = 0 are one update."""
    p = PRIORS[prior]
    gamma = np.eye(K)[[0, 2, 2, 1, 0]] if sharp else GAMMA
    expected = softmax(lda.exact.expected_log(gamma, TINY, K, p))
    for value in (
        local_projection(gamma, TINY, K, p, 0),
        local_projection(gamma, TINY, K, p, 0, "joint"),
        three_parameter_projection(gamma, TINY, K, p, (0, 0, 0)),
        global_projection(gamma, TINY, K, p, 0),
    ):
        np.testing.assert_allclose(value, expected, rtol=0, atol=1e-13)


@prior
def test_order_0_is_the_limit(prior):
    """From both sides, linearly: the distance over a settles, with an opposite sign."""
    p = PRIORS[prior]
    for update in (
        lambda a: local_projection(GAMMA, TINY, K, p, a),
        lambda a: local_projection(GAMMA, TINY, K, p, a, "joint"),
        lambda a: three_parameter_projection(GAMMA, TINY, K, p, (a, a, a)),
        lambda a: global_projection(GAMMA, TINY, K, p, a),
    ):
        slopes = [(update(a) - update(0)) / a for a in (1e-4, -1e-4, 1e-5, -1e-5)]
        assert np.abs(slopes[0]).max() > 1e-3
        for slope in slopes[1:]:
            np.testing.assert_allclose(slope, slopes[0], rtol=0, atol=2e-2 * np.abs(slopes[0]).max())


@prior
def test_each_term_grows_with_its_order(prior):
    """So CVB0's document and word terms lie above exact CVB's, its topic term below: SN12 (46)."""
    p = PRIORS[prior]
    terms = np.array([three_parameters(GAMMA, TINY, K, p, (a, a, a)) for a in (-2, -1, -0.5, 0, 0.5, 1, 2)])
    steps = np.diff(terms, axis=0)
    assert steps.min() > -1e-15
    assert steps[:, 0, :3].min() > 1e-3  # where a count is random, strictly: the documents of 3 and of 2 tokens
    assert steps[:, 2].min() > 1e-4
    np.testing.assert_allclose(steps[:, 1, 4], 0, rtol=0, atol=1e-15)  # the only token of its word
    cvb, cvb0 = terms[3], np.array(three_parameters(GAMMA, TINY, K, p, TABLE_1["cvb0"]))
    assert np.all(cvb0[0] > cvb[0])
    assert np.all(cvb0[2] < cvb[2])


# The two readings of (22)(23) ---------------------------------------------------------------------------------------


MEASURED = {"symmetric": 0.0320193, "vectors": 0.0586004}


def test_the_two_readings_differ_and_by_how_much():
    """Largest difference of a probability, at a = 1; it goes with a, as both go to exact CVB."""
    for name, measured in MEASURED.items():
        p = PRIORS[name]
        difference = expectation_propagation(GAMMA, TINY, K, p) - expectation_propagation(GAMMA, TINY, K, p, "joint")
        assert np.abs(difference).max() == pytest.approx(measured, abs=5e-8)
        for a in (1e-2, 1e-3, 0):
            of = [local_projection(GAMMA, TINY, K, p, a, of) for of in ("conditional", "joint")]
            assert np.abs(of[0] - of[1]).max() <= 2 * a * measured + 1e-15


@prior
def test_joint_is_the_conditional_under_a_reweighted_q(prior):
    p = PRIORS[prior]
    value = expectation_propagation(GAMMA, TINY, K, p, "joint")
    for i in range(TINY.N):
        weights, f = factors(i, p)
        predictive = f.prod(0).sum(-1)  # p(x_i | z^-i, x^-i) but for the document's length
        expected = power_mean(f.prod(0) / predictive[:, None], weights * predictive, 1)
        np.testing.assert_allclose(value[i], expected, rtol=0, atol=1e-14)


@prior
def test_the_posterior_obeys_the_first_reading_alone(prior):
    """Callen's equation, TNW06 (9), with the posterior of the others in place of a factorised q."""
    p = PRIORS[prior]
    e = lda.exact.posterior(TINY, K, p)
    worst = 0.0
    for i in range(TINY.N):
        _, f = factors(i, p)
        x = f.prod(0)
        joint = []
        for z in itertools.product(range(K), repeat=TINY.N - 1):
            full = [lda.log_joint_collapsed(*counts_of([*z[:i], k, *z[i:]], TINY, K), p) for k in range(K)]
            joint.append(math.fsum(np.exp(full)))
        posterior = np.divide(joint, math.fsum(joint))
        conditional = power_mean(x / x.sum(-1, keepdims=True), posterior, 1)
        np.testing.assert_allclose(conditional, e.gamma[i], rtol=0, atol=1e-13)
        unnormalised = power_mean(x, posterior, 1)
        worst = max(worst, np.abs(unnormalised / unnormalised.sum() - e.gamma[i]).max())
    assert worst > 1e-3 if prior == "vectors" else worst < 1e-13  # symmetric: 1/K both


def test_independent_tokens_have_an_exact_answer():
    """One word, a token a document: p(z_i = k | x) = alpha_k / sum alpha, from every gamma; CVB1 alone misses it."""
    c, p = lda.Corpus.from_documents([[0], [0], [0], [0]]), lda.Prior([0.5, 0.1, 2.0], 0.3)
    exact = np.tile(np.array([0.5, 0.1, 2.0]) / 2.6, (4, 1))
    np.testing.assert_allclose(lda.exact.posterior(c, K, p).gamma, exact, rtol=0, atol=1e-14)
    gamma = GAMMA[:4]
    for a in (*ORDERS, -3.0):
        for of in ("conditional", "joint"):
            np.testing.assert_allclose(local_projection(gamma, c, K, p, a, of), exact, rtol=0, atol=1e-14)
        np.testing.assert_allclose(three_parameter_projection(gamma, c, K, p, (a, a, -a)), exact, rtol=0, atol=1e-14)
    assert np.abs(three_parameter_projection(gamma, c, K, p, TABLE_1["cvb1"]) - exact).max() > 0.02


# SN12 §9.1 ----------------------------------------------------------------------------------------------------------


def test_orders_1_and_minus_1_do_not_differ_most_where_the_variance_is_largest():
    """c_t(1) / c_t(-1) = E[n + W eta] E[1/(n + W eta)] of n tokens at g: SN12 judges it at g = 1/2, where it is 1 + 1/n;
    it is largest where E[n] is about W eta."""
    n, W_eta = 1000, 5.0
    x = np.arange(n + 1) + W_eta

    def excess(g):
        w = binom.pmf(np.arange(n + 1), n, g)
        return power_mean(1 / x, w, 1) / power_mean(1 / x, w, -1) - 1

    assert excess(0.5) == pytest.approx(1 / n, rel=0.02)
    assert excess(W_eta / n) > 40 * excess(0.5)
    assert max(excess(g) for g in (1e-4, 1e-3, W_eta / n, 0.02, 0.1, 0.5, 0.9)) == excess(W_eta / n)


# Edges --------------------------------------------------------------------------------------------------------------


def test_one_token_and_rows_of_counts():
    c, p = lda.Corpus.from_documents([[1]], W=2), lda.Prior([0.5, 0.1, 2.0], [0.3, 0.7])
    exact = lda.exact.posterior(c, K, p).gamma
    for value in (
        local_projection(GAMMA[:1], c, K, p, 2),
        three_parameter_projection(GAMMA[:1], c, K, p, (3, -2, 0.5)),
        global_projection(GAMMA[:1], c, K, p, 0.5),
    ):
        np.testing.assert_allclose(value, exact, rtol=0, atol=1e-15)
    c, p = TINY.types(), PRIORS["vectors"]
    assert c.M < c.N
    for update in (local_projection, global_projection):
        np.testing.assert_array_equal(update(GAMMA, c, K, p, 0.7), update(GAMMA, c.tokens(), K, p, 0.7))


def test_certain_tokens():
    """With the others certain, every order gives the conditional; where (18) is infinite it says so."""
    p, gamma = PRIORS["vectors"], np.eye(K)[[0, 2, 2, 1, 0]]
    expected = local_projection(gamma, TINY, K, p, 1)
    for a in (*ORDERS, -3.0):
        for value in (
            local_projection(gamma, TINY, K, p, a),
            local_projection(gamma, TINY, K, p, a, "joint"),
            three_parameter_projection(gamma, TINY, K, p, (a, a, a)),
        ):
            np.testing.assert_allclose(value, expected, rtol=0, atol=1e-14)
        if a < 1:
            np.testing.assert_allclose(global_projection(gamma, TINY, K, p, a), expected, rtol=0, atol=1e-13)
        else:
            with pytest.raises(ValueError, match=r"gamma\[0, 1\] is 0, expected a positive number"):
                global_projection(gamma, TINY, K, p, a)


def test_small_and_large_priors():
    for value in (1e-8, 1e6):
        p = lda.Prior(value, value)
        for a in (*ORDERS, -20.0, 20.0):
            for q in (local_projection(GAMMA, TINY, K, p, a), three_parameter_projection(GAMMA, TINY, K, p, (a, a, -a))):
                np.testing.assert_allclose(q.sum(-1), 1, rtol=0, atol=1e-14)
                assert np.all(q >= 0)


def test_errors_name_the_argument():
    p = PRIORS["symmetric"]
    cases = [
        (lambda: divergence([0.0], [0.0, 1.0], 1), r"log_q has shape \(2,\), expected that of log_p, \(1,\)"),
        (lambda: divergence([math.nan], [0.0], 1), "log_p holds nan, expected logarithms"),
        (lambda: divergence([0.0], [math.inf], 1), "log_q holds inf, expected logarithms"),
        (lambda: divergence([0.0], [0.0], math.inf), "a is inf, expected a finite number"),
        (lambda: power_mean([1.0, -1.0], [1, 1], 1), "x holds -1.0, expected finite numbers from 0"),
        (lambda: power_mean([1.0, 2.0], [1], 1), r"weights has shape \(1,\), expected \(2,\)"),
        (lambda: power_mean([1.0, 2.0], [1, -2], 1), r"weights\[1\] is -2.0, expected a finite number from 0"),
        (lambda: power_mean([1.0, 2.0], [0, 0], 1), "weights are all 0"),
        (lambda: power_mean([1.0], [1], math.nan), "a is nan, expected a finite number"),
        (lambda: local_projection(GAMMA[:4], TINY, K, p, 1), r"gamma has shape \(4, 3\), expected \(5, 3\)"),
        (lambda: local_projection(2 * GAMMA, TINY, K, p, 1), r"gamma\[0\] is .*, expected probabilities that sum to 1"),
        (lambda: local_projection(GAMMA, TINY, K, p, 1, "both"), 'of is \'both\', expected "conditional" or "joint"'),
        (lambda: local_projection(GAMMA, TINY, K, p, math.nan), "a is nan"),
        (lambda: three_parameters(GAMMA, TINY, K, p, (1, 1)), "a has 2 entries, expected 3"),
        (lambda: three_parameters(GAMMA, TINY, K, p, (1, 1, math.nan)), r"a\[2\] is nan, expected a finite number"),
        (lambda: global_projection(GAMMA, TINY, K, p, -math.inf), "a is -inf"),
        (lambda: local_projection(GAMMA, TINY, 0, p, 1), "K is 0"),
        (lambda: local_projection([[0.1] * 10] * 30, lda.Corpus.from_documents([[0] * 30]), 10, p, 1), r"K\^N = 10\^30"),
    ]
    for call, words in cases:
        with pytest.raises(ValueError, match=words):
            call()
