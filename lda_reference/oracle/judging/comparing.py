"""Comparing an answer with what a case expects."""

import json
import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from ..cases.closeness import brief, cut, entries, form_fault, is_near, names_of, number, place, tolerance_of
from ..cases.loading import Case, mistakes
from ..changes.mistaken import mistake_of

# The fields on a log scale, with their unit
LOGARITHMS = dict.fromkeys(("bound", "log_joint", "log_density", "log_evidence"), " nats") | {"coherence": ""}


class Result(NamedTuple):
    """The result of one case.

    The status is "passed", "failed" or "skipped"; "undecidable" if rounding could explain a wrong answer, or "expected"
    if the case failed and is listed as one that fails. `field`, `index`, `expected` and `got` are the first number that
    differs, if the answer could be compared.
    """

    id: str
    algorithm: str
    operation: str
    status: str
    reason: str = ""  # why the case failed, was skipped or cannot be decided
    field: str | None = None
    index: tuple[int, ...] = ()  # type: ignore[assignment]  # hides tuple.index
    expected: Any = None
    got: Any = None
    mistake: str | None = None  # the one known mistake that gives this answer, within the tolerance
    tags: tuple[str, ...] = ()  # the equations
    seconds: float = 0.0  # how long the answer took

    @property
    def passed(self) -> bool:
        return self.status == "passed"

    def __str__(self) -> str:
        return "\n".join(lines(self, mistakes()))


def compare(case: Case, answer: Any) -> Result:
    """Compare an answer with what a case expects.

    The answer must have the expected fields and no others, each of the right shape. Each number must be within the
    absolute tolerance of its field, which NaN never is. A mistake is named if the wrong answer equals that of exactly
    one of the case's known mistakes, within the same tolerances. The answer is anything as it is read from JSON:
    numbers, strings, lists and dicts.

    >>> case = {
    ...     "id": "cvb0/update/000", "algorithm": "cvb0", "operation": "update", "tags": ["AWST09 (13)"],
    ...     "expected": {"gamma_k": [0.75, 0.25]}, "tolerance": {"gamma_k": {"absolute": 1e-15}},
    ...     "mistakes": [{"name": "nothing-excluded", "expected": {"gamma_k": [0.8, 0.2]}}],
    ... }
    >>> compare(case, {"id": "cvb0/update/000", "gamma_k": [0.75, 0.25]}).status
    'passed'
    >>> r = compare(case, {"id": "cvb0/update/000", "gamma_k": [0.8, 0.2]})
    >>> r.field, r.index, r.expected, r.got, r.mistake
    ('gamma_k', (0,), 0.75, 0.8, 'nothing-excluded')
    """
    comparison = compared(case, answer)
    has_numbers = comparison.status == "failed" and envelope(case, answer) is None
    return comparison._replace(mistake=mistake_of(case, answer)) if has_numbers else comparison


def compared(case: Case, answer: Any) -> Result:
    """The same without a search for the mistake."""
    if early_outcome := envelope(case, answer):
        return early_outcome
    expected, tolerance = case["expected"], tolerance_of(case)
    if fault := form_fault(expected, answer):
        return outcome(case, "failed", fault)
    if "undecidable" in case:
        return outcome(case, "undecidable", case["undecidable"])
    number_pairs = [*entries(expected, answer)]
    wrong_pairs = [pair for pair in number_pairs if not is_near(*pair[2:], tolerance[pair[0]])]
    if not wrong_pairs:
        return outcome(case, "passed")
    field, index, e, g = wrong_pairs[0]
    reason = f"{place(field, index)} is {number(g)}, expected {number(e)}{_apart(field, e, g)}"
    reason += f"; tolerance {tolerance[field]:g}" if tolerance[field] else ""
    reason += f"; {len(wrong_pairs)} of {len(number_pairs)} numbers differ" if len(number_pairs) > 1 else ""
    reason += '; infinity is spelled "inf" or "-inf"' if isinstance(g, float) and math.isinf(g) else ""
    return outcome(case, "failed", reason, field=field, index=index, expected=e, got=g)


def envelope(case: Case, answer: Any) -> Result | None:
    """The result of an answer without numbers to compare (no object, another id, a skip, an error); otherwise None."""
    if not isinstance(answer, dict):
        return outcome(case, "failed", f"the answer is {brief(answer)}, expected an object")
    if answer.get("id") != case["id"]:
        id_text = f"is {brief(answer['id'])}" if "id" in answer else "is missing"
        return outcome(case, "failed", f"the answer's id {id_text}, expected {json.dumps(case['id'])}")
    way = next((key for key in ("skip", "error") if key in answer), "")
    reason: Any = answer.get(way)
    if way and not (isinstance(reason, str) and reason):
        return outcome(case, "failed", f"{way} is {brief(reason)}, expected the reason")
    if way == "skip":
        return outcome(case, "skipped", cut(reason))
    if "error" in case.get("expected", {}):
        if way and len(answer) == 2:
            return outcome(case, "passed")
        extras = names_of([key for key in answer if key not in ("id", "error")]) or "nothing"
        note = f": {case['note']}" if case.get("note") else ""
        return outcome(case, "failed", f"the input is not legal and must be refused with an error; got {extras}{note}")
    return outcome(case, "failed", f"the input is legal and was refused: {cut(reason)}") if way else None


def outcome(case: Case, status: str, reason: str = "", **fields: Any) -> Result:
    tags = tuple(case.get("tags", ()))
    return Result(case["id"], case["algorithm"], case["operation"], status, reason, tags=tags, **fields)


def _apart(field: str, e: Any, g: Any) -> str:
    """How far a number is from the expected one: digits that agree, percent, a factor, or the difference in nats."""
    if not isinstance(e, float) or not isinstance(g, float) or not e or not math.isfinite(g / e):
        return ""
    difference, direction = abs(g - e), "large" if g > e else "small"
    if difference < 1e-3 * min(abs(e), 1.0 if field in LOGARITHMS else abs(e)):
        return f": they agree to {math.floor(-math.log10(difference / abs(e)))} digits"
    if field in LOGARITHMS or min(e, g) < 0:
        return f": too {direction} by {difference:.3g}{LOGARITHMS.get(field, '')}"
    return f": {100 * difference / e:.3g}% too {direction}" if g < 2 * e else f": {g / e:.4g} times as large"


def lines(r: Result, sentences: Mapping[str, str]) -> list[str]:
    """A result in words; its id is on the first line."""
    first_line = "  ".join((r.id, r.status, ", ".join(r.tags))).rstrip()
    intro = "your draws are such as you get" if r.operation == "sample" else "your answer is what you get"
    mistake_line = f"{intro} when {sentences.get(r.mistake, r.mistake)}" if r.mistake else ""
    return [first_line, *(f"  {text}" for text in (r.reason, mistake_line) if text)]
