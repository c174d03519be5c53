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
    case_result = compared(case, answer)
    is_wrong_by_numbers = case_result.status == "failed" and envelope(case, answer) is None
    return case_result._replace(mistake=mistake_of(case, answer)) if is_wrong_by_numbers else case_result


def compared(case: Case, answer: Any) -> Result:
    """The same without a search for the mistake."""
    if early_result := envelope(case, answer):
        return early_result
    expected_fields, tolerance_of_field = case["expected"], tolerance_of(case)
    if form_error := form_fault(expected_fields, answer):
        return outcome(case, "failed", form_error)
    if "undecidable" in case:
        return outcome(case, "undecidable", case["undecidable"])
    number_entries = [*entries(expected_fields, answer)]
    wrong_entries = [entry for entry in number_entries if not is_near(*entry[2:], tolerance_of_field[entry[0]])]
    if not wrong_entries:
        return outcome(case, "passed")
    field, index, right, got = wrong_entries[0]
    reason_text = f"{place(field, index)} is {number(got)}, expected {number(right)}{_apart(field, right, got)}"
    reason_text += f"; tolerance {tolerance_of_field[field]:g}" if tolerance_of_field[field] else ""
    reason_text += f"; {len(wrong_entries)} of {len(number_entries)} numbers differ" if len(number_entries) > 1 else ""
    reason_text += '; infinity is spelled "inf" or "-inf"' if isinstance(got, float) and math.isinf(got) else ""
    return outcome(case, "failed", reason_text, field=field, index=index, expected=right, got=got)


def envelope(case: Case, answer: Any) -> Result | None:
    """The result of an answer without numbers to compare (no object, another id, a skip, an error); otherwise None."""
    if not isinstance(answer, dict):
        return outcome(case, "failed", f"the answer is {brief(answer)}, expected an object")
    if answer.get("id") != case["id"]:
        id_text = f"is {brief(answer['id'])}" if "id" in answer else "is missing"
        return outcome(case, "failed", f"the answer's id {id_text}, expected {json.dumps(case['id'])}")
    skip_or_error = next((field for field in ("skip", "error") if field in answer), "")
    port_reason: Any = answer.get(skip_or_error)
    if skip_or_error and not (isinstance(port_reason, str) and port_reason):
        return outcome(case, "failed", f"{skip_or_error} is {brief(port_reason)}, expected the reason")
    if skip_or_error == "skip":
        return outcome(case, "skipped", cut(port_reason))
    if "error" in case.get("expected", {}):
        if skip_or_error and len(answer) == 2:
            return outcome(case, "passed")
        extras = names_of([field for field in answer if field not in ("id", "error")]) or "nothing"
        note = f": {case['note']}" if case.get("note") else ""
        return outcome(case, "failed", f"the input is not legal and must be refused with an error; got {extras}{note}")
    return outcome(case, "failed", f"the input is legal and was refused: {cut(port_reason)}") if skip_or_error else None


def outcome(case: Case, status: str, reason: str = "", **result_fields: Any) -> Result:
    equation_tags = tuple(case.get("tags", ()))
    return Result(case["id"], case["algorithm"], case["operation"], status, reason, tags=equation_tags, **result_fields)


def _apart(field: str, right: Any, got: Any) -> str:
    """How far a number is from the expected one: digits that agree, percent, a factor, or the difference in nats."""
    if not isinstance(right, float) or not isinstance(got, float) or not right or not math.isfinite(got / right):
        return ""
    gap, size_word = abs(got - right), "large" if got > right else "small"
    if gap < 1e-3 * min(abs(right), 1.0 if field in LOGARITHMS else abs(right)):
        return f": they agree to {math.floor(-math.log10(gap / abs(right)))} digits"
    if field in LOGARITHMS or min(right, got) < 0:
        return f": too {size_word} by {gap:.3g}{LOGARITHMS.get(field, '')}"
    return f": {100 * gap / right:.3g}% too {size_word}" if got < 2 * right else f": {got / right:.4g} times as large"


def lines(result: Result, mistake_sentences: Mapping[str, str]) -> list[str]:
    """A result in words; its id is on the first line."""
    first_line = "  ".join((result.id, result.status, ", ".join(result.tags))).rstrip()
    intro = "your draws are such as you get" if result.operation == "sample" else "your answer is what you get"
    mistake_line = f"{intro} when {mistake_sentences.get(result.mistake, result.mistake)}" if result.mistake else ""
    return [first_line, *(f"  {line}" for line in (result.reason, mistake_line) if line)]
