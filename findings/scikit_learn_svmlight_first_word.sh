#!/bin/bash
# scikit-learn 1.9.1, dump_svmlight_file and load_svmlight_file with their defaults. Of zero_based="auto" the help says
#   that it "should always be safe" when no offset or length is passed.
# Guess: what the one writes the other reads back, apart from empty columns at the end.
# Behaviour: if the first word of the vocabulary occurs in no text of the file, all words move by one place. The ids
#   are written from 0, and "auto" takes a file without the id 0 as one that begins at 1. n_features=..., which
#   restores the shape, hides it. A file of held-out texts often lacks a word. zero_based=True in both calls helps.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet scikit-learn==1.9.1 scipy==1.17.1 numpy==2.4.6
"$folder/venv/bin/python" - "$folder/held_out.svm" <<'PYTHON'
import sys

import numpy as np
import scipy.sparse as sp
import sklearn
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

path = sys.argv[1]
counts = np.array([[0, 2, 0, 1], [0, 0, 3, 0]])
dump_svmlight_file(sp.csr_matrix(counts), [0, 0], path)
read = {
    "defaults": load_svmlight_file(path)[0].toarray().tolist(),
    "n_features": load_svmlight_file(path, n_features=4)[0].toarray().tolist(),
    "zero_based": load_svmlight_file(path, n_features=4, zero_based=True)[0].toarray().tolist(),
}
print("scikit-learn", sklearn.__version__, "written", counts.tolist(), "read", read)
assert read["defaults"] == [[2, 0, 1], [0, 3, 0]]
assert read["n_features"] == [[2, 0, 1, 0], [0, 3, 0, 0]]
assert read["zero_based"] == counts.tolist()
PYTHON
# Seen: written [[0, 2, 0, 1], [0, 0, 3, 0]] read {'defaults': [[2.0, 0.0, 1.0], [0.0, 3.0, 0.0]],
#       'n_features': [[2.0, 0.0, 1.0, 0.0], [0.0, 3.0, 0.0, 0.0]], 'zero_based': [[0.0, 2.0, 0.0, 1.0], ...]}
