"""Fixtures of data files and a browser, the order of the tests, and the counts of the fuzz tests."""

import os
from pathlib import Path

import pytest

from . import fuzz
from .browser import CHROMIUM, Browser

DATA = Path(os.environ.get("LDA_DATA") or Path(__file__).parents[2] / "shared" / "data")


@pytest.fixture
def data_file():
    """A function from the name of a file in the data folder to its path; it skips the test if the file is missing."""

    def path_of(file_name):
        data_path = DATA / file_name
        if not data_path.exists():
            pytest.skip(f"no {file_name} in the data folder {DATA} (environment variable LDA_DATA)")
        return data_path

    return path_of


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    """A browser, where there is Chromium."""
    if not CHROMIUM:
        pytest.skip("no chromium")
    chromium_browser = Browser(tmp_path_factory.mktemp("profile"))
    chromium_browser.size(1366, 680)
    yield chromium_browser
    chromium_browser.close()


def pytest_collection_modifyitems(items):
    """Put the chapters and the book's site, which takes half a minute, first, so that several processes end together."""
    items.sort(key=lambda test: ("test_a_chapter_runs" not in test.name, "test_book_site" not in test.nodeid))


def pytest_sessionfinish(session):
    """Hand the counts of the fuzz tests from a process of pytest-xdist to the first process."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["fuzz"] = dict(fuzz.RAN)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    """Add the counts of a process that has ended."""
    fuzz.RAN.update(getattr(node, "workeroutput", {}).get("fuzz", {}))


def pytest_terminal_summary(terminalreporter):
    """Print how many cases the fuzz tests tried."""
    if fuzz.RAN:
        terminalreporter.write_line(fuzz.summary())
