"""Answers that vary from run to run: those of races, and of sums in no fixed order."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from ..cases.loading import Case
from ..diagnosing.describing import Asked
from ..judging.comparing import leaves, tolerance_of

VARIES = "; the answers vary from run to run"  # the end of the reason of a failed case


def combined(rounds: Sequence[Sequence[Asked]]) -> tuple[list[Asked], str]:
    """Each case with the first of its answers that failed, or the first of all, and what is said of those that vary."""
    asked, varying = [], []
    for answers in zip(*rounds, strict=True):
        case, answer, result = next((a for a in answers if a.result.status == "failed"), answers[0])
        share, about = _varying(answers)
        if about:
            varying.append((share, f"{case['id']}: {about}"))
            result = result._replace(reason=result.reason + (VARIES if result.status == "failed" else ""))
        asked.append(Asked(case, answer, result))
    about = f"asked {len(rounds)} times, {len(varying)} of {len(asked)} cases have answers that vary from run to run"
    return asked, about + (f"; most of all {max(varying)[1]}" if varying else "")


def _varying(answers: Sequence[Asked]) -> tuple[float, str]:
    """As `variation`, also for answers without numbers, which vary if their statuses do."""
    case, results = answers[0].case, [a.result for a in answers]
    if all(r.passed or r.field for r in results) and case["operation"] not in ("reject", "sample"):
        return variation(case, [a.answer for a in answers])
    statuses = dict.fromkeys(r.status for r in results)
    return (math.inf, " and ".join(statuses)) if len(statuses) > 1 else (0.0, "")


def variation(case: Case, answers: Sequence[Mapping[str, Any]]) -> tuple[float, str]:
    """How far apart answers of the expected form are at most, in tolerances and in words; 0 and "" if they are equal.

    Examples
    --------
    >>> case = {"expected": {"gamma_k": [0.75, 0.25]}, "tolerance": {"gamma_k": {"absolute": 1e-12}}}
    >>> variation(case, [{"gamma_k": [0.75, 0.25]}, {"gamma_k": [0.75, 0.25 + 2**-50]}])[1]
    'gamma_k[1] varies by 8.9e-16, 0.00089 of its tolerance'
    """
    widest = 0.0, ""
    for name, tolerance in tolerance_of(case).items():
        for entries in zip(*(leaves(case["expected"][name], answer[name]) for answer in answers), strict=True):
            width = _width([x for _, _, x in entries])
            share = width / tolerance if tolerance else math.inf
            if width:
                about = f"{name}{[*entries[0][0]] or ''} varies by {width:.2g}"
                about += f", {share:.2g} of its tolerance" if tolerance else ""
                widest = max(widest, (share, about))
    return widest


def _width(numbers: Sequence[Any]) -> float:
    """The largest number less the smallest; infinite if they differ and one is not finite."""
    with suppress(OverflowError):  # an integer beyond all floats
        values = [float(x) for x in numbers]
        if all(map(math.isfinite, values)):
            return max(values) - min(values)
        return 0.0 if len(set(map(repr, values))) == 1 else math.inf
    return math.inf
