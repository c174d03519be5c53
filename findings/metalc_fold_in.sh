#!/bin/bash
# metalc 0.1.0, infer_loadings_fixed_topics_lda(), the loadings of samples on topics that are held; it uses lda 3.0.2.
# Guess: a sample's loadings do not depend on the other samples of the table, as the topics are held.
# Behaviour: they do, by more than 0.1, because the topics are held by pseudo-counts whose sum is that of the table. And
#   metalc installs its module as lda.py beside the package lda, so that `import lda` gives the package, not metalc's module.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet "numpy<2" scipy scikit-learn==1.5.2 lda==3.0.2 pandas==2.2.3 matplotlib
"$folder/venv/bin/pip" install --quiet --no-deps metalc==0.1.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import importlib.util
import logging
from importlib.metadata import version

import lda
import numpy as np

logging.disable(logging.CRITICAL)
place = lda.__path__[0] + ".py"  # metalc's module, which the package hides
spec = importlib.util.spec_from_file_location("metalc_lda", place)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)

rng = np.random.default_rng(0)
phi_kw, theta_jk = rng.dirichlet(np.full(200, 0.1), 5), rng.dirichlet(np.full(5, 0.5), 100)
V = np.stack([rng.multinomial(50, theta_k @ phi_kw) for theta_k in theta_jk])


def loadings(V):
    return module.infer_loadings_fixed_topics_lda(V, phi_kw)


together, alone = loadings(V)[:10], np.vstack([loadings(V[[j]]) for j in range(10)])
difference = float(np.abs(together - alone).max())
print("metalc", version("metalc"), "largest difference of ten samples, alone and among 100:", round(difference, 3))
assert difference > 0.05 and not hasattr(lda, "infer_loadings_fixed_topics_lda")
PYTHON
# Seen: 0.125
