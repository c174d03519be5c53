"""Corpora in files of every format: round trips, errors, damaged files, and real corpora."""

import codecs
import gzip

import numpy as np
import pytest
import scipy.io
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

from lda_reference import Corpus, formats, read_corpus

from .. import fuzz
from .helpers import CORPUS, MM, ROWS, VALID, WORDS, check_corpus_or_refusal, corpora, damaged, npz, refused, write


@pytest.mark.parametrize("suffix", ["", ".gz"])
@pytest.mark.parametrize("format", formats.FORMATS)
@settings(deadline=None, max_examples=fuzz.cases(8, 40))
@given(c=corpora())
def test_a_written_corpus_is_read_back(folder, format, suffix, c):
    path = folder / f"corpus{suffix}"
    write(c, path, format)
    assert read_corpus(path, format, vocab=WORDS) == c
    assert read_corpus(path, vocab=WORDS) == c  # the format is guessed
    if format != "text":
        assert read_corpus(path, W=c.W) == Corpus(c.j, c.w, c.n, c.D, c.W)


@pytest.mark.parametrize("format", formats.FORMATS)
def test_every_format_holds_the_same_corpus(read, format):
    vocab = None if format != "text" else ("ash", "bay", "fig")
    expected_corpus = Corpus(*ROWS, 3, 3, vocab)
    assert read(VALID[format], format=format, W=3) == expected_corpus
    assert read(gzip.compress(VALID[format]), "named without gz") == expected_corpus
    if format not in ("npz", "text"):
        for old, new in ((b"\n", b"\r\n"), (b" ", b" \t"), (VALID[format], VALID[format].removesuffix(b"\n")), (VALID[format], codecs.BOM_UTF8 + VALID[format])):
            assert read(VALID[format].replace(old, new)) == expected_corpus


def test_rows_may_have_any_order_and_counts_may_be_reals(read):
    assert read(b"3\n3\n4\n3 3 1\n1 3 1\n3 2 3\n1 1 2\n") == CORPUS
    assert read(b"2 2:1 0:2\n0\n2 2:1 1:3\n") == CORPUS
    assert read(VALID["mm"].replace(b"integer", b"real").replace(b"2 3\n", b"2 3.0\n").replace(b"1 2\n", b"1 2e0\n")) == CORPUS
    assert read(VALID["mm"].replace(b"integer", b"unsigned-integer")) == CORPUS  # as SciPy writes counts of type uint


@pytest.mark.parametrize("dtype", [int, float])
def test_a_symmetric_table_by_scipy_has_the_entries_on_both_sides_of_its_diagonal(tmp_path, dtype):
    X = np.array([[1, 2, 0], [2, 0, 3], [0, 3, 4]])
    scipy.io.mmwrite(tmp_path / "x.mtx", scipy.sparse.coo_array(X.astype(dtype)))
    assert b" symmetric\n" in (tmp_path / "x.mtx").read_bytes()
    assert read_corpus(tmp_path / "x.mtx") == Corpus.from_csr(X)


X = [[2, 0, 1], [0, 0, 0], [0, 1, 0], [0, 0, 0]]  # by ids or by words in alphabetical order


