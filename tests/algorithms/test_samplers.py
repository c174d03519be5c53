"""The distribution of the samplers: a sweep preserves the posterior, and that of each faulty one in `planted.py` does not.

The check of chains returns a number; 1 or more means rejection. A fault must be rejected with a margin, so that the result
does not depend on a seed. A faulty algorithm must run and give wrong results: an exception is not a rejection.
"""

import numpy as np
import pytest
from scipy.stats import norm

import lda_reference as lda

from .. import planted
from ..sampler_checks import FALSE_ALARM, ROW_KINDS, SAMPLERS, TINY_PRIORS, K, largest_z, law_of_one_sweep, posterior_z


@pytest.mark.parametrize("row_kind", ROW_KINDS)
@pytest.mark.parametrize("sampler_name", SAMPLERS)
def test_chains_agree_with_the_enumerated_posterior(sampler_name, row_kind):
    assert posterior_z(SAMPLERS[sampler_name], row_kind) < 1


@pytest.mark.parametrize("fault_name", planted.SAMPLERS)
def test_faults_in_samplers_are_found(fault_name):
    assert posterior_z(planted.SAMPLERS[fault_name], "tokens") > 1.5


@pytest.mark.parametrize("prior_name", TINY_PRIORS)
@pytest.mark.parametrize("row_kind", ROW_KINDS)
@pytest.mark.parametrize("sampler_name", SAMPLERS)
def test_a_sweep_preserves_the_distribution_of_all_assignments(sampler_name, row_kind, prior_name):
    chi_square, n_degrees = law_of_one_sweep(SAMPLERS[sampler_name], row_kind, prior_name, 20_000)
    # the cube root of a chi-square variable over its degrees of freedom is normal to 1e-4 here (Wilson and Hilferty)
    normal_score = (np.cbrt(chi_square / n_degrees) - (1 - 2 / (9 * n_degrees))) / np.sqrt(2 / (9 * n_degrees))
    assert n_degrees > 100
    assert normal_score < norm.isf(FALSE_ALARM)


def test_synthetic_corpora_have_the_distribution_of_the_prior():
    """The first two moments of the counts of two documents, which are those of Pólya urns."""
    rng, p, lengths, R = np.random.default_rng(5), lda.Prior([0.2, 0.1, 0.4], [0.3, 0.15, 0.45]), (4, 2), 10_000
    samples = [lda.synthetic.draw(rng, lengths, K, 3, p) for _ in range(R)]
    assert all(sample.corpus.j.tolist() == [0, 0, 0, 0, 1, 1] for sample in samples)
    z, x = np.array([sample.z for sample in samples]), np.array([sample.corpus.w for sample in samples])
    token_pairs, alpha_sum, eta_sum = np.triu_indices(6, 1), p.alpha.sum(), p.eta.sum()
    equal_z, equal_x = (topics_or_words[:, token_pairs[0]] == topics_or_words[:, token_pairs[1]] for topics_or_words in (z, x))
    p_equal = (p.alpha @ (p.alpha + 1)) / (alpha_sum * (alpha_sum + 1)), (p.alpha @ p.alpha) / alpha_sum**2  # in one document, in two
    p_equal_z = np.where((token_pairs[0] < 4) == (token_pairs[1] < 4), *p_equal)
    p_equal_x = (p.eta @ (p.eta + 1)) / (eta_sum * (eta_sum + 1)), (p.eta @ p.eta) / eta_sum**2  # of one topic, of two
    functionals = [z[..., None] == np.arange(K), x[..., None] == np.arange(3), equal_z, equal_x, equal_z & equal_x]
    p_pair_x = p_equal_z * p_equal_x[0] + (1 - p_equal_z) * p_equal_x[1]
    mean_arrays = [np.tile(p.alpha / alpha_sum, 6), np.tile(p.eta / eta_sum, 6), p_equal_z, p_pair_x, p_equal_z * p_equal_x[0]]
    functionals = np.concatenate([functional.reshape(R, -1) for functional in functionals], 1).astype(float)
    assert largest_z(functionals, np.concatenate(mean_arrays)) < 1
