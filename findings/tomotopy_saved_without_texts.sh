#!/bin/bash
# tomotopy 0.14.0, LDAModel.save(path, full=False), "only topic parameters", and LDAModel.load.
# Guess: of a model that was loaded without its texts, what is computed from the texts is nan or an error. The counts
#   of the topics, which are parameters, are those of the saved model.
# Behaviour: perplexity is 1.0, the best there is, ll_per_word is 0.0, and get_count_by_topics() and num_words are 0.
#   train(...) counts iterations, changes nothing and says nothing. The topics are there, and infer works.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet tomotopy==0.14.0 numpy==2.4.6
"$folder/venv/bin/python" -W ignore - "$folder/model" <<'PYTHON'
import sys

import numpy as np
import tomotopy

rng = np.random.default_rng(0)
model = tomotopy.LDAModel(k=2, seed=1)
for j in range(60):
    model.add_doc([f"w{x}" for x in rng.integers(0, 10, 30) + 10 * (j % 2)])
model.train(100, workers=1)
model.save(sys.argv[1], full=False)
loaded = tomotopy.LDAModel.load(sys.argv[1])
topics_kw = [loaded.get_topic_word_dist(k) for k in range(2)]
loaded.train(50, workers=1)
for x in (model, loaded):
    print(x.global_step, "iterations, perplexity", round(x.perplexity, 3), "tokens", x.get_count_by_topics().tolist())
assert loaded.perplexity == 1 and model.perplexity > 5
assert loaded.get_count_by_topics().tolist() == [0, 0] and loaded.ll_per_word == loaded.num_words == 0
assert loaded.global_step == 150 and all(np.array_equal(loaded.get_topic_word_dist(k), topics_kw[k]) for k in range(2))
assert all(np.array_equal(model.get_topic_word_dist(k), topics_kw[k]) for k in range(2))
PYTHON
# Seen: 100 iterations, perplexity 10.872 tokens [900, 900]
#       150 iterations, perplexity 1.0 tokens [0, 0]
