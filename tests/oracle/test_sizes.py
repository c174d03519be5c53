"""The cases of sizes and borders: faults that small cases do not show are found by them, and by them alone."""

import functools
import shutil
import time

import pytest

from lda_reference import oracle
from lda_reference.oracle import package
from lda_reference.plain import Running, algorithm, answer
from lda_reference.plain.sweeps import Algorithm
from lda_reference.plain.updates import COLLAPSED, SAMPLERS

from ..certify import algorithm_cases, plan, reject_cases
from .helpers import CERTIFIED, distance, every_case, file
from .ports.sizes import FAULTS
from .test_ports import build, changed, checked, source, steps

LARGE = 100  # rows: more take a plain port seconds


@functools.cache
def small():
    """The ids of the cases of small corpora that are nowhere near a border."""
    ids = set()
    for name in CERTIFIED:
        of = plan.Plan(name)
        (algorithm_cases.samplers if name in SAMPLERS else algorithm_cases.soft)(of)
        algorithm_cases.estimates(of)
        reject_cases.rejects(of)
        ids |= {case["id"] for case in of.by_operation()}
    return ids | {case["id"] for case in file("starts")["cases"] if case["operation"] == "start"}


def only_new(report):
    """Whether some cases fail, and none of them is small."""
    failed = {r.id for r in report.of("failed")}
    return bool(failed) and not failed & small()


# Faults of a port ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def asked():
    return [case for case in oracle.cases() if steps(case) and len(case["corpus"]["n"]) <= LARGE]


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_found_by_cases_of_sizes_and_borders_alone(name, asked, tmp_path):
    report = checked(build("js", changed("js", FAULTS[name]), tmp_path), asked)
    assert only_new(report), sorted(r.id for r in report.of("failed") if r.id in small())


def test_sums_of_512_rows_are_found_by_the_largest_corpora_alone(tmp_path):
    cut = {"i < m.M; i++) {\n    const left": "i < Math.min(m.M, 512); i++) {\n    const left"}
    given = [case for case in oracle.cases("cvb0,vb") if steps(case)]
    report = checked(build("js", changed("js", cut), tmp_path), given)
    assert {len(case["corpus"]["n"]) > 512 for case in given if case["id"] in {r.id for r in report.of("failed")}} == {
        True
    }


def test_a_compiled_port_answers_everything_in_ten_seconds(tmp_path):
    if not (shutil.which("cc") or shutil.which("gcc")):
        pytest.skip("no C compiler")
    command = build("c", source("c"), tmp_path, ["-O2"])
    start = time.process_time()
    report = oracle.check(command)
    assert report.ok, str(report)
    children = sum(r.seconds for r in report.results)
    print(f"{children:.1f} s, of which the runner took {time.process_time() - start:.1f} s")
    assert children < 10 * slowness()


def slowness():
    """How busy this machine is: the wall time of a process over its own time."""
    start = time.perf_counter(), time.process_time()
    sum(i * i for i in range(3_000_000))
    return max(1.0, (time.perf_counter() - start[0]) / (time.process_time() - start[1]))


# Sums that are never computed again ----------------------------------------------------------------------------------


class NeverAgain(Running):
    """Sums that are added up once, before the first sweep."""

    one_sweep = Algorithm.one_sweep


@pytest.mark.parametrize("name", ["cvb", "cvb0"])
def test_sums_that_are_never_computed_again_are_found(name):
    """Sums that are computed in each sweep are well within the tolerance."""

    def port(layer):
        return lambda case: {"id": case["id"], **answer(case, float, layer)}

    given = [
        case for case in file(name)["cases"] if case["operation"] == "summary" and max(case["corpus"]["n"]) > 10_000
    ]
    assert len(given) == 1
    assert oracle.check(port(Running), given=given).ok
    assert not oracle.check(port(NeverAgain), given=given).ok
    assert distance(given[0], answer(given[0], float, Running), given[0]["expected"]) < 0.1


