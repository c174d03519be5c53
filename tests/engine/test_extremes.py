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


def bounds(name):
    """The range of a prior before `map` adds 1 to it; the sum of 1 and a tiny number is 1, which it refuses."""
    A = lda.ALGORITHMS[name]
    return (1e-8, A.prior_range[1] / 2) if A.prior_offset else A.prior_range


def run(name, prior, c=TOKENS, K=K, gamma=None):
    """Two sweeps in each schedule, and everything that can be read off the state."""
    A = lda.ALGORITHMS[name]
    c = A.arranged(c)
    alpha, eta = prior.arrays(K, c.W)
    is_too_large = max(alpha.max(), eta.sum()) + c.N > bernoulli.LARGEST  # for the integrals over counts
    for schedule in A.schedules:
        s = first = A.init(c, K, prior, *([default_rng(1)] if gamma is None else []), gamma=gamma)
        before = first.gamma.copy()
        for t in range(2):
            s = A.sweep(s, c, prior, schedule=schedule, rng=default_rng(t))
        assert np.array_equal(first.gamma, before)
        theta_jk, phi_wk = A.estimate(s, c, prior)
        for x, axis in ((s.gamma, -1), (theta_jk, -1), (phi_wk, 0)):
            assert np.all(x >= 0)
            np.testing.assert_allclose(x.sum(axis), 1, rtol=1e-9)
        for value, stated in ((A.bound, A.bound_of), (A.objective, A.objective_of)):
            if isinstance(stated, str):
                continue
            if stated is collapsed_bound.bound and is_too_large:
                with pytest.raises(ValueError, match=r"expected at most 1e\+09 for the bound TNW06 \(12\), whose integrals"):
                    value(s, c, prior)
            else:
                assert np.isfinite(value(s, c, prior))
        fuzz.ran("priors at the ends of their range")


@pytest.mark.parametrize("name", lda.ALGORITHMS)
def test_numbers_at_the_ends_of_the_range(name):
    low, high = bounds(name)
    for alpha, eta in itertools.product(np.clip(MAGNITUDES, low, high), repeat=2):
        run(name, prior_for(name, lda.Prior(alpha, eta)))


@pytest.mark.parametrize("name", lda.ALGORITHMS)
def test_vectors_across_the_range(name):
    rng, (low, high) = default_rng(4), np.log10(bounds(name))
    for _ in range(fuzz.cases(2, 200)):
        numbers = 10 ** rng.uniform(low, high - 1e-9, K + TOKENS.W)
        run(name, prior_for(name, lda.Prior(numbers[:K], numbers[K:])))


@pytest.mark.parametrize("value", [1e-8, 1e6])
@pytest.mark.parametrize("case", EXTREME)
@pytest.mark.parametrize("name", lda.ALGORITHMS)
def test_corpora_and_states_at_the_extremes(name, case, value):
    A, (c, topics) = lda.ALGORITHMS[name], EXTREME[case]
    if A.draws or A.update.plain or name in SAMPLERS:
        c = c.with_rows(c.j, c.w, np.minimum(c.n, 3000 if name in SAMPLERS else 30))  # quicker, because they draw or convolve
    c, p = A.arranged(c), prior_for(name, lda.Prior(value, value))
    gamma = np.full((c.M, topics), 1e-300)
    gamma[:, -1] = 1.0
    for start in (None, np.eye(topics)[np.arange(c.M) % topics], gamma)[: 1 if name in SAMPLERS else 3]:
        run(name, p, c, topics, start)


@pytest.mark.parametrize("name", lda.ALGORITHMS)
def test_numbers_outside_the_range_are_refused(name):
    A, c = lda.ALGORITHMS[name], TYPES if name == "tcvb0" else TOKENS
    low, high = A.prior_range
    for x in (low / 2, high * 2):
        for part in ("alpha", "eta"):
            with refused(f"{part} is {x}, expected numbers from {low:g} to {high:g} for {name}"):
                A.init(c, K, lda.Prior(**{"alpha": 2, "eta": 2, part: x}), default_rng(0))


@pytest.mark.parametrize("name", ["cvb_exact", "cvb1"])
def test_more_tokens_than_the_integrals_hold_are_refused(name):
    A, p = lda.ALGORITHMS[name], lda.Prior(0.1, 0.1)
    c = lda.Corpus([0, 0, 1], [0, 1, 1], [10**9 - 10, 1, 1], 2, 2)
    s = A.init(c, 2, p, default_rng(0))
    assert np.isfinite(A.sweep(s, c, p, schedule="corpus").gamma).all()
    for count, alpha, total in ((10**9, 0.5, 1000000002.5), (10**9 - 100, 99.0, 1000000001)):
        c = lda.Corpus([0, 0, 1], [0, 1, 1], [count, 1, 1], 2, 2)
        with refused(f"alpha plus the number of tokens is {total}, expected at most 1e+09 for {name}, whose integrals"):
            A.init(c, 2, lda.Prior(alpha, 0.1), default_rng(0))


def test_sums_that_do_not_fit_in_memory_are_refused_before_they_are_made():
    c = lda.Corpus([0, 0], [0, 1], [1, 1], D=10_000_000, W=2)  # all documents but one are empty
    A, p = lda.ALGORITHMS["cvb_exact"], lda.Prior()
    s = A.init(c, 10, p, default_rng(0))
    with refused("the sums of this update take 28 GiB, expected at most 16"):
        A.sweep(s, c, p)
