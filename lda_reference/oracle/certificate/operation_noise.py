"""How well an operation is conditioned: the operation with small relative errors in its given numbers and its sums.

Each given number and each value of Ψ and log Gamma has an error in proportion to its size, and so has the logarithm of
a ratio of counts. The error of a sum is in proportion to the sum of the sizes of its terms, so that a sum whose terms
cancel has a large one.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

from .arithmetic import Case, Number, Row, added, difference
from .classes import evaluator
from .noise import RUNS, SIZE
from .operation import Operation


def growth_of_operation(case: Case, expected: dict[str, Any]) -> dict[str, float]:
    """The factor by which relative errors grow to absolute errors of each field: the largest of a few runs."""
    changes: dict[str, float] = dict.fromkeys(expected, 0.0)
    for seed in range(RUNS):
        got = evaluator(case | {"seed": seed}, NoisyOperation).answer()
        for field, value in expected.items():
            changes[field] = max(changes[field], float(difference(got[field], value) / SIZE))
    return changes


class NoisyOperation(Operation):
    """An operation with small errors; the `seed` of the case decides their signs."""

    def __init__(self, case: Case) -> None:
        self.rng = random.Random(case["seed"])
        super().__init__(case)

    def error(self) -> Number:
        """SIZE, with a random sign."""
        return SIZE if self.rng.random() < 0.5 else -SIZE

    def prior(self) -> tuple[Row, Row]:
        alpha, eta = super().prior()
        return [a + a * self.error() for a in alpha], [e + e * self.error() for e in eta]

    def read(self, x: Any) -> Any:
        exact = super().read(x)
        return exact if isinstance(x, list) else exact + exact * self.error()

    def sum(self, terms: Iterable[Number]) -> Number:
        found = list(terms)
        return super().sum(found) + self.error() * added(map(abs, found))

    def digamma(self, x: Number) -> Number:
        return self.rounded(super().digamma(x))

    def log_gamma(self, x: Number) -> Number:
        return self.rounded(super().log_gamma(x))

    def log(self, x: Number) -> Number:
        return self.rounded(super().log(x))

    def rounded(self, x: Number) -> Number:
        """x with an error in proportion to 1 + |x|."""
        return x + (1 + abs(x)) * self.error()
