"""The wheel, built from the source distribution and unpacked, works without the repository."""

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = (
    "pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE", "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md",
    "ERRATA.md", "Makefile", "equations.toml", "lda_reference_pytest.py",
)  # fmt: skip
BUILD_CODE = "import sys, setuptools.build_meta as b; getattr(b, 'build_' + sys.argv[1])(sys.argv[2])"
WHEEL = os.environ.get("LDA_WHEEL")  # a wheel to try instead of a new one
if not WHEEL:
    pytest.importorskip("setuptools", minversion="77")


def build(distribution_kind, source_folder, out_dir):
    """The only file that setuptools makes of a folder: "sdist" or "wheel"."""
    out_dir.mkdir()
    subprocess.run([sys.executable, "-c", BUILD_CODE, distribution_kind, str(out_dir)], cwd=source_folder, check=True, capture_output=True)
    (built_path,) = out_dir.iterdir()
    return built_path


def sdist_and_wheel(folder):
    """The source distribution of the repository, and the wheel that is built from it."""
    repository_copy = folder / "repository"
    shutil.copytree(ROOT / "lda_reference", repository_copy / "lda_reference", ignore=shutil.ignore_patterns("*.pyc"))
    for file_name in SOURCES:
        shutil.copy(ROOT / file_name, repository_copy)
    sdist_path = build("sdist", repository_copy, folder / "sdist")
    with tarfile.open(sdist_path) as sdist_archive:
        sdist_archive.extractall(folder / "unpacked", filter="data")
    (source_folder,) = (folder / "unpacked").iterdir()
    assert {file_name for file_name in SOURCES if not (source_folder / file_name).exists()} == set()
    return sdist_path, build("wheel", source_folder, folder / "wheel")


@pytest.fixture(scope="module")
def wheel_folder(tmp_path_factory):
    """The folder of the unpacked wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    with zipfile.ZipFile(WHEEL or sdist_and_wheel(folder)[1]) as wheel_file:
        wheel_file.extractall(folder / "site")
    return folder / "site"


@pytest.fixture(scope="module")
def outputs(wheel_folder, tmp_path_factory):
    """What commands of the wheel print, in an empty folder, one process, and the output of a Western Windows."""
    empty_folder = tmp_path_factory.mktemp("empty")
    (empty_folder / "texts.txt").write_text("чай сок чай\nash oak\nчай сок ash\n", "utf-8")
    port_command = [sys.executable, os.path.join("pinned", "examples", "port.py")]
    command_of_name = {
        "fit": ["fit", "--corpus", "texts.txt", "--topics", "2", "--sweeps", "2", "--out", "model"],
        "topics": ["topics", "model"],
        "report": ["report", "model", "--corpus", "texts.txt", "--out", "page.html"],
        "where": ["where", "AWST09 (13)"],
        "export": ["oracle", "export", "pinned"],
        "check": ["oracle", "check", "--only", "cvb0/update", "--vectors", "pinned", "--", *port_command],
    }
    commands_code = (
        "import sys, lda_reference; from lda_reference.app.command_line import main;"
        f"print(lda_reference.__file__); sys.exit(any([print(end='\f') or main(x) for x in {list(command_of_name.values())}]))"
    )
    environment_variables = {**os.environ, "PYTHONPATH": str(wheel_folder), "PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"}
    wheel_process = subprocess.run([sys.executable, "-c", commands_code], cwd=empty_folder, env=environment_variables, capture_output=True)
    assert wheel_process.returncode == 0, wheel_process.stderr.decode("cp1252")
    init_path, *outputs_of_commands = wheel_process.stdout.decode("cp1252").replace("\r\n", "\n").split("\f")
    assert Path(init_path.strip()) == wheel_folder / "lda_reference" / "__init__.py"
    return dict(zip(command_of_name, outputs_of_commands, strict=True)) | {"page": (empty_folder / "page.html").read_text("utf-8")}


def test_the_wheel_has_every_file_of_the_package_and_the_equations(wheel_folder):
    def files_in(top_folder):
        return {path.relative_to(top_folder).as_posix() for path in (top_folder / "lda_reference").rglob("*") if path.is_file() and path.suffix != ".pyc"}

    assert files_in(wheel_folder) ^ files_in(ROOT) == {"lda_reference/app/equations.toml"}
    (entry_points_path,) = wheel_folder.glob("*.dist-info/entry_points.txt")
    assert "lda-reference = lda_reference.__main__:main" in entry_points_path.read_text("utf-8")
    assert (wheel_folder / "lda_reference_pytest.py").exists()


def test_a_model_in_a_script_that_the_console_lacks(outputs):
    assert "\nmodel: cvb0" in outputs["fit"]
    assert "чай".encode("ascii", "backslashreplace").decode() in outputs["topics"]
    assert "чай" in outputs["page"]


def test_where(outputs, wheel_folder):
    output_lines = outputs["where"].splitlines()
    _, line_place, line_text = next(output_line for output_line in output_lines if output_line.startswith("  code ")).split(None, 2)
    module_path, line_number, _ = line_place.split(":")
    assert (wheel_folder / module_path).read_text("utf-8").splitlines()[int(line_number) - 1].strip() == line_text
    assert "  chapter  chapters/10_*.ipynb" in output_lines


def test_the_oracle_and_an_example_port(outputs):
    assert "files written" in outputs["export"]
    assert "cvb0       13/0/0" in outputs["check"]
