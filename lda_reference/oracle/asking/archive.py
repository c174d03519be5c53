"""The stand-alone checker: one file with the oracle, its vectors and the plain text, for a Python without packages.

`python lda-oracle.pyz` is `lda-reference oracle`. What needs other packages is left out: the package's own answers and
the pytest plugin.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

NAME = "lda-oracle.pyz"
PARTS = ("__init__.py", "app/__init__.py", "app/command_line.py", "oracle", "plain")
LEFT_OUT = ("package.py", "pytest_plugin.py", "__pycache__")
MAIN = """import sys

if sys.version_info < (3, 11):
    sys.exit("Python 3.11 or later is needed, this is " + sys.version)
from lda_reference.app.command_line import main

sys.exit(main(["oracle", *sys.argv[1:]]))
"""


def archive() -> bytes:
    """The content of the file: a zip archive that Python runs. It is the same in each call.

    Examples
    --------
    >>> with zipfile.ZipFile(io.BytesIO(archive())) as z:
    ...     z.read("lda_reference/oracle/GUIDE.md").decode()[:21]
    '# A guide for porters'
    """
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        z.writestr(zipfile.ZipInfo("__main__.py"), MAIN)
        for part in PARTS:
            for name, content in files_of(files("lda_reference").joinpath(part), f"lda_reference/{part}"):
                z.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)  # a ZipInfo has no date of its own
    return out.getvalue()


def files_of(of: Traversable, name: str) -> Iterator[tuple[str, bytes]]:
    """The names and contents of a file, or of all files below a folder, without what is left out."""
    if of.is_file():
        yield name, of.read_bytes()
        return
    for inner in sorted(of.iterdir(), key=lambda x: x.name):
        if inner.name not in LEFT_OUT:
            yield from files_of(inner, f"{name}/{inner.name}")
