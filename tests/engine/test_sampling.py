"""Sweeps that draw topics."""

import numpy as np

import lda_reference as lda
from lda_reference import plain

from ..helpers import CORPORA, PRIORS, K, topics_of


def test_stochastic_em_draws_every_token_from_the_old_counts():
    c, p, A = CORPORA["types"], PRIORS["0.1"], lda.ALGORITHMS["ml"]
    z = np.random.default_rng(3).integers(K, size=c.N)
    s = A.init(c, K, p, z=z)
    u = np.random.default_rng(4).random(c.N)
    new = A.sweep(s, c, p, assignment="sample", uniforms=u)
    x = [plain.update("ml", row, s.gamma, c, p) for row in range(c.M)]
    assert new.z.tolist() == topics_of(np.repeat(x, c.n, axis=0), u)
