"""Perplexity of whole documents by left-to-right, against the exact evidence of the documents."""

import math

import numpy as np
import pytest

import lda_reference as lda
from lda_reference.evaluation.document_evidence import in_random_order, left_to_right_perplexity
from lda_reference.evaluation.prediction import perplexity_of
from lda_reference.truth import document

PRIOR = lda.Prior(alpha=[0.3, 0.8], eta=0.5)
DRAWN = lda.synthetic.draw(np.random.default_rng(3), [12, 0, 5, 20], K=2, W=6, p=PRIOR)


def test_the_mean_of_products_reaches_the_exact_perplexity():
    c, phi_wk = DRAWN.corpus, DRAWN.phi_wk
    exact = document.exact(c, phi_wk, PRIOR)
    answer = left_to_right_perplexity(c, phi_wk, PRIOR, np.random.default_rng(0), 2000)
    assert answer.perplexity == pytest.approx(math.exp(-exact.sum() / c.N), rel=0.005)
    assert answer.as_printed == pytest.approx(answer.perplexity, rel=0.02)


def test_as_printed_it_is_the_perplexity_of_each_token_given_those_before_it():
    rng = np.random.default_rng(5)
    t = in_random_order(DRAWN.corpus.types(), rng)
    log_p = document.left_to_right(t, DRAWN.phi_wk, PRIOR, rng, 7)
    answer = left_to_right_perplexity(DRAWN.corpus.types(), DRAWN.phi_wk, PRIOR, np.random.default_rng(5), 7)
    assert answer.as_printed == pytest.approx(perplexity_of(t, np.exp(log_p).mean(1)), rel=1e-13)
    by_document = [np.exp(log_p[t.j == j].sum(0)).mean() for j in range(t.D)]
    assert answer.perplexity == pytest.approx(math.exp(-np.log(by_document).sum() / t.N), rel=1e-13)


def test_a_random_order_keeps_the_documents():
    c = DRAWN.corpus.types()
    t = in_random_order(c, np.random.default_rng(0))
    assert (t.types().to_csr() != c.to_csr()).nnz == 0
    assert not np.array_equal(t.w, c.tokens().w)
