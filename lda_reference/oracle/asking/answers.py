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
SHARED = {  # what the cases of a batch have in common, and is not stacked
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
    end = time.perf_counter() + budget
    for case in cases:
        start = time.perf_counter()
        yield attempt(ask, case, end - start, budget), time.perf_counter() - start


def attempt(ask: Callable[..., Any], case: Case, left: float = math.inf, budget: float = math.inf) -> Any:
    """The answer to a case, or a PortError if there is none in the seconds that are left of the budget."""
    if left <= 0:
        return PortError(f"not asked: the budget of {budget:g} s for all cases is used up")
    timeout = None
    if isinstance(ask, Program):
        longest = _longest(ask, case)
        timeout = longest if longest <= left else max(0.1, round(left, 1))
    try:
        return ask(json.loads(json.dumps(case)), timeout=timeout)
    except PortError as error:
        return error
    except (Exception, SystemExit) as error:
        return PortError(f"raised {type(error).__name__}: {cut(str(error))}")


def _longest(program: Program, case: Case) -> float:
    """The seconds that a program has for a case."""
    return program.timeout * (10 if case["operation"] == "sample" else 1)


def in_batches(ask: Callable[..., Any], cases: Sequence[Case], budget: float) -> Answers:
    """The answers of a port that is asked batches, and for each case an equal share of all seconds."""
    start, answers = time.perf_counter(), dict[str, Any]()
    if isinstance(ask, Program):
        try:
            answers = ask.batch(cases, min(budget, sum(_longest(ask, case) for case in cases)))
        except PortError as error:  # it cannot be started
            answers = dict.fromkeys((case["id"] for case in cases), error)
    else:
        for batch in batches(cases):
            answer = attempt(ask, stacked(batch), start + budget - time.perf_counter(), budget)
            answers |= unstacked(answer, [case["id"] for case in batch])
    seconds = (time.perf_counter() - start) / len(cases)
    yield from ((answers[case["id"]], seconds) for case in cases)


def batches(cases: Sequence[Case]) -> list[list[Case]]:
    """The cases in batches of one form; those of `reject`, whose arrays may have any form, stand alone."""
    by_form = grouped(cases, lambda x: x["id"] if x["operation"] == "reject" else json.dumps(_form(x)))
    return list(by_form.values())


def _form(x: Any, name: str = "") -> Any:
    if isinstance(x, dict):
        return {field: _form(v, field) for field, v in sorted(x.items()) if field not in ("id", "tags", "flags")}
    return x if name in SHARED else [_form(value) for value in x] if isinstance(x, list) else None


def stacked(cases: Sequence[Case]) -> Case:
    """The cases of a batch as one, in which every array and number has a first axis."""
    batch = {}
    for name, first in cases[0].items():
        values = [case[name] for case in cases]
        batch[name] = first if name in SHARED else stacked(values) if isinstance(first, dict) else values
    return batch


def unstacked(answer: Any, ids: Sequence[str]) -> dict[str, Any]:
    """The answer to each case of a batch, by its id. A text, such as the reason of a skip, is the answer to all."""
    if not isinstance(answer, dict):
        return dict.fromkeys(ids, answer)
    columns = {name: [x] * len(ids) if isinstance(x, str) else x for name, x in answer.items()}
    for name in (name for name, x in columns.items() if not isinstance(x, list) or len(x) != len(ids)):
        fault = f"the answer's {cut(str(name), 40)} has no first axis of {len(ids)}, the number of cases"
        return dict.fromkeys(ids, PortError(fault))
    return {id: {"id": id} | {name: x[b] for name, x in columns.items()} for b, id in enumerate(ids)}


# Answers that vary from run to run: those of races, and of sums in no fixed order ------------------------------------

VARIES = "; the answers vary from run to run"  # the end of the reason of a failed case


def combined(rounds: Sequence[Sequence[Asked]]) -> tuple[list[Asked], str]:
    """Each case with the first of its answers that failed, or the first of all, and what is said of those that vary."""
    asked, varying = [], []
    for answers in zip(*rounds, strict=True):
        case, answer, result = next((a for a in answers if a.result.status == "failed"), answers[0])
        share, about = variation(answers)
        if about:
            varying.append((share, f"; most of all {case['id']}: {about}"))
            result = result._replace(reason=result.reason + (VARIES if result.status == "failed" else ""))
        asked.append(Asked(case, answer, result))
    counts = f"asked {len(rounds)} times, {len(varying)} of {len(asked)} cases have answers that vary from run to run"
    return asked, counts + max(varying, default=(0.0, ""))[1]


def variation(answers: Sequence[Asked]) -> tuple[float, str]:
    """How far apart answers to one case are at most, in tolerances and in words; 0 and "" if they are equal.

    Answers without numbers vary if their statuses do.
    """
    case, statuses = answers[0].case, dict.fromkeys(a.result.status for a in answers)
    if case["operation"] in ("reject", "sample") or not all(a.result.passed or a.result.field for a in answers):
        return (math.inf, " and ".join(statuses)) if len(statuses) > 1 else (0.0, "")
    widths, tolerances = [(0.0, "")], tolerance_of(case)
    for numbers in zip(*(entries(case["expected"], a.answer) for a in answers), strict=True):
        name, index, *_ = numbers[0]
        if width := _width([x for *_, x in numbers]):
            share = width / tolerances[name] if tolerances[name] else math.inf
            of_tolerance = f", {share:.2g} of its tolerance" if tolerances[name] else ""
            widths.append((share, f"{name}{[*index] or ''} varies by {width:.2g}{of_tolerance}"))
    return max(widths)


def _width(numbers: Sequence[Any]) -> float:
    """The largest number less the smallest; infinite if they differ and one is not finite."""
    with suppress(OverflowError):  # an integer beyond all floats
        values = [float(x) for x in numbers]
        if all(map(math.isfinite, values)):
            return max(values) - min(values)
        return 0.0 if len(set(map(repr, values))) == 1 else math.inf
    return math.inf
