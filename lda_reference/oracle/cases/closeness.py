"""Whether two answers are the same within the tolerances of a case, and what is wrong with the form of one."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from .loading import Case

Member = TypeVar("Member")
Key = TypeVar("Key")


def tolerance_of(case: Case, precision: str = "") -> dict[str, float]:
    """The absolute tolerance of each field of a case; 0 where it has none. It may be asked for "double" precision."""
    field_tolerances = case.get(precision) or case.get("tolerance", {})
    return {field: float(field_tolerances.get(field, {}).get("absolute", 0.0)) for field in case["expected"]}


def agrees(expected: Mapping[str, Any], answer: Mapping[str, Any], tolerance_of_field: Mapping[str, float]) -> bool:
    """Whether an answer has the expected fields and numbers."""
    agreements = (is_near(right, got, tolerance_of_field[field]) for field, _, right, got in entries(expected, answer))
    return not form_fault(expected, answer) and all(agreements)


def differs(case: Case, answer: Mapping[str, Any]) -> bool:
    """Whether an answer without an id differs from the expected one by more than its tolerances, or in its shape."""
    return not agrees(case["expected"], answer, tolerance_of(case))


def exact(case: Case) -> bool:
    """Whether a case asks for whole numbers alone, which can agree by chance."""
    return not any(tolerance_of(case).values())


def form_fault(expected: Mapping[str, Any], answer: Mapping[str, Any]) -> str | None:
    """Says which fields are wrong, or the first value that is no number or a list of the wrong length, or None."""
    missing_fields = [field for field in expected if field not in answer]
    extra = [field for field in answer if field not in expected and field != "id"]
    faults = [f"{names_of(x)} {verb}" for x, verb in ((missing_fields, "is missing"), (extra, "is not asked for")) if x]
    if faults:
        return "the answer's fields: " + "; ".join(faults)
    return next((fault for field, e in expected.items() for fault in _shape_faults(field, (), e, answer[field])), None)


def _shape_faults(field: str, index: tuple[int, ...], expected: Any, got: Any) -> Iterator[str]:
    if not isinstance(expected, list):
        if got not in ("inf", "-inf") and (isinstance(got, bool) or not isinstance(got, (int, float))):
            yield f"{place(field, index)} is {brief(got)}, expected a number"
    elif not isinstance(got, list):
        yield f"{place(field, index)} is {brief(got)}, expected a list of {len(expected)}"
    elif len(got) != len(expected):
        yield f"{place(field, index)} has length {len(got)}, expected {len(expected)}"
    else:
        for i, (inner_expected, inner_got) in enumerate(zip(expected, got, strict=True)):
            yield from _shape_faults(field, (*index, i), inner_expected, inner_got)


def entries(expected: Any, got: Any, *index: Any) -> Iterator[tuple[str, tuple[int, ...], Any, Any]]:
    """The expected numbers and those of an answer of this form, side by side, each with its field and index."""
    if isinstance(expected, dict):
        for field, inner_expected in expected.items():
            yield from entries(inner_expected, got[field], field)
    elif isinstance(expected, list):
        for i, (inner_expected, inner_got) in enumerate(zip(expected, got, strict=True)):
            yield from entries(inner_expected, inner_got, *index, i)
    else:
        yield index[0], index[1:], expected, got


def is_near(expected: Any, got: Any, tolerance: float) -> bool:
    """Whether a number is within the tolerance of the expected one, which NaN never is."""
    if isinstance(expected, str) or isinstance(got, str):
        return expected == got
    with suppress(OverflowError):  # an integer beyond all floats
        return abs(float(got) - float(expected)) <= tolerance
    return False


def grouped(members: Iterable[Member], key_of: Callable[[Member], Key]) -> dict[Key, list[Member]]:
    """The items with each key, in their order."""
    members_of_key: dict[Key, list[Member]] = {}
    for member in members:
        members_of_key.setdefault(key_of(member), []).append(member)
    return members_of_key


def place(field: str, index: tuple[int, ...]) -> str:
    return f"{field}[{', '.join(map(str, index))}]" if index else field


def number(x: Any) -> str:
    with suppress(ValueError):  # an integer of thousands of digits
        return x if isinstance(x, str) else cut(repr(x))
    return "a number of thousands of digits"


def brief(x: Any) -> str:
    with suppress(TypeError, ValueError, RecursionError):
        return cut(json.dumps(x), 60)
    return f"a {type(x).__name__}"


def cut(text: str, max_length: int = 200) -> str:
    """A text on one line, without control characters, cut at a length."""
    text = "".join(character if character.isprintable() else "?" for character in " ".join(text.split()))
    return text if len(text) <= max_length else text[:max_length] + " ..."


def names_of(field_names: Sequence[Any], max_names: int = 5) -> str:
    """The names of some fields of an answer, cleaned and cut; after `max_names` of them, how many more there are."""
    count_texts = [f"{len(field_names) - max_names} more"] if len(field_names) > max_names else []
    return ", ".join([*(cut(str(field_name), 40) for field_name in field_names[:max_names]), *count_texts])
