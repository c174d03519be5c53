"""The class that evaluates a case: that of its algorithm or of its start."""

from __future__ import annotations

from .arithmetic import Case
from .evaluator import Evaluator
from .starts import STARTS
from .updates import ALGORITHMS


def class_of(case: Case) -> type[Evaluator]:
    """The class of a case."""
    return STARTS[case["start"]] if case["operation"] == "start" else ALGORITHMS[case["algorithm"]]


def evaluator(case: Case, *layers: type[Evaluator]) -> Evaluator:
    """The evaluator of a case; each layer is a class whose methods come before those of the case's class."""
    of = class_of(case)
    return type(of.__name__, (*layers, of), {})(case) if layers else of(case)
