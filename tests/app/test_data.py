"""Public corpora are fetched from a folder or an address, and what is not whole is not kept."""

import gzip
import hashlib
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

import lda_reference as lda
from lda_reference.app import data

from .helpers import refusal, run

FILES = {"docword.toy.txt.gz": b"2\n3\n3\n1 1 2\n1 3 1\n2 2 4\n", "vocab.toy.txt": "ash\noak\nчай\n".encode()}


@pytest.fixture
def mirror(tmp_path, monkeypatch):
    """A folder with the files of `toy` as at UCI: the corpus gzipped, the vocabulary not."""
    sha256 = [hashlib.sha256(content).hexdigest() for content in FILES.values()]
    monkeypatch.setitem(data.CORPORA, "toy", data.Public("two documents", *sha256))
    folder = tmp_path / "a mirror"
    folder.mkdir()
    for name, content in FILES.items():
        (folder / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    return folder


def files(folder):
    return sorted(x.relative_to(folder).as_posix() for x in folder.rglob("*") if x.is_file())


def test_a_corpus_from_a_folder_can_be_read(mirror, tmp_path, capsys):
    assert run("data", "toy", "--mirror", mirror, "--cache", tmp_path / "cache") == 0
    out = capsys.readouterr().out
    assert out.startswith("toy: two documents\nsource: Newman (2008), Bag of Words, UCI")
    assert "licence: CC BY 4.0" in out
    corpus, vocab = (line.removeprefix("files:").strip() for line in out.splitlines()[-2:])
    c = lda.read_corpus(corpus, vocab=vocab)
    assert (c.D, c.W, c.N, c.vocab) == (2, 3, 7, ("ash", "oak", "чай"))
    assert files(tmp_path / "cache") == ["toy/docword.toy.txt.gz", "toy/vocab.toy.txt.gz"]


def test_a_mirror_may_compress_otherwise(mirror, tmp_path):
    plain = gzip.decompress((mirror / "docword.toy.txt.gz").read_bytes())
    (mirror / "docword.toy.txt.gz").unlink()
    (mirror / "docword.toy.txt").write_bytes(plain)
    (mirror / "vocab.toy.txt.gz").write_bytes(gzip.compress((mirror / "vocab.toy.txt").read_bytes()))
    (mirror / "vocab.toy.txt").unlink()
    found = data.fetch("toy", tmp_path / "cache", str(mirror))
    assert [gzip.decompress(path.read_bytes()) for path in found] == list(FILES.values())


def test_a_second_call_fetches_what_is_damaged_and_no_more(mirror, tmp_path):
    found = data.fetch("toy", tmp_path / "cache", str(mirror))
    before = [path.stat().st_mtime_ns for path in found]
    assert data.fetch("toy", tmp_path / "cache", str(tmp_path / "absent")) == found
    assert [path.stat().st_mtime_ns for path in found] == before
    for damaged in (found[0].read_bytes()[:-4], gzip.compress(b"another file", mtime=0)):
        found[0].write_bytes(damaged)
        with pytest.raises(FileNotFoundError, match="absent"):
            data.fetch("toy", tmp_path / "cache", str(tmp_path / "absent"))
        data.fetch("toy", tmp_path / "cache", str(mirror))
        assert gzip.decompress(found[0].read_bytes()) == FILES["docword.toy.txt.gz"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("docword.toy.txt.gz", gzip.compress(b"2\n3\n0\n", mtime=0), "docword.toy.txt.gz: its SHA-256 is "),
        ("docword.toy.txt.gz", gzip.compress(FILES["docword.toy.txt.gz"], mtime=0)[:-9], "truncated or damaged gzip"),
        ("docword.toy.txt.gz", b"<html>", "not gzipped"),
        ("vocab.toy.txt", b"ash\n", "vocab.toy.txt: its SHA-256 is "),
        ("vocab.toy.txt", None, "vocab.toy.txt"),
    ],
)
def test_a_wrong_file_leaves_nothing_behind(mirror, tmp_path, capsys, name, content, message):
    (mirror / name).unlink()
    if content is not None:
        (mirror / name).write_bytes(content)
    error = refusal(capsys, "data", "toy", "--mirror", mirror, "--cache", tmp_path / "cache")
    assert error.startswith("lda-reference data: ")
    assert message in error
    assert not (tmp_path / "cache").exists()


def test_a_wrong_file_does_not_replace_a_right_one(mirror, tmp_path):
    found = data.fetch("toy", tmp_path / "cache", str(mirror))
    found[1].unlink()
    (mirror / "vocab.toy.txt").write_bytes(b"other\n")
    with pytest.raises(ValueError, match=r"expected .*; nothing is written"):
        data.fetch("toy", tmp_path / "cache", str(mirror))
    assert files(tmp_path / "cache") == ["toy/docword.toy.txt.gz"]


@pytest.mark.parametrize("option", ["--cache", "--mirror"])
def test_without_pooch_the_message_names_the_extra(mirror, tmp_path, capsys, monkeypatch, option):
    monkeypatch.setitem(sys.modules, "pooch", None)
    error = refusal(capsys, "data", "toy", option, tmp_path / "cache")
    missing = 'pooch is missing, expected pip install "lda_reference[data]", or --mirror DIR and --cache DIR'
    assert error == f"lda-reference data: {missing}\n"
    assert not (tmp_path / "cache").exists()


def test_a_download_is_checked(mirror, tmp_path, capsys, monkeypatch):
    pytest.importorskip("pooch", reason="the extra `data` is not installed")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(SimpleHTTPRequestHandler, "log_message", lambda *_: None)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=mirror)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/"
        try:
            found = data.fetch("toy", tmp_path / "cache", address)
            (mirror / "vocab.toy.txt").unlink()
            assert run("data", "toy", "--mirror", address, "--cache", tmp_path / "other") == 2
        finally:
            server.shutdown()
    assert [gzip.decompress(path.read_bytes()) for path in found] == list(FILES.values())
    error = capsys.readouterr().err
    assert f"{address}vocab.toy.txt: cannot be downloaded (404" in error
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize("name", ["kos", "nips"])
def test_the_checksums_are_those_of_the_corpora(data_file, tmp_path, name):
    found = data.fetch(name, tmp_path, str(data_file(name)))
    c = lda.read_corpus(found[0], vocab=found[1])
    assert f"{c.D:,} documents, {c.W:,} words, {c.N:,} tokens" in data.CORPORA[name].about
