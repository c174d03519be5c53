"""Batch means, the rule for stopping, R-hat and effective sample size: plain loops, and chains of known correlation."""

import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import lda_reference as lda
from lda_reference.evaluation.monte_carlo import (
    Batches,
    co_assignment,
    converged,
    effective_sample_size,
    posterior_mean,
    r_hat,
    standard_error,
    update,
)


def after(draws, length=None):
    s = Batches() if length is None else Batches(length=length)
    for x in draws:
        s = update(s, x)
    return s


def autoregressive(rng, rho, shape):
    """A stationary chain along axis 0 with variance 1 and correlation rho^t at lag t."""
    x = rng.normal(size=shape)
    for t in range(1, shape[0]):
        x[t] = rho * x[t - 1] + math.sqrt(1 - rho**2) * x[t]
    return x


# Batch means ---------------------------------------------------------------------------------------------------------


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 40), st.integers(1, 7), st.integers(0, 2**32 - 1))
def test_recursive_batch_means_equal_plain_loops(T, b, seed):
    x = np.random.default_rng(seed).normal(loc=[0, 1, 1e3], size=(T, 2, 3))
    s = after(x, b)
    assert s.draws == T
    error = standard_error(s)
    for at in np.ndindex(2, 3):
        chain = [draw[at] for draw in x]
        assert posterior_mean(s)[at] == pytest.approx(sum(chain) / T, rel=1e-12, abs=1e-12)
        means = [sum(chain[i : i + b]) / b for i in range(0, T - b + 1, b)]
        a = len(means)
        if a < 2:
            assert math.isnan(error[at])
        else:
            middle = sum(means) / a
            V = sum((m - middle) ** 2 for m in means) / (a - 1)
            assert error[at] == pytest.approx(math.sqrt(b * V / (a * b)), rel=1e-12, abs=1e-12)


def test_batches_have_50_draws():  # SOL14 §2.4
    x = np.random.default_rng(0).normal(size=149)
    assert math.isnan(standard_error(after(x[:99])))
    two = [x[:50].mean(), x[50:100].mean()]
    assert standard_error(after(x)) == pytest.approx(np.std(two, ddof=1) / math.sqrt(2), rel=1e-12)


def test_a_large_mean_takes_no_digits():
    x = np.random.default_rng(0).normal(size=200)
    assert standard_error(after(x + 1e9, 10)) == pytest.approx(standard_error(after(x, 10)), rel=1e-6)


def test_a_state_is_not_changed_by_what_follows():
    x = np.array([1.0, 2.0])
    s = update(Batches(), x)
    before = posterior_mean(s).copy()
    update(s, [5.0, 7.0])
    x[:] = 99
    assert s.draws == 1
    np.testing.assert_array_equal(posterior_mean(s), before)


def test_standard_error_of_an_autoregressive_chain():
    rho, b, a = 0.5, 50, 1000
    x = autoregressive(np.random.default_rng(0), rho, (a * b, 3))
    of_batch = (1 + 2 * sum((1 - t / b) * rho**t for t in range(1, b))) / b  # variance of the mean of a batch
    np.testing.assert_allclose(standard_error(after(x)), math.sqrt(of_batch / a), rtol=5 / math.sqrt(2 * a))
    # within 2% of the error of the mean of the whole chain, since b is well above the correlation's length
    assert of_batch * b == pytest.approx((1 + rho) / (1 - rho), rel=0.04)


def test_batches_of_fixed_length_miss_longer_correlations():
    """At rho = 0.99 the standard error is less than half the true one, however many the draws."""
    x = autoregressive(np.random.default_rng(0), 0.99, (20000, 20))
    true = math.sqrt(1.99 / 0.01 / 20000)
    short, long = (np.sqrt(np.mean(standard_error(after(x, b)) ** 2)) for b in (50, 1000))
    assert short < 0.5 * true
    assert abs(long / true - 1) < 0.2


