#!/bin/bash
# gensim 4.4.0, LdaSeqModel.dtm_vis(time, corpus), "using the pyLDAvis format", drawn by pyLDAvis 3.4.1.
# Guess: doc_lengths, "the number of words in each document", are numbers of tokens, as pyLDAvis takes them.
# Behaviour: they are numbers of different words. pyLDAvis weighs the texts by them, so topics of texts that repeat
#   their words are drawn too small: here a topic with half of the tokens has 9 % of the picture. Own lengths,
#   sum(count for _, count in bow), help.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet gensim==4.4.0 pyLDAvis==3.4.1 numpy==2.4.6 "setuptools<80"
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
from importlib.metadata import version

import gensim
import numpy as np
import pyLDAvis
from gensim.corpora import Dictionary
from gensim.models import LdaSeqModel

few_words = [f"few{j}" for j in range(3)] * 10
many_words = [f"many{j}" for j in range(30)]
texts = [few_words, many_words] * 20  # two time slices of 20 texts; each text has 30 tokens
dictionary = Dictionary(texts)
bows = [dictionary.doc2bow(text) for text in texts]
model = LdaSeqModel(bows, time_slice=[20, 20], id2word=dictionary, num_topics=2, passes=5, random_state=0)
topics_of_texts, topics, lengths, counts, words = model.dtm_vis(0, bows)


def shares(text_lengths):
    """Of the topics in the picture, in percent: the topic of few words, the topic of many."""
    picture = pyLDAvis.prepare(topics, topics_of_texts, text_lengths, words, counts, mds="mmds", sort_topics=False)
    share_by_topic = picture.topic_coordinates.Freq.to_numpy()
    few = int(np.argmax(topics[:, dictionary.token2id["few0"]]))
    return [round(float(share_by_topic[k]), 1) for k in (few, 1 - few)]


tokens = [sum(count for _, count in bow) for bow in bows]
print("gensim", gensim.__version__, "pyLDAvis", version("pyLDAvis"))
print("lengths", lengths[:2], "shares", shares(lengths))
print("tokens", tokens[:2], "shares", shares(tokens))
assert lengths == [3, 30] * 20
assert tokens == [30] * 40
assert abs(shares(lengths)[0] - 100 / 11) < 1
assert abs(shares(tokens)[0] - 50) < 1
PYTHON
# Seen: lengths [3, 30] shares [9.1, 90.9]
#       tokens [30, 30] shares [50.0, 50.0]
