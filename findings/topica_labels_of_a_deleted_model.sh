#!/bin/bash
# topica 0.62.0, set_topic_labels(model, labels): "Store custom labels for some or all of a model's topics."
# Guess: a model has the labels that were set for it, and a new model has its own names, "topic_0" and so on.
# Behaviour: the labels are stored under id(model) and are never removed. When a model is deleted, Python gives its
#   address to a later one. Then the new model has the labels of the deleted one, with other topics under them. This
#   happens in a plain loop over seeds, here to five of nine models, and topic_info shows the wrong labels too. A model
#   that is saved and loaded has no labels, for it has another address.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet topica==0.62.0 numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" -W ignore - "$folder/model" <<'PYTHON'
import sys

import numpy as np
import topica

print("topica", topica.__version__)
rng = np.random.default_rng(0)
texts = [[f"{'abc'[d % 3]}{w}" for w in rng.integers(0, 20, 30)] for d in range(90)]


def fitted(seed):
    model = topica.LDA(num_topics=3, seed=seed)
    model.fit(texts, iters=50)
    return model


model = fitted(0)
names = {"a": "animals", "b": "banks", "c": "cinema"}
topica.set_topic_labels(model, {k: names[words[0][0]] for k, words in enumerate(model.top_words(1))})
print("labels set:", topica.topic_labels(model), "top words", [words[0] for words in model.top_words(1)])
model.save(sys.argv[1])
loaded = topica.LDA.load(sys.argv[1])
print("saved and loaded:", topica.topic_labels(loaded))
assert topica.topic_labels(loaded) == ["topic_0", "topic_1", "topic_2"]
del model
wrong, own = [], 0
for seed in range(1, 10):
    model = fitted(seed)
    labels = topica.topic_labels(model)
    if labels[0].startswith("topic_"):
        own += 1
    else:
        wrong.append((seed, labels, [words[0] for words in model.top_words(1)]))
        assert [row["label"] for row in topica.topic_info(model)] == labels
        assert model.topic_names == ["topic_0", "topic_1", "topic_2"]
print("models with labels that nobody set:", len(wrong), "of", len(wrong) + own)
for seed, labels, words in wrong:
    print("seed", seed, "labels", labels, "top words", words)
assert wrong and any(names[word[0]] != label for _, labels, words in wrong for label, word in zip(labels, words))
PYTHON
# Seen: labels set: ['animals', 'banks', 'cinema'] top words ['a11', 'b0', 'c18']
#       saved and loaded: ['topic_0', 'topic_1', 'topic_2']
#       models with labels that nobody set: 5 of 9
#       seed 1 labels ['animals', 'banks', 'cinema'] top words ['b0', 'a11', 'c18']
#       seed 3 labels ['animals', 'banks', 'cinema'] top words ['b0', 'c18', 'a11']
#       seed 5 labels ['animals', 'banks', 'cinema'] top words ['c18', 'b0', 'a11']
#       seed 7 labels ['animals', 'banks', 'cinema'] top words ['a11', 'b0', 'c18']
#       seed 9 labels ['animals', 'banks', 'cinema'] top words ['b0', 'c18', 'a11']
