"""The class that evaluates a case: that of its algorithm, of its start or of its operation."""

from __future__ import annotations

from .arithmetic import Case
from .evaluator import Evaluator
from .kept import Kept
from .operations import OPERATIONS
from .starts import STARTS
from .updates import ALGORITHMS

MANY = 100  # with more tokens, sums are kept


def class_of(case: Case) -> type[Evaluator]:
    """The class of a case."""
    key = case["algorithm"], case.get("operation")
    if key in OPERATIONS:
        return OPERATIONS[key]
    return ALGORITHMS[case["algorithm"]] if case["algorithm"] in ALGORITHMS else STARTS[case["start"]]


def evaluator(case: Case, *layers: type[Evaluator]) -> Evaluator:
    """The evaluator of a case; each layer is a class whose methods come before those of the case's class.

    In a corpus of more than 100 tokens, `Kept` is the last layer.
    """
    of = class_of(case)
    if sum(case["corpus"]["n"]) > MANY:
        layers = (*layers, Kept)
    return type(of.__name__, (*layers, of), {})(case) if layers else of(case)
