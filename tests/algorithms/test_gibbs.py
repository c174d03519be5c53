"""The parameters theta and phi that Gibbs sampling draws."""

import numpy as np

import lda_reference as lda
from lda_reference import engine
from lda_reference.algorithms import gibbs

from ..helpers import CORPORA, start


def test_gibbs_draws_its_parameters_from_their_dirichlets():  # SOL14 (5)(6)
    c, p = CORPORA["types"], lda.Prior([0.5, 0.01, 2.0], 0.3)
    s = start("gibbs", c)
    N = engine.sums(s.gamma, c)
    rng = np.random.default_rng(0)
    theta_phi_pairs = [gibbs.draw_parameters(s, c, p, rng) for _ in range(4000)]
    for drawn_parameters, dirichlet_parameters, axis in ((np.array([theta_and_phi[0] for theta_and_phi in theta_phi_pairs]), N.jk + p.alpha, -1), (np.array([theta_and_phi[1] for theta_and_phi in theta_phi_pairs]), N.wk + 0.3, 0)):
        parameter_sum = dirichlet_parameters.sum(axis, keepdims=True)
        mean, variance = dirichlet_parameters / parameter_sum, dirichlet_parameters * (parameter_sum - dirichlet_parameters) / (parameter_sum**2 * (parameter_sum + 1))
        np.testing.assert_allclose(drawn_parameters.sum(axis if axis < 0 else axis + 1), 1)
        assert (np.abs(drawn_parameters.mean(0) - mean) < 5 * np.sqrt(variance / 4000)).all()
        fourth_moment = ((drawn_parameters - mean) ** 4).mean(0)
        assert (np.abs(((drawn_parameters - mean) ** 2).mean(0) - variance) < 6 * np.sqrt(fourth_moment / 4000)).all()
