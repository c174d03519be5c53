"""Checking a port with the test vectors.

A port is a callable from a case to an answer, or the command of a program that reads one JSON case per line and writes
one JSON answer per line. If it raises an error, ends or hangs, that case fails with the reason and the run continues.
"""

import itertools
import math
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..cases.loading import Case, at_precision, cases_to_ask, matches, names_in, question, sampler_cases, select
from ..diagnosing import describing
from ..diagnosing.naming import Asked, named
from ..fresh import making
from ..judging import levels
from ..judging import samplers as sampling
from ..judging.comparing import Result, compare, compared, envelope, outcome
from ..judging.reporting import Report, Said
from .answers import VARYING_SUFFIX, Port, asking, attempt, batches, combined, in_batches, in_turn
from .program import BUDGET, TIMEOUT, Program
from .written import PortError

MAX_RETRIED = 3  # the most failed cases that a program is asked again, each in a new process


def check(
    port: Port | Sequence[str],
    only: str | Iterable[str] | None = None,
    operation: str | None = None,
    timeout: float = TIMEOUT,
    samplers: bool = False,
    draws: int = sampling.DRAWS,
    seed: int = 0,
    given: Iterable[Case] | None = None,
    progress: Callable[[list[Case]], Iterable[Case]] = iter,
    fresh: int | None = None,
    precision: str = "double",
    require: str | Iterable[str] = (),
    level: int | None = None,
    budget: float = BUDGET,
    compose: bool = True,
    batch: bool = False,
    repeat: int = 1,
    large: bool = False,
) -> Report:
    """Check a port with the test vectors. `lda-reference oracle check` has the same options.

    Parameters
    ----------
    port : callable or sequence of str
        A function from a case (a dict) to its answer (a dict; arrays count as lists), or the command of a program.
    only, operation
        As in `cases`.
    timeout, budget : float
        The seconds that a program has for a case (ten times as many for the draws of a sampler), and those for all
        cases together, each time that they are asked. The cases that are left then fail.
    samplers : bool
        Whether to ask samplers for draws and test them; see the module `samplers`.
    draws, seed : int
        For the sampler test: the number of draws, and the seed that the port is sent. `seed` is also that of the
        fresh cases.
    given, fresh : iterable of cases, and int, optional
        Cases to ask instead of the package's, or the number of fresh cases to ask instead, see `fresh.making`.
    progress : callable, optional
        Wraps the list of cases, as tqdm does.
    precision : str
        In which the port computes: "double", "single", "tf32", "half" or "bfloat16"; or a list of these with the names
        of their parts, as in "double,vb=single,predict=tf32", of which the last one that fits a case decides.
    require : str or iterable of str
        Algorithms, operations or beginnings of ids whose cases must not be skipped: a skip is a failure.
    level : int, optional
        Ask only the cases of this level and of those below it, see the module `levels`. The top level asks samplers
        for draws.
    compose : bool
        Whether to search for small changes of the plain text that give wrong answers without a known mistake, which
        takes up to half a minute.
    batch : bool
        Whether to ask batches. A program gets all cases, then the end of its input, and may answer in any order. A
        function gets cases of one form as one, see the module `answers`, and answers with the fields of an answer, each
        with a first axis for the cases, or with a skip.
    repeat : int
        How often to ask all cases, a program each time in a new process. A case fails if one of its answers does, and
        a note says which answers vary.
    large : bool
        Whether to ask the cases of 100,000 rows, which are otherwise asked if `only` has their ids.

    Returns
    -------
    Report
        It is `ok` if some case passed and none failed. A ValueError says if no case is chosen or has a required name,
        or an argument is out of range. Nothing that the port does raises an error.

    Examples
    --------
    >>> case = {
    ...     "id": "cvb0/update/000", "algorithm": "cvb0", "operation": "update", "K": 2,
    ...     "expected": {"gamma_k": [0.75, 0.25]}, "tolerance": {"gamma_k": {"absolute": 1e-15}},
    ... }
    >>> report = check(lambda case: {"id": case["id"], "gamma_k": (0.5, 0.5)}, given=[case])
    >>> report.ok
    False
    >>> print(report.results[0].reason)
    gamma_k[0] is 0.5, expected 0.75: 33.3% too small; tolerance 1e-15; 2 of 2 numbers differ
    """
    if level is not None and level not in levels.LEVELS:
        raise ValueError(f"level is {level}, expected a whole number from 1 to {levels.TOP_LEVEL}")
    if not budget > 0:
        raise ValueError(f"budget is {budget}, expected seconds, above 0")
    if repeat < 1:
        raise ValueError(f"repeat is {repeat}, expected how often to ask, at least 1")
    if fresh is not None and (samplers or given is not None):
        argument_name = "samplers" if samplers else "given"
        raise ValueError(f"fresh and {argument_name} are given together, expected only one of them")
    notes: list[str] = []
    if fresh is None:
        all_cases = [*cases_to_ask(only, large), *sampler_cases()] if given is None else list(given)
        asks_draws = samplers or level == levels.TOP_LEVEL or given is not None
        pool = select([case for case in all_cases if asks_draws or case["operation"] != "sample"], only, operation)
    else:
        all_cases = pool = making.fresh(fresh, seed, only, operation)
        notes.append(f"{len(pool)} fresh cases of seed {seed}: {making.certify(pool)}")
    chosen_cases = _at_precisions(precision, [case for case in pool if level is None or levels.level(case) <= level])
    if not chosen_cases:
        raise ValueError("no case has these algorithms and this operation" + (" on this level" if level else ""))
    if precision != "double":
        n_undecidable = sum("undecidable" in case for case in chosen_cases)
        notes.append(f"{precision} precision: {n_undecidable} of the {len(chosen_cases)} cases cannot be decided")
    notes += _on_draws(draws, [case for case in chosen_cases if case["operation"] == "sample"], repeat)
    required_ids = {id for required_name in names_in(require) for id in _ids(chosen_cases, required_name, "require")}
    questions = [sampling.question(c, draws, seed) if c["operation"] == "sample" else question(c) for c in chosen_cases]
    n_tests = repeat * sum(case["operation"] == "sample" for case in chosen_cases)
    rounds = []
    for _ in range(repeat):
        deadline = time.perf_counter() + budget
        with asking(port, timeout) as ask:
            answers = (in_batches if batch else in_turn)(ask, questions, budget)
            timed_pairs = zip(progress(chosen_cases), answers, strict=True)
            rounds.append([_asked(case, *x, case["id"] in required_ids, draws, n_tests) for case, x in timed_pairs])
    asked_cases = rounds[0]
    if batch and not isinstance(ask, Program):
        notes.append(f"{len(questions)} cases in {len(batches(questions))} batches of one form")
    elif isinstance(ask, Program) and ask.strays:
        notes.append(f"lines of the output that answer no case: {len(ask.strays)}; the first: {ask.strays[0]}")
    if repeat > 1:
        asked_cases, varying_text = combined(rounds)
        notes.append(varying_text)
    if not callable(port) or isinstance(port, Program):
        notes += _left_over(port, timeout, asked_cases, deadline, batch)
    return _report(asked_cases, notes, all_cases, compose, getattr(ask, "ending", ""))