def test_update_refuses_what_it_cannot_average():
    s = update(Batches(), [0.0, 1.0])
    with pytest.raises(ValueError, match=r"x has shape \(3,\), expected that of the draws before, \(2,\)"):
        update(s, [0.0, 1.0, 2.0])
    with pytest.raises(ValueError, match=r"x has shape \(\), expected that"):
        update(s, 1.0)
    with pytest.raises(ValueError, match=r"x\[1\] is nan, expected a finite number"):
        update(s, [0.0, math.nan])
    with pytest.raises(ValueError, match=r"x has shape \(0,\), expected at least one entry"):
        update(Batches(), [])
    with pytest.raises(ValueError, match="length is 0, expected 1 or more"):
        update(Batches(length=0), 1.0)
    with pytest.raises(ValueError, match="draws is 0"):
        posterior_mean(Batches())


# The rule for stopping -----------------------------------------------------------------------------------------------


def test_a_chain_has_converged_when_its_largest_standard_error_is_below_the_tolerance():
    x = np.random.default_rng(0).normal(size=(300, 2)) * [0.01, 1.0]
    s = after(x)
    small, large = standard_error(s)
    assert small < 0.03 < large
    assert not converged(s)
    assert converged(after(x[:, :1]))
    assert not converged(after(x[:99, :1]))
    assert converged(s, large * 1.001)
    assert not converged(s, large)
    for bad in (0.0, -1.0, math.nan):
        with pytest.raises(ValueError, match=r"tolerance is .*, expected a positive number"):
            converged(s, bad)


def test_the_mean_number_of_a_topic_is_no_quantity():
    """Indicators are renumbered with the topics; of the numbers, both the error and the decision to stop change."""
    z = np.random.default_rng(0).choice([0, 1, 2], p=[0.48, 0.04, 0.48], size=(1000, 1))  # one token
    relabelled = np.array([0, 2, 1])[z]
    ours, theirs = (standard_error(after(np.eye(3)[x])) for x in (z, relabelled))
    np.testing.assert_allclose(theirs[:, [0, 2, 1]], ours, rtol=1e-12)
    assert converged(after(np.eye(3)[z]))
    assert converged(after(np.eye(3)[relabelled]))
    assert not converged(after(z))  # as in SOL14's published code
    assert converged(after(relabelled))
    assert posterior_mean(after(z))[0] == pytest.approx(1, abs=0.1)  # near topic 1, which the token hardly ever has


def test_co_assignment_by_plain_loops_and_the_same_under_any_labelling():
    rng = np.random.default_rng(0)
    z = rng.integers(3, size=(6, 4))  # four replicates
    pairs = np.array([[0, 5], [2, 2], [4, 1]])
    together = co_assignment(z, pairs)
    assert together.tolist() == [[float(z[i, r] == z[k, r]) for r in range(4)] for i, k in pairs]
    np.testing.assert_array_equal(co_assignment(rng.permutation(3)[z], pairs), together)
    np.testing.assert_array_equal(co_assignment(z[:, 0], pairs), together[:, 0])


def test_co_assignment_refuses_tokens_that_are_not_there():
    for bad in ([[0, 3]], [[0, 1], [0, 3]]):
        with pytest.raises(ValueError, match=r"pairs\[\d, 1\] is 3, expected a token from 0 below N = 3"):
            co_assignment([0, 1, 1], bad)
    with pytest.raises(ValueError, match=r"pairs\[0, 0\] is -1"):
        co_assignment([0, 1, 1], [[-1, 1]])
    with pytest.raises(ValueError, match=r"pairs has shape \(2,\), expected \(P, 2\)"):
        co_assignment([0, 1, 1], [0, 1])


