from __future__ import annotations
from typing import Any, NamedTuple
from ..plain import Algorithm, Floats
from ..plain.numbers import Number
from ..plain.problem import Case, Row
import itertools
class Draw(NamedTuple):
    topic: int
    partial: Row
    total: Number
    u: Number
    def margins(self):
        return [abs(x / self.total - self.u) for x in self.partial]
class Watched(Algorithm):
    def __init__(self, case: Case, numbers: Floats) -> None:
        self.draws: list[Draw] = []
        super().__init__(case, numbers)
    def drawn(self, x: Row, u: Number) -> int:
        *partial, total = itertools.accumulate(x)
        self.draws.append(Draw(super().drawn(x, u), partial, total, u))
        return self.draws[-1].topic


def double_tolerance(case: Case) -> dict[str, Any]:
    raise NotImplementedError
