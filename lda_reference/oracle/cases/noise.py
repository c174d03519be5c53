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
from ...plain.vb_steps import EStep

NOISE_SIZE = 1e-9  # of the noise, relative to each number
SEEDS = (1, 2)  # of the runs in each form
SPREAD_FACTOR = 12  # how much larger an error may be than the largest spread
MANY_TOKENS = 100  # tokens, beyond which one seed does
MAX_SWEEPS = 100  # to a fixed point, the most in any case
LEAST_UNITS = 4  # units of roundoff of the largest number of a field: the least error, however small the spread


class Draw(NamedTuple):
    """A draw of a topic: the weights, their sum, the uniform number and the topic."""

    weights: Row
    total: Number
    u: Number
    topic: int

    def boundaries(self) -> Row:
        """The partial sums between topics, as shares of the last one."""
        return [partial_sum / self.total for partial_sum in itertools.accumulate(self.weights[:-1])]

    def exact(self) -> bool:
        """Whether every binary arithmetic meets a boundary exactly, because the weights are powers of two."""
        return all(math.frexp(x)[0] in (0, 0.5) for x in self.weights) and math.frexp(self.u)[0] in (0, 0.5, 0.75)


class Watched(Algorithm):
    """Notes the draws and the answer, and counts the sweeps to a fixed point; more than 100 are a ValueError.

    If it has a leader, it draws the topics of that run, and takes as many sweeps.
    """

    right: dict[str, Any]
    leader: Watched | None = None

    def __init__(self, case: Case, arithmetic: Floats) -> None:
        self.draws: list[Draw] = []
        self.sweeps = 0
        super().__init__(case, arithmetic)

    def drawn(self, x: Row, u: Number) -> int:
        self.draws.append(Draw(x, self.sum(x), u, super().drawn(x, u)))
        return (self.leader or self).draws[len(self.draws) - 1].topic

    def settled(self, old: Rows, new: Rows) -> bool:
        self.sweeps += 1
        if self.sweeps > MAX_SWEEPS:
            raise ValueError(f"{MAX_SWEEPS} sweeps do not reach a fixed point")
        is_settled = super().settled(old, new)
        return is_settled if self.leader is None else self.sweeps >= self.leader.sweeps


class Backwards(Algorithm):
    """Sums are added from their last term on."""

    def sum(self, terms: Iterable[Number]) -> Number:
        return super().sum(reversed(list(terms)))


class Logarithms(Algorithm):
    """The terms of an update are logarithms, which are added; the largest sum is subtracted."""

    def weights(self, gamma: Rows, i: int) -> Row:
        log_weights = super().weights(gamma, i)
        return [self.exp(log_weight - max(log_weights)) for log_weight in log_weights]

    def weight(self, gamma: Rows, i: int, k: int) -> Number:
        gamma_of_topics = gamma if self.held is None else self.held
        log_document, log_word = self.log(self.document(gamma, i, k)), self.log(self.word(gamma_of_topics, i, k))
        return log_document + log_word - self.log(self.topic(gamma_of_topics, i, k))


class LogarithmsOfSteps(EStep):
    """In the steps of VB the exponents are added, and the largest sum is subtracted, if all products of a row are 0."""

    def responsibilities(self, alpha_jk: Rows, topics: Rows) -> Rows:
        with contextlib.suppress(ZeroDivisionError):
            return super().responsibilities(alpha_jk, topics)
        E_log_theta, E_log_phi = self.E_log_theta(alpha_jk), self.E_log_phi(self.given("eta_wk"))
        log_weights = [
            [a + b for a, b in zip(E_log_theta[j], E_log_phi[w], strict=True)]
            for j, w in zip(self.j, self.w, strict=True)
        ]
        return [self.normalised([self.exp(x - max(row)) for x in row]) for row in log_weights]


Form = tuple[type[Algorithm], ...]


def steps_by_logarithms(case: Case) -> Form:
    """`LogarithmsOfSteps`, if the case asks for a step of VB."""
    return (LogarithmsOfSteps,) if issubclass(class_of(case), EStep) else ()


def forms(case: Case) -> list[Form]:
    """The forms in which a case is answered; `algorithm` keeps running sums of large corpora in all of them."""
    sum_forms: list[Form] = [(Backwards,)] if is_large(case) else [(), (Backwards,), (Running,)]
    is_plain = class_of(case).weight is Algorithm.weight  # logarithms do not replace the weights of another form
    return [*sum_forms, (*(steps_by_logarithms(case) or (Logarithms,)), Running)] if is_plain else sum_forms


class Errors(NamedTuple):
    """The answer in double precision, and how far rounding may move it, in units of roundoff."""

    right: dict[str, Any]
    units: dict[str, float]  # the largest error of each field; 0 for whole numbers
    # For each boundary of each draw its distance from the uniform number, its error, and whether it is met exactly
    draws: list[tuple[float, float, bool]]

    def undecided(self, roundoff: float, margin: float = 0.0) -> float | None:
        """The least distance of a uniform number from a boundary that is within its error, or None."""
        gaps = (d for d, units, exact in self.draws if d <= max(units * roundoff, margin) and not (exact and d == 0))
        return min(gaps, default=None)


