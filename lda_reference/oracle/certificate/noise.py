"""How well a case is conditioned: the evaluator with small relative errors in its start and in every sum."""

from __future__ import annotations

import random
from typing import Any

from .arithmetic import Case, Number, Row, difference, digamma, mpf
from .classes import evaluator
from .evaluator import PARTS, Evaluator

SIZE = mpf(10) ** -25  # the relative size of the errors
RUNS = 3

MEANS = [("N", part) for part in PARTS]
# The sums of each update in the order in which they get their errors, which decides the last digits of the tolerances
SUMS = {
    "gibbs": [],
    "cvb_exact": [("E_log", part) for part in PARTS],
    "cvb": [*MEANS, *(("V", part) for part in PARTS)],
    "cvb1": [*MEANS, ("E_inverse", "topic")],
    "cvb1d": [*MEANS, ("V", "topic")],
}


def growth(case: Case, expected: dict[str, Any]) -> float:
    """The factor by which relative errors grow to absolute errors of the answer: the largest of a few runs."""
    changes = []
    for seed in range(RUNS):
        changes.append(difference(evaluator(case | {"seed": seed}, Noise).answer(), expected))
    return float(max(changes) / SIZE)


class Noise(Evaluator):
    """An evaluator whose start and sums have small errors; the `seed` of the case decides their signs.

    Attributes
    ----------
    errors : dict
        The relative errors of the sums of the weight that is being computed.
    sweeps : int
        The number of sweeps so far.
    """

    def __init__(self, case: Case) -> None:
        self.rng, self.sweeps = random.Random(case["seed"]), 0
        self.errors: dict[tuple[str, str], Number] = {}
        super().__init__(case)

    def sign(self) -> int:
        """1 or -1, at random."""
        return 1 if self.rng.random() < 0.5 else -1

    def start(self) -> list[Row]:
        gamma = super().start()
        if "z" in self.case.get("state", ()):
            return gamma
        return [[g + SIZE * g * self.sign() for g in row] for row in gamma]

    def weight(self, gamma: list[Row], i: int, k: int) -> Number:
        self.errors = {x: SIZE * self.sign() for x in SUMS.get(self.case["algorithm"], MEANS)}
        return super().weight(gamma, i, k)

    def N(self, part: str, gamma: list[Row], i: int, k: int) -> Number:
        """With an error in proportion to the sum before the exclusion."""
        size = self.whole_N(part, gamma, i, k)
        return super().N(part, gamma, i, k) + size * self.errors["N", part]

    def V(self, part: str, gamma: list[Row], i: int, k: int) -> Number:
        """With an error in proportion to the sum before the exclusion."""
        size = self.whole_V(part, gamma, i, k)
        return super().V(part, gamma, i, k) + size * self.errors["V", part]

    def E_log(self, part: str, a: Number, gamma: list[Row], i: int, k: int) -> Number:
        x = super().E_log(part, a, gamma, i, k)
        return x + (1 + abs(x)) * self.errors["E_log", part]

    def E_inverse(self, part: str, a: Number, gamma: list[Row], i: int, k: int) -> Number:
        return super().E_inverse(part, a, gamma, i, k) * (1 + self.errors["E_inverse", part])

    def phi(self, N_wk: list[Row], N_k: Row) -> list[Row]:
        return [[x + SIZE * x * self.sign() for x in row] for row in super().phi(N_wk, N_k)]

    def rise(self, N: Number, a: Number) -> Number:
        x = N + a
        return digamma(x + SIZE * x * self.sign()) - digamma(a)

    def settled(self, change: Number) -> bool:
        """Whether, after 60 sweeps, gamma changes by no more than the errors do."""
        self.sweeps += 1
        return super().settled(change) or (self.sweeps > 61 and bool(change < 1000 * SIZE))
