#!/bin/bash
# tomotopy 0.14.0, infer of a text that has no word of the training, by LDAModel, HDPModel and PTModel.
# Guess: each gives the proportions of its prior, a vector that adds up to 1.
# Behaviour: LDAModel does. HDPModel gives nan for each topic. PTModel gives an empty vector. The log likelihood is 0.0
#   in all three. A row of a table of texts and topics is spoilt or missing, for a valid text.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet tomotopy==0.14.0 numpy==2.4.6
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
import tomotopy

rng = np.random.default_rng(0)
texts = [[f"w{x}" for x in rng.integers(0, 10, 30) + 10 * (j % 2)] for j in range(60)]


def infer(model):
    for text in texts:
        model.add_doc(text)
    model.train(100, workers=1)
    theta_k, score = model.infer(model.make_doc(["zebra"]), workers=1)
    return theta_k.tolist(), score


lda, hdp, pt = (
    infer(x) for x in (tomotopy.LDAModel(k=2, seed=1), tomotopy.HDPModel(seed=1), tomotopy.PTModel(k=2, p=5, seed=1))
)
print("tomotopy", tomotopy.__version__, "LDA", lda, "HDP", hdp, "PT", pt)
assert np.allclose(lda[0], 0.5, atol=0.01)
assert len(hdp[0]) > 1 and np.isnan(hdp[0]).all()
assert pt[0] == []
assert lda[1] == hdp[1] == pt[1] == 0
PYTHON
# Seen: LDA ([0.49999985098838806, 0.5000001788139343], 0.0) HDP ([nan, nan], 0.0) PT ([], 0.0)
