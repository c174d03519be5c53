"""What a mistake is: a class that goes before an algorithm and overrides the part that is wrong."""

from __future__ import annotations

from typing import ClassVar

from ..arithmetic import Case, Row, normalised
from ..classes import class_of
from ..evaluator import Evaluator
from ..updates import ALGORITHMS, COLLAPSED, UNCOLLAPSED

SWEEPS = ("sweep", "ten_sweeps")
WEIGHTS = ("update", "draw", *SWEEPS)
ESTIMATES = ("estimate", "predict")

EVERY_ALGORITHM = tuple(ALGORITHMS)
SOFT = (*UNCOLLAPSED, *COLLAPSED)
TOKENWISE = ("cgs", "cvb_exact", "cvb", "cvb0", "cvb1", "cvb1s", "cvb1d")
SMOOTHED = ("map", "vb", "cgs", "cvb_exact", "cvb", "cvb0", "tcvb0", "cvb1", "cvb1s", "cvb1d")
WITH_ALPHA = (*SMOOTHED, "vem")


class Mistaken(Evaluator):
    """An evaluator with a mistake.

    A subclass overrides methods of the evaluator, or changes the case that is evaluated, or names another algorithm.

    Attributes
    ----------
    name, text : str
        `text` completes the sentence "your answer is what you get when".
    algorithms, operations : tuple of str
        Where the mistake can be made.
    instead : class, optional
        The algorithm that takes the place of the right one.
    """

    name: ClassVar[str]
    text: ClassVar[str]
    algorithms: ClassVar[tuple[str, ...]]
    operations: ClassVar[tuple[str, ...]]
    instead: ClassVar[type[Evaluator] | None] = None

    def __init__(self, case: Case) -> None:
        super().__init__(self.changed(case))

    def changed(self, case: Case) -> Case:
        """The case that is evaluated."""
        return case

    def weights(self, gamma: list[Row], i: int) -> Row:
        """The weights; a ValueError when the mistake makes one negative or all zero."""
        x = super().weights(gamma, i)
        if any(v < 0 for v in x) or not any(x):
            raise ValueError("no probabilities are proportional to these weights")
        return x

    def probabilities(self, i: int) -> Row:
        """The probabilities with which a sampler draws each topic of token i."""
        return normalised(self.weights(self.gamma, i))


def mistaken(case: Case, mistake: type[Mistaken]) -> Mistaken:
    """The evaluator of a case with a mistake."""
    both: type[Mistaken] = type(mistake.__name__, (mistake, mistake.instead or class_of(case)), {})
    return both(case)


def with_counts_of_1(case: Case, *corpora: str) -> Case:
    """The case with all counts 1 in some of its corpora ("corpus", "test"), if it has them."""
    ones = {name: case[name] | {"n": [1] * len(case[name]["n"])} for name in corpora if name in case}
    return case | ones
