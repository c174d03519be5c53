#!/bin/bash
# octis 1.14.0, models.LDA.train_model, called twice on one object.
# Guess: the second call trains on the texts that it is given.
# Behaviour: the object keeps the first call's texts and vocabulary, and trains on them again. The topics have words
#   that the second corpus does not contain, and the matrix of the documents has a column for each text of the first.
#   partitioning(...) on the object clears them. A loop over corpora needs a new object for each.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet gensim==4.4.0 numpy==2.4.6 pandas==3.1.1 scikit-learn==1.9.1 requests
"$folder/venv/bin/pip" install --quiet --no-deps octis==1.14.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
from importlib.metadata import version

from octis.dataset.dataset import Dataset
from octis.models.LDA import LDA


def train(model, words, texts):
    output = model.train_model(Dataset(corpus=[words] * texts, vocabulary=words), top_words=2)
    return sorted({x for topic in output["topics"] for x in topic}), output["topic-document-matrix"].shape


model = LDA(num_topics=2, random_state=0)
model.use_partitions = False
first, second = train(model, ["ash", "bay"], 30), train(model, ["elm", "fig"], 7)
model.partitioning(False)
third = train(model, ["elm", "fig"], 7)
print("octis", version("octis"), "first", first, "second", second, "after partitioning(False)", third)
assert first == second == (["ash", "bay"], (2, 30))
assert third == (["elm", "fig"], (2, 7))
PYTHON
# Seen: first (['ash', 'bay'], (2, 30)) second (['ash', 'bay'], (2, 30))
#       after partitioning(False) (['elm', 'fig'], (2, 7))
