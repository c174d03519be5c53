"""Damaged files of counts, sizes that no memory holds, and model folders that were made by hand."""

import hashlib
import io
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

import lda_reference as lda
from lda_reference.app.command_line import main
from lda_reference.oracle.asking.command import export

from ..helpers import refused
from .helpers import refusal, write_bars

COUNTS = "30\n3\n30\n" + "".join(f"{j} {1 + j % 3} 5\n" for j in range(1, 31))


@pytest.fixture(autouse=True)
def folder(inside):
    """A folder with a model `m` of ten documents."""
    c = write_bars(inside, 10, 10)
    lda.save(lda.fit(c, 2, sweeps=2), "m", c.vocab)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (COUNTS.split("\n", 1)[1], "uci"),
        (COUNTS.replace("30\n", "30x\n", 1), "uci"),
        ("# counts\n" + COUNTS, "uci"),
        ("x\n" + 30 * "2 0:1 1:3\n", "ldac"),
    ],
)
def test_a_damaged_file_of_counts_is_not_read_as_text(capsys, text, kind):
    Path("k.txt").write_text(text)
    said = refusal(capsys, *["fit", "--corpus", "k.txt", "--topics", "2", "--out", "n"])
    assert f"% of its words are numbers, expected a text; it looks like a damaged file of format {kind}" in said
    assert main(["fit", "--corpus", "k.txt", "--format", "text", "--topics", "2", "--sweeps", "2", "--out", "n"]) == 0


def test_fit_says_what_it_has_read(capsys):
    main(["fit", "--corpus", "docword.txt", "--topics", "2", "--sweeps", "2", "--out", "n"])
    c = lda.read_corpus("docword.txt")
    said = f"docword.txt, read as uci: {c.D} documents, {c.W} words, {c.N} tokens\n"
    assert capsys.readouterr().out.startswith(said)


def test_a_table_with_too_many_terms_is_refused_with_the_number():
    c = lda.Corpus.from_csr(np.full((10, 10), 10**6))
    with pytest.raises(ValueError, match=r"\d"):
        lda.exact.posterior(c, 3, lda.Prior())


@pytest.mark.parametrize(
    ("text", "options", "needs"),
    [
        ("1\n3\n1\n1 1 1000000000000000\n", "--algorithm cgs", "the topics of N = 1000000000000000 tokens take"),
        ("1\n10000000000\n1\n1 1 5\n", "", "the tables of K = 2 topics take"),
        ("2 0:1 999999999999:3\n", "", "the tables of K = 2 topics take"),
    ],
)
def test_sizes_are_held_against_the_memory(capsys, text, options, needs):
    Path("k.txt").write_text(text)
    assert needs in refusal(capsys, *f"fit --corpus k.txt --topics 2 --out n {options}".split())


def test_a_memory_error_is_one_line(capsys, monkeypatch):
    def read(*_):
        raise MemoryError("Unable to allocate 7 PiB")

    monkeypatch.setattr("lda_reference.app.corpora.reading", read)
    said = refusal(capsys, *["fit", "--corpus", "docword.txt", "--topics", "2", "--out", "n"])
    assert said.endswith("the memory is too small: Unable to allocate 7 PiB\n")


# Model folders --------------------------------------------------------------------------------------------------------


