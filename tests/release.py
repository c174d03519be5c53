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


def output(*command):
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()


def passes(test):
    try:
        test()
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


def program_of(version):
    """The program of a version of Python, on the path or among those of pyenv; None if there is none that runs."""
    programs = [shutil.which(f"python{version}"), *Path.home().glob(f".pyenv/versions/{version}.*/bin/python")]
    return next((str(program) for program in programs if program and output(str(program), "-c", "print(1)")), None)


def vectors_archive():
    """The name and the bytes of the archive of the vectors, data alone and the same in each call: no code, no ports."""
    top_name, zip_bytes = f"lda-reference-vectors-{loading.version()}", io.BytesIO()
    with zipfile.ZipFile(zip_bytes, "w") as z:
        for path, content in files_of(loading.FOLDER, top_name):
            if path.endswith((".json", "/CHANGELOG.md", "/GUIDE.md", "/LICENSE")):
                z.writestr(zipfile.ZipInfo(path), content, zipfile.ZIP_DEFLATED)  # a ZipInfo has no date of its own
    return f"{top_name}.zip", zip_bytes.getvalue()


def wheel_works(python, wheel, folder):
    """Whether tests/test_wheel.py passes where a Python has the wheel, pytest and nothing else of the repository."""
    venv_python = str(folder / ("Scripts" if sys.platform == "win32" else "bin") / "python")
    commands = [
        [python, "-m", "venv", str(folder)],
        [venv_python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", f"{wheel}[plot]", "pytest"],
        [venv_python, "-m", "pytest", "--noconftest", "-p", "no:cacheprovider", "tests/test_wheel.py"],
    ]
    environment = {**os.environ, "LDA_WHEEL": str(wheel)}
    return all(subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode == 0 for command in commands)


def main():
    with tempfile.TemporaryDirectory() as top_folder:
        (ROOT / "dist").mkdir(exist_ok=True)
        _, wheel = (Path(shutil.copy(path, ROOT / "dist")) for path in test_wheel.sdist_and_wheel(Path(top_folder)))
        for file_name, content in ((ARCHIVE_NAME, archive()), vectors_archive()):
            (ROOT / "dist" / file_name).write_bytes(content)
        checks = checklist()
        for version in re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"])):
            python = program_of(version)
            requirement = f"the wheel works on Python {version}" + ("" if python else ", which is not on this machine")
            checks.append((requirement, python and wheel_works(python, wheel, Path(top_folder, version))))
    for requirement, is_met in checks:
        print(f"{'ok' if is_met else 'missing':<8} {requirement}")
    sys.exit(not all(is_met for _, is_met in checks))


if __name__ == "__main__":
    main()
