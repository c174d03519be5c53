"""How far rounding may move a right answer, in any precision: the spread of some runs in noisy floats.

GUIDE.md describes the noise, the forms of the runs and the tolerances, which hold in any precision. Noisy runs repeat
the draws of the exact one. Whether a port draws the same topics depends on how far its uniform numbers are from the
boundaries between topics: a draw is decided if it is farther than the boundary can move.
"""

from __future__ import annotations

import contextlib
import itertools
import math
from collections.abc import Iterable
from typing import Any, NamedTuple

from ...plain import Algorithm, Floats, Noisy, Running, algorithm, class_of, is_large
from ...plain.numbers import Number
from ...plain.problem import Case, Row, Rows

SIZE = 1e-9  # of the noise, relative to each number
SEEDS = (1, 2)  # of the runs in each form
FACTOR = 12  # how much larger an error may be than the largest spread
MANY = 100  # tokens, beyond which one seed does
SWEEPS = 100  # to a fixed point, the most in any case
LEAST = 4  # units of roundoff of the largest number of a field: the least error, however small the spread


class Draw(NamedTuple):
    """A draw of a topic: the weights, their sum, the uniform number and the topic."""

    weights: Row
    total: Number
    u: Number
    topic: int

    def boundaries(self) -> Row:
        """The partial sums between topics, as shares of the last one."""
        return [x / self.total for x in itertools.accumulate(self.weights[:-1])]

    def exact(self) -> bool:
        """Whether every binary arithmetic meets a boundary exactly, because the weights are powers of two."""
        return all(math.frexp(x)[0] in (0, 0.5) for x in self.weights) and math.frexp(self.u)[0] in (0, 0.5, 0.75)


class Watched(Algorithm):
    """Notes the draws and the answer, and counts the sweeps to a fixed point; more than 100 are a ValueError.

    If it has a leader, it draws the topics of that run, and takes as many sweeps.
    """

    right: dict[str, Any]
    leader: Watched | None = None

    def __init__(self, case: Case, numbers: Floats) -> None:
        self.draws: list[Draw] = []
        self.sweeps = 0
        super().__init__(case, numbers)

    def drawn(self, x: Row, u: Number) -> int:
        self.draws.append(Draw(x, self.sum(x), u, super().drawn(x, u)))
        return (self.leader or self).draws[len(self.draws) - 1].topic

    def settled(self, old: Rows, new: Rows) -> bool:
        self.sweeps += 1
        if self.sweeps > SWEEPS:
            raise ValueError(f"{SWEEPS} sweeps do not reach a fixed point")
        settled = super().settled(old, new)
        return settled if self.leader is None else self.sweeps >= self.leader.sweeps


class Backwards(Algorithm):
    """Sums are added from their last term on."""

    def sum(self, terms: Iterable[Number]) -> Number:
        return super().sum(reversed(list(terms)))


class Logarithms(Algorithm):
    """The terms of an update are logarithms, which are added; the largest sum is subtracted."""

    def weights(self, gamma: Rows, i: int) -> Row:
        x = super().weights(gamma, i)
        return [self.exp(v - max(x)) for v in x]

    def weight(self, gamma: Rows, i: int, k: int) -> Number:
        topics = gamma if self.held is None else self.held
        document, word = self.log(self.document(gamma, i, k)), self.log(self.word(topics, i, k))
        return document + word - self.log(self.topic(topics, i, k))


Form = tuple[type[Algorithm], ...]


def forms(case: Case) -> list[Form]:
    """The forms in which a case is answered; `algorithm` keeps running sums of large corpora in all of them."""
    sums: list[Form] = [(Backwards,)] if is_large(case) else [(), (Backwards,), (Running,)]
    weights = class_of(case).weight is Algorithm.weight  # logarithms do not replace the weights of another form
    return [*sums, (Logarithms, Running)] if weights else sums


class Errors(NamedTuple):
    """The answer in double precision, and how far rounding may move it, in units of roundoff."""

    right: dict[str, Any]
    units: dict[str, float]  # the largest error of each field; 0 for whole numbers
    # For each boundary of each draw its distance from the uniform number, its error, and whether it is met exactly
    draws: list[tuple[float, float, bool]]

    def undecided(self, roundoff: float, least: float = 0.0) -> float | None:
        """The least distance of a uniform number from a boundary that is within its error, or None."""
        close = (d for d, units, exact in self.draws if d <= max(units * roundoff, least) and not (exact and d == 0))
        return min(close, default=None)


