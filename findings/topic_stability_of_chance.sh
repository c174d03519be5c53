#!/bin/bash
# topic-stability 0.2.0, StabilityAnalysis, "stability in [0, 1]" of several runs of a topic model.
# Guess: runs that have nothing in common score near 0, or near 1 / K.
# Behaviour: 0.97 for five runs whose mixtures of topics are drawn independently and near the uniform mixture, 0.65 where
#   they are drawn from Dirichlet(0.5). Equal runs score 1. The number says little without the level of chance.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet topic-stability==0.2.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
from importlib.metadata import version

import numpy as np
from topic_stability import StabilityAnalysis, TopicRun

rng = np.random.default_rng(0)
embeddings = rng.standard_normal((60, 20))


def stability(mixtures):
    analysis = StabilityAnalysis([TopicRun(theta_jk) for theta_jk in mixtures], embeddings)
    analysis.align()
    return float(analysis.overall_stability())


unrelated = {a: stability(rng.dirichlet(np.full(5, a), (5, 60))) for a in (0.5, 10)}
theta_jk = rng.dirichlet(np.full(5, 0.5), 60)
equal = stability([theta_jk[:, rng.permutation(5)] for _ in range(5)])
rounded = {a: round(x, 2) for a, x in unrelated.items()}
print("topic-stability", version("topic-stability"), "unrelated", rounded, "equal", round(equal, 2))
assert unrelated[10] > 0.9 and unrelated[0.5] > 0.5 and equal > 0.99
PYTHON
# Seen: unrelated {0.5: 0.65, 10: 0.97} equal 1.0
