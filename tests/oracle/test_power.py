"""How many draws the sampler test needs, and how often it fails correct chains."""

import os

import numpy as np
import pytest

from lda_reference import oracle
from lda_reference.oracle import draws_needed
from lda_reference.oracle.judging import samplers

from . import power
from .helpers import RIGHT, TINY, WRONG, chain, law_of, states


def exact_times(T):
    """tau of every pair: the asymptotic variance of the chain, by its transition matrix, over that of one draw."""
    z, law = states(5), law_of(T)
    f = (z[:, :, None] == z[:, None, :]).reshape(len(z), -1).astype(float)
    f -= law @ f
    solved = np.linalg.solve(np.eye(len(T)) - T + law, f)  # the fundamental matrix
    variance = law @ f**2
    with np.errstate(invalid="ignore"):
        tau = (2 * law @ (f * solved) - variance) / variance
    return np.where(variance > 0, tau, 1.0).reshape(5, 5)[np.triu_indices(5, 1)]


def test_autocorrelation_times_are_those_of_the_transition_matrix():
    np.testing.assert_allclose(draws_needed.autocorrelation_times(TINY, sweeps=1000, chains=16), exact_times(RIGHT), rtol=0.15)


def test_so_many_draws_find_a_mistake():
    draws = draws_needed.detectable(TINY, "nothing-excluded", times=exact_times(WRONG))
    found = [samplers.verdict(chain(WRONG, draws, np.random.default_rng(seed)).tolist(), samplers.law(TINY)).p < samplers.LEVEL for seed in range(40)]
    assert sum(found) >= 30  # 36 expected, or more: other pairs tell too
    fewer = [samplers.verdict(chain(WRONG, draws // 6, np.random.default_rng(seed)).tolist(), samplers.law(TINY)).p < samplers.LEVEL for seed in range(40)]
    assert sum(fewer) < sum(found) / 2
    with pytest.raises(ValueError, match="name is 'x', expected one of nothing-excluded, uniform"):
        draws_needed.detectable(TINY, "x")


def test_the_enumerated_posterior_has_the_probabilities_of_the_files():
    for case in oracle.sampler_cases():
        z, p = power.posterior_of_assignments(case)
        found = p @ draws_needed.indicators(z, samplers.law(case))
        np.testing.assert_allclose(found, [*samplers.law(case).values()], rtol=0, atol=1e-12)


def test_the_study_computes_the_p_values_of_the_test():
    rng, length = np.random.default_rng(0), 50
    chances = np.array([0.0, 0.05, 0.3, 0.5, 1.0])
    counts = rng.binomial(length, np.clip(chances + rng.normal(0, 0.02, (samplers.BATCHES, 200, 5)), 0, 1))
    counts[:, 0] = length * chances
    found = power.p_values(counts / length, chances, length)
    for run in range(counts.shape[1]):
        for i, chance in enumerate(chances):
            p = samplers.compared(counts[:, run, i].tolist(), chance, length)[0]
            assert p == pytest.approx(found[run, i], rel=1e-10)


def test_correct_chains_seldom_fail():
    assert power.false_alarms([TINY], runs=20, draws=2000)[-1] == 0


def test_whole_runs_of_exact_draws_seldom_fail():
    """The level of 0.1 is kept; at the level in use, 300 runs fail with a probability of 6 in 100 at most."""
    found = power.false_alarms_of_exact_draws(oracle.sampler_cases(), runs=300, seed=1)
    assert found[0] <= 50, found
    assert found[-1] == 0, found


@pytest.mark.skipif(not os.environ.get("LDA_TEST_ALL"), reason="the study of false alarms takes minutes: set LDA_TEST_ALL")
def test_false_alarms_are_fewer_than_1_in_1000():
    for found in (
        power.false_alarms_of_exact_draws(oracle.sampler_cases(), runs=20_000),
        power.false_alarms([TINY], runs=20_000),
    ):
        assert found[-1] <= 11, found  # 20 are allowed; were the rate 1 in 1,000, 11 or fewer would be 1 in 47
