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
LOOSE_ACCURACY = 1e-4  # relative
MIN_RESULTS = 3  # results from which an error is named
SLOW_SECONDS = 0.005  # for a short list, beyond which a long one is not asked: the time may double with each number
WHOLE_NUMBERED = ("j", "w", "n")  # the arguments that stay whole numbers
CHANGED_ARRAY = " if it is an array: numpy.asarray does not copy it, and x -= y or x[k] = y changes it in place"
FLOATS = "If the arguments are floats, it is right: an array made of whole numbers cuts off fractions; use dtype=float."
ARRAY_ADVICE = "The arguments are lists, which must first be converted by numpy.asarray(..., dtype=float)."
Arguments = dict[str, Any]  # by their names
Function = Callable[..., Any]
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
        for old_text, new_text in itertools.chain(*map(self.errors.__getitem__, error)):
            if old_text not in code:
                return ""
            code = code.replace(old_text, new_text)
        return code


class Outcome(NamedTuple):
    """What a function gave for an input. The fault says why its result cannot be compared with the expected one."""

    query: Input
    expected: Any
    output: Any
    fault: str

    @property
    def passed(self) -> bool:
        return not self.fault and _agree(self.output, self.expected)


def grade(function: Function, idea: str) -> str:
    """Says whether a function computes the quantity of an exercise, or what its error is.

    `idea` is the name of an exercise. An error is named if it leads to all numbers that the function gives, right and
    wrong. Without one, it is said how the numbers differ, and which argument the error depends on.
    """
    if idea not in exercises():
        raise ValueError(f"idea is {idea!r}, expected one of {', '.join(exercises())}")
    exercise, function_name = exercises()[idea], getattr(function, "__name__", "the function")
    outcomes = [*_outcomes(function, exercise)]
    if any(outcome.fault.startswith("it raised NotImplementedError") for outcome in outcomes):
        return f"Not written yet: {function_name} raises NotImplementedError."
    source = f"({exercise.equation}; chapter {exercise.chapter})"
    faults = [outcome for outcome in outcomes if outcome.fault]
    failed = [outcome for outcome in outcomes if not outcome.passed and not outcome.fault]
    n_tried, untried_inputs = len(outcomes), exercise.inputs[len(outcomes) :]
    all_right_text = f"Right: {function_name} gives the expected result for all {n_tried}"
    verdict = f"Right for {n_tried} of {len(exercise.inputs)}" if untried_inputs else all_right_text
    lines = [f"{f'Wrong for {len(faults + failed)} of {n_tried}' if faults or failed else verdict} inputs {source}."]
    if faults:
        subject = f"{len(faults)} inputs were not compared. The first" if faults[1:] else "One input was not compared"
        lines += [f"{subject}: with {faults[0].query.kind}, {faults[0].fault}.", _shown(faults[0].query)]
    conversion_advice = _conversion(function, outcomes)
    errors = _explanations(exercise, outcomes) if failed and not conversion_advice else []
    advice = conversion_advice or _advice(exercise, faults if errors else faults + failed, errors)
    if errors:
        sentences = "; or when ".join(map(", and when ".join, errors))
        lines.append(f"Its {'other ' if faults else ''}numbers are those that one gets when {sentences}.")
    elif failed and not advice:
        relation = _relation(outcomes)
        lines += [relation] if relation else _dependence(function, exercise, outcomes)
    lines += [*(_difference(function_name, x) for x in failed[:1]), advice]
    for slow_input in untried_inputs:
        slow_text = f"{outcomes[-1].query.kind} took more than {SLOW_SECONDS} seconds"
        lines.append(f"It is too slow for {slow_input.kind}, which were not tried: {slow_text}. {slow_input.advice}")
    return "\n".join(filter(None, lines))


@cache
def exercises() -> Mapping[str, Exercise]:
    """The exercises by their ideas."""
    exercise_table = tomllib.loads((FOLDER / "exercises.toml").read_text("utf-8"))
    shared_tables = exercise_table.pop("shared")
    return {idea: _exercise(entry, shared_tables) for idea, entry in exercise_table.items()}


