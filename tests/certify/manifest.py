"""The manifest of a folder of vectors: its version, its licence, and the count and the checksum of each file."""

import hashlib
import json

from .plan import VERSION

FORMAT = "lda_reference oracle 1 manifest"
LICENCE = "MIT"
NAME = "manifest"


def counts(content, name):
    """How many cases and known mistakes a file has; single.json has only the tolerances of the others' cases."""
    if name == "single":
        return {}
    lists = {"mistakes": content} if name == "mistakes" else content
    return {part: len(lists[part]) for part in ("cases", "mistakes") if part in lists}


def manifest(folder):
    """The contents of manifest.json, for the files that are in a folder."""
    files = {}
    for path in sorted(folder.glob("*.json")):
        if path.stem != NAME:
            data = path.read_bytes()
            files[path.name] = {**counts(json.loads(data), path.stem), "sha256": hashlib.sha256(data).hexdigest()}
    cases = sum(about.get("cases", 0) for about in files.values())
    content = {"format": FORMAT, "version": VERSION, "licence": LICENCE, "cases": cases, "files": files}
    return json.dumps(content, indent=1) + "\n"
