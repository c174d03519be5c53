"""Gzipped files, and writes that are killed."""

import gzip
from pathlib import Path

import pytest

from lda_reference import formats, read_corpus
from lda_reference.formats.files import read_bytes, write_bytes

from ..helpers import Killed
from .helpers import VALID, refused


def test_truncated_or_damaged_gzip_is_refused(read, tmp_path):
    gzipped_bytes = gzip.compress(VALID["uci"], mtime=0)
    bytes_one_bit_off = gzipped_bytes[:-6] + bytes([gzipped_bytes[-6] ^ 1]) + gzipped_bytes[-5:]  # in the checksum
    for content in (*(gzipped_bytes[:n_bytes] for n_bytes in range(2, len(gzipped_bytes))), bytes_one_bit_off, gzipped_bytes + b"more"):
        with refused(f"{tmp_path / 'corpus.gz'}: truncated or damaged gzip", "expected a whole file"):
            read(content, "corpus.gz")
    with refused(f"{tmp_path / 'corpus.gz'}: not gzipped, expected gzip because of the name"):
        read(VALID["uci"], "corpus.gz")


def test_files_that_cannot_be_read_are_left_out_on_request_and_named(tmp_path):
    for relative_path, content in (("a.txt", b"ash"), ("b.txt", b"\xe9t\xe9"), ("c.txt.gz", b"\x1f\x8b"), ("d/e.txt", b"bay")):
        (tmp_path / relative_path).parent.mkdir(exist_ok=True)
        (tmp_path / relative_path).write_bytes(content)
    with refused(f"{tmp_path / 'b.txt'}, line 1: byte 0xe9", "`skip_unreadable`"):
        read_corpus(tmp_path)
    reading = formats.read(tmp_path, skip_unreadable=True)
    assert (reading.corpus.vocab, reading.names) == (("ash", "bay"), ["a.txt", "d/e.txt"])
    assert "cannot be read: 2 (b.txt, c.txt.gz)" in reading.sentence()
    assert formats.read_texts(tmp_path, [1], skip_unreadable=True) == ["bay"]
    for table_name in ("t.csv", "t.jsonl"):
        (tmp_path / "d" / table_name).write_text('{"text": "ash"}')
        with refused(f"{tmp_path / 'd' / table_name}: a table or JSON, expected a text in each file of a folder: give the file itself"):
            read_corpus(tmp_path / "d")
        (tmp_path / "d" / table_name).unlink()
    (tmp_path / "f").mkdir()
    (tmp_path / "f/t.txt").write_text("fig")
    for link_name, target in {"d/around": ".", "d/linked": "f", "d/twice": "f", "d/within": "d", "f/back": "d"}.items():
        (tmp_path / link_name).symlink_to(tmp_path / target)
    assert formats.read(tmp_path / "d").names == ["e.txt", "linked/t.txt"]  # no folder is read twice
    (tmp_path / "d/linked").unlink()
    (tmp_path / "d/twice").unlink()
    (tmp_path / "d/t.csv").write_text("text,author\nash,fig\n")
    assert formats.read(tmp_path / "d", skip_unreadable=True).names == ["e.txt"]
    with refused("skip_unreadable is True", "a.txt"):
        read_corpus(tmp_path / "a.txt", skip_unreadable=True)


def half_written(path, content):
    with open(path, "wb") as file:
        file.write(content[: len(content) // 2])
    raise Killed


def test_a_killed_write_leaves_only_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "corpus.gz"
    write_bytes(path, VALID["uci"])
    old_bytes = path.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", half_written)
        with pytest.raises(Killed):
            write_bytes(path, b"1\n1\n1\n1 1 1\n")
    assert path.read_bytes() == old_bytes
    assert list(tmp_path.iterdir()) == [path]
    assert read_bytes(path) == VALID["uci"]
    write_bytes(path, VALID["uci"])
    assert path.read_bytes() == old_bytes  # a gzipped file holds no time
