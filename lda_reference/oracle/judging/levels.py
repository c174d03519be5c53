"""Levels: how far a port has come with each algorithm, and what its porter may say of it.

A level is chosen from the data of a case, its operation and its flags. A port reaches a level of an algorithm if it
passes all cases of this level and of those below; a skipped case has not been passed. GUIDE.md has the table.

Level 3 asks for the default schedule of an algorithm. A port that does not reach it so has levels 3 and 4 in each other
schedule in which all its cases pass.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ...plain.updates import ALGORITHMS, OF_TYPES
from ..cases.closeness import grouped
from ..cases.loading import OPERATIONS, Case

LEVELS = {
    1: "its update is right in plain cases",
    2: "its update is right, also with vectors for the prior, counts above 1, one topic and tiny priors",
    3: "its sweeps in the default schedule and its estimates are right",
    4: "it agrees with the reference in every legal case",
    5: "it also refuses input that is not legal",
    6: "it draws from the posterior",
}
IN_ORDER = {
    3: "its sweeps in this order and its estimates are right",
    4: "all its sweeps in this order, its estimates and its bounds are right",
}
TOP = max(LEVELS)
PLAIN = {"empty_document", "unseen_word"}  # the flags that make no difference to the update of a row
# Their default schedule is `corpus`, that of the others `token`.
IN_CORPUS_ORDER = {name for name, A in ALGORITHMS.items() if A.excludes == "nothing"}
ORDERED = {"sweep": 3, "ten_sweeps": 4, "converged": 4, "summary": 4}  # what a schedule orders, and the levels in it
FRESH = {"start": "{start}", "sweep": "sweep by {schedule}"}  # what is said of fresh cases instead of their operation


class Reached(NamedTuple):
    """The level that a port reached in an algorithm."""

    algorithm: str
    level: int  # 0 if none is reached
    top: int  # the highest level of which the algorithm has cases
    left: Mapping[str, int]  # how many cases up to the next level "failed", were "skipped" or were "not asked"
    fresh: tuple[str, ...] = ()  # what the fresh cases up to this level asked
    in_order: Mapping[str, int] = {}  # below level 3: the levels in other schedules than the default
    left_out: tuple[str, ...] = ()  # then: how many sweeps by the schedules without a level failed or were skipped


def level(case: Case) -> int:
    operation, flags = case["operation"], set(case.get("flags", ()))
    if operation in ("update", "draw"):
        plain = PLAIN | ({"types"} if case["algorithm"] in OF_TYPES else set())  # counts above 1 are plain for them
        return 1 if flags <= plain else 2
    default = "corpus" if case["algorithm"] in IN_CORPUS_ORDER else "token"
    if operation == "sweep" and case.get("schedule") == default:
        return 3
    return {"estimate": 3, "predict": 3, "reject": 5, "sample": 6}.get(operation, 4)


def reached(cases: Iterable[Case], status: Mapping[str, str]) -> tuple[Reached, ...]:
    """The levels that a port reached in the algorithms that it was asked.

    `cases` are all those of the vectors, or fresh cases. `status` has "passed", "failed" or "skipped" for the id of
    each case asked.
    """
    groups = grouped(cases, lambda case: case["algorithm"])
    return tuple(_of_algorithm(group, status) for group in groups.values() if any(c["id"] in status for c in group))


def _of_algorithm(cases: Sequence[Case], status: Mapping[str, str]) -> Reached:
    """What a port reached in an algorithm. Fresh cases show no level in another schedule than the default."""
    r = _reached([(level(case), case) for case in cases], status)
    if any(case["id"].startswith("fresh/") for case in cases):
        in_order = sorted(cases, key=lambda case: (level(case), OPERATIONS.index(case["operation"])))
        up_to_level = (case for case in in_order if level(case) <= r.level)
        return r._replace(fresh=tuple(FRESH.get(x["operation"], "{operation}").format_map(x) for x in up_to_level))
    sweeps = [case for case in cases if case["operation"] == "sweep"]
    results = Counter((case.get("schedule", ""), status.get(case["id"], "not asked")) for case in sweeps)
    orders = {name: _reached(_in_order(name, cases), status).level for name, _ in results}
    reached_by = {name: number for name, number in orders.items() if number >= 3 > r.level}
    left = (f"{n} {result} by {name}" for (name, result), n in results.items() if result != "passed")
    return r._replace(in_order=reached_by, left_out=tuple(left) if reached_by else ())


def _in_order(schedule: str, cases: Iterable[Case]) -> Iterator[tuple[int, Case]]:
    """The cases that are asked of a port that sweeps by one schedule, with their levels."""
    for case in cases:
        ordered = ORDERED.get(case["operation"])
        if ordered and case.get("schedule") == schedule:
            yield ordered, case
        elif not ordered and (level(case) <= 3 or case["operation"] == "bound"):
            yield level(case), case


def _reached(cases: Iterable[tuple[int, Case]], status: Mapping[str, str]) -> Reached:
    """The level that is reached in an algorithm, from its cases and their levels."""
    of_levels = grouped(cases, lambda x: x[0])
    so_far, left = 0, Counter[str]()
    for number in sorted(of_levels):
        left = Counter(status.get(case["id"], "not asked") for _, case in of_levels[number])
        del left["passed"]
        if left:
            break
        so_far = number
    return Reached(of_levels[number][0][1]["algorithm"], so_far, max(of_levels), left)


def _meaning(r: Reached) -> str:
    """What a level means. Fresh cases show no more than that they pass."""
    if not r.fresh:
        return LEVELS.get(r.level, "nothing can be said yet")
    number = f"{len(r.fresh)} fresh cases" if len(r.fresh) > 1 else "fresh case"
    up_to = " up to this level" if r.left else ""
    return f"it agrees with the reference in the {number} asked{up_to}: {', '.join(dict.fromkeys(r.fresh))}"


def lines(levels: Iterable[Reached]) -> list[str]:
    """The levels in words; algorithms of which every case was skipped stand on one line."""
    out, skipped = [], []
    for r in levels:
        if r.level == 0 and r.left.keys() == {"skipped"}:
            skipped.append(r.algorithm)
            continue
        left = ", ".join(f"{n} {what}" for what, n in r.left.items())
        number, meaning = str(r.level), _meaning(r) + (f" (next level: {left})" if left else "")
        if r.in_order:
            number = " and ".join(f"{n} ({name})" for name, n in r.in_order.items())
            meaning = f"{IN_ORDER[max(r.in_order.values())]} (sweeps: {', '.join(r.left_out)})"
        out.append(f"  {r.algorithm:<9}  {number} of {r.top}: {meaning}")
    return [*out, f"  none: {', '.join(skipped)}"] if skipped else out
