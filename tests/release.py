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

from lda_reference.oracle.asking.command import NAME, archive, files_of
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
    same = passes(test_release.test_every_file_has_the_version_of_the_package)
    dated = re.search(rf"^## {re.escape(VERSION)}, \d{{4}}-\d\d-\d\d$", read("CHANGELOG.md"), re.MULTILINE)
    return [
        (f"version {VERSION} in pyproject.toml, CITATION.cff and CHANGELOG.md", same),
        (f"date of {VERSION} in CHANGELOG.md", dated),
        ("date-released in CITATION.cff", "\ndate-released: " in read("CITATION.cff")),
        ("the project's address, [project.urls] in pyproject.toml", "urls" in PROJECT),
        ("README.md installs the package from its index", "not on PyPI" not in read("README.md")),
        ("every change is committed", not output("git", "status", "--porcelain")),
        (f"tag v{VERSION} on this commit", f"v{VERSION}" in output("git", "tag", "--points-at", "HEAD").split()),
    ]


def found(version):
    """The program of a version of Python, on the path or among those of pyenv; None if there is none that runs."""
    programs = [shutil.which(f"python{version}"), *Path.home().glob(f".pyenv/versions/{version}.*/bin/python")]
    return next((str(x) for x in programs if x and output(str(x), "-c", "print(1)")), None)


def vectors():
    """The name and the bytes of the archive of the vectors, data alone and the same in each call: no code, no ports."""
    name, out = f"lda-reference-vectors-{loading.version()}", io.BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        for path, content in files_of(loading.FOLDER, name):
            if path.endswith((".json", "/CHANGELOG.md", "/GUIDE.md", "/LICENSE")):
                z.writestr(zipfile.ZipInfo(path), content, zipfile.ZIP_DEFLATED)  # a ZipInfo has no date of its own
    return f"{name}.zip", out.getvalue()


def works(python, wheel, folder):
    """Whether tests/test_wheel.py passes where a Python has the wheel, pytest and nothing else of the repository."""
    own = str(folder / ("Scripts" if sys.platform == "win32" else "bin") / "python")
    commands = [
        [python, "-m", "venv", str(folder)],
        [own, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", f"{wheel}[plot]", "pytest"],
        [own, "-m", "pytest", "--noconftest", "-p", "no:cacheprovider", "tests/test_wheel.py"],
    ]
    variables = {**os.environ, "LDA_WHEEL": str(wheel)}
    return all(subprocess.run(x, cwd=ROOT, env=variables, check=False).returncode == 0 for x in commands)


def main():
    with tempfile.TemporaryDirectory() as top:
        (ROOT / "dist").mkdir(exist_ok=True)
        _, wheel = (Path(shutil.copy(path, ROOT / "dist")) for path in test_wheel.sdist_and_wheel(Path(top)))
        for name, content in ((NAME, archive()), vectors()):
            (ROOT / "dist" / name).write_bytes(content)
        lines = checklist()
        for declared in re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"])):
            python = found(declared)
            what = f"the wheel works on Python {declared}" + ("" if python else ", which is not on this machine")
            lines.append((what, python and works(python, wheel, Path(top, declared))))
    for what, so in lines:
        print(f"{'ok' if so else 'missing':<8} {what}")
    sys.exit(not all(so for _, so in lines))


if __name__ == "__main__":
    main()
