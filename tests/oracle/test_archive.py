"""The stand-alone checker runs without site-packages, and prints what the package's command prints."""

import io
import os
import subprocess
import sys
import zipfile

import pytest

from lda_reference.oracle.asking import command as oracle_command

from .. import release
from .helpers import GUIDE, ORACLE, ROOT, VECTORS, run
from .test_ports import broken_command

PYTHON_PORT = [sys.executable, "-S", str(ORACLE / "examples" / "port.py")]
PACKAGE_COMMAND = [sys.executable, "-m", "lda_reference", "oracle"]


@pytest.fixture(scope="module")
def checker(tmp_path_factory):
    """The command of the checker, in a Python without site-packages, environment variables and the repository."""
    archive_path = tmp_path_factory.mktemp("archive") / oracle_command.ARCHIVE_NAME
    archive_path.write_bytes(oracle_command.archive())
    return [sys.executable, "-I", "-S", str(archive_path)]


def outcome(command, *command_arguments):
    """The exit status and the outputs of a command."""
    working_folder = os.path.dirname(command[-1]) or ROOT
    completed_process = subprocess.run([*command, *map(str, command_arguments)], cwd=working_folder, capture_output=True, text=True, check=False)
    return completed_process.returncode, completed_process.stdout, completed_process.stderr


@pytest.fixture
def package_outcome(capfd):
    """The same of a command of the package, in this process: its start in another one is tested below, once."""

    def run_package(*command_arguments):
        exit_status, captured_output = run(*command_arguments), capfd.readouterr()
        return exit_status, captured_output.out, captured_output.err

    return run_package


def test_the_guide_gives_the_size_of_the_checker(checker):
    assert f"in one file of {os.path.getsize(checker[-1]) / 1e6:.1f} MB, which" in GUIDE


def test_a_known_mistake_is_named_as_by_the_package(checker, tmp_path):
    port_command = broken_command("c", "nothing-excluded", tmp_path)
    check_arguments = ("check", "--only", "cvb0/update,cgs/update", "--", *port_command)
    checker_outcome = outcome(checker, *check_arguments)
    assert checker_outcome == outcome(PACKAGE_COMMAND, *check_arguments)
    assert (checker_outcome[0], "[nothing-excluded]" in checker_outcome[1], checker_outcome[2]) == (1, True, "")


@pytest.mark.parametrize(
    "check_options",
    [
        ("--only", "cvb0,cgs"),
        ("--only", "cgs", "--samplers", "--draws", "2000"),
        ("--only", "cvb0,cgs", "--precision", "single"),
    ],
)
def test_options_do_what_they_do_in_the_package(checker, package_outcome, check_options):
    checker_outcome = outcome(checker, "check", *check_options, "--", *PYTHON_PORT)
    assert checker_outcome == package_outcome("check", *check_options, "--", *PYTHON_PORT)
    assert checker_outcome[0] == 0


def test_the_other_commands_print_what_they_print_in_the_package(checker, package_outcome, tmp_path):
    for subcommand in (["list"], ["show", "cvb0/update/001"], ["show", "fresh/7/0012"], ["list", "--only", "none"]):
        assert outcome(checker, *subcommand) == package_outcome(*subcommand)
    assert run("export", tmp_path / "package") == outcome(checker, "export", tmp_path / "alone")[0] == 0
    package_files, checker_files = (
        {path.relative_to(export_folder).as_posix(): path.read_bytes() for path in export_folder.rglob("*") if path.is_file()}
        for export_folder in (tmp_path / "package", tmp_path / "alone")
    )
    assert package_files == checker_files
    assert {"lda-oracle.pyz", "LICENSE", "examples/port.c", "vectors/cvb0.json", "GUIDE.md"} <= checker_files.keys()


def test_the_archive_of_the_vectors_is_data_alone_and_can_be_asked(checker, tmp_path):
    zip_name, zip_bytes = release.vectors_archive()
    assert release.vectors_archive()[1] == zip_bytes
    with zipfile.ZipFile(io.BytesIO(zip_bytes)) as zip_archive:
        assert {zip_entry.date_time for zip_entry in zip_archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        zip_archive.extractall(tmp_path)
    extracted_folder = tmp_path / zip_name.removesuffix(".zip")
    assert list(tmp_path.iterdir()) == [extracted_folder]
    relative_paths = {path.relative_to(extracted_folder).as_posix() for path in extracted_folder.rglob("*") if path.is_file()}
    assert relative_paths == {f"vectors/{path.name}" for path in VECTORS.iterdir()} | {"schema.json", "GUIDE.md", "CHANGELOG.md", "LICENSE"}
    exit_status, printed_text, _ = outcome(checker, "check", "--vectors", extracted_folder, "--only", "cvb0/update", "--", *PYTHON_PORT)
    assert (exit_status, "All 13 cases passed." in printed_text) == (0, True)


def test_an_older_python_is_told_what_is_needed(monkeypatch):
    monkeypatch.setattr(sys, "version_info", (3, 9, 1))
    with pytest.raises(SystemExit, match=r"^Python 3\.11 or later is needed, this is 3\."):
        exec(oracle_command.MAIN_SOURCE)