def test_co_assignment_of_a_chain_tends_to_the_exact_posterior():
    """Gibbs sampling of a tiny corpus: the mean of the chain within four of its standard errors of the enumeration."""
    c, p, K = lda.Corpus.from_documents([[0, 0, 1], [1, 2]], W=3), lda.Prior(0.5, 0.5), 2
    pairs = [[i, k] for i in range(c.N) for k in range(i)]
    weights, exact = 0.0, np.zeros(len(pairs))
    for z in np.ndindex(*[K] * c.N):
        weight = math.exp(lda.log_joint_collapsed(*lda.model.counts_of(z, c, K), p))
        weights, exact = weights + weight, exact + weight * co_assignment(z, pairs)
    A, rng = lda.ALGORITHMS["cgs"], np.random.default_rng(0)
    state, s = A.init(c, K, p, rng=rng), Batches()
    while not converged(s, 0.012):
        state = A.sweep(state, c, p, rng=rng)
        s = update(s, co_assignment(state.z, pairs))
    assert s.draws >= 500
    assert np.max(np.abs(posterior_mean(s) - exact / weights) / standard_error(s)) < 4


# Several chains ------------------------------------------------------------------------------------------------------


def scores_by_loops(chains):
    """Normal scores of a list of lists, by the definition of the mean rank."""
    pooled = [x for chain in chains for x in chain]
    S = len(pooled)
    rank = {x: sum(y < x for y in pooled) + (sum(y == x for y in pooled) + 1) / 2 for x in set(pooled)}
    return [[NormalDist().inv_cdf((rank[x] - 0.375) / (S + 0.25)) for x in chain] for chain in chains]


def variance(x):
    m = sum(x) / len(x)
    return sum((v - m) ** 2 for v in x) / (len(x) - 1)


def halves_by_loops(x):
    half = len(x) // 2
    columns = x.T.tolist()
    return [column[:half] for column in columns] + [column[len(x) - half :] for column in columns]


def W_and_V(chains):
    n = len(chains[0])
    W = sum(variance(chain) for chain in chains) / len(chains)
    return W, (n - 1) / n * W + variance([sum(chain) / n for chain in chains])


def r_hat_by_loops(x):
    chains = halves_by_loops(x)
    middle = float(np.median(chains))
    both = []
    for values in (chains, [[abs(v - middle) for v in chain] for chain in chains]):
        W, V = W_and_V(scores_by_loops(values))
        both.append(math.sqrt(V / W))
    return max(both)


def effective_sample_size_by_loops(x):
    chains = scores_by_loops(halves_by_loops(x))
    n, S = len(chains[0]), len(chains) * len(chains[0])
    W, V = W_and_V(chains)
    rho = [1.0]
    for t in range(1, n):
        C = 0.0
        for chain in chains:
            m = sum(chain) / n
            C += sum((chain[i] - m) * (chain[i + t] - m) for i in range(n - t)) / n / len(chains)
        rho.append(1 - (W - C) / V)
    tau, least, t = -1.0, math.inf, 0
    while t + 1 < n and rho[t] + rho[t + 1] > 0:
        least = min(least, rho[t] + rho[t + 1])
        tau += 2 * least
        t += 2
    if t < n:
        tau += max(rho[t], 0.0)
    return min(S / tau, S * math.log10(S)) if tau > 0 else S * math.log10(S)


@pytest.mark.parametrize("T", [4, 5, 17, 40])
@pytest.mark.parametrize("rho", [-0.9, 0.0, 0.9])
def test_r_hat_and_effective_sample_size_by_plain_loops(T, rho):
    x = autoregressive(np.random.default_rng(T), rho, (T, 3, 2, 4))
    x[..., 0] += np.arange(3)[:, None] / 2  # chains that differ, and ties
    x[..., 1] = np.round(x[..., 1])
    found, size = r_hat(x), effective_sample_size(x)
    assert found.shape == size.shape == (2, 4)
    for at in np.ndindex(2, 4):
        one = x[(slice(None), slice(None), *at)]
        assert found[at] == pytest.approx(r_hat_by_loops(one), rel=1e-10)
        assert size[at] == pytest.approx(effective_sample_size_by_loops(one), rel=1e-10)


@pytest.mark.parametrize("rho", [-0.3, 0.0, 0.5, 0.9])
def test_effective_sample_size_of_chains_of_known_correlation(rho):
    x = autoregressive(np.random.default_rng(1), rho, (10000, 4, 5))
    expected = 40000 * (1 - rho) / (1 + rho)
    size = effective_sample_size(x)
    np.testing.assert_allclose(size, expected, rtol=0.2)
    assert size.mean() == pytest.approx(expected, rel=0.06)
    assert np.all(r_hat(x) < 1.01)


