"""The answer of a case, its tolerances, and the answers that the known mistakes give."""

from __future__ import annotations

import math
from typing import Any

from .arithmetic import Case, Number, Row, difference, mp, mpf, rounded
from .classes import evaluator
from .evaluator import Evaluator
from .mistakes import mistaken, mistakes_of
from .noise import growth
from .operation import Operation
from .operation_noise import growth_of_operation
from .operations import OPERATIONS

APART = 100  # tolerances between the answers of a mistake and all others
EXACT = {"absolute": 0, "why": "exact"}


class Watched(Evaluator):
    """Notes how near a draw comes to a boundary, and how fast sweeps converge.

    Attributes
    ----------
    margin : number
        The least distance between u and a partial sum, when the last partial sum is 1.
    rate : number
        The last change of gamma over the change before it.
    """

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.margin, self.rate, self.last_change = mpf(1), mpf(0), mp.inf

    def drawn(self, x: Row, u: Number) -> int:
        total, partial = sum(x), mpf(0)
        for weight in x[:-1]:
            partial += weight
            self.margin = min(self.margin, abs(partial / total - u))
        return super().drawn(x, u)

    def settled(self, change: Number) -> bool:
        if super().settled(change):
            return True
        self.rate, self.last_change = change / self.last_change, change
        return False


def watched(case: Case) -> dict[str, Any]:
    """The answer of a case; a ValueError when rounding errors could change what float64 gives."""
    e = evaluator(case, Watched)
    assert isinstance(e, Watched)
    answer = e.answer()
    if "tie" not in case["flags"] and e.margin < 1e-9:
        raise ValueError(f"{case['id']}: a uniform number lies on a boundary between topics")
    if case["operation"] == "converged" and not e.rate < 0.8:
        raise ValueError(f"{case['id']}: a sweep reduces the distance to the fixed point only by a factor of {e.rate}")
    return answer


def tolerances(case: Case, expected: dict[str, Any]) -> dict[str, Any]:
    """The absolute tolerance of each field, with the reason."""
    if "start" in case:
        return {"gamma": tolerance_of_start(case, expected)}
    if (case["algorithm"], case["operation"]) in OPERATIONS:
        return tolerances_of_operation(case, expected)
    if case["operation"] == "reject" and not all(math.fsum(row) == 1 for row in case["state"].get("gamma", ())):
        return {
            "gamma": {"absolute": 1e-9, "why": "a row of gamma does not sum to 1, and a port may divide it by its sum"}
        }
    steps = ("update", "sweep", "ten_sweeps", "converged", "summary", "hyperparameters", "reject")
    if case["operation"] in steps and {"z", "topic"}.isdisjoint(expected):
        return dict.fromkeys(expected, tolerance_of_growth(case, expected))
    return {field: tolerance(field, value) for field, value in expected.items()}


def tolerances_of_operation(case: Case, expected: dict[str, Any]) -> dict[str, Any]:
    """The tolerances of an operation besides the steps of the algorithms."""
    if not issubclass(OPERATIONS[case["algorithm"], case["operation"]], Operation):  # it has the update of an algorithm
        return dict.fromkeys(expected, EXACT if "z" in expected else tolerance_of_growth(case, expected))
    why = "1e-13 times {:.2g}, by which relative errors of the given numbers and of sums grow; 1e-12 at least"
    found = {}
    for field, x in growth_of_operation(case, expected).items():
        found[field] = {"absolute": max(1e-12, round_up(1e-13 * x)), "why": why.format(x)}
    return found | ({"left": EXACT} if "left" in expected else {})


def tolerance_of_start(case: Case, expected: dict[str, Any]) -> dict[str, Any]:
    """The tolerance of gamma at its start."""
    if case["start"] == "incremental":
        return EXACT
    if case["start"] in ("collapsed", "growing"):
        return tolerance_of_growth(case, expected)
    return tolerance("gamma", expected["gamma"])


def tolerance_of_growth(case: Case, expected: dict[str, Any]) -> dict[str, Any]:
    """The tolerance of a step that multiplies errors."""
    x = growth(case, expected)
    absolute = max(1e-12, round_up(1e-13 * x))
    if absolute > 1e-6:
        raise ValueError(f"{case['id']} is badly conditioned: errors grow by a factor of {x}")
    why = f"1e-13 times {x:.2g}, by which relative changes of start and sums grow; 1e-12 at least"
    return {"absolute": absolute, "why": why}


def tolerance(field: str, value: Any) -> dict[str, Any]:
    """The tolerance of a field that is computed in a few steps."""
    if field in ("z", "topic"):
        return EXACT
    if field not in ("bound", "perplexity"):
        return {"absolute": 1e-12, "why": "probabilities, from sums of at most a few dozen terms"}
    size = float(abs(value)) if mp.isfinite(value) else 1.0
    why = "1e-12 relative: sums of logarithms" if size > 1 else "1e-12"
    return {"absolute": max(1e-12, round_up(1e-12 * size)), "why": why}


def round_up(x: float) -> float:
    """The least number at or above x that is 1, 2 or 5 times a power of 10."""
    candidates = (float(f"{digit}e{exponent}") for exponent in range(-30, 309) for digit in (1, 2, 5))
    return next(y for y in candidates if y >= x)


def distance(case: Case, a: dict[str, Any], b: dict[str, Any]) -> float:
    """The largest difference between two answers, in tolerances; infinite when a draw differs."""
    worst = 0.0
    for field, of in case["tolerance"].items():
        d = difference(a[field], b[field])
        if d:
            worst = max(worst, float(d / of["absolute"]) if of["absolute"] else float("inf"))
    return worst


def mistaken_answers(case: Case, expected: dict[str, Any]) -> list[dict[str, Any]]:
    """The answers of the mistakes that can be told from the right answer and from one another."""
    found = []
    for mistake in mistakes_of(case):
        try:
            wrong = mistaken(case, mistake).answer()
        except (ValueError, ZeroDivisionError, OverflowError):
            continue  # the mistake gives no numbers here
        if finite(wrong) and distance(case, wrong, expected) > APART:
            found.append((mistake.name, wrong))
    return [
        {"name": name, "expected": rounded(wrong)}
        for name, wrong in found
        if all(other is wrong or distance(case, wrong, other) > APART for _, other in found)
    ]


def finite(x: Any) -> bool:
    """Whether an answer has neither NaN nor minus infinity in it; plus infinity is a perplexity."""
    if isinstance(x, dict):
        return all(finite(v) for v in x.values())
    if isinstance(x, list):
        return all(finite(v) for v in x)
    return isinstance(x, int) or (isinstance(x, mpf) and (bool(mp.isfinite(x)) or x == mp.inf))


def completed(case: Case) -> Case:
    """The case with its answer, its tolerances and the answers of mistakes.

    Two fields only say how to complete it: `legal` marks an input to reject that is legal after all, and `named` says
    whether mistakes are evaluated.
    """
    case = dict(case)
    legal, named = case.pop("legal", case["operation"] != "reject"), case.pop("named", case["operation"] != "reject")
    if not legal:
        return case | {"expected": {"error": True}, "tolerance": {}, "mistakes": []}
    expected = watched(case)
    case |= {"expected": rounded(expected), "tolerance": tolerances(case, expected)}
    return case | {"mistakes": mistaken_answers(case, expected) if named else []}
