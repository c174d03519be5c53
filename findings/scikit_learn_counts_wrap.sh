#!/bin/bash
# scikit-learn 1.9.1, CountVectorizer(dtype=numpy.uint8), with SciPy 1.17.1.
# Guess: a count that the dtype cannot hold is an error, or the matrix has a wider dtype.
# Behaviour: it wraps without a warning. A word that stands 300 times in a text has the count 44, and
#   LatentDirichletAllocation is fitted to 44.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet scikit-learn==1.9.1 scipy==1.17.1 numpy==2.4.6
"$folder/venv/bin/python" -W error - <<'PYTHON'
import numpy as np
import sklearn
from sklearn.decomposition import LatentDirichletAllocation
from sklearn.feature_extraction.text import CountVectorizer

texts = ["ash " * 300 + "bay", "fig bay"]
counts = {dtype: CountVectorizer(dtype=dtype).fit_transform(texts) for dtype in (np.int64, np.uint8)}
model = LatentDirichletAllocation(2, topic_word_prior=0.5, random_state=0).fit(counts[np.uint8])
tokens = model.components_.sum() - 2 * 3 * 0.5
print("scikit-learn", sklearn.__version__, {dtype.__name__: x.toarray().tolist() for dtype, x in counts.items()})
print("tokens in the topics", round(tokens, 6))
assert counts[np.int64][0, 0] == 300
assert counts[np.uint8][0, 0] == 44
assert abs(tokens - 47) < 1e-6
PYTHON
# Seen: {'int64': [[300, 1, 0], [0, 1, 1]], 'uint8': [[44, 1, 0], [0, 1, 1]]}, tokens in the topics 47.0
