"""The answers that the known mistakes give to a case, from the plain text."""

import math
from collections.abc import Iterable, Iterator
from typing import Any

from ...plain import OPERATIONS, Fractions, is_large
from ..cases.closeness import same, tolerance_of
from ..cases.loading import Case
from ..cases.noise import largest
from .change import Method, Row, layer
from .named import known, names
from .trying import Counted, answer_with

MOST = 3_000_000  # operations in an answer
APART = 100  # tolerances of double precision between the answer of a mistake and the right one

Answer = dict[str, Any]


def names_of_mistakes(case: Case) -> Iterable[str]:
    """The names of the mistakes that can be made in a case: those that it lists, or else the known ones."""
    if case.get("mistakes"):
        return [m["name"] for m in case["mistakes"]]
    if not case.keys() >= {"corpus", "prior", "K"} or "error" in case["expected"] or case["operation"] == "sample":
        return ()
    large = is_large(case) and (case["algorithm"], case["operation"]) not in OPERATIONS  # steps that take long
    return () if large else names(case)


def mistaken_answer(case: Case, name: str) -> Answer | None:
    """The answer of a mistake; None if it has none, or cannot be told from the right one."""
    for mistake in case.get("mistakes", ()):
        if mistake["name"] == name:
            return dict(mistake["expected"])
    numbers = Fractions() if "tie" in case.get("flags", ()) else Counted(MOST)
    answer, _ = answer_with(case, known()[name].changes, numbers, _REFUSING)
    right = case["expected"]
    apart = {field: APART * x for field, x in tolerance_of(case, "double").items()}
    return answer if answer is not None and not same(right, answer, apart) else None


def _probabilities(self: Any, right: Method, *arguments: Any) -> Row:
    """The weights; a ValueError if one is negative or infinite, or all are 0."""
    weights = right(*arguments)
    if not all(0 <= x < math.inf for x in weights) or not any(weights):
        raise ValueError("no probabilities are proportional to these weights")
    return weights


_REFUSING = layer({"weights": _probabilities})


def gives(case: Case, name: str, answer: Any) -> bool | None:
    """Whether a mistake gives an answer; None if it gives none, or nearly the right one."""
    mistaken = mistaken_answer(case, name)
    return None if mistaken is None else same(mistaken, answer, _tolerance(case, mistaken))


def mistakes_told_apart(case: Case) -> Iterator[tuple[str, Answer]]:
    """The mistakes that can be told from the right answer and from one another, with their answers."""
    answers = {name: x for name in names_of_mistakes(case) if (x := mistaken_answer(case, name)) is not None}
    apart = {field: APART * x for field, x in tolerance_of(case, "double").items()}
    for name, x in answers.items():
        if not any(same(x, y, apart) for other_name, y in answers.items() if other_name != name):
            yield name, x


def mistake_of(case: Case, answer: Any) -> str | None:
    """The one mistake that gives an answer."""
    shown = [name for name in names_of_mistakes(case) if gives(case, name, answer)]
    return shown[0] if len(shown) == 1 else None


def _tolerance(case: Case, mistaken: Answer) -> dict[str, float]:
    """The tolerances of a case, larger for the answer of a mistake whose numbers are larger."""
    sizes = {name: (largest(x), largest(mistaken.get(name, 0.0))) for name, x in case["expected"].items()}
    return {name: x * max(1.0, sizes[name][1] / (sizes[name][0] or 1.0)) for name, x in tolerance_of(case).items()}