@pytest.mark.parametrize(("format", "content", "table_or_message"), [
    ("uci", "4\n3\n3\n1 1 2\n1 3 1\n3 2 1\n", X),
    ("ldac", "2 0:2 2:1\n0 \n1 1:1\n0 \n", X), ("ldac", "2 0:1 0:1\n", "line 1: "),
    ("ldac", "1 1:1\n", [[0, 1]]),
    ("mm", MM + "4 3 3\n1 1 2\n1 3 1\n3 2 1\n", X),
    ("npz", npz(scipy.sparse.coo_array(X)), X),
    ("npz", npz(scipy.sparse.coo_array(([1, 1], ([0, 0], [0, 0])))), [[2]]), ("npz", npz(scipy.sparse.csr_array(([1, 1], [0, 0], [0, 2]))), [[2]]),
    ("vw", "d1 |@default_class a:2 c\nd2 |\nd3 b\nd4|\n", X), ("vw", "| a:2.0 c\n|\n| b\n|\n\n", X), ("vw", "| a c a\n| \n| b:1\n|@default_class\n", X),
    ("vw", "| a\n\n| b\n", "line 2: '', which has no bar"),
    ("gibbslda", "4\na a c\n\nb\n\n", X), ("gibbslda", "4 \na a c \n \nb \n \n\n", X),
    ("mallet", "d1 en a a c\nd2 en\nd3 en b\nd4 en \n", X), ("text", "a a c\n\nb\n\n", X),
    ("mallet-state", "#doc source pos typeindex type topic\n#alpha : 1\n#beta : 1\n0 NA 0 4 c 0\n0 NA 1 1 a 0\n0 NA 2 1 a 0\n2 NA 0 2 b 0\n", X[:3]),
])  # fmt: skip
def test_each_format_has_the_ids_empty_documents_fractions_and_repeats_that_the_table_of_the_pages_says(read, format, content, table_or_message):
    content = content if isinstance(content, bytes) else content.encode()
    if isinstance(table_or_message, str):
        with refused(table_or_message):
            read(content, format=format)
    else:
        assert read(content, format=format).to_csr().toarray().tolist() == table_or_message


@pytest.mark.parametrize("W", [None, 3])
def test_the_first_documents_may_be_empty(read, W):
    # a file in UCI's format also begins with three lines of one number each
    assert read(b"0\n0\n0\n2 0:1 2:1\n", W=W) == Corpus([3, 3], [0, 2], [1, 1], 4, 3)


def test_a_text_may_begin_with_a_number_and_a_first_document_may_be_long(read):
    assert read(b"1984\nIt was a bright cold day\n").vocab == ("1984", "a", "bright", "cold", "day", "it", "was")
    ldac_line = b" ".join([b"3000", *(b"%d:1" % w for w in range(3000))])
    for n_blanks in range(7):  # so that the first 4,096 bytes also end with a pair
        assert read(ldac_line.replace(b" ", b" " * (n_blanks + 1), 1) + b"\n0\n").M == 3000


def test_a_folder_holds_one_document_per_file_in_the_order_of_the_names(tmp_path):
    for letter in "gbhdafce":
        (tmp_path / f"{letter}.txt").write_text("ash\n" * (ord(letter) - 95))
    (tmp_path / "a.txt").unlink()
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(b"fig", mtime=0))
    (tmp_path / ".hidden").write_text("oak")
    for inner_folder in ("c", "i/j"):
        (tmp_path / inner_folder).mkdir(parents=True)
    (tmp_path / "i" / "j" / "k").write_text("ash")
    expected_corpus = Corpus(range(9), [1] + [0] * 8, [1, 3, 4, 5, 6, 7, 8, 9, 1], 9, 2, ("ash", "fig"))
    assert read_corpus(tmp_path) == read_corpus(tmp_path, "text", W=2) == expected_corpus
    with refused(f"{tmp_path}: a folder, expected a file for format 'uci'"):
        read_corpus(tmp_path, "uci")
    (tmp_path / "d.txt").write_bytes(b"ash\n\xff")
    with refused(f"{tmp_path / 'd.txt'}, line 2: byte 0xff, expected plain text"):
        read_corpus(tmp_path)
    with refused(f"{tmp_path / 'c'}: an empty corpus"):
        read_corpus(tmp_path / "c")


def test_counts_with_too_large_a_sum_are_refused(read):
    uci_lines = "".join(f"1 {w + 1} {10**18 - 1}\n" for w in range(10))
    with refused("corpus: n adds up to 2**63 or more"):
        read(f"1\n10\n10\n{uci_lines}".encode(), format="uci")


