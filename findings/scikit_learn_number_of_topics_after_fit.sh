#!/bin/bash
# scikit-learn 1.9.1, LatentDirichletAllocation.set_params(n_components=...) after fit.
# Guess: a fitted model takes its number of topics from the fit, or refuses the new number, until it is fitted again.
# Behaviour: transform keeps five topics, as fitted, but perplexity and score take the new number for the constants of
#   the priors. So the perplexity of the same topics changes, and it is that of no model: with 50 for 5 it is much
#   lower, which looks better. A loop over numbers of topics that sets the next one before it reads the perplexity of
#   the last compares such numbers.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet scikit-learn==1.9.1 scipy==1.17.1 numpy==2.4.6
"$folder/venv/bin/python" -W error - <<'PYTHON'
import numpy as np
import sklearn
from sklearn.decomposition import LatentDirichletAllocation

rng = np.random.default_rng(0)
counts = rng.multinomial(30, rng.dirichlet(np.full(5, 0.3), 60) @ rng.dirichlet(np.full(40, 0.1), 5))
model = LatentDirichletAllocation(5, random_state=0, max_iter=30).fit(counts)
perplexity, theta_jk = {5: model.perplexity(counts)}, model.transform(counts)
for K in (2, 50):
    model.set_params(n_components=K)
    perplexity[K] = model.perplexity(counts)
    assert np.array_equal(model.transform(counts), theta_jk) and theta_jk.shape == (60, 5)
print("scikit-learn", sklearn.__version__, {K: round(float(x), 3) for K, x in perplexity.items()})
assert perplexity[2] < perplexity[5] - 0.1 and perplexity[50] < perplexity[5] - 1
PYTHON
# Seen: {5: 17.515, 2: 17.056, 50: 11.431}
