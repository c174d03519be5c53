"""The stand-alone checker runs without site-packages, and prints what the package's command prints."""

import io
import os
import subprocess
import sys
import zipfile

import pytest

from lda_reference.oracle.asking import command as oracle_command

from .. import release
from .helpers import ORACLE, ROOT, VECTORS, run
from .test_ports import broken

PYTHON = [sys.executable, "-S", str(ORACLE / "examples" / "port.py")]
PACKAGE = [sys.executable, "-m", "lda_reference", "oracle"]


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The command of the checker, in a Python without site-packages, environment variables and the repository."""
    path = tmp_path_factory.mktemp("archive") / oracle_command.NAME
    path.write_bytes(oracle_command.archive())
    return [sys.executable, "-I", "-S", str(path)]


def done(command, *arguments):
    """The exit status and the outputs of a command."""
    folder = os.path.dirname(command[-1]) or ROOT
    result = subprocess.run([*command, *map(str, arguments)], cwd=folder, capture_output=True, text=True, check=False)
    return result.returncode, result.stdout, result.stderr


@pytest.fixture
def of_package(capfd):
    """The same of a command of the package, in this process: its start in another one is tested below, once."""

    def answered(*arguments):
        status, printed = run(*arguments), capfd.readouterr()
        return status, printed.out, printed.err

    return answered


def test_a_known_mistake_is_named_as_by_the_package(alone, tmp_path):
    command = broken("c", "nothing-excluded", tmp_path)
    arguments = ("check", "--only", "cvb0/update,cgs/update", "--", *command)
    from_archive = done(alone, *arguments)
    assert from_archive == done(PACKAGE, *arguments)
    assert (from_archive[0], "[nothing-excluded]" in from_archive[1], from_archive[2]) == (1, True, "")


@pytest.mark.parametrize(
    "options",
    [
        ("--only", "cvb0,cgs"),
        ("--only", "cgs", "--samplers", "--draws", "2000"),
        ("--only", "cvb0,cgs", "--precision", "single"),
    ],
)
def test_options_do_what_they_do_in_the_package(alone, of_package, options):
    from_archive = done(alone, "check", *options, "--", *PYTHON)
    assert from_archive == of_package("check", *options, "--", *PYTHON)
    assert from_archive[0] == 0


def test_the_other_commands_print_what_they_print_in_the_package(alone, of_package, tmp_path):
    for command in (["list"], ["show", "cvb0/update/001"], ["show", "fresh/7/0012"], ["list", "--only", "none"]):
        assert done(alone, *command) == of_package(*command)
    assert run("export", tmp_path / "package") == done(alone, "export", tmp_path / "alone")[0] == 0
    package, alone_files = (
        {x.relative_to(top).as_posix(): x.read_bytes() for x in top.rglob("*") if x.is_file()}
        for top in (tmp_path / "package", tmp_path / "alone")
    )
    assert package == alone_files
    assert {"lda-oracle.pyz", "LICENSE", "examples/port.c", "vectors/cvb0.json", "GUIDE.md"} <= alone_files.keys()


def test_the_archive_of_the_vectors_is_data_alone_and_can_be_asked(alone, tmp_path):
    name, content = release.vectors_archive()
    assert release.vectors_archive()[1] == content
    with zipfile.ZipFile(io.BytesIO(content)) as z:
        assert {x.date_time for x in z.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        z.extractall(tmp_path)
    folder = tmp_path / name.removesuffix(".zip")
    assert list(tmp_path.iterdir()) == [folder]
    files = {x.relative_to(folder).as_posix() for x in folder.rglob("*") if x.is_file()}
    assert files == {f"vectors/{x.name}" for x in VECTORS.iterdir()} | {"schema.json", "GUIDE.md", "CHANGELOG.md", "LICENSE"}
    status, out, _ = done(alone, "check", "--vectors", folder, "--only", "cvb0/update", "--", *PYTHON)
    assert (status, "All 13 cases passed." in out) == (0, True)


def test_an_older_python_is_told_what_is_needed(monkeypatch):
    monkeypatch.setattr(sys, "version_info", (3, 9, 1))
    with pytest.raises(SystemExit, match=r"^Python 3\.11 or later is needed, this is 3\."):
        exec(oracle_command.MAIN)
