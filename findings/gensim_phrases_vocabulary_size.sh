#!/bin/bash
# gensim 4.4.0, models.Phrases(texts, min_count, threshold) with the default score original_scorer, (n_ab - min_count)
#   / (n_a n_b) times len_vocab, "Size of vocabulary".
# Guess: the number of different words of the texts.
# Behaviour: the number of different words and of different pairs of neighbours together. So the score of a pair grows
#   with pairs that have nothing to do with it. Here the texts differ only in the order of their other words, and the
#   score of "new york" is from 2 to 17 times what it is with the words alone, so it is a phrase for one corpus and
#   not for the others at the default threshold of 10. It also falls if other words are named as connector_words,
#   which by the help do not affect the scoring of a phrase.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet gensim==4.4.0 numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import gensim
import numpy as np
from gensim.models import Phrases


def texts(orders):
    rng = np.random.default_rng(1)
    rest = [f"w{w}" for w in range(60)]
    fixed = [rng.permutation(rest).tolist() for _ in range(orders)]
    return [["in", "new", "york"] + fixed[d % orders] for d in range(60)]


def score(texts, **options):
    return Phrases(texts, min_count=5, threshold=1e-6, **options).export_phrases()["new_york"]


print("gensim", gensim.__version__)
seen = {}
for orders in (1, 4, 20):
    corpus = texts(orders)
    words = len({word for text in corpus for word in text})
    pairs = len({pair for text in corpus for pair in zip(text, text[1:])})
    seen[orders] = score(corpus)
    print("orders of the other words", orders, "; words", words, "pairs", pairs, "; score", round(seen[orders], 4),
          "; with the words alone", round((60 - 5) / 60**2 * words, 4))
    assert np.isclose(seen[orders], (60 - 5) / 60**2 * (words + pairs))
connected = score(texts(20), connector_words=frozenset(f"w{w}" for w in range(30)))
print("20 orders, half of the other words as connectors: score", round(connected, 4))
assert words == 63 and seen[20] > 10 * (60 - 5) / 60**2 * words and seen[1] < seen[4] < seen[20]
assert connected != seen[20]
PYTHON
# Seen: orders of the other words 1 ; words 63 pairs 62 ; score 1.9097 ; with the words alone 0.9625
#       orders of the other words 4 ; words 63 pairs 236 ; score 4.5681 ; with the words alone 0.9625
#       orders of the other words 20 ; words 63 pairs 1030 ; score 16.6986 ; with the words alone 0.9625
#       20 orders, half of the other words as connectors: score 9.075
