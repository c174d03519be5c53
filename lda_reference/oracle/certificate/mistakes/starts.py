"""Where gamma begins. Most of these mistakes are those of updates, estimates and draws, made in a start.

The texts of the others are in starts.json.
"""

from __future__ import annotations

from ..arithmetic import Number, Row, mpf
from .draws import DrawOffByOne, DrawStrict, DrawUnnormalised, MostProbableDrawn, OneDrawForRow, TopicsAddedBackwards
from .estimates import PhiNormalisedOverTopics
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

    def pseudo_eta(self) -> tuple[Row, Number]:
        return [mpf(0)] * self.W, mpf(0)


class RowNotNormalised(OfStart):
    name = "row-not-normalised"
    text = "the rows of gamma are not divided by their sums: each is a distribution over topics"

    def row(self, x: Row) -> Row:
        return x


MISTAKES: dict[str, tuple[type[Mistaken], ...]] = {
    "one-hot": (OneTopicForRow, RowNotNormalised),
    "topics": (PhiNormalisedOverTopics, RowNotNormalised),
    "documents": (OneNotAdded, CountsOfRows, PhiNormalisedOverTopics, RowNotNormalised),
    "incremental": (
        SumsRefreshedLate, SumsRefreshedEarly, CountsOfRows, DrawOffByOne, DrawStrict, DrawUnnormalised,
        TopicsAddedBackwards, MostProbableDrawn,
    ),
    "collapsed": (NothingExcluded, AllCopiesExcluded, SumsRefreshedLate, SumsRefreshedEarly, CountsOfRows),
}  # fmt: skip
TEXTS = {mistake.name: mistake.text for mistake in (OneNotAdded, RowNotNormalised)}
