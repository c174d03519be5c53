"""What a mistake is: a name, a sentence, and the methods of the specification that it changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

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

Change = Callable[..., Any]  # called as change(self, right, ...); `right` is the method that it replaces


class Mistake(NamedTuple):
    """A mistake.

    Attributes
    ----------
    name, text : str
        `text` completes the sentence "your answer is what you get when".
    algorithms, operations : tuple of str
        Where the mistake can be made.
    instead : class, optional
        The algorithm that takes the place of the right one.
    changes : dict
        By their names: the changes of methods, and the new values of attributes.
    """

    name: str
    text: str
    algorithms: tuple[str, ...]
    operations: tuple[str, ...]
    instead: type[Algorithm] | None
    changes: dict[str, Any]


class Mistakes(list[Mistake]):
    """Mistakes in the order in which they are added."""

    def at(self, algorithms: tuple[str, ...], operations: tuple[str, ...]) -> Callable[..., None]:
        """A function that adds a mistake that can be made in these algorithms and operations."""

        def add(name: str, text: str, instead: type[Algorithm] | None = None, **changes: Any) -> None:
            self.append(Mistake(name, text, algorithms, operations, instead, changes))

        return add


class Mistaken(Algorithm):
    """What all mistaken algorithms have in common. It comes before the right algorithm."""

    def __init__(self, case: Case, numbers: Floats) -> None:
        super().__init__(self.changed(case), numbers)
        self.sum_alpha, self.sum_eta = self.sums_of_prior()

    def changed(self, case: Case) -> Case:
        """The case that is evaluated."""
        return case

    def prior(self) -> tuple[Row, list[Row]]:
        alpha, eta = super().prior()
        return self.other_alpha(alpha), self.other_eta(eta)

    def other_alpha(self, alpha: Row) -> Row:
        """What stands for alpha."""
        return alpha

    def other_eta(self, eta: list[Row]) -> list[Row]:
        """What stands for eta."""
        return eta

    def sums_of_prior(self) -> tuple[Number, Row]:
        """The sums of alpha over topics and of eta over words."""
        return self.sum_alpha, self.sum_eta

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


def mistaken(case: Case, mistake: Mistake) -> Any:
    """The algorithm of a case with a mistake."""
    wrong = type(mistake.name, (Mistaken, mistake.instead or class_of(case)), {})
    for name, change in mistake.changes.items():
        setattr(wrong, name, _method(wrong, name, change) if callable(change) else change)
    return wrong(case, Fractions() if "tie" in case.get("flags", ()) else Midpoints())


def _method(wrong: type, name: str, change: Change) -> Callable[..., Any]:
    """A method of a class, from a change of the method that it inherits."""
    return lambda self, *given: change(self, getattr(super(wrong, self), name), *given)


# Changes that several mistakes are made of ---------------------------------------------------------------------------


def zero(self: Any, right: Any, *given: Any) -> Number:
    """0, whatever is right."""
    return self.number(0)


def one(self: Any, right: Any, *given: Any) -> Number:
    """1, whatever is right."""
    return self.number(1)


def added(**amounts: int) -> Change:
    """A change of a case that adds to some of its numbers."""
    return lambda self, right, case: case | {name: case[name] + amount for name, amount in amounts.items()}


def with_counts_of_1(*corpora: str) -> Change:
    """A change of a case that sets all counts to 1 in some of its corpora ("corpus", "test"), if it has them."""

    def changed(self: Any, right: Any, case: Case) -> Case:
        return case | {name: case[name] | {"n": [1] * len(case[name]["n"])} for name in corpora if name in case}

    return changed
