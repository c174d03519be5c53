#!/bin/bash
# gensim 4.4.0, HdpModel.suggested_lda_model(), "the closest LDA model".
# Guess: print_topics of the LDA model shows the topics of the HDP.
# Behaviour: it shows random topics, those that a new LdaModel starts from. Only the arrays that inference uses are set.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet gensim==4.4.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import gensim
import numpy as np
from gensim.models import HdpModel

rng = np.random.default_rng(0)
phi_kw, theta_jk = rng.dirichlet(np.full(200, 0.1), 5), rng.dirichlet(np.full(5, 0.5), 60)
table = np.stack([rng.multinomial(50, theta_k @ phi_kw) for theta_k in theta_jk])
bows = [[(w, int(n)) for w, n in enumerate(row) if n] for row in table]
hdp = HdpModel(bows, {w: f"w{w}" for w in range(200)}, T=20, K=5, random_state=0)
lda = hdp.suggested_lda_model()


def ten_best(topics):
    return [set(row) for row in np.argsort(-topics)[:, :10]]


shared = [len(x & y) for x, y in zip(ten_best(hdp.get_topics()), ten_best(lda.get_topics()), strict=True)]
by_chance = [len(x & set(rng.choice(200, 10, replace=False))) for x in ten_best(hdp.get_topics())]
print("gensim", gensim.__version__, f"shared words of ten: {np.mean(shared):.1f} on average, {np.mean(by_chance):.1f} by chance")
assert np.mean(shared) < 2
PYTHON
# Seen: shared words of ten: 0.4 on average, 0.3 by chance
