#!/bin/bash
# SciPy 1.17.1, stats.dirichlet.rvs(random_state=...) of a sparse Dirichlet, alpha = 0.001 for each of three topics.
# Guess: an int and a Generator as random_state differ in the numbers only. Each draw adds up to 1.
# Behaviour: with an int (or None) the draws come from NumPy's old RandomState. It divides gamma variates by their sum,
#   and all of them are 0 in one draw of eight: that row is nan. A Generator draws such parameters in another way, and
#   all its rows add up to 1. numpy.random.dirichlet is the old one too.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet scipy==1.17.1 numpy==2.4.6
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
import scipy
from scipy.stats import dirichlet

alpha = np.full(3, 0.001)
draws = {
    "int": dirichlet.rvs(alpha, 20_000, random_state=0),
    "Generator": dirichlet.rvs(alpha, 20_000, random_state=np.random.default_rng(0)),
    "numpy.random": np.random.RandomState(0).dirichlet(alpha, 20_000),
}
shares = {name: float(np.isnan(x).any(1).mean()) for name, x in draws.items()}
print("SciPy", scipy.__version__, "NumPy", np.__version__, "draws with nan", shares)
assert shares["Generator"] == 0 and np.allclose(draws["Generator"].sum(1), 1)
assert 0.1 < shares["int"] < 0.15 and shares["numpy.random"] == shares["int"]
PYTHON
# Seen: draws with nan {'int': 0.11585, 'Generator': 0.0, 'numpy.random': 0.11585}
