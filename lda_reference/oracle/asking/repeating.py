"""Answers that vary from run to run: those of races, and of sums in no fixed order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from ..cases.closeness import leaves, tolerance_of
from ..diagnosing.describing import Asked

VARIES = "; the answers vary from run to run"  # the end of the reason of a failed case


def combined(rounds: Sequence[Sequence[Asked]]) -> tuple[list[Asked], str]:
    """Each case with the first of its answers that failed, or the first of all, and what is said of those that vary."""
    asked, varying = [], []
    for answers in zip(*rounds, strict=True):
        case, answer, result = next((a for a in answers if a.result.status == "failed"), answers[0])
        share, about = variation(answers)
        if about:
            varying.append((share, f"; most of all {case['id']}: {about}"))
            result = result._replace(reason=result.reason + (VARIES if result.status == "failed" else ""))
        asked.append(Asked(case, answer, result))
    counts = f"asked {len(rounds)} times, {len(varying)} of {len(asked)} cases have answers that vary from run to run"
    return asked, counts + max(varying, default=(0.0, ""))[1]


def variation(answers: Sequence[Asked]) -> tuple[float, str]:
    """How far apart answers to one case are at most, in tolerances and in words; 0 and "" if they are equal.

    Answers without numbers vary if their statuses do.
    """
    case, statuses = answers[0].case, dict.fromkeys(a.result.status for a in answers)
    if case["operation"] in ("reject", "sample") or not all(a.result.passed or a.result.field for a in answers):
        return (math.inf, " and ".join(statuses)) if len(statuses) > 1 else (0.0, "")
    widest = 0.0, ""
    for name, tolerance in tolerance_of(case).items():
        for entries in zip(*(leaves(case["expected"][name], a.answer[name]) for a in answers), strict=True):
            width = _width([x for _, _, x in entries])
            share = width / tolerance if tolerance else math.inf
            of_tolerance = f", {share:.2g} of its tolerance" if tolerance else ""
            about = f"{name}{[*entries[0][0]] or ''} varies by {width:.2g}{of_tolerance}"
            widest = max(widest, (share, about)) if width else widest
    return widest


def _width(numbers: Sequence[Any]) -> float:
    """The largest number less the smallest; infinite if they differ and one is not finite."""
    with suppress(OverflowError):  # an integer beyond all floats
        values = [float(x) for x in numbers]
        if all(map(math.isfinite, values)):
            return max(values) - min(values)
        return 0.0 if len(set(map(repr, values))) == 1 else math.inf
    return math.inf
