"""The bar, `--quiet` and `-v`; the version; a reader who stops reading."""

import os
import subprocess
import sys
from importlib import metadata

import pytest

import lda_reference as lda

from .helpers import printed


def test_fit_shows_a_bar_or_nothing_or_a_line_for_each_sweep(folder, capsys):
    options = ("fit", "--corpus", folder / "docword.txt", "--topics", 2, "--sweeps", 3, "--stop", 1e-9, "--out")
    assert "3/3" in printed(capsys, *options, folder / "a").err
    assert printed(capsys, *options, folder / "b", "--quiet").err == ""
    sweep_lines = printed(capsys, *options, folder / "c", "-v").err.splitlines()
    history = lda.load(folder / "c").history
    for sweep_number, (line, history_entry) in enumerate(zip(sweep_lines, history, strict=True), 1):
        assert line == f"sweep {sweep_number} of 3: change {history_entry['change']:.6g}, bound {history_entry['bound']:.6g}, {history_entry['seconds']:.1f} seconds"
    assert printed(capsys, *options, folder / "c", "--sweeps", 4, "--resume", "-v").err.startswith("sweep 4 of 4: ")


def test_the_version_is_that_of_the_installed_package(capsys, monkeypatch):
    monkeypatch.setattr(metadata, "version", {"lda_reference": "7.8"}.get)
    assert printed(capsys, "--version").out == "lda-reference 7.8\n"


@pytest.mark.skipif(os.name == "nt", reason="pipes differ on Windows")
def test_a_reader_who_stops_reading_is_no_error(tmp_path):
    c = lda.Corpus.from_documents([[0, 1]] * 20_000).types()
    lda.save(lda.fit(c, 2, sweeps=1, schedule="corpus"), tmp_path / "m")
    command = [sys.executable, "-m", "lda_reference", "documents", str(tmp_path / "m")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline().startswith("0  topic")
    process.stdout.close()
    assert (process.wait(), process.stderr.read()) == (0, "")
    process.stderr.close()
