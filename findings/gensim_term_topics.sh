#!/bin/bash
# gensim 4.4.0, LdaModel.get_term_topics(word), "the relevant topics represented as pairs of their ID and their assigned
#   probability, sorted by relevance to the given word".
# Guess: the probabilities of the topics given the word, p(k | w), with the most relevant topic first.
# Behaviour: exp(E log phi) of the word in each topic, which is below p(w | k), in the order of the topics. Numbers below
#   0.01 are left out, so most words of a real vocabulary have no topics. Here a word that stands in one topic alone has
#   the number 0.015, and one that is 5 times as rare has an empty list, though its topic is as sure. The same function of
#   models.Nmf, with the same help, gives p(k | w).
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet gensim==4.4.0 numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import gensim
import numpy as np
from gensim.corpora import Dictionary
from gensim.models import LdaModel
from scipy.special import digamma

rng = np.random.default_rng(0)
p = np.r_[np.full(50, 1), np.full(50, 0.2)]
texts = [[f"{'ab'[d % 2]}{w}" for w in rng.choice(100, 40, p=p / p.sum())] + ["all"] * (1 + 2 * (d % 2)) for d in range(200)]
dictionary = Dictionary(texts)
model = LdaModel([dictionary.doc2bow(text) for text in texts], id2word=dictionary, num_topics=2, passes=10, random_state=1)
lambda_kw = model.state.get_lambda()
exp_e_log = np.exp(digamma(lambda_kw) - digamma(lambda_kw.sum(1, keepdims=True)))
print("gensim", gensim.__version__)
seen, given = {}, {}
for word in ("a0", "a80", "all"):
    w = dictionary.token2id[word]
    seen[word] = [(k, round(float(x), 4)) for k, x in model.get_term_topics(word)]
    given[word] = (lambda_kw[:, w] / lambda_kw[:, w].sum()).astype(float).round(3).tolist()
    print(word, "get_term_topics", seen[word], "p(k | w)", given[word], "p(w | k)", model.get_topics()[:, w].astype(float).round(4).tolist())
    assert all(abs(x - exp_e_log[k, w]) < 1e-4 for k, x in seen[word])
empty = sum(not model.get_term_topics(word) for word in dictionary.token2id)
print("words without a topic", empty, "of", len(dictionary))
assert max(given["a0"]) > 0.98 and max(given["a80"]) > 0.95
assert len(seen["a0"]) == 1 and seen["a0"][0][1] < 0.03 and seen["a80"] == []
assert [k for k, _ in seen["all"]] == [0, 1]
assert empty > len(dictionary) / 3
PYTHON
# Seen: a0 get_term_topics [(0, 0.015)] p(k | w) [0.988, 0.012]
#       a80 get_term_topics [] p(k | w) [0.965, 0.035]
#       all get_term_topics [(0, 0.0238), (1, 0.0681)] p(k | w) [0.249, 0.751]
#       words without a topic 100 of 201
