#!/bin/bash
# biom-format 2.1.18, Table.subsample(n, axis="sample", by_id=False), "axis : The axis to sample over"; by_id=False is
#   "based on the counts contained in the matrix (e.g., rarefaction)".
# Guess: axis="observation" draws n counts from each observation (each row), as axis="sample" does from each sample.
# Behaviour: with by_id=False the axis is not used for the draw. Both calls draw n counts from each sample, and with
#   the same seed the two tables are equal. The rows have any sums, and a row with fewer than n counts is not left
#   out. To draw from the rows one has to transpose the table, draw, and transpose back.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet biom-format==2.1.18 numpy==2.4.6 scipy==1.17.1 h5py==3.16.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import biom
import numpy as np
from biom import Table

counts = np.random.default_rng(0).poisson(8, (4, 6)).astype(float)
counts[3] = [1, 0, 1, 0, 0, 1]
table = Table(counts, [f"row{i}" for i in range(4)], [f"sample{j}" for j in range(6)])
print("biom", biom.__version__, "; sums of the rows", table.sum("observation").astype(int), "of the samples",
      table.sum("sample").astype(int))
for n in (5, 10):
    for seed in range(5):
        by_sample = table.subsample(n, axis="sample", seed=seed)
        by_row = table.subsample(n, axis="observation", seed=seed)
        assert by_sample == by_row
        assert (by_row.sum("sample") == n).all() and not (by_row.sum("observation") == n).all()
    print("n =", n, 'axis="observation": sums of the rows', by_row.sum("observation").astype(int), "of the samples",
          by_row.sum("sample").astype(int))
again = table.subsample(5, axis="observation", with_replacement=True, seed=0)
print("with_replacement=True: sums of the rows", again.sum("observation").astype(int), "of the samples",
      again.sum("sample").astype(int))
assert (again.sum("sample") == 5).all() and not (again.sum("observation") == 5).all()
turned = table.transpose().subsample(5, seed=0).transpose()
print("transposed: sums of the rows", turned.sum("observation").astype(int), turned.ids("observation").tolist())
assert (turned.sum("observation") == 5).all()
PYTHON
# Seen: biom 2.1.18 ; sums of the rows [43 57 43  3] of the samples [16 20 24 34 28 24]
#       n = 5 axis="observation": sums of the rows [ 7 11  9  3] of the samples [5 5 5 5 5 5]
#       n = 10 axis="observation": sums of the rows [16 24 18  2] of the samples [10 10 10 10 10 10]
#       with_replacement=True: sums of the rows [11 12  7] of the samples [5 5 5 5 5 5]
#       transposed: sums of the rows [5 5 5] ['row0', 'row1', 'row2']
