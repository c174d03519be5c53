#!/bin/bash
# enstop 0.2.6, PLSA.fit(X, sample_weight), "sample_weight: array of shape (n_docs,) Input document weights."
# Guess: weight i belongs to text i. A text without words changes nothing.
# Behaviour: texts without words are taken out before the fit, and their weights are not. Each text after an empty one
#   has the weight of an earlier text, and the last weights are not used. There is no warning. Here every second text
#   has the weight 0. With one empty text in front, these texts alone make up the topic, and the others count for
#   nothing. (NUMBA_DISABLE_JIT saves a minute of compilation. The result is the same without it.)
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-compile enstop==0.2.6 numpy==1.23.5 scipy==1.10.1 scikit-learn==1.2.2 \
  numba==0.58.1 llvmlite==0.41.1 hdbscan==0.8.40 umap-learn==0.5.7 dask==2026.8.0 setuptools==65.5.0
NUMBA_DISABLE_JIT=1 "$folder/venv/bin/python" -W ignore - <<'PYTHON'
from importlib.metadata import version

import numpy as np
from enstop import PLSA

print("enstop", version("enstop"))
rng = np.random.default_rng(0)
texts = np.zeros((100, 20), dtype=np.int64)
for d in range(100):
    texts[d, 10 * (d % 2):10 * (d % 2) + 10] = rng.multinomial(50, np.full(10, 0.1))
weights = np.where(np.arange(100) % 2, 0.0, 1.0)
seen = {}
for empty in range(4):
    counts = np.vstack([np.zeros((empty, 20), dtype=np.int64), texts])
    weight = np.r_[np.zeros(empty), weights]
    topic = PLSA(1, random_state=0).fit(counts, sample_weight=weight).components_[0]
    seen[empty] = round(float(topic[10:].sum()), 3)
    print(empty, "empty texts: share of the words of the texts of weight 0:", seen[empty])
assert seen[0] == 0 and seen[1] == 1 and seen[2] == 0 and seen[3] == 1
PYTHON
# Seen: 0 empty texts: share of the words of the texts of weight 0: 0.0
#       1 empty texts: share of the words of the texts of weight 0: 1.0
#       2 empty texts: share of the words of the texts of weight 0: 0.0
#       3 empty texts: share of the words of the texts of weight 0: 1.0
