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
        changed_code = self.code
        for old_text, new_text in itertools.chain(*map(self.errors.__getitem__, error)):
            if old_text not in changed_code:
                return ""
            changed_code = changed_code.replace(old_text, new_text)
        return changed_code


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
    right_text = f"Right for {n_tried} of {len(exercise.inputs)}" if untried_inputs else all_right_text
    lines = [f"{f'Wrong for {len(faults + failed)} of {n_tried}' if faults or failed else right_text} inputs {source}."]
    if faults:
        subject = f"{len(faults)} inputs were not compared. The first" if faults[1:] else "One input was not compared"
        lines += [f"{subject}: with {faults[0].query.kind}, {faults[0].fault}.", _shown(faults[0].query)]
    conversion_advice = _conversion(function, outcomes)
    explanations = _explanations(exercise, outcomes) if failed and not conversion_advice else []
    advice_text = conversion_advice or _advice(exercise, faults if explanations else faults + failed, explanations)
    if explanations:
        sentences = "; or when ".join(map(", and when ".join, explanations))
        lines.append(f"Its {'other ' if faults else ''}numbers are those that one gets when {sentences}.")
    elif failed and not advice_text:
        relation_text = _relation(outcomes)
        lines += [relation_text] if relation_text else _dependence(function, exercise, outcomes)
    lines += [*(_difference(function_name, outcome) for outcome in failed[:1]), advice_text]
    for slow_input in untried_inputs:
        slow_text = f"{outcomes[-1].query.kind} took more than {SLOW_SECONDS} seconds"
        lines.append(f"It is too slow for {slow_input.kind}, which were not tried: {slow_text}. {slow_input.advice}")
    return "\n".join(filter(None, lines))


@cache
def exercises() -> Mapping[str, Exercise]:
    """The exercises by their ideas."""
    exercise_tables = tomllib.loads((FOLDER / "exercises.toml").read_text("utf-8"))
    shared_tables = exercise_tables.pop("shared")
    return {idea: _exercise(exercise_entry, shared_tables) for idea, exercise_entry in exercise_tables.items()}


def _exercise(entry: Mapping[str, Any], shared_tables: Mapping[str, Any]) -> Exercise:
    """An exercise with the errors that it shares with others, and with its own names of the counts."""
    error_lists = [*(shared_tables[table_name]["errors"] for table_name in entry.get("shared", ())), entry["errors"]]
    error_texts = [[text.replace("N_", entry.get("prefix", "N_")) for text in x] for x in itertools.chain(*error_lists)]
    code = entry["code"].replace("N_", entry.get("prefix", "N_"))
    changes_of_error = {texts[0]: [*zip(texts[1::2], texts[2::2], strict=True)] for texts in error_texts}
    inputs = [_input(input_entry, inspect.signature(compiled(code)).parameters) for input_entry in entry["inputs"]]
    return Exercise(entry["equation"], entry["chapter"], code, inputs, changes_of_error)


def _input(entry: Mapping[str, Any], params: Iterable[str]) -> Input:
    """An input with its arguments, which its entry has in their order; a long one repeats a list."""
    arguments = [argument for field, argument in entry.items() if field not in ("kind", "advice", "times")]
    arguments = [argument * entry.get("times", 1) if isinstance(argument, list) else argument for argument in arguments]
    return Input(entry["kind"], dict(zip(params, arguments, strict=True)), entry.get("advice", ""), "times" in entry)


def compiled(answer_code: str) -> Function:
    """The function `answer` of some code of `exercises.toml`."""
    code_namespace: dict[str, Any] = {**FUNCTIONS}
    exec(answer_code, code_namespace)
    return code_namespace["answer"]


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
        output, fault_text = _call(function, query.arguments, expected)
        cpu_seconds = time.process_time() - start_time
        fault_text = fault_text or _mutation(function, query.arguments, _agree(output, expected))
        yield Outcome(query, expected, output, fault_text)


def _call(function: Function, arguments: Arguments, expected: Any) -> tuple[Any, str]:
    """A result of the form of the expected one in finite numbers, or None and what is wrong."""
    try:
        output = as_json(function(*deepcopy([*arguments.values()])))
    except Exception as error:
        return None, f"it raised {type(error).__name__}: {cut(str(error)) or 'it gives no reason'}"
    if form_error := form_fault({"the result": expected}, {"the result": output}):
        return None, form_error.replace("null", "None").replace("a list of", "a list of length")
    if not all(math.isfinite(float(output_number)) for output_number, _ in _pairs(output, expected)):
        return None, f"it returned {brief(output)}, which is not finite".replace("NaN", "nan").replace('"', "")
    return output, ""


