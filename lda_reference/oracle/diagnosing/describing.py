"""What the failed cases share, where no known mistake explains them, and the small changes that give their answers.

Each kind of sentence is tried for all algorithms and
operations together, then for one operation, one algorithm, and one operation of one algorithm:

1. A size that is larger, or smaller, in all failed cases than in the passed ones; or an attribute that all failed cases
   have and the passed ones have not.
2. What the wrong numbers have in common.
3. Where in the answers the wrong numbers are.

To how many digits the numbers agree is said only if at least half of all failed cases of the run nearly agree.

The module `sentences` has the attributes, the common properties and the places. A sentence is true of every failed case
that it counts. One about attributes also counts the passed cases that have them, of those operations of those
algorithms that have failed cases, without steps with one topic, to which most mistakes make no difference. Nothing is
said if too many attributes would do as well.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Container, Sequence
from typing import TypeVar

from ..cases.closeness import exact
from ..cases.loading import Case
from ..judging.reporting import Said
from . import search as composing
from .naming import Asked, compared_by_numbers, group_of
from .numbers import WORST, Numbers, digits, factor, numbers_of, shape
from .sentences import CASES, NUMBERS, PLACES, beyond, idle

CHANCE = 0.01  # the probability below which an attribute is not shared by chance
EVERYWHERE = 0.8  # the share of cases from which on an attribute tells nothing
EQUAL = 2  # the most attributes that may do equally well
LINES = 8  # the most sentences

# Compositions --------------------------------------------------------------------------------------------------------


def compose(asked: Sequence[Asked]) -> list[Said]:
    """The compositions of small changes that explain failed cases without a name, each with its cases."""
    named = {group_of(a.case) for a in asked if a.result.mistake}  # where a name explains other topics that are drawn
    failed = [a for a in asked if a.result.status == "failed" and not a.result.mistake]
    failed = [a for a in failed if not (group_of(a.case) in named and exact(a.case))]
    found: dict[str, list[str]] = {}
    failed = [a for a in failed if compared_by_numbers(a.result)]
    for x in composing.search(failed, [a for a in asked if a.result.passed]):
        found.setdefault(x.text, []).extend(x.ids)
    return [Said(text, tuple(ids)) for text, ids in found.items()]


# What failed cases share ----------------------------------------------------------------------------------------------

Failed = TypeVar("Failed", Asked, Numbers)
Say = Callable[[Sequence[Failed], Sequence[Asked]], str | None]


def describe(asked: Sequence[Asked], explained: Container[str] = ()) -> list[Said]:
    """What the failed cases without a name share: at most eight sentences, those on more cases first.

    The cases whose ids are `explained` are left out.
    """
    whole = [a for a in asked if a.case.keys() >= {"corpus", "prior", "K", "expected"}]  # others are made by hand
    asked = [a for a in whole if a.case["operation"] not in ("reject", "sample") and a.result.status != "skipped"]
    every = [a for a in asked if a.result.status == "failed"]
    failed = [a for a in every if not a.result.mistake and a.case["id"] not in explained]
    passed = [a for a in asked if a.result.passed and not idle(a.case)]
    compared = [x for a in failed if (x := numbers_of(a.case, a.answer)) is not None]
    found = of_digits(compared, len(every), passed) + of_operation(failed, every, passed)
    found += _widest(of_cases, failed, passed) + _widest(of_axes, failed, passed)
    found += _widest(of_numbers, compared, passed, least=2) + _widest(of_places, compared, passed, least=2)
    return sorted(found, key=lambda said: -len(said.ids))[:LINES]


def _widest(say: Say[Failed], failed: Sequence[Failed], passed: Sequence[Asked], least: int = 1) -> list[Said]:
    """The sentences of one kind, each with the widest scope in which it is true of at least so many failed cases."""
    algorithms: list[str | None] = list(dict.fromkeys(a.case["algorithm"] for a in failed))
    operations: list[str | None] = list(dict.fromkeys(_operation(a.case) for a in failed))
    scopes = itertools.chain(
        [(None, None)], itertools.product([None], operations), itertools.product(algorithms, [None]),
        itertools.product(algorithms, operations),
    )  # fmt: skip
    out: list[Said] = []
    for algorithm, operation in scopes:
        covered = {id for said in out for id in said.ids}
        inside = [a for a in failed if algorithm in (None, a.case["algorithm"])]
        inside = [a for a in inside if operation in (None, _operation(a.case))]
        if len(inside) >= least and not covered & {a.case["id"] for a in inside}:
            text = say(inside, _alike(inside, passed))
            where = "".join(f" of {name}" for name in (operation, algorithm) if name)
            out += [_said(inside, text, where)] if text else []
    return out


def _said(failed: Sequence[Asked] | Sequence[Numbers], text: str, where: str = "") -> Said:
    """A sentence about failed cases."""
    cases = "case" if len(failed) == 1 else "cases"
    return Said(f"{len(failed)} failed {cases}{where}: {text}", tuple(a.case["id"] for a in failed))


def _alike(failed: Sequence[Asked] | Sequence[Numbers], passed: Sequence[Asked]) -> list[Asked]:
    """The passed cases of the operations and algorithms that have failed ones."""
    groups = {group_of(a.case) for a in failed}
    return [a for a in passed if group_of(a.case) in groups]


def _operation(case: Case) -> str:
    """The operation of a case, or the name of its start."""
    return str(case.get("start", case["operation"]))


def of_operation(failed: Sequence[Asked], every: Sequence[Asked], passed: Sequence[Asked]) -> list[Said]:
    """The operation or start, or the two, that all failed cases have, and these; updates alone say nothing."""
    names, of_these = ({_operation(a.case): 0 for a in some} for some in (every, failed))
    others = [a for a in passed if _operation(a.case) not in names]
    if len(names) > 2 or names.keys() == {"update"} or of_these != names or not _telling(len(failed), len(others), 0):
        return []
    return [_said(failed, f"all are of {' and '.join(names)}; all {len(others)} cases of other operations passed")]


def of_axes(failed: Sequence[Asked], passed: Sequence[Asked]) -> str | None:
    """Whether a matrix has its axes exchanged in all answers, if the shapes show it."""
    for name in ("gamma", "theta_jk", "phi_wk", "z"):
        expected = [shape(a.case["expected"].get(name)) for a in failed]
        got = [shape(a.answer.get(name)) if isinstance(a.answer, dict) else None for a in failed]
        if got != expected and all(e and g == e[::-1] for e, g in zip(expected, got, strict=True)):
            return f"{name} has its axes exchanged"
    return None


def of_digits(compared: Sequence[Numbers], failed: int, passed: Sequence[Asked]) -> list[Said]:
    """To how many digits the numbers agree in most failed cases of the run, and in all updates."""
    near = [x for x in compared if max(e.error for e in x.entries) <= WORST]
    updates = any(x.case["operation"] == "update" for x in compared if x not in near)
    if updates or len(near) < 2 or 2 * len(near) < failed:
        return []
    text = digits(near, throughout=4 * len(_alike(compared, passed)) <= len(compared))
    return [_said(near, text)] if text else []


def of_numbers(failed: Sequence[Numbers], passed: Sequence[Asked]) -> str | None:
    """What the wrong numbers have in common."""
    c = factor(failed)
    if c is not None:
        return f"every number is {c:.6g} times the expected one"
    return next((text for text, true in NUMBERS.items() if all(map(true, failed))), None)


def of_places(failed: Sequence[Numbers], passed: Sequence[Asked]) -> str | None:
    """Where the wrong numbers are, and how many numbers are elsewhere."""
    for text, place in PLACES.items():
        told = Counter((bool(place(x.case, e)), e.wrong) for x in failed for e in x.entries)
        elsewhere = told[False, False]
        if not told[False, True] and elsewhere >= len(failed) and told[True, True] >= told[True, False]:
            return f"only {text} wrong; the other {elsewhere} numbers are right"
    return None


def of_cases(failed: Sequence[Asked], passed: Sequence[Asked]) -> str | None:
    """What all failed cases have more of, or less, than every passed one, or else the attribute that they share."""
    if passed and _telling(len(failed), len(passed), 0):
        found = beyond([a.case for a in failed], [a.case for a in passed])
        if 0 < len(found) <= EQUAL:
            return f"all have {' and '.join(found)}, and no passed case of the same operations has"
    common = [name for name, has in CASES.items() if all(has(a.case) for a in failed)]
    also = {name: sum(CASES[name](a.case) for a in passed) for name in common}
    fewest = min(also.values(), default=0)
    best = [name for name in common if also[name] == fewest]
    if not passed or not 0 < len(best) <= EQUAL or not _telling(len(failed), len(passed), fewest):
        return None
    others = (
        f"of {len(passed)} passed cases of the same operations, {fewest or 'none'} {'is' if fewest == 1 else 'are'}"
    )
    return f"all are cases {', and '.join(best)}; {others}"


def _telling(failed: int, passed: int, also: int) -> bool:
    """Whether it tells something that all failed cases have an attribute, and only some passed ones.

    If failures had nothing to do with the attribute, they would all have it with the probability C(n, f) / C(N, f), for
    f failed cases and n cases with the attribute, of N in all.
    """
    n, N = failed + also, failed + passed
    few = also <= min(failed, passed) // 5 and n <= EVERYWHERE * N
    return few and math.comb(n, failed) <= CHANCE * math.comb(N, failed)
