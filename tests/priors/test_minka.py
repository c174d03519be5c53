"""Minka's fixed point, as the papers print it: L never falls, and its maximum can be at 0 or infinity."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lda_reference as lda
from lda_reference import plain
from lda_reference.priors import minka
from lda_reference.priors.evidence import FLAT, GammaPrior, gradient, objective

from ..helpers import fixed_counts, polya_counts
from .test_evidence import PRIORS

STARTS = (1e-6, 1e-2, 1.0, 1e3, 1e6)


def in_plain(counts, alpha, gamma_prior):
    """The step in the plain text."""
    case_fields = {"K": 4, "gamma_prior": {"shape": gamma_prior.shape, "rate": gamma_prior.rate}}
    ml_algorithm = plain.algorithm(plain.case_of("ml", "hyperparameters", [], lda.Corpus([], [], [], 0, 0), lda.Prior(), **case_fields))
    count_table, is_vector = counts.parts.n, np.ndim(alpha) == 1
    return ml_algorithm.minka(count_table.tolist(), count_table.sum(1).tolist(), alpha.tolist() if is_vector else [alpha] * 4, is_vector)


@pytest.mark.parametrize(("alpha", "gamma_prior"), [(0.4, GammaPrior(1.7, 0.6)), (np.array([0.1, 0.5, 1.0, 2.0]), FLAT)])
def test_the_step_is_that_of_the_papers(alpha, gamma_prior):
    """A number as AWST09 prints it, with a Gamma prior; a vector as SN12 does."""
    counts = polya_counts(3)
    np.testing.assert_allclose(minka.step(counts, alpha, gamma_prior), in_plain(counts, alpha, gamma_prior), rtol=1e-13)


@pytest.mark.parametrize("is_asymmetric", [False, True])
@pytest.mark.parametrize("gamma_prior", PRIORS)
def test_from_whole_counts_minka_never_falls_and_all_starts_end_at_one_optimum(gamma_prior, is_asymmetric):
    optimum_of_seed = {}
    for seed, start_alpha in itertools.product((0, 1), STARTS[1:4]):
        counts, last_log_p = polya_counts(seed), -np.inf
        alpha = np.full(4, start_alpha) if is_asymmetric else start_alpha
        for _ in range(20_000):
            log_p = objective(counts, alpha, gamma_prior)
            assert log_p >= last_log_p - 1e-10
            alpha, old_alpha, last_log_p = minka.step(counts, alpha, gamma_prior), alpha, log_p
            if np.abs(np.log(alpha / old_alpha)).max() < 1e-13:
                break
        assert np.abs(gradient(counts, alpha, gamma_prior)).max() < 1e-8
        np.testing.assert_allclose(alpha, optimum_of_seed.setdefault(seed, alpha), rtol=1e-8)


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 2**32), st.booleans())
def test_no_step_from_expected_counts_was_seen_to_lower_its_own_objective(seed, is_asymmetric):
    """There is no proof for counts below 1, because log Gamma(a + n) - log Gamma(a) is concave in log a."""
    rng = np.random.default_rng(seed)
    counts = fixed_counts(np.exp(rng.uniform(-8, 3, (rng.integers(1, 5), 3))))
    a = np.exp(rng.uniform(-8, 4, 3)) if is_asymmetric else float(np.exp(rng.uniform(-8, 4)))
    assert objective(counts, minka.step(counts, a)) >= objective(counts, a) - 1e-9


@settings(deadline=None, max_examples=50)
@given(
    st.lists(st.lists(st.integers(0, 6), min_size=3, max_size=3), min_size=2, max_size=6),
    st.sampled_from(STARTS),
    st.booleans(),
    st.sampled_from(PRIORS),
)
def test_any_counts_lead_to_0_or_infinity_only_without_a_prior_against_it(count_rows, start_number, is_asymmetric, gamma_prior):
    a = np.asarray(minka.step(fixed_counts(count_rows), np.full(3, start_number) if is_asymmetric else start_number, gamma_prior))
    assert np.all(a >= 0)
    assert np.all(a > 0) or gamma_prior.shape == 1
    assert np.all(a < np.inf) or gamma_prior.rate == 0


def test_a_hyperparameter_stays_where_nothing_depends_on_it_and_a_component_without_counts_goes_to_0():
    for counts in (fixed_counts([[0.0, 0.0], [0.0, 0.0]]), fixed_counts([[3.0], [2.0]])):
        assert minka.step(counts, 0.7) == 0.7
    counts_with_0 = fixed_counts([[3, 0, 1], [1, 0, 2], [5, 0, 0]])
    assert (minka.step(counts_with_0, np.ones(3)) > 0).tolist() == [True, False, True]
    assert minka.step(counts_with_0, 1.0) > 0  # one number for all has no such trouble
