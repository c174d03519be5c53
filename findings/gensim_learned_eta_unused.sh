#!/bin/bash
# gensim 4.4.0, LdaModel(eta="auto"), which "learns an asymmetric prior from the corpus".
# Guess: the topics are computed with the eta that has been learnt.
# Behaviour: eta is learnt and shown in model.eta, but the topics keep the eta of the start. They are equal, to the
#   bit, to those of a model with the symmetric eta. Only log_perplexity uses the learnt eta, so the two models, which
#   have the same topics, are rated differently. (alpha="auto" does change the topics.)
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet gensim==4.4.0 numpy==2.4.6
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import gensim
import numpy as np
from gensim.corpora import Dictionary
from gensim.models import LdaModel

rng = np.random.default_rng(0)
phi_kw = rng.dirichlet(np.full(30, 0.1), 3)
counts = rng.multinomial(60, rng.dirichlet([0.9, 0.3, 0.1], 300) @ phi_kw)
bows = [[(w, int(n)) for w, n in enumerate(row) if n] for row in counts]
dictionary = Dictionary([[f"w{w:02}" for w in range(30)]])


def fit(**priors):
    return LdaModel(bows, 3, dictionary, passes=20, chunksize=100, random_state=0, **priors)


symmetric, learned, learned_alpha = fit(), fit(eta="auto"), fit(alpha="auto")
prior_kw = learned.state.get_lambda() - learned.state.sstats  # what the topics' parameters hold beside the tokens
bounds = [float(x.log_perplexity(bows)) for x in (symmetric, learned)]
print("gensim", gensim.__version__, "learned eta", learned.eta.min(), "to", learned.eta.max())
print("the eta in the topics", prior_kw.min(), "to", prior_kw.max(), "bounds", bounds)
assert np.ptp(learned.eta) > 1
assert np.array_equal(learned.get_topics(), symmetric.get_topics())
assert np.allclose(prior_kw, 1 / 3, atol=1e-3)
assert bounds[1] - bounds[0] > 1e-3
assert not np.array_equal(learned_alpha.get_topics(), symmetric.get_topics())
PYTHON
# Seen: learned eta 0.11393858 to 1.4648789
#       the eta in the topics 0.33325195 to 0.3334961 bounds [-2.0396666040552986, -2.037922788951132]
