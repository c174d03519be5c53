#!/bin/bash
# river 0.26.1, preprocessing.LDA.transform_one.
# Guess: transform_one changes nothing but the state of the random numbers: a word that the model has not learnt is
#   left out or has the weight of an unseen word.
# Behaviour: it enters the words of the text in the model's vocabulary. They take the places of
#   maximum_size_vocabulary, so words that are learnt later are removed for words that no text of the training has.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet river==0.26.1 numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" - <<'PYTHON'
from importlib.metadata import version

from river.preprocessing import LDA


def vocabulary(held_out):
    model = LDA(n_components=2, number_of_documents=101, maximum_size_vocabulary=6, vocab_prune_interval=1, seed=1)
    model.learn_one({"ash": 1, "bay": 1})
    for text in held_out:
        model.transform_one(text)
    for _ in range(100):
        model.learn_one({"elm": 1, "fig": 1})
    return list(model.word_to_index)


alone, after = vocabulary([]), vocabulary([{"x": 1, "y": 1}, {"z": 1}])
print("river", version("river"), "without held-out texts", alone, "with them", after)
assert alone == ["ash", "bay", "elm", "fig"]
assert after == ["ash", "bay", "x", "y", "z"]
PYTHON
# Seen: without held-out texts ['ash', 'bay', 'elm', 'fig'] with them ['ash', 'bay', 'x', 'y', 'z']
