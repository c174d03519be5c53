"""Grading an exercise: a function that computes one quantity is asked some inputs, and its error is named.

An error of `exercises.toml` changes the text of the right answer. It is named if the changed text gives all numbers
of the function, right and wrong. If no single error does, two together are tried.
"""

import inspect
import itertools
import math
import statistics
import sys
import time
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
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
FEWEST = 3  # results from which an error is named
SLOW = 0.005  # seconds for a short list, beyond which a long one is not asked: the time may double with each number
CORPUS = ("j", "w", "n")  # the arguments that stay whole numbers
OF_ARRAYS = " if it is an array: numpy.asarray does not copy it, and x -= y or x[k] = y changes it in place"
FLOATS = "If the arguments are floats, it is right: an array made of whole numbers cuts off fractions; use dtype=float."
ARRAYS = "The arguments are lists, which must first be converted by numpy.asarray(..., dtype=float)."
Arguments = dict[str, Any]  # by their names
Answer = Callable[..., Any]
Changes = Sequence[tuple[str, str]]  # texts, each with what stands in its place
Error = tuple[str, ...]  # the sentences of errors that are made together


class Input(NamedTuple):
    """What a function is asked. The advice is for a function that is wrong for such inputs alone."""

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

    def version(self, error: Error) -> str:
        """The code with the changes of errors that are made together, or no code if it does not have their texts."""
        code = self.code
        for before, after in itertools.chain(*map(self.errors.__getitem__, error)):
            if before not in code:
                return ""
            code = code.replace(before, after)
        return code


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
    outcomes = [*_outcomes(function, exercise)]
    if any(x.fault.startswith("it raised NotImplementedError") for x in outcomes):
        return f"Not written yet: {name} raises NotImplementedError."
    about = f"({exercise.equation}; chapter {exercise.chapter})"
    faults = [x for x in outcomes if x.fault]
    failed = [x for x in outcomes if not x.passed and not x.fault]
    tried, untried = len(outcomes), exercise.inputs[len(outcomes) :]
    all_tried = f"Right: {name} gives the expected result for all {tried}"
    verdict = f"Right for {tried} of {len(exercise.inputs)}" if untried else all_tried
    lines = [f"{f'Wrong for {len(faults + failed)} of {tried}' if faults or failed else verdict} inputs {about}."]
    if faults:
        which = f"{len(faults)} inputs were not compared. The first" if faults[1:] else "One input was not compared"
        lines += [f"{which}: with {faults[0].asked.kind}, {faults[0].fault}.", _shown(faults[0].asked)]
    conversion = _conversion(function, outcomes)
    errors = _explanations(exercise, outcomes) if failed and not conversion else []
    advice = conversion or _advice(exercise, faults if errors else faults + failed, errors)
    if errors:
        sentences = "; or when ".join(map(", and when ".join, errors))
        lines.append(f"Its {'other ' if faults else ''}numbers are those that one gets when {sentences}.")
    elif failed and not advice:
        relation = _relation(outcomes)
        lines += [relation] if relation else _dependence(function, exercise, outcomes)
    lines += [*(_difference(name, x) for x in failed[:1]), advice]
    for asked in untried:
        slow = f"{outcomes[-1].asked.kind} took more than {SLOW} seconds"
        lines.append(f"It is too slow for {asked.kind}, which were not tried: {slow}. {asked.advice}")
    return "\n".join(filter(None, lines))


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
    errors = {x[0]: [*zip(x[1::2], x[2::2], strict=True)] for x in renamed}
    inputs = [_input(x, inspect.signature(compiled(code)).parameters) for x in entry["inputs"]]
    return Exercise(entry["equation"], entry["chapter"], code, inputs, errors)


def _input(entry: Mapping[str, Any], names: Iterable[str]) -> Input:
    """An input with its arguments, which its entry has in their order; a long one repeats a list."""
    values = [x for name, x in entry.items() if name not in ("kind", "advice", "times")]
    values = [x * entry.get("times", 1) if isinstance(x, list) else x for x in values]
    return Input(entry["kind"], dict(zip(names, values, strict=True)), entry.get("advice", ""), "times" in entry)


def compiled(code: str) -> Answer:
    """The function `answer` of some code of `exercises.toml`."""
    scope: dict[str, Any] = {**FUNCTIONS}
    exec(code, scope)
    return scope["answer"]


FUNCTIONS = {
    "columns": lambda table: [list(x) for x in zip(*table, strict=True)],
    "log": lambda x: math.log(x) if x else -math.inf,
    "logsumexp": lambda x: max(x) + math.log(sum(math.exp(v - max(x)) for v in x)),
    "psi": lambda x: digamma(x) if x > 0 else -math.inf if x == 0 else math.nan,
    "share": share, "softmax": softmax, "accumulate": itertools.accumulate, "mean": statistics.fmean,
    **{name: getattr(math, name) for name in ("exp", "gamma", "lgamma", "log2", "log10", "sqrt")},
}  # fmt: skip


def _outcomes(function: Answer, exercise: Exercise) -> Iterator[Outcome]:
    right, seconds = compiled(exercise.code), 0.0
    for asked in exercise.inputs:
        if asked.is_long and seconds > SLOW:
            return
        expected, before = right(*asked.arguments.values()), time.process_time()
        result, fault = _called(function, asked.arguments, expected)
        seconds = time.process_time() - before
        fault = fault or _mutated(function, asked.arguments, _agree(result, expected))
        yield Outcome(asked, expected, result, fault)


