"""Corpora in files: round trips, errors and their words, damaged files, interrupted writes, and real corpora."""

import gzip
import io
import os
import re
from pathlib import Path

import numpy as np
import pytest
import scipy.io
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

from lda_reference import Corpus, formats, read_corpus, write_corpus
from lda_reference.formats import pairs

WORDS = ("ash", "bay", "été", "fig", "ivy", "oak")
MM = "%%MatrixMarket matrix coordinate integer general\n"

# One corpus in every format: two documents of three words, and between them one without words.
VALID = {
    "uci": b"3\n3\n4\n1 1 2\n1 3 1\n3 2 3\n3 3 1\n",
    "ldac": b"2 0:2 2:1\n0\n2 1:3 2:1\n",
    "mm": MM.encode() + b"% documents by words\n3 3 4\n1 1 2\n1 3 1\n3 2 3\n3 3 1\n",
    "text": b"ash ash fig\n\nbay fig bay bay\n",
}
ROWS = ([0, 0, 2, 2], [0, 2, 1, 2], [2, 1, 3, 1])
CORPUS = Corpus(*ROWS, 3, 3)


def npz(X):
    buffer = io.BytesIO()
    scipy.sparse.save_npz(buffer, X)
    return buffer.getvalue()


VALID["npz"] = npz(scipy.sparse.csr_matrix(CORPUS.to_csr()))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("corpora")


@pytest.fixture
def read(tmp_path):
    """A function that reads bytes as a file of a given name."""

    def run(data, name="corpus", **options):
        (tmp_path / name).write_bytes(data)
        return read_corpus(tmp_path / name, **options)

    return run


def refused(*parts):
    """Expect a ValueError whose message has these parts in this order."""
    return pytest.raises(ValueError, match=".*".join(map(re.escape, parts)))


@st.composite
def corpora(draw):
    """Types of up to five documents, some empty, with a vocabulary."""
    X = np.array(draw(st.lists(st.lists(st.integers(0, 3), min_size=6, max_size=6), min_size=1, max_size=5)))
    if not X.any():
        X[-1, draw(st.integers(0, 5))] = 1
    return Corpus.from_csr(X, WORDS)


# Round trips ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", ["", ".gz"])
@pytest.mark.parametrize("format", formats.FORMATS)
@settings(deadline=None, max_examples=40)
@given(c=corpora())
def test_what_is_written_is_read_again(folder, format, suffix, c):
    path, vocab = folder / f"corpus{suffix}", folder / f"vocab{suffix}"
    write_corpus(c, path, format, vocab)
    assert read_corpus(path, format, vocab) == c
    assert read_corpus(path, vocab=vocab) == c  # the format is guessed
    assert read_corpus(path, vocab=WORDS) == c
    assert (path.read_bytes()[:2] == b"\x1f\x8b") == (suffix == ".gz")
    if format != "text":
        assert read_corpus(path, W=c.W) == Corpus(c.j, c.w, c.n, c.D, c.W)
    write_corpus(c.tokens(), path, format)  # tokens are written as their types
    assert read_corpus(path, vocab=vocab) == c


@pytest.mark.parametrize("format", formats.FORMATS)
def test_every_format_holds_the_same_corpus(read, format):
    words = None if format != "text" else ("ash", "bay", "fig")
    same = Corpus(*ROWS, 3, 3, words)
    assert read(VALID[format]) == same
    assert read(VALID[format], format=format, W=3) == same
    assert read(gzip.compress(VALID[format]), "named without gz") == same
    if format not in ("npz", "text"):
        assert read(VALID[format].replace(b"\n", b"\r\n")) == same
        assert read(VALID[format].removesuffix(b"\n")) == same
        assert read(VALID[format].replace(b" ", b" \t")) == same


@pytest.mark.parametrize("format", ["uci", "mm"])
@settings(deadline=None, max_examples=20)
@given(c=corpora(), seed=st.integers(0, 2**32))
def test_rows_may_come_in_any_order(folder, format, c, seed):
    path = folder / "shuffled"
    write_corpus(c, path, format)
    lines = path.read_bytes().splitlines(keepends=True)
    head = len(lines) - c.M
    order = np.random.default_rng(seed).permutation(c.M) + head
    path.write_bytes(b"".join(lines[:head] + [lines[i] for i in order]))
    assert read_corpus(path, vocab=WORDS) == c


