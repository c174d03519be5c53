"""Vectors that were exported and kept: a folder is used only if it is whole and of a version that is understood."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

FORMAT = "lda_reference oracle 1 manifest"
MAJOR = 1  # the major version of the vectors that this package understands


def checked(folder: str | Path) -> Path:
    """The folder of the vectors, after its files were compared with their checksums.

    `folder` is what `lda-reference oracle export` wrote, or the folder `vectors` in it. If there is no manifest, its
    version is not understood, or a file is missing, changed or not listed, this is a ValueError.

    Examples
    --------
    >>> checked(Path(__file__).parents[1]).name
    'vectors'
    """
    outer = Path(folder)
    inner = outer / "vectors" if (outer / "vectors" / "manifest.json").exists() else outer
    files = _manifest(inner / "manifest.json")["files"]
    for name, about in files.items():
        path = inner / name
        if not path.is_file():
            raise ValueError(f"{path}: is missing, but manifest.json lists it")
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        if digest != about["sha256"]:
            raise ValueError(f"{path}: has changed: its SHA-256 is {digest}, expected {about['sha256']}")
    for path in sorted(inner.glob("*.json")):
        if path.name not in files and path.name != "manifest.json":
            raise ValueError(f"{path}: is not listed in manifest.json; keep your own files in another folder")
    return inner


def _manifest(path: Path) -> dict[str, Any]:
    if not path.is_file():
        raise ValueError(f"{path}: does not exist; `lda-reference oracle export` writes the vectors with a manifest")
    try:
        found = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise ValueError(f"{path}: is not JSON ({error})") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise ValueError(f"{path}: its format is not {FORMAT!r}")
    version, files = found.get("version"), found.get("files")
    parts = re.fullmatch(r"(\d+)\.\d+\.\d+", version) if isinstance(version, str) else None
    if parts is None or int(parts[1]) != MAJOR:
        newer = " Update lda_reference to use it." if parts is not None and int(parts[1]) > MAJOR else ""
        raise ValueError(f"{path}: the version of the vectors is {version!r}, expected {MAJOR}.x.y.{newer}")
    if not isinstance(files, dict) or not all(isinstance(x, dict) and "sha256" in x for x in files.values()):
        raise ValueError(f"{path}: `files` must give the sha256 of each file")
    return found
