"""How many draws the sampler test needs, and how often it fails correct chains."""

import numpy as np
import pytest

from lda_reference import oracle
from lda_reference.oracle.judging import samplers

from . import power
from .helpers import ALL, GUIDE
from .power import SMALLEST, WRONG_CHAIN


def test_so_many_draws_find_a_mistake():
    def times_found(n_draws):
        chains = (power.chain(*WRONG_CHAIN, n_draws, np.random.default_rng(seed)).tolist() for seed in range(40))
        return sum(samplers.verdict(z, samplers.law(SMALLEST)).p < samplers.LEVEL for z in chains)

    n_draws = samplers.draws_that_tell(samplers.law(SMALLEST), samplers.law(SMALLEST, "nothing-excluded"), power.corr_times(SMALLEST, *WRONG_CHAIN))
    assert times_found(n_draws) >= 30  # 36 expected, or more: other pairs tell too
    assert times_found(n_draws // 6) < times_found(n_draws) / 2


SMALL_MISTAKES = {  # in the guide: what is done to the probabilities of a draw, and the factors of alpha and eta
    "alpha is 5% too large": (lambda p: p, (1.05, 1)),
    "alpha is 20% too large": (lambda p: p, (1.2, 1)),
    "eta is 5% too large": (lambda p: p, (1, 1.05)),
    "eta is 20% too large": (lambda p: p, (1, 1.2)),
    "the weight of topic 0 is 5% too large": (lambda p: normalised(p * [1.05, *[1] * (p.shape[1] - 1)]), (1, 1)),
    "the weights are raised to the power 1.05": (lambda p: normalised(p**1.05), (1, 1)),
    "no uniform number is above 0.99": (lambda p: np.diff(np.minimum(p.cumsum(1), 0.99) / 0.99, axis=1, prepend=0), (1, 1)),
    "the uniform numbers are multiples of 1/256": (lambda p: np.diff(np.ceil(p.cumsum(1).round(12) * 256) / 256, axis=1, prepend=0), (1, 1)),
}


def normalised(weights):
    return weights / weights.sum(1, keepdims=True)


@pytest.mark.parametrize("mistake", [*SMALL_MISTAKES] if ALL else ["the weights are raised to the power 1.05"])
def test_so_many_draws_find_a_small_mistake_as_the_guide_says(mistake):
    change_probabilities, alpha_eta_factors = SMALL_MISTAKES[mistake]
    sampler_cases = oracle.sampler_cases()
    n_draws = min(power.draws_that_find(case, change_probabilities, alpha_eta_factors, samplers.LEVEL / len(sampler_cases)) for case in sampler_cases if case["algorithm"] == "cgs")
    assert f"| {mistake} | {float(f'{n_draws:.2g}'):,.0f} |\n" in GUIDE


def test_so_many_draws_find_a_probability_that_is_off():
    probability_shift = samplers.off(SMALLEST, 20_000)
    p_together = np.array(SMALLEST["together"])
    i, k = min(((i, k) for i in range(6) for k in range(i)), key=lambda token_pair: abs(p_together[token_pair] - 0.5))
    p_together[k, i] += probability_shift
    assert [f"{max(samplers.off(case, n_draws, samplers.LEVEL / 12) for case in oracle.sampler_cases()):.2g}" for n_draws in (20_000, 200_000)] == ["0.026", "0.0081"]
    assert samplers.draws_that_tell(samplers.law(SMALLEST), samplers.law(SMALLEST | {"mistakes": {"off": p_together.tolist()}}, "off")) == pytest.approx(20_000, rel=0.05)


@pytest.mark.parametrize(
    ("draw_p_values", "cases", "n_draws", "few_runs"),
    [(power.p_of_exact_draws, oracle.sampler_cases(), 20_000, 300), (power.p_of_chains, [SMALLEST], 4000, 20)],
)
def test_false_alarms_are_fewer_than_1_in_1000(draw_p_values, cases, n_draws, few_runs):
    """Of 20,000 runs 20 are allowed; were the rate 1 in 1,000, 11 or fewer would be 1 in 47."""
    n_runs = 20_000 if ALL else few_runs
    n_below = power.false_alarms(draw_p_values, cases, n_runs=n_runs, n_draws=n_draws, seed=1)
    assert n_below[-1] <= (11 if ALL else 0), n_below
    assert n_below[0] <= n_runs / 6, n_below  # the level of 0.1 is kept
