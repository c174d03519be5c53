"""The files of a release, tried on each Python that is found, and a checklist of what is still missing.

The files are the package, the stand-alone checker of ports, and the vectors as data alone. `python -m tests.release` (or `make release`) writes dist/. The exit status is 1 if something is missing.
"""

import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path

from lda_reference.oracle.asking.command import ARCHIVE_NAME, archive, files_of
from lda_reference.oracle.cases import loading

from . import test_release, test_wheel
from .test_release import ROOT, read

PROJECT = tomllib.loads(read("pyproject.toml"))["project"]
VERSION = PROJECT["version"]


def output(*command_words):
    return subprocess.run(command_words, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()


def passes(test_function):
    try:
        test_function()
    except AssertionError:
        return False
    return True


def checklist():
    """(what must be so, whether it is) for everything but the wheel."""
    version_agrees = passes(test_release.test_every_file_has_the_version_of_the_package)
    dated_heading = re.search(rf"^## {re.escape(VERSION)}, \d{{4}}-\d\d-\d\d$", read("CHANGELOG.md"), re.MULTILINE)
    return [
        (f"version {VERSION} in pyproject.toml, CITATION.cff and CHANGELOG.md", version_agrees),
        (f"date of {VERSION} in CHANGELOG.md", dated_heading),
        ("date-released in CITATION.cff", "\ndate-released: " in read("CITATION.cff")),
        ("the project's address, [project.urls] in pyproject.toml", "urls" in PROJECT),
        ("README.md installs the package from its index", "not on PyPI" not in read("README.md")),
        ("every change is committed", not output("git", "status", "--porcelain")),
        (f"tag v{VERSION} on this commit", f"v{VERSION}" in output("git", "tag", "--points-at", "HEAD").split()),
    ]


def program_of(python_version):
    """The program of a version of Python, on the path or among those of pyenv; None if there is none that runs."""
    program_paths = [shutil.which(f"python{python_version}"), *Path.home().glob(f".pyenv/versions/{python_version}.*/bin/python")]
    return next((str(program_path) for program_path in program_paths if program_path and output(str(program_path), "-c", "print(1)")), None)


def vectors_archive():
    """The name and the bytes of the archive of the vectors, data alone and the same in each call: no code, no ports."""
    folder_name, zip_buffer = f"lda-reference-vectors-{loading.version()}", io.BytesIO()
    with zipfile.ZipFile(zip_buffer, "w") as zip_file:
        for archive_path, file_bytes in files_of(loading.FOLDER, folder_name):
            if archive_path.endswith((".json", "/CHANGELOG.md", "/GUIDE.md", "/LICENSE")):
                zip_file.writestr(zipfile.ZipInfo(archive_path), file_bytes, zipfile.ZIP_DEFLATED)  # a ZipInfo has no date of its own
    return f"{folder_name}.zip", zip_buffer.getvalue()


def wheel_works(python_program, wheel_path, venv_folder):
    """Whether tests/test_wheel.py passes where a Python has the wheel, pytest and nothing else of the repository."""
    venv_python = str(venv_folder / ("Scripts" if sys.platform == "win32" else "bin") / "python")
    commands = [
        [python_program, "-m", "venv", str(venv_folder)],
        [venv_python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", f"{wheel_path}[plot]", "pytest"],
        [venv_python, "-m", "pytest", "--noconftest", "-p", "no:cacheprovider", "tests/test_wheel.py"],
    ]
    environment_variables = {**os.environ, "LDA_WHEEL": str(wheel_path)}
    return all(subprocess.run(command_words, cwd=ROOT, env=environment_variables, check=False).returncode == 0 for command_words in commands)


def main():
    with tempfile.TemporaryDirectory() as top_folder:
        (ROOT / "dist").mkdir(exist_ok=True)
        _, wheel_path = (Path(shutil.copy(built_path, ROOT / "dist")) for built_path in test_wheel.sdist_and_wheel(Path(top_folder)))
        for file_name, file_bytes in ((ARCHIVE_NAME, archive()), vectors_archive()):
            (ROOT / "dist" / file_name).write_bytes(file_bytes)
        requirements_met = checklist()
        for python_version in re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"])):
            python_program = program_of(python_version)
            requirement = f"the wheel works on Python {python_version}" + ("" if python_program else ", which is not on this machine")
            requirements_met.append((requirement, python_program and wheel_works(python_program, wheel_path, Path(top_folder, python_version))))
    for requirement, is_met in requirements_met:
        print(f"{'ok' if is_met else 'missing':<8} {requirement}")
    sys.exit(not all(is_met for _, is_met in requirements_met))


if __name__ == "__main__":
    main()
