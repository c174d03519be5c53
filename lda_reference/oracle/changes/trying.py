"""What the plain text answers with some changes, beside the answer of a port."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from ...plain import OPERATIONS, Algorithm, Floats, is_large
from ..cases.closeness import differs, same, tolerance_of
from ..cases.loading import Case
from . import in_answers, in_functions, in_running, in_steps, in_sums, in_terms, in_values
from .change import Answered, Change, Method, changed, layer

MOST_WORK = 30_000  # of a case that is searched
WIDE = 200_000  # of a failed case that is not searched, but to which what is found may give the answer
SWEEPS = 100  # to a fixed point, the most with changes
Composition = tuple[Change, ...]


@cache
def vocabulary() -> Composition:
    """All changes."""
    rooms = in_values, in_sums, in_running, in_terms, in_functions, in_steps, in_answers
    return tuple(change for room in rooms for change in room.changes())


def usable(a: Answered) -> bool:
    """Whether the plain text answers a case in little time, and the port did not leave its row as it was."""
    left = isinstance(a.answer, dict) and a.answer.get("left")
    return known(a.case) and work(a.case) < MOST_WORK and not left


def wide(a: Answered) -> bool:
    """Whether a case is searched no more, but may be explained by what is found."""
    return known(a.case) and MOST_WORK <= work(a.case) < WIDE


def known(case: Case) -> bool:
    """Whether the plain text answers a case."""
    listed = (case["algorithm"], case["operation"]) in OPERATIONS or case["operation"] not in ("reject", "sample")
    whole = case.keys() >= {"corpus", "prior", "K"} and "expected" in case
    return whole and listed and not is_large(case)


def work(case: Case) -> float:
    """About how many operations an answer takes."""
    c, K = case["corpus"], case["K"]
    M, N, begin = len(c["n"]), sum(c["n"]), 40 + K * (c["D"] + c["W"])
    of_row = M + {"cvb_exact": N * N / 8, "cvb1": N * N / 8, "cvb1s": M}.get(case["algorithm"], 0)
    if case["operation"] == "bound" and case["algorithm"] != "vb":
        return begin + 3 * K * N * N
    often = case.get("sweeps", case.get("iterations", 1))
    sweeps = {"sweep": 1, "ten_sweeps": 10, "converged": SWEEPS, "start": 10, "summary": often, "e_step": often}
    return begin + K * of_row * M * sweeps.get(case["operation"], 1 / M)


def explains(composition: Composition, failed: Sequence[Answered], passed: Sequence[Case]) -> bool:
    """Whether a composition gives all wrong answers that it can, and the right ones where the port was right."""
    given = 0
    for a in failed:
        found = gives(composition, a)
        if found is False:
            return False
        given += bool(found)
    return 2 * given > len(failed) and not any(contradicts(composition, case) for case in passed)


def gives(composition: Composition, a: Answered) -> bool | None:
    """Whether a composition gives a wrong answer; None if it gives none, or another one with negative numbers."""

    def given(x: Any) -> bool:
        return x is not None and isinstance(a.answer, dict) and same(x, a.answer, tolerance_of(a.case))

    x, legal = tried(a.case, composition)
    found = given(x) or (not legal and given(tried(a.case, composition, _AT_LEAST_0)[0]))
    return found if found or legal else None


def contradicts(composition: Composition, case: Case) -> bool:
    x = legal_answer(case, composition)
    return x is not None and differs(case, x)


def legal_answer(case: Case, composition: Composition) -> Any:
    """The answer of the plain text with some changes; None if it has none."""
    x, legal = tried(case, composition)
    return x if legal else None


def tried(case: Case, composition: Composition, sums: Any = None) -> tuple[Any, bool]:
    """The answer, and whether no number is negative: what a port makes of negative sums is open."""
    return answer_with(case, composition, BOUNDED, sums or _NOTED)


def answer_with(case: Case, changes: Composition, numbers: Floats, *layers: type[Algorithm]) -> tuple[Any, bool]:
    """The answer of the plain text with some changes, None if it has none, and whether no number is negative."""
    try:
        run = changed(case, numbers, changes, *layers)
        x = mapped(_spelled, run.answer())
        rows = x.get("gamma", [x.get("gamma_k", [])])
        return x, not (hasattr(run, "negative") or any(v < 0 for row in rows for v in row))
    except (ArithmeticError, ValueError, AttributeError, LookupError, RuntimeError, StopIteration, TypeError):
        return None, False  # the changes make no sense here


def _noted(self: Any, right: Method, *given: Any) -> float:
    """A sum; it is noted if it is negative."""
    x = float(right(*given))
    if x < -1e-9:
        self.negative = True
    return x


def _settled(self: Any, right: Method, *given: Any) -> bool:
    self.sweeps = getattr(self, "sweeps", 0) + 1
    if self.sweeps > SWEEPS:
        raise ArithmeticError(f"{SWEEPS} sweeps do not reach a fixed point")
    return bool(right(*given))


def _at_least_0(self: Any, right: Method, *given: Any) -> float:
    return max(float(right(*given)), 0.0)


BOUNDED = Floats()
_NOTED = layer({"N": _noted, "V": _noted, "settled": _settled})
_AT_LEAST_0 = layer({"N": _at_least_0, "V": _at_least_0, "settled": _settled})  # as where running sums are kept


def mapped(f: Callable[[Any], Any], x: Any) -> Any:
    """f of each float in an answer."""
    if isinstance(x, dict):
        return {name: mapped(f, v) for name, v in x.items()}
    if isinstance(x, list):
        return [mapped(f, v) for v in x]
    return f(x) if isinstance(x, (float, Fraction)) else x


def _spelled(x: float) -> float | str:
    """A number as in the answers of ports."""
    x = float(x)
    return ("inf" if x > 0 else "-inf") if math.isinf(x) else x
