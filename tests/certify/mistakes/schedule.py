"""When the sums are refreshed, and when the sweeps stop."""

from __future__ import annotations

from typing import Any, ClassVar

from lda_reference.plain.numbers import Floats, Number
from lda_reference.plain.problem import Case, Row

from ..rounding import difference
from .mistaken import SOFT, SWEEPS, Mistaken


class SumsRefreshedLate(Mistaken):
    name = "sums-refreshed-late"
    text = "all rows are computed from the sums before the sweep: the schedule refreshes them sooner"
    algorithms = (*SOFT, "cgs")
    operations = SWEEPS

    def changed(self, case: Case) -> Case:
        return case | {"schedule": "corpus"}


class SumsRefreshedEarly(Mistaken):
    name = "sums-refreshed-early"
    text = "the sums are refreshed after every row: the schedule refreshes them later"
    algorithms = SOFT
    operations = SWEEPS

    def changed(self, case: Case) -> Case:
        return case | {"schedule": "token"}


class SumsRefreshedByDocument(Mistaken):
    name = "sums-refreshed-by-document"
    text = "the sums are refreshed after each document, against the schedule"
    algorithms = SOFT
    operations = SWEEPS

    def changed(self, case: Case) -> Case:
        return case | {"schedule": "document"}


class TopicCountLate(Mistaken):
    name = "topic-count-late"
    text = "the topics' sums are those before the sweep: the schedule refreshes all three kinds together"
    algorithms = (*SOFT, "cgs")
    operations = SWEEPS

    def __init__(self, case: Case, numbers: Floats) -> None:
        super().__init__(case, numbers)
        self.before = self.gamma

    def one_sweep(self, gamma: list[Row]) -> list[Row]:
        self.before = gamma
        return super().one_sweep(gamma)

    def topic(self, gamma: list[Row], i: int, k: int) -> Number:
        return super().topic(self.before, i, k)


class WordAndTopicCountsLate(TopicCountLate):
    name = "word-and-topic-counts-late"
    text = (
        "the sums of words and topics are those before the sweep, as in parallel and distributed versions: the "
        "schedule refreshes them with those of documents"
    )

    def word(self, gamma: list[Row], i: int, k: int) -> Number:
        return super().word(self.before, i, k)


class OtherSweeps(Mistaken):
    """Another number of sweeps, or another order of the loops, where ten are asked for."""

    algorithms = SOFT
    operations = ("ten_sweeps",)
    sweeps: ClassVar[int]

    def ten_sweeps(self) -> dict[str, Any]:
        return {"gamma": self.swept_often(self.sweeps)}


class NineSweeps(OtherSweeps):
    name = "nine-sweeps"
    text = "there are nine sweeps: ten are asked for"
    sweeps = 9


class ElevenSweeps(OtherSweeps):
    name = "eleven-sweeps"
    text = "there are eleven sweeps: ten are asked for"
    sweeps = 11


class DocumentAfterDocument(Mistaken):
    name = "document-after-document"
    text = "each document is swept ten times before the next: a sweep takes all documents in turn"
    algorithms = SOFT
    operations = ("ten_sweeps",)

    def ten_sweeps(self) -> dict[str, Any]:
        gamma = self.gamma
        for j in range(self.D):
            self.document_now = j
            for _ in range(10):
                gamma = self.one_sweep(gamma)
        return {"gamma": gamma}

    def swept(self) -> list[int]:
        return [i for i in range(self.M) if self.j[i] == self.document_now]


class NestedFromState(Mistaken):
    name = "nested-from-state"
    text = "the documents begin with the gamma of the state: in a nested sweep each begins with uniform rows"
    algorithms = ("vb", "vem")
    operations = ("sweep",)

    def first_of_nested(self, gamma: list[Row]) -> list[Row]:
        return gamma


class OneInnerStepLess(Mistaken):
    name = "one-inner-step-less"
    text = "each document takes one step less than `inner`"
    algorithms = ("vb", "vem")
    operations = ("sweep",)

    def changed(self, case: Case) -> Case:
        return case | {"inner": case["inner"] - 1}


class OneInnerStepMore(Mistaken):
    name = "one-inner-step-more"
    text = "each document takes one step more than `inner`"
    algorithms = ("vb", "vem")
    operations = ("sweep",)

    def changed(self, case: Case) -> Case:
        return case | {"inner": case["inner"] + 1}


class StoppedEarly(Mistaken):
    name = "stopped-early"
    text = "the sweeps stop where gamma changes by less than 1e-4: at a fixed point nothing changes"
    algorithms = SOFT
    operations = ("converged",)

    def settled(self, old: list[Row], new: list[Row]) -> bool:
        return difference(old, new) < 1e-4


MISTAKES: tuple[type[Mistaken], ...] = (
    SumsRefreshedLate,
    SumsRefreshedEarly,
    SumsRefreshedByDocument,
    TopicCountLate,
    WordAndTopicCountsLate,
    NineSweeps,
    ElevenSweeps,
    DocumentAfterDocument,
    StoppedEarly,
)
NESTED: tuple[type[Mistaken], ...] = (NestedFromState, OneInnerStepLess, OneInnerStepMore)
