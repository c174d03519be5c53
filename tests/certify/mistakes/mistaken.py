"""What a mistake is: a class that goes before an algorithm and overrides the part that is wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from flint import arb

from lda_reference.plain import Fractions, class_of
from lda_reference.plain.numbers import Floats, Number
from lda_reference.plain.problem import Case, Row
from lda_reference.plain.sweeps import Algorithm
from lda_reference.plain.updates import ALGORITHMS, COLLAPSED, UNCOLLAPSED

from ..rounding import Midpoints

SWEEPS = ("sweep", "ten_sweeps")
WEIGHTS = ("update", "draw", *SWEEPS)
ESTIMATES = ("estimate", "predict")

EVERY_ALGORITHM = tuple(ALGORITHMS)
SOFT = (*UNCOLLAPSED, *COLLAPSED)
TOKENWISE = ("cgs", "cvb_exact", "cvb", "cvb0", "cvb1", "cvb1s", "cvb1d")
SMOOTHED = ("map", "vb", "cgs", "cvb_exact", "cvb", "cvb0", "tcvb0", "cvb1", "cvb1s", "cvb1d")
WITH_ALPHA = (*SMOOTHED, "vem")


class Mistaken(Algorithm):
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
    instead: ClassVar[type[Algorithm] | None] = None

    def __init__(self, case: Case, numbers: Floats) -> None:
        super().__init__(self.changed(case), numbers)

    def changed(self, case: Case) -> Case:
        """The case that is evaluated."""
        return case

    def weights(self, gamma: list[Row], i: int) -> Row:
        """The weights; a ValueError when the mistake makes one negative or all zero."""
        x = super().weights(gamma, i)
        if not all(self.numbers.at_most(0, v) for v in x) or not any(self.positive(v) for v in x):
            raise ValueError("no probabilities are proportional to these weights")
        return x

    def expectation(self, f: Callable[[int], Number], p: Row) -> Number:
        """E[f(n)] without the values that n cannot have: with a prior of 0, their logarithm may be infinite."""
        return self.sum(q * f(n) for n, q in enumerate(p) if float(q))

    def normalised(self, x: Row) -> Row:
        """x divided by its sum; a single weight gives exactly 1, and none a ZeroDivisionError."""
        if not any(map(float, x)):
            raise ZeroDivisionError("the weights are all 0")
        return super().normalised([v.mid() if isinstance(v, arb) else v for v in x])

    def probabilities(self, i: int) -> Row:
        """The probabilities with which a sampler draws each topic of token i."""
        return self.normalised(self.weights(self.gamma, i))


def mistaken(case: Case, mistake: type[Mistaken]) -> Mistaken:
    """The algorithm of a case with a mistake."""
    both: type[Mistaken] = type(mistake.__name__, (mistake, mistake.instead or class_of(case)), {})
    return both(case, Fractions() if "tie" in case.get("flags", ()) else Midpoints())


def with_counts_of_1(case: Case, *corpora: str) -> Case:
    """The case with all counts 1 in some of its corpora ("corpus", "test"), if it has them."""
    ones = {name: case[name] | {"n": [1] * len(case[name]["n"])} for name in corpora if name in case}
    return case | ones
