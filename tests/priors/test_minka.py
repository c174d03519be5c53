"""Minka's fixed point, as the papers print it, and Newton's method: L never falls, and a maximum at 0 or infinity is an error."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lda_reference as lda
from lda_reference import plain
from lda_reference.priors import minka, newton
from lda_reference.priors.evidence import FLAT, GammaPrior, gradient, objective

from ..helpers import fixed_counts, polya_counts, refused
from .test_evidence import PRIORS

STARTS = (1e-6, 1e-2, 1.0, 1e3, 1e6)


def in_plain(counts, alpha, prior):
    """The step in the plain text."""
    given = {"K": 4, "gamma_prior": {"shape": prior.shape, "rate": prior.rate}}
    of = plain.algorithm(plain.case_of("ml", "hyperparameters", [], lda.Corpus([], [], [], 0, 0), lda.Prior(), **given))
    n, vector = counts.parts.n, np.ndim(alpha) == 1
    return of.minka(n.tolist(), n.sum(1).tolist(), alpha.tolist() if vector else [alpha] * 4, vector)


def test_a_number_is_updated_as_asuncion_and_others_print_it():
    counts, prior = polya_counts(3), GammaPrior(1.7, 0.6)
    assert minka.step(counts, 0.4, prior) == pytest.approx(in_plain(counts, 0.4, prior), rel=1e-13)


def test_a_vector_is_updated_as_sato_and_others_print_it():
    counts, alpha = polya_counts(2), np.array([0.1, 0.5, 1.0, 2.0])
    np.testing.assert_allclose(minka.step(counts, alpha), in_plain(counts, alpha, FLAT), rtol=1e-13)


@pytest.mark.parametrize("asymmetric", [False, True])
@pytest.mark.parametrize("prior", PRIORS)
def test_from_whole_counts_minka_never_falls_and_all_ways_end_at_one_optimum(prior, asymmetric):
    for seed in (0, 1):
        counts = polya_counts(seed)
        start = np.full(4, 1.0) if asymmetric else 1.0
        ends = [newton.maximum(counts, start * x, prior) for x in STARTS]
        for end in ends:
            assert np.abs(gradient(counts, end, prior)).max() < 1e-8
            np.testing.assert_allclose(end, ends[0], rtol=1e-8)

        x, last = start, -np.inf
        for _ in range(20_000):
            value = objective(counts, x, prior)
            assert value >= last - 1e-10
            x, old, last = minka.step(counts, x, prior), x, value
            if np.abs(np.log(x / old)).max() < 1e-13:
                break
        assert np.abs(gradient(counts, x, prior)).max() < 1e-8
        np.testing.assert_allclose(x, ends[0], rtol=1e-8)


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 2**32), st.booleans())
def test_no_step_from_expected_counts_was_seen_to_lower_its_own_objective(seed, asymmetric):
    """There is no proof for counts below 1, because log Gamma(a + n) - log Gamma(a) is concave in log a."""
    rng = np.random.default_rng(seed)
    counts = fixed_counts(np.exp(rng.uniform(-8, 3, (rng.integers(1, 5), 3))))
    a = np.exp(rng.uniform(-8, 4, 3)) if asymmetric else float(np.exp(rng.uniform(-8, 4)))
    assert objective(counts, minka.step(counts, a)) >= objective(counts, a) - 1e-9


# Newton's method ------------------------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=50)
@given(
    st.lists(st.lists(st.integers(0, 6), min_size=3, max_size=3), min_size=2, max_size=6),
    st.sampled_from(STARTS),
    st.booleans(),
    st.sampled_from(PRIORS),
)
def test_any_counts_give_a_positive_prior_or_a_reason(n, start, asymmetric, prior):
    counts = fixed_counts(n)
    for way in (minka.step, newton.maximum):
        try:
            a = way(counts, np.full(3, start) if asymmetric else start, prior)
        except ValueError as error:
            reason = str(error)
        else:
            reason = ""
            assert np.all(np.asarray(a) > 0)
            assert np.all(np.isfinite(a))
            assert way is minka.step or np.abs(gradient(counts, a, prior)).max() < 1e-7
        if reason:
            assert prior.shape == 1 or prior.rate == 0
            assert "at 0" in reason or "at infinity" in reason


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize(
    ("n", "best"),
    [
        ([[6, 6], *5 * [[2, 0]]], 0.3107),
        ([[1000, 1000], *20 * [[2, 0]]], 0.0546),
        ([[229, 271], *3 * [[3, 0]]], 0.3153),
    ],
    ids=["few", "many", "two summits"],
)
def test_the_highest_summit_is_found_though_L_may_rise_again(n, best, start):
    counts = fixed_counts(n)
    a = newton.maximum(counts, start)
    assert a == pytest.approx(best, rel=2e-3)
    grid = np.exp(np.linspace(-12, 18, 400))
    assert objective(counts, a) >= max(objective(counts, x) for x in grid)
    assert newton.maximum(counts, np.full(2, start)) == pytest.approx(newton.maximum(counts, np.full(2, 0.1)), rel=1e-6)


def test_newton_ends_where_the_scale_does_not_matter():
    """Documents of one token: L depends on the ratios alone, and its Hessian is singular."""
    rng = np.random.default_rng(0)
    counts = fixed_counts(np.eye(3)[[0, 1, 1, 2, 2]])
    for _ in range(20):
        a = newton.maximum(counts, 10 ** rng.uniform(-3, 3, size=3))
        np.testing.assert_allclose(a / a.sum(), [0.2, 0.4, 0.4], rtol=0, atol=1e-6)


def test_a_summit_below_the_limit_at_infinity_is_not_taken_for_the_best():
    counts = fixed_counts([*40 * [[3, 3]], [6, 0]])
    grid = np.exp(np.linspace(-12, 18, 400))
    values = [objective(counts, x) for x in grid]
    assert np.argmax(values) == 399
    with refused("the evidence is largest with the hyperparameter at infinity"):
        newton.maximum(counts, 1.0)


def test_where_nothing_depends_on_it_a_hyperparameter_stays():
    for counts in (fixed_counts([[0.0, 0.0], [0.0, 0.0]]), fixed_counts([[3.0], [2.0]])):
        for way in (minka.step, newton.maximum):
            assert way(counts, 0.7) == 0.7
        at_the_mode_of_the_prior = newton.maximum(counts, 0.7, GammaPrior(2.0, 4.0))
        assert at_the_mode_of_the_prior == pytest.approx(0.25, rel=1e-9)


def test_an_optimum_at_0_or_infinity_is_named():
    one_each, alike = fixed_counts([[3, 0], [0, 2]]), fixed_counts([[2, 2], [3, 3]])
    empty = fixed_counts([[3, 0, 1], [1, 0, 2], [5, 0, 0]])
    with refused("the evidence is largest with the hyperparameter at infinity"):
        newton.maximum(alike, 1.0)
    with refused("the evidence is largest with the hyperparameter at 0"):
        newton.maximum(one_each, 1.0)
    for way in (newton.maximum, minka.step):
        with refused("the evidence is largest with component 1 at 0: this happens if every document has one topic"):
            way(empty, np.ones(3))
    assert newton.maximum(empty, 1.0) > 0  # one number for all has no such trouble
    assert np.all(newton.maximum(empty, np.ones(3), GammaPrior(1.1, 0.1)) > 0)
