"""Coherence, against the plain text."""

import numpy as np
import pytest

import lda_reference as lda
from lda_reference import plain
from lda_reference.evaluation.coherence import coherence

from ..helpers import refused


@pytest.mark.parametrize("measure", ["umass", "npmi"])
@pytest.mark.parametrize("seed", range(5))
def test_coherence_is_that_of_the_plain_text(measure, seed):
    rng = np.random.default_rng(seed)
    W, K = 8, 3
    documents = [rng.integers(0, W, rng.integers(0, 7)).tolist() for _ in range(12)]
    documents += [[w] for w in range(W)] if seed == 3 else [list(range(W))]  # words that never meet, or all that do
    if seed == 4:
        documents = [[*document, 0, 1] for document in documents]  # two words in every document
    c = lda.Corpus.from_documents(documents, W=W)
    phi = rng.dirichlet(np.ones(W), K).T
    for n_words in (2, 5, W):
        for corpus in (c, c.types()):
            case = plain.case_of("lda", f"coherence_{measure}", [], corpus, lda.Prior(), K=K, words=n_words, phi_wk=phi)
            np.testing.assert_allclose(coherence(phi, corpus, n_words, measure), plain.answer(case)["coherence"], atol=1e-12)


def test_a_word_that_occurs_in_no_document_is_named():
    c, phi = lda.Corpus.from_documents([[0, 1]], W=3), np.ones((3, 2)) / 3
    with refused("word 2 is among the 3 most probable of a topic and occurs in no document"):
        coherence(phi, c, 3)
