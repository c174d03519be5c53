"""Exact CVB by convolution: it agrees with the generating function and refuses large corpora."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

import lda_reference as lda
from lda_reference.algorithms import convolution

from ..helpers import CORPORA, PRIORS, TINY, K, start

ALGORITHMS = lda.ALGORITHMS


def test_convolution_keeps_its_digits_with_many_uncertain_tokens():
    """If distributions were updated through a sweep by deconvolution, all digits would be lost."""
    c, p = lda.synthetic.draw(np.random.default_rng(5), [12] * 8, 3, 10, lda.Prior(0.3, 0.3)).corpus, PRIORS["0.1"]
    for corpus in (c, c.types()):
        exact_state = convolution_state = ALGORITHMS["cvb_exact"].init(corpus, 3, p, rng=np.random.default_rng(0))
        for _ in range(3):
            exact_state, convolution_state = ALGORITHMS["cvb_exact"].sweep(exact_state, corpus, p), ALGORITHMS["convolution"].sweep(convolution_state, corpus, p)
            np.testing.assert_allclose(exact_state.gamma, convolution_state.gamma, rtol=0, atol=1e-10)


def test_sparsified_convolution_is_close_if_the_threshold_is_small():
    c, p = CORPORA["types"], PRIORS["0.1"]
    s = start("cvb_exact", c)
    A = ALGORITHMS["convolution"]
    exact_gamma = A.sweep(s, c, p).gamma
    update_functions = [partial(convolution.weights_of_row, threshold=threshold) for threshold in (1e-12, 0.05)]
    close_gamma, rough_gamma = (replace(A, update=A.update._replace(plain=update_function)).sweep(s, c, p).gamma for update_function in update_functions)
    assert np.abs(close_gamma - exact_gamma).max() < 1e-8
    assert np.abs(rough_gamma - exact_gamma).max() > 1e-4


def test_convolution_refuses_large_corpora():
    c = lda.Corpus([0], [0], [2_001], 1, 1)
    with pytest.raises(ValueError, match="convolution is plain code for up to 2,000 tokens, and the corpus has 2,001"):
        start("convolution", c, K=2)


def test_convolution_with_held_topics_is_exact_cvb():
    c, p, phi = TINY, PRIORS["0.1"], np.random.default_rng(0).dirichlet(np.ones(TINY.W), K).T
    s = start("convolution", c)
    convolution_gamma, exact_gamma = (ALGORITHMS[algorithm_name].sweep(s, c, p, held_topics=phi).gamma for algorithm_name in ("convolution", "cvb_exact"))
    np.testing.assert_array_equal(convolution_gamma, exact_gamma)


def test_deconvolution_starts_from_the_stable_end():
    rng = np.random.default_rng(0)
    for gamma_of_token in (0.0, 1e-12, 0.3, 0.5, 0.7, 1 - 1e-12, 1.0):
        count_law = np.ones((1, 1))
        for probability in rng.random(398):
            count_law = convolution.convolve(count_law, np.array([probability]))
        law_with_one_more = convolution.convolve(count_law, np.array([gamma_of_token]))
        count_law = np.append(count_law, [[0.0]], axis=0)  # the largest count now has probability 0
        np.testing.assert_allclose(convolution.deconvolve(law_with_one_more, np.array([gamma_of_token])), count_law, rtol=0, atol=1e-15)
