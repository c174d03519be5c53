"""schema.json: the vectors and the answers fulfil it."""

import itertools
import json
import math
import re

import pytest

import lda_reference as lda
from lda_reference.oracle import package

from .helpers import CERTIFIED, MISTAKES, ORACLE, VECTORS, every_case, file

SCHEMA = json.loads((ORACLE / "schema.json").read_text("utf-8"))
SAMPLERS = ("gibbs", "cgs")
LADDER = ("update", "sweep", "estimate", "predict", "reject")  # operations of every algorithm


def faults(schema, x, at="file"):
    """Where x does not fulfil a JSON Schema, for the keywords that `schema.json` uses."""
    known = {
        "$ref", "$defs", "$schema", "$id", "version", "title", "description", "type", "const", "enum", "required",
        "properties", "items", "additionalProperties", "minItems", "minLength", "minimum", "exclusiveMaximum", "pattern", "anyOf", "oneOf",
        "allOf", "if", "then",
    }  # fmt: skip
    assert schema.keys() <= known, schema.keys() - known
    if "$ref" in schema:
        yield from faults(SCHEMA["$defs"][schema["$ref"].removeprefix("#/$defs/")], x, at)
    number = isinstance(x, (int, float)) and not isinstance(x, bool)
    types = {
        "object": isinstance(x, dict), "array": isinstance(x, list), "string": isinstance(x, str), "number": number,
        "integer": number and x == int(x),
    }  # fmt: skip
    if "type" in schema and not types[schema["type"]]:
        yield f"{at} is no {schema['type']}"
        return
    if "const" in schema and (x != schema["const"] or isinstance(x, bool) != isinstance(schema["const"], bool)):
        yield f"{at} is not {schema['const']!r}"
    if "enum" in schema and x not in schema["enum"]:
        yield f"{at} is none of {schema['enum']}"
    if isinstance(x, dict):
        yield from (f"{at} has no {key}" for key in schema.get("required", ()) if key not in x)
        for key, value in x.items():
            if key in schema.get("properties", {}):
                yield from faults(schema["properties"][key], value, f"{at}.{key}")
            elif schema.get("additionalProperties", True) is not True:
                if schema["additionalProperties"] is False:
                    yield f"{at} has {key}"
                else:
                    yield from faults(schema["additionalProperties"], value, f"{at}.{key}")
    if isinstance(x, list):
        if len(x) < schema.get("minItems", 0):
            yield f"{at} is too short"
        for i, value in enumerate(x):
            yield from faults(schema.get("items", {}), value, f"{at}[{i}]")
    if isinstance(x, str) and (
        len(x) < schema.get("minLength", 0) or not re.search(schema.get("pattern", ""), x)
    ):
        yield f"{at} is {x!r}"
    if number and not schema.get("minimum", -math.inf) <= x < schema.get("exclusiveMaximum", math.inf):
        yield f"{at} is {x}"
    if "anyOf" in schema and all(list(faults(one, x, at)) for one in schema["anyOf"]):
        yield f"{at} is nothing of anyOf"
    if "oneOf" in schema and sum(not list(faults(one, x, at)) for one in schema["oneOf"]) != 1:
        yield f"{at} is not one of oneOf"
    for one in schema.get("allOf", ()):
        yield from faults(one, x, at)
    if "if" in schema and not list(faults(schema["if"], x, at)):
        yield from faults(schema["then"], x, at)


@pytest.mark.parametrize("name", CERTIFIED)
def test_files_fulfil_the_schema(name):
    assert list(itertools.islice(faults(SCHEMA, file(name)), 5)) == []


def test_the_other_files_fulfil_the_schema():
    assert list(faults(SCHEMA["$defs"]["samplers"], file("samplers"))) == []
    assert list(faults(SCHEMA["$defs"]["mistakes"], MISTAKES)) == []
    assert list(faults(SCHEMA["$defs"]["single"], file("single"))) == []
    assert list(itertools.islice(faults(SCHEMA["$defs"]["starts"], file("starts")), 5)) == []
    assert list(itertools.islice(faults(SCHEMA["$defs"]["operations"], file("operations")), 5)) == []


def test_every_legal_case_and_field_has_a_tolerance_of_single_precision():
    files = [*map(file, CERTIFIED), file("starts"), file("operations")]
    legal = [case for found in files for case in found["cases"] if "error" not in case["expected"]]
    single = file("single")["cases"]
    assert single.keys() == {case["id"] for case in legal}
    assert all(single[case["id"]].keys() - {"undecidable"} == case["expected"].keys() for case in legal)


def test_the_manifest_fulfils_the_schema():
    manifest = file("manifest")
    assert list(faults(SCHEMA["$defs"]["manifest"], manifest)) == []
    assert list(faults(SCHEMA["$defs"]["manifest"], manifest | {"version": "1.0"})) == ["file.version is '1.0'"]


def test_another_validator_agrees():
    """The package jsonschema, which comes with Jupyter, reads the schema and finds no fault in any file."""
    jsonschema = pytest.importorskip("jsonschema")
    of = {name: name for name in ("manifest", "mistakes", "operations", "samplers", "single", "starts")}
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$id"].startswith("urn:")
    for path in VECTORS.iterdir():
        schema = {**SCHEMA, "$ref": f"#/$defs/{of.get(path.stem, 'file')}"}
        jsonschema.Draft202012Validator(schema).validate(file(path.stem))


