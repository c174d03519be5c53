"""The numbers of a failed answer beside the expected ones, and to how many digits they agree."""

import math
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from ..cases.closeness import entries, exact, grouped, tolerance_of
from ..cases.loading import VECTORS, Case, single_tolerances
from ..changes.change import in_single

SINGLE_ERRORS = (1e-8, 1e-6)  # between these are typical relative errors in single precision
TYPICAL_ERROR, WORST_ERROR = 1e-5, 1e-3  # the typical and the largest relative error that count as a lack of digits
SWEPT_OPERATIONS = {"ten_sweeps", "converged", "summary", "fold_in"}  # the operations of many sweeps
RATIO_ERROR = 1e-6  # the relative difference of ratios that count as equal
INFINITE_TEXTS = ("inf", "-inf")


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

    def rows(self, field_prefix: str, by_columns: bool = False) -> list[list[Entry]]:
        """The rows, or columns, of the field that begins with a name: "gamma" is that of one row as well."""
        field_entries = (entry for entry in self.entries if entry.field.startswith(field_prefix))
        return list(grouped(field_entries, lambda entry: entry.index[1:] if by_columns else entry.index[:-1]).values())

    def error(self) -> float:
        """The largest relative error of a wrong number."""
        wrong_entries = [entry for entry in self.entries if entry.wrong]
        return max(abs(e.got - e.expected) / abs(e.expected) if e.expected else math.inf for e in wrong_entries)


def numbers_of(case: Case, answer: Any) -> Numbers | None:
    """The numbers of an answer; None if none is wrong, one is not finite, or the answer has another form."""
    pairs = [] if exact(case) else [x for x in _pairs(case, answer) if not (x[2] == x[3] and x[2] in INFINITE_TEXTS)]
    if not all(isinstance(x, (int, float)) and abs(x) <= sys.float_info.max for *_, e, g in pairs for x in (e, g)):
        return None
    limits = tolerance_of(case)
    entries = [Entry(name, i, float(e), float(g), limits[name], abs(g - e) > limits[name]) for name, i, e, g in pairs]
    return Numbers(case, entries) if any(entry.wrong for entry in entries) else None


def not_finite(case: Case, answer: Any) -> bool:
    """Whether an answer has NaN, infinity or null where a number is expected."""
    got_numbers = [g for *_, e, g in _pairs(case, answer) if e not in INFINITE_TEXTS]
    number_texts = {str(g).lower().lstrip("+-") for g in got_numbers if g is None or isinstance(g, (float, str))}
    return bool(number_texts & {"nan", "none", "inf", "infinity"})


def _pairs(case: Case, answer: Any) -> list[tuple[str, tuple[int, ...], Any, Any]]:
    """The entries of an answer; nothing if it has another form."""
    with suppress(TypeError, KeyError, ValueError):
        return [*entries(case["expected"], answer)]
    return []


def shape(matrix: Any) -> tuple[int, ...] | None:
    """The numbers of rows and columns of a matrix; None if it is something else."""
    row_lengths = {len(row) if isinstance(row, list) else -1 for row in matrix} if isinstance(matrix, list) else set()
    return (len(matrix), *row_lengths) if len(row_lengths) == 1 and -1 not in row_lengths else None


def factor(number_entries: Sequence[Entry]) -> float | None:
    """The one factor, other than 1, by which all numbers are larger than the expected ones, or None."""
    ratios = [entry.got / entry.expected for entry in number_entries if abs(entry.expected) > 1e-300]
    if not ratios or any(entry.got for entry in number_entries if not entry.expected):
        return None
    ratio = ratios[0]
    return None if f"{ratio:.6g}" == "1" or any(abs(r - ratio) > RATIO_ERROR * abs(ratio) for r in ratios) else ratio


