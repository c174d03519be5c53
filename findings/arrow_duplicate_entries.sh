#!/bin/bash
# pyarrow 26.0.1, SparseCOOTensor.from_scipy and SparseCSRMatrix.from_scipy, with SciPy 1.17.1.
# Guess: two entries for one place are added, as SciPy adds them, so that tokens of a text that are listed one by one
#   are its counts.
# Behaviour: to_tensor() keeps the last entry and drops the other. to_scipy() of the same object gives the sum. So the
#   number of tokens depends on the way out. sum_duplicates() before from_scipy helps.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet pyarrow==26.0.1 scipy==1.17.1 numpy==2.4.6
"$folder/venv/bin/python" - <<'PYTHON'
import numpy as np
import pyarrow
import scipy.sparse as sp

texts, words, counts = np.array([0, 0, 0, 1]), np.array([1, 1, 2, 0]), np.array([1, 2, 1, 5])
coo = sp.coo_matrix((counts, (texts, words)), shape=(2, 3))
csr = sp.csr_matrix((counts, words, np.array([0, 3, 4])), shape=(2, 3))
for matrix, form in ((coo, pyarrow.SparseCOOTensor), (csr, pyarrow.SparseCSRMatrix)):
    arrow = form.from_scipy(matrix)
    dense, back = arrow.to_tensor().to_numpy().tolist(), arrow.to_scipy().toarray().tolist()
    print("pyarrow", pyarrow.__version__, form.__name__, "to_tensor", dense, "to_scipy", back)
    assert back == matrix.toarray().tolist() == [[0, 3, 1], [5, 0, 0]]
    assert dense == [[0, 2, 1], [5, 0, 0]]
PYTHON
# Seen: SparseCOOTensor to_tensor [[0, 2, 1], [5, 0, 0]] to_scipy [[0, 3, 1], [5, 0, 0]]
#       SparseCSRMatrix to_tensor [[0, 2, 1], [5, 0, 0]] to_scipy [[0, 3, 1], [5, 0, 0]]
