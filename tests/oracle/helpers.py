"""What the tests of the oracle share."""

import functools
import json
import math

import numpy as np
import pytest

import lda_reference as lda
from lda_reference.app.where import ROOT
from lda_reference.oracle.cases import noise
from lda_reference.oracle.cases.loading import select
from lda_reference.oracle.changes.mistaken import mistakes_told_apart
from lda_reference.plain import algorithm

from ..app import helpers as app
from ..fuzz import ALL

ORACLE = ROOT / "lda_reference" / "oracle"
VECTORS = ORACLE / "vectors"
# convolution gives the numbers of cvb_exact; the steps of ep and hmc are in operations.json
CERTIFIED = [name for name in lda.ALGORITHMS if name not in ("convolution", "ep", "hmc")]
FILES = [*CERTIFIED, "operations", "online", "starts"]
GUIDE = (ORACLE / "GUIDE.md").read_text("utf-8")
LONG = pytest.mark.skipif(not ALL, reason="takes long; set LDA_TEST_ALL to run it")


# Cases made by hand --------------------------------------------------------------------------------------------------

EXPECTED = [0.75, 0.25]


def case(case_number=0, expected=None, tolerance=1e-15, mistakes=None, algorithm="cvb0", operation="update", **replaced_fields):
    """A case made by hand, to compare answers with."""
    expected = {"gamma_k": EXPECTED} if expected is None else expected
    return {
        "id": f"{algorithm}/{operation}/{case_number:03}", "version": 1, "algorithm": algorithm, "operation": operation,
        "tags": ["AWST09 (13)"], "flags": ["types"], "note": "made by hand", "prior": {"alpha": 0.5, "eta": 0.5},
        "K": 2, "corpus": {"j": [0, 0], "w": [0, 1], "n": [1, 1], "D": 1, "W": 2}, "expected": expected,
        "tolerance": {field: {"absolute": tolerance, "why": "..."} for field in expected},
        "mistakes": [{"name": mistake, "expected": mistaken_fields} for mistake, mistaken_fields in (mistakes or {}).items()],
    } | replaced_fields  # fmt: skip


PLANTED = {"all-copies-excluded": {"gamma_k": [0.8, 0.2]}}
MISTAKE_TEXTS = {"all-copies-excluded": "all copies of the word are excluded: AWST09 (13) excludes one token"}


def statuses(report):
    return [case_result.status for case_result in report.results]


run = functools.partial(app.run, "oracle")


def right_port(question):
    return {"id": question["id"], "gamma_k": EXPECTED}


PORT = """
import json, os, sys, time
for line in sys.stdin:
    case = json.loads(line)
    good = {{"id": case["id"], "gamma_k": [0.75, 0.25]}}
    if case["id"].endswith("1"):
        {body}
    print(json.dumps(good), flush=True)
"""


# The vectors ---------------------------------------------------------------------------------------------------------


@functools.cache
def read_file(file_name):
    return json.loads((VECTORS / f"{file_name}.json").read_text("utf-8"))


def cases(only=None, operation=None):
    """The same as `oracle.cases`, from files that are read once."""
    return select([case for file_name in FILES for case in read_file(file_name)["cases"]], only, operation)


@functools.cache
def mistaken(id):
    """The answers of the mistakes that can be told from the right answer to a case and from one another, by name."""
    (case,) = cases(id)
    return dict(mistakes_told_apart(case))


def one_of_each(all_cases):
    """The first case of each algorithm, operation, schedule and start; all cases in `make test-all`."""
    cases_by_kind = {}
    for case in all_cases:
        kind = (case["algorithm"], case["operation"], case.get("schedule"), case.get("start"))
        cases_by_kind.setdefault(kind, []).append(case)
    return [case for cases_of_kind in cases_by_kind.values() for case in (cases_of_kind if ALL else cases_of_kind[:1])]


def case_change(change_case):
    """A change of the case that an algorithm in plain text is given."""
    return {"__init__": lambda self, right, case, arithmetic: right(change_case(case), arithmetic)}


def watched_draws(case, arithmetic=float):
    """The draws of the plain text in its answer to a case."""
    watched_algorithm = algorithm(case, arithmetic, noise.Watched)
    watched_algorithm.answer()
    return watched_algorithm.draws


def distance(case, one_answer, another_answer):
    """The largest difference between two answers, in tolerances of the field; NaN if one has a number and the other NaN."""
    largest_distance = 0.0
    for field, tolerance in case["tolerance"].items():
        numbers, other_numbers = (np.array(answer[field], float) for answer in (one_answer, another_answer))
        if numbers.shape != other_numbers.shape:
            return math.inf
        numbers, other_numbers = numbers[numbers != other_numbers], other_numbers[numbers != other_numbers]
        with np.errstate(divide="ignore"):
            largest_distance = np.max(np.abs(numbers - other_numbers) / tolerance["absolute"], initial=largest_distance)
    return largest_distance
