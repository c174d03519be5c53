#!/bin/bash
# river 0.26.1, preprocessing.LDA(maximum_size_vocabulary=...), "Online Latent Dirichlet Allocation with Infinite
#   Vocabulary".
# Guess: when the vocabulary is full, the words with the least weight go, so that a word that is frequent from now on
#   finds a place.
# Behaviour: the words that were seen first stay, whatever their weight. A word that comes when the vocabulary is full
#   is learnt for a few texts, is removed at the next pruning, and begins again from nothing.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet river==0.26.1 numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version

from river.preprocessing import LDA

model = LDA(n_components=2, number_of_documents=500, maximum_size_vocabulary=4, vocab_prune_interval=10, seed=1)
for word in ("rare", "rarer", "rarest"):
    model.learn_one({word: 1})
for _ in range(497):
    model.learn_one({"ash": 1, "bay": 1})
print("river", version("river"), "after 497 texts of ash and bay:", list(model.word_to_index))
assert list(model.word_to_index) == ["rare", "rarer", "rarest"]
PYTHON
# Seen: after 497 texts of ash and bay: ['rare', 'rarer', 'rarest']
