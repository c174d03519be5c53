"""The vectors of the oracle: the package meets them, they are fresh, whole, and tell mistakes apart."""

import functools
import itertools
import json
import math
import os
import re
import subprocess
import sys
import tomllib
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import lda_reference as lda
from lda_reference.algorithms import vb
from lda_reference.oracle import package

from . import mistakes as planted

ROOT = Path(__file__).parents[1]
ORACLE = ROOT / "lda_reference" / "oracle"
VECTORS = ORACLE / "vectors"
SCRIPT = ORACLE / "certify.py"
SCHEMA = json.loads((ORACLE / "schema.json").read_text("utf-8"))
MISTAKES = json.loads((VECTORS / "mistakes.json").read_text("utf-8"))
SAMPLERS = ("gibbs", "cgs")
LADDER = ("update", "sweep", "estimate", "predict", "reject")  # of every algorithm


@functools.cache
def file(name):
    return json.loads((VECTORS / f"{name}.json").read_text("utf-8"))


@functools.cache
def every_case():
    return [case for name in lda.ALGORITHMS for case in file(name)["cases"]]


def leaves(x):
    if isinstance(x, (list, tuple)):
        return [leaf for v in x for leaf in leaves(v)]
    return [float(x)]


def shape(x):
    return (len(x), *(shape(x[0]) if x else ())) if isinstance(x, list) else ()


def distance(case, a, b):
    """In tolerances, of the field that differs most."""
    worst = 0.0
    for field, tolerance in case["tolerance"].items():
        if shape(a[field]) != shape(b[field]):
            return math.inf
        for x, y in zip(leaves(a[field]), leaves(b[field]), strict=True):
            if x != y:
                worst = max(worst, abs(x - y) / tolerance["absolute"] if tolerance["absolute"] else math.inf)
    return worst


# The package and the vectors -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", lda.ALGORITHMS)
def test_the_package_meets_every_case(name):
    worst = 0.0
    for case in file(name)["cases"]:
        got = package.answer(case)
        if case["operation"] == "reject":
            assert got.keys() == {"id", "error"}, case["id"]
            continue
        assert got.keys() == {"id", *case["expected"]}, (case["id"], got)
        off = distance(case, got, case["expected"])
        assert off <= 1, (case["id"], off)
        worst = max(worst, off)
    assert worst < 0.2  # the tolerances leave room to others that add in another order


def test_inputs_are_refused_each_for_its_own_reason():
    """Each is refused for a reason of its own."""
    for name in lda.ALGORITHMS:
        cases = [case for case in file(name)["cases"] if case["operation"] == "reject"]
        reasons = [package.answer(case)["error"] for case in cases]
        assert len(set(reasons)) == len({case["note"] for case in cases}) == len(cases)


@pytest.mark.parametrize("case", file("samplers")["cases"], ids=lambda case: case["id"])
def test_co_assignments_are_those_of_enumeration(case):
    of = case["corpus"]
    c = lda.Corpus(of["j"], of["w"], of["n"], of["D"], of["W"])
    e = lda.exact.posterior(c, case["K"], lda.Prior(**case["prior"]))
    np.testing.assert_allclose(case["together"], e.together, rtol=0, atol=1e-12)
    for name, x in case["mistakes"].items():
        assert name in MISTAKES
        np.testing.assert_allclose(x, np.transpose(x), atol=1e-14)
        np.testing.assert_allclose(np.diag(x), 1, atol=1e-12)
        assert np.abs(np.subtract(x, e.together)).max() > 1e-6
    answer = package.answer(case | {"draws": 50, "seed": 1})
    assert shape(answer["z"]) == (50, c.N)
    assert set(np.ravel(answer["z"])) <= set(range(case["K"]))


CHAINS = {
    "nothing-excluded": {"excludes": "nothing"},
    "topic-count-not-excluded": {"excludes_k": "nothing"},
    "all-copies-excluded": {"excludes": "type"},
    "sums-refreshed-late": {"late": True},
    "one-draw-for-row": {"rows": True},
    "draw-off-by-one": {"pick": planted.off_by_one},
    "draw-unnormalised": {"pick": planted.unnormalised},
}


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("name", CHAINS)
def test_stationary_laws_are_kept_by_mistaken_samplers(name, number):
    """By 4000 chains of 40 sweeps, with a mistake planted in another implementation."""
    case = [case for case in file("samplers")["cases"] if case["algorithm"] == "cgs"][number]
    if name not in case["mistakes"]:
        pytest.skip(f"{name} does not show on this corpus")
    of, p, rng = case["corpus"], lda.Prior(**case["prior"]), np.random.default_rng(0)
    c = lda.Corpus(of["j"], of["w"], of["n"], of["D"], of["W"])
    s = planted.CGS.init(c, case["K"], p, rng=rng, replicates=4000)
    for _ in range(40):
        s = planted.collapsed(planted.CGS, s, c, p, rng, **CHAINS[name])
    together = (s.z[:, None] == s.z[None]).mean(-1)
    assert np.abs(together - case["mistakes"][name]).max() < 5 * 0.5 / math.sqrt(4000)


