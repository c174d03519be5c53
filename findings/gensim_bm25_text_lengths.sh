#!/bin/bash
# gensim 4.4.0, OkapiBM25Model, LuceneBM25Model and AtireBM25Model, made of a corpus or of a dictionary of the same texts.
# Guess: both ways give the same weights, since a dictionary has all that the model needs, and avgdl is the average
#   length of a text in tokens, as in the formula of BM25.
# Behaviour: of a corpus, avgdl is the average number of different words in a text; of a dictionary, the average number
#   of tokens. The length of the text that is weighted is its tokens in both. So the model of a corpus takes texts that
#   repeat words for long ones: the weights are eight times too small here, and the best of two texts is the other one.
#   OkapiBM25Model(dictionary=dictionary) has the right ones.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet gensim==4.4.0 numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
from math import log

import gensim
from gensim.corpora import Dictionary
from gensim.models import AtireBM25Model, LuceneBM25Model, OkapiBM25Model

fill = [f"w{j}" for j in range(5)]
texts = [["ash"] * 3 + ["bay"] * 37, ["ash"] + ["bay"] * 9, *([x] * 40 for x in fill)]
dictionary = Dictionary(texts)
corpus = [dictionary.doc2bow(text) for text in texts]
ash = dictionary.token2id["ash"]


def weights(model):
    return [round(float(dict(model[bow])[ash]), 3) for bow in corpus[:2]]


def by_hand(k1=1.5, b=0.75):
    """The weight of "ash" in the first two texts, Okapi."""
    lengths = [len(text) for text in texts]
    idf, mean = log((len(texts) - 2 + 0.5) / 2.5), sum(lengths) / len(texts)
    return [round(idf * n * (k1 + 1) / (n + k1 * (1 - b + b * m / mean)), 3) for n, m in zip((3, 1), lengths)]


print("gensim", gensim.__version__, "weights of a word in two texts, by hand", by_hand())
for form in (OkapiBM25Model, LuceneBM25Model, AtireBM25Model):
    of_corpus, of_dictionary = form(corpus=corpus), form(dictionary=dictionary)
    print(form.__name__, "of the corpus", of_corpus.avgdl, weights(of_corpus), "of the dictionary", of_dictionary.avgdl, weights(of_dictionary))
    assert of_corpus.avgdl == sum(len(bow) for bow in corpus) / len(corpus) < 2
    assert of_dictionary.avgdl == sum(len(text) for text in texts) / len(texts) > 35
    right, wrong = weights(of_dictionary), weights(of_corpus)
    assert right[0] > right[1] and wrong[0] < wrong[1]
    if form is OkapiBM25Model:
        assert right == by_hand()
PYTHON
# Seen: by hand [1.276, 1.166]
#       OkapiBM25Model of the corpus 1.2857142857142858 [0.154, 0.195] of the dictionary 35.714285714285715 [1.276, 1.166]
