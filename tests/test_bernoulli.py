"""Expectations under sums of Bernoulli variables, compared with forty digits of mpmath, and their quadrature."""

import math
from functools import partial

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lda_reference import bernoulli, quadrature
from lda_reference.algorithms import convolution

from .helpers import HARD_CASES, count_distribution


@pytest.mark.parametrize("a", [1e-8, 1e-3, 0.1, 1.0, 700.0, 1e6])
@pytest.mark.parametrize("case_name", HARD_CASES)
def test_expectations_agree_to_forty_digits(case_name, a):
    probabilities = HARD_CASES[case_name]
    S = bernoulli.statistic(probabilities[:, None]).sum(1)
    with mpmath.workdps(40):
        p_and_x = [(p_n, mpmath.mpf(a) + n) for n, p_n in enumerate(count_distribution(probabilities))]
        E_log, E_inv, E_lgamma = (float(mpmath.fsum(p_n * f(x) for p_n, x in p_and_x)) for f in (mpmath.log, lambda x: 1 / x, mpmath.loggamma))
    if a > 1e-8:
        assert abs(bernoulli.mean_log_gamma(a, S[None])[0, 0] - E_lgamma) < 1e-13 * max(1, abs(E_lgamma))
    a = np.asarray(a)
    assert abs(bernoulli.mean_log(a, S)[0] - E_log) < 1e-13 * max(1, abs(E_log))
    assert abs(bernoulli.mean_inverse(a, S)[0] / E_inv - 1) < 1e-12
    distribution = convolution.distribution(probabilities[:, None], np.ones(len(probabilities), int))
    assert abs(convolution.mean_log(a, distribution)[0] - E_log) < 1e-12 * max(1, abs(E_log))


def test_expected_log_of_five_thousand_terms():
    """If all g are equal, the distribution is binomial and the answer is known."""
    n, g = 5000, 0.3
    S = n * bernoulli.statistic(np.array([g]))
    with mpmath.workdps(40):
        odds = mpmath.mpf(g) / (1 - mpmath.mpf(g))
        count_law = [(1 - mpmath.mpf(g)) ** n]
        for n_ones in range(n):
            count_law.append(count_law[-1] * odds * (n - n_ones) / (n_ones + 1))
        for a in (1e-8, 0.1):
            mean_log = mpmath.fsum(p_n * mpmath.log(mpmath.mpf(a) + n_ones) for n_ones, p_n in enumerate(count_law))
            assert abs(bernoulli.mean_log(np.asarray(a), S)[0] - float(mean_log)) < 1e-12


@pytest.mark.parametrize("n", [10**4, 10**6, 10**8])
@pytest.mark.parametrize("a", [1e-8, 0.1, 1e3])
def test_large_counts_lose_no_digits(a, n):
    S, a = n * bernoulli.statistic(np.ones(1)), np.asarray(a)
    x = mpmath.mpf(a.item()) + n
    assert abs(bernoulli.mean_log(a, S)[0] / mpmath.log(x) - 1) < 2e-15
    assert abs(bernoulli.mean_inverse(a, S)[0] * x - 1) < 2e-15


@pytest.mark.parametrize("a", [1e-8, 1e-3, 0.1, 700.0, 1e6])
def test_rows_without_a_token_equal_the_sum_without_it(a):
    """Also where nearly all of G is the token's factor, and where columns of the tables are left out."""
    token_gammas = np.array([0.0, 1e-12, 0.4, 0.999, 1 - 1e-12, 1.0])[:, None]
    case_sums = np.stack([bernoulli.statistic(case_gammas[:, None]).sum(1) for case_gammas in HARD_CASES.values()])  # (cases, C, 1)
    a_rows = np.full((len(case_sums), 1), a)
    for function, function_of_rows in (
        (bernoulli.mean_log, bernoulli.mean_log_of_rows),
        (bernoulli.mean_inverse, partial(bernoulli.integral_of_rows, order=1)),
    ):
        means_without_token = function(np.asarray(a), case_sums.swapaxes(0, 1))
        for token_gamma in token_gammas:
            token_statistics = bernoulli.leaving(np.broadcast_to(token_gamma, (len(case_sums), 1)))
            for a_or_rows in (np.asarray(a), a_rows):
                mean_without_token = function_of_rows(a_or_rows, case_sums + bernoulli.statistic(token_gamma))
                np.testing.assert_allclose(mean_without_token(slice(None), token_statistics), means_without_token, rtol=1e-13, atol=1e-13)
                np.testing.assert_allclose(mean_without_token([3, 1], token_statistics[:2]), means_without_token[[3, 1]], rtol=1e-13, atol=1e-13)