def _mutation(function: Function, arguments: Arguments, is_right: bool) -> str:
    """The first argument that a function changes, or that it changes if lists are arrays, although it is right."""
    for copied_args, hint in ((deepcopy(arguments), ""), (_in_floats(arguments, True), CHANGED_ARRAY))[: 1 + is_right]:
        with suppress(Exception):
            function(*copied_args.values())
        for argument_name, argument in copied_args.items():
            if as_json(argument) != arguments[argument_name]:
                return f"it changes {argument_name}{hint or ', which belongs to its caller'}"
    return ""


def _in_floats(arguments: Arguments, in_arrays: bool) -> Arguments:
    """The arguments in floats; also in arrays if NumPy is there, as it is for a function that uses arrays."""
    to_array = getattr(sys.modules.get("numpy"), "array", list) if in_arrays else list
    float_arguments = {name: arg if name in WHOLE_NUMBERED else _mapped(float, arg) for name, arg in arguments.items()}
    return {name: to_array(arg) if isinstance(arg, list) else arg for name, arg in float_arguments.items()}


def _mapped(function: Callable[[float], float], numbers: Any) -> Any:
    return [_mapped(function, entry) for entry in numbers] if isinstance(numbers, list) else function(numbers)


def _pairs(output: Any, expected: Any) -> list[tuple[float, float]]:
    return [(got, right) for *_, right, got in entries(expected, output, "")]


def _agree(output: Any, expected: Any) -> bool:
    return output is not None and all(abs(x - y) <= ACCURACY * max(1.0, abs(y)) for x, y in _pairs(output, expected))


def _gives(function: Function, expected_outputs: Iterable[tuple[Arguments, Any]]) -> bool:
    return all(_agree(_call(function, arguments, expected)[0], expected) for arguments, expected in expected_outputs)


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
    pair_lists = [_pairs(outcome.output, outcome.expected) for outcome in outcomes if not outcome.fault]
    if all(abs(got - right) <= LOOSE_ACCURACY * abs(right) for pairs in pair_lists for got, right in pairs):
        return "All its numbers are right to four digits or more. Perhaps a function in it is not accurate."
    if len(pair_lists) < MIN_RESULTS or not all(right for pairs in pair_lists for _, right in pairs):
        return ""
    factor_lists = [[got / right for got, right in pairs] for pairs in pair_lists]
    if _are_equal([*itertools.chain(*factor_lists)]):
        return f"Each of its numbers is {factor_lists[0][0]:.6g} times the right one."
    if all(map(_are_equal, factor_lists)) and max(map(len, factor_lists)) > 1:
        return "The numbers of each result are right but for one factor, which they share."
    differences = [got - right for pairs in pair_lists for got, right in pairs]
    return f"Each of its numbers is the right one plus {differences[0]:.6g}." if _are_equal(differences) else ""


def _are_equal(numbers: Sequence[float]) -> bool:
    return max(numbers) - min(numbers) <= ACCURACY * max(map(abs, numbers))


def _dependence(function: Function, exercise: Exercise, outcomes: Sequence[Outcome]) -> Iterator[str]:
    """The arguments whose numbers can all be replaced by 0, or by 1, so that the function is right for all inputs."""
    right_function = compiled(exercise.code)
    for argument in outcomes[0].query.arguments:
        fills = []
        for fill_text, filling in (("0", lambda _: 0), ("1", lambda _: 1)):
            inputs = [x.query.arguments | {argument: _mapped(filling, x.query.arguments[argument])} for x in outcomes]
            right_outputs = [_call(right_function, y, x.expected)[0] for x, y in zip(outcomes, inputs, strict=True)]
            if None not in right_outputs and _gives(function, zip(inputs, right_outputs, strict=True)):
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
    return "\n".join(f"    {name} = {cut(str(argument))}" for name, argument in query.arguments.items())


def _conversion(function: Function, outcomes: Sequence[Outcome]) -> str:
    """What to do if a function is wrong for lists alone, or for lists of whole numbers."""
    failures = [outcome for outcome in outcomes if not _agree(outcome.output, outcome.expected)]
    for advice_text, in_arrays in ((FLOATS, False), (ARRAY_ADVICE, True)):
        examples = [(_in_floats(outcome.query.arguments, in_arrays), outcome.expected) for outcome in failures]
        unanswered = [example for x, example in zip(failures, examples, strict=True) if in_arrays and x.output is None]
        if (failures and _gives(function, examples)) or any(_call(function, *x)[0] is not None for x in unanswered):
            return advice_text
    return ""


def _advice(exercise: Exercise, unexplained: Sequence[Outcome], errors: Sequence[Error]) -> str:
    """What the inputs have in common for which errors are no explanation."""
    functions = [compiled(exercise.version(error)) for error in errors or [()]]
    outputs = [_call(function, x.query.arguments, x.expected)[0] for x in unexplained for function in functions]
    if unexplained and all(output is None for output in outputs):
        return "With this error, the inputs that were not compared have no finite results."
    if unexplained and all(outcome.query.advice for outcome in unexplained) and None not in outputs[: len(functions)]:
        return f"For {unexplained[0].query.kind}: {unexplained[0].query.advice}"
    return ""