def test_pairs_of_ldac_may_come_in_any_order_and_W_may_be_left_out(read):
    assert read(b"3 4:1 0:2 1:5\n") == Corpus([0, 0, 0], [0, 1, 4], [2, 5, 1], 1, 5)


@pytest.mark.parametrize("W", [None, 3])
def test_documents_without_words_may_come_first(read, W):
    # a file of UCI's also begins with three numbers, each alone on its line
    assert read(b"0\n0\n0\n2 0:1 2:1\n", W=W) == Corpus([3, 3], [0, 2], [1, 1], 4, 3)


@pytest.mark.parametrize("blank", [b" ", b"\t"])
def test_a_first_document_longer_than_the_guess_reads(read, blank):
    line = blank.join([b"3000", *(b"%d:1" % w for w in range(3000))])
    assert read(line + b"\n0\n").M == 3000


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


@pytest.mark.parametrize("kind", [getattr(scipy.sparse, f"{a}_{b}") for a in ("csr", "csc", "coo", "bsr") for b in ("array", "matrix")])
def test_npz_of_any_sparse_kind(read, kind):
    assert read(npz(kind(CORPUS.to_csr()))) == CORPUS
    assert read(npz(kind(CORPUS.to_csr().astype(float)))) == CORPUS


def test_counts_may_be_written_as_reals(read):
    assert read(VALID["mm"].replace(b"integer", b"real").replace(b"2 3\n", b"2 3.0\n").replace(b"1 2\n", b"1 2e0\n")) == CORPUS


def test_the_same_bytes_for_the_same_corpus(folder):
    for name in ("one.gz", "two.gz"):
        write_corpus(CORPUS, folder / name, "uci")
    assert (folder / "one.gz").read_bytes() == (folder / "two.gz").read_bytes()


# Texts ---------------------------------------------------------------------------------------------------------------


def test_texts_are_words_in_lower_case(read):
    c = read("Ash, ÉTÉ!\u2028fig_42\x0cash\n\nash".encode(), format="text")  # only line feeds end a document
    assert c == Corpus([0, 0, 0, 2], [0, 1, 2, 0], [2, 1, 1, 1], 3, 3, ("ash", "fig", "été"))


def test_texts_keep_the_words_of_the_vocabulary_and_leave_the_stop_words_out(read, tmp_path):
    (tmp_path / "stop").write_text("oak\n")
    expected = Corpus([0, 1], [1, 1], [1, 2], 2, 2, ("ivy", "fig"))
    for stop in (["oak"], tmp_path / "stop", str(tmp_path / "stop")):
        c = read(b"oak fig ash\nfig fig\n", vocab=("ivy", "fig"), stop=stop)
        assert c == expected
    assert read(b"oak fig ash\n", stop=["oak"]).vocab == ("ash", "fig")


def test_a_folder_holds_one_document_per_file_in_the_order_of_the_names(tmp_path):
    names = "gbhdafce"
    for name in names:
        (tmp_path / f"{name}.txt").write_text("ash\n" * (ord(name) - 95))
    (tmp_path / "a.txt").unlink()
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(b"fig"))
    (tmp_path / ".hidden").write_text("oak")
    (tmp_path / "c").mkdir()
    expected = Corpus(range(8), [1] + [0] * 7, [1, 3, 4, 5, 6, 7, 8, 9], 8, 2, ("ash", "fig"))
    assert read_corpus(tmp_path) == read_corpus(tmp_path, "text", W=2) == expected
    with refused(f"{tmp_path}: a folder, expected a file for format 'uci'"):
        read_corpus(tmp_path, "uci")
    (tmp_path / "d.txt").write_bytes(b"ash\n\xff")
    with refused(f"{tmp_path / 'd.txt'}, line 2: byte 0xff, expected text in UTF-8"):
        read_corpus(tmp_path)
    with refused(f"{tmp_path / 'c'}: an empty corpus"):
        read_corpus(tmp_path / "c")


# Bad input -----------------------------------------------------------------------------------------------------------

# A change to the valid file, the line of the error counted from the header, what is found there, what is expected.
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
def test_bad_rows_of_uci_and_matrix_market(read, tmp_path, format, header, old, new, row, found, expected):
    line = header + (row if row > 0 else 5)
    with refused(f"{tmp_path / 'corpus'}, line {line}: {found}", f"expected {expected}"):
        read(replaced(format, old, new), format=format)


def test_duplicates_are_found_however_large_the_numbers(read):
    with refused("corpus, line 7: document 1, word 1 again, as in line 4"):
        read(b"20\n999999999999999999\n4\n1 1 1\n6 1 1\n11 1 1\n1 1 1\n", format="uci")


