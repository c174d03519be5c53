"""Folders in which nothing can be written: every command that writes says so before it works, and leaves them as they are."""

import os
import tempfile
from pathlib import Path

import numpy as np
import pytest

import lda_reference as lda
from lda_reference.app.command_line import COMMANDS, _parser

from ..helpers import write_corpus
from .helpers import contents, printed, run

ORDINARY_USER = 65534  # whom permissions bind, unlike root


@pytest.fixture
def folder():
    """A folder with a corpus `c`, a model `m`, a file `t.csv`, and an empty folder `empty`, all read-only."""
    if os.name == "nt":
        pytest.skip("folders of Windows have no such permission")
    umask = os.umask(0o022)
    with tempfile.TemporaryDirectory() as made:  # not tmp_path, whose parents are closed to other users
        inside = Path(made)
        c = lda.synthetic.bars(np.random.default_rng(0), side=3, D=10, length=10).corpus.types()
        write_corpus(c, inside / "c")
        lda.save(lda.fit(c, 2, sweeps=2), inside / "m")
        lda.load(inside / "m")
        for command in COMMANDS:  # Python imports what it needs while its own files can be read
            _parser([command])
        (inside / "t.csv").write_text("kept")
        (inside / "empty").mkdir()
        for path in (inside / "m", inside / "empty", inside):
            path.chmod(0o555)
        root = os.geteuid() == 0
        if root:
            os.seteuid(ORDINARY_USER)
        try:
            yield inside
        finally:
            if root:
                os.seteuid(0)
            os.umask(umask)
            for path in (inside, inside / "m", inside / "empty"):
                path.chmod(0o755)


@pytest.mark.parametrize(
    ("command", "refused"),
    [
        ("fit --corpus c --topics 2 --out empty", "empty"),
        ("fit --corpus c --topics 2 --out new/deeper", "."),
        ("fit --corpus c --sweeps 4 --out m --resume", "m"),
        ("tour --out empty", "empty"),
        ("tour --out new", "."),
        ("stability --corpus c --topics 2 --out empty", "empty"),
        ("topics m --csv t.csv", "."),
        ("documents m --json empty/t.json", "empty"),
        ("infer m --corpus c --csv t.csv", "."),
        ("report m --out empty/r.html", "empty"),
    ],
)
def test_a_read_only_folder_is_refused_before_the_work(folder, monkeypatch, capsys, command, refused):
    before = contents(folder)
    monkeypatch.setattr("lda_reference.app.fit.fit", None)  # a run that begins fails
    paths = {"c", "m", "empty", "new", "t.csv"}
    arguments = [str(folder / x) if x.split("/")[0] in paths else x for x in command.split()]
    assert run(*arguments) == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", f"lda-reference {arguments[0]}: {folder / refused}: permission denied\n")
    assert contents(folder) == before


def test_a_model_in_a_read_only_folder_can_be_read(folder, capsys):
    assert run("topics", folder / "m") == 0
    assert printed(capsys, "infer", folder / "m", "--corpus", folder / "c").err.startswith("The model's own documents: ")


def test_save_into_a_read_only_folder_keeps_the_model(folder):
    before = contents(folder)
    f = lda.load(folder / "m")
    with pytest.raises(PermissionError):
        lda.save(f, folder / "m")
    with pytest.raises(PermissionError):
        lda.save(f, folder / "new")
    assert contents(folder) == before
