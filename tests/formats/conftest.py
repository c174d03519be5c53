"""Fixtures of the tests of the formats."""

import pytest

from lda_reference import read_corpus


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("corpora")


@pytest.fixture
def read(tmp_path):
    """A function that reads bytes as a file of a given name."""

    def read_content(content, file_name="corpus", **options):
        (tmp_path / file_name).write_bytes(content)
        return read_corpus(tmp_path / file_name, **options)

    return read_content
