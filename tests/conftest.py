"""The fixtures that find files in the data folder, and that run chapters beside the tests."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from . import fuzz

ROOT = Path(__file__).parents[1]
DATA = Path(os.environ.get("LDA_DATA") or Path(__file__).parents[2] / "shared" / "data")


@pytest.fixture
def data_file():
    """A function from the name of a file in the data folder to its path; it skips the test if the file is missing."""

    def find(name):
        path = DATA / name
        if not path.exists():
            pytest.skip(f"no {name} in the data folder {DATA} (environment variable LDA_DATA)")
        return path

    return find


@pytest.fixture(scope="session", autouse=True)
def runs(request):
    """{path: the future of the process that checks the chapter}, for the chapters that are to be tested.

    They start with the first test: one at a time beside other tests, two at a time by themselves.
    """
    command = [sys.executable, str(ROOT / "chapters" / "book.py"), "check"]
    paths = [
        item.callspec.params["path"]
        for item in request.session.items
        if item.name.startswith("test_a_chapter_runs_and_prints_what_it_printed")
    ]

    def run(path):
        return subprocess.run([*command, path.name], cwd=ROOT, capture_output=True, text=True, timeout=900)

    with ThreadPoolExecutor(1 if len(request.session.items) > 1000 else 2) as pool:
        yield {path: pool.submit(run, path) for path in paths}


def pytest_terminal_summary(terminalreporter):
    """Print how many cases the fuzz tests tried."""
    if fuzz.RAN:
        terminalreporter.write_line(fuzz.summary())
