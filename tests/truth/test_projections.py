"""The projections of SN12: against plain loops, and each update is the minimum that it should be."""

import itertools
import math

import numpy as np
import pytest
import scipy.optimize
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import roots_jacobi, softmax
from scipy.stats import binom

import lda_reference as lda
from lda_reference import plain
from lda_reference.model import counts_of
from lda_reference.truth.divergence import divergence, power_mean
from lda_reference.truth.enumeration import other_assignments
from lda_reference.truth.projections import (
    ORDERS,
    global_projection,
    local_projection,
    three_parameter_projection,
    three_parameters,
)

from ..helpers import TINY_PRIORS, all_refused

K = 3
TINY = lda.Corpus.from_documents([[0, 1, 0], [], [1, 2]], W=4)
GAMMA = np.random.default_rng(3).dirichlet(np.ones(K), size=TINY.N)
SHARP_GAMMA = np.eye(K)[[0, 2, 2, 1, 0]]
MODERATE_PRIOR = lda.Prior([0.5, 0.2, 1.0], [0.2, 1.0, 0.4, 3.0])  # for minima that a float can find
PRIOR_NAMES = ["symmetric", "vectors"]
for_each_prior = pytest.mark.parametrize("p", [TINY_PRIORS[name] for name in PRIOR_NAMES], ids=PRIOR_NAMES)
for_each_gamma = pytest.mark.parametrize("gamma", [GAMMA, SHARP_GAMMA], ids=["soft", "sharp"])


def factors(i, p):
    """The probabilities of the assignments, and the three terms of the conditional: (3, B, K)."""
    assignment_weights, N_jk, N_wk, N_k = other_assignments(GAMMA, TINY, K, i)
    alpha, eta = p.vectors(K, TINY.W)
    return assignment_weights, np.array([N_jk + alpha, N_wk + eta[TINY.w[i]], 1 / (N_k + eta.sum())])


def gradient(f, x, h=0.01):
    """By central differences of six points: errors of h^6."""
    slopes = np.zeros(len(x))
    for k in range(len(x)):
        step = h * np.eye(len(x))[k]
        for n_steps, difference_weight in ((1, 3 / 4), (2, -3 / 20), (3, 1 / 60)):
            slopes[k] += difference_weight / h * (f(x + n_steps * step) - f(x - n_steps * step))
    return slopes


def minimum(f, dimension):
    """Where the gradient of f vanishes; f is larger at every neighbour that is tried."""
    x = scipy.optimize.minimize(f, np.zeros(dimension), jac=lambda x: gradient(f, x), method="BFGS", tol=1e-4).x
    x = scipy.optimize.root(lambda x: gradient(f, x), x, tol=1e-14).x
    assert np.abs(gradient(f, x)).max() < 1e-12
    assert all(f(x + small_step) > f(x) for small_step in 1e-3 * np.concatenate((np.eye(dimension), -np.eye(dimension))))
    return x


@for_each_prior
@pytest.mark.parametrize("reading", ["conditional", "joint"])
@pytest.mark.parametrize("a", [-2.5, -1, 0, 0.5, 1, 2])
def test_local_projection_by_plain_loops(a, reading, p):
    projection = np.zeros((TINY.N, K))
    for i in range(TINY.N):
        assignment_weights, terms = factors(i, p)
        for assignment_weight, topic_weights in zip(assignment_weights, terms.prod(0), strict=True):
            topic_weights = topic_weights / topic_weights.sum() if reading == "conditional" else topic_weights
            projection[i] += assignment_weight * (np.log(topic_weights) if a == 0 else topic_weights**a)
        projection[i] = np.exp(projection[i]) if a == 0 else projection[i] ** (1 / a)
    projection /= projection.sum(-1, keepdims=True)
    assert_allclose(local_projection(GAMMA, TINY, K, p, a, reading), projection, rtol=0, atol=1e-14)


