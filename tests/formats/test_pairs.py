"""UCI's docword files and Matrix Market."""

from pathlib import Path

import numpy as np
import pytest
import scipy.io
from hypothesis import given, settings
from hypothesis import strategies as st

from lda_reference import read_corpus, write_corpus
from lda_reference.formats import pairs

from .. import fuzz
from .helpers import CORPUS, VALID, WORDS, corpora, damaged, refused


@settings(deadline=None, max_examples=30)
@given(c=corpora())
def test_matrix_market_agrees_with_scipy(folder, c):
    for name in ("scipy.mtx", "scipy.mtx.gz"):
        path = folder / name
        write_corpus(c, path, "mm")
        np.testing.assert_array_equal(scipy.io.mmread(path, spmatrix=False).toarray(), c.to_csr().toarray())
    for X in (c.to_csr(), c.to_csr().astype(float)):
        path = folder / "scipy.mtx"
        scipy.io.mmwrite(path, X, comment="two lines\nof comment", symmetry="general")
        assert read_corpus(path, vocab=WORDS) == c


def test_counts_may_be_written_as_reals(read):
    assert read(VALID["mm"].replace(b"integer", b"real").replace(b"2 3\n", b"2 3.0\n").replace(b"1 2\n", b"1 2e0\n")) == CORPUS


# Each case: old text, new text, the line of the error after the header, what is found there, what is expected.
# A line of -1 is the end of the file.
BAD_PAIRS = [
    ("3\n3\n4\n", "3\n3\n5\n", -1, "the end of the file after 4 pairs", "5, as the header says"),
    ("3\n3\n4\n", "3\n3\n3\n", 4, "another pair", "3 pairs, as the header says"),
    ("1 3 1", "1 4 1", 2, "word 4", "1 to 3"),
    ("1 3 1", "1 0 1", 2, "word 0", "1 to 3"),
    ("1 3 1", "4 3 1", 2, "document 4", "1 to 3"),
    ("1 3 1", "0 3 1", 2, "document 0", "1 to 3"),
    ("1 3 1", "1 -3 1", 2, "word -3", "1 to 3"),
    ("1 3 1", "1 3 0", 2, "count 0", "1 or more"),
    ("1 3 1", "1 3 -1", 2, "count -1", "1 or more"),
    ("1 3 1", "1 3 1.5", 2, "'1.5'", "a whole number"),
    ("1 3 1", "1 3 nan", 2, "'nan'", "a whole number"),
    ("1 3 1", "1 3 1e400", 2, "'1e400'", "a whole number"),
    ("1 3 1", "1 3 1_0", 2, "'1_0'", "a whole number"),
    ("1 3 1", "1 3 1000000000000000000", 2, "'1000000000000000000'", "a whole number"),
    ("1 3 1", "1 3 99999999999999999999", 2, "'99999999999999999999'", "a whole number"),
    ("1 3 1", "1 3 one", 2, "'one'", "a whole number"),
    ("1 3 1", "1 3 ١", 2, "'١'", "a whole number"),
    ("1 3 1", "1.5 3 1", 2, "'1.5'", "a whole number"),
    ("1 3 1", "1 3", 2, "'1 3'", "document, word and count"),
    ("1 3 1", "1  1", 2, "'1  1'", "document, word and count"),
    ("1 3 1", "1 3 1 1", 2, "'1 3 1 1'", "document, word and count"),
    ("1 3 1\n3 2 3", "1 3 1 3\n2 3", 2, "'1 3 1 3'", "document, word and count"),
    ("1 3 1\n", "1 3 1\r", 2, r"'1 3 1\r3 2 3'", "document, word and count"),
    ("1 3 1", "1\N{NO-BREAK SPACE}3 1", 2, r"'1\xa03 1'", "document, word and count"),
    ("1 3 1", "1 1 1", 2, "document 1, word 1 again, as in line", "each pair once"),
    ("3 2 3", "1 1 3", 3, "document 1, word 1 again, as in line", "each pair once"),
]


def replaced(format, old, new):
    text = VALID[format].decode()
    if format == "mm":  # its header is one line
        old, new = ("3 3 4\n", new.replace("\n", " ", 2)) if old == "3\n3\n4\n" else (old, new)
    assert text.count(old) == 1
    return text.replace(old, new).encode()


@pytest.mark.parametrize(("old", "new", "row", "found", "expected"), BAD_PAIRS)
@pytest.mark.parametrize(("format", "header"), [("uci", 3), ("mm", 3)])
def test_bad_rows_of_uci_and_matrix_market_are_refused(read, tmp_path, format, header, old, new, row, found, expected):
    line = header + (row if row > 0 else 5)
    with refused(f"{tmp_path / 'corpus'}, line {line}: {found}", f"expected {expected}"):
        read(replaced(format, old, new), format=format)


def test_duplicates_among_large_numbers_are_found(read):
    with refused("corpus, line 7: document 1, word 1 again, as in line 4"):
        read(b"20\n999999999999999999\n4\n1 1 1\n6 1 1\n11 1 1\n1 1 1\n", format="uci")


def a_row(j, w, n, sep, end):
    return sep.join(map(str, (j, w, n))).encode() + end


bodies = st.lists(
    st.builds(a_row, st.integers(0, 4), st.integers(1, 4), st.integers(0, 3) | st.integers(10**18 - 2, 10**19), st.sampled_from([" ", "  ", "\t"]), st.sampled_from([b"\n", b"\r\n", b"\n\n"])),
    max_size=5,
).map(b"".join)  # fmt: skip


@settings(deadline=None, max_examples=fuzz.cases(1000, 5000))
@given(data=st.data())
def test_the_two_readers_of_rows_agree(data):
    valid = VALID["uci"].split(b"\n", 3)[3]
    body = data.draw(bodies | damaged(valid) | st.just(valid))
    sizes = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4)), data.draw(st.integers(0, 6) | st.just(body.count(b"\n")))
    fast = pairs.rows_at_once(body, *sizes)
    if fast is not None:
        slow = pairs.rows_by_line(Path("body"), body, *sizes, 4)  # it raises an error if the body is bad
        np.testing.assert_array_equal(fast, sorted(slow.tolist()))
    fuzz.ran("rows of files")


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_ordinary_files_are_read_at_once(read, monkeypatch, end):
    for body in (b"1 1 2\n1 3 1\n3 2 3\n", b"3 2 3\n1 3 1\n1 1 2\n", b"1 1 2\n1 3 1\n3 2 3"):
        fast = pairs.rows_at_once(body.replace(b"\n", end), 3, 3, 3)
        np.testing.assert_array_equal(fast, [[1, 1, 2], [1, 3, 1], [3, 2, 3]])
    monkeypatch.delattr(pairs, "rows_by_line")
    for format in ("uci", "mm"):
        assert read(VALID[format].replace(b"\n", end)) == CORPUS
