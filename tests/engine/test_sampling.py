"""Sweeps that draw topics."""

import numpy as np

import lda_reference as lda

from .. import loops
from ..helpers import CORPORA, PRIORS, K


def test_stochastic_em_draws_every_token_from_the_old_counts():
    c, p, A = CORPORA["types"], PRIORS["0.1"], lda.ALGORITHMS["ml"]
    z = np.random.default_rng(3).integers(K, size=c.N)
    s = A.init(c, K, p, z=z)
    u = np.random.default_rng(4).random(c.N)
    new = A.sweep(s, c, p, assignment="sample", uniforms=u)
    expected, token = [], 0
    for row in range(c.M):
        x = loops.row_weights("ml", s.gamma, c, p, row, K)
        for _ in range(c.n[row]):
            expected.append(loops.draw(x, u[token]))
            token += 1
    assert new.z.tolist() == expected
