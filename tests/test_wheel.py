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
BUILD = "import sys, setuptools.build_meta as b; getattr(b, 'build_' + sys.argv[1])(sys.argv[2])"


WHEEL = os.environ.get("LDA_WHEEL")  # a wheel to try instead of a new one
if not WHEEL:
    pytest.importorskip("setuptools", minversion="77")


def built(what, source, out):
    """The only file that setuptools makes of a folder: "sdist" or "wheel"."""
    out.mkdir()
    subprocess.run([sys.executable, "-c", BUILD, what, str(out)], cwd=source, check=True, capture_output=True)
    (path,) = out.iterdir()
    return path


def made(top):
    """The source distribution of the repository, and the wheel that is built from it."""
    repository = top / "repository"
    shutil.copytree(ROOT / "lda_reference", repository / "lda_reference", ignore=shutil.ignore_patterns("*.pyc"))
    for name in SOURCES:
        shutil.copy(ROOT / name, repository)
    sdist = built("sdist", repository, top / "sdist")
    with tarfile.open(sdist) as archive:
        archive.extractall(top / "unpacked", filter="data")
    (source,) = (top / "unpacked").iterdir()
    assert {x for x in SOURCES if not (source / x).exists()} == set()
    return sdist, built("wheel", source, top / "wheel")


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The folder of the unpacked wheel."""
    top = tmp_path_factory.mktemp("wheel")
    with zipfile.ZipFile(WHEEL or made(top)[1]) as wheel:
        wheel.extractall(top / "site")
    return top / "site"


@pytest.fixture(scope="module")
def outputs(installed, tmp_path_factory):
    """What commands of the wheel print, in an empty folder, one process, and the output of a Western Windows."""
    folder = tmp_path_factory.mktemp("empty")
    (folder / "texts.txt").write_text("чай сок чай\nash oak\nчай сок ash\n", "utf-8")
    port = [sys.executable, os.path.join("pinned", "examples", "port.py")]
    commands = {
        "fit": ["fit", "--corpus", "texts.txt", "--topics", "2", "--sweeps", "2", "--out", "model"],
        "topics": ["topics", "model"],
        "report": ["report", "model", "--corpus", "texts.txt", "--out", "page.html"],
        "where": ["where", "AWST09 (13)"],
        "export": ["oracle", "export", "pinned"],
        "check": ["oracle", "check", "--only", "cvb0/update", "--vectors", "pinned", "--", *port],
    }
    code = (
        "import sys, lda_reference; from lda_reference.app.command_line import main;"
        f"print(lda_reference.__file__); sys.exit(any([print(end='\f') or main(x) for x in {list(commands.values())}]))"
    )
    variables = {**os.environ, "PYTHONPATH": str(installed), "PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"}
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, env=variables, capture_output=True)
    assert done.returncode == 0, done.stderr.decode("cp1252")
    file, *texts = done.stdout.decode("cp1252").replace("\r\n", "\n").split("\f")
    assert Path(file.strip()) == installed / "lda_reference" / "__init__.py"
    return dict(zip(commands, texts, strict=True)) | {"page": (folder / "page.html").read_text("utf-8")}


def test_the_wheel_has_every_file_of_the_package_and_the_equations(installed):
    def files(top):
        return {x.relative_to(top).as_posix() for x in (top / "lda_reference").rglob("*") if x.is_file() and x.suffix != ".pyc"}

    assert files(installed) ^ files(ROOT) == {"lda_reference/app/equations.toml"}
    (metadata,) = installed.glob("*.dist-info/entry_points.txt")
    assert "lda-reference = lda_reference.__main__:main" in metadata.read_text("utf-8")
    assert (installed / "lda_reference_pytest.py").exists()


def test_a_model_in_a_script_that_the_console_lacks(outputs):
    assert "\nmodel: cvb0" in outputs["fit"]
    assert "чай".encode("ascii", "backslashreplace").decode() in outputs["topics"]
    assert "чай" in outputs["page"]


def test_where(outputs, installed):
    lines = outputs["where"].splitlines()
    _, place, text = next(line for line in lines if line.startswith("  code ")).split(None, 2)
    file, number, _ = place.split(":")
    assert (installed / file).read_text("utf-8").splitlines()[int(number) - 1].strip() == text
    assert "  chapter  chapters/10_*.ipynb" in lines


def test_the_oracle_and_an_example_port(outputs):
    assert "files written" in outputs["export"]
    assert "cvb0       13/0/0" in outputs["check"]
