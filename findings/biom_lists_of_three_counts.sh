#!/bin/bash
# biom-format 2.1.18, Table(data, observation_ids, sample_ids), where data may be "An n-dimensional array of values"
#   or "A list of lists".
# Guess: a list of lists holds the rows of the table, as an array of the same numbers does.
# Behaviour: it holds triples (row, column, value), of which the help says nothing. With three samples a row of small
#   counts can be a valid triple, so the table comes out with other numbers and no error. Here 22 counts become 16, at
#   other places. With any other number of samples there is an error. The undocumented argument input_is_dense=True
#   gives what one expects.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet biom-format==2.1.18 numpy==2.4.6 scipy==1.17.1 h5py==3.16.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import biom
import numpy as np
from biom import Table

rows = [[0, 1, 4], [1, 2, 7], [2, 0, 5]]
names = ["row0", "row1", "row2"], ["sample0", "sample1", "sample2"]
tables = {"array": Table(np.array(rows), *names), "list of arrays": Table([np.array(row) for row in rows], *names),
          "list of lists": Table(rows, *names), "input_is_dense=True": Table(rows, *names, input_is_dense=True)}
print("biom", biom.__version__)
for name, table in tables.items():
    print(name, table.matrix_data.toarray().astype(int).tolist(), "sum", int(table.sum()))
expected = np.array(rows)
for name in ("array", "list of arrays", "input_is_dense=True"):
    assert (tables[name].matrix_data.toarray() == expected).all()
other = np.zeros((3, 3))
for i, j, value in rows:
    other[i, j] += value
assert (tables["list of lists"].matrix_data.toarray() == other).all() and (other != expected).any()
try:
    Table([row + [1] for row in rows], names[0], names[1] + ["sample3"])
    raise SystemExit("four samples: no error")
except ValueError as error:
    print("four samples:", type(error).__name__, error)
PYTHON
# Seen: array [[0, 1, 4], [1, 2, 7], [2, 0, 5]] sum 22
#       list of arrays [[0, 1, 4], [1, 2, 7], [2, 0, 5]] sum 22
#       list of lists [[0, 4, 0], [0, 0, 7], [5, 0, 0]] sum 16
#       input_is_dense=True [[0, 1, 4], [1, 2, 7], [2, 0, 5]] sum 22
#       four samples: ValueError too many values to unpack (expected 3)
