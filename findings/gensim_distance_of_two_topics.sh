#!/bin/bash
# gensim 4.4.0, matutils.kullback_leibler, jensen_shannon and hellinger of scipy.sparse vectors, "vec1 : {scipy.sparse,
#   numpy.ndarray, list of (int, float)} Distribution vector".
# Guess: the distance of two distributions is the same whether they come as sparse rows, arrays or bags of words.
# Behaviour: it is so for three topics or more. A sparse row of two topics, (0.3, 0.7), is taken for a bag of words
#   that has one word, with the number 0.3 and the count 0.7. The Kullback-Leibler and the Jensen-Shannon distance of
#   any two such rows are therefore 0. The Hellinger distance of two rows whose first numbers differ is the square root
#   of half the sum of the second numbers, here 0.74 instead of 0.22, and it is the larger the more both texts have of
#   the second topic.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet gensim==4.4.0 numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import gensim
import numpy as np
import scipy.sparse
from gensim.matutils import full2sparse, hellinger, jensen_shannon, kullback_leibler

print("gensim", gensim.__version__)
pairs = {2: ([0.3, 0.7], [0.6, 0.4]), 3: ([0.3, 0.3, 0.4], [0.5, 0.1, 0.4])}
seen = {}
for topics, pair in pairs.items():
    arrays = [np.array(p) for p in pair]
    rows = [scipy.sparse.csr_matrix(p) for p in pair]
    bags = [full2sparse(p) for p in arrays]
    for distance in (kullback_leibler, jensen_shannon, hellinger):
        seen[topics, distance] = [round(float(distance(*form)), 3) for form in (rows, arrays, bags)]
        print(topics, "topics", distance.__name__, "of sparse rows, arrays, bags of words", seen[topics, distance])
for distance in (kullback_leibler, jensen_shannon, hellinger):
    sparse, array, bag = seen[3, distance]
    assert sparse == array == bag > 0
    sparse, array, bag = seen[2, distance]
    assert array == bag > 0 and sparse != array
rng = np.random.default_rng(0)
theta = scipy.sparse.csr_matrix(rng.dirichlet([0.5, 0.5], 100))
largest = max(kullback_leibler(theta[i], theta[j]) for i in range(100) for j in range(100))
print("largest Kullback-Leibler distance among 100 texts", float(largest))
assert largest == 0
near, far = [[0.02, 0.98], [0.03, 0.97]], [[0.98, 0.02], [0.02, 0.98]]
forms = (scipy.sparse.csr_matrix, np.array)
seen = [round(float(hellinger(*(form(p) for p in pair))), 3) for pair in (near, far) for form in forms]
print("Hellinger of near rows, arrays", seen[:2], "of far ones", seen[2:])
assert seen[0] > seen[2] and seen[1] < 0.1 < 0.7 < seen[3]
PYTHON
# Seen: gensim 4.4.0
#       2 topics kullback_leibler of sparse rows, arrays, bags of words [0.0, 0.184, 0.184]
#       2 topics jensen_shannon of sparse rows, arrays, bags of words [0.0, 0.046, 0.046]
#       2 topics hellinger of sparse rows, arrays, bags of words [0.742, 0.216, 0.216]
#       3 topics kullback_leibler of sparse rows, arrays, bags of words [0.176, 0.176, 0.176]
#       3 topics jensen_shannon of sparse rows, arrays, bags of words [0.039, 0.039, 0.039]
#       3 topics hellinger of sparse rows, arrays, bags of words [0.199, 0.199, 0.199]
#       largest Kullback-Leibler distance among 100 texts 0.0
#       Hellinger of near rows, arrays [0.987, 0.023] of far ones [0.707, 0.849]
