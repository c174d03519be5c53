"""Every command of the README runs, in its order, on small files that have the names used there."""

import gzip
import re
import shlex
from pathlib import Path

import numpy as np
import pytest

import lda_reference as lda
from lda_reference.app.command_line import main

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
COMMANDS = [
    shlex.split(line, comments=True)[1:] for line in re.findall(r"^    (lda-reference .*)$", README, re.MULTILINE)
]
QUICK = {"fit": ("--sweeps", "3"), "tour": ("--sweeps", "3", "--algorithms", "vb,cgs"), "stability": ("--sweeps", "3", "--runs", "2")}
ELSEWHERE = ("data", "oracle")  # test_data has a mirror, and the tests of the oracle have ports


def texts(documents, W):
    """Documents as words of letters."""
    words = np.array([a + b for a in "bcdfgklmnprst" for b in ("aro", "edo", "ilo", "oma")])[:W]
    return [" ".join(words[d]) for d in documents], words


def write_counts(c, words, name, vocab=None):
    rows = [str(c.D), str(c.W), str(c.M), *(f"{j + 1} {w + 1} {n}" for j, w, n in zip(c.j, c.w, c.n, strict=True))]
    for path, text in ((name, rows), (vocab, words)):
        if path:
            with gzip.open(path, "wt", encoding="utf-8") as out:
                out.write("\n".join(text) + "\n")


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A folder with the README's files."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(3)
    kos, news = (
        lda.synthetic.draw(rng, np.full(D, n), 4, 40, lda.Prior(0.5, 0.5)).corpus.tokens() for D, n in ((70, 30), (200, 3))
    )
    lines, words = texts([kos.w[kos.j == j] for j in range(kos.D)], 40)
    write_counts(kos.types(), words, "docword.kos.txt.gz", "vocab.kos.txt.gz")
    write_counts(kos.types(), words, "other.txt.gz")
    write_counts(news.types(), words, "docword.20news.train.txt.gz", "vocabulary.txt.gz")
    Path("letters").mkdir()
    for i, line in enumerate(lines):
        Path("letters", f"{i:02d}.txt").write_text(line, encoding="utf-8")
    Path("reviews.csv").write_text("\n".join(["id,text", *(f"{i},{x}" for i, x in enumerate(lines))]), encoding="utf-8")
    Path("new.txt").write_text("\n".join(lines[:5]), encoding="utf-8")
    return tmp_path


def test_there_are_commands():
    assert len(COMMANDS) > 20
    assert {command[0] for command in COMMANDS} >= {"tour", "fit", "topics", "report", "infer", "stability"}


def test_every_command_runs(files, capsys):
    made = set()
    for number, command in enumerate(COMMANDS):
        if command[0] in ELSEWHERE:
            continue
        out = command[command.index("--out") + 1] if command[0] == "fit" else None
        if out in made and "--resume" not in command:  # the README names a model twice, for two ways to make it
            command = [f"{out}-{number}" if x == out else x for x in command]
        made.add(out)
        if "--resume" not in command:
            command = [*command, *QUICK.get(command[0], ())]
        assert main(command) == 0, (command, capsys.readouterr().err)
