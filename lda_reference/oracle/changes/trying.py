"""What the plain text answers with some changes, beside the answer of a port."""

import math
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

from ...plain import Algorithm, Floats, is_large
from ...plain.numbers import digamma
from ..cases.closeness import agrees, differs, tolerance_of
from ..cases.loading import Case
from . import in_answers, in_batches, in_functions, in_running, in_steps, in_sums, in_terms, in_values
from .change import Answered, Change, Method, Row, changed, layer

MOST_WORK = 60_000  # operations in the answer to a case that is searched
WIDE_WORK = 600_000  # in that to a failed case that is not searched, but to which what is found may give the answer
MAX_SWEEPS = 100  # to a fixed point, the most with changes
MULTIPLE, WORK_MARGIN = 5, 1000  # a change may take so many times the operations of the right answer, and so many more
WORK_OF_TRY = 400  # the operations that every answer takes besides
FAR_FACTOR = 10  # in single precision, the tolerances from the right answer beyond which a wrong one tells something
Composition = tuple[Change, ...]


@cache
def vocabulary() -> Composition:
    """All changes: those that may be composed come first, those of single numbers and functions alone last."""
    number_modules = in_values, in_sums, in_terms, in_functions
    change_modules = *number_modules, in_running, in_batches, in_steps, in_answers
    changes = [change for module in change_modules for change in module.changes()]
    number_prefixes = ("value", "digamma", "exp", "log")
    return tuple(sorted(changes, key=lambda change: (change.alone, change.target.startswith(number_prefixes))))


class Exhausted(Exception):
    """No more work may be done."""


class Counted(Floats):
    """Floats that count their operations; beyond the most, there is an OverflowError."""

    settled = Floats().settled

    def __init__(self, max_operations: float) -> None:
        self.left, self.number = max_operations, self.counted

    def spend(self, n_operations: float) -> None:
        """Count some operations, before they are done."""
        self.left -= n_operations
        if self.left < 0:
            raise OverflowError("a change takes too many operations")

    def counted(self, x: Any) -> float:
        """The number x, which is an operation."""
        self.spend(1)
        return float(x)

    def sum(self, terms: Iterable[float]) -> float:
        terms = list(terms)
        self.spend(len(terms) + 1)
        return sum(terms, 0.0)

    def log(self, x: float) -> float:
        self.spend(1)
        return super().log(x)

    def exp(self, x: float) -> float:
        self.spend(1)
        return math.exp(x)

    def digamma(self, x: float) -> float:
        self.spend(10 + max(0.0, -x))  # its recurrence begins at x
        return digamma(x)

    def log_gamma(self, x: float) -> float:
        self.spend(1)
        return math.lgamma(x)


class Work:
    """What may still be computed on one port, in operations of the plain text: the machine's speed decides nothing."""

    def __init__(self, max_operations: float = math.inf) -> None:
        self.left, self.floor = max_operations, -math.inf  # those that are left, and how many are kept for later
        self.spent, self.is_exhausted = 0.0, False
        self.costs: dict[int, tuple[Case, float, float]] = {}  # by the identity of a case, which is kept, to be unique
        self.methods: dict[int, set[str]] = {}  # what the right answers call, likewise
        self.answers: dict[tuple[Composition, int, bool], tuple[bool | None, float]] = {}

    def tried(self, case: Case, changes: Composition, *layers: type[Algorithm]) -> tuple[Any, bool]:
        """The answer with some changes, None if it has none, and whether no number is negative."""
        arithmetic = Counted(MULTIPLE * self.cost(case) + WORK_MARGIN)
        allowed_operations = arithmetic.left
        answer_and_legality = answer_with(case, changes, arithmetic, *(layers or (_NOTED,)))
        self.spend(allowed_operations - max(arithmetic.left, 0) + WORK_OF_TRY)
        return answer_and_legality

    def spend(self, n_operations: float) -> None:
        """Count some operations; Exhausted if no more may be done."""
        self.left -= n_operations
        self.spent += n_operations
        if self.left < self.floor:
            self.is_exhausted = True
            raise Exhausted

    def cost(self, case: Case, most: float = WIDE_WORK) -> float:
        """The operations in the right answer; infinitely many if it is not whole or, counted so far, above `most`."""
        _, cost, counted_to = self.costs.get(id(case), (case, math.inf, 0.0))
        if cost == math.inf and counted_to < most:
            arithmetic = Counted(most)
            answer, _ = answer_with(case, (), arithmetic, _NOTED)
            cost = math.inf if answer is None else most - arithmetic.left + WORK_OF_TRY
            self.costs[id(case)] = case, cost, most
        return cost

    def explains(self, composition: Composition, failed: Sequence[Answered], passed: Sequence[Case]) -> bool:
        """Whether a composition gives all wrong answers that it can, and the right ones where the port was right."""
        n_explained = 0
        for answered in failed:
            gives_answer = self.gives(composition, answered)
            if gives_answer is False:
                return False
            n_explained += bool(gives_answer)
        return 2 * n_explained > len(failed) and not any(self.contradicts(composition, case) for case in passed)

    def gives(self, composition: Composition, a: Answered) -> bool | None:
        """Whether a composition gives a wrong answer; None if it gives none, or another one with negative numbers."""
        return self._once((composition, id(a.case), True), lambda: self._gives(composition, a))

    def _once(self, question: tuple[Composition, int, bool], answer: Callable[[], bool | None]) -> bool | None:
        """The answer to a question, computed once; the work counts each time, so that it decides as without this."""
        if question in self.answers:
            self.spend(self.answers[question][1])
        else:
            spent_before = self.spent
            self.answers[question] = answer(), self.spent - spent_before
        return self.answers[question][0]

    def _gives(self, composition: Composition, a: Answered) -> bool | None:
        new_answer, is_legal = self.tried(a.case, composition)
        for variant in (new_answer,) if is_legal else (new_answer, self.tried(a.case, composition, _AT_LEAST_0)[0]):
            if variant is not None and isinstance(a.answer, dict) and agrees(variant, a.answer, tolerance_of(a.case)):
                return True
        return False if is_legal else None

    def contradicts(self, composition: Composition, case: Case) -> bool:
        """Whether a composition gives a wrong answer to a case."""
        return bool(self._once((composition, id(case), False), lambda: self._contradicts(composition, case)))

    def _contradicts(self, composition: Composition, case: Case) -> bool:
        new_answer, is_legal = self.tried(case, composition)
        return is_legal and differs(case, new_answer)