def errors(case: Case) -> Errors:
    """How far rounding may move the answer of a case.

    The exact run is the first that gives numbers: products underflow for a thousand topics. The noisy runs are two of
    each form, or one where the corpus is large.
    """
    exact = next(filter(None, (_run(case, float, form) for form in forms(case))), None)
    if exact is None:
        raise ValueError(f"{case.get('id')}: all weights of a row are 0 in double precision")
    right, boundaries = exact.right, [draw.boundaries() for draw in exact.draws]
    moved = [[0.0] * len(row) for row in boundaries]
    spread = dict.fromkeys(right, 0.0)
    seeds = SEEDS[:1] if sum(case["corpus"]["n"]) > MANY else SEEDS
    numbered = enumerate(itertools.product(forms(case), seeds))
    runs = (_run(case, Noisy(10 * number + seed, SIZE), form, exact) for number, (form, seed) in numbered)
    for noisy in filter(None, runs):
        spread = {name: max(x, _largest_difference(right[name], noisy.right[name])) for name, x in spread.items()}
        for farthest, new, row in zip(moved, noisy.draws, boundaries, strict=True):
            farthest[:] = [max(m, abs(a - b)) for m, a, b in zip(farthest, new.boundaries(), row, strict=True)]
    units = dict.fromkeys(right, 0.0)
    for name, x in right.items():
        if not all(isinstance(v, int) for v in flat(x)):
            units[name] = max(FACTOR * spread[name] / SIZE, LEAST * largest(x))
    draws = [
        (abs(b - draw.u), max(FACTOR * m / SIZE, LEAST), draw.exact())
        for draw, row, farthest in zip(exact.draws, boundaries, moved, strict=True)
        for b, m in zip(row, farthest, strict=True)
    ]
    return Errors(right, units, draws)


def _run(case: Case, numbers: Any, form: Form, leader: Watched | None = None) -> Watched | None:
    """The run in a form; None if it gives no numbers."""
    run = algorithm(case, numbers, *form, Watched)
    assert isinstance(run, Watched)
    run.leader = leader
    with contextlib.suppress(ZeroDivisionError):
        run.right = run.answer()
        return run
    return None


# Tolerances ----------------------------------------------------------------------------------------------------------

DOUBLE, SINGLE = 2.0**-53, 2.0**-24  # the roundoff
END = 2.0**-20  # of the distance to a fixed point that sweeps leave, each of which takes off a fifth of it or more
LARGEST = 0.01  # a tolerance in single precision, as a share of the largest number of its field
# Fields of which this number is at least 1
AT_LEAST_ONE = ("bound", "log_joint", "log_density", "log_evidence", "coherence", "cosine", "sine")


def double_tolerances(case: Case, errors_of_case: Errors) -> dict[str, Any]:
    """The tolerance of each field in double precision, with the reason: 1e-12, relative to numbers above 1, or more."""
    tolerance = {}
    for field, units in errors_of_case.units.items():
        lowest = 1e-12 * max(1.0, largest(case["expected"][field]))
        why = f"{units:.2g} times 2^-53, from the spread of noisy runs; {lowest:.2g} at least"
        absolute = max(lowest, float(f"{units * DOUBLE:.2g}"))
        tolerance[field] = {"absolute": absolute, "why": why} if units else {"absolute": 0, "why": "exact"}
    return tolerance


def single_tolerances(case: Case, errors_of_case: Errors) -> dict[str, Any]:
    """The tolerance of each field in single precision and, if a right answer cannot be told, why it is `undecidable`.

    GUIDE.md says when it cannot be told. A fixed point has 2^-20 more, for sweeps that end when they change gamma by
    less than 2^-22.
    """
    tolerance: dict[str, Any] = {}
    why = ""
    for field, units in errors_of_case.units.items():
        tolerance[field] = float(f"{units * SINGLE + (END if case['operation'] == 'converged' else 0):.2g}")
        if units and not tells(tolerance[field], field, case):
            why = f"rounding errors grow by a factor of {units:.2g} and may change {field} by {tolerance[field]:.2g}"
    close = errors_of_case.undecided(SINGLE)
    if close is not None:
        why = f"a uniform number is {close:.2g} from a boundary between topics, which is within the rounding error"
    return {"undecidable": why, **tolerance} if why else tolerance


def tells(tolerance: float, field: str, case: Case) -> bool:
    """Whether a tolerance is so small that it tells right answers from wrong ones."""
    return tolerance <= LARGEST * max(largest(case["expected"][field]), field in AT_LEAST_ONE)


def flat(x: Any) -> list[Any]:
    """All numbers of nested lists."""
    return [v for entry in x for v in flat(entry)] if isinstance(x, list) else [x]


def largest(x: Any) -> float:
    """The largest finite absolute value."""
    return max((abs(float(v)) for v in flat(x) if math.isfinite(float(v))), default=0.0)


def _largest_difference(a: Any, b: Any) -> float:
    """The largest difference between the numbers of two answers; equal infinities do not differ."""
    pairs = zip(flat(a), flat(b), strict=True)
    return max((abs(x - y) if math.isfinite(x - y) else math.inf for x, y in pairs if x != y), default=0.0)
