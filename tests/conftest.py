"""The fixture that finds files in the data folder."""

import os
from pathlib import Path

import pytest

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