def _at_precisions(precision: str, chosen_cases: Sequence[Case]) -> list[Case]:
    """The cases with the tolerances of their precisions: of the entries that fit a case, the last one decides."""
    precision_of_id: dict[str, str] = {}
    for precision_entry in precision.split(","):
        prefix, _, part_precision = precision_entry.rpartition("=")
        case_ids = _ids(chosen_cases, prefix, "precision") if prefix else {case["id"] for case in chosen_cases}
        precision_of_id |= dict.fromkeys(case_ids, part_precision)
    return [at_precision(precision_of_id.get(case["id"], "double"), case) for case in chosen_cases]


def _on_draws(draws: int, drawn_cases: Sequence[Case], repeat: int) -> list[str]:
    """What the draws of the sampler test can find; a ValueError if they are too few."""
    fewest = max((sampling.fewest(case) for case in drawn_cases), default=0)
    if draws < fewest:
        raise ValueError(f"draws is {draws}, expected at least {fewest}: with fewer, no pair of tokens can be tested")
    if not drawn_cases:
        return []
    smallest_shift = max(sampling.off(case, draws, sampling.LEVEL / len(drawn_cases) / repeat) for case in drawn_cases)
    return [f"{draws:,} independent draws find, 9 times in 10, a probability that is off by {smallest_shift:.2g}"]


