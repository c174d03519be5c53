#!/bin/bash
# gensim 4.4.0, SoftCosineSimilarity(corpus, similarity_matrix)[query], "Compute soft cosine similarity against a
#   corpus of documents".
# Guess: a query gives the soft cosine of the query and each document, the same as the index gives for a list of
#   queries and as inner_product gives for the query and one document.
# Behaviour: for one query, the length of a document is computed from the words alone that are similar to a word of the
#   query. All its other words are left out. So a document that has the query's word among sixteen others has the
#   similarity 1.0, the same as a document that is equal to the query, and the best documents cannot be told from the
#   rest. The list [query] gives the right numbers, and so do inner_product(query, document) and the loop over the
#   index.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet gensim==4.4.0 numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import gensim
import numpy as np
import scipy.sparse
from gensim.corpora import Dictionary
from gensim.similarities import (LevenshteinSimilarityIndex, MatrixSimilarity, SoftCosineSimilarity,
                                 SparseTermSimilarityMatrix)

other = "alpha bravo delta echo foxtrot golf hotel india kilo lima mike november oscar quebec romeo sierra".split()
texts = [["topics"], ["topics"] + other[:3], ["topics"] + other, ["topic"] + other, other]
dictionary = Dictionary(texts)
corpus = [dictionary.doc2bow(text) for text in texts]
matrix = SparseTermSimilarityMatrix(LevenshteinSimilarityIndex(dictionary, alpha=1.0), dictionary)
index = SoftCosineSimilarity(corpus, matrix)
query = dictionary.doc2bow(["topics"])

s = matrix.matrix.toarray().astype(float)
dense = gensim.matutils.corpus2dense(corpus, len(dictionary)).T.astype(float)
q = gensim.matutils.sparse2full(query, len(dictionary)).astype(float)
by_hand = dense @ s @ q / np.sqrt((dense @ s * dense).sum(1) * (q @ s @ q))
one, many = index[query], index[[query]][0]
pairs = np.array([matrix.inner_product(query, bow, normalized=(True, True)) for bow in corpus], float)
print("gensim", gensim.__version__)
print("different words in each document", [len(bow) for bow in corpus])
print("by hand         ", by_hand.round(3).tolist())
print("index[query]    ", one.astype(float).round(3).tolist())
print("index[[query]]  ", many.astype(float).round(3).tolist())
print("inner_product   ", pairs.round(3).tolist())
print("plain cosine    ", MatrixSimilarity(corpus, num_features=len(dictionary))[query].astype(float).round(3).tolist())
assert np.allclose(many, by_hand, atol=1e-5) and np.allclose(pairs, by_hand, atol=1e-5)
assert np.allclose(one[:3], 1.0, atol=1e-5) and by_hand[1] < 0.6 and by_hand[2] < 0.3
assert one[3] > 3 * by_hand[3] and one[4] == by_hand[4] == 0
# With an identity matrix the soft cosine is the cosine, and the same is left out.
plain = SoftCosineSimilarity(corpus, SparseTermSimilarityMatrix(scipy.sparse.identity(len(dictionary))))
print("identity matrix ", plain[query].astype(float).round(3).tolist())
assert np.allclose(plain[query], [1, 1, 1, 0, 0])
PYTHON
# Seen: gensim 4.4.0
#       different words in each document [1, 4, 17, 17, 16]
#       by hand          [1.0, 0.5, 0.243, 0.097, 0.0]
#       index[query]     [1.0, 1.0, 1.0, 0.402, 0.0]
#       index[[query]]   [1.0, 0.5, 0.243, 0.097, 0.0]
#       inner_product    [1.0, 0.5, 0.243, 0.097, 0.0]
#       plain cosine     [1.0, 0.5, 0.243, 0.0, 0.0]
#       identity matrix  [1.0, 1.0, 1.0, 0.0, 0.0]
