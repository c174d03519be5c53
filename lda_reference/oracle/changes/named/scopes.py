"""Where a mistake can be made, and the changes that several mistakes are made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ....plain.problem import Case
from ....plain.updates import ALGORITHMS, COLLAPSED, UNCOLLAPSED, Gibbs, MaximumLikelihoodPhi
from ..change import Method

SWEEPS = ("sweep", "ten_sweeps")
WEIGHTS = ("update", "draw", *SWEEPS)
ESTIMATES = ("estimate", "predict")

EVERY_ALGORITHM = tuple(ALGORITHMS)
SOFT = (*UNCOLLAPSED, *COLLAPSED)
TOKENWISE = tuple(algorithm for algorithm, A in ALGORITHMS.items() if A.excludes == "token")
SMOOTHED = tuple(algorithm for algorithm, A in ALGORITHMS.items() if not issubclass(A, (MaximumLikelihoodPhi, Gibbs)))
WITH_ALPHA = (*SMOOTHED, "vem")

Part = str | Mapping[str, Any]  # the text of a change in the vocabulary, or methods by their names
Mistakes = Mapping[str, Part | tuple[Part, ...]]


class Scope(NamedTuple):
    """Mistakes by their names, and where they can be made. `schedule` is empty if it does not matter."""

    algorithms: tuple[str, ...]
    operations: tuple[str, ...]
    schedule: str
    mistakes: Mistakes

    def __or__(self, mistakes: Mistakes) -> Scope:
        return self._replace(mistakes=mistakes)


def where(algorithms: str | tuple[str, ...], operations: str | tuple[str, ...], schedule: str = "") -> Scope:
    """Some operations of some algorithms, or of a single one, without mistakes."""
    name_tuples = [(names,) if isinstance(names, str) else names for names in (algorithms, operations)]
    return Scope(name_tuples[0], name_tuples[1], schedule, {})


def constant(number: int) -> Method:
    """The number x, whatever is right."""
    return lambda self, right, *arguments: self.number(number)


def added(**added_amounts: int) -> Mapping[str, Method]:
    """A change of a case that adds to some of its numbers."""
    return {"changed": lambda self, right, case: case | {field: case[field] + x for field, x in added_amounts.items()}}


def only_with_number(prior_name: str) -> Mapping[str, Method]:
    """No change; a ValueError if alpha or eta is not a single number."""

    def changed(self: Any, right: Method, case: Case) -> Case:
        if isinstance(case["prior"][prior_name], list):
            raise ValueError(f"{prior_name} is a list, expected a single number")
        return case

    return {"changed": changed}
