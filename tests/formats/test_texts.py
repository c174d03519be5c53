"""The texts of single documents, from every format of texts."""

import csv
import gzip
import io
import json

import numpy as np
import pytest

from lda_reference import read_corpus
from lda_reference.formats import read_texts
from lda_reference.formats.text import tokenise

from .helpers import VALID, refused

TEXTS = ["Ash, BAY: \"ash\".", "", "Été; O'Neil saw 2 figs!", "ivy\tIVY  oak"]


def table(texts, **style):
    out = io.StringIO()
    csv.writer(out, **style).writerows([["id", "body"], *([i, x] for i, x in enumerate(texts))])
    return out.getvalue()


FILES = {
    "text": ("".join(f"{x}\n" for x in TEXTS), {"format": "text"}),
    "csv": (table(TEXTS), {"column": "body"}),
    "semicolons": (table(TEXTS, delimiter=";", lineterminator="\n"), {"column": "body", "format": "csv"}),
    "jsonl": ("\n".join(json.dumps({"id": i, "body": x or None}) for i, x in enumerate(TEXTS)), {"column": "body"}),
}


def check(path, **options):
    c = read_corpus(path, **options)
    options = {name: x for name, x in options.items() if name in ("format", "column", "encoding")}
    assert read_texts(path, range(c.D), **options) == TEXTS
    assert read_texts(path, [2, 0, 2], **options) == [TEXTS[2], TEXTS[0], TEXTS[2]]
    for j, text in enumerate(TEXTS):
        words = tokenise(text)
        rows = np.flatnonzero(c.j == j)
        assert {c.vocab[c.w[i]]: c.n[i] for i in rows} == {word: words.count(word) for word in words}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1252"])
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", FILES)
def test_a_text_is_that_of_the_file(tmp_path, name, packed, encoding):
    text, options = FILES[name]
    data = text.encode(encoding)
    path = tmp_path / ("t.gz" if packed else "t")
    path.write_bytes(gzip.compress(data) if packed else data)
    check(path, encoding=encoding, **options)


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_a_text_is_that_of_the_file_in_the_folder(tmp_path, encoding):
    (tmp_path / "b").mkdir()
    for name, text in zip(("a.txt", "b.txt", "b/x.txt.gz", "c.txt"), (TEXTS[0], TEXTS[2], TEXTS[1], TEXTS[3]), strict=True):
        data = text.encode(encoding)
        (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    (tmp_path / ".hidden").write_text("no")
    check(tmp_path, encoding=encoding)


@pytest.mark.parametrize("format", [name for name in VALID if name != "text"])
def test_counts_have_no_texts(tmp_path, format):
    (tmp_path / "t").write_bytes(VALID[format])
    assert read_texts(tmp_path / "t", [0]) is None


def test_a_number_of_no_document_is_refused(tmp_path):
    (tmp_path / "t").write_text("ash\n")
    for j in (1, -1):
        with refused("t: 1 documents", f"expected one with number {j}, counted from 0"):
            read_texts(tmp_path / "t", [0, j], format="text")