def test_answers_fulfil_the_schema():
    for case in itertools.chain(*(file(name)["cases"] for name in ("cvb0", "cgs", "starts", "operations"))):
        assert list(faults(SCHEMA["$defs"]["answer"], package.answer(case))) == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"operation": "guess"}, "file.operation is none of"),
        ({"corpus": {"j": [0]}}, "file.corpus has no w"),
        ({"state": {"gamma": [[1.0]], "z": [0]}}, "file.state is not one of oneOf"),
        ({"id": "cvb0/update/1"}, "file.id is 'cvb0/update/1'"),
        ({"note": ""}, "file.note is ''"),
        ({"surplus": 1}, "file has surplus"),
        ({"expected": {"gamma_k": ["nan"]}}, "file.expected.gamma_k[0] is nothing of anyOf"),
        ({"operation": "predict"}, "file has no test"),
        ({"algorithm": "cgs"}, "file has no token"),
        ({"row": -1}, "file.row is -1"),
        ({"version": 1.5}, "file.version is no integer"),
        ({"schedule": "block"}, "file has no blocks"),
        ({"schedule": "nested"}, "file has no inner"),
        ({"operation": "summary"}, "file has no sweeps"),
    ],
)
def test_the_schema_refuses(change, fault):
    case = file("cvb0")["cases"][0]
    assert list(faults(SCHEMA["$defs"]["case"], case)) == []
    assert any(found.startswith(fault) for found in faults(SCHEMA["$defs"]["case"], case | change))


@pytest.mark.parametrize(
    ("number", "change", "fault"),
    [
        (0, {"start": "dirichlet"}, "file.start is none of"),
        (0, {"id": "starts/start/001"}, "file.id is 'starts/start/001'"),
        (0, {"algorithm": "cvb0"}, "file.algorithm is not 'starts'"),
        (0, {"schedule": "document"}, "file has schedule"),
        (0, {"start": "documents"}, "file has no documents"),
        (0, {"start": "topics"}, "file has no weights_wk"),
        (0, {"start": "incremental"}, "file has no uniforms"),
        (4, {"start": "one-hot"}, "file has no state"),
        (0, {"start": "growing", "first": []}, "file has no order"),
        (0, {"start": "growing", "order": [0]}, "file has no first"),
    ],
)
def test_the_schema_refuses_starts(number, change, fault):
    case = file("starts")["cases"][number]
    assert any(found.startswith(fault) for found in faults(SCHEMA["$defs"]["start"], case | change))


@pytest.mark.parametrize(
    ("id", "change", "fault"),
    [
        ("vb/e_step/001", {"operation": "update"}, "file.operation is none of"),
        ("vb/e_step/001", {"operation": "gradient"}, "file has no u_jk"),
        ("vb/e_step/001", {"iterations": 0}, "file.iterations is 0"),
        ("vb/e_step/001", {"algorithm": "starts"}, "file.algorithm is none of"),
        ("vb/e_step/001", {"id": "starts/e_step/001"}, "file.id is 'starts/e_step/001'"),
        ("vb/elbo/001", {"operation": "e_step"}, "file has no iterations"),
        ("vb/elbo/001", {"surplus": 1}, "file has surplus"),
        ("lda/log_joint/001", {"state": {"theta": []}}, "file.state has theta"),
        ("lda/log_joint/001", {"operation": "full_log_joint"}, "file has no theta_jk"),
        ("lda/log_joint/001", {"operation": "fold_in"}, "file has no sweeps"),
        ("hmc/gradient/001", {"operation": "leapfrog"}, "file has no mass_wk"),
        ("cgs/tempered_sweep/001", {"operation": "tempered_update"}, "file has no token"),
        ("ep/step/001", {"operation": "langevin"}, "file has no batch"),
        ("lda/log_joint/001", {"operation": "coherence_npmi"}, "file has no words"),
        ("lda/coherence_umass/001", {"words": 1}, "file.words is 1"),
    ],
)
def test_the_schema_refuses_operations(id, change, fault):
    (case,) = (case for case in file("operations")["cases"] if case["id"] == id)
    assert any(found.startswith(fault) for found in faults(SCHEMA["$defs"]["operation"], case | change))


def test_there_are_enough_cases_and_of_every_kind():
    cases = every_case()
    assert len(cases) >= 300
    assert len({case["id"] for case in cases}) == len(cases)
    assert {case["algorithm"] for case in cases} == set(CERTIFIED)
    kinds = {(case["algorithm"], case["operation"]) for case in cases}
    for name in CERTIFIED:
        steps = (*LADDER, "draw") if name in SAMPLERS else (*LADDER, "ten_sweeps", "converged")
        assert {step for step in steps if (name, step) not in kinds} == set()
        swept = {case["schedule"] for case in cases if case["algorithm"] == name and case["operation"] == "sweep"}
        assert swept == set(lda.ALGORITHMS[name].schedules)
    flags = {flag for case in cases for flag in case["flags"]}
    assert flags == set(SCHEMA["$defs"]["flags"]["items"]["enum"])
    assert sum(path.stat().st_size for path in VECTORS.iterdir()) < 5_000_000
