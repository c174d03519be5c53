"""The numbers of a failed answer beside the expected ones, and to how many digits they agree."""

import math
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from ..cases.closeness import entries, exact, grouped, tolerance_of
from ..cases.loading import VECTORS, Case, single_tolerances
from ..changes.change import in_single

SINGLE = (1e-8, 1e-6)  # between these are typical relative errors in single precision
TYPICAL, WORST = 1e-5, 1e-3  # the typical and the largest relative error that count as a lack of digits
SWEPT = {"ten_sweeps", "converged", "summary", "fold_in"}  # the operations of many sweeps
ALIKE = 1e-6  # the relative difference of ratios that count as equal
INFINITE = ("inf", "-inf")


class Entry(NamedTuple):
    """A number of an answer, with the one expected, its tolerance and whether it is beyond that."""

    field: str
    index: tuple[int, ...]  # type: ignore[assignment]  # hides tuple.index
    expected: float
    got: float
    tolerance: float
    wrong: bool


class Numbers(NamedTuple):
    """The numbers of an answer to a case."""

    case: Case
    entries: Sequence[Entry]

    def rows(self, name: str, columns: bool = False) -> list[list[Entry]]:
        """The rows, or columns, of the field that begins with a name: "gamma" is that of one row as well."""
        of_field = (e for e in self.entries if e.field.startswith(name))
        return list(grouped(of_field, lambda e: e.index[1:] if columns else e.index[:-1]).values())

    def error(self) -> float:
        """The largest relative error of a wrong number."""
        wrong = [e for e in self.entries if e.wrong]
        return max(abs(e.got - e.expected) / abs(e.expected) if e.expected else math.inf for e in wrong)


def numbers_of(case: Case, answer: Any) -> Numbers | None:
    """The numbers of an answer; None if none is wrong, one is not finite, or the answer has another form."""
    pairs = [] if exact(case) else [x for x in _pairs(case, answer) if not (x[2] == x[3] and x[2] in INFINITE)]
    if not all(isinstance(x, (int, float)) and abs(x) <= sys.float_info.max for *_, e, g in pairs for x in (e, g)):
        return None
    within = tolerance_of(case)
    numbers = [Entry(name, i, float(e), float(g), within[name], abs(g - e) > within[name]) for name, i, e, g in pairs]
    return Numbers(case, numbers) if any(e.wrong for e in numbers) else None


def not_finite(case: Case, answer: Any) -> bool:
    """Whether an answer has NaN, infinity or null where a number is expected."""
    values = [g for *_, e, g in _pairs(case, answer) if e not in INFINITE]
    texts = {str(g).lower().lstrip("+-") for g in values if g is None or isinstance(g, (float, str))}
    return bool(texts & {"nan", "none", "inf", "infinity"})


def _pairs(case: Case, answer: Any) -> list[tuple[str, tuple[int, ...], Any, Any]]:
    """The entries of an answer; nothing if it has another form."""
    with suppress(TypeError, KeyError, ValueError):
        return [*entries(case["expected"], answer)]
    return []


def shape(x: Any) -> tuple[int, ...] | None:
    """The numbers of rows and columns of a matrix; None if it is something else."""
    lengths = {len(row) if isinstance(row, list) else -1 for row in x} if isinstance(x, list) else set()
    return (len(x), *lengths) if len(lengths) == 1 and -1 not in lengths else None


def factor(entries: Sequence[Entry]) -> float | None:
    """The one factor, other than 1, by which all numbers are larger than the expected ones, or None."""
    ratios = [e.got / e.expected for e in entries if abs(e.expected) > 1e-300]
    if not ratios or any(e.got for e in entries if not e.expected):
        return None
    c = ratios[0]
    return None if f"{c:.6g}" == "1" or any(abs(r - c) > ALIKE * abs(c) for r in ratios) else c


def rounded(compared: Sequence[Numbers]) -> str | None:
    """Says that numbers are right but for rounding to a few decimals or significant digits."""
    entries = [e for x in compared for e in x.entries]
    single = all(printed_in_single(e.got) == e.got for e in entries)  # it may print no more than eight digits
    for d in range(2, 8 if single else 13):
        if all(round(e.got, d) == e.got and abs(e.got - e.expected) <= 10**-d for e in entries):
            return f"the numbers are rounded to {d} decimals; 15 digits are enough"
    for d in range(2, 7 if single else 13):
        agree = all(abs(e.got - e.expected) <= 10 ** (1 - d) * abs(e.expected) for e in entries)
        if agree and all(float(f"{e.got:.{d}g}") == e.got for e in entries):
            return f"the numbers have only {d} significant digits; 15 are enough"
    return None


def agreement(failed: Sequence[Numbers], throughout: bool) -> str | None:
    """Says to how many digits the numbers agree, if all errors are small; `throughout` if nearly no case passed."""
    errors = sorted(x.error() for x in failed)
    typical = errors[len(errors) // 2]
    if typical > TYPICAL or errors[-1] > WORST:
        return None
    fewest, usual = (math.floor(-math.log10(x)) for x in (errors[-1], typical))
    text = f"the numbers agree to at least {fewest} digits" + (f", in most cases to {usual}" if usual > fewest else "")
    got, in_vectors = [e.got for x in failed for e in x.entries], single_tolerances(VECTORS)
    single = [(x.entries, x.case.get("single") or in_vectors.get(x.case["id"], {})) for x in failed]
    right_in_single = all(abs(e.got - e.expected) <= t.get(e.field, 0.0) for entries, t in single for e in entries)
    if right_in_single and (all(in_single(v) == v for v in got) or all(printed_in_single(v) == v for v in got)):
        return f"{text}: they are given in single precision"
    if _towards_uniform(failed):
        return f"{text}, and gamma is nearer to uniform: look for a small number that is added"
    if {x.case["operation"] for x in failed} <= SWEPT:
        return f"{text}, and only after many sweeps: look for sweeps that stop early"
    if throughout and right_in_single and SINGLE[0] < typical < SINGLE[1]:  # its errors are everywhere
        return f"{text}, as in single precision (`--precision single`) or where a small number is added"
    return f"{text}: look for an approximate function, or a small number that is added"


def printed_in_single(x: float) -> float:
    """The number that single precision prints: the shortest decimal that is read back as the same number."""
    rounded = in_single(x)
    shorter = (float(f"{rounded:.{digits}g}") for digits in range(1, 9))
    return next((y for y in shorter if in_single(y) == rounded), float(f"{rounded:.9g}"))


def _towards_uniform(failed: Sequence[Numbers]) -> bool:
    """Whether nearly all errors of gamma are towards uniform."""
    signs = [
        abs(e.got - 1 / len(row)) < abs(e.expected - 1 / len(row))
        for x in failed for row in x.rows("gamma") for e in row if abs(e.expected - 1 / len(row)) > 0.05
    ]  # fmt: skip
    return len(signs) > 10 and sum(signs) > 0.9 * len(signs)
