#!/bin/bash
# NumPy 2.4.6, np.log, np.log1p and np.sqrt of counts of 8 bits.
# Guess: the logarithm of integers is a float64, as it is for 32 and 64 bits and in SciPy's gammaln.
# Behaviour: of int8 and uint8 it is a float16, of int16 and uint16 a float32. A float16 has three digits and ends at
#   65,504. So the sum of the logarithms of 100,000 counts is inf, with a warning of an overflow; their cumulative sum
#   stops at 16,384, without one; and their mean is off in the fourth digit. np.sum widens integers of 8 bits, so sums of
#   the counts themselves are right. np.log(counts, dtype=float) helps.
# np.log.types lists the dtypes. The help of np.log does not name them.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
from scipy.special import gammaln

counts = np.random.default_rng(0).integers(1, 60, 100_000).astype(np.uint8)
right = np.log(counts.astype(float))
print("NumPy", np.__version__, {t: str(np.log(counts.astype(t)).dtype) for t in ("int8", "uint8", "uint16", "int32")})
print("sum of logarithms", np.log(counts).sum(), "right", right.sum())
print("cumulative sum of logarithms", float(np.cumsum(np.log(counts))[-1]))
print("sum of logarithms of the first 100", float(np.log(counts[:100]).sum()), "right", right[:100].sum())
print("mean of log1p", float(np.log1p(counts).mean()), "right", np.log1p(counts.astype(float)).mean())
assert [np.log(counts.astype(t)).dtype for t in ("int8", "uint8", "int16", "uint16", "int32")] == [
    np.float16, np.float16, np.float32, np.float32, np.float64
]
assert np.log1p(counts).dtype == np.sqrt(counts).dtype == np.float16 and gammaln(counts).dtype == np.float64
assert np.isinf(np.log(counts).sum()) and 3e5 < right.sum() < 3.3e5
assert np.cumsum(np.log(counts))[-1] < 17_000
assert abs(np.log(counts[:100]).sum() - right[:100].sum()) > 0.01
assert np.log(counts, dtype=float).sum() == right.sum()
PYTHON
# Seen: sum of logarithms inf right 312645.7451799787
#       cumulative sum of logarithms 16384.0
