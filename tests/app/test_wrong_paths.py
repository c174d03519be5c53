"""Paths that are not what a command expects: one line says what was found and what was expected."""

import zipfile

import numpy as np
import pytest

import lda_reference as lda
from lda_reference.app import command_line

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x80\0\0\0\x80\x08\x02"
PDF = b"%PDF-1.4\n1 0 obj\n" + bytes(np.random.default_rng(0).integers(256, size=900).tolist())


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder with texts `texts` and `t.txt`, and a model `m`."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_text("apple pear nut bolt")
    (tmp_path / "t.txt").write_text("apple pear nut bolt")
    c = lda.read_corpus("t.txt")
    lda.save(lda.fit(c, 2, sweeps=2), "m", c.vocab)
    return tmp_path


def refusal(capsys, *arguments):
    assert command_line.main(list(arguments)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    return err.removeprefix(f"lda-reference {arguments[0]}: ")


@pytest.mark.parametrize("command", ["topics", "documents", "infer", "report", "perplexity", "resume"])
def test_a_file_is_no_model(capsys, command):
    options = {"infer": ("--corpus", "t.txt"), "perplexity": ("--corpus", "t.txt"), "report": ("--out", "r.html")}.get(command, ())
    arguments = ("fit", "--corpus", "t.txt", "--resume", "--out", "m/model.json") if command == "resume" else (command, "m/model.json", *options)
    assert refusal(capsys, *arguments) == "m/model.json: a file, expected the folder of a model\n"


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("fit --corpus {} --topics 2 --out n", "--corpus"),
        ("tour --corpus {} --topics 2 --out n", "--corpus"),
        ("fit --corpus t.txt --vocab {} --topics 2 --out n", "--vocab"),
        ("fit --corpus t.txt --topics 2 --out {}", "--out"),
        ("stability --corpus t.txt --topics 2 --out {}", "--out"),
        ("perplexity m --corpus t.txt --estimator mean --train {}", "--train"),
        ("topics {}", "the model"),
        ("topics m --csv {}", "--csv"),
        ("documents m --json {}", "--json"),
        ("report m --out {}", "--out"),
    ],
)
def test_an_empty_path_is_refused(folder, capsys, command, name):
    before = sorted(folder.rglob("*"))
    assert refusal(capsys, *(x.format("") for x in command.split())) == f"{name} is '', expected a path\n"
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize("lone", [True, False])
@pytest.mark.parametrize(("data", "byte"), [(PNG, "byte 0x89 in line 1"), (PDF, "byte 0x"), (b"\x7fELF\x01\0\0\x02\0\0\0\0", "byte 0x00 in line 1")])
def test_a_binary_file_is_no_text(folder, capsys, lone, data, byte):
    path = folder / "b" if lone else folder / "texts" / "b"
    path.write_bytes(data)
    err = refusal(capsys, "fit", "--corpus", "b" if lone else "texts", "--topics", "2", "--out", "n")
    assert err.startswith(f"{path.relative_to(folder)}: a binary file ({byte}")
    assert err.endswith("), expected a text\n")


@pytest.mark.parametrize(
    "data",
    ["été\n".encode("cp1252"), "文字".encode("gb18030"), "文字化け\n".encode("shift-jis"), "apple".encode("utf-16"), "apple".encode("utf-16-le"), "文字".encode("utf-16"), b"ash\0\n"],
)  # fmt: skip
def test_a_text_in_another_encoding_is_no_binary_file(folder, capsys, data):
    (folder / "texts" / "b").write_bytes(data)
    err = refusal(capsys, "fit", "--corpus", "texts", "--topics", "2", "--out", "n")
    assert err.startswith("texts/b, line 1: byte 0x")
    assert err.endswith(", expected text in UTF-8 unless `encoding` names another\n")


@pytest.mark.parametrize("kind", ["zip", "damaged"])
def test_a_zip_file_is_neither_a_text_nor_a_matrix(folder, capsys, kind):
    with zipfile.ZipFile("b.docx", "w") as packed:
        packed.writestr("word/document.xml", "<w/>")
    if kind == "damaged":
        (folder / "b.docx").write_bytes((folder / "b.docx").read_bytes()[:-30])
    err = refusal(capsys, "fit", "--corpus", "b.docx", "--topics", "2", "--out", "n")
    assert err == "b.docx: a zip file, neither a text nor a sparse matrix, expected one written by scipy.sparse.save_npz\n"


def test_other_arrays_are_no_sparse_matrix(folder, capsys):
    np.savez("b.npz", x=np.ones(3), y=np.ones(3))
    err = refusal(capsys, "fit", "--corpus", "b.npz", "--topics", "2", "--out", "n")
    assert err == "b.npz: not a sparse matrix written by scipy.sparse.save_npz (it has the arrays x, y)\n"
