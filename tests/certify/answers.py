"""The answer of a case, its tolerances, and the answers that the known mistakes give."""

from __future__ import annotations

from typing import Any

from lda_reference.oracle.cases.noise import double_tolerances, errors
from lda_reference.plain.problem import Case

from .mistakes import mistaken, mistakes_of
from .proofs import proved
from .released import cases, kept
from .rounding import Midpoints, difference, finite, rounded

APART = 100  # tolerances between the answers of a mistake and all others


def tolerances(case: Case) -> dict[str, Any]:
    """The tolerance of each field in double precision: as it is released, or of a new case by noise."""
    old = cases().get(case["id"])
    return dict(old["tolerance"]) if old else double_tolerances(case, errors(case))


def distance(case: Case, a: dict[str, Any], b: dict[str, Any]) -> float:
    """The largest difference between two answers, in tolerances; infinite when a draw differs."""
    worst = 0.0
    for field, of in case["tolerance"].items():
        d = difference(a[field], b[field])
        if d:
            worst = max(worst, d / of["absolute"] if of["absolute"] else float("inf"))
    return worst


def mistaken_answers(case: Case, expected: dict[str, Any]) -> list[dict[str, Any]]:
    """The answers of the mistakes that can be told from the right answer and from one another."""
    found = []
    for mistake in mistakes_of(case):
        try:
            wrong = mistaken(case, mistake).answer()
        except (ValueError, ZeroDivisionError, OverflowError):
            continue  # the mistake gives no numbers here
        if finite(wrong) and distance(case, wrong, expected) > APART:
            found.append((mistake.name, wrong))
    old = {m["name"]: m["expected"] for m in cases().get(case["id"], {}).get("mistakes", ())}
    return [
        {"name": name, "expected": kept(rounded(wrong), old.get(name))}
        for name, wrong in found
        if all(other is wrong or distance(case, wrong, other) > APART for _, other in found)
    ]


def completed(case: Case) -> Case:
    """The case with its answer, its tolerances and the answers of mistakes.

    Two fields only say how to complete it: `legal` marks an input to reject that is legal after all, and `named` says
    whether mistakes are evaluated.
    """
    case = dict(case)
    legal, named = case.pop("legal", case["operation"] != "reject"), case.pop("named", case["operation"] != "reject")
    if not legal:
        return case | {"expected": {"error": True}, "tolerance": {}, "mistakes": []}
    expected, printed = proved(case)
    case |= {"expected": printed}
    case |= {"tolerance": tolerances(case)}
    with Midpoints().precision():
        return case | {"mistakes": mistaken_answers(case, expected) if named else []}
