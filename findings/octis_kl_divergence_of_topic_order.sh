#!/bin/bash
# octis 1.14.0, diversity_metrics.KLDivergence, the mean over pairs of topics.
# Guess: the divergence of a pair is symmetric, or both directions are averaged, as a diversity of a set of topics must
#   not depend on the order of the topics.
# Behaviour: each pair is taken once, as KL(topic with the lower number || topic with the higher number). The same
#   topics in reverse order have another diversity.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet gensim==4.4.0 numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/pip" install --quiet --no-deps octis==1.14.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
from importlib.metadata import version

import numpy as np
from octis.evaluation_metrics.diversity_metrics import KLDivergence
from scipy.special import rel_entr

phi_kw = np.array([[0.98, 0.01, 0.01], [0.4, 0.3, 0.3]])
forwards, backwards = (float(KLDivergence().score({"topic-word-matrix": x})) for x in (phi_kw, phi_kw[::-1]))
right = [float(rel_entr(phi_kw[i], phi_kw[1 - i]).sum()) for i in range(2)]
print("octis", version("octis"), round(forwards, 4), "reversed", round(backwards, 4), "KL", np.round(right, 4).tolist())
# octis adds 0.00001 to each probability.
assert np.allclose([forwards, backwards], right, atol=2e-3)
assert backwards - forwards > 0.8
PYTHON
# Seen: 0.8101 reversed 1.6818 KL [0.8101, 1.6823]
