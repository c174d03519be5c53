"""Fresh cases: made when a port is checked, so that no port can know their answers.

A case follows from its id and the version of the package: `fresh/7/0012` is case 12 of seed 7, and
`fresh/medium/7/0012` that of the larger size. Its inputs are drawn with `random.random` from a generator whose seed is
the id, so that they are the same on every machine. The package answers it. A small case can be certified by the plain
evaluator in `certificate`, at 50 digits.

The tolerance of a field is 1e-12, relative for numbers above 1, or if it is larger the error that rounding can cause in
double precision, as `rounding` computes it from the case. Inputs are drawn again if a tolerance is above 1e-6, if a
uniform number is within 1e-9 of a boundary between topics, or if the step has no answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from . import margins, package, rounding
from .asking.loading import Case, select
from .fresh_inputs import SIZES, inputs, kind_of
from .judging.comparing import compare

ATTEMPTS = 1000
LEAST, CLOSE, LARGEST = 1e-12, 1e-9, 1e-6  # the tolerances and the distance from a boundary, see above
ROUNDOFF = 2.0**-53
CERTIFIED_WORK = 3_000  # the largest product of rows, tokens, topics and sweeps that is certified: a second or less


def fresh(
    n: int, seed: int, size: str = "small", only: str | Iterable[str] | None = None, operation: str | None = None
) -> list[Case]:
    """New cases with the package's answers.

    Parameters
    ----------
    n : int, 1 or more
        The number of cases, before `only` and `operation` choose some of them.
    seed : int, 0 or more
    size : {"small", "medium"}
        Up to 5 topics and 8 words, or up to 32 topics and 300 words.
    only, operation
        As in `cases`; a name may be that of an algorithm and an operation, such as "cvb0/update".

    Returns
    -------
    list of dict
        They list no known mistakes.

    Raises
    ------
    ValueError
        If an argument is out of range, or none of the n cases has one of the names.

    Examples
    --------
    >>> case = fresh(3, seed=7)[2]
    >>> case["id"], sorted(case["tolerance"]) == sorted(case["expected"])
    ('fresh/7/0003', True)
    """
    if n < 1:
        raise ValueError(f"n is {n}, expected 1 or more fresh cases")
    asked = []
    for id in (_id(seed, number, size) for number in range(1, n + 1)):
        name, of, start = kind_of(id)
        asked.append({"id": f"{name}/{start or of}", "algorithm": name, "operation": of, "fresh": id})
    return [case_of(case["fresh"]) for case in select(asked, only, operation)]


def _id(seed: int, number: int, size: str) -> str:
    if size not in SIZES:
        raise ValueError(f"size is {size!r}, expected one of {', '.join(SIZES)}")
    if seed < 0:
        raise ValueError(f"seed is {seed}, expected 0 or more")
    return f"fresh/{'medium/' if size == 'medium' else ''}{seed}/{number:04d}"


def case_of(id: str) -> Case:
    """The fresh case of an id.

    Raises
    ------
    ValueError
        If it is not the id of a fresh case.

    Examples
    --------
    >>> case_of("fresh/7/0003") == fresh(3, seed=7)[2]
    True
    """
    for attempt in range(ATTEMPTS):
        case = _completed(inputs(id, attempt))
        if case is not None:
            return case
    raise ValueError(f"{id}: {ATTEMPTS} draws of its inputs are all badly conditioned")


# The answers ---------------------------------------------------------------------------------------------------------


def _completed(case: Case) -> Case | None:
    """The case with the package's answer and its tolerances; None if its inputs must be drawn again."""
    expected = {name: x for name, x in package.answer(case).items() if name != "id"}
    if "error" in expected:
        return None
    case = case | {"expected": expected, "mistakes": []}
    tolerance = {field: _tolerance(field, x, expected[field]) for field, x in rounding.errors(case).items()}
    if any(not of["absolute"] <= LARGEST * max(1.0, _size(expected[name])) for name, of in tolerance.items()):
        return None
    if margins.undecided(case, ROUNDOFF, CLOSE) is not None:
        return None
    return case | {"tolerance": tolerance}


def _tolerance(field: str, units: float, expected: Any) -> dict[str, Any]:
    if not units:
        return {"absolute": 0, "why": "exact"}
    least = LEAST * max(1.0, _size(expected))
    why = f"{units:.2g} times 2^-53, from the errors of sums and functions; {least:.2g} at least"
    return {"absolute": max(least, float(f"{units * ROUNDOFF:.2g}")), "why": why}


def _size(x: Any) -> float:
    """The largest absolute value; that of infinity is 0."""
    if isinstance(x, list):
        return max(map(_size, x), default=0.0)
    return 0.0 if isinstance(x, str) else abs(float(x))


# The certificate -----------------------------------------------------------------------------------------------------


def can_be_certified(case: Case) -> bool:
    """Whether the plain evaluator answers a case in about a second or less."""
    c, sweeps = case["corpus"], {"ten_sweeps": 10, "sweep": 1, "start": 10}.get(case["operation"], 0.3)
    return len(c["n"]) * sum(c["n"]) * case["K"] * sweeps <= CERTIFIED_WORK


def certify(given: Iterable[Case]) -> tuple[int, str]:
    """Compare the answers of small cases with the evaluator at 50 digits.

    Returns
    -------
    number : int
        How many cases were certified.
    words : str
        The same in words, or why none was.

    Raises
    ------
    ValueError
        If the package's answer is not that of the evaluator, which is a fault of the package.
    """
    found = list(given)
    try:
        from .certificate.arithmetic import rounded
        from .certificate.classes import evaluator
    except ModuleNotFoundError:
        return 0, f"none of the {len(found)} is certified, because mpmath is not installed"
    small = [case for case in found if can_be_certified(case)]
    for case in small:
        r = compare(case, {"id": case["id"], **rounded(evaluator(case).answer())})
        if not r.passed:
            raise ValueError(f"{case['id']}: the package and the evaluator at 50 digits do not agree: {r.reason}")
    return len(small), f"{len(small)} of the {len(found)} are certified by the evaluator at 50 digits"
