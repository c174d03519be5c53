#!/bin/bash
# JAX 0.10.2 on a CPU, jax.scipy.special.digamma, "JAX implementation of scipy.special.psi", beside SciPy 1.17.1.
# Guess: digamma(0) is -inf, as in SciPy, so that exp(digamma(0)), a weight of variational Bayes without a prior, is 0.
# Behaviour: it is nan, in single and in double precision, and so is the exponential.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet jax==0.10.2 jaxlib==0.10.2 scipy==1.17.1 numpy==2.4.6
JAX_PLATFORMS=cpu "$folder/venv/bin/python" - <<'PYTHON'
import jax
import numpy as np
import scipy.special

jax.config.update("jax_enable_x64", True)
x = {dtype: float(jax.scipy.special.digamma(np.array(0, dtype))) for dtype in ("float32", "float64")}
right = float(scipy.special.digamma(0.0))
print("jax", jax.__version__, x, "SciPy", right, "exp", float(np.exp(x["float64"])), float(np.exp(right)))
assert right == -np.inf
assert all(np.isnan(value) for value in x.values())
PYTHON
# Seen: {'float32': nan, 'float64': nan} SciPy -inf exp nan 0.0
