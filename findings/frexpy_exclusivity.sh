#!/bin/bash
# frexpy 1.0.0, exclusivity(), a port of that of R's package stm.
# Guess: it ranks words within a topic, as stm does, so the score of a topic's ten best words is between 0 and 10.
# Behaviour: each word is ranked among the topics, so every score is near 0.2 for five topics.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet frexpy==1.0.0 numpy
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
from importlib.metadata import version

import numpy as np
from frexpy.frex import exclusivity

phi_kw = np.random.default_rng(0).dirichlet(np.full(200, 0.1), 5)


def of_stm(phi_kw, words=10, weight=0.7):
    """The definition in stm's manual: the harmonic mean of a word's ranks by exclusivity and by probability, summed."""
    exclusivity_kw = phi_kw / phi_kw.sum(0)
    rank_by_exclusivity, rank_by_probability = ((x.argsort(1).argsort(1) + 1) / x.shape[1] for x in (exclusivity_kw, phi_kw))
    frex_kw = 1 / (weight / rank_by_exclusivity + (1 - weight) / rank_by_probability)
    return np.take_along_axis(frex_kw, np.argsort(-phi_kw)[:, :words], 1).sum(1)


scores = np.asarray(exclusivity(phi_kw, top_words=10, exclusivity_weight=0.7), float)
print("frexpy", version("frexpy"), "scores", scores.round(2), "by the definition", of_stm(phi_kw).round(2))
assert scores.max() < 0.3 and of_stm(phi_kw).min() > 5
PYTHON
# Seen: scores [0.2 0.19 0.2 0.2 0.2], by the definition [8.93 9.08 9.18 9.08 9.43]
