#!/bin/bash
# octis 1.14.0, similarity_metrics.WordEmbeddingsWeightedSumSimilarity, of word vectors weighted by a topic's
#   probabilities.
# Guess: for two topics the similarity (or the distance) of their weighted means: here cosine 0.6 for the first two, 1
#   for two equal topics.
# Behaviour: nan for any topics. The number of pairs that it divides by is never raised from 0. (The sum is 0 too: both
#   means are of the first topic of the pair.) It also reads "topic-word-distribution", a key that no model of octis
#   gives.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet gensim==4.4.0 numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/pip" install --quiet --no-deps octis==1.14.0
printf '2 2\nash 1 0\nbay 0 1\n' > "$folder/vectors.txt"
"$folder/venv/bin/python" -W ignore - "$folder/vectors.txt" <<'PYTHON'
import sys
from importlib.metadata import version

import numpy as np
from octis.evaluation_metrics.similarity_metrics import WordEmbeddingsWeightedSumSimilarity
from scipy.spatial.distance import cosine

metric = WordEmbeddingsWeightedSumSimilarity({0: "ash", 1: "bay"}, word2vec_path=sys.argv[1])
differing, equal = np.array([[0.75, 0.25], [0.25, 0.75]]), np.array([[0.75, 0.25], [0.75, 0.25]])
scores = [float(metric.score({"topic-word-distribution": phi_kw})) for phi_kw in (differing, equal)]
right = [1 - float(cosine(*phi_kw)) for phi_kw in (differing, equal)]  # the vectors of the words are the axes
print("octis", version("octis"), scores, "cosines of the means", right)
assert np.allclose(right, [0.6, 1])
assert np.isnan(scores).all()
PYTHON
# Seen: [nan, nan] cosines of the means [0.6, 1.0]