@pytest.mark.parametrize("format", ["uci", "mm", "ldac"])
def test_counts_that_add_up_to_too_much(read, format):
    row, pairs = {"uci": ("1 {} {}", "1\n10\n10\n"), "mm": ("1 {} {}", MM + "1 10 10\n"), "ldac": ("{}:{}", "10 ")}[format]
    body = (" " if format == "ldac" else "\n").join(row.format(w + (format != "ldac"), 10**18 - 1) for w in range(10))
    with refused("corpus: n adds up to 2**63 or more"):
        read(f"{pairs}{body}\n".encode(), format=format)


@pytest.mark.parametrize(
    ("format", "data", "line", "message"),
    [
        ("uci", b"", 1, "'', expected a line with the number of documents D and nothing else"),
        ("uci", b"3\n", 2, "'', expected a line with the number of words W and nothing else"),
        ("uci", b"3\n3\n", 3, "'', expected a line with the number of pairs NNZ and nothing else"),
        ("uci", b"3\n3.0\n1\n1 1 1\n", 2, "'3.0', expected a line with the number of words W and nothing else"),
        ("uci", b"-3\n3\n1\n1 1 1\n", 1, "'-3', expected a line with the number of documents D and nothing else"),
        ("uci", b"3 3 1\n1 1 1\n", 1, "'3 3 1', expected a line with the number of documents D and nothing else"),
        ("uci", b"1\n1\n2\n1 1 1\n", 5, "the end of the file after 1 pairs, expected 2, as the header says"),
        ("mm", b"", 1, "'', expected %%MatrixMarket matrix coordinate integer general"),
        ("mm", b"1 1 1\n1 1 1\n", 1, "'1 1 1', expected %%MatrixMarket matrix coordinate integer general"),
        ("mm", MM.replace("general", "symmetric").encode() + b"1 1 1\n1 1 1\n", 1, "'%%MatrixMarket matrix coordinate integer symmetric', expected %%MatrixMarket"),
        ("mm", MM.replace("coordinate", "array").encode() + b"1 1\n1\n", 1, "'%%MatrixMarket matrix array integer general', expected %%MatrixMarket"),
        ("mm", MM.replace("integer", "pattern").encode() + b"1 1 1\n1 1\n", 1, "'pattern', expected integer or real entries"),
        ("mm", MM.encode(), 2, "'', expected three numbers: documents, words, entries"),
        ("mm", MM.encode() + b"%\n\n2 -2 1\n", 4, "'2 -2 1', expected three numbers: documents, words, entries"),
        ("mm", MM.encode() + b"%\n\n2 2 1\n\n1 1 x\n", 6, "'x', expected a whole number"),
        ("ldac", b"1 0:1\n\n1 0:1\n", 2, "an empty line, expected a document, 0 if it has no words"),
        ("ldac", b"1 0:1\n2 0:1\n", 2, "1 pairs word:count after the number '2', expected as many pairs as the number"),
        ("ldac", b"1 0:1\n1 0:1 1:1\n", 2, "2 pairs word:count after the number '1', expected as many pairs as the number"),
        ("ldac", b"one 0:1\n", 1, "'one', expected a whole number"),
        ("ldac", b"1 0\n", 1, "'0', expected word:count"),
        ("ldac", b"1 0:\n", 1, "'', expected a whole number"),
        ("ldac", b"1 0:1:1\n", 1, "'1:1', expected a whole number"),
        ("ldac", b"1 0:1\n1 -1:1\n", 2, "word -1, expected 0 or more"),
        ("ldac", b"1 0:0\n", 1, "count 0, expected 1 or more"),
        ("ldac", b"1 0:-1\n", 1, "count -1, expected 1 or more"),
        ("ldac", b"1 0:0.5\n", 1, "'0.5', expected a whole number"),
        ("ldac", b"2 3:1 3:1\n", 1, "word 3 again, expected each word once per document"),
        ("ldac", b"1 \xff:1\n", 1, "'\N{REPLACEMENT CHARACTER}', expected a whole number"),
        ("text", b"ash\nfig \xe9t\xe9\n", 2, "byte 0xe9, expected text in UTF-8"),
    ],
)
def test_a_bad_file_is_refused_with_its_line(read, tmp_path, format, data, line, message):
    with refused(f"{tmp_path / 'corpus'}, line {line}: {message}"):
        read(data, format=format)


