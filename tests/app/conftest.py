"""Fixtures of the tests of the command line."""

import pytest

from .helpers import write_bars


@pytest.fixture
def inside(tmp_path, monkeypatch):
    """The folder of a test, in which its commands run."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def folder(tmp_path):
    write_bars(tmp_path)
    return tmp_path
