#!/bin/bash
# tomotopy 0.14.0, GDMRModel(decay=..., alpha_epsilon=...).
# Guess: decay is the decay, and alpha_epsilon is what is added to each alpha, as in DMRModel.
# Behaviour: the two have changed places. decay=5 adds 5 to each alpha of each text, so a text of 30 tokens of one
#   topic has theta 0.87 where it should be near 1. alpha_epsilon=5 is the decay, and adds nothing. The attributes of
#   the model tell it: each has the value that was given for the other.
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


def fit(model, **metadata):
    for j, text in enumerate(texts):
        model.add_doc(text, **(metadata or {"numeric_metadata": [j / 60]}))
    model.train(200, workers=1)
    return float(max(list(model.docs)[0].get_topic_dist()))


decay, epsilon = (tomotopy.GDMRModel(k=2, degrees=[1], seed=1, **{x: 5.0}) for x in ("decay", "alpha_epsilon"))
theta = {"decay=5": fit(decay), "alpha_epsilon=5": fit(epsilon)}
theta["DMRModel, alpha_epsilon=5"] = fit(tomotopy.DMRModel(k=2, seed=1, alpha_epsilon=5.0), metadata="x")
print("tomotopy", tomotopy.__version__, {x: round(value, 3) for x, value in theta.items()})
print("decay=5 has alpha_epsilon", decay.alpha_epsilon, "alpha_epsilon=5 has decay", epsilon.decay)
assert decay.alpha_epsilon == epsilon.decay == 5
assert theta["decay=5"] < 0.9 and theta["DMRModel, alpha_epsilon=5"] < 0.9
assert theta["alpha_epsilon=5"] > 0.99
PYTHON
# Seen: {'decay=5': 0.873, 'alpha_epsilon=5': 1.0, 'DMRModel, alpha_epsilon=5': 0.874}
#       decay=5 has alpha_epsilon 5.0 alpha_epsilon=5 has decay 5.0
