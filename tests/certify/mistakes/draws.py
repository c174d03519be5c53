"""How samplers draw a topic."""

from __future__ import annotations

import itertools
from typing import Any

from lda_reference.plain.numbers import Number
from lda_reference.plain.problem import Row
from lda_reference.plain.sweeps import Sampler
from lda_reference.plain.updates import SAMPLERS

from .mistaken import WEIGHTS, Mistaken


class DrawOffByOne(Mistaken):
    name = "draw-off-by-one"
    text = (
        "the first partial sum is left out of the count: the topic is the number of the first K-1 partial sums <= "
        "u times the last"
    )
    algorithms = SAMPLERS
    operations = ("draw", "sweep")

    def drawn(self, x: Row, u: Number) -> int:
        partial = list(itertools.accumulate(x))
        return sum(self.numbers.at_most(s, u * partial[-1]) for s in partial[1:])

    def probabilities(self, i: int) -> Row:
        p = super().probabilities(i)
        return [p[0] + p[1], *p[2:], self.number(0)] if len(p) > 1 else p


class DrawStrict(Mistaken):
    name = "draw-strict"
    text = "partial sums are compared by <: the rule counts those that are <= u times the last"
    algorithms = SAMPLERS
    operations = ("draw", "sweep")

    def drawn(self, x: Row, u: Number) -> int:
        partial = list(itertools.accumulate(x))
        return sum(not self.numbers.at_most(u * partial[-1], s) for s in partial[:-1])


class DrawUnnormalised(Mistaken):
    name = "draw-unnormalised"
    text = "u is compared with partial sums that do not end at 1: it must be multiplied by the last"
    algorithms = SAMPLERS
    operations = ("draw", "sweep")

    def drawn(self, x: Row, u: Number) -> int:
        return sum(self.numbers.at_most(s, u) for s in itertools.accumulate(x[:-1]))

    def probabilities(self, i: int) -> Row:
        x = self.weights(self.gamma, i)
        one = self.number(1)
        ends = [s if self.numbers.at_most(s, one) else one for s in itertools.accumulate(x[:-1])]
        return [b - a for a, b in itertools.pairwise([self.number(0), *ends, one])]


class TopicsAddedBackwards(Mistaken):
    name = "topics-added-backwards"
    text = "the partial sums are taken from the last topic down: they are added in topic order"
    algorithms = SAMPLERS
    operations = ("draw", "sweep")

    def drawn(self, x: Row, u: Number) -> int:
        return len(x) - 1 - super().drawn(x[::-1], u)


class MostProbableDrawn(Mistaken):
    name = "most-probable-drawn"
    text = "the most probable topic is taken: a sampler draws"
    algorithms = SAMPLERS
    operations = ("draw", "sweep")

    def drawn(self, x: Row, u: Number) -> int:
        return max(range(len(x)), key=lambda k: (float(x[k]), -k))


class TopicsFromOne(Mistaken, Sampler):
    name = "topics-from-one"
    text = "topics are numbered from 1: they are numbered from 0"
    algorithms = SAMPLERS
    operations = ("draw", "sweep")

    def draw(self) -> dict[str, Any]:
        return {"topic": super().draw()["topic"] + 1}

    def sweep(self) -> dict[str, Any]:
        return {"z": [k + 1 for k in super().sweep()["z"]]}


class OneDrawForRow(Mistaken, Sampler):
    name = "one-draw-for-row"
    text = "one draw moves all tokens of a row: each is drawn for itself"
    algorithms = SAMPLERS
    operations = ("sweep",)

    def new_topic(self, z: list[int], i: int) -> int:
        if i > 0 and self.row[i] == self.row[i - 1]:
            return z[i - 1]
        return super().new_topic(z, i)


class ThetaLeftOut(Mistaken):
    name = "theta-left-out"
    text = "z is drawn from phi alone: SOL14 (7) has theta phi"
    algorithms = ("gibbs",)
    operations = WEIGHTS

    def document(self, gamma: list[Row], i: int, k: int) -> Number:
        return self.number(1)


class PhiLeftOut(Mistaken):
    name = "phi-left-out"
    text = "z is drawn from theta alone: SOL14 (7) has theta phi"
    algorithms = ("gibbs",)
    operations = WEIGHTS

    def word(self, gamma: list[Row], i: int, k: int) -> Number:
        return self.number(1)


MISTAKES: tuple[type[Mistaken], ...] = (
    DrawOffByOne,
    DrawStrict,
    DrawUnnormalised,
    TopicsAddedBackwards,
    MostProbableDrawn,
    TopicsFromOne,
    OneDrawForRow,
    ThetaLeftOut,
    PhiLeftOut,
)