def rounded(wrong_answers: Sequence[Numbers]) -> str | None:
    """Says that the fields with wrong numbers are right but for rounding to a few decimals or significant digits."""
    all_entries = [entry for numbers in wrong_answers for entry in numbers.entries]
    wrong_fields = {entry.field: 0 for entry in all_entries if entry.wrong}
    entries = [entry for entry in all_entries if entry.field in wrong_fields]
    subject_text = "the numbers" + f" of {' and '.join(wrong_fields)}" * (len(entries) < len(all_entries))
    is_single = all(printed_in_single(e.got) == e.got for e in entries)  # it may print no more than eight digits
    for n_digits in range(2, 8 if is_single else 13):
        largest_errors = [10**-n_digits + 1e-12 * abs(e.expected) for e in entries]
        are_near = all(abs(e.got - e.expected) <= x for e, x in zip(entries, largest_errors, strict=True))
        if are_near and all(round(e.got, n_digits) == e.got for e in entries):
            return f"{subject_text} are rounded to {n_digits} decimals; 15 digits are enough"
    for n_digits in range(2, 7 if is_single else 13):
        all_agree = all(abs(e.got - e.expected) <= 10 ** (1 - n_digits) * abs(e.expected) for e in entries)
        if all_agree and all(float(f"{entry.got:.{n_digits}g}") == entry.got for entry in entries):
            return f"{subject_text} have only {n_digits} significant digits; 15 are enough"
    return None


def agreement(wrong_answers: Sequence[Numbers], throughout: bool) -> str | None:
    """Says to how many digits the numbers agree, if all errors are small; `throughout` if nearly no case passed."""
    largest_errors = sorted(numbers.error() for numbers in wrong_answers)
    typical_error = largest_errors[len(largest_errors) // 2]
    if typical_error > TYPICAL_ERROR or largest_errors[-1] > WORST_ERROR:
        return None
    fewest, usual = (math.floor(-math.log10(error)) for error in (largest_errors[-1], typical_error))
    text = f"the numbers agree to at least {fewest} digits" + (f", in most cases to {usual}" if usual > fewest else "")
    floats, single_of_id = [e.got for numbers in wrong_answers for e in numbers.entries], single_tolerances(VECTORS)
    pairs = [(x.entries, x.case.get("single") or single_of_id.get(x.case["id"], {})) for x in wrong_answers]
    fits_single = all(abs(e.got - e.expected) <= limits.get(e.field, 0.0) for entries, limits in pairs for e in entries)
    if fits_single and (all(in_single(v) == v for v in floats) or all(printed_in_single(v) == v for v in floats)):
        return f"{text}: they are given in single precision"
    operations = {numbers.case["operation"] for numbers in wrong_answers}
    if operations == {"converged"}:
        return f"{text}, and only at fixed points: look for sweeps that stop early"
    if _towards_uniform(wrong_answers):
        return f"{text}, and gamma is nearer to uniform: look for a small number that is added"
    if operations <= SWEPT_OPERATIONS and all(numbers.case.get("sweeps", 2) > 1 for numbers in wrong_answers):
        return f"{text}, and only after many sweeps: look for sweeps that stop early"
    if throughout and fits_single and SINGLE_ERRORS[0] < typical_error < SINGLE_ERRORS[1]:  # its errors are everywhere
        return f"{text}, as in single precision (`--precision single`) or where a small number is added"
    return f"{text}: look for an approximate function, or a small number that is added"


def printed_in_single(x: float) -> float:
    """The number that single precision prints: the shortest decimal that is read back as the same number."""
    nearest_single = in_single(x)
    candidates = (float(f"{nearest_single:.{n_digits}g}") for n_digits in range(1, 9))
    return next((y for y in candidates if in_single(y) == nearest_single), float(f"{nearest_single:.9g}"))


def _towards_uniform(wrong_answers: Sequence[Numbers]) -> bool:
    """Whether nearly all errors of gamma are towards uniform."""
    is_nearer = [
        abs(entry.got - 1 / len(row)) < abs(entry.expected - 1 / len(row))
        for x in wrong_answers for row in x.rows("gamma") for entry in row if abs(entry.expected - 1 / len(row)) > 0.05
    ]  # fmt: skip
    return len(is_nearer) > 10 and sum(is_nearer) > 0.9 * len(is_nearer)
