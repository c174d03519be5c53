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
explain a group, the compositions are said that explain most cases of all groups, at most `MAX_SAID` of them.

A group that nothing explains is divided. If a composition gives the answers of half of its failed cases or more, and
of `MIN_PART` at least, it is said of these, and the others are searched again. If none does, each schedule is searched.

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
from ..cases.noise import steps_by_logarithms
from ..changes.change import Answered, Change, Effects, Method, adding, layer
from ..changes.trying import MOST_WORK, WIDE_WORK, Composition, Exhausted, Work, mapped, size, tells, usable, vocabulary

MAX_SAID = 2  # the most compositions of one group that are said
TOTAL_WORK = 8_000_000  # operations of all groups together; some seconds
MIN_BITS = 20  # the information that failed draws must have
N_FIRST = 3  # failed cases that choose among pairs
STEPS = ("update", "draw")  # what sweeps are made of
SWEEPS = ("ten_sweeps", "converged", "summary")  # what is made of sweeps
MIN_PART = 3  # the fewest failed cases of which a composition is said that does not explain their whole group


class Group(NamedTuple):
    """Failed cases of one algorithm and one operation, perhaps of one schedule, and how often they were searched."""

    algorithm: str
    operation: str
    schedule: str
    failed: Sequence[Answered]
    searches: int = 0

    def has(self, case: Case, operations: Iterable[str] = ()) -> bool:
        """Whether a case is of this algorithm, operation (or one of these) and schedule."""
        has_operation = case["algorithm"] == self.algorithm and case["operation"] in (self.operation, *operations)
        return has_operation and self.schedule in ("", case.get("schedule"))


def search(failed: Sequence[Answered], passed: Sequence[Answered]) -> tuple[Mapping[str, Sequence[str]], bool]:
    """What completes "your answers are what you get when", and the ids of the failed cases that it explains.

    The second is whether the work of a group came to its end. Groups with cheap operations come first, those of single
    failed cases last.
    """
    work = Work(TOTAL_WORK)
    answers_by_operation: dict[tuple[str, str], list[Answered]] = {}
    for a in sorted(filter(usable, failed), key=lambda a: work.cost(a.case, MOST_WORK)):
        if tells(a) and work.cost(a.case, MOST_WORK) < MOST_WORK:
            answers_by_operation.setdefault((a.case["algorithm"], a.case["operation"]), []).append(a)
    kinds = {(algorithm, x) for algorithm, operation in answers_by_operation for x in (operation, "sweep", *STEPS)}
    passed_cases = [a.case for a in filter(usable, passed) if (a.case["algorithm"], a.case["operation"]) in kinds]
    passing = sorted((case for case in passed_cases if work.cost(case, MOST_WORK) < MOST_WORK), key=work.cost)
    failed_kinds = {(answered.case["algorithm"], answered.case["operation"]) for answered in failed}
    composition_of_texts: dict[tuple[str, ...], Composition] = {}
    explained_groups: list[tuple[Group, Sequence[Case]]] = []
    groups = [Group(*algorithm_operation, "", answers) for algorithm_operation, answers in answers_by_operation.items()]
    groups.sort(key=lambda group: len(group.failed) == 1)
    for group in groups:  # it grows: what nothing explains is divided
        work.floor = work.left / 2
        contradictors = [case for case in passing if group.has(case, ("update",))]
        steps = ("sweep",) if group.operation in SWEEPS else STEPS
        step_cases = [case for case in passing if case["algorithm"] == group.algorithm and case["operation"] in steps]
        is_step_right = group.operation not in STEPS and not failed_kinds & {(group.algorithm, part) for part in steps}
        step_case = step_cases[0] if step_cases and is_step_right else None
        if group.searches == 1:
            compositions, explained_answers = _partly(
                work, group.failed, contradictors, step_case, tuple(composition_of_texts.values())
            )
            next_group = group._replace(failed=[a for a in group.failed if a not in explained_answers], searches=2)
            groups += ([next_group] if next_group.failed else []) if explained_answers else _by_schedule(next_group)
            group = group._replace(failed=explained_answers)
        else:
            compositions = _of_group(work, group.failed, contradictors, step_case, tuple(composition_of_texts.values()))
            if step_case and not compositions and not _by_schedule(group):
                compositions = _of_group(work, group.failed, contradictors, None, ())
            if not compositions:
                groups += [group._replace(searches=1)] if group.searches == 0 else _by_schedule(group)
        composition_of_texts |= {_texts(composition): composition for composition in compositions}
        explained_groups += [(group, contradictors)] if compositions else []
    usable_answers = filter(usable, failed) if explained_groups else ()
    large_answers = [a for a in usable_answers if MOST_WORK <= work.cost(a.case) < WIDE_WORK]
    work.floor = -math.inf
    ids_of_text = _best(work, explained_groups, tuple(composition_of_texts.values()), large_answers, len(failed) == 1)
    return ids_of_text, work.is_exhausted


