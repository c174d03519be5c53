"""Where commands write: no output replaces an input or lies among the inputs, and names stay in one line."""

import os
import sys

import pytest

import lda_reference as lda

from .helpers import contents, printed, refusal, run, write_bars

RUN_NAMES = ("fit.fit", "tour.fit", "stability.stability")


@pytest.fixture
def folder(inside):
    """A folder with texts `texts`, a corpus `c.txt` of UCI, its vocabulary `v.txt`, and models `m` and `t` of them."""
    c = write_bars(inside, 10, 10, ("c.txt", "v.txt"))
    lda.save(lda.fit(c, 2, sweeps=2), "m", c.vocab)
    (inside / "texts" / "in").mkdir(parents=True)
    for j in range(4):
        (inside / "texts" / f"{j}.txt").write_text("apple pear nut bolt")
    text_corpus = lda.read_corpus("texts")
    lda.save(lda.fit(text_corpus, 2, sweeps=2), "t", text_corpus.vocab)
    return inside


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
    for run_name in RUN_NAMES:
        monkeypatch.setattr(f"lda_reference.app.{run_name}", None)  # a run that begins fails
    old_contents = contents(folder)
    assert run(*command.split()) == 2
    note = "c.txt: no stop word occurs\n" * ("--stop-words" in command)
    assert capsys.readouterr() == ("", f"{note}lda-reference {command.split()[0]}: {message}\n")
    assert contents(folder) == old_contents


@pytest.mark.skipif(os.name == "nt", reason="needs names with control characters")
def test_a_name_stays_in_one_line(folder, capsys):
    model_name = "o\x1b[31m\nd"
    os.rename("m", model_name)
    assert printed(capsys, "topics", model_name, "--csv", model_name + ".csv").err == "Written: o\\x1b[31m\\nd.csv\n"
    for command in (["topics", "x\x1b\ny"], ["fit", "--corpus", "x\x1b\ny", "--topics", "2", "--out", "n"], ["topics", model_name, "--words", "0\x1b\n"]):
        assert "\x1b" not in refusal(capsys, *command)


def test_a_picture_without_matplotlib_is_refused_before_the_work(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert 'matplotlib is missing, expected pip install "lda_reference[plot]"\n' in refusal(capsys, "tour", "--out", tmp_path / "out")
    assert not (tmp_path / "out").exists()
