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
from .test_ports import broken_command

PYTHON_PORT = [sys.executable, "-S", str(ORACLE / "examples" / "port.py")]
PACKAGE_COMMAND = [sys.executable, "-m", "lda_reference", "oracle"]


@pytest.fixture(scope="module")
def checker(tmp_path_factory):
    """The command of the checker, in a Python without site-packages, environment variables and the repository."""
    path = tmp_path_factory.mktemp("archive") / oracle_command.ARCHIVE_NAME
    path.write_bytes(oracle_command.archive())
    return [sys.executable, "-I", "-S", str(path)]


def outcome(command, *arguments):
    """The exit status and the outputs of a command."""
    folder = os.path.dirname(command[-1]) or ROOT
    process = subprocess.run([*command, *map(str, arguments)], cwd=folder, capture_output=True, text=True, check=False)
    return process.returncode, process.stdout, process.stderr


@pytest.fixture
def package_outcome(capfd):
    """The same of a command of the package, in this process: its start in another one is tested below, once."""

    def run_package(*arguments):
        status, captured = run(*arguments), capfd.readouterr()
        return status, captured.out, captured.err

    return run_package


def test_a_known_mistake_is_named_as_by_the_package(checker, tmp_path):
    command = broken_command("c", "nothing-excluded", tmp_path)
    arguments = ("check", "--only", "cvb0/update,cgs/update", "--", *command)
    of_checker = outcome(checker, *arguments)
    assert of_checker == outcome(PACKAGE_COMMAND, *arguments)
    assert (of_checker[0], "[nothing-excluded]" in of_checker[1], of_checker[2]) == (1, True, "")


@pytest.mark.parametrize(
    "options",
    [
        ("--only", "cvb0,cgs"),
        ("--only", "cgs", "--samplers", "--draws", "2000"),
        ("--only", "cvb0,cgs", "--precision", "single"),
    ],
)
def test_options_do_what_they_do_in_the_package(checker, package_outcome, options):
    of_checker = outcome(checker, "check", *options, "--", *PYTHON_PORT)
    assert of_checker == package_outcome("check", *options, "--", *PYTHON_PORT)
    assert of_checker[0] == 0


def test_the_other_commands_print_what_they_print_in_the_package(checker, package_outcome, tmp_path):
    for command in (["list"], ["show", "cvb0/update/001"], ["show", "fresh/7/0012"], ["list", "--only", "none"]):
        assert outcome(checker, *command) == package_outcome(*command)
    assert run("export", tmp_path / "package") == outcome(checker, "export", tmp_path / "alone")[0] == 0
    package_files, checker_files = (
        {path.relative_to(top).as_posix(): path.read_bytes() for path in top.rglob("*") if path.is_file()}
        for top in (tmp_path / "package", tmp_path / "alone")
    )
    assert package_files == checker_files
    assert {"lda-oracle.pyz", "LICENSE", "examples/port.c", "vectors/cvb0.json", "GUIDE.md"} <= checker_files.keys()


def test_the_archive_of_the_vectors_is_data_alone_and_can_be_asked(checker, tmp_path):
    zip_name, content = release.vectors_archive()
    assert release.vectors_archive()[1] == content
    with zipfile.ZipFile(io.BytesIO(content)) as z:
        assert {path.date_time for path in z.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        z.extractall(tmp_path)
    folder = tmp_path / zip_name.removesuffix(".zip")
    assert list(tmp_path.iterdir()) == [folder]
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert files == {f"vectors/{path.name}" for path in VECTORS.iterdir()} | {"schema.json", "GUIDE.md", "CHANGELOG.md", "LICENSE"}
    status, out, _ = outcome(checker, "check", "--vectors", folder, "--only", "cvb0/update", "--", *PYTHON_PORT)
    assert (status, "All 13 cases passed." in out) == (0, True)


def test_an_older_python_is_told_what_is_needed(monkeypatch):
    monkeypatch.setattr(sys, "version_info", (3, 9, 1))
    with pytest.raises(SystemExit, match=r"^Python 3\.11 or later is needed, this is 3\."):
        exec(oracle_command.MAIN_SOURCE)
