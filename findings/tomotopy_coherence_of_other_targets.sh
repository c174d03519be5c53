#!/bin/bash
# tomotopy 0.14.0, coherence.Coherence(corpus, coherence=..., targets=...), with "c_npmi", "c_uci" or "c_v".
# Guess: the score of a topic's words depends on these words and the texts, not on which other words are targets. (A
#   model's targets are the first words of all its topics.)
# Behaviour: the windows of a text that has no target are left out of the number of windows, by which the counts are
#   divided. So the same words have one score alone and another one beside another topic, here -0.26 and 0.40, and two
#   models of the same texts are not measured alike. "u_mass", which counts texts, gives one score. To give all words of
#   the corpus as targets, in each call, helps.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet tomotopy==0.14.0 numpy==2.4.6
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
from math import log

import tomotopy
from tomotopy.coherence import Coherence
from tomotopy.utils import Corpus

topic, other_topic = ["ash", "bay"], ["elm", "fig"]
texts = [["ash", "bay"]] * 10 + [["ash", "cat"]] * 10 + [["bay", "cat"]] * 10 + [["elm", "fig"]] * 70
corpus = Corpus()
for text in texts:
    corpus.add_doc(text)


def scores(targets):
    """Of the topic, by measure."""
    return {
        measure: round(Coherence(corpus, coherence=measure, targets=targets).get_score(words=topic), 4)
        for measure in ("c_npmi", "c_uci", "c_v", "u_mass")
    }


def npmi(n_windows):
    """By hand: each word is in 20 windows, each text is one, and both words are in 10."""
    return log((10 / n_windows) / (20 / n_windows) ** 2) / -log(10 / n_windows)


alone, beside = scores(topic), scores(topic + other_topic)
print("tomotopy", tomotopy.__version__, "targets ash bay:", alone, "targets ash bay elm fig:", beside)
assert abs(alone["c_npmi"] - npmi(30)) < 1e-4
assert abs(beside["c_npmi"] - npmi(100)) < 1e-4
assert beside["c_v"] - alone["c_v"] > 0.4
assert alone["u_mass"] == beside["u_mass"]
PYTHON
# Seen: targets ash bay: {'c_npmi': -0.2619, 'c_uci': -0.2877, 'c_v': 0.5049, 'u_mass': -0.6931}
#       targets ash bay elm fig: {'c_npmi': 0.3979, 'c_uci': 0.9163, 'c_v': 0.9681, 'u_mass': -0.6931}