def errors(case: Case) -> Errors:
    """How far rounding may move the answer of a case.

    The exact run is the first that gives numbers: products underflow for a thousand topics. The noisy runs are two of
    each form, or one where the corpus is large.
    """
    exact_run = next(filter(None, (_run(case, float, form) for form in forms(case))), None)
    if exact_run is None:
        raise ValueError(f"{case.get('id')}: all weights of a row are 0 in double precision")
    answer, bounds_of_draw = exact_run.right, [draw.boundaries() for draw in exact_run.draws]
    shifts_of_draw = [[0.0] * len(bounds) for bounds in bounds_of_draw]
    spreads = dict.fromkeys(answer, 0.0)
    noise_seeds = SEEDS[:1] if sum(case["corpus"]["n"]) > MANY_TOKENS else SEEDS
    numbered_runs = enumerate(itertools.product(forms(case), noise_seeds))
    noisy_runs = (_run(case, Noisy(10 * i + seed, NOISE_SIZE), form, exact_run) for i, (form, seed) in numbered_runs)
    for run in filter(None, noisy_runs):
        spreads = {field: max(x, _largest_difference(answer[field], run.right[field])) for field, x in spreads.items()}
        for shifts, moved_draw, bounds in zip(shifts_of_draw, run.draws, bounds_of_draw, strict=True):
            shifts[:] = [max(m, abs(a - b)) for m, a, b in zip(shifts, moved_draw.boundaries(), bounds, strict=True)]
    units_of_field = dict.fromkeys(answer, 0.0)
    for field, x in answer.items():
        if not all(isinstance(v, int) for v in flat(x)):
            units_of_field[field] = max(SPREAD_FACTOR * spreads[field] / NOISE_SIZE, LEAST_UNITS * largest(x))
    draws = [
        (abs(boundary - draw.u), max(SPREAD_FACTOR * shift / NOISE_SIZE, LEAST_UNITS), draw.exact())
        for draw, bounds, shifts in zip(exact_run.draws, bounds_of_draw, shifts_of_draw, strict=True)
        for boundary, shift in zip(bounds, shifts, strict=True)
    ]
    return Errors(answer, units_of_field, draws)


def _run(case: Case, arithmetic: Any, form: Form, leader: Watched | None = None) -> Watched | None:
    """The run in a form; None if it gives no numbers."""
    watched_run = algorithm(case, arithmetic, *form, Watched)
    assert isinstance(watched_run, Watched)
    watched_run.leader = leader
    with contextlib.suppress(ZeroDivisionError):
        watched_run.right = watched_run.answer()
        return watched_run
    return None


# Tolerances ----------------------------------------------------------------------------------------------------------

DOUBLE, SINGLE = 2.0**-53, 2.0**-24  # the roundoff
END_GAP = 2.0**-20  # of the distance to a fixed point that sweeps leave, each of which takes off a fifth of it or more
LARGEST_SHARE = 0.01  # a tolerance in single precision, as a share of the largest number of its field
# Fields of which this number is at least 1
LARGE_FIELDS = ("bound", "log_joint", "log_density", "log_evidence", "coherence", "cosine", "sine")


def double_tolerances(case: Case, errors_of_case: Errors) -> dict[str, Any]:
    """The tolerance of each field in double precision, with the reason: 1e-12, relative to numbers above 1, or more."""
    tolerance_of_field = {}
    for field, units in errors_of_case.units.items():
        least_tolerance = 1e-12 * max(1.0, largest(case["expected"][field]))
        reason = f"{units:.2g} times 2^-53, from the spread of noisy runs; {least_tolerance:.2g} at least"
        absolute = max(least_tolerance, float(f"{units * DOUBLE:.2g}"))
        tolerance_of_field[field] = {"absolute": absolute, "why": reason} if units else {"absolute": 0, "why": "exact"}
    return tolerance_of_field


def single_tolerances(case: Case, errors_of_case: Errors) -> dict[str, Any]:
    """The tolerance of each field in single precision and, if a right answer cannot be told, why it is `undecidable`.

    GUIDE.md says when it cannot be told. A fixed point has 2^-20 more, for sweeps that end when they change gamma by
    less than 2^-22.
    """
    tolerances: dict[str, Any] = {}
    cause = ""
    for field, units in errors_of_case.units.items():
        tolerances[field] = float(f"{units * SINGLE + (END_GAP if case['operation'] == 'converged' else 0):.2g}")
        if units and not tells(tolerances[field], field, case):
            cause = f"rounding errors grow by a factor of {units:.2g} and may change {field} by {tolerances[field]:.2g}"
    u_margin = errors_of_case.undecided(SINGLE)
    if u_margin is not None:
        cause = f"a uniform number is {u_margin:.2g} from a boundary between topics, which is within the rounding error"
    return {"undecidable": cause, **tolerances} if cause else tolerances


def tells(tolerance: float, field: str, case: Case) -> bool:
    """Whether a tolerance is so small that it tells right answers from wrong ones."""
    return tolerance <= LARGEST_SHARE * max(largest(case["expected"][field]), field in LARGE_FIELDS)


def flat(nested_lists: Any) -> list[Any]:
    """All numbers of nested lists."""
    return [v for entry in nested_lists for v in flat(entry)] if isinstance(nested_lists, list) else [nested_lists]


def largest(nested_numbers: Any) -> float:
    """The largest finite absolute value."""
    return max((abs(float(number)) for number in flat(nested_numbers) if math.isfinite(float(number))), default=0.0)


def _largest_difference(first_answer: Any, second_answer: Any) -> float:
    """The largest difference between the numbers of two answers; equal infinities do not differ."""
    number_pairs = zip(flat(first_answer), flat(second_answer), strict=True)
    return max((abs(x - y) if math.isfinite(x - y) else math.inf for x, y in number_pairs if x != y), default=0.0)
