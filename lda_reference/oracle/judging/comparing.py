"""Comparing an answer with what a case expects."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from ..cases.loading import Case, mistakes


class Result(NamedTuple):
    """The result of one case.

    Attributes
    ----------
    id, algorithm, operation : str
    status : {"passed", "failed", "skipped", "undecidable", "expected"}
        `undecidable` if rounding could explain a wrong answer; `expected` if the case failed and is
        listed as one that fails.
    reason : str
        Why the case failed, was skipped or cannot be decided.
    field, index, expected, got
        The first number that differs, if the answer could be compared.
    mistake : str or None
        The one known mistake that gives this answer, within the tolerance.
    tags : tuple of str
        The equations.
    seconds : float
        How long the answer took.
    """

    id: str
    algorithm: str
    operation: str
    status: str
    reason: str = ""
    field: str | None = None
    index: tuple[int, ...] = ()  # type: ignore[assignment]  # hides tuple.index
    expected: Any = None
    got: Any = None
    mistake: str | None = None
    tags: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def passed(self) -> bool:
        """Whether the answer is right."""
        return self.status == "passed"

    def __str__(self) -> str:
        return "\n".join(lines(self, mistakes()))


def compare(case: Case, answer: Any) -> Result:
    """Compare an answer with what a case expects.

    The answer must have the expected fields and no others, each of the right shape. Each number must be within the
    absolute tolerance of its field, which NaN never is. A mistake is named if the wrong answer equals that of exactly
    one of the case's known mistakes, within the same tolerances.

    Parameters
    ----------
    case : dict
    answer : anything
        As read from JSON: numbers, strings, lists and dicts.

    Examples
    --------
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
    known = envelope(case, answer)
    if known is not None:
        return known
    expected, tolerance = case["expected"], tolerance_of(case)
    equal = [m["name"] for m in case.get("mistakes", ()) if same(m["expected"], answer, tolerance)]
    mistake = equal[0] if len(equal) == 1 else None
    fault = _form_fault(expected, answer)
    if fault:
        return outcome(case, "failed", fault, mistake=mistake)
    if "undecidable" in case:
        return outcome(case, "undecidable", case["undecidable"])
    wrong = list(_differences(expected, answer, tolerance))
    if not wrong:
        return outcome(case, "passed")
    name, index, e, g = wrong[0]
    entries = sum(1 for name in expected for _ in leaves(expected[name], answer[name]))
    text = f"{_place(name, index)} is {number(g)}, expected {number(e)}{_apart(e, g)}"
    text += f"; tolerance {tolerance[name]:g}" if tolerance[name] else ""
    text += f"; {len(wrong)} of {entries} numbers differ" if entries > 1 else ""
    if isinstance(g, float) and math.isinf(g):
        text += '; infinity is spelled "inf" or "-inf"'
    return outcome(case, "failed", text, field=name, index=index, expected=e, got=g, mistake=mistake)


def envelope(case: Case, answer: Any) -> Result | None:
    """The result of an answer without numbers to compare (no object, another id, a skip, an error); otherwise None."""
    if not isinstance(answer, dict):
        return outcome(case, "failed", f"the answer is {_brief(answer)}, expected an object")
    if answer.get("id") != case["id"]:
        what = f"is {_brief(answer['id'])}" if "id" in answer else "is missing"
        return outcome(case, "failed", f"the answer's id {what}, expected {json.dumps(case['id'])}")
    if "skip" in answer:
        if not isinstance(answer["skip"], str) or not answer["skip"]:
            return outcome(case, "failed", f"skip is {_brief(answer['skip'])}, expected the reason")
        return outcome(case, "skipped", cut(answer["skip"]))
    refused = "error" in answer
    if refused and (not isinstance(answer["error"], str) or not answer["error"]):
        return outcome(case, "failed", f"error is {_brief(answer['error'])}, expected the reason")
    if "error" in case.get("expected", {}):
        if refused and len(answer) == 2:
            return outcome(case, "passed")
        got = names_of([name for name in answer if name not in ("id", "error")]) or "nothing"
        why = f": {case['note']}" if case.get("note") else ""
        return outcome(case, "failed", f"the input is not legal and must be refused with an error; got {got}{why}")
    if refused:
        return outcome(case, "failed", f"the input is legal and was refused: {cut(answer['error'])}")
    return None


def outcome(case: Case, status: str, reason: str = "", **rest: Any) -> Result:
    """A result of a case."""
    tags = tuple(case.get("tags", ()))
    return Result(case["id"], case["algorithm"], case["operation"], status, reason, tags=tags, **rest)


def fields_fault(expected: Mapping[str, Any], answer: Mapping[str, Any]) -> str | None:
    """Says which fields of an answer are missing or not asked for; None if all is well."""
    missing = [name for name in expected if name not in answer]
    extra = [name for name in answer if name not in expected and name != "id"]
    both = ((missing, "is missing"), (extra, "is not asked for"))
    faults = [f"{names_of(names)} {what}" for names, what in both if names]
    return "the answer's fields: " + "; ".join(faults) if faults else None


def _form_fault(expected: Mapping[str, Any], answer: Mapping[str, Any]) -> str | None:
    """Says which fields are wrong, or the first value that is no number or a list of the wrong length, or None."""
    faults = (_shape_fault(name, (), e, answer[name]) for name, e in expected.items())
    return fields_fault(expected, answer) or next(filter(None, faults), None)


