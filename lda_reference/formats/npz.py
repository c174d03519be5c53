"""A (documents, words) matrix of counts, as `scipy.sparse.save_npz` writes it."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import scipy.sparse

from ..corpus import Corpus


def read(path: Path, data: bytes) -> Corpus:
    """The corpus of a file, of any sparse format of SciPy."""
    names = _names(data)
    if data[:2] == b"PK" and not names:
        raise ValueError(
            f"{path}: a zip file, neither a text nor a sparse matrix, expected one written by scipy.sparse.save_npz"
        )
    expected = f"{path}: not a sparse matrix written by scipy.sparse.save_npz"
    if names and "format" not in names:
        raise ValueError(f"{expected} (it has the arrays {', '.join(names[:5])})")
    try:
        X = scipy.sparse.load_npz(io.BytesIO(data))
        if hasattr(X, "check_format"):  # before any conversion: SciPy's read out of bounds if an index is out of range
            X.check_format(full_check=True)
        X = scipy.sparse.csr_array(X)
    except Exception as error:  # a damaged file can raise any error of zip, NumPy or SciPy
        raise ValueError(f"{expected} ({type(error).__name__}: {error})") from error
    return Corpus.from_csr(X)


def _names(data: bytes) -> list[str]:
    """The names of the arrays in a zip file; none if it is damaged or no zip file."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            return [x.removesuffix(".npy") for x in packed.namelist() if x.endswith(".npy")]
    except Exception:  # a damaged file can raise any error of zip
        return []
