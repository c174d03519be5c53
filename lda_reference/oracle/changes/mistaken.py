"""The answers that the known mistakes give to a case, from the plain text."""

import math
from collections.abc import Iterable, Iterator
from typing import Any

from ...plain import OPERATIONS, Fractions, is_large
from ..cases.closeness import agrees, tolerance_of
from ..cases.loading import Case
from ..cases.noise import largest
from .change import Method, Row, layer
from .named import catalogue, names
from .trying import Counted, answer_with

MAX_OPERATIONS = 3_000_000  # operations in an answer
APART_TOLERANCES = 100  # tolerances of double precision between the answer of a mistake and the right one

Answer = dict[str, Any]


def names_of_mistakes(case: Case) -> Iterable[str]:
    """The names of the mistakes that can be made in a case: those that it lists, or else the known ones."""
    if case.get("mistakes"):
        return [case_mistake["name"] for case_mistake in case["mistakes"]]
    if not case.keys() >= {"corpus", "prior", "K"} or "error" in case["expected"] or case["operation"] == "sample":
        return ()
    takes_long = is_large(case) and (case["algorithm"], case["operation"]) not in OPERATIONS  # steps that take long
    return () if takes_long else names(case)


def mistaken_answer(case: Case, mistake_name: str) -> Answer | None:
    """The answer of a mistake; None if it has none, or cannot be told from the right one."""
    for case_mistake in case.get("mistakes", ()):
        if case_mistake["name"] == mistake_name:
            return dict(case_mistake["expected"])
    arithmetic = Fractions() if "tie" in case.get("flags", ()) else Counted(MAX_OPERATIONS)
    answer, _ = answer_with(case, catalogue()[mistake_name].changes, arithmetic, _REFUSING)
    right_answer = case["expected"]
    wide_tolerance = {field: APART_TOLERANCES * x for field, x in tolerance_of(case, "double").items()}
    return answer if answer is not None and not agrees(right_answer, answer, wide_tolerance) else None


def _probabilities(self: Any, right: Method, *arguments: Any) -> Row:
    """The weights; a ValueError if one is negative or infinite, or all are 0."""
    weights = right(*arguments)
    if not all(0 <= x < math.inf for x in weights) or not any(weights):
        raise ValueError("no probabilities are proportional to these weights")
    return weights


_REFUSING = layer({"weights": _probabilities})


def gives(case: Case, mistake_name: str, answer: Any) -> bool | None:
    """Whether a mistake gives an answer; None if it gives none, or nearly the right one."""
    wrong_answer = mistaken_answer(case, mistake_name)
    return None if wrong_answer is None else agrees(wrong_answer, answer, _tolerance(case, wrong_answer))


def mistakes_told_apart(case: Case) -> Iterator[tuple[str, Answer]]:
    """The mistakes that can be told from the right answer and from one another, with their answers."""
    answer_of_name = {name: x for name in names_of_mistakes(case) if (x := mistaken_answer(case, name)) is not None}
    wide_tolerance = {field: APART_TOLERANCES * tolerance for field, tolerance in tolerance_of(case, "double").items()}
    for mistake_name, answer in answer_of_name.items():
        if not any(agrees(answer, y, wide_tolerance) for rival, y in answer_of_name.items() if rival != mistake_name):
            yield mistake_name, answer


def mistake_of(case: Case, answer: Any) -> str | None:
    """The one mistake that gives an answer."""
    mistake_names = [mistake_name for mistake_name in names_of_mistakes(case) if gives(case, mistake_name, answer)]
    return mistake_names[0] if len(mistake_names) == 1 else None


def _tolerance(case: Case, wrong_answer: Answer) -> dict[str, float]:
    """The tolerances of a case, larger for the answer of a mistake whose numbers are larger."""
    sizes = {field: (largest(x), largest(wrong_answer.get(field, 0.0))) for field, x in case["expected"].items()}
    return {field: x * max(1.0, sizes[field][1] / (sizes[field][0] or 1.0)) for field, x in tolerance_of(case).items()}