@for_each_prior
@pytest.mark.parametrize(("row_name", "A_name"), [("cvb0", "cvb0"), ("cvb", "cvb_exact"), ("cvb1", "cvb1")])
@for_each_gamma
def test_marginalised_rows_of_table_1_are_the_algorithms(gamma, row_name, A_name, p):
    """CVB0 from expected counts alone, exact CVB and CVB1 from the distributions of the counts."""
    projection = three_parameter_projection(gamma, TINY, K, p, ORDERS[row_name])
    for i in range(TINY.N):
        assert_allclose(projection[i], plain.update(A_name, i, gamma, TINY, p), rtol=0, atol=1e-14)


def test_row_vb_of_table_1_is_a_power_mean_of_theta_and_phi():
    """VB keeps a distribution of theta and phi: powers of Beta variables, by Gauss-Jacobi quadrature."""
    p = lda.Prior([4.0, 5.0, 7.0], [6.0, 5.0, 4.5, 8.0])
    alpha, eta = p.vectors(K, TINY.W)
    for i in range(TINY.N):
        N_jk, N_wk, N_k = (GAMMA[row_mask].sum(0) for row_mask in (TINY.j == TINY.j[i], TINY.w == TINY.w[i], np.full(TINY.M, True)))
        means = np.ones(K)
        for beta_parameters, beta_parameter_sums, order in (
            (alpha + N_jk, (alpha + N_jk).sum() * np.ones(K), ORDERS["vb"][0]),
            (eta[TINY.w[i]] + N_wk, eta.sum() + N_k, ORDERS["vb"][1]),
        ):
            for k in range(K):
                nodes, quadrature_weights = roots_jacobi(150, beta_parameter_sums[k] - beta_parameters[k] - 1, beta_parameters[k] - 1)
                means[k] *= power_mean((1 + nodes) / 2, quadrature_weights, order)
        assert_allclose(means / means.sum(), plain.update("vb", i, GAMMA, TINY, p), rtol=0, atol=1e-12)


@pytest.mark.parametrize("a", [-1, 0, 2])
def test_local_projection_is_the_minimum(a):
    """SN12 (20) minimises (21) over distributions; without ∝ it is the minimum over measures of any mass."""
    p, i = MODERATE_PRIOR, 1
    assignment_weights, terms = factors(i, p)
    conditional = terms.prod(0) / terms.prod(0).sum(-1, keepdims=True)
    log_weights = np.log(assignment_weights)[:, None]

    def distance(log_q):
        return divergence(np.log(conditional) + log_weights, log_q + log_weights, a)

    projection = local_projection(GAMMA, TINY, K, p, a)[i]
    log_measure = minimum(distance, K)
    assert_allclose(np.exp(log_measure), power_mean(conditional, assignment_weights, a), rtol=1e-10)
    assert_allclose(softmax(log_measure), projection, rtol=0, atol=1e-11)
    logits = minimum(lambda x: distance(np.log(softmax(np.append(x, 0)))), K - 1)
    assert_allclose(softmax(np.append(logits, 0)), projection, rtol=0, atol=1e-11)


@pytest.mark.parametrize("a", [-1, 0, 2])
@pytest.mark.parametrize("term_index", [0, 1, 2])
def test_each_of_three_parameters_is_the_minimum(term_index, a):
    """SN12 (24)-(42): one term projected alone. The other two are constants, equal on both sides; any will do."""
    p, i = MODERATE_PRIOR, 0
    assignment_weights, terms = factors(i, p)
    orders = [1, 1, -1]
    orders[term_index] = a
    log_terms = np.array(three_parameters(GAMMA, TINY, K, p, tuple(orders)))[:, i]
    log_constants = np.random.default_rng(4).normal(size=K) + np.log(assignment_weights)[:, None]
    x = minimum(lambda x: divergence(np.log(terms[term_index]) + log_constants, x + log_constants, a), K)
    assert_allclose(x, log_terms[term_index], rtol=0, atol=1e-10)


