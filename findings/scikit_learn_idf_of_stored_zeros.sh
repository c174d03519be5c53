#!/bin/bash
# scikit-learn 1.9.1, TfidfTransformer of a sparse matrix of counts that stores some of its zeros, with SciPy 1.17.1.
# Guess: a stored zero is a zero. The inverse document frequency counts the texts that have the word.
# Behaviour: it counts the texts that have an entry for the word, so a zero that is stored counts as an occurrence. The
#   same counts as a dense array give other weights. Zeros are stored if counts are thinned or split in place, as in
#   counts.data = rng.binomial(counts.data, 0.5). The weights of the half are then those of the whole, so that they know
#   which words the held-out half has. counts.eliminate_zeros() before fit helps. MultinomialNB, chi2, VarianceThreshold
#   and LatentDirichletAllocation give the same with stored zeros and without.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet scikit-learn==1.9.1 scipy==1.17.1 numpy==2.4.6
"$folder/venv/bin/python" -W error - <<'PYTHON'
import numpy as np
import scipy.sparse as sp
import sklearn
from sklearn.feature_extraction.text import TfidfTransformer

rng = np.random.default_rng(0)
counts = sp.csr_array(rng.poisson([2.0, 0.5, 0.2, 0.1], (200, 4)))
half = counts.copy()
half.data = rng.binomial(half.data, 0.5)
without = half.copy()
without.eliminate_zeros()
assert (half.toarray() == without.toarray()).all()

matrices = {"stored zeros": half, "eliminated": without, "dense": half.toarray()}
idf = {name: TfidfTransformer().fit(x).idf_.round(2).tolist() for name, x in matrices.items()}
of_the_whole = TfidfTransformer().fit(counts).idf_.round(2).tolist()
print("scikit-learn", sklearn.__version__, "stored", half.nnz, "not zero", half.count_nonzero())
print("idf", idf, "of the counts before thinning", of_the_whole)
assert idf["eliminated"] == idf["dense"] != idf["stored zeros"] == of_the_whole
assert idf["dense"][1] - idf["stored zeros"][1] > 0.4
PYTHON
# Seen: stored 325 not zero 202
#       idf {'stored zeros': [1.15, 1.8, 2.57, 3.13], 'eliminated': [1.47, 2.64, 3.01, 3.6], 'dense': [1.47, 2.64, 3.01,
#       3.6]} of the counts before thinning [1.15, 1.8, 2.57, 3.13]