def _report(asked: list[Asked], notes: list[str], all_cases: Sequence[Case], compose: bool, ending: str) -> Report:
    """The report, with explanations of the failed cases."""
    explanations: list[Said] = []
    sentences: list[Said] = []
    if any(a.result.status == "failed" for a in asked):
        asked = [a._replace(result=result) for a, result in zip(asked, named(asked), strict=True)]
        explanations, is_cut = describing.compose(asked) if compose else ([], False)
        explained_ids = {id for sentence in explanations for id in sentence.ids}
        if is_cut and any(r.status == "failed" and not r.mistake and r.id not in explained_ids for _, _, r in asked):
            asked_groups = {(a.case["algorithm"], a.case["operation"]) for a in asked if a.result.status != "skipped"}
            remedy = ": with fewer algorithms or operations, as by --only, it tries more" * (len(asked_groups) > 1)
            notes = [*notes, f"the search for small changes was cut short{remedy}"]
        sentences = describing.describe(asked, explained_ids)
    reaches = levels.reached(all_cases, {a.case["id"]: a.result.status for a in asked})
    return Report(tuple(a.result for a in asked), tuple(notes), reaches, tuple(explanations), tuple(sentences), ending)


def _ids(cases: Sequence[Case], name: str, argument_name: str) -> set[str]:
    """The ids of the cases that have a name: an algorithm, an operation or the beginning of an id."""
    ids = {case["id"] for case in cases if name == case["operation"] or matches(case, name)}
    if not ids:
        expected_text = "no algorithm, operation or beginning of an id of these cases"
        raise ValueError(f"{argument_name} has {name!r}, which is {expected_text}")
    return ids


def judge(port: Port, case: Case, precision: str = "double") -> Result:
    """The result of one case, for a port that is a callable or a `Program`.

    If the port raises an error, the case fails.

    >>> case = {"id": "cvb0/reject/000", "algorithm": "cvb0", "operation": "reject", "expected": {"error": True}}
    >>> judge(lambda case: {"id": case["id"], "error": "alpha is negative"}, case).status
    'passed'
    >>> judge(lambda case: 1 / 0, case).reason
    'raised ZeroDivisionError: division by zero'
    """
    case = at_precision(precision, case)
    with asking(port, TIMEOUT) as ask:
        answer = attempt(ask, question(case))
    return _judged(case, answer) if isinstance(answer, PortError) else compare(case, answer)


def _left_over(port: Any, timeout: float, asked_cases: Sequence[Asked], deadline: float, batch: bool) -> list[str]:
    """What is said of a program that answers failed cases rightly when each is asked alone, in a new process.

    A few cases are asked until the time `deadline`, of those that were asked after the first answer and do not vary.
    """
    command, right_ids = port.command if isinstance(port, Program) else port, []
    retries = [*itertools.dropwhile(lambda a: isinstance(a.answer, PortError), asked_cases)][1:]
    retries = [a for a in retries if a.result.status == "failed" and not a.result.reason.endswith(VARYING_SUFFIX)]
    failed_cases = [a.case for a in retries if a.case["operation"] != "sample"]
    for case in failed_cases[:: math.ceil(len(failed_cases) / MAX_RETRIED) or 1]:
        with Program(command, timeout) as program:
            seconds_left = deadline - time.perf_counter()
            ((new_answer, _),) = (in_batches if batch else in_turn)(program, [question(case)], seconds_left)
        if _judged(case, new_answer).passed:
            right_ids.append(case["id"])
    claim_text = f"asked nothing else, in a new process, the program answers {' and '.join(right_ids)} rightly"
    return [f"{claim_text}: it keeps something from an earlier case, or its answers vary"] if right_ids else []


def _asked(case: Case, answer: Any, seconds: float, is_required: bool, n_draws: int, n_tests: int) -> Asked:
    case_result = _judged(case, answer, n_draws, n_tests)._replace(seconds=seconds)
    if case_result.status == "skipped" and is_required:
        case_result = outcome(case, "failed", f"skipped, but required: {case_result.reason}")
    return Asked(case, answer, case_result)


def _judged(case: Case, answer: Any, n_draws: int = 0, n_tests: int = 0) -> Result:
    """The result of an answer, or of the PortError that stands for a missing one.

    For the sampler test, `n_draws` is the number of draws, and `n_tests` the number of its cases.
    """
    if isinstance(answer, PortError):
        return outcome(case, "failed", str(answer))
    if case["operation"] != "sample":
        return compared(case, answer)
    if early_result := envelope(case, answer):
        return early_result
    if form_error := sampling.fault(answer, n_draws, case):
        return outcome(case, "failed", form_error)
    test = sampling.verdict(answer["z"], sampling.law(case))
    if test.p * n_tests >= sampling.LEVEL:
        return outcome(case, "passed")
    cause_text = "all draws are equal: " if all(draw == answer["z"][0] for draw in answer["z"]) else ""
    reason = f"{cause_text}{sampling.describe(test, n_draws)}; p = {test.p * n_tests:.1g} over all tests"
    return outcome(case, "failed", reason, field=test.field, index=test.index, expected=test.expected, got=test.mean)
