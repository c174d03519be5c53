"""Grading an exercise: a function that computes one quantity is asked some inputs, and its error is named.

The errors are those of `exercises.toml`. An error changes the text of the right answer. It is named if the changed
text gives all numbers of the function, right and wrong. If no single error does, two together are tried.
"""

import inspect
import itertools
import math
import statistics
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import cache
from typing import Any, NamedTuple

from ..plain.numbers import digamma
from .asking.written import as_json
from .cases.closeness import brief, cut, entries, form_fault, number
from .cases.loading import FOLDER
from .changes.change import share, softmax

ACCURACY = 1e-9  # relative above 1, because log Gamma and digamma may come from any library
NEARLY = 1e-4  # relative
SAID = 2  # the most explanations of the same numbers
FEWEST = 3  # results from which an error is named
SLOW = 0.005  # seconds for a short list, beyond which a long one is not asked: the time may double with each number
Arguments = dict[str, Any]  # by their names
Answer = Callable[..., Any]
Changes = Sequence[str]  # texts, each followed by what stands in its place
Error = tuple[str, ...]  # the sentences of errors that are made together


class Input(NamedTuple):
    """What a function is asked. The advice is for a function whose only fault is the range of floating point."""

    kind: str
    arguments: Arguments
    advice: str
    is_long: bool


class Exercise(NamedTuple):
    """The right answer as code, what is asked, and the errors: sentences with their changes of the code."""

    equation: str
    chapter: str
    code: str
    inputs: list[Input]
    errors: Mapping[str, Changes]

    def changes(self, error: Error) -> Changes:
        """Those of errors that are made together."""
        return [*itertools.chain.from_iterable(self.errors[sentence] for sentence in error)]


class Outcome(NamedTuple):
    """What a function gave for an input. The fault says why its result cannot be compared with the expected one."""

    asked: Input
    expected: Any
    result: Any
    fault: str

    @property
    def passed(self) -> bool:
        """Whether the result is right."""
        return not self.fault and _agree(self.result, self.expected)


def grade(function: Answer, idea: str) -> str:
    """Says whether a function computes the quantity of an exercise, or what its error is.

    `idea` is the name of an exercise. An error is named if it leads to all numbers that the function gives, right and
    wrong. Without one, it is said how the numbers differ, and which argument the error depends on.
    """
    if idea not in exercises():
        raise ValueError(f"idea is {idea!r}, expected one of {', '.join(exercises())}")
    exercise, name = exercises()[idea], getattr(function, "__name__", "the function")
    try:
        outcomes = [*_outcomes(function, name, exercise)]
    except NotImplementedError:
        return f"Not written yet: {name} raises NotImplementedError."
    about = f"({exercise.equation}; chapter {exercise.chapter})"
    faults = [x for x in outcomes if x.fault]
    failed = [x for x in outcomes if not x.passed and not x.fault]
    lines = [f"Wrong for {len(failed + faults)} of {len(outcomes)} inputs {about}."]
    if not failed and not faults:
        lines = [f"Right: {name} gives the expected result for all {len(outcomes)} inputs {about}."]
    if faults:
        first = faults[0]
        lines.append(f"No comparison for {len(faults)} of them, the first with {first.asked.kind}: {first.fault}.")
        lines.append(_shown(first.asked))
    errors = _explanations(exercise, outcomes) if failed else []
    if failed:
        subject = "Its other numbers" if faults else "Its numbers"
        if errors:
            sentences = "; or when ".join(map(", and when ".join, errors))
            lines.append(f"{subject} are those that one gets when {sentences}.")
        else:
            relation = _relation(outcomes)
            lines += [relation] if relation else _dependence(function, exercise, outcomes)
        lines.append(_difference(name, failed[0]))
    lines += _advice(exercise, outcomes, errors)
    if len(outcomes) < len(exercise.inputs):
        slow = exercise.inputs[len(outcomes) - 1].kind, exercise.inputs[len(outcomes)].kind
        lines.append(f"{slow[0]} took more than {SLOW} seconds, so {slow[1]} were not tried.")
    return "\n".join(lines)


# The exercises --------------------------------------------------------------------------------------------------------


@cache
def exercises() -> Mapping[str, Exercise]:
    """The exercises by their ideas."""
    table = tomllib.loads((FOLDER / "exercises.toml").read_text("utf-8"))
    shared = table.pop("shared")
    return {idea: _exercise(entry, shared) for idea, entry in table.items()}


