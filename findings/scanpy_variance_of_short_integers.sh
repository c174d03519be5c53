#!/bin/bash
# scanpy 1.11.5, scanpy.get.aggregate(adata, by, func=["mean", "var"]), which computes each metric over the groups.
# Guess: the type in which counts are stored does not change their variance. The mean and the sum are in double
#   precision.
# Behaviour: the squares of the counts are computed in the type of the counts, and wrap. Unsigned counts of 8 bits have
#   wrong squares from 16 on, and of 16 bits from 256 on (signed ones from 12 and from 182). The mean of squares is
#   then below the square of the mean, and the variance, which would be negative, is set to 0. Mean and sum are right,
#   and there is no warning. Where only some counts wrap, it is too small. This holds for sparse and for dense matrices.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-compile scanpy==1.11.5 anndata==0.12.19 \
    numpy==2.4.6 scipy==1.17.1 pandas==2.3.3
PYTHONDONTWRITEBYTECODE=1 "$folder/venv/bin/python" -W ignore - <<'PYTHON'
import anndata
import numpy as np
import pandas as pd
import scanpy
import scipy.sparse

rng = np.random.default_rng(0)
counts = np.c_[rng.binomial(12, 0.3, 60), rng.poisson(20, 60), rng.poisson(400, 60), np.arange(60) // 50 * 300]
obs = pd.DataFrame({"group": pd.Categorical(["a", "b"] * 30)}, index=[f"cell{i}" for i in range(60)])
print("scanpy", scanpy.__version__, "; variances in group a by NumPy", counts[::2].var(0, ddof=1).round().astype(int))
seen = {}
for dtype, genes in (("float32", 4), ("int32", 4), ("uint16", 4), ("int16", 4), ("uint8", 2), ("int8", 2)):
    for form in (np.asarray, scipy.sparse.csr_matrix):
        data = anndata.AnnData(form(counts[:, :genes].astype(dtype)), obs=obs)
        assert (scipy.sparse.csr_array(data.X).toarray() == counts[:, :genes]).all()
        layers = scanpy.get.aggregate(data, by="group", func=["mean", "var", "sum"]).layers
        assert np.allclose(layers["mean"][0], counts[::2, :genes].mean(0), rtol=1e-6)
        assert (layers["sum"][0] == counts[::2, :genes].sum(0)).all()
        seen[dtype, form.__name__] = layers["var"][0]
    print(dtype, "variances in group a", layers["var"][0].round().astype(int))
true = counts[::2].var(0, ddof=1)
for form in ("asarray", "csr_matrix"):
    assert np.allclose(seen["float32", form], true, rtol=1e-3) and np.allclose(seen["int32", form], true)
    for dtype in ("uint16", "int16"):
        assert np.allclose(seen[dtype, form][:2], true[:2]) and (seen[dtype, form][2] == 0 < true[2])
    assert all(0 < seen[dtype, form][3] < true[3] / 2 for dtype in ("uint16", "int16"))
    assert all(seen[dtype, form][1] == 0 < true[1] for dtype in ("uint8", "int8"))
PYTHON
# Seen: scanpy 1.11.5 ; variances in group a by NumPy [    2    23   352 12931]
#       float32 variances in group a [    2    23   352 12931]
#       int32 variances in group a [    2    23   352 12931]
#       uint16 variances in group a [   2   23    0 1632]
#       int16 variances in group a [   2   23    0 1632]
#       uint8 variances in group a [2 0]
#       int8 variances in group a [2 0]