# Inputs of starts ----------------------------------------------------------------------------------------------------


def test_a_start_that_checks_nothing_is_found(monkeypatch):
    monkeypatch.setattr(package, "_check_start", lambda case, c, K: None)
    report = oracle.check(package.answer, only="starts")
    assert {r.operation for r in report.of("failed")} == {"reject"}
    assert len(report.of("failed")) >= 10


def test_a_start_that_refuses_everything_is_found():
    def refuse(case):
        return {"id": case["id"], "error": "no"} if case["operation"] == "reject" else package.answer(case)

    failed = oracle.check(refuse, only="starts").of("failed")
    assert len(failed) >= 4
    assert all("the input is legal and was refused" in r.reason for r in failed)


# The cases -----------------------------------------------------------------------------------------------------------


def test_each_reject_case_says_whether_it_is_legal():
    for case in (*every_case(), *file("starts")["cases"]):
        if case["operation"] == "reject":
            assert case["note"].startswith("legal") == ("error" not in case["expected"]), case["id"]
    for name in (*CERTIFIED, "starts"):
        legal = [case for case in file(name)["cases"] if case["note"].startswith("legal")]
        assert len(legal) >= 4


def test_what_occurs_together_in_small_corpora_occurs_alone():
    """In the sweeps of all algorithms. What is no step is the same in all collapsed algorithms; cvb0 stands for them."""
    flags = {}
    for case in every_case():
        if case["operation"] == "sweep" or case["algorithm"] not in COLLAPSED or case["algorithm"] == "cvb0":
            flags.setdefault((case["algorithm"], case["operation"]), []).append(set(case["flags"]))
    for (name, operation), found in flags.items():
        if operation in ("sweep", "predict", "bound", "hyperparameters"):
            for a, b in (("empty_document", "unseen_word"), ("asymmetric_alpha", "asymmetric_eta")):
                assert {(a in x, b in x) for x in found} >= {(True, False), (False, True)}, (name, operation)


def test_every_size_occurs():
    for name in CERTIFIED:
        of = [case for case in every_case() if case["algorithm"] == name]
        assert max(case["K"] for case in of) >= 12
        assert max(len(case["corpus"]["n"]) for case in of) > 64
        assert max(case["corpus"]["W"] for case in of) > 256
        assert max(max(case["corpus"]["n"]) for case in of) >= (1 if name == "cvb1s" else 300)
    tests = [case["test"]["j"] for case in every_case() if "test" in case]
    assert any(len(set(j)) <= max(j) for j in tests)  # a document without test rows before another


# The plain text ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CERTIFIED)
def test_running_sums_give_what_recounted_sums_give(name):
    quick = [case for case in file(name)["cases"] if case["operation"] in ("sweep", "summary", "ten_sweeps")]
    for case in [case for case in quick if sum(case["corpus"]["n"]) <= 20 and "one_token" not in case["flags"]][:6]:
        assert distance(case, answer(case), answer(case, float, Running)) < 0.1, case["id"]


def test_blocks_are_those_of_the_definition():
    """Documents of 3, 1, 1, 5 and 2 rows, that begin at rows 0, 3, 4, 5 and 10 of 12."""
    corpus = {"j": [0] * 3 + [1, 2] + [3] * 5 + [4] * 2, "w": [0] * 12, "n": [1] * 12, "D": 5, "W": 1}
    case = {
        "algorithm": "cvb0",
        "corpus": corpus,
        "K": 1,
        "prior": {"alpha": 1, "eta": 1},
        "state": {"gamma": [[1]] * 12},
    }

    def blocks(B):
        return algorithm(case | {"blocks": B}).blocks()

    assert blocks(1) == {0}
    assert blocks(2) == {0, 10}  # the first document that begins at row 6 or later
    assert blocks(3) == {0, 4, 10}
    assert blocks(4) == {0, 3, 10}  # at row 3, 6 and 9 or later
    assert blocks(5) == {0, 3, 4, 5, 10}