def _called(function: Answer, arguments: Arguments, expected: Any) -> tuple[Any, str]:
    """A result of the form of the expected one in finite numbers, or None and what is wrong."""
    try:
        result = as_json(function(*deepcopy([*arguments.values()])))
    except Exception as error:
        return None, f"it raised {type(error).__name__}: {cut(str(error)) or 'it gives no reason'}"
    if form := form_fault({"the result": expected}, {"the result": result}):
        return None, form.replace("null", "None").replace("a list of", "a list of length")
    if not all(math.isfinite(float(got)) for got, _ in _pairs(result, expected)):
        return None, f"it returned {brief(result)}, which is not finite".replace("NaN", "nan").replace('"', "")
    return result, ""


def _mutated(function: Answer, arguments: Arguments, is_right: bool) -> str:
    """The first argument that a function changes, or that it changes if lists are arrays, although it is right."""
    for values, how in ((deepcopy(arguments), ""), (_in_floats(arguments, True), OF_ARRAYS))[: 1 + is_right]:
        with suppress(Exception):
            function(*values.values())
        for name, x in values.items():
            if as_json(x) != arguments[name]:
                return f"it changes {name}{how or ', which belongs to its caller'}"
    return ""


def _in_floats(arguments: Arguments, in_arrays: bool) -> Arguments:
    """The arguments in floats; also in arrays if NumPy is there, as it is for a function that uses arrays."""
    array = getattr(sys.modules.get("numpy"), "array", list) if in_arrays else list
    floats = {name: x if name in CORPUS else _mapped(float, x) for name, x in arguments.items()}
    return {name: array(x) if isinstance(x, list) else x for name, x in floats.items()}


def _mapped(function: Callable[[float], float], x: Any) -> Any:
    return [_mapped(function, part) for part in x] if isinstance(x, list) else function(x)


def _pairs(result: Any, expected: Any) -> list[tuple[float, float]]:
    return [(got, right) for *_, right, got in entries(expected, result, "")]


def _agree(result: Any, expected: Any) -> bool:
    return result is not None and all(abs(x - y) <= ACCURACY * max(1.0, abs(y)) for x, y in _pairs(result, expected))


def _gives(function: Answer, results: Iterable[tuple[Arguments, Any]]) -> bool:
    return all(_agree(_called(function, arguments, x)[0], x) for arguments, x in results)


def _explanations(exercise: Exercise, outcomes: Sequence[Outcome]) -> list[Error]:
    """The errors that give all numbers: single ones, or else pairs."""
    compared = [(x.asked.arguments, x.result) for x in sorted(outcomes, key=lambda x: x.passed) if not x.fault]
    if len(compared) < FEWEST:
        return []
    for size in (1, 2):
        orders = [*itertools.permutations(exercise.errors, size)]  # one error can change what the other one has put in
        versions = {exercise.version(error): error for error in reversed(orders)}
        explaining = [error for code, error in versions.items() if code and _gives(compiled(code), compared)]
        if explaining := [*{frozenset(error): error for error in explaining}.values()]:
            return explaining if len(explaining) <= 2 else []
    return []


def _relation(outcomes: Sequence[Outcome]) -> str:
    """What all numbers have in common with the right ones."""
    pairs = [_pairs(x.result, x.expected) for x in outcomes if not x.fault]
    if all(abs(got - right) <= NEARLY * abs(right) for x in pairs for got, right in x):
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
        for value, fill in (("0", lambda _: 0), ("1", lambda _: 1)):
            inputs = [x.asked.arguments | {name: _mapped(fill, x.asked.arguments[name])} for x in outcomes]
            results = [_called(answer, y, x.expected)[0] for x, y in zip(outcomes, inputs, strict=True)]
            if None not in results and _gives(function, zip(inputs, results, strict=True)):
                harmless.append(value)
        if harmless:
            change = f"If all numbers of {name} are replaced by {' or by '.join(harmless)}, it is right for all inputs"
            yield f"{change}, so the mistake shows only where these numbers differ."


def _difference(name: str, outcome: Outcome) -> str:
    index, right, got = next(x[1:] for x in entries(outcome.expected, outcome.result, "") if not _agree(x[3], x[2]))
    place = "".join(f"[{i}]" for i in index)
    values = f"{name}(...){place} is {number(got)}, expected {number(right)}"
    return f"The first difference, with {outcome.asked.kind}: {values}. The arguments:\n{_shown(outcome.asked)}"


def _shown(asked: Input) -> str:
    return "\n".join(f"    {name} = {cut(str(x))}" for name, x in asked.arguments.items())


def _conversion(function: Answer, outcomes: Sequence[Outcome]) -> str:
    """What to do if a function is wrong for lists alone, or for lists of whole numbers."""
    wrong = [x for x in outcomes if not _agree(x.result, x.expected)]
    for sentence, in_arrays in ((FLOATS, False), (ARRAYS, True)):
        inputs = [(_in_floats(x.asked.arguments, in_arrays), x.expected) for x in wrong]
        raising = [y for x, y in zip(wrong, inputs, strict=True) if in_arrays and x.result is None]
        if (wrong and _gives(function, inputs)) or any(_called(function, *x)[0] is not None for x in raising):
            return sentence
    return ""


def _advice(exercise: Exercise, left: Sequence[Outcome], errors: Sequence[Error]) -> str:
    """What the inputs have in common for which errors are no explanation."""
    versions = [compiled(exercise.version(error)) for error in errors or [()]]
    results = [_called(version, x.asked.arguments, x.expected)[0] for x in left for version in versions]
    if left and all(x is None for x in results):
        return "With this error, the inputs that were not compared have no finite results."
    if left and all(x.asked.advice for x in left) and None not in results[: len(versions)]:
        return f"For {left[0].asked.kind}: {left[0].asked.advice}"
    return ""
