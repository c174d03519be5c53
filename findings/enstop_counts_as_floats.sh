#!/bin/bash
# enstop 0.2.6, PLSA.fit(X), "X: array or sparse matrix of shape (n_docs, n_words)".
# Guess: a count of 3 is the same as a count of 3.0, and PLSA weighs each text by its length.
# Behaviour: a matrix of integers is used as it is. A matrix of floats is scaled first so that each text adds up to 1,
#   and then a text of 10 words weighs as much as one of 400. The same counts give other topics. Here one half of the
#   texts is short. The words of the short texts have 0.02 of the only topic with integers, and 0.5 with floats. The
#   help doesn't mention the type. (NUMBA_DISABLE_JIT saves a minute of compilation. The result is the same without it.)
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
words = [rng.dirichlet(np.full(20, 5)), rng.dirichlet(np.full(20, 5))]
texts = np.zeros((200, 40), dtype=np.int64)
for d in range(200):
    short = d % 2
    texts[d, 20 * short:20 * short + 20] = rng.multinomial(10 if short else 400, words[short])
print("share of the words of the short texts in the corpus:", (texts[:, 20:].sum() / texts.sum()).round(3))
for seed in range(3):
    share = {}
    for dtype in (np.int64, np.int32, np.float64, np.float32):
        model = PLSA(1, random_state=seed).fit(texts.astype(dtype))
        share[dtype.__name__] = float(model.components_[0, 20:].sum())
    print("seed", seed, "share in the only topic:", {name: round(x, 3) for name, x in share.items()})
    assert abs(share["int64"] - 0.024) < 0.003 and share["int64"] == share["int32"]
    assert abs(share["float64"] - 0.5) < 0.01 and abs(share["float32"] - 0.5) < 0.01
PYTHON
# Seen: share of the words of the short texts in the corpus: 0.024
#       seed 0 share in the only topic: {'int64': 0.024, 'int32': 0.024, 'float64': 0.5, 'float32': 0.5}
#       seed 1 share in the only topic: {'int64': 0.024, 'int32': 0.024, 'float64': 0.5, 'float32': 0.5}
#       seed 2 share in the only topic: {'int64': 0.024, 'int32': 0.024, 'float64': 0.5, 'float32': 0.5}
