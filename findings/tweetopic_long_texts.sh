#!/bin/bash
# tweetopic 0.4.0, DMM (a mixture model for short texts), transform().
# Guess: the longer a text is, the surer is its topic, up to rounding.
# Behaviour: from some hundred words on each topic has exactly 1 / K, so that predict gives topic 0: the
#   probabilities are products, which underflow to 0 for every topic.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet tweetopic==0.4.0 numpy==1.26.4 scikit-learn==1.3.2 numba==0.58.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
from importlib.metadata import version

import numpy as np
from scipy.sparse import csr_matrix
from tweetopic import DMM

rng = np.random.default_rng(0)
phi_kw = rng.dirichlet(np.full(200, 0.1), 3)
texts = csr_matrix(np.stack([rng.multinomial(20, phi_kw[j % 3]) for j in range(90)]))
model = DMM(3, n_iterations=50, random_state=1).fit(texts)
surest = {n: float(model.transform(csr_matrix([rng.multinomial(n, phi_kw[0])])).max()) for n in (10, 50, 2000)}
print("tweetopic", version("tweetopic"), "probability of the best topic by number of words", surest)
assert surest[50] > 0.99 and np.isclose(surest[2000], 1 / 3)
PYTHON
# Seen: {10: 1.0, 50: 1.0, 2000: 0.3333333333333333}