def _exercise(entry: Mapping[str, Any], shared: Mapping[str, Any]) -> Exercise:
    """An exercise with the errors that it shares with others, and with its own names of the counts."""
    tables = [*(shared[name]["errors"] for name in entry.get("shared", ())), entry["errors"]]
    renamed = [[text.replace("N_", entry.get("prefix", "N_")) for text in x] for x in itertools.chain(*tables)]
    code = entry["code"].replace("N_", entry.get("prefix", "N_"))
    names = [*inspect.signature(compiled(code)).parameters]
    inputs = [_input(x, names) for x in entry["inputs"]]
    return Exercise(entry["equation"], entry["chapter"], code, inputs, {x[0]: x[1:] for x in renamed})


def _input(entry: Mapping[str, Any], names: Sequence[str]) -> Input:
    """An input with its arguments, which its entry has in their order; a long one repeats a list."""
    values = [x for name, x in entry.items() if name not in ("kind", "advice", "times")]
    values = [x * entry.get("times", 1) if isinstance(x, list) else x for x in values]
    return Input(entry["kind"], dict(zip(names, values, strict=True)), entry.get("advice", ""), "times" in entry)


def compiled(code: str) -> Answer:
    """The function `answer` of some code of `exercises.toml`."""
    scope: dict[str, Any] = {**FUNCTIONS}
    exec(code, scope)
    return scope["answer"]


def changed(code: str, changes: Changes) -> str | None:
    """The code with some changes, or None if it does not have their texts."""
    for before, after in zip(changes[::2], changes[1::2], strict=True):
        if before not in code:
            return None
        code = code.replace(before, after)
    return code


FUNCTIONS = {
    "columns": lambda table: [list(x) for x in zip(*table, strict=True)],
    "log": lambda x: math.log(x) if x else -math.inf,
    "logsumexp": lambda x: max(x) + math.log(sum(math.exp(v - max(x)) for v in x)),
    "psi": lambda x: digamma(x) if x > 0 else -math.inf if x == 0 else math.nan,
    "share": share, "softmax": softmax, "accumulate": itertools.accumulate, "mean": statistics.fmean,
    **{name: getattr(math, name) for name in ("exp", "gamma", "lgamma", "log2", "log10", "sqrt")},
}  # fmt: skip

# Asking ---------------------------------------------------------------------------------------------------------------


def _outcomes(function: Answer, name: str, exercise: Exercise) -> Iterator[Outcome]:
    right, seconds = compiled(exercise.code), 0.0
    for asked in exercise.inputs:
        if asked.is_long and seconds > SLOW:
            return
        expected, values = right(*asked.arguments.values()), deepcopy([*asked.arguments.values()])
        result, fault, before = None, "", time.process_time()
        try:
            result = as_json(function(*values))
        except NotImplementedError:
            raise
        except Exception as error:
            fault = f"{name} raised {type(error).__name__}: {cut(str(error)) or 'it gives no reason'}"
            fault += "; its arguments are lists and numbers, no arrays" if isinstance(error, TypeError) else ""
        seconds = time.process_time() - before
        mutated = [x for x, v in zip(asked.arguments, values, strict=True) if as_json(v) != asked.arguments[x]]
        if not fault and (form := form_fault({"the result": expected}, {"the result": result})):
            fault = form.replace("null", "None")
        elif not fault and not _are_finite(result):
            fault = f"{name} returned {brief(result).replace('NaN', 'nan')}, which is not finite"
        elif not fault and mutated:
            fault = f"{name} changes {mutated[0]}, which belongs to its caller"
        yield Outcome(asked, expected, result, fault)


def _result(answer: Answer, arguments: Arguments, expected: Any) -> Any:
    """A result of the form of the expected one in finite numbers, or None."""
    try:
        result = as_json(answer(*deepcopy([*arguments.values()])))
    except Exception:
        return None
    return None if form_fault({"": expected}, {"": result}) or not _are_finite(result) else result


def _are_finite(x: Any) -> bool:
    return all(map(_are_finite, x)) if isinstance(x, list) else not isinstance(x, str) and math.isfinite(x)


def _pairs(result: Any, expected: Any) -> list[tuple[float, float]]:
    return [(got, right) for *_, right, got in entries(expected, result, "")]


def _agree(result: Any, expected: Any) -> bool:
    return result is not None and all(abs(x - y) <= ACCURACY * max(1.0, abs(y)) for x, y in _pairs(result, expected))


