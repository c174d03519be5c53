"""Bags of words, as gensim has them, against plain loops and gensim's own dictionary."""

import numpy as np
import pytest

import lda_reference as lda

from ..helpers import refusals

BOWS = [[(2, 1), (0, 3)], [], [(1, 1), (2, 2), (1, 1)], [(0, 0), (3, 1)]]


def test_bags_are_the_matrix_of_their_counts():
    X = np.array([[3, 0, 1, 0], [0, 0, 0, 0], [0, 2, 2, 0], [0, 0, 0, 1]])
    assert lda.from_bows(BOWS) == lda.from_bows(BOWS, 4) == lda.Corpus.from_csr(X)
    assert lda.from_bows(BOWS, 6).W == 6
    # iterators, NumPy's numbers, and floats that are whole
    assert lda.from_bows(iter([(np.int32(w), float(n)) for w, n in bow]) for bow in BOWS) == lda.from_bows(BOWS)


@pytest.mark.parametrize("vocab", [["a", "b", "c", "d", "e"], {4: "e", 0: "a", 2: "c", 1: "b", 3: "d"}, {"e": 4, "a": 0, "c": 2, "b": 1, "d": 3}])
def test_a_vocabulary_is_a_sequence_or_a_mapping_from_or_to_ids(vocab):
    c = lda.from_bows(BOWS, vocab=vocab)
    assert (c.W, c.vocab) == (5, ("a", "b", "c", "d", "e"))


test_what_is_wrong_is_named = refusals(lambda arguments: lda.from_bows(*arguments), [
    (([[(0, 1)], [(1, 1), (0, 0.5)]],), "bows[1][1] is (0, 0.5), expected a pair (word id, count) of whole numbers from 0"),
    (([[(0, -1)]],), "bows[0][0] is (0, -1), expected a pair"),
    (([[(3, 1)]], 3), "w[0] is 3, expected a word below W = 3"),
    (([[(0, 1)]], None, {0: "a", 2: "c"}), "vocab has 2 words and none of id 1, expected ids from 0 without a gap"),
])


def test_gensims_dictionary_and_corpus():
    gensim_corpora = pytest.importorskip("gensim.corpora")
    texts = [["cat", "mouse", "cat"], ["dog"], ["mouse", "dog", "dog"]]
    dictionary = gensim_corpora.Dictionary(texts)
    c = lda.from_bows(map(dictionary.doc2bow, texts), vocab=dictionary)
    words_of_documents = [[c.vocab[w] for w, n in zip(c.w[c.j == j], c.n[c.j == j], strict=True) for _ in range(n)] for j in range(3)]
    assert [sorted(document) for document in words_of_documents] == [sorted(document) for document in texts]
