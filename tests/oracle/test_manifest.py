"""The manifest and the version of the vectors: they are true, and the promise of CHANGELOG.md is kept."""

import json
import re
import shutil

import pytest

from lda_reference import oracle
from lda_reference.oracle.cases import loading

from ..certify import manifest
from . import released
from .helpers import ORACLE, ROOT, VECTORS, read_file
from .test_schema import SCHEMA

MANIFEST = read_file("manifest")
CHANGELOG = (ORACLE / "CHANGELOG.md").read_text("utf-8")
ADVICE = f"run `python -m tests.certify {VECTORS.relative_to(ROOT)} manifest`, which writes it again"
RELEASED = json.loads(released.PATH.read_text("utf-8"))


def version_numbers(version):
    return [int(number_text) for number_text in version.split(".")]


def test_the_manifest_is_true():
    assert (VECTORS / "manifest.json").read_text("utf-8") == manifest.manifest(VECTORS), ADVICE
    assert MANIFEST["cases"] == len(oracle.cases()) + len(oracle.sampler_cases())


def test_one_version_stands_everywhere():
    version_text = re.search(r"^## (\S+)$", CHANGELOG, re.MULTILINE)[1]
    assert MANIFEST["version"] == version_text, f"CHANGELOG.md begins with {version_text}; VERSION stands in tests/certify/manifest.py; {ADVICE}"
    assert SCHEMA["version"] == MANIFEST["version"]
    assert version_numbers(MANIFEST["version"])[0] == loading.MAJOR == int(SCHEMA["$id"].rpartition(":")[2])


def test_the_licence_is_that_of_the_package():
    assert (ORACLE / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
    assert (ROOT / "LICENSE").read_text().startswith(f"{MANIFEST['licence']} License")


def test_what_was_released_has_not_changed():
    new_version, old_version = version_numbers(MANIFEST["version"]), version_numbers(RELEASED["version"])
    assert new_version >= old_version
    if new_version[0] > old_version[0]:
        pytest.fail("a new major version: run `python -m tests.oracle.released` when it is released")
    cases_by_group = released.groups()
    changed_groups = [
        group for group, (n_cases, released_digest) in RELEASED["groups"].items()
        if released.digest(cases_by_group.get(group, [])[:n_cases]) != released_digest
    ]  # fmt: skip
    assert changed_groups == [], f"cases of version {RELEASED['version']} have changed: CHANGELOG.md promises this for a major version"
    grown_groups = [group for group, cases in cases_by_group.items() if len(cases) > RELEASED["groups"].get(group, [0])[0]]
    assert not grown_groups or new_version[:2] > old_version[:2], (
        f"{grown_groups} have cases that version {RELEASED['version']} has not: this is a new minor version. "
        "Put it into tests/certify/manifest.py, schema.json and CHANGELOG.md, write the manifest again and, "
        "when it is released, run `python -m tests.oracle.released`"
    )


def test_the_promise_covers_what_a_port_is_asked():
    (case,) = oracle.cases(only="cvb0/update/001")
    free_changes = [case | {"note": "another"}, case | {"tags": []}]
    assert {released.digest([changed_case]) for changed_case in free_changes} == {released.digest([case])}
    other_tolerance = {"gamma_k": {"absolute": 1e-9, "why": "..."}}
    promised_changes = [case | {"row": 0}, case | {"expected": {}}, case | {"id": "cvb0/update/002"}, case | {"tolerance": other_tolerance}]
    assert released.digest([case]) not in {released.digest([changed_case]) for changed_case in promised_changes}


# Pinned vectors ------------------------------------------------------------------------------------------------------


@pytest.fixture
def pinned(tmp_path):
    pinned_folder = tmp_path / "pinned"
    shutil.copytree(VECTORS, pinned_folder / "vectors")
    return pinned_folder


def test_pinned_vectors_are_read_from_their_folder(pinned):
    assert oracle.cases(folder=pinned) == oracle.cases() == oracle.cases(folder=str(pinned / "vectors"))
    assert oracle.sampler_cases(pinned) == oracle.sampler_cases()
    assert oracle.mistakes(pinned) == oracle.mistakes()
    (pinned / "vectors" / "manifest.json").write_text(json.dumps(MANIFEST | {"version": f"{loading.MAJOR}.99.0"}))
    assert oracle.cases("cvb0/update/001", folder=pinned)[0]["id"] == "cvb0/update/001"


def test_a_folder_that_is_not_as_it_was_exported_is_refused(pinned):
    vb_path = pinned / "vectors" / "vb.json"
    vb_bytes = vb_path.read_bytes()
    vb_path.write_bytes(vb_bytes.replace(b"0.1", b"0.2", 1))
    with pytest.raises(ValueError, match=r"vb\.json: has changed: its SHA-256 is [0-9a-f]{64}, expected [0-9a-f]{64}"):
        oracle.cases(folder=pinned)
    vb_path.unlink()
    with pytest.raises(FileNotFoundError, match=r"vb\.json"):
        oracle.sampler_cases(pinned)
    vb_path.write_bytes(vb_bytes)
    (pinned / "vectors" / "mine.json").write_text("{}")
    with pytest.raises(ValueError, match=r"mine\.json: is not listed in manifest\.json; keep your own files in another folder"):
        oracle.mistakes(pinned)


@pytest.mark.parametrize(
    ("manifest_change", "error_message"),
    [
        ({"version": "2.0.0"}, r"is a 'lda_reference oracle 1 manifest' of version '2\.0\.0', expected a .* of version 1\.x\.y$"),
        ({"files": {"vb.json": {}}}, r"is not a manifest with a format, a version and the sha256 of each file"),
        (None, r"manifest\.json: is not a manifest with a format"),  # a damaged file
    ],
)
def test_a_manifest_that_is_not_understood_is_refused(pinned, manifest_change, error_message):
    manifest_text = "{" if manifest_change is None else json.dumps(MANIFEST | manifest_change)
    (pinned / "vectors" / "manifest.json").write_text(manifest_text)
    with pytest.raises(ValueError, match=error_message):
        loading.checked(pinned)
