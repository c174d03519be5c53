#!/bin/bash
# tomotopy 0.14.0, MGLDAModel(k_g=..., k_l=..., t=...), topics of two grains: k_g global ones and k_l local ones.
# Guess: a model made with k_g=4, k_l=5 and t=2 has nine topics and windows of two sentences.
# Behaviour: the three arguments are not used. The model has one global and one local topic and t = 3, the defaults,
#   whatever is given, and says nothing. (The priors, such as alpha_g, are used.)
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet tomotopy==0.14.0 numpy==2.4.6
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import tomotopy

model = tomotopy.MGLDAModel(k_g=4, k_l=5, t=2, alpha_g=0.3, seed=1)
for _ in range(30):
    model.add_doc(["ash", "bay", ".", "elm", "fig", "."], delimiter=".")
model.train(10, workers=1)
theta_k = list(model.docs)[0].get_topic_dist()
print("tomotopy", tomotopy.__version__, "k_g", model.k_g, "k_l", model.k_l, "t", model.t, "alpha_g", model.alpha_g)
print("topics of a text", len(theta_k))
assert (model.k_g, model.k_l, model.t) == (1, 1, 3)
assert len(theta_k) == 2
PYTHON
# Seen: k_g 1 k_l 1 t 3 alpha_g [0.3], topics of a text 2
