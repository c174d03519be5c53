"""Exact CVB by convolution: it agrees with the generating function and refuses large corpora."""

import numpy as np
import pytest

import lda_reference as lda

from ..helpers import PRIORS, TINY, K, start

ALGORITHMS = lda.ALGORITHMS


def test_convolution_keeps_its_digits_with_many_uncertain_tokens():
    """If distributions were updated through a sweep by deconvolution, all digits would be lost."""
    c, p = lda.synthetic.draw(np.random.default_rng(5), [12] * 8, 3, 10, lda.Prior(0.3, 0.3)).corpus, PRIORS["0.1"]
    for rows in (c, c.types()):
        a = b = ALGORITHMS["cvb_exact"].init(rows, 3, p, rng=np.random.default_rng(0))
        for _ in range(3):
            a, b = ALGORITHMS["cvb_exact"].sweep(a, rows, p), ALGORITHMS["convolution"].sweep(b, rows, p)
            np.testing.assert_allclose(a.gamma, b.gamma, rtol=0, atol=1e-10)


def test_convolution_refuses_large_corpora():
    c = lda.Corpus([0], [0], [2_001], 1, 1)
    for call in (lambda: start("convolution", c, K=2), lambda: ALGORITHMS["convolution"].sweep(start("cvb0", c, K=2), c, PRIORS["0.1"])):
        with pytest.raises(ValueError, match="convolution is plain code for up to 2,000 tokens, and the corpus has 2,001"):
            call()


def test_convolution_with_held_topics_is_exact_cvb():
    c, p, held = TINY, PRIORS["0.1"], np.random.default_rng(0).dirichlet(np.ones(TINY.W), K).T
    s = start("convolution", c)
    a, b = (ALGORITHMS[name].sweep(s, c, p, held_topics=held).gamma for name in ("convolution", "cvb_exact"))
    np.testing.assert_array_equal(a, b)
