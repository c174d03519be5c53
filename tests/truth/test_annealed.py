"""Annealed importance sampling: the plain text with the same uniforms, exact evidence, and coverage."""

import itertools
import math

import numpy as np
import pytest
from numpy.random import default_rng

import lda_reference as lda
from lda_reference import plain
from lda_reference.algorithms.cgs import ALGORITHM as CGS
from lda_reference.algorithms.gibbs import ALGORITHM as GIBBS
from lda_reference.model import counts_of, dirichlet
from lda_reference.truth import annealed, tables, weights

from .. import helpers
from .test_tables import CASES, CORPUS

PATHS = {"collapsed": annealed.COLLAPSED, "uncollapsed": annealed.UNCOLLAPSED}


def log_likelihood(z, c, K, p, b=1.0):
    """log p(x | z) by the standard library, each token counted as b tokens."""
    eta, N_wk = p.vectors(K, c.W)[1], counts_of(z, c, K)[1]
    return helpers.log_p_of_urns(b * N_wk.T, eta)


@pytest.mark.parametrize("is_forwards", [True, False])
@pytest.mark.parametrize("c", [CORPUS, CORPUS.types()], ids=["tokens", "types"])
@pytest.mark.parametrize("case_name", CASES)
def test_both_directions_equal_plain_loops(case_name, c, is_forwards):
    (K, p), b, tokens, rng, log_w = CASES[case_name], [0, 0.2, 0.7, 1], c.tokens(), default_rng(5), np.zeros(2)
    z = annealed.from_the_prior(c, K, p, rng, 2).z.T.tolist()
    if is_forwards:
        annealed_runs = annealed.forwards(c, K, p, b, default_rng(5), replicates=2)
    else:
        annealed_runs = annealed.backwards(c, K, p, b, default_rng(6), z[0], replicates=2)
        rng, z = default_rng(6), [z[0], z[0]]
    b_pairs = list(itertools.pairwise(b))
    for low_power, high_power in b_pairs if is_forwards else b_pairs[::-1]:
        for r, uniforms in enumerate(rng.random((c.N, 2)).T):
            sweep_options = {"K": K, "schedule": "token", "uniforms": uniforms, "inverse_temperature": high_power}
            new_z = plain.answer(plain.case_of("cgs", "tempered_sweep", z[r], tokens, p, **sweep_options))["z"]
            log_w[r] += (high_power - low_power) * log_likelihood(z[r] if is_forwards else new_z, tokens, K, p)
            z[r] = new_z
    np.testing.assert_array_equal(annealed_runs.z.T, z)
    np.testing.assert_allclose(annealed_runs.log_w, log_w, rtol=1e-13)


@pytest.mark.parametrize("is_forwards", [True, False])
def test_the_uncollapsed_path_equals_plain_loops(is_forwards):
    """Theta and phi come from their Dirichlet distributions, a token of a topic counted as b, and then each topic."""
    (K, p), rng, b = CASES["vectors"], default_rng(5), [0, 0.1, 0.2, 0.4, 0.6, 1]
    alpha, eta = p.vectors(K, CORPUS.W)
    z, log_w = annealed.from_the_prior(CORPUS, K, p, rng, 1).z, 0.0
    if is_forwards:
        annealed_runs = annealed.forwards(CORPUS, K, p, b, default_rng(5), 1, annealed.UNCOLLAPSED)
    else:
        annealed_runs = annealed.backwards(CORPUS, K, p, b, default_rng(6), z, path=annealed.UNCOLLAPSED)
        rng = default_rng(6)
    z = z[:, 0].tolist()
    b_pairs = list(itertools.pairwise(b))
    for low_power, high_power in b_pairs if is_forwards else b_pairs[::-1]:
        N_jk, N_wk = counts_of(z, CORPUS, K)
        phi_wk, theta_jk = dirichlet(eta[:, None] + high_power * N_wk, 0, rng), dirichlet(alpha + N_jk, -1, rng)
        random_inputs = {"uniforms": rng.random((CORPUS.N, 1))[:, 0], "theta_jk": theta_jk, "phi_wk": phi_wk**high_power}
        new_z = plain.sweep("gibbs", z, CORPUS, p, "corpus", K=K, **random_inputs)
        z_of_likelihood = z if is_forwards else new_z
        log_w += log_likelihood(z_of_likelihood, CORPUS, K, p, high_power) - log_likelihood(z_of_likelihood, CORPUS, K, p, low_power)
        z = new_z
    np.testing.assert_array_equal(annealed_runs.z[:, 0], z)
    np.testing.assert_allclose(annealed_runs.log_w, log_w, rtol=1e-12)


