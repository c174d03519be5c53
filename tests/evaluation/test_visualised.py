"""The arrays of pyLDAvis: their meaning by plain loops, what it checks, and pyLDAvis itself if it is installed."""

import numpy as np
import pytest

import lda_reference as lda

from ..helpers import refused

C = lda.Corpus([0, 0, 2, 2, 3], [0, 2, 1, 2, 3], [2, 1, 3, 1, 1], 4, 5, tuple("abcde"))  # document 1 and word 4 are empty
F = lda.fit(C, 3, "cvb0", sweeps=10)


def test_the_arrays_are_those_of_the_fit_without_empty_documents():
    found = lda.visualised(F, C)
    documents = [0, 2, 3]
    np.testing.assert_allclose(found["topic_term_dists"], F.phi_wk.T, rtol=1e-12)
    np.testing.assert_allclose(found["doc_topic_dists"], F.theta_jk[documents], rtol=1e-12)
    assert found["doc_lengths"].tolist() == [sum(n for j, n in zip(C.j, C.n, strict=True) if j == d) for d in documents]
    assert found["term_frequency"].tolist() == [sum(n for w, n in zip(C.w, C.n, strict=True) if w == v) for v in range(5)]
    assert found["vocab"] == ["a", "b", "c", "d", "e"]


def test_what_pyldavis_checks():
    found = lda.visualised(lda.fit(C, 3, "gibbs", sweeps=10), C.to_csr(), np.array(list("vwxyz")))
    K, W = found["topic_term_dists"].shape
    assert (K, W) == (3, 5)
    assert found["doc_topic_dists"].shape == (len(found["doc_lengths"]), K)
    assert found["vocab"] == list("vwxyz")
    assert len(found["term_frequency"]) == W
    for name in ("topic_term_dists", "doc_topic_dists"):
        np.testing.assert_allclose(found[name].sum(1), 1, rtol=0, atol=1e-14)
    assert found["doc_lengths"].min() > 0


def test_without_a_vocabulary_words_are_their_numbers():
    assert lda.visualised(F, C.to_csr().toarray())["vocab"] == ["0", "1", "2", "3", "4"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((lda.fit(C, 3, replicates=2, sweeps=1), C), "phi_wk has shape (5, 2, 3), expected (W, K): one run, not replicates"),
        ((lda.fit(C, 1, sweeps=1), C), "the fit has 1 topic, expected 2 or more"),
        ((F, lda.Corpus.from_documents([[0]], W=5)), "theta_jk has shape (4, 3) and phi_wk (5, 3), expected 1 documents"),
        ((F, C, ["a"]), "vocab has 1 words, expected W = 5"),
        ((lda.fit(C, 2, "ml", sweeps=5), C), "word 'e' has probability 0 under every topic"),
        ((F, [[1, 2]]), "c is of the type list, expected a Corpus"),
    ],
)
def test_what_cannot_be_drawn_is_named(arguments, message):
    with refused(message):
        lda.visualised(*arguments)


def test_pyldavis_takes_them():
    pyldavis = pytest.importorskip("pyLDAvis")
    drawn = lda.synthetic.draw(np.random.default_rng(0), [30] * 40, 4, 50, lda.Prior(0.1, 0.1)).corpus
    fit = lda.fit(drawn, 4, sweeps=20)
    prepared = pyldavis.prepare(**lda.visualised(fit, drawn), n_jobs=1, sort_topics=False)
    shares = fit.theta_jk.T @ np.bincount(drawn.j, drawn.n, drawn.D) / drawn.N
    np.testing.assert_allclose(prepared.topic_coordinates["Freq"], 100 * shares, rtol=1e-9)
