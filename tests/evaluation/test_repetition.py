"""Corpora drawn from estimates."""

import numpy as np

import lda_reference as lda
from lda_reference.evaluation.repetition import bootstrap


def test_bootstrap_keeps_lengths_and_draws_from_the_estimates():  # SOL14 §3.3
    c = lda.Corpus([0, 0, 2], [3, 1, 0], [3000, 2000, 4000], 4, 4, ("a", "b", "c", "d"))
    theta = np.array([[0.2, 0.8], [0.5, 0.5], [0.9, 0.1], [0.5, 0.5]])
    phi = np.array([[0.1, 0.4], [0.2, 0.3], [0.3, 0.2], [0.4, 0.1]])
    sample = bootstrap(c, theta, phi, np.random.default_rng(0))
    assert np.bincount(sample.corpus.j, minlength=4).tolist() == [5000, 0, 4000, 0]
    assert (sample.corpus.D, sample.corpus.W, sample.corpus.vocab) == (4, 4, c.vocab)
    for j, N in ((0, 5000), (2, 4000)):
        p_w = phi @ theta[j]
        word_shares = np.bincount(sample.corpus.w[sample.corpus.j == j], minlength=4) / N
        assert np.all(np.abs(word_shares - p_w) < 5 * np.sqrt(p_w * (1 - p_w) / N))
    assert bootstrap(c, theta, phi, np.random.default_rng(0)).corpus == sample.corpus
    assert bootstrap(c, theta, phi, np.random.default_rng(1)).corpus != sample.corpus
