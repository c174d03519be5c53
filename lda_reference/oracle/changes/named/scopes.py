"""Where a mistake can be made, and the changes that several mistakes are made of."""

from __future__ import annotations

from typing import Any

from ....plain.numbers import Number
from ....plain.problem import Case
from ....plain.updates import ALGORITHMS, COLLAPSED, UNCOLLAPSED
from ..change import Method

SWEEPS = ("sweep", "ten_sweeps")
WEIGHTS = ("update", "draw", *SWEEPS)
ESTIMATES = ("estimate", "predict")

EVERY_ALGORITHM = tuple(ALGORITHMS)
SOFT = (*UNCOLLAPSED, *COLLAPSED)
TOKENWISE = ("cgs", "cvb_exact", "cvb", "cvb0", "cvb1", "cvb1s", "cvb1d")
SMOOTHED = ("map", "vb", "cgs", "cvb_exact", "cvb", "cvb0", "tcvb0", "cvb1", "cvb1s", "cvb1d")
WITH_ALPHA = (*SMOOTHED, "vem")


class Scope(dict[str, dict[str, Any]]):
    """The mistakes that can be made in some operations of some algorithms, by their names.

    A mistake is what it changes: methods by their names, the new values of attributes and, as `instead`, the algorithm
    that takes the place of the right one.
    """

    def __init__(self, algorithms: tuple[str, ...], operations: tuple[str, ...], schedule: str = "") -> None:
        super().__init__()
        self.algorithms, self.operations, self.schedule = algorithms, operations, schedule


at = Scope


def zero(self: Any, right: Any, *arguments: Any) -> Number:
    """0, whatever is right."""
    return self.number(0)


def one(self: Any, right: Any, *arguments: Any) -> Number:
    """1, whatever is right."""
    return self.number(1)


def added(**amounts: int) -> Method:
    """A change of a case that adds to some of its numbers."""
    return lambda self, right, case: case | {name: case[name] + amount for name, amount in amounts.items()}


def with_counts_of_1(*corpora: str) -> Method:
    """A change of a case that sets all counts to 1 in some of its corpora ("corpus", "test"), if it has them."""

    def changed(self: Any, right: Any, case: Case) -> Case:
        return case | {name: case[name] | {"n": [1] * len(case[name]["n"])} for name in corpora if name in case}

    return changed
