"""Every command of the README and its pages runs, in its order, on small files that have the names used there."""

import io
import re
import shlex
from pathlib import Path

import numpy as np
import pytest

import lda_reference as lda
from lda_reference.app.command_line import main
from lda_reference.formats.files import write_bytes

from ..formats.helpers import write
from .test_readme import PAGES

LINES = re.findall(r"^    (lda-reference .*)$", "\n".join(PAGES.values()), re.MULTILINE)
COMMANDS = [shlex.split(line, comments=True)[1:] for line in dict.fromkeys(LINES)]
TESTED_ELSEWHERE = ("oracle",)  # its tests have ports


@pytest.fixture
def files(inside, monkeypatch):
    """A folder with the files that the pages name, and no input."""
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    rng = np.random.default_rng(3)
    kos_corpus, news_corpus = (
        lda.synthetic.draw(rng, np.full(D, length), 4, 40, lda.Prior(0.5, 0.5)).corpus.tokens() for D, length in ((70, 30), (200, 3))
    )
    words = np.array([first_letter + word_ending for first_letter in "bcdfgklmnprst" for word_ending in ("aro", "edo", "ilo", "oma")])[:40]
    document_texts = [" ".join(words[kos_corpus.w[kos_corpus.j == j]]) for j in range(kos_corpus.D)]
    for c, counts_name in ((kos_corpus, "docword.kos.txt.gz"), (kos_corpus, "other.txt.gz"), (news_corpus, "docword.20news.train.txt.gz")):
        write(c.types(), Path(counts_name), "uci")
    for vocab_name in ("vocab.kos.txt.gz", "vocabulary.txt.gz"):
        write_bytes(vocab_name, "\n".join(words).encode())
    Path("letters").mkdir()
    for i, document_text in enumerate(document_texts):
        Path("letters", f"{i:02d}.txt").write_text(document_text, encoding="utf-8")
    Path("reviews.csv").write_text("\n".join(["id,text", *(f"{i},{document_text}" for i, document_text in enumerate(document_texts))]), encoding="utf-8")
    csv_lines = ["id,author,date,text", *(f"{i},{'AB'[i % 2]},{1800 + i},{document_text}" for i, document_text in enumerate(document_texts))]
    Path("letters.csv").write_text("\n".join(csv_lines), encoding="utf-8")
    Path("new.txt").write_text("\n".join(document_texts[:5]), encoding="utf-8")
    np.savez("lambda.npz", eta_wk=np.full((40, 2), 1.1), alpha=0.1, eta=0.1)


@pytest.mark.usefixtures("files")
def test_every_command_runs(capsys):
    assert len(COMMANDS) > 20
    assert {command[0] for command in COMMANDS} >= {"tour", "fit", "topics", "report", "infer", "stability"}
    for command in COMMANDS:
        if command[0] in TESTED_ELSEWHERE:
            continue
        if command[0] in ("tour", "stability", "fit") and "--resume" not in command:
            command = [*command, "--sweeps", "3"]
        if command[0] == "tour":
            command = [*command, "--algorithms", "ml,cvb0,cgs"]  # test_tour has all of them
        assert main(command) == 0, (command, capsys.readouterr().err)