@pytest.mark.parametrize(
    ("format", "data", "message"),
    [
        ("uci", b"2\n3\n0\n", "an empty corpus, expected at least one token"),
        ("ldac", b"0\n0\n", "an empty corpus, expected at least one token"),
        ("ldac", b"", "an empty file, expected one line per document"),
        ("mm", MM.encode() + b"2 3 0\n", "an empty corpus, expected at least one token"),
        ("npz", npz(scipy.sparse.csr_array((2, 3), dtype=np.int64)), "an empty corpus, expected at least one token"),
        ("npz", b"", "not a sparse matrix written by scipy.sparse.save_npz"),
        ("text", b"", "an empty corpus, expected at least one word (of the vocabulary, if one is given)"),
        ("text", b"\n42 !\n", "an empty corpus, expected at least one word (of the vocabulary, if one is given)"),
    ],
)
def test_an_empty_corpus_is_refused(read, tmp_path, format, data, message):
    for guess in (format, None) if data else (format,):
        with refused(f"{tmp_path / 'corpus'}: {message}"):
            read(data, format=guess)


def test_an_empty_file_of_no_known_format(read, tmp_path):
    with refused(f"{tmp_path / 'corpus'}: an empty corpus"):
        read(b"")


def saved(**arrays):
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


PARTS = {"shape": (2, 2), "data": np.array([1, 2]), "indices": np.array([0, 1]), "indptr": np.array([0, 1, 2])}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (npz(scipy.sparse.csr_array([[1, 0], [0, -2]])), "X[1, 1] is -2, expected a count"),
        (npz(scipy.sparse.csr_array([[1, 0], [0, 0.5]])), "X[1, 1] is 0.5, expected a count"),
        (npz(scipy.sparse.csr_array([[1, np.nan], [0, 1]])), "X[0, 1] is nan, expected a count"),
        (npz(scipy.sparse.csr_array([[1j]])), "X holds complex128, expected counts"),
        (npz(scipy.sparse.coo_array([1, 2])), "X has 1 axes, expected 2"),
        (saved(X=np.eye(2)), "not a sparse matrix written by scipy.sparse.save_npz"),
        (saved(**PARTS), "not a sparse matrix written by scipy.sparse.save_npz"),
        (saved(format=np.array(b"csr"), **PARTS | {"data": np.array([1, None])}), "not a sparse matrix written by scipy.sparse.save_npz (ValueError: Object arrays"),
        *(
            (saved(format=np.array(kind), **PARTS | broken), "not a sparse matrix written by scipy.sparse.save_npz")
            for kind in (b"csr", b"csc")
            for broken in ({"indices": np.array([0, 2])}, {"indices": np.array([-1, 1])}, {"indptr": np.array([0, 2, 1])}, {"shape": (3, 2, 1)}, {"data": np.array([1])})
        ),
    ],
)
def test_a_bad_npz_is_refused(read, tmp_path, data, message):
    with refused(f"{tmp_path / 'corpus'}: {message}"):
        read(data)


@pytest.mark.parametrize("format", formats.FORMATS)
def test_truncated_or_damaged_gzip(read, tmp_path, format):
    whole = gzip.compress(VALID[format], mtime=0)
    flipped = whole[:-6] + bytes([whole[-6] ^ 1]) + whole[-5:]  # in the checksum
    for data in (*(whole[:n] for n in range(2, len(whole))), flipped, whole + b"more"):
        with refused(f"{tmp_path / 'corpus.gz'}: truncated or damaged gzip", "expected a whole file"):
            read(data, "corpus.gz", format=format)
    with refused(f"{tmp_path / 'corpus.gz'}: not gzipped, expected gzip because of the name"):
        read(VALID[format], "corpus.gz", format=format)


@pytest.mark.parametrize(
    ("data", "where", "message"),
    [
        (b"ash\nbay\nash\n", ", line 3", "'ash' again, as in line 1, expected each word once"),
        (b"ash\n\nbay\n", ", line 2", "an empty line, expected a word"),
        (b"ash\nbay\n \n", ", line 3", "an empty line, expected a word"),
        (b"ash\nbay\n\xff\n", ", line 3", "byte 0xff, expected text in UTF-8"),
        (b"ash\nbay\n", "", "2 words, expected 3, as many as"),
        (b"ash\nbay\nfig\noak\n", "", "4 words, expected 3, as many as"),
        (b"", "", "0 words, expected 3, as many as"),
        (gzip.compress(b"ash\nbay\nfig\n")[:-1], "", "truncated or damaged gzip"),
    ],
)
def test_a_bad_vocabulary_is_refused(read, tmp_path, data, where, message):
    (tmp_path / "vocab").write_bytes(data)
    with refused(f"{tmp_path / 'vocab'}{where}: {message}"):
        read(VALID["uci"], vocab=tmp_path / "vocab")


