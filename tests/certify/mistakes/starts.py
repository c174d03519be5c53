"""Where gamma begins. Most of these mistakes are those of updates, estimates and draws, made in a start.

The texts of the others are in starts.json.
"""

from __future__ import annotations

from collections.abc import Sequence

from lda_reference.plain.problem import Case, Row
from lda_reference.plain.starts import Growing

from .draws import DrawOffByOne, DrawStrict, DrawUnnormalised, MostProbableDrawn, OneDrawForRow, TopicsAddedBackwards
from .estimates import EstimatesWithoutPrior, PhiNormalisedOverTopics
from .exclusion import AllCopiesExcluded, NothingExcluded
from .mistaken import Mistaken
from .schedule import SumsRefreshedEarly, SumsRefreshedLate
from .smoothing import CountsOfRows


class OfStart(Mistaken):
    """A mistake that is made in starts alone."""

    algorithms = ("starts",)
    operations = ("start",)


class OneTopicForRow(OfStart):
    name = OneDrawForRow.name
    text = OneDrawForRow.text

    def topics(self, z: list[int]) -> list[int]:
        return [z[0]] * len(z)


class OneNotAdded(OfStart):
    name = "one-not-added"
    text = "phi is proportional to the counts of the documents: 1 is added to each count"

    def pseudo_eta(self) -> tuple[list[Row], Row]:
        return self.zeros(self.W), self.zeros(1)[0]


class RowNotNormalised(OfStart):
    name = "row-not-normalised"
    text = "the rows of gamma are not divided by their sums: each is a distribution over topics"

    def row(self, x: Row) -> Row:
        return x


class OrderIgnored(OfStart):
    name = "order-ignored"
    text = "the parts are the first documents of the corpus: they are the first documents of `order`"

    def changed(self, case: Case) -> Case:
        return case | {"order": sorted(case["order"])}


class OrderInverted(OfStart):
    name = "order-inverted"
    text = "document j has the place order[j]: the document in place j is order[j]"

    def changed(self, case: Case) -> Case:
        return case | {"order": [case["order"].index(j) for j in range(len(case["order"]))]}


class SweptByOrder(OfStart, Growing):
    name = "swept-by-order"
    text = "sweeps take the documents of a part in the order of `order`: they take them in that of the corpus"

    def swept(self) -> Sequence[int]:
        return [i for j in self.part(self.doublings) for i in self.rows_of([j])]


class PartsRoundedDown(OfStart, Growing):
    name = "parts-rounded-down"
    text = "the numbers of documents of the parts are rounded down, to at least 1: they are rounded up"

    def size(self, doublings: int) -> int:
        return max(1, self.D // 2**doublings)


class OneSweepTooFew(OfStart, Growing):
    name = "one-sweep-too-few"
    text = "each part takes three sweeps: it takes four"

    sweeps_of_part = 3


class OneSweepTooMany(OfStart, Growing):
    name = "one-sweep-too-many"
    text = "each part takes five sweeps: it takes four"

    sweeps_of_part = 5


class WholeCorpusSwept(OfStart, Growing):
    name = "whole-corpus-swept"
    text = "the whole corpus takes four sweeps too: the last part that does is a half"

    def begun(self) -> list[Row]:
        self.gamma, self.doublings = super().begun(), 0
        for _ in range(self.sweeps_of_part):
            self.gamma = self.one_sweep(self.gamma)
        return self.gamma


class LaterDocumentsCounted(OfStart, Growing):
    name = "later-documents-counted"
    text = "the rows of all later documents are set, and the sums count them: the sums are those of the part alone"

    def next_rows(self) -> list[int]:
        part = self.part(self.doublings)
        return self.rows_of([j for j in range(self.D) if j not in part])


class NextRowsUniform(OfStart, Growing):
    name = "next-rows-uniform"
    text = "the rows of the next documents are uniform: they are proportional to phi_wk of the part"

    def like(self, phi: list[Row], i: int) -> Row:
        return [self.number(1)] * self.K


OF_GROWING = (
    OrderIgnored, OrderInverted, SweptByOrder, PartsRoundedDown, OneSweepTooFew, OneSweepTooMany,
    WholeCorpusSwept, LaterDocumentsCounted, NextRowsUniform,
)  # fmt: skip
MISTAKES: dict[str, tuple[type[Mistaken], ...]] = {
    "one-hot": (OneTopicForRow, RowNotNormalised),
    "topics": (PhiNormalisedOverTopics, RowNotNormalised),
    "documents": (OneNotAdded, CountsOfRows, PhiNormalisedOverTopics, RowNotNormalised),
    "incremental": (
        SumsRefreshedLate, SumsRefreshedEarly, CountsOfRows, DrawOffByOne, DrawStrict, DrawUnnormalised,
        TopicsAddedBackwards, MostProbableDrawn,
    ),
    "collapsed": (NothingExcluded, AllCopiesExcluded, SumsRefreshedLate, SumsRefreshedEarly, CountsOfRows),
    "growing": (
        NothingExcluded, AllCopiesExcluded, SumsRefreshedLate, SumsRefreshedEarly, CountsOfRows, EstimatesWithoutPrior,
        PhiNormalisedOverTopics, *OF_GROWING,
    ),
}  # fmt: skip
TEXTS = {mistake.name: mistake.text for mistake in (OneNotAdded, RowNotNormalised, *OF_GROWING)}
