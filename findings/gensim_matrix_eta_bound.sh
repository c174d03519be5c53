#!/bin/bash
# gensim 4.4.0, LdaModel(eta=...) with a matrix (num_topics, num_terms), the documented form for a prior of each topic.
# Guess: a matrix whose rows are all the vector eta gives the model of that vector, and the same log_perplexity.
# Behaviour: the topics are equal to the bit, and log_perplexity is not. Its part of the topics takes log Gamma of the
#   sum of the prior over all topics, and not of each, so it is above the bound by an amount that no text changes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet gensim==4.4.0 numpy==2.4.6
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import gensim
import numpy as np
from gensim.models import LdaModel
from scipy.special import gammaln

rng = np.random.default_rng(0)
counts = rng.integers(0, 3, (20, 12))
bows = [[(w, int(n)) for w, n in enumerate(row) if n] for row in counts]
options = {"num_topics": 3, "id2word": {w: f"w{w}" for w in range(12)}, "passes": 5, "random_state": 0,
           "dtype": np.float64, "iterations": 5000, "gamma_threshold": 0}  # so that the E step ends at its fixed point
vector, matrix = (LdaModel(bows, eta=eta, **options) for eta in (np.full(12, 0.5), np.full((3, 12), 0.5)))
bounds = [float(x.log_perplexity(bows)) for x in (vector, matrix)]
excess = 3 * (gammaln(3 * 12 * 0.5) - gammaln(12 * 0.5)) / counts.sum()
print("gensim", gensim.__version__, "bounds", bounds, "excess", excess)
assert np.array_equal(vector.get_topics(), matrix.get_topics())
assert np.isclose(bounds[1] - bounds[0], excess, rtol=1e-6)
PYTHON
# Seen: bounds [-2.776261088158658, -2.4474338167003964] excess 0.3288272714582616