# The mistakes --------------------------------------------------------------------------------------------------------


def test_mistakes_can_be_told_from_the_answer_and_from_one_another():
    for case in every_case():
        answers = [case["expected"], *(m["expected"] for m in case["mistakes"])]
        assert len({m["name"] for m in case["mistakes"]}) == len(case["mistakes"])
        for a, b in itertools.combinations(answers, 2):
            assert distance(case, a, b) > 99, case["id"]


def test_every_mistake_is_found_by_some_case():
    found = {m["name"] for case in every_case() for m in case["mistakes"]}
    found |= {name for case in file("samplers")["cases"] for name in case["mistakes"]}
    assert found == MISTAKES.keys()
    assert len(MISTAKES) >= 25


ALL = lda.ALGORITHMS
BROKEN = {
    ("cvb0", "nothing-excluded"): replace(ALL["cvb0"], excludes="nothing"),
    ("cvb0", "W-for-W-eta"): replace(ALL["cvb0"], topic=lambda q, N_k: N_k + q.W),
    ("cvb0", "no-topic-term"): replace(ALL["cvb0"], topic=lambda q, N_k: np.ones(())),
    ("cvb0", "eta-forgotten"): replace(ALL["cvb0"], word=lambda q, N_wk: N_wk, topic=lambda q, N_k: N_k),
    ("cvb0", "alpha-averaged"): replace(ALL["cvb0"], document=lambda q, N_jk: N_jk + np.mean(q.alpha)),
    ("cvb", "variance-left-out"): ALL["cvb0"],
    ("cvb", "nothing-excluded"): replace(ALL["cvb"], excludes="nothing"),
    ("cvb_exact", "gaussian-for-exact"): ALL["cvb"],
    ("cvb_exact", "log-of-mean"): ALL["cvb0"],
    ("cvb1", "second-order-for-exact"): ALL["cvb1d"],
    ("cvb1", "cvb0-topic-term"): ALL["cvb0"],
    ("cvb1d", "cvb0-topic-term"): ALL["cvb0"],
    ("tcvb0", "one-token-excluded"): ALL["cvb0"],
    ("tcvb0", "nothing-excluded"): replace(ALL["cvb0"], excludes="nothing"),
    ("vb", "half-subtracted"): replace(vb.APPROXIMATE, offset=0.0),
    ("vem", "vb-for-vem"): ALL["vb"],
    ("ml", "prior-used"): replace(ALL["cvb0"], excludes="nothing"),
    ("map", "prior-without-minus-one"): replace(ALL["cvb0"], excludes="nothing"),
}


@pytest.mark.parametrize(("name", "mistake"), BROKEN)
def test_mistaken_sweeps_are_those_of_broken_algorithms(name, mistake):
    """Planted in the package, from outside, mistakes give what the second evaluator says that they give."""
    found = 0
    for case in file(name)["cases"]:
        wrong = [m["expected"] for m in case["mistakes"] if m["name"] == mistake]
        if case["operation"] not in ("sweep", "ten_sweeps") or not wrong:
            continue
        _, s, c, p = package._read(case)
        for _ in range(10 if case["operation"] == "ten_sweeps" else 1):
            A = BROKEN[name, mistake]
            s = A.sweep(s, c, p, schedule=case["schedule"])
        assert distance(case, {"gamma": s.gamma.tolist()}, wrong[0]) <= 1, case["id"]
        found += 1
    assert found


@pytest.mark.parametrize(
    ("mistake", "change"), [*CHAINS.items(), ("topics-from-one", None), ("draw-strict", {"pick": "strict"})]
)
def test_mistaken_draws_are_those_of_broken_samplers(mistake, change):
    def strict(x, u):
        partial_sums = x.cumsum(-1)
        return (partial_sums[..., :-1] < (u * partial_sums[..., -1])[..., None]).sum(-1)

    change = {"pick": strict} if change == {"pick": "strict"} else change or {}
    found = 0
    for case in file("cgs")["cases"]:
        wrong = [m["expected"] for m in case["mistakes"] if m["name"] == mistake]
        if case["operation"] != "sweep" or not wrong:
            continue
        A, s, c, p = package._read(case)
        u = np.array(case["uniforms"])
        s = partial(planted.collapsed, A, **change)(s, c, p, None, uniforms=u)
        assert (s.z + (mistake == "topics-from-one")).tolist() == wrong[0]["z"], case["id"]
        found += 1
    assert found


# The files -----------------------------------------------------------------------------------------------------------


