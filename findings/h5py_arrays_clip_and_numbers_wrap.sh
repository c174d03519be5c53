#!/bin/bash
# h5py 3.16.0, assignment of integers to a dataset of a smaller integer type, as in dataset[...] = counts.
# Guess: as in NumPy, whose interface it follows: an array that does not fit wraps, 300 to 44 in 8 bits.
# Behaviour: an array is clipped: 300 and 70000 become 255, and -1 becomes 0. This is so in an assignment, in
#   create_dataset(data=..., dtype="u1"), and in dataset.astype("u1")[:], while dataset[:].astype("u1") wraps. But a
#   single number of a NumPy type wraps: np.int64(300) becomes 44, where np.array(300) becomes 255. So a matrix that
#   is written as a whole and one that is written number by number differ. There is no warning.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet h5py==3.16.0 numpy==2.4.6
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import io

import h5py
import numpy as np

counts = np.array([3, 255, 300, 70000, -1])
print("h5py", h5py.__version__)
with h5py.File(io.BytesIO(), "w") as file:
    whole, single, zero_d = (file.create_dataset(name, counts.shape, dtype="u1") for name in ("whole", "single", "0-d"))
    whole[...] = counts
    for i, count in enumerate(counts):
        single[i] = count
        zero_d[i] = np.array(count)
    wide = file.create_dataset("wide", data=counts)
    seen = {"counts": counts, "dataset[...] = counts": whole[:], "dataset[i] = counts[i]": single[:],
            "dataset[i] = np.array(counts[i])": zero_d[:],
            'create_dataset(data=counts, dtype="u1")': file.create_dataset("data", data=counts, dtype="u1")[:],
            'dataset.astype("u1")[:]': wide.astype("u1")[:], 'dataset[:].astype("u1")': wide[:].astype("u1")}
for name, values in seen.items():
    print(name, values.tolist())
clipped, wrapped = [3, 255, 255, 255, 0], [3, 255, 44, 112, 255]
for name, values in list(seen.items())[1:]:
    assert values.tolist() == (wrapped if name in ("dataset[i] = counts[i]", 'dataset[:].astype("u1")') else clipped)
PYTHON
# Seen: counts [3, 255, 300, 70000, -1]
#       dataset[...] = counts [3, 255, 255, 255, 0]
#       dataset[i] = counts[i] [3, 255, 44, 112, 255]
#       dataset[i] = np.array(counts[i]) [3, 255, 255, 255, 0]
#       create_dataset(data=counts, dtype="u1") [3, 255, 255, 255, 0]
#       dataset.astype("u1")[:] [3, 255, 255, 255, 0]
#       dataset[:].astype("u1") [3, 255, 44, 112, 255]
