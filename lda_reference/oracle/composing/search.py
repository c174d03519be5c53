"""The search: which change of the plain text, or which two, give the wrong answers of a port.

The cases of a group have one algorithm and one operation. Large cases are not searched, but a failed one with few rows
is counted as explained too if what is found gives its answer. Topics that are drawn can agree by chance: of those, only
single changes are said, and only if the failed cases have draws enough. Fixed points take long, and pairs of changes
are not tried there.

A composition is said of a group if it gives the answer to every failed case, within its tolerances, and no passed case
contradicts it: with the changes, the plain text still gives the right answer there, and in the passed updates of the
algorithm too. A case counts neither way if the changes give no answer to it, or another one with a negative sum; this
may be so in less than half of the failed cases, which are then not counted as explained. If more than one case failed,
one that is explained alone is not enough. What explains one group is tried first in the others, also with one more
change. Of all that explain a group, the compositions are said that explain most cases of all groups, at most `SAID` of
them.

The work is limited by counting operations, so that the result does not depend on the speed of the machine.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from ...plain import OPERATIONS, Floats, algorithm, is_large
from ..asking.loading import Case
from ..judging.comparing import differs, exact, same, tolerance_of
from . import in_answers, in_functions, in_steps, in_sums, in_terms, in_values
from .change import Answered, Change, Effects, Method, adding, layer

SAID = 2  # the most compositions of one group that are said
WORK = 3_700_000  # of all groups together; about nine seconds
MOST_WORK = 30_000  # of a case that is searched
WIDE = 200_000  # of a failed case that is not searched, but to which what is found may give the answer
BITS = 20  # the information that failed draws must have
FIRST = 3  # failed cases that choose among pairs

Composition = tuple[Change, ...]


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
    rooms = in_values, in_sums, in_terms, in_functions, in_steps, in_answers
    return tuple(change for room in rooms for change in room.changes())


def search(failed: Sequence[Answered], passed: Sequence[Answered]) -> list[Found]:
    """What explains the failed cases, group by group; the groups of cheap operations come first."""
    groups: dict[tuple[str, str], list[Answered]] = {}
    for a in sorted(filter(_usable, failed), key=lambda a: work(a.case)):
        groups.setdefault((a.case["algorithm"], a.case["operation"]), []).append(a)
    right = [a.case for a in sorted(filter(_usable, passed), key=lambda a: work(a.case))]
    wide = [a for a in failed if not _usable(a) and _known(a) and work(a.case) < WIDE]
    known: dict[tuple[str, ...], Composition] = {}
    explained: list[tuple[list[Answered], list[Case]]] = []
    left: float = WORK
    for (name, operation), group in groups.items():
        rest = [case for case in right if case["algorithm"] == name and case["operation"] in (operation, "update")]
        compositions, used = _of_group(group, rest, tuple(known.values()), left / 2)
        left -= used
        known |= {_texts(of): of for of in compositions}
        explained += [(group, rest)] if compositions else []
    fits = [[of for of in known.values() if _explains(of, *of_group)] for of_group in explained]
    cases = Counter(
        _texts(of) for found, (group, _) in zip(fits, explained, strict=True) for of in found for _ in group
    )
    out = []
    for found, (group, _) in zip(fits, explained, strict=True):
        rank = {_texts(of): (cases[_texts(of)], -len(of)) for of in found}
        best = [of for of in found if rank[_texts(of)] == max(rank.values())][:SAID]
        like = group[0].case["algorithm"], group[0].case["operation"]
        of_group = group + [a for a in wide if (a.case["algorithm"], a.case["operation"]) == like]
        ids = tuple(a.case["id"] for a in of_group if all(_gives(of, a) for of in best))
        if max(rank.values())[0] > 1 or len(failed) == 1:
            out.append(Found(*like, tuple(best), ids))
    return out


def _texts(of: Composition) -> tuple[str, ...]:
    return tuple(sorted(change.text for change in of))


def _usable(a: Answered) -> bool:
    """Whether the plain text answers a case in little time."""
    return _known(a) and work(a.case) < MOST_WORK


def _known(a: Answered) -> bool:
    """Whether the plain text answers a case."""
    case = a.case
    known = (case["algorithm"], case["operation"]) in OPERATIONS or case["operation"] not in ("reject", "sample")
    whole = case.keys() >= {"corpus", "prior", "K"} and "expected" in case
    return whole and known and not is_large(case)


def work(case: Case) -> float:
    """About how many operations an answer takes."""
    c, K = case["corpus"], case["K"]
    M, N, begin = len(c["n"]), sum(c["n"]), 20 + K * (c["D"] + c["W"])
    of_row = M + (N * N / 8 if case["algorithm"] in ("cvb_exact", "cvb1") else 0)
    if case["operation"] == "bound" and case["algorithm"] != "vb":
        return begin + 3 * K * N * N
    sweeps = {"sweep": 1, "ten_sweeps": 10, "converged": 40, "summary": case.get("sweeps", 1), "start": 10}
    return begin + K * of_row * M * sweeps.get(case["operation"], 1 / M)


# A group -------------------------------------------------------------------------------------------------------------


def _of_group(
    failed: Sequence[Answered], passed: Sequence[Case], known: Sequence[Composition], most: float
) -> tuple[tuple[Composition, ...], float]:
    """The shortest compositions that explain a group, and the work that was done.

    Known ones are tried first, then single changes, known ones with one more, and pairs: those first whose effects add
    up. If the work comes to its end, what was found before is kept.
    """
    failed = sorted(failed, key=lambda a: _poor(a.case))
    cost = work(failed[0].case)
    if found := [of for of in known if _explains(of, failed, passed)]:
        return tuple(of for of in found if len(of) == min(map(len, found)))[:SAID], cost * len(known)
    if _by_chance(failed):
        return (), 0.0
    called = _called(failed[0].case)
    relevant = [x for x in vocabulary() if called.issuperset(x.methods)]
    telling = sorted(passed, key=_poor)[:2]
    legal = [x for x in relevant if not any(_contradicts((x,), case) for case in telling)]
    used = cost + sum(map(work, telling)) * len(relevant)
    first = failed[: FIRST if FIRST * cost * len(legal) < most else 1]
    used += len(first) * cost * len(legal)
    if used > most:
        return (), 0.0
    effects = {x.text: (x, [_changed(a.case, (x,))[0] for a in first]) for x in legal}
    active = {text: of for text, of in effects.items() if _shows(of[1], first)}
    singles = [(x,) for x, _ in active.values()]
    stages: list[Iterable[Composition]] = [singles, _longer(known, singles)]
    if not exact(first[0].case) and first[0].case["operation"] != "converged":
        stages += [adding(active, first), _pairs(active)]
    for compositions in stages:
        several: list[Composition] = []
        for composition in compositions:
            used += cost
            if used > most:
                break
            if _explains(composition, failed, passed):
                several.append(composition)
        if several or used > most:
            return tuple(several[:SAID]), used
    return (), used


def _called(case: Case) -> set[str]:
    """The methods that a change replaces somewhere, and that the answer to a case calls."""
    found = set()

    def method(name: str) -> Method:
        def noted(self: Any, right: Method, *given: Any) -> Any:
            found.add(name)
            return right(*given)

        return noted

    algorithm(case, float, layer({name: method(name) for x in vocabulary() for name in x.methods})).answer()
    return found


def _by_chance(failed: Sequence[Answered]) -> bool:
    """Whether the answers are whole numbers, and so few that one change in a thousand may give them by chance."""
    drawn = [(len(a.case["expected"].get("z", [0])), a.case["K"]) for a in failed]
    return exact(failed[0].case) and sum(size * math.log2(K) for size, K in drawn) < BITS


def _poor(case: Case) -> tuple[bool, float]:
    """The key of an order: small cases of several topics and rows, in which changes differ, come first."""
    return case["K"] < 3 or len(case["corpus"]["n"]) < 4, work(case)


def _longer(known: Iterable[Composition], singles: Iterable[Composition]) -> Iterator[Composition]:
    """Known compositions of one or two changes with one more."""
    for of, (change,) in itertools.product(known, singles):
        if len(of) < 3 and change.of not in {x.of for x in of}:
            yield (*of, change)


def _pairs(active: Effects) -> Iterator[Composition]:
    """All pairs of changes. Of changes that cannot be told apart in the first cases, only one is tried."""
    kept = {repr(_mapped(lambda v: f"{v:.9e}", of)): x for x, of in reversed(active.values()) if not x.alone}
    for one, other in itertools.combinations(reversed(kept.values()), 2):
        parts = {one.of.rpartition(" ")[2], other.of.rpartition(" ")[2]}
        if one.of != other.of and not (len(parts) == 2 and parts <= {"document", "word", "topic"}):  # these add up
            yield one, other


def _shows(answers: Sequence[Any], cases: Sequence[Answered]) -> bool:
    """Whether some answer of a change is wrong."""
    return any(x is not None and differs(a.case, x) for a, x in zip(cases, answers, strict=True))


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
    """Whether a composition gives a wrong answer; None if it gives none, or another one with negative numbers."""
    x, legal = _changed(a.case, composition)
    gives = x is not None and isinstance(a.answer, dict) and same(x, a.answer, tolerance_of(a.case))
    return gives if gives or legal else None


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
    x, legal = _changed(case, composition)
    return x if legal else None


def _changed(case: Case, composition: Composition) -> tuple[Any, bool]:
    """The answer, and whether no number is negative: what a port makes of negative sums is open."""
    try:
        of = algorithm(case, _FLOATS, _NOTED, *(_layers()[change.text] for change in composition))
        x = _mapped(_spelled, of.answer())
        rows = x.get("gamma", [x.get("gamma_k", [])])
        return x, not (hasattr(of, "negative") or any(v < 0 for row in rows for v in row))
    except (ArithmeticError, ValueError, AttributeError, LookupError, RuntimeError, TypeError):
        return None, False  # the changes make no sense here


def _noted(self: Any, right: Method, *given: Any) -> float:
    """A sum; it is noted if it is negative."""
    N = float(right(*given))
    if N < -1e-9:
        self.negative = True
    return N


_NOTED, _FLOATS = layer({"N": _noted}), Floats()


@cache
def _layers() -> dict[str, Any]:
    """The class of each change of the vocabulary."""
    return {change.text: layer(change.methods) for change in vocabulary()}


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
