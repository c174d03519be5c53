"""Perplexity of whole documents by left-to-right, against the exact evidence of the documents."""

import math

import numpy as np
import pytest

import lda_reference as lda
from lda_reference.evaluation.document_evidence import in_random_order, left_to_right_perplexity
from lda_reference.evaluation.prediction import perplexity_of
from lda_reference.truth import document

PRIOR = lda.Prior(alpha=[0.3, 0.8], eta=0.5)
SAMPLE = lda.synthetic.draw(np.random.default_rng(3), [12, 0, 5, 20], K=2, W=6, p=PRIOR)


def test_the_mean_of_products_reaches_the_exact_perplexity():
    c, phi_wk = SAMPLE.corpus, SAMPLE.phi_wk
    log_p_x = document.exact(c, phi_wk, PRIOR)
    perplexities = left_to_right_perplexity(c, phi_wk, PRIOR, np.random.default_rng(0), 2000)
    assert perplexities.perplexity == pytest.approx(math.exp(-log_p_x.sum() / c.N), rel=0.005)
    assert perplexities.as_printed == pytest.approx(perplexities.perplexity, rel=0.02)


def test_as_printed_it_is_the_perplexity_of_each_token_given_those_before_it():
    rng = np.random.default_rng(5)
    token_corpus = in_random_order(SAMPLE.corpus.types(), rng)
    log_p_of_tokens = document.left_to_right(token_corpus, SAMPLE.phi_wk, PRIOR, rng, 7)
    perplexities = left_to_right_perplexity(SAMPLE.corpus.types(), SAMPLE.phi_wk, PRIOR, np.random.default_rng(5), 7)
    assert perplexities.as_printed == pytest.approx(perplexity_of(token_corpus, np.exp(log_p_of_tokens).mean(1)), rel=1e-13)
    p_of_document = [np.exp(log_p_of_tokens[token_corpus.j == j].sum(0)).mean() for j in range(token_corpus.D)]
    assert perplexities.perplexity == pytest.approx(math.exp(-np.log(p_of_document).sum() / token_corpus.N), rel=1e-13)


def test_a_random_order_keeps_the_documents():
    c = SAMPLE.corpus.types()
    token_corpus = in_random_order(c, np.random.default_rng(0))
    assert (token_corpus.types().to_csr() != c.to_csr()).nnz == 0
    assert not np.array_equal(token_corpus.w, c.tokens().w)