@pytest.mark.parametrize("a", [-1, 0, 2])
def test_global_projection_is_the_minimum(a):
    """SN12 (18), over the factor of one token, of D_a[p(x, z) || q(z)]."""
    p, i = MODERATE_PRIOR, 2
    z = np.array(list(itertools.product(range(K), repeat=TINY.N)))
    log_p = np.array([lda.log_joint_collapsed(*counts_of(z_row, TINY, K), p) for z_row in z])
    log_p -= np.log(np.exp(log_p).sum())  # a mass near that of q
    log_q_others = np.log(np.delete(GAMMA[np.arange(TINY.N), z], i, 1)).sum(1)
    log_q_i = minimum(lambda log_q_i: divergence(log_p, log_q_others + log_q_i[z[:, i]], a), K)
    assert_allclose(softmax(log_q_i), global_projection(GAMMA, TINY, K, p, a)[i], rtol=0, atol=1e-10)


@for_each_prior
@for_each_gamma
def test_order_0_is_exact_cvb(gamma, p):
    """SN12 (47): conditional, joint, three terms and the whole of (18) at a = 0 are one update."""
    cvb_gamma = softmax(lda.exact.expected_log(gamma, TINY, K, p), -1)
    for projection in (
        local_projection(gamma, TINY, K, p, 0),
        local_projection(gamma, TINY, K, p, 0, "joint"),
        three_parameter_projection(gamma, TINY, K, p, (0, 0, 0)),
        global_projection(gamma, TINY, K, p, 0),
    ):
        assert_allclose(projection, cvb_gamma, rtol=0, atol=1e-13)


@for_each_prior
def test_each_term_grows_with_its_order(p):
    """So CVB0's document and word terms are above those of exact CVB, and its topic term is below: SN12 (46)."""
    terms = np.array([three_parameters(GAMMA, TINY, K, p, (a, a, a)) for a in (-2, -1, -0.5, 0, 0.5, 1, 2)])
    term_steps = np.diff(terms, axis=0)
    assert term_steps.min() > -1e-15
    assert term_steps[:, 0, :3].min() > 1e-3  # where a count is random, strictly: the documents of 3 and of 2 tokens
    assert term_steps[:, 2].min() > 1e-4
    assert_allclose(term_steps[:, 1, 4], 0, rtol=0, atol=1e-15)  # the only token of its word
    cvb_terms, cvb0_terms = terms[3], np.array(three_parameters(GAMMA, TINY, K, p, ORDERS["cvb0"]))
    assert np.all(cvb0_terms[0] > cvb_terms[0])
    assert np.all(cvb0_terms[2] < cvb_terms[2])


LARGEST_DIFFERENCES = {"symmetric": 0.0320193, "vectors": 0.0586004}


def test_order_1_is_not_expectation_propagation():
    """SN12 §6. EP with all of p as one factor is exact; factorised neighbours settle elsewhere."""
    p = MODERATE_PRIOR
    exact_gamma = lda.exact.posterior(TINY, K, p).gamma
    for gamma in (GAMMA, GAMMA[::-1]):
        assert_allclose(global_projection(gamma, TINY, K, p, 1), exact_gamma, rtol=0, atol=1e-12)
    for _ in range(200):
        gamma = local_projection(gamma, TINY, K, p, 1)
    assert_allclose(local_projection(gamma, TINY, K, p, 1), gamma, rtol=0, atol=1e-12)
    assert np.abs(gamma - exact_gamma).max() > 0.005


def test_the_two_readings_differ_and_by_how_much():
    """The largest difference of a probability at a = 1. It vanishes with a, since both tend to exact CVB."""
    for prior_name, largest_difference in LARGEST_DIFFERENCES.items():
        p = TINY_PRIORS[prior_name]
        gamma_difference = local_projection(GAMMA, TINY, K, p, 1) - local_projection(GAMMA, TINY, K, p, 1, "joint")
        assert np.abs(gamma_difference).max() == pytest.approx(largest_difference, abs=5e-8)
        for a in (1e-2, 1e-3, 0):
            gamma_of_readings = [local_projection(GAMMA, TINY, K, p, a, reading) for reading in ("conditional", "joint")]
            assert np.abs(gamma_of_readings[0] - gamma_of_readings[1]).max() <= 2 * a * largest_difference + 1e-15


