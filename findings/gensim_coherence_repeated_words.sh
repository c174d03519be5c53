#!/bin/bash
# gensim 4.4.0, CoherenceModel with "c_npmi", "c_uci" or "c_v", which count words in a window that slides over a text.
# Guess: a window counts for a word if the word stands in it.
# Behaviour: when a token leaves the window, its word counts as gone from it, even if the word stands in the window once
#   more. So words that a text repeats are counted too rarely. Here three words are in every window of the first text
#   and in no other, which is the best there is, c_npmi = c_v = 1. Of the default window, 10 tokens, c_npmi is below 0,
#   the value of words that have nothing to do with each other. c_v, whose default is 110 tokens, is 0.8 for texts of
#   300. Texts that are not longer than the window are counted rightly.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet gensim==4.4.0 numpy==2.4.6
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
from itertools import combinations

import gensim
import numpy as np
from gensim.corpora import Dictionary
from gensim.models import CoherenceModel

topic = ["ash", "bay", "fig"]
texts = [topic * 10, ["cat", "dog", "elm"] * 10]  # 30 tokens each


def by_hand(window_size):
    """c_npmi and c_uci: the means over pairs of the words."""
    windows = [set(text[j : j + window_size]) for text in texts for j in range(len(text) - window_size + 1)]
    p = {x: sum(set(x) <= window for window in windows) / len(windows) for n in (1, 2) for x in combinations(topic, n)}
    pmi = {(a, b): np.log((p[a, b] + 1e-12) / (p[a,] * p[b,])) for a, b in combinations(topic, 2)}
    return [round(float(np.mean(x)), 4) for x in ([pmi[x] / -np.log(p[x]) for x in pmi], list(pmi.values()))]


def coherence(texts, measure, window_size):
    settings = {"topics": [topic], "texts": texts, "dictionary": Dictionary(texts), "processes": 1}
    return round(float(CoherenceModel(coherence=measure, window_size=window_size, **settings).get_coherence()), 4)


def by_gensim(window_size):
    return [coherence(texts, measure, window_size) for measure in ("c_npmi", "c_uci")]


print("gensim", gensim.__version__, "c_npmi and c_uci by the size of the window")
for window_size in (10, 30):
    print(window_size, "gensim", by_gensim(window_size), "by hand", by_hand(window_size))
long_texts = [text * 10 for text in texts]
c_v = {window_size: coherence(long_texts, "c_v", window_size) for window_size in (110, 300)}
print("c_v of texts of 300 tokens, by the size of the window", c_v)
assert by_hand(10) == by_hand(30) == by_gensim(30) == [1, round(float(np.log(2)), 4)]
assert by_gensim(10)[0] < 0 and by_gensim(10)[1] < 0
assert by_gensim(None) == by_gensim(10)  # the default
assert c_v[110] < 0.9 and c_v[300] == 1
PYTHON
# Seen: 10 gensim [-0.0449, -0.1797] by hand [1.0, 0.6931]
#       30 gensim [1.0, 0.6931] by hand [1.0, 0.6931]
#       c_v of texts of 300 tokens, by the size of the window {110: 0.802, 300: 1.0}