def member(header, content=b"", **more):
    """An npz whose gamma has a header of its own."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", **more) as z:
        text = header.encode().ljust(117) + b"\n"
        z.writestr("gamma.npy", b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + content)
    return packed.getvalue()


def with_byte(place, byte):
    """A function that changes a byte of the first member, in both of its headers."""

    def change(data):
        data = bytearray(data)
        data[place] = data[data.index(b"PK\x01\x02") + place + 2] = byte
        return bytes(data)

    return change


HUGE = "{'descr': '<f8', 'fortran_order': False, 'shape': (10000000000000, 2)}"
DAMAGE = {
    "encrypted": with_byte(6, 1),
    "unknown method": with_byte(8, 99),
    "huge header": lambda _: member(HUGE),
    "bomb": lambda _: member(HUGE, bytes(10**6), compression=zipfile.ZIP_DEFLATED),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_damaged_arrays_with_a_valid_digest_are_refused(name):
    about = json.loads(Path("m/model.json").read_text())
    arrays = Path("m", about["arrays"])
    arrays.write_bytes(DAMAGE[name](arrays.read_bytes()))
    Path("m/model.json").write_text(json.dumps(about | {"sha256": hashlib.sha256(arrays.read_bytes()).hexdigest()}))
    with pytest.raises(ValueError, match="damaged, expected arrays in NumPy's npz format"):
        lda.load("m")


def test_a_huge_number_of_seconds_is_refused():
    about = json.loads(Path("m/model.json").read_text())
    about["history"][0]["seconds"] = 10**400
    Path("m/model.json").write_text(json.dumps(about))
    with pytest.raises(ValueError, match=r"history\[0\] has seconds .*, expected a number from 0"):
        lda.load("m")


def test_theta_of_another_number_of_documents_is_not_resumed():
    f, c = lda.load("m"), lda.read_corpus("docword.txt", vocab="vocab.txt")
    with refused("c is another corpus than that of the run to resume: it has 10 documents, expected 9"):
        lda.fit(c, 2, sweeps=4, resume=f._replace(theta_jk=f.theta_jk[:9]))


@pytest.mark.parametrize("command", ["judge m", "report m --out r.html", "documents m", "which 1.234 --model m"])
def test_arrays_of_other_sizes_than_the_corpus_are_refused(capsys, command):
    f = lda.load("m")  # a model of an earlier version has no shapes to be checked by
    for name, changed in (("theta_jk", f._replace(theta_jk=f.theta_jk[1:])), ("gamma", f._replace(state=lda.State(f.state.gamma[1:])))):
        lda.save(changed, "m")
        assert f"{name} of the model has " in refusal(capsys, *command.split(), "--corpus", "docword.txt", "--vocab", "vocab.txt")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
@pytest.mark.parametrize("kind", ["pipe", "device", "folder"])
def test_what_is_no_file_is_no_model(kind):
    os.remove("m/model.json")
    {"pipe": os.mkfifo, "device": lambda x: os.symlink("/dev/zero", x), "folder": os.mkdir}[kind]("m/model.json")
    with pytest.raises(ValueError, match="a device, pipe or folder, expected a file"):
        lda.load("m")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
@pytest.mark.parametrize("kind", ["pipe", "link"])
def test_what_is_no_file_in_a_folder_of_texts_is_said(capsys, kind):
    os.mkdir("t")
    Path("t/a.txt").write_text("some words")
    os.mkfifo("t/b.txt") if kind == "pipe" else os.symlink("nowhere", "t/b.txt")
    assert "b.txt: a pipe, a device or a link to nothing" in refusal(
        capsys, *["fit", "--corpus", "t", "--topics", "2", "--out", "n"]
    )


def test_words_that_would_colour_a_terminal_are_refused(capsys):
    c = lda.read_corpus("docword.txt")
    Path("v.txt").write_text("".join(f"w{w}\x1b[31m\n" for w in range(c.W)))
    said = refusal(capsys, *["fit", "--corpus", "docword.txt", "--vocab", "v.txt", "--topics", "2", "--out", "n"])
    assert r"line 1: 'w0\x1b[31m' with a control character, expected a word" in said


# Writing --------------------------------------------------------------------------------------------------------------


def test_a_closed_stdout_is_no_error():
    program = "import sys; sys.stdout = None; from lda_reference.app.command_line import main; sys.exit(main(['topics', 'm']))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("written", [0, 3])
def test_an_export_goes_on_where_a_full_disk_has_ended_one(tmp_path, monkeypatch, written):
    write_bytes, left = Path.write_bytes, [written]

    def until_full(path, data):
        left[0] -= 1
        write_bytes(path, data if left[0] >= 0 else data[:9])
        if left[0] < 0:
            raise OSError(28, "No space left on device")

    with monkeypatch.context() as m:
        m.setattr("pathlib.Path.write_bytes", until_full)
        with pytest.raises(OSError, match=r"No space left on device: '.*pinned.*'"):
            export(tmp_path / "pinned")
    assert not [*(tmp_path / "pinned").rglob("*.tmp")]
    new, kept = export(tmp_path / "pinned")  # nothing half-written is in the way
    assert len(kept) == written
    assert new


@pytest.mark.parametrize(
    "command", ["report m --out thesis.txt", "topics m --csv thesis.txt", "documents m --json thesis.txt"]
)
def test_a_file_that_is_no_output_is_kept(capsys, command):
    Path("thesis.txt").write_text("my thesis")
    said = refusal(capsys, *command.split())
    assert f"thesis.txt: no earlier output of {command.split()[0]}, expected another name or --force" in said
    assert Path("thesis.txt").read_text() == "my thesis"
    assert main([*command.split(), "--force"]) == 0
    assert main(command.split()) == 0  # an earlier output is replaced
    capsys.readouterr()
    other = "topics" if "documents" in command else "documents"
    assert f"no earlier output of {other}" in refusal(capsys, other, "m", "--csv", "thesis.txt")


def test_an_interrupted_command_leaves_no_folder(capsys, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("lda_reference.app.stability.stability", interrupted)
    assert main(["stability", "--corpus", "docword.txt", "--topics", "2", "--out", "s"]) == 130
    assert not os.path.exists("s")
    monkeypatch.setattr("lda_reference.app.command_line._parser", interrupted)  # while modules are imported
    assert main(["topics", "m"]) == 130
    assert capsys.readouterr().err.endswith("interrupted\n")