@for_each_prior
def test_joint_is_the_conditional_under_a_reweighted_q(p):
    projection = local_projection(GAMMA, TINY, K, p, 1, "joint")
    for i in range(TINY.N):
        assignment_weights, terms = factors(i, p)
        predictive = terms.prod(0).sum(-1)  # p(x_i | z^-i, x^-i) but for the document's length
        reweighted_mean = power_mean(terms.prod(0) / predictive[:, None], assignment_weights * predictive, 1)
        assert_allclose(projection[i], reweighted_mean, rtol=0, atol=1e-14)


@for_each_prior
def test_the_posterior_obeys_the_first_reading_alone(p):
    """Callen's equation, TNW06 (9), with the posterior of the others in place of a factorised q."""
    exact_posterior = lda.exact.posterior(TINY, K, p)
    largest_error = 0.0
    for i in range(TINY.N):
        _, terms = factors(i, p)
        term_products = terms.prod(0)
        p_others = []
        for z in itertools.product(range(K), repeat=TINY.N - 1):
            log_p_k = [lda.log_joint_collapsed(*counts_of([*z[:i], k, *z[i:]], TINY, K), p) for k in range(K)]
            p_others.append(math.fsum(np.exp(log_p_k)))
        posterior_of_others = np.divide(p_others, math.fsum(p_others))
        conditional = power_mean(term_products / term_products.sum(-1, keepdims=True), posterior_of_others, 1)
        assert_allclose(conditional, exact_posterior.gamma[i], rtol=0, atol=1e-13)
        mean_product = power_mean(term_products, posterior_of_others, 1)
        largest_error = max(largest_error, np.abs(mean_product / mean_product.sum() - exact_posterior.gamma[i]).max())
    assert largest_error > 1e-3 if p == TINY_PRIORS["vectors"] else largest_error < 1e-13  # symmetric: 1/K both


def test_orders_1_and_minus_1_do_not_differ_most_where_the_variance_is_largest():
    """c_t(1) / c_t(-1) = E[n + W eta] E[1/(n + W eta)] of n tokens at g: SN12 judges it at g = 1/2, where it is 1 + 1/n;
    it is largest where E[n] is about W eta."""
    n_tokens, W_eta = 1000, 5.0
    counts_plus_W_eta = np.arange(n_tokens + 1) + W_eta

    def excess(topic_probability):
        count_law = binom.pmf(np.arange(n_tokens + 1), n_tokens, topic_probability)
        return power_mean(1 / counts_plus_W_eta, count_law, 1) / power_mean(1 / counts_plus_W_eta, count_law, -1) - 1

    assert excess(0.5) == pytest.approx(1 / n_tokens, rel=0.02)
    assert excess(W_eta / n_tokens) > 40 * excess(0.5)
    assert max(excess(topic_probability) for topic_probability in (1e-4, 1e-3, W_eta / n_tokens, 0.02, 0.1, 0.5, 0.9)) == excess(W_eta / n_tokens)


def test_rows_of_counts_are_tokens():
    c, p = TINY.types(), TINY_PRIORS["vectors"]
    assert c.M < c.N
    for projection_function in (local_projection, global_projection):
        assert_array_equal(projection_function(GAMMA, c, K, p, 0.7), projection_function(GAMMA, c.tokens(), K, p, 0.7))


def test_errors_name_the_argument():
    p = TINY_PRIORS["symmetric"]
    all_refused([
        (lambda: local_projection(GAMMA, TINY, K, p, 1, "both"), "reading is 'both', expected one of conditional, joint"),
        (lambda: local_projection(GAMMA, TINY, K, p, math.nan), "a is nan"),
        (lambda: three_parameters(GAMMA, TINY, K, p, (1, 1)), "a has 2 entries, expected 3"),
        (lambda: global_projection(SHARP_GAMMA, TINY, K, p, 1), r"gamma\[0, 1\] is 0, expected a positive"),
    ])
