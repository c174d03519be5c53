#!/bin/bash
# gensim 4.4.0, LdaMulticore(workers=1, random_state=1).
# Guess: with one worker and a seed two runs give the same topics, as two runs of LdaModel do.
# Behaviour: they differ, here in the third digit. The one worker is a process beside the one that updates the topics,
#   and how many batches it has done before an update depends on time.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet gensim==4.4.0
cat > "$folder/runs.py" <<'PYTHON'
import gensim
import numpy as np
from gensim.corpora import Dictionary
from gensim.models import LdaModel, LdaMulticore

rng = np.random.default_rng(0)
texts = [[f"w{x}" for x in rng.integers(0, 30, 20) + 30 * (j % 3)] for j in range(3000)]
dictionary = Dictionary(texts)
bows = [dictionary.doc2bow(text) for text in texts]


def largest_difference(model, runs, **settings):
    """Between the first run and the others."""
    topics = [model(bows, 3, dictionary, random_state=1, chunksize=100, **settings).get_topics() for _ in range(runs)]
    return max(float(np.abs(x - topics[0]).max()) for x in topics[1:])


if __name__ == "__main__":
    alone, multicore = largest_difference(LdaModel, 2), largest_difference(LdaMulticore, 6, workers=1)
    print("gensim", gensim.__version__, f"LdaModel {alone}, LdaMulticore {multicore:.2g}")
    assert alone == 0
    assert multicore > 1e-6
PYTHON
"$folder/venv/bin/python" -W ignore "$folder/runs.py"
# Seen: LdaModel 0.0, LdaMulticore 0.0031