def _by_schedule(group: Group) -> list[Group]:
    """The failed sweeps of each schedule; nothing if this was done."""
    schedules = {answered.case.get("schedule", "") for answered in group.failed}
    if group.schedule or "" in schedules or group.operation in ("update", "draw"):
        return []
    failed_by_order = {order: [a for a in group.failed if a.case["schedule"] == order] for order in sorted(schedules)}
    return [group._replace(schedule=order, failed=failed, searches=0) for order, failed in failed_by_order.items()]


Explained = Sequence[tuple[Group, Sequence[Case]]]  # groups with the passed cases beside them


def _best(
    work: Work, explained: Explained, compositions: Sequence[Composition], large: Sequence[Answered], is_single: bool
) -> Mapping[str, Sequence[str]]:
    """Of all that explain a group, what explains most cases of all groups; of one case only if no other failed."""
    fits = [[x for x in compositions if work.explains(x, group.failed, passed)] for group, passed in explained]
    case_counts = Counter(
        _texts(x) for fitting, (group, _) in zip(fits, explained, strict=True) for x in fitting for _ in group.failed
    )
    ids_of_text: dict[str, list[str]] = {}
    for fitting, (group, _) in zip(fits, explained, strict=True):
        rank_of = {_texts(x): (case_counts[_texts(x)], -len(x)) for x in fitting}
        best_fitting = [x for x in fitting if rank_of[_texts(x)] == max(rank_of.values())][:MAX_SAID]
        answers = [*group.failed, *(answered for answered in large if group.has(answered.case))]
        text = "; or when ".join(", and ".join(change.text for change in changes) for changes in best_fitting)
        text += f" (schedule {group.schedule})" * bool(group.schedule)
        if max(rank_of.values())[0] > 1 or is_single:
            explained_ids = (a.case["id"] for a in answers if all(work.gives(x, a) for x in best_fitting))
            ids_of_text.setdefault(text, []).extend(explained_ids)
    return ids_of_text


def _texts(composition: Composition) -> tuple[str, ...]:
    return tuple(sorted(change.text for change in composition))


def _of_group(
    work: Work, failed: Sequence[Answered], passed: Sequence[Case], step: Case | None, explaining: Sequence[Composition]
) -> tuple[Composition, ...]:
    """The shortest compositions that explain a group; for `step` see `_relevant`.

    What explains other groups is tried first, then single changes, then it with one more change, and pairs: those first
    whose effects add up. If the work comes to its end, what was found before is kept.
    """
    explanations: list[Composition] = []
    with suppress(Exhausted):
        failed = sorted(failed, key=lambda a: _poor(a.case))
        first_case = failed[0].case
        if fitting := [composition for composition in explaining if work.explains(composition, failed, passed)]:
            return tuple(x for x in fitting if len(x) == min(map(len, fitting)))[:MAX_SAID]
        if _by_chance(failed) or (first_case["operation"] == "converged" and not step):
            return ()
        relevant_changes = _relevant(work, first_case, step)
        for change in relevant_changes:
            if work.gives((change,), failed[0]) is not False and work.explains((change,), failed, passed):
                explanations.append((change,))
        if explanations or exact(first_case) or first_case["operation"] == "converged":
            return tuple(explanations[:MAX_SAID])
        telling_cases = sorted(passed, key=_poor)[:2]
        composable = [change for change in relevant_changes if not change.alone]
        harmless_changes = [x for x in composable if not any(work.contradicts((x,), case) for case in telling_cases)]
        has_work = N_FIRST * work.cost(first_case) * len(harmless_changes) < work.left - work.floor
        chosen_answers = failed[: N_FIRST if has_work else 1]
        effect_of_text = {x.text: (x, [work.tried(a.case, (x,))[0] for a in chosen_answers]) for x in harmless_changes}
        active_effects = {text: effect for text, effect in effect_of_text.items() if _shows(effect[1], chosen_answers)}
        extensions = _longer(explaining, [x for x, _ in active_effects.values()])
        for compositions in (extensions, adding(active_effects, chosen_answers), _pairs(active_effects)):
            for composition in compositions:
                if work.explains(composition, failed, passed):
                    explanations.append(composition)
            if explanations:
                break
    return tuple(explanations[:MAX_SAID])