@pytest.mark.parametrize("data", [b"ash\nbay\nfig\n", b"ash\nbay\nfig", b"\xef\xbb\xbfash\r\nbay\r\nfig\r\n", gzip.compress(b"ash\nbay\nfig\n")])
def test_a_vocabulary_has_one_word_per_line(read, tmp_path, data):
    (tmp_path / "vocab").write_bytes(data)
    assert read(VALID["uci"], vocab=tmp_path / "vocab").vocab == ("ash", "bay", "fig")


@pytest.mark.parametrize(
    ("format", "options", "message"),
    [
        ("uci", {"format": "docword"}, "format is 'docword', expected one of uci, ldac, mm, npz, text"),
        ("uci", {"vocab": ["ash"]}, "vocab: 1 words, expected 3, as many as"),
        ("ldac", {"vocab": ["ash"]}, "corpus, line 1: word 2, expected 0 to 0"),
        ("ldac", {"W": 2}, "corpus, line 1: word 2, expected 0 to 1"),
        ("ldac", {"W": 4, "vocab": WORDS}, "vocab: 6 words, expected 4, as many as"),
        ("uci", {"stop": ["ash"]}, "stop is given for format 'uci', expected it for plain text only"),
        *((format, {"W": 4}, "corpus: a vocabulary of 3 words, expected 4") for format in ("uci", "mm", "npz", "text")),
    ],
)
def test_options_that_do_not_fit_the_file(read, format, options, message):
    with refused(message):
        read(VALID[format], **options)


@pytest.mark.parametrize(
    ("c", "format", "message"),
    [
        (CORPUS, "docword", "format is 'docword', expected one of uci, ldac, mm, npz, text"),
        (CORPUS, "text", "c.vocab is None, expected a vocabulary to write"),
        (CORPUS, "uci", "c.vocab is None, expected a vocabulary to write"),
        (Corpus(*ROWS, 3, 3, ("ash", "", "fig")), "uci", "vocab, line 2: an empty line, expected a word"),
        (Corpus(*ROWS, 3, 3, ("ash", "fig", "fig")), "uci", "vocab, line 3: 'fig' again, as in line 2"),
        (Corpus(*ROWS, 3, 3, ("ash", "b\nay", "fig")), "uci", "c.vocab has a word with a line break in it"),
        (Corpus(*ROWS, 3, 3, ("ash", "bay ", "fig")), "uci", "c.vocab has a word with a line break in it or blanks around it, expected one word per line"),
    ],
)
def test_what_cannot_be_read_again_is_not_written(tmp_path, c, format, message):
    with refused(message):
        write_corpus(c, tmp_path / "corpus", format, tmp_path / "vocab")
    assert not list(tmp_path.iterdir())


# Damaged files -------------------------------------------------------------------------------------------------------

TELLING = [b"", b"\n", b" ", b"\t", b"\r", b":", b"-", b"+", b".", b"0", b"9", b"-1", b"1.0", b"1e3", b"nan", b"1_0", b"\x00", b"\x1c", b"\xa0", b"%"]
TELLING += [b"1 1 1\n", b"\n\n", b"999999999999999999", b"9" * 20, b"PK", b"\x1f\x8b", "é".encode()]


@st.composite
def damaged(draw, data):
    """Bytes inserted, deleted, overwritten, or cut off at the end."""
    for _ in range(draw(st.integers(1, 3))):
        a = draw(st.integers(0, len(data)))
        b = draw(st.integers(a, min(a + 6, len(data))))
        data = data[:a] + draw(st.sampled_from(TELLING) | st.binary(max_size=3)) + data[b:]
    return data[: draw(st.integers(0, len(data)))] if draw(st.integers(0, 3)) == 0 else data


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("format", formats.FORMATS)
@settings(deadline=None, max_examples=300)
@given(data=st.data())
def test_a_damaged_file_is_refused_or_a_corpus(folder, format, packed, data):
    raw = data.draw(damaged(gzip.compress(VALID[format], mtime=0) if packed else VALID[format]))
    path = folder / "damaged"
    path.write_bytes(raw)
    c, complaint = None, ""
    try:
        c = read_corpus(path, data.draw(st.sampled_from([format, None])))
    except ValueError as error:
        complaint = str(error)
    if c is None:
        assert complaint.startswith(str(path))
    else:
        assert c == Corpus(c.j, c.w, c.n, c.D, c.W, c.vocab)
        assert c.is_types
        assert sum(c.n.tolist()) == c.N > 0


