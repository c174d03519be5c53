"""What a change is: other methods for those of the plain text, and a text that completes "... when".

`adding` finds the pairs of changes whose effects add up to a wrong answer, without trying all pairs.
"""

import math
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from ...plain import Algorithm, Floats, Running, class_of, is_large
from ..cases.loading import Case
from ..cases.noise import steps_by_logarithms

Row = list[float]
# Called as f(self, right, ...), where `right` is the method that it replaces. `partial` fixes what comes before `self`.
Method = Callable[..., Any]
Function = Callable[..., Any]  # the names of its parameters say what it is called with
# The sums of the three parts, of the last two and of all: N, the means, and V, the variances
MEANS = {"document": "N_jk", "word": "N_wk", "topic": "N_k", "topics": "each of N_wk and N_k",
         "all": "each of the three sums"}  # fmt: skip
VARIANCES = {part: name.replace("N", "V").replace("sums", "variances") for part, name in MEANS.items()}
TERMS = ("document", "word", "topic")


@dataclass(frozen=True, eq=False)
class Change:
    """A change of methods of the plain text.

    `methods` has the new methods by the names of the old ones, or the new values of attributes. `instead` is the
    algorithm that takes the place of the right one.
    """

    text: str  # it completes "your answers are what you get when"
    target: str  # what is changed; two changes of the same quantity are not composed
    methods: Mapping[str, Any]
    alone: bool = False  # whether it is never composed with another

    @cached_property
    def layer(self) -> type[Algorithm]:
        """A class with the new methods, to be put before that of a case."""
        return layer({method_name: method for method_name, method in self.methods.items() if method_name != "instead"})


class Changed(Algorithm):
    """What all changed algorithms have in common. It comes before the right algorithm."""

    def __init__(self, case: Case, arithmetic: Floats) -> None:
        self.left_of: dict[tuple[str, int], list[tuple[int, Any]]] = {}
        super().__init__(self.changed(case), arithmetic)
        self.sum_alpha, self.sum_eta = self.sums_of_prior()

    def changed(self, case: Case) -> Case:
        """The case that is evaluated."""
        return case

    def prior(self) -> tuple[Row, list[Row]]:
        """The prior; a single number of it is read once for all words, because that takes less time."""
        alpha, eta = self.case["prior"]["alpha"], self.case["prior"]["eta"]
        if isinstance(eta, list):
            return super().prior()
        return self.vector(alpha, self.K), [self.vector(eta, self.K)] * self.W

    def sums_of_prior(self) -> tuple[float, Row]:
        """The sums of alpha over topics and of eta over words."""
        return self.sum_alpha, self.sum_eta

    def left(self, part: str, i: int) -> list[tuple[int, Any]]:
        """Each row and how many of its tokens remain, made once, because it is the same for all topics and sweeps."""
        if (part, i) not in self.left_of:
            self.left_of[part, i] = super().left(part, i)
        return self.left_of[part, i]

    def expectation(self, f: Callable[[int], Any], p: Row) -> Any:
        """E[f(n)] without the values that n cannot have: with a prior of 0, their logarithm may be infinite."""
        return self.sum(probability * f(n) for n, probability in enumerate(p) if probability)


def changed(case: Case, arithmetic: Floats, changes: Iterable[Change], *layers: type[Algorithm]) -> Algorithm:
    """The plain text with some changes, at work on a case. The methods of the layers come before the changed ones."""
    algorithm_class = class_of(case)
    for change in changes:
        algorithm_class = change.methods.get("instead", algorithm_class)
        layers = (*layers, change.layer)
    form = (Running,) if is_large(case) else steps_by_logarithms(case)
    return type("Changed", (*layers, Changed, *form, algorithm_class), {})(case, arithmetic)


def layer(methods: Mapping[str, Any]) -> type[Algorithm]:
    """A class with some methods, to be put before that of a case."""
    layer_class = type("Layer", (Algorithm,), {})
    for method_name, method in methods.items():
        setattr(layer_class, method_name, _method(layer_class, method_name, method) if callable(method) else method)
    return layer_class


def _method(layer_class: type, method_name: str, new_method: Method) -> Method:
    return lambda self, *arguments: new_method(self, getattr(super(layer_class, self), method_name), *arguments)


