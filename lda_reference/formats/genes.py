"""Counts of genes in cells: the names beside a Matrix Market file, as 10x Genomics, STARsolo and kallisto write them.

Cells are documents and genes are words. The sizes tell which of them are the rows.
"""

from collections import Counter
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple
from warnings import catch_warnings

from ..arguments import shown
from ..corpus import Corpus
from .files import Contents, lines_of, read_text, refuse

# How the name of a matrix ends, and how those of its genes and of its cells end instead.
GENE_ENDS = (("matrix.mtx", "features.tsv"), ("matrix.mtx", "genes.tsv"), (".mtx", ".genes.txt"))
CELL_ENDS = (("matrix.mtx", "barcodes.tsv"), (".mtx", ".barcodes.txt"))


class Lines(NamedTuple):
    """The lines of a file."""

    file: Path
    lines: list[str]


def matrix_in(folder: Path) -> Path | None:
    """The Matrix Market file that a folder holds, if it holds one; such a folder is none of texts."""
    matrix_paths = [path for path in sorted(folder.iterdir()) if path.name.removesuffix(".gz").endswith(".mtx")]
    if len(matrix_paths) > 1:
        first_names = ", ".join(path.name for path in matrix_paths[:5])
        raise ValueError(f"{folder}: {len(matrix_paths)} matrices ({first_names}), expected one, or the path of one")
    return matrix_paths[0] if matrix_paths else None


def turned(path: Path, as_read: Corpus, transpose: bool | None) -> Contents[Corpus]:
    """The counts of a matrix whose rows were read as documents, with the names in the files beside it.

    `transpose` says whether the rows are words. By default they are if these files say so, and otherwise are documents.
    """
    c = as_read
    genes, cells = _lines_beside(path, GENE_ENDS), _lines_beside(path, CELL_ENDS)
    if name_lists := [file_lines for file_lines in (genes, cells) if file_lines]:
        shape = " and ".join(f"{len(file_lines.lines):,} in {file_lines.file.name}" for file_lines in name_lists)
        shape = f"{path}: {c.D:,} rows and {c.W:,} columns, with {shape}"
        rows_are_words = all(x is None or len(x.lines) == size for x, size in ((genes, c.D), (cells, c.W)))
        rows_are_documents = all(x is None or len(x.lines) == size for x, size in ((genes, c.W), (cells, c.D)))
        if rows_are_words and rows_are_documents and transpose is None:
            raise ValueError(f"{shape}, expected `transpose` to say whether the rows are genes: the sizes do not")
        transpose = rows_are_words if transpose is None else transpose
        if not (rows_are_words if transpose else rows_are_documents):
            raise ValueError(f"{shape}, expected a name for each gene and each cell, and no `transpose` against them")
    c = Corpus.from_csr(c.to_csr().T) if transpose else c
    if genes:
        c = Corpus(c.j, c.w, c.n, c.D, c.W, tuple(_symbols(genes)))
    axes = [f"{axis}, named in {x.file.name}" if x else axis for axis, x in (("documents", cells), ("words", genes))]
    row_text, column_text = axes[::-1] if transpose else axes
    cell_names = [line.partition("\t")[0] for line in cells.lines] if cells else None
    gene_types = Counter(line.split("\t")[2] for line in genes.lines if line.count("\t") > 1) if genes else {}
    kinds = ", ".join(f"{gene_type} {n:,}" for gene_type, n in gene_types.items()) if len(gene_types) > 1 else ""
    remark = f"rows are {row_text}; columns are {column_text}" + f"; words of several types: {kinds}" * bool(kinds)
    return Contents(c, cell_names, remark)


def read_h5ad(path: Path) -> Contents[Corpus]:
    """The counts X of a file of anndata, with its names of cells and genes."""
    if not find_spec("anndata"):
        raise ValueError(f"{path}: an HDF5 file such as .h5ad, expected one of another format, or pip install anndata")
    try:
        with catch_warnings(action="ignore", category=UserWarning):  # of names that occur twice
            h5ad_table = import_module("anndata").read_h5ad(path)
        if "gene_ids" in h5ad_table.var:
            h5ad_table.var_names = unique(h5ad_table.var_names.astype(str), h5ad_table.var["gene_ids"])
        h5ad_table.var_names_make_unique()
        X, gene_names, cell_names = h5ad_table.X, [*map(str, h5ad_table.var_names)], [*map(str, h5ad_table.obs_names)]
    except Exception as error:  # a damaged or another HDF5 file can raise any error of h5py or anndata
        error_text = shown(str(error))
        raise ValueError(f"{path}: no counts that anndata can read ({error_text}), expected an .h5ad file") from error
    return Contents(Corpus.from_csr(X, gene_names), cell_names, "documents are the cells and words the genes of X")


def _lines_beside(matrix: Path, name_ends: Sequence[tuple[str, str]]) -> Lines | None:
    """The lines of a file that belongs to a matrix by its name."""
    matrix_name = matrix.name.removesuffix(".gz")
    for matrix_end, names_end in name_ends:
        for path in (matrix.with_name(matrix_name.removesuffix(matrix_end) + names_end + gz) for gz in (".gz", "")):
            if matrix_name.endswith(matrix_end) and path.exists():
                return Lines(path, [line.removesuffix("\r") for line in lines_of(read_text(path))])
    return None


def _symbols(genes: Lines) -> list[str]:
    """The symbol of each gene, the second column or the only one, followed by the gene's id if others have it too."""
    rows = [gene_line.split("\t") for gene_line in genes.lines]
    for line_number, row in enumerate(rows, 1):
        if not row[0]:
            refuse(genes.file, line_number, "no name", "a gene")
    symbols = [row[1] if len(row) > 1 and row[1] else row[0] for row in rows]
    return unique(symbols, [row[0] for row in rows])


def unique(symbols: Sequence[str], ids: Sequence[str]) -> list[str]:
    """The symbols of genes, each followed by the gene's id if others have it too."""
    counts = Counter(symbols)
    return [symbol if counts[symbol] == 1 else f"{symbol} ({gene})" for symbol, gene in zip(symbols, ids, strict=True)]
