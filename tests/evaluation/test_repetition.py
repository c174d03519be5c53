"""Corpora drawn from estimates, and how many repetitions are enough: against plain loops."""

import math

import numpy as np
import pytest

import lda_reference as lda
from lda_reference.evaluation.repetition import bootstrap, until_standard_error


def test_bootstrap_keeps_lengths_and_draws_from_the_estimates():  # SOL14 §3.3
    c = lda.Corpus([0, 0, 2], [3, 1, 0], [3000, 2000, 4000], 4, 4, ("a", "b", "c", "d"))
    theta = np.array([[0.2, 0.8], [0.5, 0.5], [0.9, 0.1], [0.5, 0.5]])
    phi = np.array([[0.1, 0.4], [0.2, 0.3], [0.3, 0.2], [0.4, 0.1]])
    s = bootstrap(c, theta, phi, np.random.default_rng(0))
    assert np.bincount(s.corpus.j, minlength=4).tolist() == [5000, 0, 4000, 0]
    assert (s.corpus.D, s.corpus.W, s.corpus.vocab) == (4, 4, c.vocab)
    for j, N in ((0, 5000), (2, 4000)):
        expected = phi @ theta[j]
        seen = np.bincount(s.corpus.w[s.corpus.j == j], minlength=4) / N
        assert np.all(np.abs(seen - expected) < 5 * np.sqrt(expected * (1 - expected) / N))
    assert bootstrap(c, theta, phi, np.random.default_rng(0)).corpus == s.corpus
    assert bootstrap(c, theta, phi, np.random.default_rng(1)).corpus != s.corpus


def test_bootstrap_checks_shapes():
    c = lda.Corpus.from_documents([[0, 1], [1]])
    for theta, phi in ((np.ones((1, 1)), np.full((2, 1), 0.5)), (np.ones((2, 1)), np.full((3, 1), 1 / 3)), (np.full((2, 2), 0.5), np.full((2, 1), 0.5))):
        with pytest.raises(ValueError, match="expected 2 documents, 2 words and the same topics"):
            bootstrap(c, theta, phi, np.random.default_rng(0))


def test_values_are_taken_until_their_standard_error_is_below():  # SOL14 §3.2
    x = np.random.default_rng(0).normal(size=300).tolist()
    for below, least in ((0.2, 2), (0.2, 60), (0.01, 2), (5.0, 2)):
        asked = []
        mean, error, T = until_standard_error((asked.append(v) or v for v in x), below, least)
        assert len(asked) == T  # none more than needed
        at = [math.sqrt(sum((v - sum(x[:t]) / t) ** 2 for v in x[:t]) / (t - 1) / t) for t in range(2, T + 1)]
        assert error == pytest.approx(at[-1], rel=1e-12)
        assert mean == pytest.approx(sum(x[:T]) / T, rel=1e-12)
        assert all(e >= below for t, e in enumerate(at[:-1], 2) if t >= least)
        assert least <= T
        assert (error < below) == (T < 300)


def test_values_that_end():
    assert until_standard_error([1.0, 3.0]) == (2.0, 1.0, 2)
    mean, error, T = until_standard_error([1.0], least=1)
    assert (mean, T) == (1.0, 1)
    assert math.isnan(error)
    with pytest.raises(ValueError, match="values is empty"):
        until_standard_error([])


def test_the_bound_depends_on_the_unit():
    """Two accuracies as fractions are enough for SOL14's 0.05 where in percent they are far from it."""
    fractions = [0.90, 0.95, 0.91, 0.97, 0.93]
    assert until_standard_error(fractions)[2] == 2
    assert until_standard_error([100 * x for x in fractions])[1:] == (pytest.approx(1.2806, abs=1e-3), 5)
