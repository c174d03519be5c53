"""Mistakes in sweeps: when the sums are refreshed, when the sweeps stop, and how samplers draw a topic."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import Any

from lda_reference.plain.numbers import Number
from lda_reference.plain.problem import Row
from lda_reference.plain.updates import SAMPLERS

from ..rounding import difference
from .mistaken import SOFT, SWEEPS, WEIGHTS, Change, Mistakes, added, one

MISTAKES, NESTED, BLOCKS = Mistakes(), Mistakes(), Mistakes()
sweep, soft_sweep = MISTAKES.at((*SOFT, "cgs"), SWEEPS), MISTAKES.at(SOFT, SWEEPS)
ten_sweeps = MISTAKES.at(SOFT, ("ten_sweeps",))
draw = MISTAKES.at(SAMPLERS, ("draw", "sweep"))
gibbs = MISTAKES.at(("gibbs",), WEIGHTS)
nested, block = NESTED.at(("vb", "vem"), ("sweep",)), BLOCKS.at(SOFT, ("sweep",))

# Schedules -----------------------------------------------------------------------------------------------------------


def as_state(self: Any, right: Any, gamma: list[Row]) -> list[Row]:
    """A sweep that first takes its gamma for that of the state."""
    self.gamma = gamma
    return list(right(gamma))


def of_state(self: Any, right: Any, gamma: list[Row], i: int, k: int) -> Number:
    """A term of the gamma of the state."""
    return right(self.gamma, i, k)


def document_after_document(self: Any, right: Any) -> dict[str, Any]:
    """Ten sweeps of the first document, then of the next."""
    gamma = self.gamma
    for j in range(self.D):
        self.document_now = j
        for _ in range(10):
            gamma = self.one_sweep(gamma)
    return {"gamma": gamma}


sweep(
    "sums-refreshed-late",
    "all rows are computed from the sums before the sweep: the schedule refreshes them sooner",
    changed=lambda self, right, case: case | {"schedule": "corpus"},
)
soft_sweep(
    "sums-refreshed-early",
    "the sums are refreshed after every row: the schedule refreshes them later",
    changed=lambda self, right, case: case | {"schedule": "token"},
)
soft_sweep(
    "sums-refreshed-by-document",
    "the sums are refreshed after each document, against the schedule",
    changed=lambda self, right, case: case | {"schedule": "document"},
)
sweep(
    "topic-count-late",
    "the topics' sums are those before the sweep: the schedule refreshes all three kinds together",
    one_sweep=as_state,
    topic=of_state,
)
sweep(
    "word-and-topic-counts-late",
    "the sums of words and topics are those before the sweep, as in parallel and distributed versions: the schedule "
    "refreshes them with those of documents",
    one_sweep=as_state,
    word=of_state,
    topic=of_state,
)
ten_sweeps(
    "nine-sweeps",
    "there are nine sweeps: ten are asked for",
    ten_sweeps=lambda self, right: {"gamma": self.swept_often(9)},
)
ten_sweeps(
    "eleven-sweeps",
    "there are eleven sweeps: ten are asked for",
    ten_sweeps=lambda self, right: {"gamma": self.swept_often(11)},
)
ten_sweeps(
    "document-after-document",
    "each document is swept ten times before the next: a sweep takes all documents in turn",
    ten_sweeps=document_after_document,
    swept=lambda self, right: self.of_document(self.document_now),
)
MISTAKES.at(SOFT, ("converged",))(
    "stopped-early",
    "the sweeps stop where gamma changes by less than 1e-4: at a fixed point nothing changes",
    settled=lambda self, right, old, new: difference(old, new) < 1e-4,
)
nested(
    "nested-from-state",
    "the documents begin with the gamma of the state: in a nested sweep each begins with uniform rows",
    first_of_nested=lambda self, right, gamma: gamma,
)
nested(
    "one-inner-step-less",
    "each document takes one step less than `inner`",
    changed=added(inner=-1),
)
nested(
    "one-inner-step-more",
    "each document takes one step more than `inner`",
    changed=added(inner=1),
)

# Blocks --------------------------------------------------------------------------------------------------------------


def of_documents(firsts: Callable[[int, int], Iterable[int]]) -> Change:
    """Blocks that begin with the documents of some numbers, which are found from D and B."""

    def blocks(self: Any, right: Any) -> set[int]:
        wanted = firsts(self.D, self.case["blocks"])
        begins = (next((i for i in range(self.M) if self.j[i] >= j), None) for j in wanted)
        return {i for i in begins if i is not None}

    return blocks


def from_places(begins: Callable[[Any, int, int], bool]) -> Change:
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


block(
    "blocks-of-equal-documents",
    "the blocks have equal numbers of documents, and the first ones have one more if B does not divide D: a block "
    "begins at a share of the rows",
    blocks=of_documents(lambda D, B: [b * (D // B) + min(b, D % B) for b in range(B)]),
)
block(
    "blocks-of-documents-rounded-up",
    "each block has D / B documents, rounded up, and the last one has what is left: a block begins at a share of the "
    "rows",
    blocks=of_documents(lambda D, B: range(0, D, -(-D // B))),
)
block(
    "blocks-of-rows-rounded-up",
    "block b begins with the first document at or beyond row b times M / B rounded up: the quotient b M / B is exact",
    blocks=from_places(lambda self, i, b: i >= b * -(-self.M // self.case["blocks"])),
)
block(
    "blocks-of-tokens",
    "a block begins at a share of the tokens: it begins at a share of the rows, each of which counts once",
    blocks=from_places(lambda self, i, b: sum(self.n[:i]) * self.case["blocks"] >= b * sum(self.n)),
)
block(
    "blocks-begin-later",
    "block b begins with the first document beyond row b M / B: a document whose first row has that number begins it",
    blocks=from_places(lambda self, i, b: i * self.case["blocks"] > b * self.M),
)

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


draw(
    "draw-off-by-one",
    "the first partial sum is left out of the count: the topic is the number of the first K-1 partial sums <= u times "
    "the last",
    drawn=count_without_first,
    probabilities=first_two_as_one,
)
draw(
    "draw-strict",
    "partial sums are compared by <: the rule counts those that are <= u times the last",
    drawn=count_below,
)
draw(
    "draw-unnormalised",
    "u is compared with partial sums that do not end at 1: it must be multiplied by the last",
    drawn=lambda self, right, x, u: sum(self.numbers.at_most(s, u) for s in itertools.accumulate(x[:-1])),
    probabilities=shares_of_one,
)
draw(
    "topics-added-backwards",
    "the partial sums are taken from the last topic down: they are added in topic order",
    drawn=lambda self, right, x, u: len(x) - 1 - right(x[::-1], u),
)
draw(
    "most-probable-drawn",
    "the most probable topic is taken: a sampler draws",
    drawn=lambda self, right, x, u: max(range(len(x)), key=lambda k: (float(x[k]), -k)),
)
MISTAKES.at(("cgs",), ("sweep",))(  # in single draws it has the topics of other mistakes too often to be named
    "probability-of-topic-before",
    "topic k is drawn with the probability of topic k - 1, and topic 0 with that of the last",
    drawn=lambda self, right, x, u: right([*x[-1:], *x[:-1]], u),
)
draw(
    "topics-from-one",
    "topics are numbered from 1: they are numbered from 0",
    draw=lambda self, right: {"topic": right()["topic"] + 1},
    sweep=lambda self, right: {"z": [k + 1 for k in right()["z"]]},
)
MISTAKES.at(SAMPLERS, ("sweep",))(
    "one-draw-for-row",
    "one draw moves all tokens of a row: each is drawn for itself",
    new_topic=topic_of_row,
    topics=lambda self, right, z: [z[0]] * len(z),  # in a start
)
gibbs(
    "theta-left-out",
    "z is drawn from phi alone: SOL14 (7) has theta phi",
    document=one,
)
gibbs(
    "phi-left-out",
    "z is drawn from theta alone: SOL14 (7) has theta phi",
    word=one,
)
