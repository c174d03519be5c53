#!/bin/bash
# river 0.26.1, preprocessing.LDA, which "takes as input token counts".
# Guess: a word that stands 50 times in a text weighs 50 times as much as a word that stands once.
# Behaviour: the counts are not read. Each word of a text is one token, so a model of counts is equal, to the bit, to a
#   model of which words occur, and the topics' weights of a text add up to its number of different words, plus the
#   prior.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet river==0.26.1 numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version

import numpy as np
from river.preprocessing import LDA


def fit(texts):
    model = LDA(n_components=2, number_of_documents=20, alpha_theta=0.5, seed=1)
    return model, [model.learn_transform_one(text) for text in texts]


counts, weights = fit([{"ash": 50, "bay": 1}, {"elm": 1, "fig": 7}] * 10)
ones, weights_of_ones = fit([{"ash": 1, "bay": 1}, {"elm": 1, "fig": 1}] * 10)
totals = sorted({float(sum(x.values())) for x in weights})
print("river", version("river"), "weights of the texts of 51 and 8 tokens add up to", totals)
assert weights == weights_of_ones
assert all(np.array_equal(counts.nu_1[k], ones.nu_1[k]) for k in range(2))
assert totals == [2 + 2 * 0.5]
PYTHON
# Seen: weights of the texts of 51 and 8 tokens add up to [3.0]