@pytest.mark.parametrize("later_z", [[0, 1, 1, 2, 0, 0], [2, 2, 2, 2, 2, 2]])
def test_the_first_draw_is_from_the_conditional_of_the_tempered_joint(later_z):
    (K, p), c, b = CASES["vectors"], CORPUS, 0.35
    alpha = p.vectors(K, c.W)[0]

    def log_joint(z):
        return helpers.log_p_of_urns(counts_of(z, c, K)[0], alpha) + b * log_likelihood(z, c, K, p)

    joint_of_topics = np.exp([log_joint([k, *later_z]) for k in range(K)])
    cumulative_p = np.cumsum(joint_of_topics / joint_of_topics.sum())[:-1]
    s = CGS.init(c, K, p, z=[0, *later_z])
    for k, topic_boundary in enumerate(cumulative_p):
        for uniform, drawn_topic in ((topic_boundary - 1e-9, k), (topic_boundary + 1e-9, k + 1)):
            assert annealed.collapsed(b).sweep(s, c, p, uniforms=np.full(c.N, uniform)).z[0] == drawn_topic


def test_the_paths_end_at_gibbs_sampling():
    assert annealed.collapsed(1.0) is CGS
    K, p = CASES["vectors"]
    s = CGS.init(CORPUS, K, p, z=[0, 1, 1, 2, 0, 2, 1])
    last_z = [A.sweep(s, CORPUS, p, rng=default_rng(3)).z for A in (GIBBS, annealed.uncollapsed(1.0))]
    np.testing.assert_array_equal(*last_z)


def runs_of(K, p, b, annealing_path, n_runs):
    """Independent runs in both directions, and the z-scores of the means of w / p(x) and of p(x) / w."""
    rng, log_p, (z, _, _, p_of_z) = default_rng(1), tables.log_evidence(CORPUS, K, p), helpers.law_of_assignments(CORPUS, K, p)
    forward_runs = annealed.forwards(CORPUS, K, p, b, rng, n_runs, annealing_path)
    backward_runs = annealed.backwards(CORPUS, K, p, b, rng, z[rng.choice(len(z), n_runs, p=p_of_z)].T, path=annealing_path)
    means_and_errors = [helpers.ratio(forward_runs.log_w, log_p), helpers.ratio(-backward_runs.log_w, -log_p)]
    return forward_runs, backward_runs, [(mean - 1) / standard_error for mean, standard_error in means_and_errors]


@pytest.mark.parametrize(("case_name", "path_name"), [("vectors", "collapsed"), ("symmetric", "uncollapsed")])
def test_200_runs_are_unbiased_and_their_intervals_hold(case_name, path_name):
    """Each of the 200 has 8 chains forwards and 8 backwards."""
    K, p = CASES[case_name]
    forward_runs, backward_runs, z_scores = runs_of(K, p, np.linspace(0, 1, 13), PATHS[path_name], 1600)
    assert np.abs(z_scores).max() < 4
    intervals = [
        weights.interval(*(weights.Runs(runs.log_w[chain : chain + 8], runs.z[:, chain : chain + 8], runs.independent) for runs in (forward_runs, backward_runs)))
        for chain in range(0, 1600, 8)
    ]
    log_p = tables.log_evidence(CORPUS, K, p)
    assert sum(interval.lower <= log_p <= interval.upper for interval in intervals) >= 190
    assert np.mean([interval.upper - interval.lower for interval in intervals]) < 1.5


def test_runs_are_unbiased_where_the_first_state_has_an_effect():
    z_scores = runs_of(2, lda.Prior([0.05, 0.4], 0.1), [0, 0.3, 0.6, 1], PATHS["collapsed"], 6400)[2]
    assert np.abs(z_scores).max() < 4


def test_the_interval_by_hand():
    z = np.zeros((1, 3), int)
    forward_runs = weights.Runs(np.array([-3.0, -2.0, -7.0]), z, True)
    backward_runs = weights.Runs(np.array([-1.0, 0.0, -2.0]), z, False)
    interval = weights.interval(forward_runs, backward_runs, 0.9)
    log_mean = math.log((math.exp(-3) + math.exp(-2) + math.exp(-7)) / 3)
    assert interval.lower == pytest.approx(max(log_mean + math.log(0.025), -4 + math.log(0.025) / 3), rel=1e-14)
    log_mean_inverse = math.log((math.exp(1) + 1 + math.exp(2)) / 3)
    assert interval.upper == pytest.approx(-log_mean_inverse - math.log(0.05), rel=1e-14)
    independent_interval = weights.interval(forward_runs, backward_runs._replace(independent=True), 0.9)
    assert independent_interval.upper == pytest.approx(min(-log_mean_inverse - math.log(0.025), -1 - math.log(0.025) / 3), rel=1e-14)


test_errors = helpers.refusals(lambda call: call(default_rng(0)), [
    (lambda rng: annealed.forwards(CORPUS, 2, lda.Prior(), [0, 0.5], rng), "b is [0, 0.5], expected inverse temperatures"),
    (lambda rng: annealed.backwards(CORPUS, 2, lda.Prior(), [0, 1], rng, [0, 1]), "z has shape (2, 16), expected"),
    (lambda rng: annealed.backwards(CORPUS, 2, lda.Prior(), [0, 1], rng, [[2]] * 7), "z[0, 0] is 2, expected a topic"),
    (lambda rng: weights.interval(None, None, 1.0), "probability is 1.0"),
])
