#!/bin/bash
# tmtoolkit 0.12.0, bow.bow_stats.codoc_frequencies(proportions=2): "return log(proportions + 1)".
# Guess: the logarithm of 1 + n / D, for two words that stand together in n of D texts, which is never negative.
# Behaviour: it is log((1 + n) / D), which is negative for all pairs but the most frequent. exp(x) - 1, which undoes
#   what the help says, gives negative frequencies. doc_frequencies(proportions=2) beside it has log(n / D), as its
#   help says.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet tmtoolkit==0.12.0 "setuptools<80"
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
from importlib.metadata import version

import numpy as np
from tmtoolkit.bow.bow_stats import codoc_frequencies, doc_frequencies

counts = np.array([[1, 1, 0], [1, 0, 0], [1, 1, 2], [0, 0, 1]])
n_ww, D = codoc_frequencies(counts), len(counts)
seen = codoc_frequencies(counts, proportions=2)
print("tmtoolkit", version("tmtoolkit"), seen.round(3).tolist(), "by its help", np.log1p(n_ww / D).round(3).tolist())
assert np.allclose(seen, np.log((1 + n_ww) / D))
assert seen.min() < -0.69 and np.log1p(n_ww / D).min() > 0.22
assert np.allclose(doc_frequencies(counts, proportions=2), np.log(n_ww.diagonal() / D))
PYTHON
# Seen: [[0.0, -0.288, -0.693], [-0.288, -0.288, -0.693], [-0.693, -0.693, -0.288]]
#       by its help [[0.56, 0.405, 0.223], [0.405, 0.405, 0.223], [0.223, 0.223, 0.405]]