def _shape_fault(name: str, index: tuple[int, ...], expected: Any, got: Any) -> str | None:
    if not isinstance(expected, list):
        is_number = isinstance(got, (int, float)) and not isinstance(got, bool)
        infinite = isinstance(got, str) and got in ("inf", "-inf")
        return None if is_number or infinite else f"{_place(name, index)} is {_brief(got)}, expected a number"
    if not isinstance(got, list):
        return f"{_place(name, index)} is {_brief(got)}, expected a list of {len(expected)}"
    if len(got) != len(expected):
        return f"{_place(name, index)} has length {len(got)}, expected {len(expected)}"
    faults = (_shape_fault(name, (*index, i), e, g) for i, (e, g) in enumerate(zip(expected, got, strict=True)))
    return next(filter(None, faults), None)


def leaves(expected: Any, got: Any, index: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Any, Any]]:
    """The numbers of two nested lists of one shape, side by side, each with its index."""
    if not isinstance(expected, list):
        yield index, expected, got
        return
    for i, (e, g) in enumerate(zip(expected, got, strict=True)):
        yield from leaves(e, g, (*index, i))


def _differences(
    expected: Mapping[str, Any], answer: Mapping[str, Any], tolerance: Mapping[str, float]
) -> Iterator[tuple[str, tuple[int, ...], Any, Any]]:
    for name in expected:
        for index, e, g in leaves(expected[name], answer[name]):
            if not _near(e, g, tolerance[name]):
                yield name, index, e, g


def _near(e: Any, g: Any, tolerance: float) -> bool:
    if isinstance(e, str) or isinstance(g, str):
        return bool(e == g)
    with suppress(OverflowError):  # an integer beyond all floats
        return abs(float(g) - float(e)) <= tolerance
    return False


def differs(case: Case, answer: Mapping[str, Any]) -> bool:
    """Whether an answer without an id differs from the expected one by more than its tolerances, or in its shape."""
    return not same(case["expected"], answer, tolerance_of(case))


def same(expected: Mapping[str, Any], answer: Mapping[str, Any], tolerance: Mapping[str, float]) -> bool:
    """Whether an answer has the expected fields and numbers."""
    return not _form_fault(expected, answer) and next(_differences(expected, answer, tolerance), None) is None


def tolerance_of(case: Case) -> dict[str, float]:
    """The absolute tolerance of each field of a case; 0 where it has none."""
    return {name: float(case.get("tolerance", {}).get(name, {}).get("absolute", 0.0)) for name in case["expected"]}


def contradicts(case: Case, answer: Any, mistake: str) -> bool:
    """Whether a case lists a mistake but the answer is not that of the mistake."""
    expected = [m["expected"] for m in case.get("mistakes", ()) if m["name"] == mistake]
    return bool(expected) and isinstance(answer, dict) and not same(expected[0], answer, tolerance_of(case))


def exact(case: Case) -> bool:
    """Whether a case asks for whole numbers alone, which can agree by chance."""
    return not any(tolerance_of(case).values())


def _apart(e: Any, g: Any) -> str:
    """How far a number is from the expected one, in words: digits that agree, percent, or a factor."""
    if not isinstance(e, float) or not isinstance(g, float) or not e or not math.isfinite(g / e):
        return ""
    off = g / e - 1
    if not 0 < abs(off) < 1e-3:
        percent = f": {100 * abs(off):.3g}% too {'large' if off > 0 else 'small'}"
        return percent if 0 < abs(off) < 1 else f": {g / e:.4g} times as large" if off else ""
    return f": they agree to {math.floor(-math.log10(abs(off)))} digits"


def _place(name: str, index: tuple[int, ...]) -> str:
    return f"{name}[{', '.join(map(str, index))}]" if index else name


def number(x: Any) -> str:
    """A number of an answer as text."""
    try:
        return x if isinstance(x, str) else cut(repr(x))
    except ValueError:  # an integer of thousands of digits
        return "a number of thousands of digits"


def cut(text: str, length: int = 200) -> str:
    """A text on one line, without control characters, cut at a length."""
    text = "".join(x if x.isprintable() else "?" for x in " ".join(text.split()))
    return text if len(text) <= length else text[:length] + " ..."


def names_of(fields: Sequence[Any], most: int = 5) -> str:
    """The names of some fields of an answer, cleaned and cut; after `most` of them, how many more there are."""
    more = [f"{len(fields) - most} more"] if len(fields) > most else []
    return ", ".join([*(cut(str(name), 40) for name in fields[:most]), *more])


def _brief(x: Any) -> str:
    with suppress(TypeError, ValueError, RecursionError):
        return cut(json.dumps(x), 60)
    return f"a {type(x).__name__}"


def lines(r: Result, texts: Mapping[str, str]) -> list[str]:
    """A result in words; its id is on the first line."""
    out = ["  ".join((r.id, r.status, ", ".join(r.tags))).rstrip()]
    if r.reason:
        out.append(f"  {r.reason}")
    if r.mistake:
        how = "your draws are such as you get" if r.operation == "sample" else "your answer is what you get"
        out.append(f"  {how} when {texts.get(r.mistake, r.mistake)}")
    return out