UCI = [b"3\n3\n4\n", b"1 1 2\n", b"1 3 1\n", b"3 2 3\n", b"3 3 1\n"]


def uci(pair_text):
    """The valid file with another second pair, which is in line 5."""
    return b"".join([*UCI[:2], pair_text.encode(), b"\n", *UCI[3:]])


@pytest.mark.parametrize(
    ("format", "content", "line_number", "message"),
    [
        ("uci", b"", 1, "'', expected a line with the number of documents D and nothing else"),
        ("uci", b"3\n3.0\n1\n1 1 1\n", 2, "'3.0', expected a line with the number of words W and nothing else"),
        ("uci", uci("1 4 1"), 5, "word 4, expected 1 to 3"),
        ("uci", uci("1 3 0"), 5, "count 0, expected a whole number, 1 or more"),
        *(
            ("uci", uci(row), 5, f"{row!r}, expected document, word and count: whole numbers")
            for row in ("1 3 1.5", "1 3 1_0", "1 3 99999999999999999999", "1 3 ١", "1 3")
        ),
        ("uci", b"20\n999999999999999999\n4\n1 1 1\n6 1 1\n11 1 1\n1 1 1\n", 7, "document 1, word 1 again"),
        ("mm", VALID["mm"].replace(b"integer", b"real").replace(b"1 3 1\n", b"1 3 1.5\n"), 5, "count 1.5, expected a whole number, 1 or more"),
        ("mm", MM.replace("general", "skew-symmetric").encode() + b"1 1 1\n1 1 1\n", 1, "'%%MatrixMarket matrix coordinate integer skew-symmetric', expected %%MatrixMarket"),
        ("mm", MM.replace("general", "symmetric").encode() + b"2 3 1\n1 1 1\n", 2, "'2 3 1', expected as many rows as columns in a symmetric matrix"),
        ("mm", MM.replace("general", "symmetric").encode() + b"2 2 2\n1 1 1\n1 2 1\n", 4, "column 2, expected no entry above the diagonal of a symmetric matrix"),
        ("mm", MM.encode() + b"2 2 3\n1 1 1\n2 2 1\n1 1 1\n", 5, "row 1, column 1 again, expected each pair once, with the sum of its counts"),
        ("mm", MM.replace("integer", "pattern").encode() + b"1 1 1\n1 1\n", 1, "'pattern', expected integer, unsigned-integer or real entries"),
        ("ldac", b"1 0:1\n\n1 0:1\n", 2, "an empty line, expected a document, 0 if it has no words"),
        ("ldac", b"1 0:1\n2 0:1\n", 2, "1 pairs word:count after the number '2', expected as many pairs as the number"),
        *(
            ("ldac", b"1 0:1\n1 " + pair + b"\n", 2, f"{pair.decode('utf-8', 'replace')!r}, expected word:count")
            for pair in (b"0:", b"0:1:1", b"-1:1", b"0:0.5", b"\xff:1")
        ),
        ("text", b"ash\nfig \xe9t\xe9\n", 2, "byte 0xe9, expected plain text"),
        ("text", "ash".encode("utf-16-le"), 1, "byte 0x00, expected plain text"),
        ("text", b"{\\rtf1 ash}", 1, "RTF, expected plain text: save it as text"),
        ("uci", b"2\n2\n3\n1 1 1\n\x1c\n2", 5, "'\\x1c', expected document, word and count: whole numbers"),
        ("text", b"%PDF-1.7\nash", 1, "PDF, expected plain text: save it as text"),
    ],
)  # fmt: skip
def test_a_bad_file_is_refused_with_its_line(read, tmp_path, format, content, line_number, message):
    with refused(f"{tmp_path / 'corpus'}, line {line_number}: {message}"):
        read(content, format=format)