def faults(schema, x, at="file"):
    """Where x does not fulfil a JSON Schema, for the keywords that `schema.json` uses."""
    known = {
        "$ref", "$defs", "$schema", "title", "description", "type", "const", "enum", "required", "properties", "items",
        "additionalProperties", "minItems", "minLength", "minimum", "exclusiveMaximum", "pattern", "anyOf", "oneOf",
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


@pytest.mark.parametrize("name", lda.ALGORITHMS)
def test_files_fulfil_the_schema(name):
    assert list(itertools.islice(faults(SCHEMA, file(name)), 5)) == []


def test_the_other_files_fulfil_the_schema():
    assert list(faults(SCHEMA["$defs"]["samplers"], file("samplers"))) == []
    assert list(faults(SCHEMA["$defs"]["mistakes"], MISTAKES)) == []


def test_answers_fulfil_the_schema():
    for case in file("cvb0")["cases"] + file("cgs")["cases"]:
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
    ],
)
def test_the_schema_refuses(change, fault):
    case = file("cvb0")["cases"][0]
    assert list(faults(SCHEMA["$defs"]["case"], case)) == []
    assert any(found.startswith(fault) for found in faults(SCHEMA["$defs"]["case"], case | change))


def test_there_are_enough_cases_and_of_every_kind():
    cases = every_case()
    assert len(cases) >= 300
    assert len({case["id"] for case in cases}) == len(cases)
    assert {case["algorithm"] for case in cases} == set(lda.ALGORITHMS)
    kinds = {(case["algorithm"], case["operation"]) for case in cases}
    for name, A in lda.ALGORITHMS.items():
        steps = (*LADDER, "draw") if name in SAMPLERS else (*LADDER, "ten_sweeps", "converged")
        assert {step for step in steps if (name, step) not in kinds} == set()
        swept = {case["schedule"] for case in cases if case["algorithm"] == name and case["operation"] == "sweep"}
        assert swept == set(A.schedules) - {"nested"}
    flags = {flag for case in cases for flag in case["flags"]}
    assert flags == set(SCHEMA["$defs"]["case"]["properties"]["flags"]["items"]["enum"])
    assert sum(path.stat().st_size for path in VECTORS.iterdir()) < 5_000_000


def test_ids_name_algorithm_and_operation():
    for case in every_case():
        assert case["id"].rsplit("/", 1)[0] == f"{case['algorithm']}/{case['operation']}"
        assert case["expected"].keys() == case["tolerance"].keys() or case["operation"] == "reject"
        if "z" in case["expected"] or "topic" in case["expected"]:
            assert [t["absolute"] for t in case["tolerance"].values()] == [0]


def test_tags_are_equations():
    known = tomllib.loads((ROOT / "equations.toml").read_text("utf-8"))
    assert {tag for case in every_case() for tag in case["tags"]} <= known.keys()
    text = " ".join(MISTAKES.values())
    keys = re.findall(r"(TNW06|AWST09|SOL14|SN12) ((?:\(\d+\))+(?:-\(\d+\))?(?:\(\d+\))*)", text)
    last = {"TNW06": 20, "AWST09": 16, "SOL14": 29, "SN12": 55}
    assert keys
    assert all(1 <= int(n) <= last[key] for key, numbers in keys for n in re.findall(r"\d+", numbers))


# Freshness -----------------------------------------------------------------------------------------------------------

ALONE = """
import runpy, sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("numpy", "scipy", "lda_reference"):
            raise ImportError(f"{name} is blocked")

sys.meta_path.insert(0, Blocked())
script, *arguments = sys.argv[1:]
sys.argv = [script, *arguments]
runpy.run_path(script, run_name="__main__")
"""


def regenerated(folder, *names):
    """Files made anew, where nothing but the standard library and mpmath can be imported."""
    command = [sys.executable, "-I", "-c", ALONE, str(SCRIPT), str(folder), *names]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=3600, check=False)
    assert done.returncode == 0, done.stderr
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def kept(name):
    """A file as it stands, but for the version of mpmath, which may be another here."""
    mpmath = pytest.importorskip("mpmath")
    text = (VECTORS / name).read_bytes()
    return re.sub(rb'"mpmath":"[^"]*"', b'"mpmath":"%s"' % mpmath.__version__.encode(), text, count=1)


def test_a_file_is_what_the_script_makes_alone(tmp_path):
    made = regenerated(tmp_path, "gibbs", "mistakes")
    assert sorted(made) == ["gibbs.json", "mistakes.json"]
    assert [name for name in made if made[name] != kept(name)] == []


@pytest.mark.skipif(not os.environ.get("LDA_TEST_ALL"), reason="takes minutes; set LDA_TEST_ALL to run it")
def test_all_files_are_what_the_script_makes_alone(tmp_path):
    made = regenerated(tmp_path)
    assert sorted(made) == sorted(path.name for path in VECTORS.iterdir())
    assert [name for name in made if made[name] != kept(name)] == []


def test_the_script_imports_the_standard_library_and_mpmath_alone():
    found = re.findall(r"^(?:from|import) (\w+)", SCRIPT.read_text("utf-8"), re.MULTILINE)
    assert set(found) - {"mpmath"} <= sys.stdlib_module_names


def test_the_script_says_how_it_is_used():
    done = subprocess.run([sys.executable, str(SCRIPT)], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("usage: python certify.py OUT_DIR")
