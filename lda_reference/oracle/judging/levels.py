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
ORDER_MEANINGS = {
    3: "its sweeps in this order and its estimates are right",
    4: "all its sweeps in this order, its estimates and its bounds are right",
}
TOP_LEVEL = max(LEVELS)
PLAIN_FLAGS = {"empty_document", "unseen_word"}  # the flags that make no difference to the update of a row
# Their default schedule is `corpus`, that of the others `token`.
CORPUS_ALGORITHMS = {algorithm for algorithm, A in ALGORITHMS.items() if A.excludes == "nothing"}
LEVEL_OF = {"sweep": 3, "ten_sweeps": 4, "converged": 4, "summary": 4}  # what a schedule orders, and the levels in it
PHRASES = {"start": "{start}", "sweep": "sweep by {schedule}"}  # what is said of fresh cases instead of their operation


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
    operation, flags_of_case = case["operation"], set(case.get("flags", ()))
    if operation in ("update", "draw"):
        plain_flags = PLAIN_FLAGS | ({"types"} if case["algorithm"] in OF_TYPES else set())  # with plain counts above 1
        return 1 if flags_of_case <= plain_flags else 2
    default_schedule = "corpus" if case["algorithm"] in CORPUS_ALGORITHMS else "token"
    if operation == "sweep" and case.get("schedule") == default_schedule:
        return 3
    return {"estimate": 3, "predict": 3, "reject": 5, "sample": 6}.get(operation, 4)


def reached(cases: Iterable[Case], statuses: Mapping[str, str]) -> tuple[Reached, ...]:
    """The levels that a port reached in the algorithms that it was asked.

    `cases` are all those of the vectors, or fresh cases. `statuses` has "passed", "failed" or "skipped" for the id of
    each case asked.
    """
    groups = grouped(cases, lambda case: case["algorithm"])
    return tuple(_of_algorithm(group, statuses) for group in groups.values() if any(c["id"] in statuses for c in group))


def _of_algorithm(cases: Sequence[Case], statuses: Mapping[str, str]) -> Reached:
    """What a port reached in an algorithm. Fresh cases show no level in another schedule than the default."""
    reach = _reached([(level(case), case) for case in cases], statuses)
    if any(case["id"].startswith("fresh/") for case in cases):
        sorted_cases = sorted(cases, key=lambda case: (level(case), OPERATIONS.index(case["operation"])))
        low_cases = (case for case in sorted_cases if level(case) <= reach.level)
        return reach._replace(fresh=tuple(PHRASES.get(x["operation"], "{operation}").format_map(x) for x in low_cases))
    sweep_cases = [case for case in cases if case["operation"] == "sweep"]
    sweep_counts = Counter((case.get("schedule", ""), statuses.get(case["id"], "not asked")) for case in sweep_cases)
    level_of = {order: _reached(_in_order(order, cases), statuses).level for order, _ in sweep_counts}
    order_levels = {order: order_level for order, order_level in level_of.items() if order_level >= 3 > reach.level}
    unpassed_texts = (f"{n} {status} by {order}" for (order, status), n in sweep_counts.items() if status != "passed")
    return reach._replace(in_order=order_levels, left_out=tuple(unpassed_texts) if order_levels else ())


def _in_order(schedule: str, cases: Iterable[Case]) -> Iterator[tuple[int, Case]]:
    """The cases that are asked of a port that sweeps by one schedule, with their levels."""
    for case in cases:
        level_in_order = LEVEL_OF.get(case["operation"])
        if level_in_order and case.get("schedule") == schedule:
            yield level_in_order, case
        elif not level_in_order and (level(case) <= 3 or case["operation"] == "bound"):
            yield level(case), case


def _reached(cases: Iterable[tuple[int, Case]], statuses: Mapping[str, str]) -> Reached:
    """The level that is reached in an algorithm, from its cases and their levels."""
    cases_of_level = grouped(cases, lambda level_and_case: level_and_case[0])
    level_so_far, unpassed_counts = 0, Counter[str]()
    for level_number in sorted(cases_of_level):
        unpassed_counts = Counter(statuses.get(case["id"], "not asked") for _, case in cases_of_level[level_number])
        del unpassed_counts["passed"]
        if unpassed_counts:
            break
        level_so_far = level_number
    return Reached(cases_of_level[level_number][0][1]["algorithm"], level_so_far, max(cases_of_level), unpassed_counts)


def _meaning(reach: Reached) -> str:
    """What a level means. Fresh cases show no more than that they pass."""
    if not reach.fresh:
        return LEVELS.get(reach.level, "nothing can be said yet")
    count_text = f"{len(reach.fresh)} fresh cases" if len(reach.fresh) > 1 else "fresh case"
    limit = " up to this level" if reach.left else ""
    return f"it agrees with the reference in the {count_text} asked{limit}: {', '.join(dict.fromkeys(reach.fresh))}"


def lines(reaches: Iterable[Reached]) -> list[str]:
    """The levels in words; algorithms of which every case was skipped stand on one line."""
    level_lines, skipped_algorithms = [], []
    for reach in reaches:
        if reach.level == 0 and reach.left.keys() == {"skipped"}:
            skipped_algorithms.append(reach.algorithm)
            continue
        gap_text = "cases of the next level: " + ", ".join(f"{n} {status}" for status, n in reach.left.items())
        level_text, meaning_text = str(reach.level), _meaning(reach) + (f" ({gap_text})" if reach.left else "")
        if reach.in_order:
            level_text = " and ".join(f"{n} ({schedule})" for schedule, n in reach.in_order.items())
            meaning_text = f"{ORDER_MEANINGS[max(reach.in_order.values())]} (sweeps: {', '.join(reach.left_out)})"
        level_lines.append(f"  {reach.algorithm:<9}  {level_text} of {reach.top}: {meaning_text}")
    return [*level_lines, f"  none: {', '.join(skipped_algorithms)}"] if skipped_algorithms else level_lines