def _exercise(entry: Mapping[str, Any], shared_tables: Mapping[str, Any]) -> Exercise:
    """An exercise with the errors that it shares with others, and with its own names of the counts."""
    error_lists = [*(shared_tables[table_name]["errors"] for table_name in entry.get("shared", ())), entry["errors"]]
    error_texts = [[text.replace("N_", entry.get("prefix", "N_")) for text in x] for x in itertools.chain(*error_lists)]
    code = entry["code"].replace("N_", entry.get("prefix", "N_"))
    errors = {x[0]: [*zip(x[1::2], x[2::2], strict=True)] for x in error_texts}
    inputs = [_input(x, inspect.signature(compiled(code)).parameters) for x in entry["inputs"]]
    return Exercise(entry["equation"], entry["chapter"], code, inputs, errors)


def _input(entry: Mapping[str, Any], params: Iterable[str]) -> Input:
    """An input with its arguments, which its entry has in their order; a long one repeats a list."""
    arguments = [x for key, x in entry.items() if key not in ("kind", "advice", "times")]
    arguments = [x * entry.get("times", 1) if isinstance(x, list) else x for x in arguments]
    return Input(entry["kind"], dict(zip(params, arguments, strict=True)), entry.get("advice", ""), "times" in entry)


def compiled(code: str) -> Function:
    """The function `answer` of some code of `exercises.toml`."""
    namespace: dict[str, Any] = {**FUNCTIONS}
    exec(code, namespace)
    return namespace["answer"]


FUNCTIONS = {
    "columns": lambda table: [list(x) for x in zip(*table, strict=True)],
    "log": lambda x: math.log(x) if x else -math.inf,
    "logsumexp": lambda x: max(x) + math.log(sum(math.exp(v - max(x)) for v in x)),
    "psi": lambda x: digamma(x) if x > 0 else -math.inf if x == 0 else math.nan,
    "share": share, "softmax": softmax, "accumulate": itertools.accumulate, "mean": statistics.fmean,
    **{name: getattr(math, name) for name in ("exp", "gamma", "lgamma", "log2", "log10", "sqrt")},
}  # fmt: skip


def _outcomes(function: Function, exercise: Exercise) -> Iterator[Outcome]:
    right_function, cpu_seconds = compiled(exercise.code), 0.0
    for query in exercise.inputs:
        if query.is_long and cpu_seconds > SLOW_SECONDS:
            return
        expected, start_time = right_function(*query.arguments.values()), time.process_time()
        output, fault = _call(function, query.arguments, expected)
        cpu_seconds = time.process_time() - start_time
        fault = fault or _mutation(function, query.arguments, _agree(output, expected))
        yield Outcome(query, expected, output, fault)


def _call(function: Function, arguments: Arguments, expected: Any) -> tuple[Any, str]:
    """A result of the form of the expected one in finite numbers, or None and what is wrong."""
    try:
        output = as_json(function(*deepcopy([*arguments.values()])))
    except Exception as error:
        return None, f"it raised {type(error).__name__}: {cut(str(error)) or 'it gives no reason'}"
    if form_error := form_fault({"the result": expected}, {"the result": output}):
        return None, form_error.replace("null", "None").replace("a list of", "a list of length")
    if not all(math.isfinite(float(number)) for number, _ in _pairs(output, expected)):
        return None, f"it returned {brief(output)}, which is not finite".replace("NaN", "nan").replace('"', "")
    return output, ""


def _mutation(function: Function, arguments: Arguments, is_right: bool) -> str:
    """The first argument that a function changes, or that it changes if lists are arrays, although it is right."""
    for copies, hint in ((deepcopy(arguments), ""), (_in_floats(arguments, True), CHANGED_ARRAY))[: 1 + is_right]:
        with suppress(Exception):
            function(*copies.values())
        for name, x in copies.items():
            if as_json(x) != arguments[name]:
                return f"it changes {name}{hint or ', which belongs to its caller'}"
    return ""


def _in_floats(arguments: Arguments, in_arrays: bool) -> Arguments:
    """The arguments in floats; also in arrays if NumPy is there, as it is for a function that uses arrays."""
    to_array = getattr(sys.modules.get("numpy"), "array", list) if in_arrays else list
    floats = {name: x if name in WHOLE_NUMBERED else _mapped(float, x) for name, x in arguments.items()}
    return {name: to_array(x) if isinstance(x, list) else x for name, x in floats.items()}


def _mapped(function: Callable[[float], float], x: Any) -> Any:
    return [_mapped(function, entry) for entry in x] if isinstance(x, list) else function(x)


def _pairs(output: Any, expected: Any) -> list[tuple[float, float]]:
    return [(got, right) for *_, right, got in entries(expected, output, "")]


def _agree(output: Any, expected: Any) -> bool:
    return output is not None and all(abs(x - y) <= ACCURACY * max(1.0, abs(y)) for x, y in _pairs(output, expected))


