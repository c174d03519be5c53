"""A (documents, words) matrix of counts, as `scipy.sparse.save_npz` writes it."""

import io
from pathlib import Path

import scipy.sparse

from ..corpus import Corpus


def read(path: Path, data: bytes) -> Corpus:
    """The corpus of a file, of any sparse format of SciPy."""
    try:
        X = scipy.sparse.load_npz(io.BytesIO(data))
        if hasattr(X, "check_format"):  # before any conversion: SciPy's read out of bounds if an index is out of range
            X.check_format(full_check=True)
        X = scipy.sparse.csr_array(X)
    except Exception as error:  # a damaged file can raise any error of zip, NumPy or SciPy
        found = "neither a text nor a sparse matrix"
        raise ValueError(f"{path}: {found}, expected plain text or a file by scipy.sparse.save_npz") from error
    return Corpus.from_csr(X)