# Explaining -----------------------------------------------------------------------------------------------------------


def _explanations(exercise: Exercise, outcomes: Sequence[Outcome]) -> list[Error]:
    """The errors that give all numbers: single ones, or else pairs."""
    compared = sorted((x for x in outcomes if not x.fault), key=lambda x: x.passed)
    if len(compared) < FEWEST:
        return []
    for size in (1, 2):
        orders = [*itertools.permutations(exercise.errors, size)]  # one error can change what the other one has put in
        versions = {changed(exercise.code, exercise.changes(error)): error for error in reversed(orders)}
        explaining = [error for code, error in versions.items() if code and _gives(compiled(code), compared)]
        if explaining := [*{frozenset(error): error for error in explaining}.values()]:
            return explaining if len(explaining) <= SAID else []
    return []


def _gives(version: Answer, compared: Sequence[Outcome]) -> bool:
    return all(_agree(_result(version, x.asked.arguments, x.expected), x.result) for x in compared)


def _relation(outcomes: Sequence[Outcome]) -> str:
    """What all numbers have in common with the right ones."""
    pairs = [_pairs(x.result, x.expected) for x in outcomes if not x.fault]
    if all(max(abs(got - right) for got, right in x) < NEARLY * max(abs(right) for _, right in x) for x in pairs):
        return "All its numbers are right to four digits or more. Perhaps a function in it is not accurate."
    if len(pairs) < FEWEST or not all(right for x in pairs for _, right in x):
        return ""
    factors = [[got / right for got, right in x] for x in pairs]
    if _are_equal([*itertools.chain(*factors)]):
        return f"Each of its numbers is {factors[0][0]:.6g} times the right one."
    if all(map(_are_equal, factors)) and max(map(len, factors)) > 1:
        return "The numbers of each result are right but for one factor, which they share."
    amounts = [got - right for x in pairs for got, right in x]
    return f"Each of its numbers is the right one plus {amounts[0]:.6g}." if _are_equal(amounts) else ""


def _are_equal(x: Sequence[float]) -> bool:
    return max(x) - min(x) <= ACCURACY * max(map(abs, x))


def _dependence(function: Answer, exercise: Exercise, outcomes: Sequence[Outcome]) -> Iterator[str]:
    """The arguments whose numbers can all be replaced by 0, or by 1, so that the function is right for all inputs."""
    answer = compiled(exercise.code)
    for name in outcomes[0].asked.arguments:
        harmless = []
        for value in (0, 1):
            inputs = [x.asked.arguments | {name: _filled(x.asked.arguments[name], value)} for x in outcomes]
            expected = [_result(answer, y, x.expected) for x, y in zip(outcomes, inputs, strict=True)]
            pairs = zip(inputs, expected, strict=True)
            if None not in expected and all(_agree(_result(function, y, right), right) for y, right in pairs):
                harmless.append(str(value))
        if harmless:
            yield f"If all numbers of {name} are replaced by {' or by '.join(harmless)}, it is right for all inputs."


def _filled(x: Any, value: float) -> Any:
    return [_filled(part, value) for part in x] if isinstance(x, list) else value


def _difference(name: str, outcome: Outcome) -> str:
    numbers = entries({"": outcome.expected}, {"": outcome.result})
    index, right, got = next(x[1:] for x in numbers if not _agree(x[3], x[2]))
    place = "".join(f"[{i}]" for i in index)
    values = f"{name}(...){place} is {number(got)}, expected {number(right)}"
    return f"The first difference, with {outcome.asked.kind}: {values}. The arguments:\n{_shown(outcome.asked)}"


def _shown(asked: Input) -> str:
    """The arguments line by line."""
    return "\n".join(f"    {name} = {cut(str(x))}" for name, x in asked.arguments.items())


def _advice(exercise: Exercise, outcomes: Sequence[Outcome], errors: Sequence[Error]) -> list[str]:
    """What helps if only the inputs with advice have faults that the named error does not have there, too."""
    left = [x for x in outcomes if not x.passed and (x.fault or not errors)]
    versions = [compiled(changed(exercise.code, exercise.changes(error)) or "") for error in errors or [()]]
    for x in left[:1] if all(x.asked.advice for x in left) else ():
        if all(_result(version, x.asked.arguments, x.expected) is not None for version in versions):
            return [f"For {x.asked.kind}: {x.asked.advice}"]
    return []
