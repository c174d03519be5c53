"""The answers of a port, which is asked its cases one after the other, or in batches.

A program gets all cases as one batch. A batch of a function has cases of one form: their names, their sizes and the
shapes of their arrays are equal. It is a case in which every array and number has a first axis.
"""

import json
import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Any

from ..cases.closeness import cut, entries, grouped, tolerance_of
from ..cases.loading import Case
from ..diagnosing.naming import Asked
from .program import Program
from .written import PortError, as_json

Port = Callable[[Case], Any]
Answers = Iterator[tuple[Any, float]]  # for each case, its answer or a PortError, and the seconds that it took
SHARED_FIELDS = {  # what the cases of a batch have in common, and is not stacked
    "version", "algorithm", "operation", "schedule", "start", "of", "K", "D", "W", "blocks", "inner", "sweeps",
    "iterations", "burn_in", "leapfrogs", "words", "draws",
}  # fmt: skip


def asking(port: Port | Sequence[str], timeout: float) -> AbstractContextManager[Callable[..., Any]]:
    """What is called to ask a port. The command of a program is started, and ended afterwards."""
    if isinstance(port, Program):
        return nullcontext(port)
    if callable(port):
        return nullcontext(lambda case, timeout=None: as_json(port(case)))
    return Program(port, timeout)


def in_turn(ask: Callable[..., Any], cases: Sequence[Case], budget: float) -> Answers:
    """The answers of a port that is asked one case after the other."""
    deadline = time.perf_counter() + budget
    for case in cases:
        start_time = time.perf_counter()
        yield attempt(ask, case, deadline - start_time, budget), time.perf_counter() - start_time


def attempt(ask: Callable[..., Any], case: Case, seconds_left: float = math.inf, budget: float = math.inf) -> Any:
    """The answer to a case, or a PortError if there is none in the seconds that are left of the budget."""
    if seconds_left <= 0:
        return PortError(f"not asked: the budget of {budget:g} s for all cases is used up")
    timeout = None
    if isinstance(ask, Program):
        case_timeout = _timeout_of(ask, case)
        timeout = case_timeout if case_timeout <= seconds_left else max(0.1, round(seconds_left, 1))
    try:
        return ask(json.loads(json.dumps(case)), timeout=timeout)
    except PortError as error:
        return error
    except (Exception, SystemExit) as error:
        return PortError(f"raised {type(error).__name__}: {cut(str(error))}")


def _timeout_of(program: Program, case: Case) -> float:
    return program.timeout * (10 if case["operation"] == "sample" else 1)


def in_batches(ask: Callable[..., Any], cases: Sequence[Case], budget: float) -> Answers:
    """The answers of a port that is asked batches, and for each case an equal share of all seconds."""
    start_time, answer_of_id = time.perf_counter(), dict[str, Any]()
    if isinstance(ask, Program):
        try:
            answer_of_id = ask.batch(cases, min(budget, sum(_timeout_of(ask, case) for case in cases)))
        except PortError as error:  # it cannot be started
            answer_of_id = dict.fromkeys((case["id"] for case in cases), error)
    else:
        for batch in batches(cases):
            answer = attempt(ask, stacked(batch), start_time + budget - time.perf_counter(), budget)
            answer_of_id |= unstacked(answer, [case["id"] for case in batch])
    seconds_of_case = (time.perf_counter() - start_time) / len(cases)
    yield from ((answer_of_id[case["id"]], seconds_of_case) for case in cases)


def batches(cases: Sequence[Case]) -> list[list[Case]]:
    """The cases in batches of one form; those of `reject`, whose arrays may have any form, stand alone."""
    form_cases = grouped(cases, lambda case: case["id"] if case["operation"] == "reject" else json.dumps(_form(case)))
    return list(form_cases.values())


def _form(x: Any, field_name: str = "") -> Any:
    if isinstance(x, dict):
        return {field: _form(v, field) for field, v in sorted(x.items()) if field not in ("id", "tags", "flags")}
    return x if field_name in SHARED_FIELDS else [_form(content) for content in x] if isinstance(x, list) else None


def stacked(cases: Sequence[Case]) -> Case:
    """The cases of a batch as one, in which every array and number has a first axis."""
    batch = {}
    for field, example in cases[0].items():
        column = [case[field] for case in cases]
        batch[field] = example if field in SHARED_FIELDS else stacked(column) if isinstance(example, dict) else column
    return batch


def unstacked(answer: Any, ids: Sequence[str]) -> dict[str, Any]:
    """The answer to each case of a batch, by its id. A text, such as the reason of a skip, is the answer to all."""
    if not isinstance(answer, dict):
        return dict.fromkeys(ids, answer)
    columns = {field: [column] * len(ids) if isinstance(column, str) else column for field, column in answer.items()}
    for field in (field for field, x in columns.items() if not isinstance(x, list) or len(x) != len(ids)):
        fault_text = f"the answer's {cut(str(field), 40)} has no first axis of {len(ids)}, the number of cases"
        return dict.fromkeys(ids, PortError(fault_text))
    return {id: {"id": id} | {field: x[index] for field, x in columns.items()} for index, id in enumerate(ids)}


# Answers that vary from run to run: those of races, and of sums in no fixed order ------------------------------------

VARYING_SUFFIX = "; the answers vary from run to run"  # the end of the reason of a failed case


def combined(rounds: Sequence[Sequence[Asked]]) -> tuple[list[Asked], str]:
    """Each case with the first of its answers that failed, or the first of all, and what is said of those that vary."""
    cases, variations = [], []
    for answers in zip(*rounds, strict=True):
        case, answer, result = next((asked for asked in answers if asked.result.status == "failed"), answers[0])
        largest_share, variation_text = variation(answers)
        if variation_text:
            variations.append((largest_share, f"; most of all {case['id']}: {variation_text}"))
            result = result._replace(reason=result.reason + (VARYING_SUFFIX if result.status == "failed" else ""))
        cases.append(Asked(case, answer, result))
    claim = f"asked {len(rounds)} times, {len(variations)} of {len(cases)} cases have answers that vary from run to run"
    return cases, claim + max(variations, default=(0.0, ""))[1]


def variation(answers: Sequence[Asked]) -> tuple[float, str]:
    """How far apart answers to one case are at most, in tolerances and in words; 0 and "" if they are equal.

    Answers without numbers vary if their statuses do.
    """
    case, statuses = answers[0].case, dict.fromkeys(a.result.status for a in answers)
    if case["operation"] in ("reject", "sample") or not all(a.result.passed or a.result.field for a in answers):
        return (math.inf, " and ".join(statuses)) if len(statuses) > 1 else (0.0, "")
    shares_and_texts, tolerances = [(0.0, "")], tolerance_of(case)
    for number_entries in zip(*(entries(case["expected"], a.answer) for a in answers), strict=True):
        field, index, *_ = number_entries[0]
        if width := _width([number for *_, number in number_entries]):
            share = width / tolerances[field] if tolerances[field] else math.inf
            share_text = f", {share:.2g} of its tolerance" if tolerances[field] else ""
            shares_and_texts.append((share, f"{field}{[*index] or ''} varies by {width:.2g}{share_text}"))
    return max(shares_and_texts)


def _width(numbers: Sequence[Any]) -> float:
    """The largest number less the smallest; infinite if they differ and one is not finite."""
    with suppress(OverflowError):  # an integer beyond all floats
        float_numbers = [float(number) for number in numbers]
        if all(map(math.isfinite, float_numbers)):
            return max(float_numbers) - min(float_numbers)
        return 0.0 if len(set(map(repr, float_numbers))) == 1 else math.inf
    return math.inf
