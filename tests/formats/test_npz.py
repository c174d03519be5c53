"""Sparse matrices in files by scipy.sparse.save_npz."""

import io

import numpy as np
import pytest
import scipy.sparse

from .helpers import CORPUS, npz, refused


@pytest.mark.parametrize("kind", [scipy.sparse.csr_matrix, scipy.sparse.csc_array, scipy.sparse.coo_matrix, scipy.sparse.bsr_array])
def test_npz_of_every_sparse_kind_is_read(read, kind):
    assert read(npz(kind(CORPUS.to_csr()))) == CORPUS
    assert read(npz(kind(CORPUS.to_csr().astype(float)))) == CORPUS


def saved(**arrays):
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


NO_MATRIX = "neither a text nor a sparse matrix, expected"
BROKEN = ({"indices": np.array([0, 2])}, {"indices": np.array([-1, 1])}, {"indptr": np.array([0, 2, 1])}, {"shape": (3, 2, 1)}, {"data": np.array([1])})
PARTS = {"shape": (2, 2), "data": np.array([1, 2]), "indices": np.array([0, 1]), "indptr": np.array([0, 1, 2])}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (npz(scipy.sparse.csr_array([[1, 0], [0, 0.5]])), "X[1, 1] is 0.5, expected a count"),
        (npz(scipy.sparse.coo_array([1, 2])), "X has 1 axes, expected 2"),
        (saved(X=np.eye(2)), NO_MATRIX),
        (saved(**PARTS), NO_MATRIX),
        (saved(format=np.array(b"csr"), **PARTS | {"data": np.array([1, None])}), NO_MATRIX),
        *((saved(format=np.array(kind), **PARTS | broken), NO_MATRIX) for kind in (b"csr", b"csc") for broken in BROKEN),
    ],
)
def test_a_bad_npz_is_refused(read, tmp_path, data, message):
    with refused(f"{tmp_path / 'corpus'}: {message}"):
        read(data)
