"""The search: which change of the plain text, or which two, give the wrong answers of a port.

The cases of a group have one algorithm and one operation. Large cases, and those with whole numbers as answers, are not
searched. A composition is said of a group if it gives the answer to every failed case, within its tolerances, and no
passed case contradicts it: with the changes, the plain text still gives the right answer there, and in the passed
updates of the algorithm too. A case counts neither way if the changes give no answer to it, such as a negative
probability; this may be so in less than half of the failed cases, which are then not counted as explained. What
explains one group is tried first in the others, also with one more change. If several compositions of one length agree
in all cases, the first `SAID` of them are said.

The work is limited by counting operations, so that the result does not depend on the speed of the machine.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from ...plain import OPERATIONS, algorithm, is_large
from ..asking.loading import Case
from ..judging.comparing import differs, exact, same, tolerance_of
from . import in_answers, in_functions, in_steps, in_sums, in_terms
from .change import Change, layer

SAID = 2  # the most compositions of one group that are said
WORK = 4_000_000  # of all groups together; about ten seconds
MOST_WORK = 30_000  # of a case that is searched
FIRST = 3  # failed cases that choose among pairs

Composition = tuple[Change, ...]
Answered = Any  # has the attributes `case` and `answer`


class Found(NamedTuple):
    """Compositions that give the wrong answers of a group, and the cases that they explain."""

    algorithm: str
    operation: str
    compositions: tuple[Composition, ...]
    ids: tuple[str, ...]

    @property
    def text(self) -> str:
        """What completes "your answers are what you get when"."""
        return "; or when ".join(", and ".join(change.text for change in of) for of in self.compositions)


@cache
def vocabulary() -> Composition:
    """All changes."""
    rooms = in_sums, in_terms, in_functions, in_steps, in_answers
    return tuple(change for room in rooms for change in room.changes())


def search(failed: Sequence[Answered], passed: Sequence[Answered]) -> list[Found]:
    """What explains the failed cases, group by group; the groups of cheap operations come first."""
    groups: dict[tuple[str, str], list[Answered]] = {}
    for a in sorted(filter(_usable, failed), key=lambda a: work(a.case)):
        groups.setdefault((a.case["algorithm"], a.case["operation"]), []).append(a)
    right = [a.case for a in sorted(filter(_usable, passed), key=lambda a: work(a.case))]
    out: list[Found] = []
    left: float = WORK
    for (name, operation), group in groups.items():
        rest = [case for case in right if case["algorithm"] == name and case["operation"] in (operation, "update")]
        known = list({tuple(c.text for c in x): x for found in out for x in found.compositions}.values())
        compositions, used = _of_group(group, rest, known, left / 2)
        left -= used
        if compositions:
            ids = (a.case["id"] for a in group if all(_gives(of, a) for of in compositions))
            out.append(Found(name, operation, compositions, tuple(ids)))
    return out


def _usable(a: Answered) -> bool:
    """Whether the plain text answers a case in little time, with numbers that do not agree by chance."""
    case = a.case
    known = (case["algorithm"], case["operation"]) in OPERATIONS or case["operation"] not in ("reject", "sample")
    whole = case.keys() >= {"corpus", "prior", "K"} and "expected" in case
    return whole and known and not is_large(case) and not exact(case) and work(case) < MOST_WORK


def work(case: Case) -> float:
    """About how many operations an answer takes."""
    c, K = case["corpus"], case["K"]
    M, N, begin = len(c["n"]), sum(c["n"]), 20 + K * (c["D"] + c["W"])
    of_row = M + (N * N if case["algorithm"] in ("cvb_exact", "cvb1") else 0)
    if case["operation"] == "bound" and case["algorithm"] != "vb":
        return begin + 3 * K * N * N
    sweeps = {"sweep": 1, "ten_sweeps": 10, "converged": 100, "summary": case.get("sweeps", 1), "start": 10}
    return begin + K * of_row * M * sweeps.get(case["operation"], 1 / M)


# A group -------------------------------------------------------------------------------------------------------------


def _of_group(
    failed: Sequence[Answered], passed: Sequence[Case], known: Sequence[Composition], most: float
) -> tuple[tuple[Composition, ...], float]:
    """The shortest compositions that explain a group, and the work that was done.

    Known ones are tried first, then single changes, known ones with one more, and pairs.
    """
    failed = sorted(failed, key=_poor)
    first, cost, used = failed[:FIRST], work(failed[0].case), 0.0
    if found := tuple(of for of in known if _explains(of, failed, passed)):
        return found[:SAID], cost * len(known)
    if FIRST * cost * len(vocabulary()) > most:
        return (), 0.0
    active = [change for change in vocabulary() if _shows(change, first)]
    used = FIRST * cost * len(vocabulary())
    for compositions in (((change,) for change in active), _longer(known, active), _pairs(active, first)):
        several: list[Composition] = []
        for composition in compositions:
            used += cost
            if used > most:
                return (), used
            if composition not in several and _explains(composition, failed, passed):
                several.append(composition)
        if several:
            return tuple(several[:SAID]), used
    return (), used


def _poor(a: Answered) -> tuple[bool, float]:
    """The key of an order: small cases of several topics and rows, in which changes differ, come first."""
    return a.case["K"] < 3 or len(a.case["corpus"]["n"]) < 4, work(a.case)


def _longer(known: Iterable[Composition], active: Iterable[Change]) -> Iterator[Composition]:
    """Known compositions of one or two changes with one more."""
    for of, change in itertools.product(known, active):
        if len(of) < 3 and change.of not in {x.of for x in of}:
            yield (*of, change)


def _pairs(active: Sequence[Change], first: Sequence[Answered]) -> Iterator[Composition]:
    """Pairs of changes: those first whose effects on the weights multiply to the wrong answers, then all.

    Of changes that cannot be told apart in the first cases, only one is tried.
    """
    kept = {_effect(change, first): change for change in reversed(active) if not change.alone}
    pairs = [(a, b) for a, b in itertools.combinations(reversed(kept.values()), 2) if a.of != b.of]
    yield from _multiplying(pairs, first[0])
    yield from pairs


def _multiplying(pairs: Iterable[tuple[Change, Change]], a: Answered) -> Iterator[Composition]:
    """Pairs of changes of two terms: the logarithms of what they do to the weights add up, but for a constant."""
    if a.case["operation"] != "update":
        return
    factors: dict[int, list[float] | None] = {}

    def of(change: Change) -> list[float] | None:
        if id(change) not in factors:
            factors[id(change)] = _logs(a.case, changed(a.case, (change,)))
        return factors[id(change)]

    wanted = _logs(a.case, a.answer)
    for one, other in pairs if wanted else ():
        x, y = of(one), of(other)
        if wanted and x and y:
            left = [u + v - w for u, v, w in zip(x, y, wanted, strict=True)]
            if max(left) - min(left) < 1e-8:
                yield one, other


def _logs(case: Case, answer: Any) -> list[float] | None:
    """The logarithms of the probabilities of an update over those expected; None if one of them is 0."""
    got, right = (answer or {}).get("gamma_k", ()), case["expected"]["gamma_k"]
    if len(got) != len(right) or not all(v > 0 for v in (*got, *right)):
        return None
    return [math.log(v / w) for v, w in zip(got, right, strict=True)]


def _effect(change: Change, cases: Sequence[Answered]) -> tuple[str, ...]:
    """What a change makes of some answers, to ten digits; two changes with one effect cannot be told apart."""
    return tuple(repr(_mapped(lambda v: f"{v:.9e}", changed(a.case, (change,)))) for a in cases)


def _shows(change: Change, cases: Sequence[Answered]) -> bool:
    """Whether a change makes a difference to the right answer of some case."""
    answers = [(a.case, changed(a.case, (change,))) for a in cases]
    return any(x is not None and differs(case, x) for case, x in answers)


def _explains(composition: Composition, failed: Sequence[Answered], passed: Sequence[Case]) -> bool:
    """Whether a composition gives all wrong answers that it can, and the right ones where the port was right."""
    given = 0
    for a in failed:
        gives = _gives(composition, a)
        if gives is False:
            return False
        given += bool(gives)
    return 2 * given > len(failed) and not any(_contradicts(composition, case) for case in passed)


def _gives(composition: Composition, a: Answered) -> bool | None:
    """Whether a composition gives a wrong answer; None if it gives no answer."""
    x = changed(a.case, composition)
    return None if x is None else isinstance(a.answer, dict) and same(x, a.answer, tolerance_of(a.case))


def _contradicts(composition: Composition, case: Case) -> bool:
    x = changed(case, composition)
    return x is not None and differs(case, x)


def changed(case: Case, composition: Composition) -> Any:
    """The answer of the plain text with some changes; None if it has none.

    Examples
    --------
    >>> case = {
    ...     "algorithm": "cvb0", "operation": "update", "row": 0, "K": 2, "prior": {"alpha": 0.5, "eta": 0.5},
    ...     "corpus": {"j": [0, 1], "w": [0, 0], "n": [2, 1], "D": 2, "W": 1},
    ...     "state": {"gamma": [[1.0, 0.0], [0.0, 1.0]]},
    ... }
    >>> no_topic_term = [x for x in vocabulary() if x.text == "the topic's term is left out"]
    >>> changed(case, ()), changed(case, tuple(no_topic_term))
    ({'gamma_k': [0.75, 0.25]}, {'gamma_k': [0.75, 0.25]})
    """
    try:
        x = _mapped(_spelled, algorithm(case, float, *map(_layer, composition)).answer())
        return None if any(v < 0 for v in x.get("gamma_k", ())) else x
    except (ArithmeticError, ValueError, AttributeError, LookupError, TypeError):  # the changes make no sense here
        return None


@cache
def _layers() -> dict[int, Any]:
    """The class of each change of the vocabulary."""
    return {id(change): layer(change.methods) for change in vocabulary()}


def _layer(change: Change) -> Any:
    return _layers()[id(change)]


def _mapped(f: Callable[[float], Any], x: Any) -> Any:
    """f of each float in an answer."""
    if isinstance(x, dict):
        return {name: _mapped(f, v) for name, v in x.items()}
    if isinstance(x, list):
        return [_mapped(f, v) for v in x]
    return f(x) if isinstance(x, float) else x


def _spelled(x: float) -> float | str:
    """A number as in the answers of ports."""
    return ("inf" if x > 0 else "-inf") if math.isinf(x) else x
