#!/bin/bash
# octis 1.14.0, AccuracyScore(dataset).score(model_output), "score : score", and in the same way F1Score, PrecisionScore
#   and RecallScore.
# Guess: each call trains a classifier on the given topics and the labels of the given data set.
# Behaviour: the module keeps the predictions of the last call, for all these scores together. It gives them again if
#   the printed form of the output is the same. NumPy prints only the corners of a large matrix, so another model whose
#   first and last three texts are alike gets the accuracy of the model before it. The labels are not compared at all,
#   so the same topics have the same accuracy for any other labels. Here random topics have the accuracy 1, as do good
#   topics with random labels.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet numpy==2.4.6 scipy==1.17.1 scikit-learn==1.9.1
"$folder/venv/bin/pip" install --quiet --no-deps octis==1.14.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
from importlib.metadata import version

import numpy as np
from octis.evaluation_metrics.classification_metrics import AccuracyScore


class Labels:
    def __init__(self, labels):
        self.labels = labels

    def get_labels(self):
        return self.labels


def output(theta):
    return {"topic-document-matrix": theta[:400].T, "test-topic-document-matrix": theta[400:].T}


print("octis", version("octis"))
rng = np.random.default_rng(0)
kinds = np.arange(800) % 4
labels = Labels([["politics", "sports", "science", "music"][kind] for kind in kinds])
others = Labels(rng.permutation(labels.labels).tolist())
good = np.where(np.eye(4)[kinds] == 1, 0.7, 0.1)
random = good.copy()
for part in (slice(3, 397), slice(403, 797)):
    random[part] = rng.permutation(random[part])


def fresh(theta, labels):
    AccuracyScore(labels).score(output(rng.dirichlet([1] * 4, 800)))
    return AccuracyScore(labels).score(output(theta))


alone = [fresh(good, labels), fresh(random, labels), fresh(good, others)]
print("after another output: good topics", alone[0], "random topics", alone[1], "other labels", alone[2])
fresh(good, labels)
seen = [AccuracyScore(labels).score(output(good)), AccuracyScore(labels).score(output(random)),
        AccuracyScore(others).score(output(good))]
print("one after the other:  good topics", seen[0], "random topics", seen[1], "other labels", seen[2])
assert alone[0] == 1 and 0.15 < alone[1] < 0.35 and 0.15 < alone[2] < 0.35
assert seen == [1, 1, 1]
PYTHON
# Seen: after another output: good topics 1.0 random topics 0.3 other labels 0.2725
#       one after the other:  good topics 1.0 random topics 1.0 other labels 1.0
