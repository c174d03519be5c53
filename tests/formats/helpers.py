"""Helpers of the tests of the formats: one corpus in every format, random corpora, and damaged bytes."""

import io
import re

import numpy as np
import pytest
import scipy.io
import scipy.sparse
from hypothesis import strategies as st

from lda_reference import Corpus, read_corpus
from lda_reference.formats.files import write_bytes

from ..helpers import write_corpus

WORDS = ("ash", "bay", "été", "fig", "ivy", "oak")
MM = "%%MatrixMarket matrix coordinate integer general\n"
# One corpus in every format: two documents with three tokens or more, and an empty one between them.
VALID = {
    "uci": b"3\n3\n4\n1 1 2\n1 3 1\n3 2 3\n3 3 1\n",
    "ldac": b"2 0:2 2:1\n0\n2 1:3 2:1\n",
    "mm": MM.encode() + b"% documents by words\n3 3 4\n1 1 2\n1 3 1\n3 2 3\n3 3 1\n",
    "text": b"ash ash fig\n\nbay fig bay bay\n",
}
ROWS = ([0, 0, 2, 2], [0, 2, 1, 2], [2, 1, 3, 1])
CORPUS = Corpus(*ROWS, 3, 3)


def npz(matrix_or_arrays):
    """The bytes of a file of a sparse matrix, or of arrays by name."""
    buffer = io.BytesIO()
    if isinstance(matrix_or_arrays, dict):
        np.savez(buffer, **matrix_or_arrays)
    else:
        scipy.sparse.save_npz(buffer, matrix_or_arrays)
    return buffer.getvalue()


VALID["npz"] = npz(scipy.sparse.csr_matrix(CORPUS.to_csr()))


def write(c, path, format):
    """Write a corpus, gzipped if the name says so; SciPy writes the two formats that are its own."""
    buffer = io.BytesIO()
    if format in ("uci", "ldac"):
        write_corpus(c, path, format)
        buffer.write(path.read_bytes())
    elif format == "mm":
        scipy.io.mmwrite(buffer, c.to_csr(), comment="two lines\nof comment", symmetry="general")
    elif format == "npz":
        scipy.sparse.save_npz(buffer, c.to_csr())
    else:
        documents = [[c.vocab[w] for w in c.tokens().w[c.tokens().j == j]] for j in range(c.D)]
        buffer.write("".join(" ".join(document) + "\n" for document in documents).encode())
    write_bytes(path, buffer.getvalue())


def refused(*message_parts):
    """Expect a ValueError whose message has these parts in this order."""
    return pytest.raises(ValueError, match=".*".join(map(re.escape, message_parts)))


def check_corpus_or_refusal(path, **options):
    """Assert that a file is a whole corpus, or is refused in one line that names it."""
    message = ""
    try:
        c = read_corpus(path, **options)
    except ValueError as error:
        message = str(error)
    if message:
        assert str(path) in message
        assert "\n" not in message
    else:
        assert c.is_types
        assert sum(c.n.tolist()) == c.N > 0
        assert len(c.vocab or ()) in (0, c.W)


@st.composite
def corpora(draw):
    """Types of up to five documents, some empty, with a vocabulary."""
    X = np.array(draw(st.lists(st.lists(st.integers(0, 3), min_size=6, max_size=6), min_size=1, max_size=5)))
    if not X.any():
        X[-1, draw(st.integers(0, 5))] = 1
    return Corpus.from_csr(X, WORDS)


TELLING_BYTES = [b"", b"\n", b" ", b"\t", b"\r", b":", b"-", b"+", b".", b"0", b"9", b"-1", b"1.0", b"1e3", b"nan", b"1_0", b"\x00", b"\x1c", b"\xa0", b"%"]
TELLING_BYTES += [b"1 1 1\n", b"\n\n", b"999999999999999999", b"9" * 20, b"PK", b"\x1f\x8b", "é".encode()]


@st.composite
def damaged(draw, content):
    """Bytes inserted, deleted, overwritten, or cut off at the end."""
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(content)))
        stop = draw(st.integers(start, min(start + 6, len(content))))
        content = content[:start] + draw(st.sampled_from(TELLING_BYTES) | st.binary(max_size=3)) + content[stop:]
    return content[: draw(st.integers(0, len(content)))] if draw(st.integers(0, 3)) == 0 else content
