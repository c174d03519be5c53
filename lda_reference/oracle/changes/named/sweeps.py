"""Mistakes in sweeps: when the sums are refreshed, when the sweeps stop, and how samplers draw a topic."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import Any

from ....plain.numbers import Number
from ....plain.problem import Row
from ....plain.updates import SAMPLERS
from .scopes import SOFT, SWEEPS, WEIGHTS, Method, added, at, one

sweep, soft_sweep = at((*SOFT, "cgs"), SWEEPS), at(SOFT, SWEEPS)
ten_sweeps = at(SOFT, ("ten_sweeps",))
draw = at(SAMPLERS, ("draw", "sweep"))
gibbs = at(("gibbs",), WEIGHTS)
nested, block = at(("vb", "vem"), ("sweep",), "nested"), at(SOFT, ("sweep",), "block")

# Schedules -----------------------------------------------------------------------------------------------------------


def as_state(self: Any, right: Any, gamma: list[Row]) -> list[Row]:
    """A sweep that first takes its gamma for that of the state."""
    self.gamma = gamma
    return list(right(gamma))


def of_state(self: Any, right: Any, gamma: list[Row], i: int, k: int) -> Number:
    """A term of the gamma of the state."""
    return right(self.gamma, i, k)


def nearly_settled(self: Any, right: Any, old: list[Row], new: list[Row]) -> bool:
    """Whether gamma changes by less than 1e-4."""
    return all(abs(a - b) < 1e-4 for rows in zip(old, new, strict=True) for a, b in zip(*rows, strict=True))


def document_after_document(self: Any, right: Any) -> dict[str, Any]:
    """Ten sweeps of the first document, then of the next."""
    gamma = self.gamma
    for j in range(self.D):
        self.document_now = j
        for _ in range(10):
            gamma = self.one_sweep(gamma)
    return {"gamma": gamma}


sweep |= {
    "sums-refreshed-late": {"changed": lambda self, right, case: case | {"schedule": "corpus"}},
    "topic-count-late": {"one_sweep": as_state, "topic": of_state},
    "word-and-topic-counts-late": {"one_sweep": as_state, "word": of_state, "topic": of_state},
}
soft_sweep |= {
    "sums-refreshed-early": {"changed": lambda self, right, case: case | {"schedule": "token"}},
    "sums-refreshed-by-document": {"changed": lambda self, right, case: case | {"schedule": "document"}},
}
ten_sweeps |= {
    "nine-sweeps": {"ten_sweeps": lambda self, right: {"gamma": self.swept_often(9)}},
    "eleven-sweeps": {"ten_sweeps": lambda self, right: {"gamma": self.swept_often(11)}},
    "document-after-document": {
        "ten_sweeps": document_after_document,
        "swept": lambda self, right: self.of_document(self.document_now),
    },
}

converged = at(SOFT, ("converged",))
converged |= {
    "stopped-early": {
        "settled": lambda self, right, old, new: (
            max(abs(a - b) for x in zip(old, new, strict=True) for a, b in zip(*x, strict=True)) < 1e-4
        )
    }
}
nested |= {
    "nested-from-state": {"first_of_nested": lambda self, right, gamma: gamma},
    "one-inner-step-less": {"changed": added(inner=-1)},
    "one-inner-step-more": {"changed": added(inner=1)},
}

# Blocks --------------------------------------------------------------------------------------------------------------


def of_documents(firsts: Callable[[int, int], Iterable[int]]) -> Method:
    """Blocks that begin with the documents of some numbers, which are found from D and B."""

    def blocks(self: Any, right: Any) -> set[int]:
        wanted = firsts(self.D, self.case["blocks"])
        begins = (next((i for i in range(self.M) if self.j[i] >= j), None) for j in wanted)
        return {i for i in begins if i is not None}

    return blocks


def from_places(begins: Callable[[Any, int, int], bool]) -> Method:
    """Blocks whose first documents are the first at or beyond some places: `begins(self, i, b)` says so of row i.

    If B is not below the number of documents, each document is a block.
    """

    def blocks(self: Any, right: Any) -> set[int]:
        if self.case["blocks"] >= self.D:
            return set(right())
        documents = [i for i in range(self.M) if i == 0 or self.j[i] != self.j[i - 1]]
        wanted = range(1, self.case["blocks"])
        return {0} | {i for b in wanted for i in [i for i in documents if begins(self, i, b)][:1]}

    return blocks


block |= {
    "blocks-of-equal-documents": {
        "blocks": of_documents(lambda D, B: [b * (D // B) + min(b, D % B) for b in range(B)])
    },
    "blocks-of-documents-rounded-up": {"blocks": of_documents(lambda D, B: range(0, D, -(-D // B)))},
    "blocks-of-rows-rounded-up": {"blocks": from_places(lambda self, i, b: i >= b * -(-self.M // self.case["blocks"]))},
    "blocks-of-tokens": {
        "blocks": from_places(lambda self, i, b: sum(self.n[:i]) * self.case["blocks"] >= b * sum(self.n))
    },
    "blocks-begin-later": {"blocks": from_places(lambda self, i, b: i * self.case["blocks"] > b * self.M)},
}

# Draws ---------------------------------------------------------------------------------------------------------------


def count_without_first(self: Any, right: Any, x: Row, u: Number) -> int:
    """How many of the partial sums after the first are at most u times the last."""
    partial = list(itertools.accumulate(x))
    return sum(self.numbers.at_most(s, u * partial[-1]) for s in partial[1:])


def first_two_as_one(self: Any, right: Any, i: int) -> Row:
    """The first topic has the probabilities of two, and the last none."""
    p = right(i)
    return [p[0] + p[1], *p[2:], self.number(0)] if len(p) > 1 else p


def count_below(self: Any, right: Any, x: Row, u: Number) -> int:
    """How many of the first K-1 partial sums are below u times the last."""
    partial = list(itertools.accumulate(x))
    return sum(not self.numbers.at_most(u * partial[-1], s) for s in partial[:-1])


def shares_of_one(self: Any, right: Any, i: int) -> Row:
    """What each weight covers of the numbers from 0 to 1; the last topic has what is left."""
    one = self.number(1)
    partial = itertools.accumulate(self.weights(self.gamma, i)[:-1])
    ends = [s if self.numbers.at_most(s, one) else one for s in partial]
    return [b - a for a, b in itertools.pairwise([self.number(0), *ends, one])]


def topic_of_row(self: Any, right: Any, z: list[int], i: int) -> int:
    """The topic that the row's token before it has."""
    return z[i - 1] if i > 0 and self.row[i] == self.row[i - 1] else int(right(z, i))


