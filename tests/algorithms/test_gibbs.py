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
    pairs = [gibbs.draw_parameters(s, c, p, rng) for _ in range(4000)]
    for drawn, a, axis in ((np.array([d[0] for d in pairs]), N.jk + p.alpha, -1), (np.array([d[1] for d in pairs]), N.wk + 0.3, 0)):
        a_sum = a.sum(axis, keepdims=True)
        mean, variance = a / a_sum, a * (a_sum - a) / (a_sum**2 * (a_sum + 1))
        np.testing.assert_allclose(drawn.sum(axis if axis < 0 else axis + 1), 1)
        assert (np.abs(drawn.mean(0) - mean) < 5 * np.sqrt(variance / 4000)).all()
        fourth_moment = ((drawn - mean) ** 4).mean(0)
        assert (np.abs(((drawn - mean) ** 2).mean(0) - variance) < 6 * np.sqrt(fourth_moment / 4000)).all()