def usable(answered: Answered) -> bool:
    """Whether the plain text answers a case, and the port did not leave its row as it was."""
    return has_answer(answered.case) and not (isinstance(answered.answer, dict) and answered.answer.get("left"))


def tells(a: Answered) -> bool:
    """Whether a wrong answer tells something: in single precision, whether it is some tolerances from the right one."""
    limits = {field: FAR_FACTOR * x for field, x in tolerance_of(a.case).items()}
    return "double" not in a.case or not isinstance(a.answer, dict) or not agrees(a.case["expected"], a.answer, limits)


def has_answer(case: Case) -> bool:
    """Whether the plain text answers a case."""
    is_whole = case.keys() >= {"corpus", "prior", "K", "expected"}
    return is_whole and case["operation"] not in ("reject", "sample") and not is_large(case)


def size(case: Case) -> int:
    """The number of rows times that of topics; 0 if the case is not whole."""
    return len(case["corpus"]["n"]) * case["K"] if has_answer(case) else 0


def answer_with(case: Case, changes: Composition, arithmetic: Floats, *layers: type[Algorithm]) -> tuple[Any, bool]:
    """The answer of the plain text with some changes, None if it has none, and whether no number is negative."""
    try:
        changed_run = changed(case, arithmetic, changes, *layers)
        answer = mapped(spelled, changed_run.answer())
        gamma_rows = answer.get("gamma", [answer.get("gamma_k", [])])
        return answer, not (hasattr(changed_run, "negative") or any(number < 0 for row in gamma_rows for number in row))
    except (ArithmeticError, ValueError, AttributeError, LookupError, RuntimeError, StopIteration, TypeError):
        return None, False  # the changes make no sense here


def _noted(self: Any, right: Method, *arguments: Any) -> float:
    """A sum; it is noted if it is negative."""
    noted_sum = float(right(*arguments))
    if noted_sum < -1e-9:
        self.negative = True
    return noted_sum


def _settled(self: Any, right: Method, *arguments: Any) -> bool:
    self.sweeps = getattr(self, "sweeps", 0) + 1
    if self.sweeps > MAX_SWEEPS:
        raise ArithmeticError(f"{MAX_SWEEPS} sweeps do not reach a fixed point")
    return right(*arguments)


def _at_least_0(self: Any, right: Method, *arguments: Any) -> float:
    return max(float(right(*arguments)), 0.0)


def _counted_trials(self: Any, right: Method, trials: list[tuple[float, int]]) -> Row:
    self.numbers.spend(sum(max(n_tokens, 0) for _, n_tokens in trials) ** 2 / 8)
    return right(trials)


_COUNTED = {"settled": _settled, "distribution": _counted_trials}
_NOTED = layer({"N": _noted, "V": _noted, **_COUNTED})
_AT_LEAST_0 = layer({"N": _at_least_0, "V": _at_least_0, **_COUNTED})  # as where running sums are kept


def mapped(f: Callable[[Any], Any], x: Any) -> Any:
    """f of each number in an answer that is not a whole one."""
    return in_values.entrywise(lambda _, v: v if v is None or isinstance(v, (int, str)) else f(v), None, x)


def spelled(number: float) -> float | str:
    """A number as in the answers of ports."""
    number = float(number)
    return ("inf" if number > 0 else "-inf") if math.isinf(number) else number
