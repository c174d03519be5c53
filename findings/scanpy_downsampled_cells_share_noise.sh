#!/bin/bash
# scanpy 1.11.5 with anndata 0.12.19, pp.downsample_counts(counts_per_cell=50). random_state is the "random seed for
#   subsampling".
# Guess: each cell is drawn by itself, so that the noise of 500 cells averages out in a gene's total.
# Behaviour: the seed is set anew for each cell. 500 equal cells come out equal, with either value of replace. For cells
#   that differ, in their totals too, the noise is still shared: the total of a gene misses its expected value by ten
#   times as much as for cells that are drawn one by one. So the profile of a thinned copy, such as one half of the
#   counts that is held out, is off as a whole, and more cells do not help. The method
#   numpy.random.Generator.multivariate_hypergeometric, called for each row, helps. total_counts=..., which draws from
#   the whole matrix at once, does not have this.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet scanpy==1.11.5 anndata==0.12.19 scipy==1.17.1 numpy==2.4.6 numba==0.68.1
MPLCONFIGDIR="$folder" "$folder/venv/bin/python" -W ignore - <<'PYTHON'
from importlib.metadata import version

import numpy as np
import scanpy as sc
from anndata import AnnData

rng = np.random.default_rng(0)
n_drawn = 50


def by_scanpy(counts, **options):
    cells = AnnData(counts.astype(np.float32))
    return sc.pp.downsample_counts(cells, copy=True, **options).X.astype(int)


def by_numpy(counts):
    return np.array([rng.multivariate_hypergeometric(cell, n_drawn) for cell in counts])


equal_cells = np.tile([40, 30, 20, 10], (500, 1))
draws = {
    "scanpy": by_scanpy(equal_cells, counts_per_cell=n_drawn),
    "scanpy, replace": by_scanpy(equal_cells, counts_per_cell=n_drawn, replace=True),
    "scanpy, total_counts": by_scanpy(equal_cells, total_counts=500 * n_drawn),
    "numpy": by_numpy(equal_cells),
}
kinds = {name: len(np.unique(cells, axis=0)) for name, cells in draws.items()}
print("scanpy", version("scanpy"), "different rows of 500", kinds)
print("totals of the genes", {name: cells.sum(0).tolist() for name, cells in draws.items()})
assert kinds["scanpy"] == kinds["scanpy, replace"] == 1
assert kinds["numpy"] > 200 and kinds["scanpy, total_counts"] > 400

totals = rng.integers(80, 200, 500)
cells = np.array([rng.multinomial(n, rng.dirichlet([8, 6, 4, 2])) for n in totals])
shares = cells / totals[:, None]
expected = n_drawn * shares.sum(0)
variance = (n_drawn * shares * (1 - shares) * ((totals - n_drawn) / (totals - 1))[:, None]).sum(0)
misses = {
    "scanpy": [by_scanpy(cells, counts_per_cell=n_drawn, random_state=seed).sum(0) - expected for seed in range(30)],
    "numpy": [by_numpy(cells).sum(0) - expected for _ in range(30)],
}
ratio = {name: float(np.sqrt(np.mean(np.square(miss) / variance))) for name, miss in misses.items()}
print("miss of a gene's total, in standard deviations", {name: round(x, 2) for name, x in ratio.items()})
assert ratio["scanpy"] > 8 and 0.8 < ratio["numpy"] < 1.2
PYTHON
# Seen: different rows of 500 {'scanpy': 1, 'scanpy, replace': 1, 'scanpy, total_counts': 476, 'numpy': 276}
#       totals of the genes {'scanpy': [10000, 8000, 4500, 2500], 'scanpy, replace': [10000, 7000, 7500, 500],
#       'scanpy, total_counts': [10065, 7495, 4962, 2478], 'numpy': [10031, 7511, 4993, 2465]}
#       miss of a gene's total, in standard deviations {'scanpy': 10.27, 'numpy': 1.0}
