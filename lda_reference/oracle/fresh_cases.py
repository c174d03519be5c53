"""Fresh cases: made when a port is checked, so that no port can know their answers.

A case follows from its id and the version of the package: `fresh/7/0012` is case 12 of seed 7, and
`fresh/medium/7/0012` that of the larger size. Its inputs are drawn with `random.random` from a generator whose seed is
the id, so that they are the same on every machine. Small cases are answered by the plain text, and certified in balls
where python-flint is installed; medium ones by the package.

The tolerances are those of `noise`. Inputs are drawn again if a tolerance in double precision is above 1e-6, if a
uniform number is within 1e-9 of a boundary between topics, or if the step has no answer.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from typing import Any

from ..plain import Balls, answer
from .asking.loading import SINGLE, Case, select
from .fresh_inputs import SIZES, inputs, kind_of
from .judging.comparing import compare
from .noise import DOUBLE, Errors, double_tolerances, errors, single_tolerances

ATTEMPTS = 1000
CLOSE, LARGEST = 1e-9, 1e-6  # the distance from a boundary and the tolerances, see above
MOST_WORK = 100_000  # operations of the plain text, see `work`
BITS = 200


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
    """The case with its answer and its tolerances; None if its inputs must be drawn again."""
    try:
        expected, of = _by_package(case) if "medium" in case["id"] else _by_plain_text(case)
    except (ValueError, ZeroDivisionError, OverflowError):
        return None
    case = case | {"expected": expected, "mistakes": []}
    tolerance = double_tolerances(case, of)
    if any(units * DOUBLE > LARGEST for units in of.units.values()) or of.undecided(DOUBLE, CLOSE) is not None:
        return None
    return case | {"tolerance": tolerance, SINGLE: single_tolerances(case, of)}


def _by_plain_text(case: Case) -> tuple[dict[str, Any], Errors]:
    if work(case) > MOST_WORK:
        raise ValueError("plain loops would take too long")
    return _floats(answer(case)), errors(case)


def work(case: Case) -> float:
    """About how many operations the plain text needs for distributions of counts and samples of them.

    For each topic of each row of cvb1s, the topics of all tokens are drawn three times from K weights.
    """
    N, M, K = sum(case["corpus"]["n"]), len(case["corpus"]["n"]), case["K"]
    of_row = {"cvb_exact": 2 * N * N, "cvb1": N * N, "cvb1s": 12 * N * K}.get(case["algorithm"], 0)
    return K * of_row * {"ten_sweeps": 10 * M, "sweep": M, "update": 1}.get(case["operation"], 0)


def _by_package(case: Case) -> tuple[dict[str, Any], Errors]:
    """The package's answer. Errors that the plain text cannot find in a second are those of a simpler algorithm."""
    from . import package

    expected = {name: x for name, x in package.answer(case).items() if name != "id"}
    if "error" in expected:
        raise ValueError(expected["error"])
    bound = case["operation"] == "bound"
    simpler = "vb" if bound else "cvb0" if case["algorithm"] in ("cvb_exact", "cvb1", "cvb1s") else case["algorithm"]
    of = errors(case | {"algorithm": simpler})
    sampled = case["algorithm"] == "cvb1s" and "uniforms" in case
    return expected, of._replace(draws=_samples(case, max(of.units.values()))) if sampled else of


def _samples(case: Case, units: float) -> list[tuple[float, float, bool]]:
    """The samples of `cvb1s` as in `Errors`: each token's topic is drawn from its gamma before or after a sweep."""
    from . import package

    gamma, sweeps = case["state"]["gamma"], {"ten_sweeps": 10, "sweep": 1}.get(case["operation"], 0)
    seen = [*gamma]
    for _ in range(sweeps):
        gamma = package.answer(case | {"operation": "sweep", "state": {"gamma": gamma}})["gamma"]
        seen += gamma
    uniforms = case["uniforms"] * (sweeps + 1)
    return [
        (abs(boundary - u), case["K"] * units, False)
        for row, of_token in zip(seen, uniforms, strict=True)
        for boundary in itertools.accumulate(row[:-1])
        for u in of_token
    ]


# The certificate -----------------------------------------------------------------------------------------------------


def certify(given: Iterable[Case]) -> tuple[int, str]:
    """Compare the answers of small cases with those in balls, which enclose all rounding.

    Returns
    -------
    number : int
        How many cases were certified.
    words : str
        The same in words, or why none was.

    Raises
    ------
    ValueError
        If an answer is not the enclosed one, which is a fault of the package.
    """
    found = list(given)
    try:
        balls = Balls(BITS)
    except ModuleNotFoundError:
        return 0, f"none of the {len(found)} is certified, because python-flint is not installed"
    small = [case for case in found if "medium" not in case["id"]]
    for case in small:
        r = compare(case, {"id": case["id"], **_floats(answer(case, balls))})
        if not r.passed:
            raise ValueError(f"{case['id']}: the answer is not the one that balls enclose: {r.reason}")
    return len(small), f"{len(small)} of the {len(found)} are certified in balls of {BITS} bits"


def _floats(x: Any) -> Any:
    """Floats and whole numbers; infinity as "inf"."""
    if isinstance(x, dict):
        return {name: _floats(v) for name, v in x.items()}
    if isinstance(x, list):
        return [_floats(v) for v in x]
    return x if isinstance(x, int) else float(x) if math.isfinite(float(x)) else "inf"
