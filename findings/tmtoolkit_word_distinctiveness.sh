#!/bin/bash
# tmtoolkit 0.12.0, topicmod.model_stats.word_distinctiveness: "KL(P(T|w), P(T))", after Chuang and others (2012).
# Guess: P(T|w) is by Bayes' rule, P(w|T) P(T) / P(w).
# Behaviour: it is P(w|T) divided by its sum over topics, as if all topics were equally frequent, and is then compared
#   with P(T) of the documents. A word that all topics have with the same probability, which says nothing about the
#   topic, is not at 0, and word_saliency, which uses it, not either.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet tmtoolkit==0.12.0 "setuptools<80"
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
from importlib.metadata import version

import numpy as np
from tmtoolkit.topicmod.model_stats import word_distinctiveness

phi_kw = np.array([[0.5, 0.4, 0.1], [0.5, 0.1, 0.4]])  # the first word is as probable in one topic as in the other
p_k = np.array([0.9, 0.1])
p_kw = phi_kw * p_k[:, None] / (p_k @ phi_kw)
right = (p_kw * np.log(p_kw / p_k[:, None])).sum(0)
uniform_kw = phi_kw / phi_kw.sum(0)
seen = word_distinctiveness(phi_kw, p_k)
print("tmtoolkit", version("tmtoolkit"), seen.round(4).tolist(), "by Bayes' rule", right.round(4).tolist())
assert np.allclose(seen, (uniform_kw * np.log(uniform_kw / p_k[:, None])).sum(0))
assert abs(right[0]) < 1e-15 and seen[0] > 0.5
PYTHON
# Seen: [0.5108, 0.0444, 1.3627] by Bayes' rule [0.0, 0.0405, 0.1642]