def _partly(
    work: Work, failed: Sequence[Answered], passed: Sequence[Case], step: Case | None, explaining: Sequence[Composition]
) -> tuple[tuple[Composition, ...], list[Answered]]:
    """What explains other groups, or single changes, that give most of the failed answers, and these answers."""
    first_failed = sorted(failed, key=lambda answered: _poor(answered.case))[:N_FIRST]
    singles = [] if exact(first_failed[0].case) else [(x,) for x in _relevant(work, first_failed[0].case, step)]
    if sum(work.cost(answered.case) for answered in first_failed) * len(singles) > work.left - work.floor:
        singles, work.is_exhausted = [], True
    answers_of: list[tuple[Composition, list[Answered]]] = []
    with suppress(Exhausted):
        for composition, tried_answers in [*((x, failed) for x in explaining), *((x, first_failed) for x in singles)]:
            gives_answer = any(work.gives(composition, answered) for answered in tried_answers)
            if gives_answer and not any(work.contradicts(composition, case) for case in passed):
                answers_of.append((composition, [answered for answered in failed if work.gives(composition, answered)]))
    best_answers = max((answers for _, answers in answers_of), key=len, default=[])
    if len(best_answers) < min(MIN_PART, len(failed)) or 2 * len(best_answers) < len(failed):
        return (), []
    return tuple(composition for composition, answers in answers_of if answers == best_answers)[:MAX_SAID], best_answers


def _relevant(work: Work, case: Case, step: Case | None) -> list[Change]:
    """The changes of what the answer to a case calls, and a step of the algorithm that is right, if any, does not."""
    called_methods, right_methods = _called(work, case), _called(work, step) if step else set()
    return [x for x in vocabulary() if called_methods.issuperset(x.methods) and not right_methods.issuperset(x.methods)]


def _called(work: Work, case: Case) -> set[str]:
    """The methods that the answer to a case calls, of those that have changes."""
    if id(case) in work.methods:
        return work.methods[id(case)]
    called_methods = work.methods[id(case)] = set()

    def note(method_name: str, self: Any, right: Method, *arguments: Any) -> Any:
        called_methods.add(method_name)
        return right(*arguments)

    noting_layer = layer({name: partial(note, name) for x in vocabulary() for name in x.methods})
    with suppress(ZeroDivisionError):  # all weights of a row are 0 as floats
        algorithm(case, float, noting_layer, *steps_by_logarithms(case)).answer()
    return called_methods


def _by_chance(failed: Sequence[Answered]) -> bool:
    """Whether the answers are whole numbers, and so few that one change in a thousand may give them by chance."""
    draw_sizes = [(len(answered.case["expected"].get("z", [0])), answered.case["K"]) for answered in failed]
    return exact(failed[0].case) and sum(n_draws * math.log2(K) for n_draws, K in draw_sizes) < MIN_BITS


def _poor(case: Case) -> tuple[bool, int]:
    """The key of an order: small cases of several topics and rows, in which changes differ, come first."""
    return case["K"] < 3 or len(case["corpus"]["n"]) < 4, size(case)


def _longer(explaining: Iterable[Composition], changes: Iterable[Change]) -> Iterator[Composition]:
    """What explains other groups, of one change or two, with one more."""
    for composition, change in itertools.product(explaining, changes):
        if len(composition) < 3 and change.target not in {partner.target for partner in composition}:
            yield (*composition, change)


def _pairs(active_effects: Effects) -> Iterator[Composition]:
    """All pairs of changes. Of changes that cannot be told apart in the first cases, only one is tried."""
    change_of = {repr(mapped(lambda v: f"{v:.9e}", answers)): x for x, answers in reversed(active_effects.values())}
    for x, y in itertools.combinations(reversed(change_of.values()), 2):
        parts = {x.target.rpartition(" ")[2], y.target.rpartition(" ")[2]}
        if x.target != y.target and not (len(parts) == 2 and parts <= {"document", "word", "topic"}):  # these add up
            yield x, y


def _shows(answers: Sequence[Any], answered_cases: Sequence[Answered]) -> bool:
    """Whether some answer of a change is wrong."""
    return any(x is not None and differs(answered.case, x) for answered, x in zip(answered_cases, answers, strict=True))
