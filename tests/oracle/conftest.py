"""Fixtures of the tests of the oracle."""

import json
import sys

import pytest

from lda_reference.oracle.cases import loading

from .helpers import MISTAKE_TEXTS, PLANTED, case
from .power import SMALLEST


@pytest.fixture
def port(tmp_path):
    """A function from the code of a program to the command that runs it."""

    def command_of(port_code):
        port_path = tmp_path / "port.py"
        port_path.write_text(port_code)
        return [sys.executable, "-S", str(port_path)]

    return command_of


@pytest.fixture
def vectors(tmp_path, monkeypatch):
    """A folder of vectors that replaces the package's: two updates of cvb0 and a bound of vb."""
    vectors_folder = tmp_path / "oracle" / "vectors"
    vectors_folder.mkdir(parents=True)
    bound_case = case(0, expected={"bound": -3.5}, algorithm="vb", operation="bound", tags=["TNW06 (2)"])
    bound_case["state"] = {"gamma": [[0.5, 0.5], [0.5, 0.5]]}  # a fresh case has what the first one of its kind has
    file_header = {"format": "lda_reference oracle 1", "version": 1}
    (vectors_folder / "cvb0.json").write_text(json.dumps(file_header | {"cases": [case(0, mistakes=PLANTED), case(1, mistakes=PLANTED)]}))
    (vectors_folder / "vb.json").write_text(json.dumps(file_header | {"cases": [bound_case]}))
    (vectors_folder / "mistakes.json").write_text(json.dumps(MISTAKE_TEXTS))
    (vectors_folder / "samplers.json").write_text(json.dumps(file_header | {"cases": [SMALLEST]}))
    (vectors_folder.parent / "GUIDE.md").write_text("guide")
    monkeypatch.setattr(loading, "VECTORS", vectors_folder)
    monkeypatch.setattr(loading, "FOLDER", vectors_folder.parent)
    return vectors_folder
