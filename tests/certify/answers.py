"""The answer of a case and its tolerances."""

from __future__ import annotations

from typing import Any

from lda_reference.oracle.cases.noise import double_tolerances, errors
from lda_reference.plain.problem import Case

from .proofs import proved
from .released import cases


def tolerances(case: Case) -> dict[str, Any]:
    """The tolerance of each field in double precision: as it is released, or of a new case by noise."""
    old = cases().get(case["id"])
    return dict(old["tolerance"]) if old else double_tolerances(case, errors(case))


def completed(case: Case) -> Case:
    """The case with its answer and its tolerances; that of an illegal input is part of the question."""
    if "expected" in case:
        return case
    case = case | {"expected": proved(case)[1]}
    return case | {"tolerance": tolerances(case)}
