"""Counts of genes in cells: rows and columns are told by the names beside a matrix, and are said."""

import numpy as np
import pytest
import scipy.sparse

from lda_reference import Corpus, formats, read_corpus
from lda_reference.formats.files import write_bytes

from .helpers import VALID, refused, write

X = np.array([[2, 0, 1], [0, 3, 0]])  # two cells, three genes
GENES = "E1\tActb\tGene Expression\nE2\tTbce\tGene Expression\nE3\tTbce\tGene Expression\n"
CELLS = "AAAC-1\nAAAG-1\n"
WORDS = ("Actb", "Tbce (E2)", "Tbce (E3)")
TEN = {"matrix.mtx.gz": X.T, "features.tsv.gz": GENES, "barcodes.tsv.gz": CELLS}


def write_all(folder, content_by_name):
    """Write matrices and texts, gzipped if the name says so; the path of the matrix."""
    for file_name, content in content_by_name.items():
        if isinstance(content, np.ndarray):
            write(Corpus.from_csr(content), folder / file_name, "mm")
        else:
            write_bytes(folder / file_name, content.encode())
    return folder / next(iter(content_by_name))


@pytest.mark.parametrize(
    ("content_by_name", "words"),
    [
        (TEN, WORDS),
        ({"a_matrix.mtx": X.T, "a_genes.tsv": GENES.replace("\n", "\r\n"), "a_barcodes.tsv": CELLS}, WORDS),
        ({"cells_x_genes.mtx": X, "cells_x_genes.genes.txt": "E1\nE2\nE3\n", "cells_x_genes.barcodes.txt": CELLS}, ("E1", "E2", "E3")),
    ],
    ids=["10x", "older", "kallisto"],
)  # fmt: skip
def test_cells_are_documents_and_genes_are_words(tmp_path, content_by_name, words):
    (folder := tmp_path / "in").mkdir()
    for path in (write_all(folder, content_by_name), folder):
        reading = formats.read(path)
        assert reading.corpus == Corpus.from_csr(X, words)
        assert reading.names == ["AAAC-1", "AAAG-1"]
        assert all(name in reading.sentence() for name in list(content_by_name)[1:])
    assert read_corpus(folder, vocab=["Xist", words[2]]) == Corpus([0], [1], [1], 2, 2, ("Xist", words[2]))


@pytest.mark.parametrize(
    ("content_by_name", "options", "message_parts"),
    [
        (TEN | {"matrix.mtx.gz": X}, {"transpose": True}, ["matrix.mtx.gz: 2 rows and 3 columns, with 3 in features.tsv.gz and 2 in barcodes.tsv.gz", "`transpose`"]),
        (TEN | {"matrix.mtx.gz": X[:, :2], "features.tsv.gz": "E1\nE2\n"}, {}, ["2 rows and 2 columns", "`transpose`"]),
        (TEN | {"features.tsv.gz": "E1\nE2\nE1\n"}, {}, ["matrix.mtx.gz: vocab has 'E1 (E1)' more than once"]),
        ({"b.mtx": X, "a.mtx": X}, {}, ["2 matrices (a.mtx, b.mtx)"]),
    ],
    ids=range(4),
)  # fmt: skip
def test_sizes_that_do_not_tell_or_contradict_are_named(tmp_path, content_by_name, options, message_parts):
    write_all(tmp_path, content_by_name)
    with refused(*message_parts):
        read_corpus(tmp_path, **options)


def test_a_square_matrix_and_one_without_names_are_turned_on_request(tmp_path, read):
    matrix_path = write_all(tmp_path, TEN | {"matrix.mtx.gz": X[:, :2].T, "features.tsv.gz": "E1\nE2\n"})
    for transpose, matrix in ((True, X[:, :2]), (False, X[:, :2].T)):
        assert read_corpus(matrix_path, transpose=transpose) == Corpus.from_csr(matrix, ("E1", "E2"))
    for format in ("mm", "npz"):
        transposed_corpus = read(VALID[format], transpose=True, vocab=["a", "b", "c"])
        assert (read(VALID[format]).to_csr() != transposed_corpus.to_csr().T).nnz == 0


def test_a_file_of_anndata_is_read_or_says_what_to_install(tmp_path, monkeypatch):
    (tmp_path / "t.h5ad").write_bytes(b"\x89HDF\r\n\x1a\n")
    with monkeypatch.context() as patch, refused("t.h5ad", "pip install anndata"):
        patch.setattr("lda_reference.formats.genes.find_spec", lambda name: None)
        read_corpus(tmp_path / "t.h5ad")
    anndata = pytest.importorskip("anndata")
    with refused("t.h5ad: no counts"):
        read_corpus(tmp_path / "t.h5ad")
    annotated_cells = anndata.AnnData(scipy.sparse.csr_matrix(X.astype(np.float32)))
    annotated_cells.var_names, annotated_cells.obs_names = ["a", "b", "b"], CELLS.split()
    for gene_id_column, words in (({}, ("a", "b", "b-1")), ({"gene_ids": ["E1", "E2", "E3"]}, ("a", "b (E2)", "b (E3)"))):
        annotated_cells.var = annotated_cells.var.assign(**gene_id_column)
        annotated_cells.write_h5ad(tmp_path / "t.h5ad")
        reading = formats.read(tmp_path / "t.h5ad")
        assert (reading.corpus, reading.names) == (Corpus.from_csr(X, words), CELLS.split())