@pytest.mark.parametrize("sparse_type", [scipy.sparse.csr_matrix, scipy.sparse.csc_array, scipy.sparse.coo_matrix, scipy.sparse.bsr_array])
def test_npz_of_every_sparse_kind_is_read(read, sparse_type):
    assert read(npz(sparse_type(CORPUS.to_csr()))) == CORPUS
    assert read(npz(sparse_type(CORPUS.to_csr().astype(float)))) == CORPUS


@pytest.mark.parametrize(("svmlight_text", "line_number"), [
    ("# Generated by dump_svmlight_file from scikit-learn 1.9.1\n# Column indices are zero-based\n#\n1 1:1\n1 2:1\n", 4), ("1 1:1 # first\n1 2:1\n", 1),
    ("0 1:1 3:2\n0 \n0 2:1\n", 1), ("-1 1:1 3:2\n+1 2:1\n", 1), ("1.0 1:1\n2.0 2:0.5\n", 1), ("1,2 1:1 3:2\n2 2:1\n", 1), ("1 qid:1 1:1\n1 qid:1 2:1\n", 1), ("\n3 1:1\n2 2:1\n", 2),
])  # fmt: skip
def test_svmlight_is_refused_by_its_name_unless_its_labels_are_the_numbers_of_pairs(read, tmp_path, svmlight_text, line_number):
    with refused(f"{tmp_path / 'corpus'}, line {line_number}: ", "SVMlight", "expected", "save_npz", "load_svmlight_file", "format='ldac'"):
        read(svmlight_text.encode())


def test_lda_c_is_not_taken_for_svmlight_even_if_a_line_is_damaged(read, tmp_path):
    assert read(b"2 1:1 3:2\n0\n1 2:1\n") == Corpus([0, 0, 2], [1, 3, 2], [1, 2, 1], 3, 4)
    with refused(f"{tmp_path / 'corpus'}, line 4: 1 pairs word:count after the number '3'"):
        read(b"2 1:1 3:2\n1 2:1\n1 0:2\n3 0:1\n")


CSR_PARTS = {"shape": (2, 2), "data": np.array([1, 2]), "indices": np.array([0, 1]), "indptr": np.array([0, 1, 2])}
BROKEN_PARTS = ({"indices": np.array([-1, 1])}, {"indptr": np.array([0, 2, 1])}, {"shape": (3, 2, 1)})
NO_MATRICES = [{"X": np.eye(2)}, CSR_PARTS, CSR_PARTS | {"format": np.array(b"csr"), "data": np.array([1, None])}]
NO_MATRICES += [CSR_PARTS | broken_parts | {"format": np.array(sparse_format)} for sparse_format in (b"csr", b"csc") for broken_parts in BROKEN_PARTS]


@pytest.mark.parametrize(
    ("format", "content", "message"),
    [
        ("uci", b"2\n3\n0\n", "an empty corpus, expected at least one token"),
        ("uci", VALID["uci"].replace(b"3\n4\n", b"3\n5\n", 1), "4 pairs of document and word, expected 5, as the header says"),
        ("npz", npz(scipy.sparse.csr_array((2, 3), dtype=np.int64)), "an empty corpus, expected at least one token"),
        ("npz", npz(scipy.sparse.csr_array([[1, 0], [0, 0.5]])), "X[1, 1] is 0.5, expected a count"),
        ("npz", npz(scipy.sparse.coo_array([1, 2])), "X has 1 axes, expected 2"),
        *(("npz", npz(arrays), "neither a text nor a sparse matrix, expected") for arrays in NO_MATRICES),
        ("text", b"", "an empty corpus, expected at least one word"),
    ],
)  # fmt: skip
def test_a_file_of_another_size_or_of_nothing_and_a_bad_npz_are_refused(read, tmp_path, format, content, message):
    with refused(f"{tmp_path / 'corpus'}: {message}"):
        read(content, format=format)


