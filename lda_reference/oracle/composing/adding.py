"""Pairs of changes whose effects add up to a wrong answer, found without trying all pairs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from ..asking.loading import Case
from .change import Change

Answered = Any  # has the attributes `case` and `answer`
Effects = dict[str, tuple[Change, list[Any]]]  # changes by their texts, and what they make of the first cases


def adding(active: Effects, first: Sequence[Answered]) -> Iterator[tuple[Change, Change]]:
    """Pairs of changes whose effects add up to the wrong answers.

    The effects are those on a bound, or on the logarithms of the weights but for a constant.
    """
    if not all("bound" in a.case["expected"] or "gamma_k" in a.case["expected"] for a in first):
        return
    wanted = [v for a in first for v in _logs(a.case, a.answer) or ()]
    by_effect: dict[tuple[float, ...], list[Change]] = {}
    for change, answers in active.values():
        of = [v for a, x in zip(first, answers, strict=True) for v in _logs(a.case, x) or ()]
        if len(of) == len(wanted):
            rest = tuple(round(w - v, 6) + 0.0 for v, w in zip(of, wanted, strict=True))
            for other in by_effect.get(rest, ()):
                if other.of != change.of:
                    yield other, change
            by_effect.setdefault(tuple(round(v, 6) + 0.0 for v in of), []).append(change)


def _logs(case: Case, answer: Any) -> list[float] | None:
    """By how much a bound differs, or the logarithms of weights, but for their mean; None if one of them is 0."""
    answer, expected = answer or {}, case["expected"]
    if "bound" in expected:
        got = answer.get("bound")
        return [got - expected["bound"]] if isinstance(got, float) else None
    got, right = answer.get("gamma_k", ()), expected["gamma_k"]
    if len(got) != len(right) or not all(isinstance(v, float) and v > 0 for v in (*got, *right)):
        return None
    x = [math.log(v / w) for v, w in zip(got, right, strict=True)]
    return [v - sum(x) / len(x) for v in x]