def for_part(part: str, f: Method) -> Method:
    """A change of a method for one of the three parts, for `topics`, those of words and topics, or for all."""
    term_names = {"topics": ("word", "topic"), "all": TERMS}.get(part, (part,))
    return lambda self, right, term, *place: f(self, right, term, *place) if term in term_names else right(term, *place)


def of_result(change_of_result: Callable[[Any, Any], Any]) -> Method:
    """A function of what a method gives."""
    return lambda self, right, *arguments: change_of_result(self, right(*arguments))


def under(self: Any, right: Method, *arguments: Any, **attributes: Any) -> Any:
    """What a method gives while some attributes have other values."""
    attributes |= {"left_of": {}} if "n" in attributes else {}
    old_attributes = {attribute: getattr(self, attribute, None) for attribute in attributes}
    vars(self).update(attributes)
    try:
        return right(*arguments)
    finally:
        vars(self).update(old_attributes)


def of_table(
    entries: Mapping[Any, Any], quantity: str, method: str, text: str = "{}", adapter: Method | None = None,
    part: str = "", alone: bool = False,
) -> Iterator[Change]:  # fmt: skip
    """The changes of one method, for one part as in `for_part`; `text` has a place for the names of the entries.

    The entries are the new methods or, if `adapter` is given, the first argument of it.
    """
    for name, entry in entries.items():
        new_method = partial(adapter, entry) if adapter else entry
        yield Change(text.format(name), quantity, {method: for_part(part, new_method) if part else new_method}, alone)


def with_entry(entries: Iterable[Any], place: int, entry_change: Callable[[Any], Any]) -> tuple[Any, ...]:
    """The entries; `entry_change` of the one at a place stands for it."""
    return tuple(entry_change(entry) if position == place else entry for position, entry in enumerate(entries))


def share(numbers: Row) -> Row:
    total = sum(numbers)
    return [number / total for number in numbers]


def softmax(x: Row) -> Row:
    return share([math.exp(number - max(x)) for number in x])


def in_single(x: float, struct_code: str = "f") -> float:
    """The nearest number of single precision; of half precision if the code is "e"."""
    try:
        return float(struct.unpack(struct_code, struct.pack(struct_code, x))[0])
    except OverflowError:
        return math.copysign(math.inf, x)


# Pairs whose effects add up -------------------------------------------------------------------------------------------

Answered = Any  # has the attributes `case` and `answer`
Effects = dict[str, tuple[Change, list[Any]]]  # changes by their texts, and what they make of the first cases


def adding(active_effects: Effects, first_answers: Sequence[Answered]) -> Iterator[tuple[Change, Change]]:
    """Pairs of changes whose effects on the logarithms of weights, but for a constant, add up to the wrong answers."""
    if not all("gamma_k" in answered.case["expected"] for answered in first_answers):
        return
    wanted_logs = [log for answered in first_answers for log in _logs(answered.case, answered.answer) or ()]
    changes_of: dict[tuple[float, ...], list[Change]] = {}
    for change, answers in active_effects.values():
        change_logs = [v for a, answer in zip(first_answers, answers, strict=True) for v in _logs(a.case, answer) or ()]
        if len(change_logs) == len(wanted_logs):
            missing = tuple(round(w - log, 6) + 0.0 for log, w in zip(change_logs, wanted_logs, strict=True))
            yield from ((partner, change) for partner in changes_of.get(missing, ()) if partner.target != change.target)
            changes_of.setdefault(tuple(round(log, 6) + 0.0 for log in change_logs), []).append(change)


def _logs(case: Case, answer: Any) -> list[float] | None:
    """By how much the logarithms of weights differ, but for their mean; None if one of the weights is 0."""
    got_k, right_k = (answer or {}).get("gamma_k", ()), case["expected"]["gamma_k"]
    if len(got_k) != len(right_k) or not all(isinstance(number, float) and number > 0 for number in (*got_k, *right_k)):
        return None
    log_ratios = [math.log(got / right) for got, right in zip(got_k, right_k, strict=True)]
    return [number - sum(log_ratios) / len(log_ratios) for number in log_ratios]
