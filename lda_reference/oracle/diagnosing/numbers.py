"""The numbers of a failed answer beside the expected ones, and to how many digits they agree."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median
from typing import Any, NamedTuple

from ..cases.closeness import exact, leaves, tolerance_of
from ..cases.loading import Case
from ..changes.change import in_single

SINGLE = (1e-9, 1e-6)  # typical relative errors in single precision
TYPICAL, WORST = 1e-5, 1e-3  # the typical and the largest relative error that count as a lack of digits
SWEPT = {"ten_sweeps", "converged", "summary", "fold_in"}  # the operations of many sweeps
ALIKE = 1e-9  # the relative difference of numbers that count as equal here


class Entry(NamedTuple):
    """A number of an answer, with the one expected, and whether it is wrong."""

    field: str
    index: tuple[int, ...]  # type: ignore[assignment]  # hides tuple.index
    expected: float
    got: float
    wrong: bool
    error: float  # in units of 1e-12 of its tolerance, that is, about the relative error


class Numbers(NamedTuple):
    """The numbers of an answer to a case."""

    case: Case
    entries: Sequence[Entry]

    def gammas(self) -> list[tuple[list[float], list[float]]]:
        """The rows of gamma, as expected and as answered."""
        rows: dict[tuple[int, ...], tuple[list[float], list[float]]] = {}
        for e in self.entries:
            if e.field in ("gamma", "gamma_k"):
                expected, got = rows.setdefault(e.index[:-1], ([], []))
                expected.append(e.expected)
                got.append(e.got)
        return list(rows.values())


def numbers_of(case: Case, answer: Any) -> Numbers | None:
    """The numbers of an answer; None if none is wrong, one is not finite, or the answer has another form."""
    if not isinstance(answer, dict) or exact(case):
        return None
    out = []
    try:
        for field, expected in case["expected"].items():
            if expected in ("inf", "-inf") and answer.get(field) == expected:
                continue
            tolerance = tolerance_of(case)[field]
            for index, e, g in leaves(expected, answer.get(field)):
                off = abs(_finite(g) - _finite(e))
                error = off / tolerance * 1e-12 if tolerance else off
                out.append(Entry(field, index, float(e), float(g), off > tolerance, error))
    except (TypeError, ValueError, OverflowError):
        return None
    return Numbers(case, out) if any(e.wrong for e in out) else None


def _finite(x: Any) -> float:
    if isinstance(x, str) or not math.isfinite(x):
        raise ValueError(f"{x} is not a finite number")
    return float(x)


def shape(x: Any) -> tuple[int, int] | None:
    """The numbers of rows and columns of a matrix; None if it is something else."""
    if not isinstance(x, list) or not all(isinstance(row, list) for row in x):
        return None
    lengths = {len(row) for row in x}
    return (len(x), lengths.pop()) if len(lengths) == 1 else None


def close(a: Sequence[float], b: Sequence[float]) -> bool:
    """Whether numbers are equal but for rounding."""
    return all(abs(x - y) <= 1e-12 + ALIKE * abs(y) for x, y in zip(a, b, strict=True))


def factor(found: Sequence[Numbers]) -> float | None:
    """The one factor, other than 1, by which all numbers are larger than the expected ones, or None."""
    entries = [e for x in found for e in x.entries]
    ratios = [e.got / e.expected for e in entries if abs(e.expected) > 1e-300]
    if not ratios or any(e.got for e in entries if not e.expected):
        return None
    c = ratios[0]
    return None if f"{c:.6g}" == "1" or any(abs(r - c) > ALIKE * abs(c) for r in ratios) else c


# Digits --------------------------------------------------------------------------------------------------------------


def digits(found: Sequence[Numbers], throughout: bool) -> str | None:
    """To how many digits all these numbers agree, if they nearly do, or None.

    `throughout` says that nearly no case passed: errors of single precision are everywhere, those of sweeps that stop
    early only where many sweeps are made.
    """
    return _rounded([e for x in found for e in x.entries]) or _agreement(found, throughout)


def _rounded(entries: Sequence[Entry]) -> str | None:
    """Says that numbers are right but for rounding to a few decimals or significant digits."""
    single = all(printed_in_single(e.got) == e.got for e in entries)  # it may print no more than eight digits
    for d in range(2, 8 if single else 13):
        if all(round(e.got, d) == e.got and abs(e.got - e.expected) <= 10**-d for e in entries):
            return f"the numbers are rounded to {d} decimals; 15 digits are enough"
    for d in range(2, 7 if single else 13):
        near = all(abs(e.got - e.expected) <= 10 ** (1 - d) * abs(e.expected) for e in entries)
        if near and all(float(f"{e.got:.{d}g}") == e.got for e in entries):
            return f"the numbers have only {d} significant digits; 15 are enough"
    return None


def _agreement(found: Sequence[Numbers], throughout: bool) -> str | None:
    """Says to how many digits the numbers agree, if all errors are small."""
    errors = [max(e.error for e in x.entries) for x in found]
    middle = median(errors)
    if not 0 < middle <= TYPICAL or max(errors) > WORST:
        return None
    text = f"the numbers agree to about {math.floor(-math.log10(middle))} digits"
    got = [e.got for x in found for e in x.entries]
    if all(in_single(v) == v for v in got) or all(printed_in_single(v) == v for v in got):
        return f"{text}: they are given in single precision"
    if _towards_uniform(found):
        return f"{text}, and gamma is nearer to uniform: look for a small number that is added"
    if {x.case["operation"] for x in found} <= SWEPT:
        return f"{text}, and only after many sweeps: look for sweeps that stop early"
    if throughout and SINGLE[0] < middle < SINGLE[1]:
        return f"{text}, as in single precision or where a small number is added; 15 are right"
    return f"{text}: look for an approximate function, or a small number that is added"


def printed_in_single(x: float) -> float:
    """The number that single precision prints: the shortest decimal that is read back as the same number."""
    rounded = in_single(x)
    shorter = (float(f"{rounded:.{digits}g}") for digits in range(1, 9))
    return next((y for y in shorter if in_single(y) == rounded), float(f"{rounded:.9g}"))


def _towards_uniform(found: Sequence[Numbers]) -> bool:
    """Whether nearly all errors of gamma are towards uniform."""
    signs = [
        (b > a) == (a < 1 / len(e))
        for x in found for e, g in x.gammas() for a, b in zip(e, g, strict=True) if abs(a - 1 / len(e)) > 0.05
    ]  # fmt: skip
    return len(signs) > 10 and sum(signs) > 0.9 * len(signs)
