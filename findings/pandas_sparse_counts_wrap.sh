#!/bin/bash
# pandas 2.3.3, DataFrame.sparse.from_spmatrix of a matrix of counts of dtype uint8, with SciPy 1.17.1.
# Guess: sum() adds in 64 bits, as it does for a dense column of uint8, and as SciPy does for the same sparse matrix.
# Behaviour: sum() of a sparse column adds in 8 bits and wraps, along either axis.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet pandas==2.3.3 scipy==1.17.1 numpy==2.4.6
"$folder/venv/bin/python" - <<'PYTHON'
import numpy as np
import pandas as pd
import scipy.sparse as sp

counts = sp.csr_matrix(np.array([[200, 200], [100, 0]], np.uint8))
frame = pd.DataFrame.sparse.from_spmatrix(counts)
columns = {
    "SciPy": counts.sum(0).tolist()[0],
    "pandas, dense": frame.sparse.to_dense().sum().tolist(),
    "pandas, sparse": [int(x) for x in frame.sum()],
}
rows = [int(x) for x in frame.sum(axis=1)]
print("pandas", pd.__version__, columns, "rows", rows)
assert columns["SciPy"] == columns["pandas, dense"] == [300, 200]
assert columns["pandas, sparse"] == [44, 200]
assert rows == [144, 100]  # of 400 and 100
PYTHON
# Seen: {'SciPy': [300, 200], 'pandas, dense': [300, 200], 'pandas, sparse': [44, 200]} rows [144, 100]
