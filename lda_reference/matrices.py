"""Matrices of counts as they come: dense, sparse with few bits, or masked."""

from typing import Any

import numpy as np
import scipy.sparse

from .arguments import expect, is_number, shown


def widened(X: Any) -> Any:
    """A matrix that can be added up: sparse counts have 64 bits, and masked ones are 0; all else is as it was.

    SciPy adds duplicate entries in the type of the matrix: 300 entries of 1 are 44 in uint8.
    """
    if isinstance(X, np.ma.MaskedArray):
        return X.filled(0)
    if scipy.sparse.issparse(X) and X.dtype.kind in "iubf" and X.dtype.itemsize < 8:
        return X.astype(np.float64 if X.dtype.kind == "f" else np.int64)
    return X


def counts_of(X: Any, fractions: bool) -> scipy.sparse.coo_array:
    """The entries of a matrix of counts, or of weights, without zeros; those that are stored twice are added up."""
    X = widened(X)
    if not scipy.sparse.issparse(X):
        try:
            X = np.asarray(X)
        except (ValueError, TypeError):  # rows of different lengths
            raise ValueError(f"X is {shown(X)}, expected a matrix of counts, documents by words") from None
        if X.dtype == object and X.ndim == 2:  # Python's numbers, as in a data frame
            for (j, w), cell in np.ndenumerate(X):
                expect(is_number(cell), cell, f"X[{j}, {w}]", "a count")
            X = X.astype(np.float64)
    if X.ndim != 2:
        raise ValueError(f"X has {X.ndim} axes, expected 2: documents by words")
    if X.dtype.kind not in "iubf":
        raise ValueError(f"X holds {X.dtype}, expected counts")
    X = scipy.sparse.csr_array(X).copy()
    X.sum_duplicates()
    X.eliminate_zeros()
    coo = X.tocoo()
    n = coo.data
    expected_text = "a weight from 0" if fractions else "a count: a whole number from 0"
    for entry in np.flatnonzero(~((n > 0) & (fractions | (n == np.floor(n))) & (n < 2.0**63))):
        raise ValueError(f"X[{coo.row[entry]}, {coo.col[entry]}] is {n[entry]}, expected {expected_text}")
    return coo