def test_what_an_update_takes_out_of_the_statistic_is_a_difference():
    probabilities = np.array([0.0, 1e-300, 1e-12, 0.4, 0.999, 1 - 1e-12, 1.0])
    old_gamma, gamma = (x.reshape(-1, 7) for x in np.meshgrid(probabilities, probabilities))
    rows, difference = np.array([3, 0, 6]), bernoulli.statistic(old_gamma) - bernoulli.statistic(gamma)
    np.testing.assert_allclose(bernoulli.lost(old_gamma, gamma), difference, rtol=1e-15, atol=2e-15)
    np.testing.assert_array_equal(bernoulli.lost(old_gamma, gamma, rows), bernoulli.lost(old_gamma, gamma)[:, rows])


def test_sizes_of_blocks_have_no_effect(monkeypatch):
    rng = np.random.default_rng(0)
    S = bernoulli.statistic(rng.random((7, 5, 3))).sum(2).swapaxes(0, 1)  # (7, C, 3), of five tokens each
    for a in (np.asarray(0.1), rng.random((7, 1)), rng.random(3)):
        whole_tables = bernoulli.table(a, S, 0), bernoulli.mean_log_gamma(a, S)
        with monkeypatch.context() as patch:
            patch.setattr(bernoulli, "BLOCK_SIZE", 600)
            for whole_table, block_table in zip(whole_tables, (bernoulli.table(a, S, 0), bernoulli.mean_log_gamma(a, S)), strict=True):
                np.testing.assert_allclose(whole_table, block_table, rtol=1e-14, atol=1e-13)


@given(st.floats(0, 1), st.integers(0, len(quadrature.NODES) - 1))
@settings(max_examples=100, deadline=None)
def test_the_log_generating_function_is_accurate(probability, node_number):
    node = float(quadrature.NODES[node_number])
    with mpmath.workdps(160):
        G, T = mpmath.mpf(probability), mpmath.mpf(node)  # each form where it does not cancel
        exact_log_g = mpmath.log1p(G * mpmath.expm1(-T)) if node < 1 else mpmath.log((1 - G) + G * mpmath.exp(-T))
        log_g = float(bernoulli.log_generating_function(bernoulli.statistic(np.array([probability])))[node_number, 0])
        assert abs(log_g - exact_log_g) <= 1e-15 * abs(exact_log_g) + (1e-322 if node < math.log(2) else 2e-16)


@pytest.mark.parametrize(("a", "error_limit"), [(1e-8, 2e-10), (0.1, 2e-12)])
def test_running_sums_keep_their_digits(a, error_limit):
    """Of 5000 tokens that move three times; then all but ten leave."""
    rng, remove = np.random.default_rng(2), bernoulli.GENERATING_FUNCTION.remove
    S_of_tokens = bernoulli.statistic(rng.dirichlet([0.02] * 4, 5000))
    S = S_of_tokens.sum(1)
    for _ in range(3):
        new_S_of_tokens = bernoulli.statistic(rng.dirichlet([0.02] * 4, 5000))
        for token in range(5000):
            S = remove(S, S_of_tokens[:, token]) + new_S_of_tokens[:, token]
        S_of_tokens = new_S_of_tokens
    for token in range(4990):
        S = remove(S, S_of_tokens[:, token])
    a = np.asarray(a)
    np.testing.assert_allclose(bernoulli.mean_log(a, S), bernoulli.mean_log(a, S_of_tokens[:, 4990:].sum(1)), rtol=0, atol=error_limit)


# The nodes and the weights -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("a", [1e-8, 1e-3, 0.1, 5.0, 700.0, 1e6])
def test_the_weights_sum_to_known_integrals(a):
    """The integrals of e^(-at) and t e^(-at), and Frullani's, whose value is log a."""
    assert [quadrature.weights(a, order).sum() for order in (1, 2)] == pytest.approx([1 / a, 1 / a**2], rel=1e-14)
    log_a = quadrature.SUM_OF_EXPONENTIALS - quadrature.weights(a, 0).sum()
    assert log_a == pytest.approx(math.log(a), rel=1e-14)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_the_rule_of_the_left_end_is_exact_for_polynomials(n):
    nodes, node_weights = quadrature.left_end(n)
    left_nodes = np.exp(quadrature.FIRST_LOG_T - quadrature.STEP * np.arange(1, 400))
    sum_ratios = [node_weights @ nodes**power / (quadrature.STEP * (left_nodes**power).sum()) for power in range(1, 2 * n + 2)]
    assert sum_ratios[:-1] == pytest.approx([1.0] * (2 * n), rel=1e-13)
    assert abs(sum_ratios[-1] - 1) > 5e-5