def _gives(function: Function, expected_outputs: Iterable[tuple[Arguments, Any]]) -> bool:
    return all(_agree(_call(function, arguments, x)[0], x) for arguments, x in expected_outputs)


def _explanations(exercise: Exercise, outcomes: Sequence[Outcome]) -> list[Error]:
    """The errors that give all numbers: single ones, or else pairs."""
    examples = [(x.query.arguments, x.output) for x in sorted(outcomes, key=lambda x: x.passed) if not x.fault]
    if len(examples) < MIN_RESULTS:
        return []
    for n_errors in (1, 2):
        trials = [*itertools.permutations(exercise.errors, n_errors)]  # one error can change what another has put in
        error_of_code = {exercise.version(error): error for error in reversed(trials)}
        explanations = [error for code, error in error_of_code.items() if code and _gives(compiled(code), examples)]
        if explanations := [*{frozenset(error): error for error in explanations}.values()]:
            return explanations if len(explanations) <= 2 else []
    return []


def _relation(outcomes: Sequence[Outcome]) -> str:
    """What all numbers have in common with the right ones."""
    pairs = [_pairs(outcome.output, outcome.expected) for outcome in outcomes if not outcome.fault]
    if all(abs(got - right) <= LOOSE_ACCURACY * abs(right) for x in pairs for got, right in x):
        return "All its numbers are right to four digits or more. Perhaps a function in it is not accurate."
    if len(pairs) < MIN_RESULTS or not all(right for x in pairs for _, right in x):
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


def _dependence(function: Function, exercise: Exercise, outcomes: Sequence[Outcome]) -> Iterator[str]:
    """The arguments whose numbers can all be replaced by 0, or by 1, so that the function is right for all inputs."""
    right_function = compiled(exercise.code)
    for argument in outcomes[0].query.arguments:
        fills = []
        for fill_text, fill in (("0", lambda _: 0), ("1", lambda _: 1)):
            inputs = [x.query.arguments | {argument: _mapped(fill, x.query.arguments[argument])} for x in outcomes]
            outputs = [_call(right_function, y, x.expected)[0] for x, y in zip(outcomes, inputs, strict=True)]
            if None not in outputs and _gives(function, zip(inputs, outputs, strict=True)):
                fills.append(fill_text)
        if fills:
            remark = f"If all numbers of {argument} are replaced by {' or by '.join(fills)}, it is right for all inputs"
            yield f"{remark}, so the mistake shows only where these numbers differ."


def _difference(function_name: str, outcome: Outcome) -> str:
    index, expected, got = next(x[1:] for x in entries(outcome.expected, outcome.output, "") if not _agree(x[3], x[2]))
    index_text = "".join(f"[{i}]" for i in index)
    remark = f"{function_name}(...){index_text} is {number(got)}, expected {number(expected)}"
    return f"The first difference, with {outcome.query.kind}: {remark}. The arguments:\n{_shown(outcome.query)}"


def _shown(query: Input) -> str:
    return "\n".join(f"    {name} = {cut(str(x))}" for name, x in query.arguments.items())


def _conversion(function: Function, outcomes: Sequence[Outcome]) -> str:
    """What to do if a function is wrong for lists alone, or for lists of whole numbers."""
    failures = [outcome for outcome in outcomes if not _agree(outcome.output, outcome.expected)]
    for sentence, in_arrays in ((FLOATS, False), (ARRAY_ADVICE, True)):
        examples = [(_in_floats(outcome.query.arguments, in_arrays), outcome.expected) for outcome in failures]
        unanswered = [y for x, y in zip(failures, examples, strict=True) if in_arrays and x.output is None]
        if (failures and _gives(function, examples)) or any(_call(function, *x)[0] is not None for x in unanswered):
            return sentence
    return ""


def _advice(exercise: Exercise, unexplained: Sequence[Outcome], errors: Sequence[Error]) -> str:
    """What the inputs have in common for which errors are no explanation."""
    variants = [compiled(exercise.version(error)) for error in errors or [()]]
    outputs = [_call(variant, x.query.arguments, x.expected)[0] for x in unexplained for variant in variants]
    if unexplained and all(x is None for x in outputs):
        return "With this error, the inputs that were not compared have no finite results."
    if unexplained and all(outcome.query.advice for outcome in unexplained) and None not in outputs[: len(variants)]:
        return f"For {unexplained[0].query.kind}: {unexplained[0].query.advice}"
    return ""
