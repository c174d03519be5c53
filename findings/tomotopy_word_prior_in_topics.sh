#!/bin/bash
# tomotopy 0.14.0, LDAModel.set_word_prior(word, prior), a prior of a word in each topic, and get_topic_word_dist.
# Guess: the topics are computed with the prior: (n_kw + eta_kw) / (n_k + sum of eta_k), as in a model without it.
# Behaviour: training uses the prior, and get_topic_word_dist and get_topic_words have the common eta in its place. A word
#   with the prior 300 in the first topic has 0.27 of it by the formula, and 0.03, its share of the tokens alone, by
#   tomotopy. So a word that is given to a topic by its prior is not among the topic's words if the texts do not have it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet tomotopy==0.14.0 numpy==2.4.6
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
import tomotopy

rng = np.random.default_rng(0)
eta, prior = 0.01, [300.0, 0.01]
model = tomotopy.LDAModel(k=2, eta=eta, seed=1)
model.set_word_prior("seed", prior)
for j in range(60):
    model.add_doc([f"w{x}" for x in rng.integers(0, 10, 30) + 10 * (j % 2)] + ["seed"] * (1 - j % 2))
model.train(100, workers=1)
words = list(model.used_vocabs)
w, n_words = words.index("seed"), len(words)
z = np.concatenate([document.topics for document in model.docs])
x = np.concatenate([document.words for document in model.docs])
for k in range(2):
    n_kw, n_k = np.sum((z == k) & (x == w)), np.sum(z == k)
    by_prior = (n_kw + prior[k]) / (n_k + eta * (n_words - 1) + prior[k])
    by_eta = (n_kw + eta) / (n_k + eta * n_words)
    seen = float(model.get_topic_word_dist(k)[w])
    print("tomotopy", tomotopy.__version__, "topic", k, "seen", seen, "with the prior", by_prior, "without", by_eta)
    assert np.isclose(seen, by_eta, rtol=1e-4)
    assert k == 1 or by_prior > 5 * seen
assert np.allclose(model.get_word_prior("seed"), prior)
PYTHON
# Seen: topic 0 seen 0.03226153180003166 with the prior 0.26824906519265157 without 0.032261532342159296
