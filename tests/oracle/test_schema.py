"""schema.json: the vectors and the answers fulfil it, and it refuses what they must not be."""

import json

import jsonschema
import pytest

from lda_reference.oracle.cases.loading import LARGE, MORE_OPERATIONS, expanded

from . import package
from .helpers import CERTIFIED, FILES, ORACLE, VECTORS, cases, one_of_each, read_file

SCHEMA = json.loads((ORACLE / "schema.json").read_text("utf-8"))
DEFINED_FILES = ("large", "manifest", "mistakes", "operations", "samplers", "single", "starts")  # files with a definition of their own


def faults(definition_name, instance):
    """What does not fulfil a definition of the schema: where it is, and what is wrong."""
    validator = jsonschema.Draft202012Validator({**SCHEMA, "$ref": f"#/$defs/{definition_name}"})
    return [f"{validation_error.json_path}: {validation_error.message}" for validation_error in validator.iter_errors(instance)]


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$id"].startswith("urn:")
    assert SCHEMA["$defs"]["operation"]["properties"]["operation"]["enum"] == list(MORE_OPERATIONS)


@pytest.mark.parametrize("file_name", [path.stem for path in VECTORS.iterdir()])
def test_files_fulfil_the_schema(file_name):
    definition_name = "operations" if file_name == "online" else file_name
    assert faults(definition_name if definition_name in DEFINED_FILES else "file", read_file(file_name)) == []


def test_every_legal_case_and_field_has_a_tolerance_of_single_precision():
    legal_cases = [case for case in cases() if "error" not in case["expected"]]
    tolerances_of = read_file("single")["cases"]
    assert tolerances_of.keys() == {case["id"] for case in legal_cases}
    assert all(tolerances_of[case["id"]].keys() - {"undecidable"} == case["expected"].keys() for case in legal_cases)


def test_every_flag_occurs_and_the_files_are_small():
    flags = {flag for algorithm in CERTIFIED for case in read_file(algorithm)["cases"] for flag in case["flags"]}
    assert flags == set(SCHEMA["$defs"]["flags"]["items"]["enum"])
    assert sum(path.stat().st_size for path in VECTORS.iterdir()) < 138_000 * len(CERTIFIED)
    assert {path.stem for path in VECTORS.iterdir()} == {*FILES, *DEFINED_FILES}


def test_answers_fulfil_the_schema():
    for case in cases("cvb0,cgs,starts,ep,hmc,sgrld,lda,scvb0,vb/online_step"):
        assert faults("answer", package.answer(case)) == []


def kind_of(case):
    return "start" if "start" in case else "operation" if case["operation"] in MORE_OPERATIONS else "case"


def test_every_field_of_a_case_is_required():
    """Of the shortest case of each kind, because a case is validated without each field in turn."""
    for case in one_of_each(sorted(cases(), key=lambda case: len(str(case)))):
        unrequired_fields = [field for field in case if not faults(kind_of(case), {kept_field: case[kept_field] for kept_field in case if kept_field != field})]
        assert unrequired_fields == [] or case["operation"] == "reject", case["id"]


@pytest.mark.parametrize("case", read_file(LARGE)["cases"], ids=lambda case: case["id"])
def test_a_case_of_many_rows_is_sent_like_all_others(case):
    small_case = expanded(case | {"many_rows": case["many_rows"] | {"M": 6}})
    assert faults("case", small_case) == []
    assert faults("case", small_case | {"parts": [0.5]}) != []


@pytest.mark.parametrize(
    ("id", "case_change", "fault_beginning"),
    [
        ("cvb0/update/001", {"corpus": {"j": [0]}}, "$.corpus: 'w' is a required"),
        ("cvb0/update/001", {"surplus": 1}, "$: Additional properties are not allowed ('surplus'"),
        ("cvb0/update/001", {"expected": {"gamma_k": ["nan"]}}, "$.expected.gamma_k[0]: 'nan' is not valid"),
        ("starts/one-hot/001", {"id": "starts/start/001"}, "$.id: 'starts/start/001' does not match"),
        ("starts/one-hot/001", {"schedule": "document"}, "$: False schema does not allow 'document'"),
        ("vb/e_step/001", {"iterations": 0}, "$.iterations: 0 is less than"),
        ("scvb0/online_step/001", {"rho_theta": 0}, "$.rho_theta: 0 is less than or equal"),
    ],
)
def test_the_schema_refuses(id, case_change, fault_beginning):
    (case,) = cases(id)
    assert faults(kind_of(case), case) == []
    all_faults = faults(kind_of(case), case | case_change)
    assert any(fault_text.startswith(fault_beginning) for fault_text in all_faults), all_faults


def test_the_schema_refuses_a_short_version():
    (fault,) = faults("manifest", read_file("manifest") | {"version": "1.0"})
    assert fault.startswith("$.version: '1.0' does not match")
