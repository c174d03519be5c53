"""Priors at the ends of the supported range: every algorithm gives finite, normalised results without a warning."""

import itertools

import numpy as np
import pytest
from numpy.random import default_rng

import lda_reference as lda
from lda_reference import bernoulli
from lda_reference.algorithms import collapsed_bound

from .. import fuzz
from ..helpers import CORPORA, EXTREME, SAMPLERS, K, prior_for, refused

TOKENS, TYPES = CORPORA["tokens"], CORPORA["types"]
MAGNITUDES = (0, 1e-30, 1e-8, 1.0, 1e10, np.inf) if fuzz.ALL else (0, 1e-8, np.inf)  # clipped to the range


def prior_range(algorithm_name):
    """The range of a prior before `map` adds 1 to it; the sum of 1 and a tiny number is 1, which it refuses."""
    A = lda.ALGORITHMS[algorithm_name]
    return (1e-8, A.prior_range[1] / 2) if A.prior_offset else A.prior_range


def run(algorithm_name, prior, c=TOKENS, K=K, gamma=None):
    """Two sweeps in each schedule, and everything that can be read off the state."""
    A = lda.ALGORITHMS[algorithm_name]
    c = A.arranged(c)
    alpha, eta = prior.arrays(K, c.W)
    exceeds_bound = max(alpha.max(), eta.sum()) + c.N > bernoulli.LARGEST  # for the integrals over counts
    for schedule in A.schedules:
        s = start_state = A.init(c, K, prior, *([default_rng(1)] if gamma is None else []), gamma=gamma)
        start_gamma = start_state.gamma.copy()
        for sweep_number in range(2):
            s = A.sweep(s, c, prior, schedule=schedule, rng=default_rng(sweep_number))
        assert np.array_equal(start_state.gamma, start_gamma)
        theta_jk, phi_wk = A.estimate(s, c, prior)
        for probabilities, axis in ((s.gamma, -1), (theta_jk, -1), (phi_wk, 0)):
            assert np.all(probabilities >= 0)
            np.testing.assert_allclose(probabilities.sum(axis), 1, rtol=1e-9)
        for bound_or_objective, description in ((A.bound, A.bound_of), (A.objective, A.objective_of)):
            if isinstance(description, str):
                continue
            if description is collapsed_bound.bound and exceeds_bound:
                with pytest.raises(ValueError, match=r"expected at most 1e\+09 for the bound TNW06 \(12\), whose integrals"):
                    bound_or_objective(s, c, prior)
            else:
                assert np.isfinite(bound_or_objective(s, c, prior))
        fuzz.ran("priors at the ends of their range")


@pytest.mark.parametrize("algorithm_name", lda.ALGORITHMS)
def test_numbers_at_the_ends_of_the_range(algorithm_name):
    lowest_number, highest_number = prior_range(algorithm_name)
    for alpha, eta in itertools.product(np.clip(MAGNITUDES, lowest_number, highest_number), repeat=2):
        run(algorithm_name, prior_for(algorithm_name, lda.Prior(alpha, eta)))


@pytest.mark.parametrize("algorithm_name", lda.ALGORITHMS)
def test_vectors_across_the_range(algorithm_name):
    rng, (log10_low, log10_high) = default_rng(4), np.log10(prior_range(algorithm_name))
    for _ in range(fuzz.cases(2, 200)):
        prior_numbers = 10 ** rng.uniform(log10_low, log10_high - 1e-9, K + TOKENS.W)
        run(algorithm_name, prior_for(algorithm_name, lda.Prior(prior_numbers[:K], prior_numbers[K:])))


@pytest.mark.parametrize("prior_number", [1e-8, 1e6])
@pytest.mark.parametrize("corpus_name", EXTREME)
@pytest.mark.parametrize("algorithm_name", lda.ALGORITHMS)
def test_corpora_and_states_at_the_extremes(algorithm_name, corpus_name, prior_number):
    A, (c, K) = lda.ALGORITHMS[algorithm_name], EXTREME[corpus_name]
    if A.draws or A.update.plain or algorithm_name in SAMPLERS:
        c = c.with_rows(c.j, c.w, np.minimum(c.n, 3000 if algorithm_name in SAMPLERS else 30))  # quicker, as they draw or convolve
    c, p = A.arranged(c), prior_for(algorithm_name, lda.Prior(prior_number, prior_number))
    gamma = np.full((c.M, K), 1e-300)
    gamma[:, -1] = 1.0
    for start_gamma in (None, np.eye(K)[np.arange(c.M) % K], gamma)[: 1 if algorithm_name in SAMPLERS else 3]:
        run(algorithm_name, p, c, K, start_gamma)


@pytest.mark.parametrize("algorithm_name", lda.ALGORITHMS)
def test_numbers_outside_the_range_are_refused(algorithm_name):
    A, c = lda.ALGORITHMS[algorithm_name], TYPES if algorithm_name == "tcvb0" else TOKENS
    lowest_number, highest_number = A.prior_range
    for wrong_number in (lowest_number / 2, highest_number * 2):
        for prior_name in ("alpha", "eta"):
            with refused(f"{prior_name} is {wrong_number}, expected numbers from {lowest_number:g} to {highest_number:g} for {algorithm_name}"):
                A.init(c, K, lda.Prior(**{"alpha": 2, "eta": 2, prior_name: wrong_number}), default_rng(0))


@pytest.mark.parametrize("algorithm_name", ["cvb_exact", "cvb1"])
def test_more_tokens_than_the_integrals_hold_are_refused(algorithm_name):
    A, p = lda.ALGORITHMS[algorithm_name], lda.Prior(0.1, 0.1)
    c = lda.Corpus([0, 0, 1], [0, 1, 1], [10**9 - 10, 1, 1], 2, 2)
    s = A.init(c, 2, p, default_rng(0))
    assert np.isfinite(A.sweep(s, c, p, schedule="corpus").gamma).all()
    for count_0, alpha, alpha_plus_N in ((10**9, 0.5, 1000000002.5), (10**9 - 100, 99.0, 1000000001)):
        c = lda.Corpus([0, 0, 1], [0, 1, 1], [count_0, 1, 1], 2, 2)
        with refused(f"alpha plus the number of tokens is {alpha_plus_N}, expected at most 1e+09 for {algorithm_name}, whose integrals"):
            A.init(c, 2, lda.Prior(alpha, 0.1), default_rng(0))


def test_sums_that_do_not_fit_in_memory_are_refused_before_they_are_made():
    c = lda.Corpus([0, 0], [0, 1], [1, 1], D=10_000_000, W=2)  # all documents but one are empty
    A, p = lda.ALGORITHMS["cvb_exact"], lda.Prior()
    s = A.init(c, 10, p, default_rng(0))
    with refused("the sums of this update take 28 GiB, expected at most 16"):
        A.sweep(s, c, p)
