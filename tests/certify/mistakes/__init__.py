"""What implementations get wrong: each mistake is a small change of the evaluator.

`MISTAKES` lists those of the algorithms by name; the order is that of the files that are written.
"""

from __future__ import annotations

from lda_reference.plain.problem import Case

from . import (
    bounds,
    draws,
    estimates,
    exclusion,
    hyperparameters,
    operations,
    priors,
    schedule,
    second_order,
    smoothing,
    starts,
)
from .mistaken import Mistaken, mistaken

MISTAKES: dict[str, type[Mistaken]] = {
    mistake.name: mistake
    for module in (exclusion, second_order, smoothing, priors, schedule, draws, estimates, bounds, hyperparameters)
    for mistake in module.MISTAKES
} | {mistake.name: mistake for mistake in schedule.NESTED}


def mistakes_of(case: Case) -> list[type[Mistaken]]:
    """The mistakes that can be made in a case."""
    if "start" in case:
        return list(starts.MISTAKES[case["start"]])
    algorithm, operation = case["algorithm"], case["operation"]
    if (algorithm, operation) in operations.MISTAKES:
        return list(operations.MISTAKES[algorithm, operation])
    found = [m for m in MISTAKES.values() if algorithm in m.algorithms and operation in m.operations]
    of_schedule = case.get("schedule")
    if of_schedule in ("block", "nested"):  # mistakes of other kinds show in the other schedules
        found = [m for m in found if m in (*schedule.MISTAKES, *schedule.NESTED)]
    return found if of_schedule == "nested" else [m for m in found if m not in schedule.NESTED]


__all__ = ["MISTAKES", "Mistaken", "mistaken", "mistakes_of"]
