#!/bin/bash
# scikit-learn 1.9.1, LatentDirichletAllocation(n_jobs=2, random_state=1), learning_method "batch".
# Guess: the number of processes changes the topics only by rounding.
# Behaviour: with two processes other topics come out of the same seed, since the E step starts at random numbers that
#   each process draws for its own documents. n_jobs=-1 therefore gives other topics on another machine.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet scikit-learn==1.9.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
import sklearn
from sklearn.decomposition import LatentDirichletAllocation

rng = np.random.default_rng(0)
phi_kw, theta_jk = rng.dirichlet(np.full(200, 0.1), 5), rng.dirichlet(np.full(5, 0.5), 60)
X = np.stack([rng.multinomial(50, theta_k @ phi_kw) for theta_k in theta_jk])


def topics(jobs):
    model = LatentDirichletAllocation(5, random_state=1, max_iter=100, n_jobs=jobs).fit(X)
    return model.components_, model.transform(X).argmax(1)


(one, best), (two, best_of_two) = topics(1), topics(2)
moved = int((best != best_of_two).sum())
print("scikit-learn", sklearn.__version__, f"pseudo-counts differ by {np.abs(one - two).max():.0f}, {moved} of 60 texts move")
assert np.abs(one - two).max() > 5 and moved > 2
PYTHON
# Seen: pseudo-counts differ by 41, 12 of 60 texts move
