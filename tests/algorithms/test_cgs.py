"""Collapsed Gibbs sampling: its draws are those of the plain text, and its limit is CVB0."""

import numpy as np
import pytest

import lda_reference as lda
from lda_reference import plain
from lda_reference.algorithms import cgs

from ..helpers import CORPORA, PRIORS, K, start


@pytest.mark.parametrize("prior_name", PRIORS)
@pytest.mark.parametrize("row_kind", CORPORA)
def test_collapsed_gibbs_draws_what_plain_loops_draw(row_kind, prior_name):
    A, c, p, rng = lda.ALGORITHMS["cgs"], CORPORA[row_kind], PRIORS[prior_name], np.random.default_rng(5)
    s = A.init(c, K, p, rng=rng)
    z = s.z.tolist()
    for _ in range(5):
        u = rng.random(c.N)
        s = A.sweep(s, c, p, uniforms=u)
        z = plain.sweep("cgs", z, c, p, K=K, uniforms=u)
        np.testing.assert_array_equal(s.z, z)
    # tokens of one word in one document are exchangeable, so a row of count n draws as n rows do
    row_of_token = np.repeat(np.arange(c.M), c.n)
    topic_shares = [[np.mean(s.z[row_of_token == i] == k) for k in range(K)] for i in range(c.M)]
    np.testing.assert_allclose(s.gamma, topic_shares, rtol=0, atol=1e-15)


def test_many_draws_of_each_topic_tend_to_cvb0():  # AWST09 §2.6
    c, p = CORPORA["tokens"], PRIORS["0.1"]
    s = start("cvb0", c)
    cvb0_gamma = lda.ALGORITHMS["cvb0"].sweep(s, c, p).gamma
    rms_errors = []
    for R in (100, 10_000, 1_000_000):
        gamma_of_run = [cgs.sweep_of_fractions(s, c, p, R, np.random.default_rng(seed)).gamma for seed in range(20)]
        rms_errors.append(np.sqrt(np.mean((np.array(gamma_of_run) - cvb0_gamma) ** 2)))
    error_ratios = np.divide(rms_errors[:-1], rms_errors[1:])
    assert ((error_ratios > 7) & (error_ratios < 14)).all()  # the error falls as 1 / sqrt(R)
    assert rms_errors[-1] < 1e-3
