"""R-hat and effective sample size: against plain loops, and on chains of known correlation."""

import math
from statistics import NormalDist, variance

import numpy as np
import pytest

from lda_reference.evaluation.chains import r_hat

from ..certify.effective_sample_size import effective_sample_size
from ..helpers import autoregressive


def scores_by_loops(chains):
    """Normal scores of a list of lists, by the definition of the mean rank."""
    draws = [draw for chain in chains for draw in chain]
    n_draws = len(draws)
    mean_rank = {draw: sum(other_draw < draw for other_draw in draws) + (sum(other_draw == draw for other_draw in draws) + 1) / 2 for draw in set(draws)}
    return [[NormalDist().inv_cdf((mean_rank[draw] - 0.375) / (n_draws + 0.25)) for draw in chain] for chain in chains]


def W_and_V(chains):
    n_draws = len(chains[0])
    W = sum(variance(chain) for chain in chains) / len(chains)
    return W, (n_draws - 1) / n_draws * W + variance([sum(chain) / n_draws for chain in chains])


def r_hat_by_loops(chain_draws):
    n_half, whole_chains = len(chain_draws) // 2, chain_draws.T.tolist()
    chains = [chain[:n_half] for chain in whole_chains] + [chain[len(chain) - n_half :] for chain in whole_chains]
    median = float(np.median(chains))
    distances = [[abs(draw - median) for draw in chain] for chain in chains]
    W_V_pairs = [W_and_V(scores_by_loops(chains_or_distances)) for chains_or_distances in (chains, distances)]
    return max(math.sqrt(V / W) for W, V in W_V_pairs)


@pytest.mark.parametrize("T", [4, 5, 17, 40])
@pytest.mark.parametrize("rho", [-0.9, 0.0, 0.9])
def test_r_hat_by_plain_loops(T, rho):
    draws = autoregressive(np.random.default_rng(T), rho, (T, 3, 2, 4))
    draws[..., 0] += np.arange(3)[:, None] / 2  # chains that differ, and ties
    draws[..., 1] = np.round(draws[..., 1])
    r_hats = r_hat(draws)
    for index in np.ndindex(2, 4):
        assert r_hats[index] == pytest.approx(r_hat_by_loops(draws[:, :, *index]), rel=1e-10)


@pytest.mark.parametrize("rho", [-0.3, 0.9])
def test_effective_sample_size_of_chains_of_known_correlation(rho):
    draws = autoregressive(np.random.default_rng(1), rho, (10000, 4, 5))
    true_size = 40000 * (1 - rho) / (1 + rho)
    effective_size = effective_sample_size(draws)
    np.testing.assert_allclose(effective_size, true_size, rtol=0.2)
    assert effective_size.mean() == pytest.approx(true_size, rel=0.06)
    assert np.all(r_hat(draws) < 1.01)


def test_chains_that_differ_in_mean_or_scale():
    draws = np.random.default_rng(0).normal(size=(1000, 4))
    assert r_hat(draws) < 1.005
    shifted_chains = draws + np.array([0, 0, 0, 1])
    for changed_chains in (shifted_chains, draws * np.array([1, 1, 1, 3]), draws + np.linspace(0, 2, 1000)[:, None]):
        assert r_hat(changed_chains) > 1.05
    assert effective_sample_size(shifted_chains) < 0.05 * effective_sample_size(draws)


def test_constant_chains():
    equal_draws = np.full((10, 3), 0.1)
    assert math.isnan(r_hat(equal_draws))
    assert math.isnan(effective_sample_size(equal_draws))
    constant_draws = np.broadcast_to([0.1, 0.1, 0.7], (10, 3))  # each in a place of its own
    assert r_hat(constant_draws) == math.inf
    assert effective_sample_size(constant_draws) == pytest.approx(30 / 8)  # five draws all correlated: tau = -1 + 2 (2 + 2) + 1
    mixed_draws = np.stack([equal_draws, np.random.default_rng(0).normal(size=(10, 3))], axis=-1)
    assert np.isfinite(r_hat(mixed_draws)).tolist() == np.isfinite(effective_sample_size(mixed_draws)).tolist() == [False, True]


@pytest.mark.parametrize("diagnostic", [r_hat, effective_sample_size])
def test_chains_that_are_too_short_or_not_finite(diagnostic):
    with pytest.raises(ValueError, match=r"x has shape .*, expected \(T, R, ...\)"):
        diagnostic(np.zeros((3, 2)))
    with pytest.raises(ValueError, match=r"x\[3, 1\] is inf, expected a finite number"):
        diagnostic(np.array([[0, 0], [0, 0], [0, 0], [0, math.inf]]))
