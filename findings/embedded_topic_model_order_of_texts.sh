#!/bin/bash
# embedded-topic-model 1.2.1, preprocessing.create_bow_dataset(dataset, vocabulary), "Creates a bag-of-words (BOW)
#   dataset from a given corpus". Its result is what ETM.transform takes for new texts.
# Guess: row i holds the counts of text i.
# Behaviour: the texts are shuffled, and those without a known word are left out. Nothing tells which text a row belongs
#   to, and so which text has the topics in a row of ETM.transform. Two calls give two orders. The words are split at
#   spaces, and not as in the CountVectorizer that makes the vocabulary, so "Topics," is not counted as "topics".
#   create_etm_datasets, which makes the training texts, shuffles them in the same way.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet numpy==2.4.6 scipy==1.17.1 scikit-learn==1.9.1
"$folder/venv/bin/pip" install --quiet --no-deps embedded-topic-model==1.2.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
from importlib.metadata import version

import numpy as np
from embedded_topic_model.utils.preprocessing import create_bow_dataset
from sklearn.feature_extraction.text import CountVectorizer

print("embedded-topic-model", version("embedded-topic-model"))
texts = ["Topics, and topics", "words are words", "counts of words", "Unseen!", "dirichlet dirichlet", "gibbs sampling"]
texts = 3 * texts
vectorizer = CountVectorizer().fit(text for text in texts if text != "Unseen!")
vocabulary = vectorizer.get_feature_names_out().tolist()
expected = vectorizer.transform(texts).toarray()
rows = []
for call in range(4):
    dataset = create_bow_dataset(texts, vocabulary)
    pairs = zip(dataset["tokens"], dataset["counts"])
    rows.append([sorted((vocabulary[w], int(n)) for w, n in zip(*pair)) for pair in pairs])
    print("call", call, "; rows", len(rows[-1]), "of", len(texts), "; the first three", *rows[-1][:3])
known = [sorted((vocabulary[w], int(row[w])) for w in row.nonzero()[0]) for row in expected if row.any()]
print("by CountVectorizer", len(known), "; the first three", *known[:3])
assert all(len(call) == len(texts) - 3 for call in rows)
assert all(sorted(call) == sorted(rows[0]) for call in rows) and sum(call != rows[0] for call in rows) >= 2
assert known[0] == [("and", 1), ("topics", 2)] and known[0] not in rows[0] and [("and", 1), ("topics", 1)] in rows[0]
PYTHON
# Seen: call 0 ; rows 15 of 18 ; the first three [('and', 1), ('topics', 1)] [('are', 1), ('words', 2)]
#       call 1 ; rows 15 of 18 ; the first three [('are', 1), ('words', 2)] [('dirichlet', 2)]
#       by CountVectorizer 15 ; the first three [('and', 1), ('topics', 2)] [('are', 1), ('words', 2)]
