"""Where commands write: links and pipes stay what they are, and no output replaces an input or lies among the inputs."""

import os
import sys
from pathlib import Path

import pytest

import lda_reference as lda
from lda_reference.formats.files import write_bytes

from .helpers import contents, printed, refusal, run, write_bars

RUNS = ("fit.fit", "tour.fit", "stability.stability")


@pytest.fixture
def folder(inside):
    """A folder with texts `texts`, a corpus `c.txt` of UCI, its vocabulary `v.txt`, and models `m` and `t` of them."""
    c = write_bars(inside, 10, 10, ("c.txt", "v.txt"))
    lda.save(lda.fit(c, 2, sweeps=2), "m", c.vocab)
    (inside / "texts" / "in").mkdir(parents=True)
    for j in range(4):
        (inside / "texts" / f"{j}.txt").write_text("apple pear nut bolt")
    texts = lda.read_corpus("texts")
    lda.save(lda.fit(texts, 2, sweeps=2), "t", texts.vocab)
    return inside


@pytest.mark.skipif(os.name == "nt", reason="links need a permission on Windows")
def test_a_link_is_followed(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "target").write_bytes(b"old")
    (tmp_path / "link").symlink_to("in/target")
    write_bytes(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "in" / "target").read_bytes() == b"new"
    assert [path.name for path in (tmp_path / "in").iterdir()] == ["target"]


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("topics m --csv m/model.json", "--csv is m/model.json, expected a file outside of m"),
        ("infer t --corpus texts --json texts/in/new", "--json is texts/in/new, expected a file outside of texts"),
        ("documents m --corpus c.txt --vocab v.txt --csv v.txt", "--csv is v.txt, expected another file than --vocab"),
        ("fit --corpus texts --topics 2 --out texts/in/m", "--out is texts/in/m, expected a folder outside of texts"),
        ("stability --corpus c.txt --vocab v.txt --stop-words english,n/stability.csv --topics 2 --out n", "--out is n, expected a folder whose stability.csv is not --stop-words"),
    ],
)  # fmt: skip
def test_an_output_among_the_inputs_is_refused(folder, monkeypatch, capsys, command, message):
    (folder / "n").mkdir()
    (folder / "n" / "stability.csv").write_text("no such word\n" * 4)
    for run_name in RUNS:
        monkeypatch.setattr(f"lda_reference.app.{run_name}", None)  # a run that begins fails
    before = contents(folder)
    assert run(*command.split()) == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", f"lda-reference {command.split()[0]}: {message}\n")
    assert contents(folder) == before


@pytest.mark.parametrize("command", ["fit --corpus c.txt --topics 2 --out closed/new/deeper", "report m --out closed/r.html"])
def test_a_folder_in_which_nothing_can_be_written_is_refused_before_the_work(folder, monkeypatch, capsys, command):
    (folder / "closed").mkdir()
    monkeypatch.setattr(os, "access", lambda path, *_, **__: Path(path).name != "closed")
    for run_name in RUNS:
        monkeypatch.setattr(f"lda_reference.app.{run_name}", None)  # a run that begins fails
    before = contents(folder)
    assert "closed: permission denied\n" in refusal(capsys, *command.split())
    assert contents(folder) == before


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is full, and names with control characters")
def test_a_name_stays_in_one_line_and_a_full_disk_is_named(folder, capsys):
    odd = "o\x1b[31m\nd"
    os.rename("m", odd)
    assert printed(capsys, "topics", odd, "--csv", odd + ".csv").err == "Written: o\\x1b[31m\\nd.csv\n"
    for command in (["topics", "x\x1b\ny"], ["fit", "--corpus", "x\x1b\ny", "--topics", "2", "--out", "n"], ["topics", odd, "--words", "0\x1b\n"]):
        assert "\x1b" not in refusal(capsys, *command)
    assert "/dev/full: no space left on device" in refusal(capsys, "topics", odd, "--csv", "/dev/full")


def test_a_picture_without_matplotlib_is_refused_before_the_work(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert 'matplotlib is missing, expected pip install "lda_reference[plot]"\n' in refusal(capsys, "tour", "--out", tmp_path / "out")
    assert not (tmp_path / "out").exists()
