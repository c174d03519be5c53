"""What wrong numbers have in common: each function says what is true of all of several failed cases."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..asking.loading import Case
from ..judging.comparing import exact, tolerance_of

SINGLE = (1e-9, 1e-6)  # typical relative errors in single precision
TYPICAL, WORST = 1e-5, 1e-3  # the typical and the largest relative error that count as a lack of digits
ALIKE = 1e-9  # the relative difference of numbers that count as equal here


class Entry(NamedTuple):
    """A number of an answer, with the one expected, and whether it is wrong."""

    field: str
    index: tuple[int, ...]  # type: ignore[assignment]  # hides tuple.index
    expected: float
    got: float
    wrong: bool
    error: float  # in units of 1e-12 of its tolerance, that is, about the relative error


Entries = list[Entry]


def entries(case: Case, answer: Any) -> Entries | None:
    """The numbers of an answer; None if it has another form or a number that is not finite."""
    if not isinstance(answer, dict) or exact(case):
        return None
    out: Entries = []
    for field, expected in case["expected"].items():
        if expected in ("inf", "-inf") and answer.get(field) == expected:
            continue
        e, g = (_array(x) for x in (expected, answer.get(field)))
        if e is None or g is None or e.shape != g.shape:
            return None
        tolerance = tolerance_of(case)[field]
        for index in np.ndindex(e.shape):
            off = abs(g[index] - e[index])
            out.append(
                Entry(field, index, e[index], g[index], off > tolerance, off / tolerance * 1e-12 if tolerance else off)
            )
    return out


def _array(x: Any) -> Any:
    """An array of finite numbers, or None."""
    try:
        found = np.array(x, np.float64)
    except (TypeError, ValueError, OverflowError):
        return None
    return found if np.isfinite(found).all() else None


def of_axes(cases: Sequence[Case], answers: Sequence[Any]) -> str | None:
    """Says that a matrix has its axes exchanged in all these answers, if the shapes show it."""
    for name in ("gamma", "theta_jk", "phi_wk", "z"):
        shapes = [
            (np.shape(case["expected"].get(name, ())), _shape(answer.get(name) if isinstance(answer, dict) else None))
            for case, answer in zip(cases, answers, strict=True)
        ]
        if all(len(e) == 2 and g == e[::-1] for e, g in shapes) and any(e != g for e, g in shapes):
            return f"{name} has its axes exchanged"
    return None


def _shape(x: Any) -> tuple[int, ...]:
    """The shape of an array of numbers; () if it is none."""
    found = _array(x)
    return () if found is None else found.shape


# What the numbers have in common -------------------------------------------------------------------------------------


def of_digits(cases: Sequence[Case], answers: Sequence[Any], throughout: bool) -> str | None:
    """To how many digits the numbers of all these answers agree, if they nearly do, or None.

    `throughout` says that nearly no case passed: errors of single precision are everywhere.
    """
    found = [x for case, answer in zip(cases, answers, strict=True) if (x := entries(case, answer)) is not None]
    if len(found) < 2 or len(found) < len(cases):
        return None
    of_single = [[float(str(np.float32(e.got))) == e.got for e in x] for x in found]
    fine = (7, 6) if all(map(all, of_single)) else (12, 12)  # eight digits may be all that single precision prints
    return _rounded(found, *fine) or _digits(found, throughout)


def of_numbers(cases: Sequence[Case], answers: Sequence[Any]) -> str | None:
    """What is true of the numbers of all these answers, or None."""
    found = [x for case, answer in zip(cases, answers, strict=True) if (x := entries(case, answer)) is not None]
    if len(found) < 2 or len(found) < len(cases):
        return None
    return _factor(found) or next((text for text, true in SHAPES.items() if all(map(true, cases, found))), None)


def _rounded(found: Sequence[Entries], decimals: int, digits: int) -> str | None:
    """Says that numbers are right but for rounding, to at most so many decimals or significant digits."""
    numbers = [e for x in found for e in x]
    for d in range(2, decimals + 1):
        if all(round(e.got, d) == e.got and abs(e.got - e.expected) <= 10**-d for e in numbers):
            return f"the numbers are rounded to {d} decimals; 15 digits are enough"
    for d in range(2, digits + 1):
        close = all(abs(e.got - e.expected) <= 10 ** (1 - d) * abs(e.expected) for e in numbers)
        if close and all(float(f"{e.got:.{d}g}") == e.got for e in numbers):
            return f"the numbers have only {d} significant digits; 15 are enough"
    return None


def _digits(found: Sequence[Entries], throughout: bool) -> str | None:
    """Says to how many digits the numbers agree, if all errors are small."""
    errors = [max(e.error for e in x) for x in found]
    middle = float(np.median(errors))
    if middle > TYPICAL or max(errors) > WORST:
        return None
    digits = f"the numbers agree to about {math.floor(-math.log10(middle))} digits"
    got = [e.got for x in found for e in x]
    if all(float(np.float32(v)) == v for v in got) or all(float(str(np.float32(v))) == v for v in got):
        return f"{digits}: they are given in single precision"
    if _towards_uniform(found):
        return f"{digits}, and gamma is nearer to uniform: look for a small number that is added"
    if throughout and SINGLE[0] < middle < SINGLE[1]:
        return f"{digits}, as in single precision; double precision gives 15"
    return f"{digits}: look for an approximate function, or sweeps that stop early"


def _towards_uniform(found: Sequence[Entries]) -> bool:
    """Whether nearly all errors of gamma are towards uniform."""
    signs = []
    for x in found:
        for e, g in _gammas(x):
            signs += [(b > a) == (a < 1 / len(e)) for a, b in zip(e, g, strict=True) if abs(a - 1 / len(e)) > 0.05]
    return len(signs) > 10 and sum(signs) > 0.9 * len(signs)


def _factor(found: Sequence[Entries]) -> str | None:
    """Says that all numbers are the expected ones times one factor."""
    ratios = [e.got / e.expected for x in found for e in x if abs(e.expected) > 1e-300]
    if not ratios or any(e.got for x in found for e in x if not e.expected):
        return None
    c = ratios[0]
    if abs(c - 1) < ALIKE or any(abs(r - c) > ALIKE * abs(c) for r in ratios):
        return None
    return f"every number is {c:.6g} times the expected one"


def _rows(x: Entries, field: str, which: Callable[[Entry], float]) -> list[list[float]]:
    """The rows of a field; [] if the answer lacks it."""
    rows: dict[tuple[int, ...], list[float]] = {}
    for e in x:
        if e.field == field:
            rows.setdefault(e.index[:-1], []).append(which(e))
    return list(rows.values())


def _gammas(x: Entries) -> Iterator[tuple[list[float], list[float]]]:
    """The rows of gamma, as expected and as answered."""
    for field in ("gamma", "gamma_k"):
        yield from zip(_rows(x, field, lambda e: e.expected), _rows(x, field, lambda e: e.got), strict=True)


def _reversed(case: Case, x: Entries) -> bool:
    rows = list(_gammas(x))
    return bool(rows) and all(np.allclose(e[::-1], g, rtol=ALIKE, atol=1e-12) for e, g in rows)


def _permuted(case: Case, x: Entries) -> bool:
    rows = list(_gammas(x))
    return (
        bool(rows) and case["K"] > 1 and all(np.allclose(sorted(e), sorted(g), rtol=ALIKE, atol=1e-12) for e, g in rows)
    )


def _unchanged(case: Case, x: Entries) -> bool:
    """Whether gamma is that of the state."""
    gamma, rows = case.get("state", {}).get("gamma"), [g for _, g in _gammas(x)]
    if gamma is None or not rows:
        return False
    return rows == ([gamma[case["row"]]] if "row" in case else gamma)


def _certain(case: Case, x: Entries) -> bool:
    rows = list(_gammas(x))
    return bool(rows) and all(v in (0, 1) for _, g in rows for v in g)


def _unnormalised(case: Case, x: Entries) -> bool:
    rows = list(_gammas(x))
    return bool(rows) and any(abs(sum(g) - 1) > 1e-6 for _, g in rows)


def _one_in_each(case: Case, x: Entries) -> bool:
    rows = list(_gammas(x))
    return bool(rows) and all(max(g) == 1 for _, g in rows) and _unnormalised(case, x)


def _halfway(case: Case, x: Entries) -> bool:
    """Whether the new gamma lies halfway between the state's and the expected one."""
    gamma, rows = case.get("state", {}).get("gamma"), list(_gammas(x))
    if gamma is None or "row" not in case or not rows:
        return False
    ((e, g),) = rows
    return bool(np.allclose([2 * v for v in g], np.add(e, gamma[case["row"]]), rtol=ALIKE, atol=1e-12))


SHAPES: dict[str, Callable[[Case, Entries], bool]] = {
    "gamma is that of the state: nothing was updated": _unchanged,
    "gamma has the expected numbers in the reverse order of topics": _reversed,
    "gamma has the expected numbers in another order of topics": _permuted,
    "gamma is 0 or 1: the largest topic is taken, or a topic is drawn": _certain,
    "gamma is divided by its largest entry and not by its sum": _one_in_each,
    "gamma does not sum to 1 over topics": _unnormalised,
    "gamma is the mean of the expected one and of that of the state": _halfway,
}