draw |= {
    "draw-off-by-one": {"drawn": count_without_first, "probabilities": first_two_as_one},
    "draw-strict": {"drawn": count_below},
    "draw-unnormalised": {
        "drawn": lambda self, right, x, u: sum(self.numbers.at_most(s, u) for s in itertools.accumulate(x[:-1])),
        "probabilities": shares_of_one,
    },
    "topics-added-backwards": {"drawn": lambda self, right, x, u: len(x) - 1 - right(x[::-1], u)},
    "most-probable-drawn": {"drawn": lambda self, right, x, u: max(range(len(x)), key=lambda k: (float(x[k]), -k))},
    "topics-from-one": {
        "draw": lambda self, right: {"topic": right()["topic"] + 1},
        "sweep": lambda self, right: {"z": [k + 1 for k in right()["z"]]},
    },
}

cgs_sweep = at(("cgs",), ("sweep",))
cgs_sweep |= {"probability-of-topic-before": {"drawn": lambda self, right, x, u: right([*x[-1:], *x[:-1]], u)}}

sampler_sweep = at(SAMPLERS, ("sweep",))
sampler_sweep |= {"one-draw-for-row": {"new_topic": topic_of_row, "topics": lambda self, right, z: [z[0]] * len(z)}}
gibbs |= {"theta-left-out": {"document": one}, "phi-left-out": {"word": one}}
