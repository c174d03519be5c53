"""Batch means and the rule for stopping: against plain loops, and on chains of known correlation."""

import math
from statistics import variance

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lda_reference.evaluation.monte_carlo import Batches, add_draw, converged, mean_of_draws, standard_error

from ..helpers import autoregressive, refusals


def batch(draws, batch_length=None):
    batches = Batches() if batch_length is None else Batches(length=batch_length)
    for draw in draws:
        batches = add_draw(batches, draw)
    return batches


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 40), st.integers(1, 7), st.integers(0, 2**32 - 1))
def test_recursive_batch_means_equal_plain_loops(T, batch_length, seed):
    draws = np.random.default_rng(seed).normal(loc=[0, 1, 1e3], size=(T, 2, 3))
    batches = batch(draws, batch_length)
    assert batches.draws == T
    standard_errors = standard_error(batches)
    for index in np.ndindex(2, 3):
        chain = [draw[index] for draw in draws]
        assert mean_of_draws(batches)[index] == pytest.approx(sum(chain) / T, rel=1e-12, abs=1e-12)
        batch_means = [sum(chain[i : i + batch_length]) / batch_length for i in range(0, T - batch_length + 1, batch_length)]
        n_means = len(batch_means)
        if n_means < 2:
            assert math.isnan(standard_errors[index])
        else:
            assert standard_errors[index] == pytest.approx(math.sqrt(variance(batch_means) / n_means), rel=1e-12, abs=1e-12)


def test_batches_have_50_draws():  # SOL14 §2.4
    draws = np.random.default_rng(0).normal(size=149)
    assert math.isnan(standard_error(batch(draws[:99])))
    batch_means = [draws[:50].mean(), draws[50:100].mean()]
    assert standard_error(batch(draws)) == pytest.approx(np.std(batch_means, ddof=1) / math.sqrt(2), rel=1e-12)
    assert standard_error(batch(draws + 1e9, 10)) == pytest.approx(standard_error(batch(draws, 10)), rel=1e-6)  # a large mean


def test_a_state_is_not_changed_by_what_follows():
    draw = np.array([1.0, 2.0])
    batches = add_draw(Batches(), draw)
    old_mean = mean_of_draws(batches).copy()
    add_draw(batches, [5.0, 7.0])
    draw[:] = 99
    assert batches.draws == 1
    np.testing.assert_array_equal(mean_of_draws(batches), old_mean)


def test_batches_of_fixed_length_miss_longer_correlations():
    """At rho = 0.99 the standard error is less than half the true one, however many the draws."""
    draws = autoregressive(np.random.default_rng(0), 0.99, (10000, 40))
    true_error = math.sqrt(1.99 / 0.01 / 10000)
    short_error, long_error = (np.sqrt(np.mean(standard_error(batch(draws, batch_length)) ** 2)) for batch_length in (50, 1000))
    assert short_error < 0.5 * true_error
    assert abs(long_error / true_error - 1) < 0.2


test_add_draw_refuses_what_it_cannot_average = refusals(lambda call: call(), [
    (lambda: add_draw(add_draw(Batches(), [0]), [0, 1]), "x has shape (2,), expected that of the draws before, (1,)"),
    (lambda: mean_of_draws(Batches()), "draws is 0"),
])


def test_a_chain_has_converged_when_its_largest_standard_error_is_below_the_tolerance():
    draws = np.random.default_rng(0).normal(size=(300, 2)) * [0.01, 1.0]
    batches = batch(draws)
    small_error, large_error = standard_error(batches)
    assert small_error < 0.03 < large_error
    assert not converged(batches)
    assert converged(batch(draws[:, :1]))
    assert not converged(batch(draws[:99, :1]))
    assert converged(batches, large_error * 1.001)
    assert not converged(batches, large_error)
    with pytest.raises(ValueError, match=r"tolerance is .*, expected a positive finite number"):
        converged(batches, math.nan)
