"""The class that evaluates a case: that of its algorithm, of its start or of its operation."""

from __future__ import annotations

from .arithmetic import Case
from .evaluator import Evaluator
from .operations import OPERATIONS
from .starts import STARTS
from .updates import ALGORITHMS


def class_of(case: Case) -> type[Evaluator]:
    """The class of a case."""
    if case["operation"] == "start":
        return STARTS[case["start"]]
    key = case["algorithm"], case["operation"]
    return OPERATIONS[key] if key in OPERATIONS else ALGORITHMS[case["algorithm"]]


def evaluator(case: Case, *layers: type[Evaluator]) -> Evaluator:
    """The evaluator of a case; each layer is a class whose methods come before those of the case's class."""
    of = class_of(case)
    return type(of.__name__, (*layers, of), {})(case) if layers else of(case)
