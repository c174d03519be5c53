"""The search: which change of the plain text, or which two, give the wrong answers of a port.

The cases of a group have one algorithm and one operation. Large cases are not searched, but a failed one with few rows
is counted as explained too if what is found gives its answer. Topics that are drawn can agree by chance: of those, only
single changes are said, and only if the failed cases have draws enough. Fixed points take long, and are those of
several formulas: if sweeps are wrong, only what explains other groups is tried there, and pairs never.

A composition is said of a group if it gives the answer to every failed case, within its tolerances, and no passed case
contradicts it: with the changes, the plain text still gives the right answer there, and in the passed updates of the
algorithm too. A case counts neither way if the changes give no answer to it, or another one with a negative sum, also
if 0 is taken instead; this may be so in less than half of the failed cases, which are then not counted as explained.
If more than one case failed, one that is explained alone is not enough. If the steps of an algorithm are right, changes
of what its sweeps call beside them are tried first, and likewise where sweeps are right; others are tried only in the
sweeps of one schedule. What explains one group is tried first in the others, also with one more change. Of all that
explain a group, the compositions are said that explain most cases of all groups, at most `SAID` of them.

A group that nothing explains is divided. If a composition gives the answers of half of its failed cases or more, and
of `PART` at least, it is said of these, and the others are searched again. If none does, each schedule is searched.

In single precision, failed cases whose answers are within a few tolerances of the right ones are left out.

The work is limited by counting operations, so that the result does not depend on the speed of the machine.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from ...plain import algorithm
from ..cases.closeness import differs, exact
from ..cases.loading import Case
from ..changes.change import Answered, Change, Effects, Method, adding, layer
from ..changes.trying import MOST_WORK, WIDE, Composition, Exhausted, Work, far, mapped, size, usable, vocabulary

SAID = 2  # the most compositions of one group that are said
WORK = 8_000_000  # operations of all groups together; some seconds
BITS = 20  # the information that failed draws must have
FIRST = 3  # failed cases that choose among pairs
STEPS = ("update", "draw")  # what sweeps are made of
SWEEPS = ("ten_sweeps", "converged", "summary")  # what is made of sweeps
PART = 3  # the fewest failed cases of which a composition is said that does not explain their whole group


class Group(NamedTuple):
    """Failed cases of one algorithm and one operation, perhaps of one schedule, and how often they were searched."""

    algorithm: str
    operation: str
    schedule: str
    failed: Sequence[Answered]
    searched: int = 0

    def has(self, case: Case, operations: Iterable[str] = ()) -> bool:
        """Whether a case is of this algorithm, operation (or one of these) and schedule."""
        asked = case["algorithm"] == self.algorithm and case["operation"] in (self.operation, *operations)
        return asked and self.schedule in ("", case.get("schedule"))


def search(failed: Sequence[Answered], passed: Sequence[Answered]) -> Mapping[str, Sequence[str]]:
    """What completes "your answers are what you get when", and the ids of the failed cases that it explains.

    Groups with cheap operations come first, those of single failed cases last.
    """
    todo = Work(WORK)
    by_operation: dict[tuple[str, str], list[Answered]] = {}
    for a in sorted(filter(usable, failed), key=lambda a: todo.cost(a.case)):
        if far(a) and todo.cost(a.case) < MOST_WORK:
            by_operation.setdefault((a.case["algorithm"], a.case["operation"]), []).append(a)
    algorithms = {name for name, _ in by_operation}
    beside = [a.case for a in filter(usable, passed) if a.case["algorithm"] in algorithms]
    right = sorted((case for case in beside if todo.cost(case) < MOST_WORK), key=todo.cost)
    wrong = {(a.case["algorithm"], a.case["operation"]) for a in failed}
    explaining: dict[tuple[str, ...], Composition] = {}
    explained: list[tuple[Group, Sequence[Case]]] = []
    groups = [Group(*names, "", answers) for names, answers in by_operation.items()]
    groups.sort(key=lambda group: len(group.failed) == 1)
    for group in groups:  # it grows: what nothing explains is divided
        todo.floor = todo.left / 2
        contradicting = [case for case in right if group.has(case, ("update",))]
        parts = ("sweep",) if group.operation in SWEEPS else STEPS
        steps = [case for case in right if case["algorithm"] == group.algorithm and case["operation"] in parts]
        right_steps = group.operation not in STEPS and not wrong & {(group.algorithm, part) for part in parts}
        step = steps[0] if steps and right_steps else None
        if group.searched == 1:
            compositions, explained_answers = _partly(
                todo, group.failed, contradicting, step, tuple(explaining.values())
            )
            again = group._replace(failed=[a for a in group.failed if a not in explained_answers], searched=2)
            groups += ([again] if again.failed else []) if explained_answers else _by_schedule(again)
            group = group._replace(failed=explained_answers)
        else:
            compositions = _of_group(todo, group.failed, contradicting, step, tuple(explaining.values()))
            if step and not compositions and not _by_schedule(group):
                compositions = _of_group(todo, group.failed, contradicting, None, ())
            if not compositions:
                groups += [group._replace(searched=1)] if group.searched == 0 else _by_schedule(group)
        explaining |= {_texts(composition): composition for composition in compositions}
        explained += [(group, contradicting)] if compositions else []
    large = [a for a in failed if usable(a) and MOST_WORK <= todo.cost(a.case) < WIDE]
    todo.floor = -math.inf
    return _best(todo, explained, tuple(explaining.values()), large, len(failed) == 1)


def _by_schedule(group: Group) -> list[Group]:
    """The failed sweeps of each schedule; nothing if this was done."""
    names = {a.case.get("schedule", "") for a in group.failed}
    if group.schedule or "" in names or group.operation in ("update", "draw"):
        return []
    parts = {name: [a for a in group.failed if a.case["schedule"] == name] for name in sorted(names)}
    return [group._replace(schedule=name, failed=failed, searched=0) for name, failed in parts.items()]


Explained = Sequence[tuple[Group, Sequence[Case]]]  # groups with the passed cases beside them


def _best(
    todo: Work, explained: Explained, explaining: Sequence[Composition], large: Sequence[Answered], single: bool
) -> Mapping[str, Sequence[str]]:
    """Of all that explain a group, what explains most cases of all groups; of one case only if no other failed."""
    fits = [[x for x in explaining if todo.explains(x, group.failed, passed)] for group, passed in explained]
    cases = Counter(
        _texts(x) for fitting, (group, _) in zip(fits, explained, strict=True) for x in fitting for _ in group.failed
    )
    best: dict[str, list[str]] = {}
    for fitting, (group, _) in zip(fits, explained, strict=True):
        rank = {_texts(x): (cases[_texts(x)], -len(x)) for x in fitting}
        first = [x for x in fitting if rank[_texts(x)] == max(rank.values())][:SAID]
        answers = [*group.failed, *(a for a in large if group.has(a.case))]
        text = "; or when ".join(", and ".join(change.text for change in changes) for changes in first)
        text += f" (schedule {group.schedule})" * bool(group.schedule)
        if max(rank.values())[0] > 1 or single:
            explained_ids = (a.case["id"] for a in answers if all(todo.gives(x, a) for x in first))
            best.setdefault(text, []).extend(explained_ids)
    return best


def _texts(composition: Composition) -> tuple[str, ...]:
    return tuple(sorted(change.text for change in composition))


def _of_group(
    todo: Work, failed: Sequence[Answered], passed: Sequence[Case], step: Case | None, explaining: Sequence[Composition]
) -> tuple[Composition, ...]:
    """The shortest compositions that explain a group; for `step` see `_relevant`.

    What explains other groups is tried first, then single changes, then it with one more change, and pairs: those first
    whose effects add up. If the work comes to its end, what was found before is kept.
    """
    several: list[Composition] = []
    with suppress(Exhausted):
        failed = sorted(failed, key=lambda a: _poor(a.case))
        first = failed[0].case
        if fitting := [x for x in explaining if todo.explains(x, failed, passed)]:
            return tuple(x for x in fitting if len(x) == min(map(len, fitting)))[:SAID]
        if _by_chance(failed) or (first["operation"] == "converged" and not step):
            return ()
        relevant = _relevant(first, step)
        for x in relevant:
            if todo.gives((x,), failed[0]) is not False and todo.explains((x,), failed, passed):
                several.append((x,))
        if several or exact(first) or first["operation"] == "converged":
            return tuple(several[:SAID])
        telling = sorted(passed, key=_poor)[:2]
        composed = [x for x in relevant if not x.alone]
        legal = [x for x in composed if not any(todo.contradicts((x,), case) for case in telling)]
        enough = FIRST * todo.cost(first) * len(legal) < todo.left - todo.floor
        chosen = failed[: FIRST if enough else 1]
        effects = {x.text: (x, [todo.tried(a.case, (x,))[0] for a in chosen]) for x in legal}
        active = {text: effect for text, effect in effects.items() if _shows(effect[1], chosen)}
        longer = _longer(explaining, [x for x, _ in active.values()])
        for compositions in (longer, adding(active, chosen), _pairs(active)):
            for composition in compositions:
                if todo.explains(composition, failed, passed):
                    several.append(composition)
            if several:
                break
    return tuple(several[:SAID])


def _partly(
    todo: Work, failed: Sequence[Answered], passed: Sequence[Case], step: Case | None, explaining: Sequence[Composition]
) -> tuple[tuple[Composition, ...], list[Answered]]:
    """What explains other groups, or single changes, that give most of the failed answers, and these answers."""
    first = sorted(failed, key=lambda a: _poor(a.case))[:FIRST]
    new = [] if exact(first[0].case) else [(x,) for x in _relevant(first[0].case, step)]
    if sum(todo.cost(a.case) for a in first) * len(new) > todo.left - todo.floor:
        new = []
    giving: list[tuple[Composition, list[Answered]]] = []
    with suppress(Exhausted):
        for composition, tried in [*((x, failed) for x in explaining), *((x, first) for x in new)]:
            gives = any(todo.gives(composition, a) for a in tried)
            if gives and not any(todo.contradicts(composition, case) for case in passed):
                giving.append((composition, [a for a in failed if todo.gives(composition, a)]))
    best = max((answers for _, answers in giving), key=len, default=[])
    if len(best) < min(PART, len(failed)) or 2 * len(best) < len(failed):
        return (), []
    return tuple(composition for composition, answers in giving if answers == best)[:SAID], best


def _relevant(case: Case, step: Case | None) -> list[Change]:
    """The changes of what the answer to a case calls, and a step of the algorithm that is right, if any, does not."""
    called, right = _called(case), _called(step) if step else set()
    return [x for x in vocabulary() if called.issuperset(x.methods) and not right.issuperset(x.methods)]


def _called(case: Case) -> set[str]:
    """The methods that the answer to a case calls, of those that have changes."""
    called = set()

    def noted(name: str, self: Any, right: Method, *arguments: Any) -> Any:
        called.add(name)
        return right(*arguments)

    algorithm(case, float, layer({name: partial(noted, name) for x in vocabulary() for name in x.methods})).answer()
    return called


def _by_chance(failed: Sequence[Answered]) -> bool:
    """Whether the answers are whole numbers, and so few that one change in a thousand may give them by chance."""
    drawn = [(len(a.case["expected"].get("z", [0])), a.case["K"]) for a in failed]
    return exact(failed[0].case) and sum(size * math.log2(K) for size, K in drawn) < BITS


def _poor(case: Case) -> tuple[bool, int]:
    """The key of an order: small cases of several topics and rows, in which changes differ, come first."""
    return case["K"] < 3 or len(case["corpus"]["n"]) < 4, size(case)


def _longer(explaining: Iterable[Composition], changes: Iterable[Change]) -> Iterator[Composition]:
    """What explains other groups, of one change or two, with one more."""
    for composition, change in itertools.product(explaining, changes):
        if len(composition) < 3 and change.of not in {x.of for x in composition}:
            yield (*composition, change)


def _pairs(active: Effects) -> Iterator[Composition]:
    """All pairs of changes. Of changes that cannot be told apart in the first cases, only one is tried."""
    kept = {repr(mapped(lambda v: f"{v:.9e}", answers)): x for x, answers in reversed(active.values())}
    for x, y in itertools.combinations(reversed(kept.values()), 2):
        parts = {x.of.rpartition(" ")[2], y.of.rpartition(" ")[2]}
        if x.of != y.of and not (len(parts) == 2 and parts <= {"document", "word", "topic"}):  # these add up
            yield x, y


def _shows(answers: Sequence[Any], cases: Sequence[Answered]) -> bool:
    """Whether some answer of a change is wrong."""
    return any(x is not None and differs(a.case, x) for a, x in zip(cases, answers, strict=True))
