#!/bin/bash
# tmplot 0.5.0, get_closest_topics and get_stable_topics, which find the topics that several models share.
# Guess: of a model compared with itself, all topics are stable.
# Behaviour: none of two equal models is, since a topic has to recur in two models beside the first one. Distances are
#   divided by the largest of the call: of three models that are one sweep of a sampler apart no topic is stable, and all
#   five are if a model of other texts is added to the three.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet tmplot==0.5.0 tomotopy==0.14.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
from importlib.metadata import version

import numpy as np
import tmplot
import tomotopy


def trained(texts, sweeps):
    """A model of 60 texts that are drawn from five topics."""
    rng = np.random.default_rng(texts)
    phi_kw, theta_jk = rng.dirichlet(np.full(200, 0.1), 5), rng.dirichlet(np.full(5, 0.5), 60)
    model = tomotopy.LDAModel(k=5, seed=1)
    for theta_k in theta_jk:
        model.add_doc([f"w{w}" for w in rng.choice(200, 50, p=theta_k @ phi_kw)])
    model.train(sweeps, workers=1)
    return model


def stable(*models):
    return len(tmplot.get_stable_topics(*tmplot.get_closest_topics(list(models), verbose=False))[0])


runs, others = [trained(0, sweeps) for sweeps in (300, 301, 302)], trained(1, 300)
equal, three, four = stable(runs[0], runs[0]), stable(*runs), stable(*runs, others)
print("tmplot", version("tmplot"), f"two equal models {equal}, three a sweep apart {three}, with a model of other texts {four}")
assert equal == 0 and three < four
PYTHON
# Seen: two equal models 0, three a sweep apart 0, with a model of other texts 5
