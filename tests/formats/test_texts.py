"""The texts of single documents, from every format of texts."""

import csv
import io
import json

import numpy as np
import pytest

from lda_reference import read_corpus
from lda_reference.formats import read_texts
from lda_reference.formats.files import write_bytes
from lda_reference.formats.text import tokenise

from .helpers import VALID, refused

TEXTS = ["Ash, BAY: \"ash\".", "", "Été; O'Neil saw 2 figs!", "ivy\tIVY  oak"]


def csv_text(texts, **csv_options):
    csv_file = io.StringIO()
    csv.writer(csv_file, **csv_options).writerows([["id", "body"], *([i, text] for i, text in enumerate(texts))])
    return csv_file.getvalue()


FILES = {
    "text": ("".join(f"{text}\n" for text in TEXTS), {"format": "text"}),
    "csv": (csv_text(TEXTS), {"column": "body"}),
    "semicolons": (csv_text(TEXTS, delimiter=";", lineterminator="\n"), {"column": "body", "format": "csv"}),
    "jsonl": ("\n".join(json.dumps({"id": i, "body": text or None}) for i, text in enumerate(TEXTS)), {"column": "body"}),
}


def check_texts(path, **options):
    c = read_corpus(path, **options)
    options = {option_name: option for option_name, option in options.items() if option_name in ("format", "column", "encoding")}
    assert read_texts(path, range(c.D), **options) == TEXTS
    assert read_texts(path, [2, 0, 2], **options) == [TEXTS[2], TEXTS[0], TEXTS[2]]
    for j, text in enumerate(TEXTS):
        words = tokenise(text)
        corpus_rows = np.flatnonzero(c.j == j)
        assert {c.vocab[c.w[i]]: c.n[i] for i in corpus_rows} == {word: words.count(word) for word in words}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1252"])
@pytest.mark.parametrize("is_gzipped", [False, True])
@pytest.mark.parametrize("file_kind", FILES)
def test_a_text_is_that_of_the_file(tmp_path, file_kind, is_gzipped, encoding):
    file_text, options = FILES[file_kind]
    path = tmp_path / ("t.gz" if is_gzipped else "t")
    write_bytes(path, file_text.encode(encoding))
    check_texts(path, encoding=encoding, **options)


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_a_text_is_that_of_the_file_in_the_folder(tmp_path, encoding):
    (tmp_path / "b").mkdir()
    for file_name, text in zip(("a.txt", "b.txt", "b/x.txt.gz", "c.txt"), (TEXTS[0], TEXTS[2], TEXTS[1], TEXTS[3]), strict=True):
        write_bytes(tmp_path / file_name, text.encode(encoding))
    (tmp_path / ".hidden").write_text("no")
    check_texts(tmp_path, encoding=encoding)


@pytest.mark.parametrize("format", [name for name in VALID if name != "text"])
def test_counts_have_no_texts(tmp_path, format):
    (tmp_path / "t").write_bytes(VALID[format])
    assert read_texts(tmp_path / "t", [0]) is None


def test_a_number_of_no_document_is_refused(tmp_path):
    (tmp_path / "t").write_text("ash\n")
    for j in (1, -1):
        with refused("t: 1 documents", f"expected one with number {j}, counted from 0"):
            read_texts(tmp_path / "t", [0, j], format="text")