def a_row(j, w, n, sep, end):
    return sep.join(map(str, (j, w, n))).encode() + end


bodies = st.lists(
    st.builds(a_row, st.integers(0, 4), st.integers(1, 4), st.integers(0, 3) | st.integers(10**18 - 2, 10**19), st.sampled_from([" ", "  ", "\t"]), st.sampled_from([b"\n", b"\r\n", b"\n\n"])),
    max_size=5,
).map(b"".join)  # fmt: skip


@settings(deadline=None, max_examples=1000)
@given(data=st.data())
def test_rows_at_once_and_rows_by_line_agree(data):
    valid = VALID["uci"].split(b"\n", 3)[3]
    body = data.draw(bodies | damaged(valid) | st.just(valid))
    sizes = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4)), data.draw(st.integers(0, 6) | st.just(body.count(b"\n")))
    fast = pairs.rows_at_once(body, *sizes)
    if fast is not None:
        slow = pairs.rows_by_line(Path("body"), body, *sizes, 4)  # it raises an error if it does not accept the body
        np.testing.assert_array_equal(fast, sorted(slow.tolist()))


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_ordinary_files_are_read_at_once(read, monkeypatch, end):
    for body in (b"1 1 2\n1 3 1\n3 2 3\n", b"3 2 3\n1 3 1\n1 1 2\n", b"1 1 2\n1 3 1\n3 2 3"):
        fast = pairs.rows_at_once(body.replace(b"\n", end), 3, 3, 3)
        np.testing.assert_array_equal(fast, [[1, 1, 2], [1, 3, 1], [3, 2, 3]])
    monkeypatch.delattr(pairs, "rows_by_line")
    for format in ("uci", "mm"):
        assert read(VALID[format].replace(b"\n", end)) == CORPUS


# Killed writes -------------------------------------------------------------------------------------------------------


class Killed(BaseException):
    pass


def killed(*_):
    raise Killed


def half_written(path, data):
    with open(path, "wb") as file:
        file.write(data[: len(data) // 2])
    raise Killed


@pytest.mark.parametrize("suffix", ["", ".gz"])
@pytest.mark.parametrize(("owner", "name", "death"), [(os, "replace", killed), (Path, "write_bytes", half_written)])
def test_a_killed_write_leaves_the_old_file_whole_and_no_other(tmp_path, monkeypatch, suffix, owner, name, death):
    path, fresh = tmp_path / f"corpus{suffix}", tmp_path / f"fresh{suffix}"
    write_corpus(CORPUS, path, "uci")
    before = path.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(owner, name, death)
        for target in (path, fresh):
            with pytest.raises(Killed):
                write_corpus(Corpus([0], [0], [1], 1, 1), target, "uci")
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
    assert read_corpus(path) == CORPUS


# Real corpora --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "vocab", "W", "sizes"),
    [
        ("kos/docword.kos.txt.gz", "kos/vocab.kos.txt.gz", None, (3430, 6906, 353160, 467714)),
        ("nips/docword.nips.txt.gz", "nips/vocab.nips.txt.gz", None, (1500, 12419, 746316, 1932365)),
        ("r8_soleimani/trdocs_7k.txt.gz", None, 6468, (5214, 6468, 188605, 288084)),
        ("reuters_lda395/reuters.ldac.gz", "reuters_lda395/reuters.tokens.gz", None, (395, 4258, 60114, 84010)),
    ],
)
def test_real_corpora_have_their_published_sizes(data_file, name, vocab, W, sizes):
    c = read_corpus(data_file(name), vocab=vocab and data_file(vocab), W=W)
    found = (c.D, c.W, c.M, c.N)
    assert found == sizes
    assert c.is_types
    if vocab is not None:
        assert c.vocab == tuple(gzip.decompress(data_file(vocab).read_bytes()).decode().split())


def test_kos_is_what_numpy_reads(data_file):
    path = data_file("kos/docword.kos.txt.gz")
    c = read_corpus(path)
    np.testing.assert_array_equal(np.column_stack([c.j + 1, c.w + 1, c.n]), np.loadtxt(path, np.int64, skiprows=3))
