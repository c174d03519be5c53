#!/bin/bash
# tomotopy 0.14.0, HPAModel (hierarchical Pachinko allocation): `get_topic_dist()` of a document, with its default
# `normalize=True`.
# Guess: "the probability distribution with the sum being 1", as the help says, and as it is in the ten other models.
# Behaviour: they add up to 2.2, 0.6 or 1.0, with the seed, and to the same number for all texts of one length. So a
#   share can be above 1, and shares of two models cannot be compared.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet tomotopy==0.14.0 numpy==2.4.6
"$folder/venv/bin/python" - <<'PYTHON'
import numpy as np
import tomotopy

rng = np.random.default_rng(0)
texts = [[f"word{w}" for w in rng.integers(0, 30, 20) + (30 if d % 2 else 0)] for d in range(100)]


def sums(model):
    for text in texts:
        model.add_doc(text)
    model.train(100, workers=1)
    return np.array([np.sum(document.get_topic_dist()) for document in model.docs])


of_seed = {seed: sums(tomotopy.HPAModel(k1=2, k2=4, seed=seed)) for seed in (1, 2, 3)}
print("tomotopy", tomotopy.__version__, "sums", {seed: (x.min(), x.max()) for seed, x in of_seed.items()})
assert all(np.ptp(x) < 0.01 for x in of_seed.values())
assert max(x.max() for x in of_seed.values()) > 1.5
assert min(x.min() for x in of_seed.values()) < 0.8
for model in (tomotopy.LDAModel(k=4, seed=1), tomotopy.PAModel(k1=2, k2=4, seed=1), tomotopy.HDPModel(seed=1)):
    assert np.allclose(sums(model), 1, atol=1e-5)
PYTHON
# Seen: sums {1: (2.2145524, 2.2145526), 2: (0.5874748, 0.58747494), 3: (1.0058385, 1.0058386)}
