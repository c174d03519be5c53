"""The distribution of the samplers: a sweep preserves the posterior."""

import numpy as np
import pytest
from scipy.stats import norm

import lda_reference as lda

from ..sampler_checks import (
    DOCUMENT,
    FALSE_ALARM,
    JOINT_PRIOR,
    LENGTHS,
    ROWS,
    SAMPLERS,
    TINY_PRIORS,
    K,
    W,
    functionals,
    geweke_z,
    largest_z,
    law_of_one_sweep,
    posterior_z,
    prior_expectations,
)


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("name", SAMPLERS)
def test_chains_agree_with_the_enumerated_posterior(name, rows):
    assert posterior_z(SAMPLERS[name], rows, 1.0) < 1


@pytest.mark.parametrize("prior", TINY_PRIORS)
@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("name", SAMPLERS)
def test_a_sweep_preserves_the_distribution_of_all_assignments(name, rows, prior):
    statistic, degrees = law_of_one_sweep(SAMPLERS[name], rows, prior, 20_000)
    # the cube root of a chi-square variable over its degrees of freedom is normal to 1e-4 here (Wilson and Hilferty)
    z = (np.cbrt(statistic / degrees) - (1 - 2 / (9 * degrees))) / np.sqrt(2 / (9 * degrees))
    assert degrees > 100
    assert z < norm.isf(FALSE_ALARM)


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("name", SAMPLERS)
def test_geweke_joint_distribution(name, rows):
    assert geweke_z(SAMPLERS[name], rows, 1.0) < 1


def test_synthetic_corpora_have_the_distribution_of_the_prior():
    """`synthetic.draw` is a marginal-conditional simulator too."""
    rng = np.random.default_rng(5)
    drawn = [lda.synthetic.draw(rng, LENGTHS, K, W, JOINT_PRIOR) for _ in range(4000)]
    assert all(s.corpus.j.tolist() == DOCUMENT.tolist() for s in drawn)
    z, x = np.stack([s.z for s in drawn], 1), np.stack([s.corpus.w for s in drawn], 1)
    assert largest_z(functionals(z, x), *prior_expectations()) < 1