@pytest.mark.parametrize(
    ("format", "options", "message"),
    [
        ("uci", {"format": "docword"}, "format is 'docword', expected one of uci, ldac, mm, npz, text, csv, jsonl"),
        ("ldac", {"vocab": ["ash"]}, "corpus, line 1: word 2, expected 0 to 0"),
        ("uci", {"stop": ["ash"]}, "vocab is missing, expected the words of"),
        ("uci", {"format": "uci", "column": "text"}, "column is 'text', expected none: "),
        ("text", {"column": "text"}, "column is 'text', expected one of those of "),
        ("uci", {"min_documents": 1.5}, "min_documents is 1.5, expected a whole number from 0"),
        ("uci", {"max_documents": float("nan")}, "max_documents is nan, expected a share above 0 and at most 1"),
        ("text", {"W": 4}, "corpus: a vocabulary of 3 words, expected 4"),
    ],
)  # fmt: skip
def test_options_that_do_not_fit_the_file_are_refused(read, format, options, message):
    with refused(message):
        read(VALID[format], **options)


@pytest.mark.parametrize("is_gzipped", [False, True])
@pytest.mark.parametrize("format", formats.FORMATS)
@settings(deadline=None, max_examples=fuzz.cases(60, 1500))
@given(drawn_source=st.data())
def test_a_damaged_file_is_refused_or_a_corpus(folder, format, is_gzipped, drawn_source):
    content = drawn_source.draw(damaged(gzip.compress(VALID[format], mtime=0) if is_gzipped else VALID[format]))
    path = folder / "damaged"
    path.write_bytes(content)
    check_corpus_or_refusal(path, format=drawn_source.draw(st.sampled_from([format, None])))
    fuzz.ran("damaged corpora")


@pytest.mark.parametrize(
    ("corpus_name", "vocab_name", "W", "published_sizes"),
    [
        ("kos/docword.kos.txt.gz", "kos/vocab.kos.txt.gz", None, (3430, 6906, 353160, 467714)),
        ("nips/docword.nips.txt.gz", "nips/vocab.nips.txt.gz", None, (1500, 12419, 746316, 1932365)),
        ("r8_soleimani/trdocs_7k.txt.gz", None, 6468, (5214, 6468, 188605, 288084)),
        ("reuters_lda395/reuters.ldac.gz", "reuters_lda395/reuters.tokens.gz", None, (395, 4258, 60114, 84010)),
    ],
)
def test_real_corpora_have_their_published_sizes(data_file, corpus_name, vocab_name, W, published_sizes):
    c = read_corpus(data_file(corpus_name), vocab=vocab_name and data_file(vocab_name), W=W)
    assert published_sizes == (c.D, c.W, c.M, c.N)
    assert c.is_types
    if vocab_name is not None:
        assert c.vocab == tuple(gzip.decompress(data_file(vocab_name).read_bytes()).decode().split())


def test_an_encoding_that_is_not_one_is_refused(tmp_path):
    (tmp_path / "t").write_bytes(b"\xe9t\xe9 ash")
    with refused("encoding is 'utf-9', expected a name such as utf-8, utf-16 or cp1252"):
        read_corpus(tmp_path / "t", encoding="utf-9")
    with refused(f"{tmp_path / 't'}, line 1: byte 0xe9, expected text in UTF-8 or ascii, not a PDF or an image"):
        read_corpus(tmp_path / "t", encoding="ascii")


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1"])
def test_an_encoding_is_that_of_the_texts_that_are_not_utf_8(tmp_path, encoding):
    for file_name, codec in (("a", "utf-8"), ("b", encoding), ("c", "utf-8-sig"), ("d", "ascii")):
        (tmp_path / file_name).write_bytes("été".encode(codec) if codec != "ascii" else b"ete")
    c = read_corpus(tmp_path, encoding=encoding)
    assert [c.vocab[w] for w in c.w] == ["été", "été", "été", "ete"]
    (tmp_path / "e.csv").write_text("text\nété\n", encoding="utf-8")
    assert read_corpus(tmp_path / "e.csv", column="text", encoding=encoding).vocab == ("été",)
