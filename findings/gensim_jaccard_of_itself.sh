#!/bin/bash
# gensim 4.4.0, matutils.jaccard, the "Jaccard distance between two vectors".
# Guess: the distance of a vector from itself is 0. For bags of words it is 1 minus the sum of the smaller counts over
#   the sum of the larger ones.
# Behaviour: for bags of words the denominator is the sum of all counts of both, so a bag has the distance 0.5 from
#   itself and no two bags are nearer than that. NumPy vectors are taken as sets of their values: two vectors with the
#   same values at other places have the distance 0.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet gensim==4.4.0 numpy==2.4.6
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import gensim
import numpy as np
from gensim.matutils import jaccard

bag, other = [(0, 2), (1, 1)], [(1, 3), (2, 1)]
bags = {"itself": jaccard(bag, bag), "another": jaccard(bag, other)}
vectors = jaccard(np.array([1, 0, 0, 1]), np.array([0, 1, 1, 0]))
print("gensim", gensim.__version__, "a bag and", bags, "by the definition", {"itself": 0.0, "another": 1 - 1 / 6})
print("two vectors without a common word", vectors)
assert bags["itself"] == 0.5
assert bags["another"] == 1 - 1 / 7
assert vectors == 0
PYTHON
# Seen: a bag and {'itself': 0.5, 'another': 0.857...} by the definition {'itself': 0.0, 'another': 0.833...}
#       two vectors without a common word 0.0
