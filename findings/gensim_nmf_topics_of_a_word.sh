#!/bin/bash
# gensim 4.4.0, models.Nmf: get_term_topics(word), "the most relevant topics to the given word".
# Guess: a look at the topics of a word changes nothing in the model.
# Behaviour: the row of the word is normalised in the model itself, so the word has more weight from then on. Here a text
#   has 0.98 of one topic before the look and 0.64 after it, and the word goes from 2 % of a topic to 20 %. A look at
#   each word of the vocabulary gives all words the same total weight. normalize=False leaves the model as it is.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet gensim==4.4.0 numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import gensim
import numpy as np
from gensim.corpora import Dictionary
from gensim.models import Nmf

rng = np.random.default_rng(0)
texts = [[f"w{w}" for w in rng.integers(0, 30, 20) + (30 if d % 2 else 0)] + ["all"] * 3 for d in range(100)]
dictionary = Dictionary(texts)
corpus = [dictionary.doc2bow(text) for text in texts]
model = Nmf(corpus, id2word=dictionary, num_topics=2, passes=10, random_state=1)


def look():
    theta = dict(model.get_document_topics(corpus[0], minimum_probability=0))
    return round(float(theta.get(0, 0)), 2), model.get_topics()[:, dictionary.token2id["w1"]].round(3).tolist()


before = look()
model.get_term_topics("w1", normalize=False)
unnormalised = look()
topics_of_word = [(k, round(float(p), 3)) for k, p in model.get_term_topics("w1")]
after = look()
for word in dictionary.token2id:
    model.get_term_topics(word)
weights = model.get_topics(normalize=False).sum(0)
print("gensim", gensim.__version__, "share of topic 0 in a text and the word's share of the topics, before", before)
print("after", after, "topics of the word", topics_of_word, "weights of all words, at the end", weights.min(), weights.max())
assert abs(before[0] - unnormalised[0]) < 0.02 and before[1] == unnormalised[1]
assert before[0] > 0.95 and after[0] < 0.75 and max(after[1]) > 2 * max(before[1])
assert np.allclose(weights, 1)
PYTHON
# Seen: before (0.98, [0.019, 0.001]) after (0.64, [0.202, 0.015])
