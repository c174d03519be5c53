#!/bin/bash
# gensim 4.4.0, CoherenceModel, of topics that have a word which no text contains, or a single word.
# Guess: such a coherence is undefined, so every measure gives nan or raises an error.
# Behaviour: c_npmi and c_uci give +inf, better than any possible topic. u_mass gives 0.0, its best value, if the absent
#   word comes first, and about -27 if it comes second. For a topic of one word c_v gives 1.0, its best value, where
#   u_mass, c_npmi and c_uci give nan.
# The words of a topic can be absent where the reference texts are others than those of the training.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet gensim==4.4.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
from math import inf, isnan

import gensim
from gensim.corpora import Dictionary
from gensim.models import CoherenceModel

texts = [["ash", "bay", "ash"], ["fig", "bay"], ["ash", "fig", "fig"], ["elm", "elm", "bay"]] * 6
dictionary = Dictionary([*texts, ["gum"]])  # "gum" is in no text
bows = [dictionary.doc2bow(text) for text in texts]


def coherences(topics, measure):
    return CoherenceModel(
        topics=topics, texts=texts, corpus=bows, dictionary=dictionary, coherence=measure, topn=len(topics[0])
    ).get_coherence_per_topic()


print("gensim", gensim.__version__)
absent = {x: coherences([["ash", "gum"], ["gum", "ash"]], x) for x in ("c_npmi", "c_uci", "u_mass")}
single = {x: coherences([["ash"], ["fig"]], x)[0] for x in ("c_npmi", "c_uci", "u_mass", "c_v")}
print("ash gum, gum ash:", {x: [float(v) for v in values] for x, values in absent.items()})
print("ash alone:", {x: float(value) for x, value in single.items()})
assert absent["c_npmi"] == absent["c_uci"] == [inf, inf]
assert absent["u_mass"][0] < -26 and absent["u_mass"][1] == 0
assert single["c_v"] == 1 and all(isnan(single[x]) for x in ("c_npmi", "c_uci", "u_mass"))
PYTHON
# Seen: ash gum, gum ash: {'c_npmi': [inf, inf], 'c_uci': [inf, inf], 'u_mass': [-26.937873935368604, 0.0]}
#       ash alone: {'c_npmi': nan, 'c_uci': nan, 'u_mass': nan, 'c_v': 1.0}