def test_chains_that_differ_in_mean_or_scale():
    x = np.random.default_rng(0).normal(size=(1000, 4))
    assert r_hat(x) < 1.005
    apart = x + np.array([0, 0, 0, 1])
    for far in (apart, x * np.array([1, 1, 1, 3]), x + np.linspace(0, 2, 1000)[:, None]):
        assert r_hat(far) > 1.05
    assert effective_sample_size(apart) < 0.05 * effective_sample_size(x)


@settings(max_examples=50, deadline=None)
@given(hnp.arrays(np.float64, (9, 2), elements=st.integers(-3, 3)))
def test_the_order_of_the_draws_is_all_that_counts(x):
    """The ranks, and so both diagnostics but for the median's distances, are the same for any increasing function."""
    np.testing.assert_array_equal(effective_sample_size(x), effective_sample_size(np.exp(x)))
    np.testing.assert_array_equal(r_hat(x), r_hat(3 * x - 1))
    np.testing.assert_allclose(effective_sample_size(x[:, ::-1]), effective_sample_size(x), rtol=1e-9)


def test_constant_chains():
    same = np.full((10, 3), 0.1)
    assert math.isnan(r_hat(same))
    assert math.isnan(effective_sample_size(same))
    stuck = np.broadcast_to([0.1, 0.1, 0.7], (10, 3))  # each in a place of its own
    assert r_hat(stuck) == math.inf
    assert effective_sample_size(stuck) == pytest.approx(30 / 8)  # five draws all correlated: tau = -1 + 2 (2 + 2) + 1
    both = np.stack([same, np.random.default_rng(0).normal(size=(10, 3))], axis=-1)
    assert np.isfinite(r_hat(both)).tolist() == np.isfinite(effective_sample_size(both)).tolist() == [False, True]


def test_two_values_half_and_half_are_as_far_from_their_median():
    x = np.tile([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [0.0, 0.0]], (25, 1))
    assert 0.9 < r_hat(x) < 1.01


def test_alternating_chains_have_at_most_S_log10_S():
    x = np.tile([[0.0], [1.0]], (50, 4)) + np.random.default_rng(0).normal(size=(100, 4)) / 100
    assert effective_sample_size(x) == pytest.approx(400 * math.log10(400))


@pytest.mark.parametrize("of", [r_hat, effective_sample_size])
def test_chains_that_are_too_short_or_not_finite(of):
    for shape in ((3, 2), (10,), (10, 0)):
        with pytest.raises(ValueError, match=r"x has shape .*, expected \(T, R, ...\)"):
            of(np.zeros(shape))
    x = np.zeros((4, 2))
    x[3, 1] = math.inf
    with pytest.raises(ValueError, match=r"x\[3, 1\] is inf, expected a finite number"):
        of(x)


def test_chains_that_differ_by_a_relabelling_agree_in_what_no_labelling_changes():
    c, p = lda.Corpus.from_documents([[0, 1, 0, 1, 0], [2, 3, 2, 3, 3], [0, 1, 1, 0, 2]] * 4), lda.Prior(0.1, 0.1)
    A, rng = lda.ALGORITHMS["gibbs"], np.random.default_rng(0)
    z = np.array([(c.w > 1) ^ flip for flip in (0, 1, 0, 1)]).T
    state = A.init(c, 2, p, z=z, replicates=4)
    indicator, together, joint = [], [], []
    for _ in range(400):
        state = A.sweep(state, c, p, rng=rng)
        indicator.append(state.z[0])
        together.append(co_assignment(state.z, [[2, 14]]))
        joint.append([lda.log_joint_collapsed(*lda.model.counts_of(one, c, 2), p) for one in state.z.T])
    assert r_hat(indicator) > 2
    assert r_hat(np.moveaxis(together, 1, -1)) < 1.03
    assert r_hat(joint) < 1.03
    assert effective_sample_size(indicator) < 10 < 100 < effective_sample_size(joint)
