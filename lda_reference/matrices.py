"""Matrices of counts as they come: sparse with few bits, masked, or of Python's numbers."""

from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from .arguments import expect, is_number, is_whole


def widened(X: Any) -> Any:
    """A matrix that can be added up: sparse counts have 64 bits, and masked ones are 0; all else is as it was.

    SciPy adds duplicate entries in the type of the matrix: 300 entries of 1 are 44 in uint8.
    """
    if isinstance(X, np.ma.MaskedArray):
        return X.filled(0)
    if scipy.sparse.issparse(X) and X.dtype.kind in "iubf" and X.dtype.itemsize < 8:
        return X.astype(np.float64 if X.dtype.kind == "f" else np.int64)
    return X


def of_objects(X: NDArray[Any]) -> NDArray[Any]:
    """A matrix of Python's numbers as one of NumPy's."""
    for (j, w), count in np.ndenumerate(X):
        expect(is_number(count), count, f"X[{j}, {w}]", "a count")
    are_of_64_bits = all(is_whole(count) and abs(count) < 2**63 for count in X.flat)
    return X.astype(np.int64 if are_of_64_bits else np.float64)
