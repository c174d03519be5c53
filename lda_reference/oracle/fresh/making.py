"""Fresh cases: made when a port is checked, so that no port can know their answers.

A case follows from its id and the version of the package: `fresh/7/0012` is case 12 of seed 7. Its inputs are drawn
with `random.random` from a generator whose seed is the id, so that they are the same on every machine. The plain text
answers it, and its answer is certified in balls where python-flint is installed.

The tolerances are those of `noise`. Inputs are drawn again if a tolerance in double precision is above 1e-6, if a
uniform number is within 1e-9 of a boundary between topics, if a sweep by `block` has only one block, if 16 bits of each
word id are enough where there are more words, or if the step has no answer.
"""

import math
from collections.abc import Iterable
from typing import Any

from ...plain import Balls, Uncertain, algorithm, answer
from ..cases.closeness import agrees, differs
from ..cases.loading import SINGLE, Case, select
from ..cases.noise import DOUBLE, MANY_TOKENS, double_tolerances, errors, flat, single_tolerances
from ..changes.trying import mapped, spelled
from ..judging.comparing import compared, outcome
from .problems import kind_of
from .questions import inputs

MAX_ATTEMPTS = 1000
TOO_CLOSE, MAX_TOLERANCE = 1e-9, 1e-6  # the distance from a boundary and the tolerances, see above
MAX_WORK = 230_000  # operations of the plain text, see `work`
BALL_BITS = (200, 800, 3200)  # of the balls; the first that are narrow enough decide
MAX_RADIUS = 1e-20  # of a ball that is narrow enough


def fresh(n: int, seed: int, only: str | Iterable[str] | None = None, operation: str | None = None) -> list[Case]:
    """New cases with their answers: of all that the vectors ask, small ones, large counts and many topics.

    Their number n, 1 or more, is that before `only` and `operation` choose some of them, as in `cases`; a name may be
    that of an algorithm and an operation, such as "cvb0/update". They list no known mistakes. A ValueError says if n,
    or the seed, 0 or more, is out of range, or none of the n cases has one of the names.

    >>> case = fresh(3, seed=7)[2]
    >>> case["id"], sorted(case["tolerance"]) == sorted(case["expected"])
    ('fresh/7/0003', True)
    """
    if n < 1:
        raise ValueError(f"n is {n}, expected 1 or more fresh cases")
    if seed < 0:
        raise ValueError(f"seed is {seed}, expected 0 or more")
    case_heads = []
    for id in (f"fresh/{seed}/{case_number:04d}" for case_number in range(1, n + 1)):
        (algorithm_name, case_operation, variant), _ = kind_of(id)
        id_label = f"{algorithm_name}/{variant if case_operation == 'start' else case_operation}"
        case_heads.append({"id": id_label, "algorithm": algorithm_name, "operation": case_operation, "fresh": id})
    return [case_of(case["fresh"]) for case in select(case_heads, only, operation)]


def case_of(id: str) -> Case:
    for attempt in range(MAX_ATTEMPTS):
        case = _completed(inputs(id, attempt))
        if case is not None:
            return case
    raise ValueError(f"{id}: {MAX_ATTEMPTS} draws of its inputs are all badly conditioned")


def _completed(case: Case) -> Case | None:
    """The case with its answer and its tolerances; None if its inputs must be drawn again."""
    if "expected" in case:
        return case
    if work(case) > MAX_WORK:
        return None
    try:
        if _passes_in_16_bits(case):
            return None
        rounding_errors = errors(case)
    except (ValueError, ZeroDivisionError, OverflowError):
        return None
    if case["operation"] == "sweep" and case["schedule"] == "block" and len(algorithm(case).blocks()) < 2:
        return None  # `corpus` gives the same
    if case["operation"] == "hyperparameters" and not min(flat(list(rounding_errors.right.values()))) > 0:
        return None  # a prior of 0 is not legal
    case = case | {"expected": mapped(_spelled, rounding_errors.right)}
    tolerance_fields = double_tolerances(case, rounding_errors)
    has_large_tolerance = any(units * DOUBLE > MAX_TOLERANCE for units in rounding_errors.units.values())
    if has_large_tolerance or rounding_errors.undecided(DOUBLE, TOO_CLOSE) is not None:
        return None
    case = case | {"tolerance": tolerance_fields, SINGLE: single_tolerances(case, rounding_errors)}
    return None if _passes_undivided(case) else case


def _passes_undivided(case: Case) -> bool:
    """Whether a port that takes `corpus` for `block` and `nested` gives the answer, though K is 2 or more."""
    if case["K"] == 1 or case.get("schedule") not in ("block", "nested"):
        return False
    try:
        return not differs(case, answer(case | {"schedule": "corpus"}))
    except ArithmeticError:  # the plain text does not subtract the largest logarithm
        return False


def _passes_in_16_bits(case: Case) -> bool:
    """Whether a port that keeps 16 bits of each word id gives the answer, though there are more words."""
    c = case["corpus"]
    if c["W"] <= 2**16:
        return False
    right_answer, wrong_answer = answer(case), answer(case | {"corpus": c | {"w": [w % 2**16 for w in c["w"]]}})
    return agrees(right_answer, wrong_answer, dict.fromkeys(right_answer, MAX_TOLERANCE))


def work(case: Case) -> float:
    """About how many operations the plain text needs for distributions of counts and samples of them, for all seeds.

    For each topic of each row of cvb1s, the topics of all tokens are drawn three times from K weights.
    """
    N, M, K = sum(case["corpus"]["n"]), len(case["corpus"]["n"]), case["K"]
    work_of_row = {"cvb_exact": 1.5 * N * N, "cvb1": N * N, "cvb1s": 12 * N * K}.get(case["algorithm"], 0)
    n_rows = {"ten_sweeps": 10 * M, "converged": 30 * M, "summary": case.get("sweeps", 1) * M, "sweep": M, "update": 1}
    return K * work_of_row * n_rows.get(case["operation"], 0) * (1 if N > MANY_TOKENS else 2)


def certify(cases: Iterable[Case]) -> str:
    """Compare the answers of cases with those in balls, which enclose all rounding; says whether this was done."""
    try:
        arithmetics = [Balls(n_bits) for n_bits in BALL_BITS]
    except ModuleNotFoundError:
        return "none is certified, because python-flint is not installed"
    for case in cases:
        if "error" in case["expected"]:
            continue
        for balls in arithmetics:
            try:
                case_result = compared(case, {"id": case["id"], **mapped(_spelled, answer(case, balls))})
            except (Uncertain, OverflowError) as error:  # the balls are too wide
                case_result = outcome(case, "failed", str(error))
            if case_result.passed:
                break
        else:
            raise ValueError(f"{case['id']}: the answer is not the one that balls enclose: {case_result.reason}")
    return "all are certified in balls"


def _spelled(x: Any) -> float | str:
    """A number as in an answer. A ball that is not narrow enough is NaN, which equals no answer."""
    return spelled(x) if isinstance(x, float) or x.rad() < MAX_RADIUS else math.nan
