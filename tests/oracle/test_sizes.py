"""The cases of sizes and borders: faults that small cases do not show are found by them, and by them alone."""

import functools

import pytest

from lda_reference import oracle
from lda_reference.plain import Running, algorithm, answer
from lda_reference.plain.sweeps import Algorithm
from lda_reference.plain.updates import SAMPLERS

from ..certify import algorithm_cases, plan, reject_cases
from .helpers import CERTIFIED, cases, distance, file
from .ports.sizes import FAULTS
from .test_ports import build, changed, checked, steps

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
    return [case for case in cases() if steps(case) and len(case["corpus"]["n"]) <= LARGE]


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_found_by_cases_of_sizes_and_borders_alone(name, asked, tmp_path):
    report = checked(build("js", changed("js", FAULTS[name]), tmp_path), asked)
    assert only_new(report), sorted(r.id for r in report.of("failed") if r.id in small())


def test_sums_of_512_rows_are_found_by_the_largest_corpora_alone(tmp_path):
    cut = {"i < m.M; i++) {\n    const left": "i < Math.min(m.M, 512); i++) {\n    const left"}
    given = [case for case in cases("cvb0,vb") if steps(case)]
    report = checked(build("js", changed("js", cut), tmp_path), given)
    assert {len(case["corpus"]["n"]) > 512 for case in given if case["id"] in {r.id for r in report.of("failed")}} == {
        True
    }


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


# Blocks ---------------------------------------------------------------------------------------------------------------


def test_blocks_are_those_of_the_definition():
    """Documents of 3, 1, 1, 5 and 2 rows, that begin at rows 0, 3, 4, 5 and 10 of 12."""
    corpus = {"j": [0] * 3 + [1, 2] + [3] * 5 + [4] * 2, "w": [0] * 12, "n": [1] * 12, "D": 5, "W": 1}
    case = {"algorithm": "cvb0", "corpus": corpus, "K": 1, "prior": {"alpha": 1, "eta": 1}}

    def blocks(B):
        return algorithm(case | {"blocks": B}).blocks()

    assert blocks(1) == {0}
    assert blocks(2) == {0, 10}  # the first document that begins at row 6 or later
    assert blocks(3) == {0, 4, 10}
    assert blocks(4) == {0, 3, 10}  # at row 3, 6 and 9 or later
    assert blocks(5) == {0, 3, 4, 5, 10}
