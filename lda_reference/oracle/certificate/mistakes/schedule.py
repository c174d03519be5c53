"""When the sums are refreshed, and when the sweeps stop."""

from __future__ import annotations

from ..arithmetic import Case, Number, Row, mpf
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

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.before = self.gamma

    def one_sweep(self, gamma: list[Row]) -> list[Row]:
        self.before = gamma
        return super().one_sweep(gamma)

    def topic(self, gamma: list[Row], i: int, k: int) -> Number:
        return super().topic(self.before, i, k)


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

    def settled(self, change: Number) -> bool:
        return bool(change < mpf(10) ** -4)


MISTAKES: tuple[type[Mistaken], ...] = (
    SumsRefreshedLate,
    SumsRefreshedEarly,
    SumsRefreshedByDocument,
    TopicCountLate,
    StoppedEarly,
)
NESTED: tuple[type[Mistaken], ...] = (NestedFromState, OneInnerStepLess, OneInnerStepMore)
