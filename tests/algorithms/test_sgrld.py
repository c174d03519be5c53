"""Stochastic gradient Langevin dynamics: its drift, its batches, and the bias of the reflection."""

import numpy as np
from numpy.random import default_rng

import lda_reference as lda
from lda_reference.algorithms import sgrld
from lda_reference.truth.table_posterior import moments

from ..helpers import refusals, slopes

C = lda.Corpus.from_documents([[0, 0, 1], [1, 2], [2, 2, 0], [0, 0]], W=3).types()
P = lda.Prior(1, 1)


def test_the_drift_is_the_gradient_in_the_metric():
    """x (d/dx of the log density) + 1, by finite differences of log p(x) + log p(tokens | z, phi)."""
    rng, eta = default_rng(1), np.array([0.2, 0.5, 0.9])
    x, N = rng.gamma(2, size=3), np.array([3.0, 1.0, 2.0])

    def log_p(x):
        return sum((eta - 1) * np.log(x) - x) + sum(N * np.log(x / x.sum()))

    drift = (sgrld.langevin(x[:, None, None], N[:, None, None], lda.Prior(1, eta), 1e-6, np.zeros((3, 1, 1)))[:, 0, 0] - x) / 5e-7
    np.testing.assert_allclose(drift, x * slopes(log_p, x) + 1, rtol=0, atol=1e-7)


def test_a_batch_is_sampled_given_phi_and_no_other_document_moves():
    """The law of the topics of a document of two tokens, by its four assignments; the others keep theirs."""
    c, p, R = lda.Corpus.from_documents([[0, 1], [2], [1, 1, 1]], W=3), lda.Prior([0.3, 0.8], 0.5), 6000
    rng = default_rng(2)
    s = sgrld.init(c, 2, p, rng, R)
    x_wk = np.broadcast_to(rng.gamma(1, size=(3, 1, 2)), (3, R, 2))
    z, N_wk = sgrld.sample_batch(s._replace(x_wk=x_wk), c, p, np.array([0, 1]), rng, sweeps=8)
    np.testing.assert_array_equal(z[3:], s.z[3:])
    assert (N_wk.sum((0, 2)) == 3).all()
    phi, alpha, weights = x_wk[:, 0] / x_wk[:, 0].sum(0), [0.3, 0.8], np.zeros((2, 2))
    for z_0, z_1 in np.ndindex(2, 2):
        weights[z_0, z_1] = alpha[z_0] * (alpha[z_1] + (z_0 == z_1)) * phi[0, z_0] * phi[1, z_1]
    z_law = weights / weights.sum()
    z_shares = np.array([[((z[0] == z_0) & (z[1] == z_1)).mean() for z_1 in range(2)] for z_0 in range(2)])
    assert (np.abs(z_shares - z_law) < 5 * np.sqrt(z_law * (1 - z_law) / R)).all()


def test_the_estimate_of_a_batch_is_unbiased_over_batches():
    """D/B times the counts of a batch, averaged over all batches, are the counts of the corpus."""
    rng = default_rng(3)
    s = sgrld.init(C, 2, P, rng, 1)
    N_w_estimates = [C.D / 1 * sgrld.sample_batch(s, C, P, np.array([j]), rng)[1].sum(2)[:, 0] for j in range(C.D)]
    np.testing.assert_allclose(np.mean(N_w_estimates, 0), np.bincount(C.w, C.n))


def test_an_update_scales_the_counts_of_its_batch():
    s = sgrld.init(C, 2, P, default_rng(4), 3)
    updated_state = sgrld.update(s, C, P, np.array([1, 3]), 0.2, default_rng(5), sweeps=2)
    rng = default_rng(5)
    z, N_wk = sgrld.sample_batch(s, C, P, np.array([1, 3]), rng, 2)
    assert (N_wk.sum((0, 2)) == 4).all()
    np.testing.assert_array_equal(updated_state.z, z)
    np.testing.assert_array_equal(updated_state.x_wk, sgrld.langevin(s.x_wk, 2 * N_wk, P, 0.2, rng.standard_normal(s.x_wk.shape)))


def test_reflection_keeps_a_bias_where_the_prior_is_small():
    """For eta = 0.3 the bias falls as about step^0.3; for eta = 1 chapter 15 has it."""
    p, bias_of_steps = lda.Prior(1, 0.3), []
    for step, n_steps in ((0.8, 15), (0.2, 60)):
        rng, phi_means = default_rng(0), []
        for _ in range(2):
            s, _ = sgrld.run(sgrld.init(C, 2, p, rng, 300), C, p, 4, step, n_steps // 2 + 1, rng)
            phi_means.append(sgrld.run(s, C, p, 4, step, n_steps, rng)[1].mean(0)[0, 0])
        bias_of_steps.append(np.mean(phi_means) - moments(C, 2, p).phi[0, 0])
    assert bias_of_steps[0] < -0.1
    assert 0.5 < bias_of_steps[1] / bias_of_steps[0] < 0.8  # 4^-0.3 is 0.66


S = sgrld.init(C, 2, P, default_rng(0))

test_errors = refusals(lambda change: sgrld.update(**{"s": S, "c": C, "p": P, "batch": [0], "step": 0.1, "rng": default_rng(0)} | change), [
    ({"step": 0.0}, "step is 0.0, expected a positive finite number"),
    ({"batch": [0, 0]}, "batch is [0, 0], expected different documents"),
    ({"batch": [4]}, "batch is [4], expected different documents from 0 below D = 4"),
])
