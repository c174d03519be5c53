#!/bin/bash
# scikit-learn 1.9.1, NMF(beta_loss="kullback-leibler"), which is pLSA, and its reconstruction_err_, the "beta-divergence
#   between the training data X and the reconstructed data WH".
# Guess: it is the generalised Kullback-Leibler divergence, the sum of X log(X / WH) - X + WH.
# Behaviour: it is the square root of twice this divergence: 39.5 for 779. So it is no log-likelihood: a difference of two
#   errors is none, and a perplexity from it is wrong. Half of its square is the divergence. The same holds for other
#   losses and for MiniBatchNMF. (For the Frobenius loss this gives the norm.)
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet scikit-learn==1.9.1 scipy==1.17.1 numpy==2.4.6
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
import sklearn
from scipy.special import kl_div
from sklearn.decomposition import NMF, MiniBatchNMF

x = np.random.default_rng(0).poisson(2, (60, 30)).astype(float)
for form in (NMF, MiniBatchNMF):
    for loss in ("kullback-leibler", "itakura-saito"):
        data = x if loss == "kullback-leibler" else x + 1
        solver = {"solver": "mu"} if form is NMF else {}
        model = form(4, beta_loss=loss, init="random", random_state=0, max_iter=300, **solver)
        product = model.fit_transform(data) @ model.components_
        ratio = data / product
        divergence = kl_div(data, product).sum() if loss == "kullback-leibler" else (ratio - np.log(ratio) - 1).sum()
        error = model.reconstruction_err_
        print("scikit-learn", sklearn.__version__, form.__name__, loss, "error", error, "divergence", divergence)
        assert np.isclose(error, np.sqrt(2 * divergence)) and not np.isclose(error, divergence, rtol=0.3)
PYTHON
# Seen: NMF kullback-leibler error 39.46744934416892 divergence 778.8397788672709
