"""The manifest and the version of the vectors: they are true, and the promise of CHANGELOG.md is kept."""

import json
import re
import shutil

import pytest

from lda_reference import oracle
from lda_reference.oracle.cases import loading

from ..certify import manifest
from . import released
from .helpers import ORACLE, ROOT, VECTORS

MANIFEST = json.loads((VECTORS / "manifest.json").read_text("utf-8"))
SCHEMA = json.loads((ORACLE / "schema.json").read_text("utf-8"))
CHANGELOG = (ORACLE / "CHANGELOG.md").read_text("utf-8")
AGAIN = f"run `python -m tests.certify {VECTORS.relative_to(ROOT)} manifest`, which writes it again"
RELEASED = json.loads(released.PATH.read_text("utf-8"))


def parts(version):
    return [int(x) for x in version.split(".")]


def test_the_manifest_is_true():
    assert (VECTORS / "manifest.json").read_text("utf-8") == manifest.manifest(VECTORS), AGAIN
    assert MANIFEST["cases"] == len(oracle.cases()) + len(oracle.sampler_cases())


def test_one_version_stands_everywhere():
    latest = re.search(r"^## (\S+)$", CHANGELOG, re.MULTILINE)[1]
    assert MANIFEST["version"] == latest, f"CHANGELOG.md begins with {latest}; VERSION stands in tests/certify/manifest.py; {AGAIN}"
    assert SCHEMA["version"] == MANIFEST["version"]
    assert parts(MANIFEST["version"])[0] == loading.MAJOR == int(SCHEMA["$id"].rpartition(":")[2])


def test_the_licence_is_that_of_the_package():
    assert (ORACLE / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
    assert (ROOT / "LICENSE").read_text().startswith(f"{MANIFEST['licence']} License")


def test_what_was_released_has_not_changed():
    new_version, old_version = parts(MANIFEST["version"]), parts(RELEASED["version"])
    assert new_version >= old_version
    if new_version[0] > old_version[0]:
        pytest.fail("a new major version: run `python -m tests.oracle.released` when it is released")
    groups = released.groups()
    changed = [
        group for group, (count, digest) in RELEASED["groups"].items()
        if released.digest(groups.get(group, [])[:count]) != digest
    ]  # fmt: skip
    assert changed == [], f"cases of version {RELEASED['version']} have changed: CHANGELOG.md promises this for a major version"
    grown = [group for group, cases in groups.items() if len(cases) > RELEASED["groups"].get(group, [0])[0]]
    assert not grown or new_version[:2] > old_version[:2], (
        f"{grown} have cases that version {RELEASED['version']} has not: this is a new minor version. "
        "Put it into tests/certify/manifest.py, schema.json and CHANGELOG.md, write the manifest again and, "
        "when it is released, run `python -m tests.oracle.released`"
    )


def test_the_promise_covers_what_a_port_is_asked():
    (case,) = oracle.cases(only="cvb0/update/001")
    unpromised = [case | {"note": "another"}, case | {"tags": []}]
    assert {released.digest([c]) for c in unpromised} == {released.digest([case])}
    wider = {"gamma_k": {"absolute": 1e-9, "why": "..."}}
    promised = [case | {"row": 0}, case | {"expected": {}}, case | {"id": "cvb0/update/002"}, case | {"tolerance": wider}]
    assert released.digest([case]) not in {released.digest([c]) for c in promised}


# Pinned vectors ------------------------------------------------------------------------------------------------------


@pytest.fixture
def exported(tmp_path):
    folder = tmp_path / "pinned"
    shutil.copytree(VECTORS, folder / "vectors")
    return folder


def rewrite_manifest(folder, **change):
    path = folder / "vectors" / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | change), "utf-8")


def test_pinned_vectors_are_read_from_their_folder(exported):
    assert oracle.cases(folder=exported) == oracle.cases() == oracle.cases(folder=str(exported / "vectors"))
    assert oracle.sampler_cases(exported) == oracle.sampler_cases()
    assert oracle.mistakes(exported) == oracle.mistakes()
    rewrite_manifest(exported, version=f"{loading.MAJOR}.99.0")
    assert oracle.cases("cvb0/update/001", folder=exported)[0]["id"] == "cvb0/update/001"


def test_a_folder_that_is_not_as_it_was_exported_is_refused(exported):
    path = exported / "vectors" / "vb.json"
    content = path.read_bytes()
    path.write_bytes(content.replace(b"0.1", b"0.2", 1))
    with pytest.raises(ValueError, match=r"vb\.json: has changed: its SHA-256 is [0-9a-f]{64}, expected [0-9a-f]{64}"):
        oracle.cases(folder=exported)
    path.unlink()
    with pytest.raises(FileNotFoundError, match=r"vb\.json"):
        oracle.sampler_cases(exported)
    path.write_bytes(content)
    (exported / "vectors" / "mine.json").write_text("{}")
    with pytest.raises(ValueError, match=r"mine\.json: is not listed in manifest\.json; keep your own files in another folder"):
        oracle.mistakes(exported)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": "2.0.0"}, r"is a 'lda_reference oracle 1 manifest' of version '2\.0\.0', expected a .* of version 1\.x\.y$"),
        ({"files": {"vb.json": {}}}, r"is not a manifest with a format, a version and the sha256 of each file"),
    ],
)
def test_a_version_that_is_not_understood_is_refused(exported, change, message):
    rewrite_manifest(exported, **change)
    with pytest.raises(ValueError, match=message):
        loading.checked(exported)


def test_a_damaged_manifest_is_refused(exported):
    (exported / "vectors" / "manifest.json").write_text("{")
    with pytest.raises(ValueError, match=r"manifest\.json: is not a manifest with a format"):
        loading.checked(exported)
