"""The cases of 100,000 rows, which are made from a few integers.

Their answers are proved in balls, from kept sums. In `corpus` order all rows see the first gamma, so that the digamma
functions of VB are those of each document, word and topic, and are kept too.
"""

from __future__ import annotations

from functools import partialmethod
from typing import Any

from lda_reference.oracle.cases.loading import LARGE, expanded
from lda_reference.oracle.cases.noise import DOUBLE, SINGLE
from lda_reference.plain import Balls, Running, algorithm
from lda_reference.plain.numbers import Number
from lda_reference.plain.problem import Case, Row

from .plan import questions
from .proofs import BITS, RADIUS
from .rounding import rounded


class Kept(Running):
    """The terms of VB, which excludes nothing, are kept for each document, each word and the corpus."""

    def kept(self, part: str, gamma: list[Row], i: int, k: int) -> Number:
        place = (*self.place(part, i), k)
        terms = self.__dict__.setdefault("terms", {})
        if place not in terms:
            terms[place] = getattr(super(), part)(gamma, i, k)
        return terms[place]

    document = partialmethod(kept, "document")
    word = partialmethod(kept, "word")
    topic = partialmethod(kept, "topic")


def large_cases() -> list[Case]:
    """The cases with their answers."""
    return [case | {"expected": rounded(proved(expanded(case))), **tolerances(case)} for case in questions(LARGE)]


def proved(case: Case) -> dict[str, Any]:
    """The answer in balls; a ValueError if one of them is too large."""
    numbers = Balls(BITS)
    with numbers.precision():
        answer = algorithm(case, numbers, Kept if case["algorithm"] == "vb" else Running).answer()
        if any(not x.is_finite() or float(x.rad()) > RADIUS for x in answer.values()):
            raise ValueError(f"{case['id']}: {BITS} bits do not prove its answer")
        return answer


def tolerances(case: Case) -> dict[str, Any]:
    """The tolerances of both precisions: as if each row of gamma were off by two units of roundoff in one direction."""
    units, why = 2 * case["many_rows"]["M"], "2^-53, twice for each of 100,000 rows"
    single = {field: float(f"{units * SINGLE:.2g}") for field in ("cosine", "sine")}
    double = {field: {"absolute": float(f"{units * DOUBLE:.2g}"), "why": why} for field in single}
    return {"tolerance": double, "single": single}
