#!/bin/bash
# ArviZ 0.23.4 and its successor arviz-stats 0.8.0, ess(method="tail") and ess(method="median") of draws that are 0 or
#   1, such as "this token has topic 3" in a Gibbs sampler.
# Guess: a chain that moves slowly has few effective draws by each of these methods, or nan where one does not apply.
# Behaviour: for an indicator that is nearly always 1 the tail and the median ESS are the number of draws, 4000, where
#   the bulk ESS is 75. They look at whether a draw is at most a quantile. That is so for all draws here, and a constant
#   has as many effective draws as draws. So has a chain that never moves, by the bulk ESS too, beside an R-hat of nan.
#   Take the bulk ESS of indicators, and look whether R-hat is nan.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet arviz==0.23.4 arviz-stats==0.8.0 xarray==2026.9.0 scipy==1.17.1 numpy==2.4.6
MPLCONFIGDIR="$folder" "$folder/venv/bin/python" -W ignore - <<'PYTHON'
from math import isnan

import arviz
import arviz_stats
import numpy as np
from arviz_stats.base import array_stats

rng = np.random.default_rng(0)
stay, share_of_ones = 0.98, 0.97
indicator = np.zeros((4, 1000), int)
for chain in indicator:
    chain[0] = rng.random() < share_of_ones
    for t in range(1, 1000):
        chain[t] = chain[t - 1] if rng.random() < stay else rng.random() < share_of_ones
constant = np.ones((4, 1000), int)


def sizes(draws):
    tails = {"tail": {"prob": (0.05, 0.95)}}
    old = {x: round(float(arviz.ess(draws, method=x)), 1) for x in ("bulk", "mean", "tail", "median")}
    for x, size in old.items():
        new = array_stats.ess(draws, method=x, chain_axis=0, draw_axis=1, **tails.get(x, {}))
        assert round(float(new), 1) == size
    return old


ess = {"indicator": sizes(indicator), "constant": sizes(constant)}
r_hat = float(arviz.rhat(indicator)), float(arviz.rhat(constant))
print("ArviZ", arviz.__version__, "arviz-stats", arviz_stats.__version__, "share of ones", indicator.mean())
print("ESS of 4000 draws", ess, "R-hat", r_hat)
assert ess["indicator"]["bulk"] < 100 and ess["indicator"]["mean"] < 100
assert ess["indicator"]["tail"] == ess["indicator"]["median"] == 4000
assert set(ess["constant"].values()) == {4000} and isnan(r_hat[1])
PYTHON
# Seen: share of ones 0.97325, ESS of 4000 draws {'indicator': {'bulk': 74.6, 'mean': 74.6, 'tail': 4000.0, 'median':
#       4000.0}, 'constant': {'bulk': 4000.0, 'mean': 4000.0, ...}} R-hat (1.0493502524306375, nan)
