#!/bin/bash
# gensim 4.4.0, LdaModel with a seed: `eval_every`, which only says how often the perplexity is logged.
# Guess: two runs with the same seed give the same topics, whether the perplexity is logged or not; and to look at the
#   topics of one text between two updates changes nothing in what is learnt afterwards.
# Behaviour: inference draws where gamma begins from the generator that training uses. So each logged perplexity, and
#   each text that is looked at, moves the numbers of all later updates. The topics of a run with eval_every=1 differ
#   from those with eval_every=None in the first digit; without either they repeat to the last bit.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet gensim==4.4.0 numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" - <<'PYTHON'
import gensim
import numpy as np
from gensim.models import LdaModel

rng = np.random.default_rng(0)
texts = [[f"word{w}" for w in rng.integers(0, 30, 20) + (30 if d % 2 else 0)] for d in range(200)]
dictionary = gensim.corpora.Dictionary(texts)
corpus = [dictionary.doc2bow(text) for text in texts]
settings = {"id2word": dictionary, "num_topics": 4, "random_state": 1, "chunksize": 50}


def topics(eval_every):
    return LdaModel(corpus, passes=3, eval_every=eval_every, **settings).get_topics()


def topics_in_two_updates(looks_between):
    model = LdaModel(corpus[:100], eval_every=None, **settings)
    if looks_between:
        model.get_document_topics(corpus[0])
    model.update(corpus[100:])
    return model.get_topics()


repeated = abs(topics(None) - topics(None)).max()
logged = abs(topics(None) - topics(1)).max()
again = abs(topics_in_two_updates(False) - topics_in_two_updates(False)).max()
looked = abs(topics_in_two_updates(False) - topics_in_two_updates(True)).max()
largest = topics(None).max()
print("gensim", gensim.__version__, "largest probability", largest)
print("largest difference: the same run", repeated, "with eval_every=1", logged)
print("two updates: the same run", again, "with one text looked at between them", looked)
assert repeated == again == 0
assert logged > 0.1 * largest
assert looked > 1e-5
PYTHON
# Seen: largest probability 0.15050547
#       largest difference: the same run 0.0 with eval_every=1 0.058451034
#       two updates: the same run 0.0 with one text looked at between them 0.00295946
