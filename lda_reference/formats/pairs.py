"""Matrices of counts in files: UCI's docword, Matrix Market, and SciPy's npz.

The first two have a header, then a line `document word count` for each pair, numbered from 1.
"""

import io
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse

from ..corpus import Corpus
from ..matrices import widened
from .files import SIZE, refuse, shown


def read_uci(path: Path, content: bytes) -> Corpus:
    """UCI's docword: three lines with the numbers of documents, words and pairs, then the pairs."""
    head_and_body = [*content.split(b"\n", 3), b"", b"", b""][:4]
    for line_number, size_name in enumerate(("documents D", "words W", "pairs NNZ"), 1):
        if not SIZE.fullmatch(head_and_body[line_number - 1].strip()):
            shown_line = shown(head_and_body[line_number - 1])
            refuse(path, line_number, shown_line, f"a line with the number of {size_name} and nothing else")
    return _read_pairs(path, head_and_body[3], 4, np.int64, ("document", "word"), [*map(int, head_and_body[:3])])


def read_matrix_market(path: Path, content: bytes) -> Corpus:
    """Matrix Market, coordinate: rows are taken for documents, columns for words."""
    first_line, _, body = content.partition(b"\n")
    fields = first_line.lower().split()
    is_symmetric = fields[4:] == [b"symmetric"]
    if fields[:3] != [b"%%matrixmarket", b"matrix", b"coordinate"] or not (is_symmetric or fields[4:] == [b"general"]):
        refuse(path, 1, shown(first_line), "%%MatrixMarket matrix coordinate integer general, or symmetric")
    if fields[3] not in (b"integer", b"unsigned-integer", b"real"):
        refuse(path, 1, shown(fields[3]), "integer, unsigned-integer or real entries")
    line_number = 2
    while body[:1] in (b"%", b"\n", b"\r"):
        body = body.partition(b"\n")[2]
        line_number += 1
    size_line, _, body = body.partition(b"\n")
    sizes = size_line.split()
    if len(sizes) != 3 or not all(SIZE.fullmatch(size) for size in sizes):
        refuse(path, line_number, shown(size_line), "three numbers: rows, columns, entries")
    count_type = np.float64 if fields[3] == b"real" else np.int64
    if is_symmetric and int(sizes[0]) != int(sizes[1]):
        refuse(path, line_number, shown(size_line), "as many rows as columns in a symmetric matrix")
    return _read_pairs(path, body, line_number + 1, count_type, ("row", "column"), [*map(int, sizes)], is_symmetric)


def _read_pairs(
    path: Path, body: bytes, first_line: int, count_type: Any, axes: tuple[str, str], sizes: list[int],
    is_symmetric_matrix: bool = False,
) -> Corpus:  # fmt: skip
    """The corpus of the lines after the header, whose counts are of a type of NumPy; blank lines are skipped.

    Of a symmetric matrix the file has the entries on and below the diagonal.
    """
    D, W, NNZ = sizes
    row_dtype = [("j", np.int64), ("w", np.int64), ("n", count_type)]
    lines = [(line_number, line) for line_number, line in enumerate(body.split(b"\n"), first_line) if line.strip()]
    try:
        rows = np.loadtxt(io.BytesIO(body), row_dtype, comments=None, ndmin=1) if lines else np.empty(0, row_dtype)
    except ValueError:
        for line_number, line in lines:
            try:
                if not line.decode("latin-1").split():  # blank to NumPy, such as 0x1c
                    raise ValueError
                np.loadtxt(io.BytesIO(line), row_dtype, comments=None)
            except ValueError:
                refuse(path, line_number, shown(line), f"{axes[0]}, {axes[1]} and count: whole numbers")
        raise
    j, w, n = (rows[letter] for letter in "jwn")
    for axis_name, column, is_right, expected_text in (
        (axes[0], j, (j >= 1) & (j <= D), f"1 to {D}"),
        (axes[1], w, (w >= 1) & (w <= W), f"1 to {W}"),
        (axes[1], w, (w <= j) | (not is_symmetric_matrix), "no entry above the diagonal of a symmetric matrix"),
        ("count", n, (n >= 1) & (n == np.floor(n)) & (n < 2.0**63), "a whole number, 1 or more"),
    ):
        if not is_right.all():
            refuse(path, lines[row_index := is_right.argmin()][0], f"{axis_name} {column[row_index]}", expected_text)
    if len(rows) != NNZ:
        raise ValueError(f"{path}: {len(rows)} pairs of {axes[0]} and {axes[1]}, expected {NNZ}, as the header says")
    row_order = np.lexsort((w, j))
    for i in np.flatnonzero((np.diff(j[row_order]) == 0) & (np.diff(w[row_order]) == 0))[:1]:
        row_index = row_order[i + 1]
        pair_text = f"{axes[0]} {j[row_index]}, {axes[1]} {w[row_index]} again"
        refuse(path, lines[row_index][0], pair_text, "each pair once, with the sum of its counts")
    if is_symmetric_matrix:
        is_below = w < j
        j, w, n = np.append(j, w[is_below]), np.append(w, j[is_below]), np.append(n, n[is_below])
        row_order = np.lexsort((w, j))
    return Corpus(j[row_order] - 1, w[row_order] - 1, n[row_order], D, W)


def read_npz(path: Path, content: bytes) -> Corpus:
    """A (documents, words) matrix of any sparse format of SciPy, as `scipy.sparse.save_npz` writes it."""
    try:
        X = scipy.sparse.load_npz(io.BytesIO(content))
        if hasattr(X, "check_format"):  # before any conversion: SciPy's read out of bounds if an index is out of range
            X.check_format(full_check=True)
        X = scipy.sparse.csr_array(widened(X))
    except Exception as error:  # a damaged file can raise any error of zip, NumPy or SciPy
        problem = "neither a text nor a sparse matrix"
        raise ValueError(f"{path}: {problem}, expected plain text or a file by scipy.sparse.save_npz") from error
    return Corpus.from_csr(X)
