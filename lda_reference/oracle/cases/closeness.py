"""Whether two answers are the same within the tolerances of a case, and what is wrong with the form of one."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from .loading import Case

Item = TypeVar("Item")
Key = TypeVar("Key")


def tolerance_of(case: Case, precision: str = "") -> dict[str, float]:
    """The absolute tolerance of each field of a case; 0 where it has none. It may be asked for "double" precision."""
    tolerance = case.get(precision) or case.get("tolerance", {})
    return {name: float(tolerance.get(name, {}).get("absolute", 0.0)) for name in case["expected"]}


def same(expected: Mapping[str, Any], answer: Mapping[str, Any], tolerance: Mapping[str, float]) -> bool:
    """Whether an answer has the expected fields and numbers."""
    agree = (is_near(e, g, tolerance[name]) for name, _, e, g in entries(expected, answer))
    return not form_fault(expected, answer) and all(agree)


def differs(case: Case, answer: Mapping[str, Any]) -> bool:
    """Whether an answer without an id differs from the expected one by more than its tolerances, or in its shape."""
    return not same(case["expected"], answer, tolerance_of(case))


def exact(case: Case) -> bool:
    """Whether a case asks for whole numbers alone, which can agree by chance."""
    return not any(tolerance_of(case).values())


def form_fault(expected: Mapping[str, Any], answer: Mapping[str, Any]) -> str | None:
    """Says which fields are wrong, or the first value that is no number or a list of the wrong length, or None."""
    missing = [name for name in expected if name not in answer]
    extra = [name for name in answer if name not in expected and name != "id"]
    faults = [f"{names_of(x)} {what}" for x, what in ((missing, "is missing"), (extra, "is not asked for")) if x]
    if faults:
        return "the answer's fields: " + "; ".join(faults)
    return next((fault for name, e in expected.items() for fault in _shape_faults(name, (), e, answer[name])), None)


def _shape_faults(name: str, index: tuple[int, ...], expected: Any, got: Any) -> Iterator[str]:
    if not isinstance(expected, list):
        if got not in ("inf", "-inf") and (isinstance(got, bool) or not isinstance(got, (int, float))):
            yield f"{place(name, index)} is {brief(got)}, expected a number"
    elif not isinstance(got, list):
        yield f"{place(name, index)} is {brief(got)}, expected a list of {len(expected)}"
    elif len(got) != len(expected):
        yield f"{place(name, index)} has length {len(got)}, expected {len(expected)}"
    else:
        for i, (e, g) in enumerate(zip(expected, got, strict=True)):
            yield from _shape_faults(name, (*index, i), e, g)


def entries(expected: Any, got: Any, *index: Any) -> Iterator[tuple[str, tuple[int, ...], Any, Any]]:
    """The expected numbers and those of an answer of this form, side by side, each with its field and index."""
    if isinstance(expected, dict):
        for name, e in expected.items():
            yield from entries(e, got[name], name)
    elif isinstance(expected, list):
        for i, (e, g) in enumerate(zip(expected, got, strict=True)):
            yield from entries(e, g, *index, i)
    else:
        yield index[0], index[1:], expected, got


def is_near(e: Any, g: Any, tolerance: float) -> bool:
    """Whether a number is within the tolerance of the expected one, which NaN never is."""
    if isinstance(e, str) or isinstance(g, str):
        return e == g
    with suppress(OverflowError):  # an integer beyond all floats
        return abs(float(g) - float(e)) <= tolerance
    return False


def grouped(items: Iterable[Item], key: Callable[[Item], Key]) -> dict[Key, list[Item]]:
    """The items with each key, in their order."""
    groups: dict[Key, list[Item]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def place(name: str, index: tuple[int, ...]) -> str:
    return f"{name}[{', '.join(map(str, index))}]" if index else name


def number(x: Any) -> str:
    with suppress(ValueError):  # an integer of thousands of digits
        return x if isinstance(x, str) else cut(repr(x))
    return "a number of thousands of digits"


def brief(x: Any) -> str:
    with suppress(TypeError, ValueError, RecursionError):
        return cut(json.dumps(x), 60)
    return f"a {type(x).__name__}"


def cut(text: str, length: int = 200) -> str:
    """A text on one line, without control characters, cut at a length."""
    text = "".join(x if x.isprintable() else "?" for x in " ".join(text.split()))
    return text if len(text) <= length else text[:length] + " ..."


def names_of(fields: Sequence[Any], most: int = 5) -> str:
    """The names of some fields of an answer, cleaned and cut; after `most` of them, how many more there are."""
    more = [f"{len(fields) - most} more"] if len(fields) > most else []
    return ", ".join([*(cut(str(name), 40) for name in fields[:most]), *more])
