"""Checking a port with the test vectors.

A port is a callable from a case to an answer, or the command of a program that reads one JSON case per line and writes
one JSON answer per line. If it raises an error, ends or hangs, that case fails with the reason and the run continues.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from . import samplers as sampling
from .comparing import Result, compare, contradicts, cut, envelope, exact, fields_fault, mistakes_of, outcome
from .loading import Case, cases, question, sampler_cases, select
from .program import TIMEOUT, PortError, Program
from .reporting import Report

Port = Callable[[Case], Any]


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
) -> Report:
    """Check a port with the test vectors.

    Parameters
    ----------
    port : callable or sequence of str
        A function from a case (a dict) to its answer (a dict; arrays count as lists), or the command of a program.
    only, operation
        As in `cases`.
    timeout : float
        The seconds that a program has for a case; for the draws of a sampler it has ten times as many.
    samplers : bool
        Whether to ask samplers for draws and test them; see the module `samplers`.
    draws, seed : int
        For the sampler test: the number of draws, and the seed that the port is sent.
    given : iterable of cases, optional
        Cases to ask instead of the package's.
    progress : callable, optional
        Wraps the list of cases, as tqdm does.

    Returns
    -------
    Report

    Raises
    ------
    ValueError
        If no case is chosen, or the draws are too few. Nothing that the port does raises an error.

    Examples
    --------
    >>> case = {
    ...     "id": "cvb0/update/000", "algorithm": "cvb0", "operation": "update", "K": 2,
    ...     "expected": {"gamma_k": [0.75, 0.25]}, "tolerance": {"gamma_k": {"absolute": 1e-15}},
    ... }
    >>> report = check(lambda case: {"id": case["id"], "gamma_k": np.array([0.5, 0.5])}, given=[case])
    >>> report.ok
    False
    >>> print(report.results[0].reason)
    gamma_k[0] is 0.5, expected 0.75: 2.3e+15 units in the last place; tolerance 1e-15; 2 of 2 numbers differ
    """
    found = [*cases(), *(sampler_cases() if samplers else ())] if given is None else list(given)
    chosen = select(found, only, operation)
    if not chosen:
        raise ValueError("no case has these algorithms and this operation")
    drawn = [case for case in chosen if case["operation"] == "sample"]
    fewest = max((sampling.fewest(case) for case in drawn), default=0)
    if draws < fewest:
        raise ValueError(f"draws is {draws}, expected at least {fewest}: with fewer, no pair of tokens can be tested")
    results, answers = [], []
    with _asking(port, timeout) as ask:
        for case in progress(chosen):
            start = time.perf_counter()
            sample = case["operation"] == "sample"
            answer = _answer(ask, case, sampling.question(case, draws, seed) if sample else question(case))
            result = _of_sampler(case, answer, draws, len(drawn)) if sample else _of(case, answer)
            results.append(result._replace(seconds=time.perf_counter() - start))
            answers.append(answer)
    return Report(tuple(_named(chosen, answers, results)))


def judge(port: Port, case: Case) -> Result:
    """The result of one case, for a port that is a callable or a `Program`.

    If the port raises an error, the case fails.

    Examples
    --------
    >>> case = {"id": "cvb0/reject/000", "algorithm": "cvb0", "operation": "reject", "expected": {"error": True}}
    >>> judge(lambda case: {"id": case["id"], "error": "alpha is negative"}, case).status
    'passed'
    >>> judge(lambda case: 1 / 0, case).reason
    'raised ZeroDivisionError: division by zero'
    """
    with _asking(port, TIMEOUT) as ask:
        return _of(case, _answer(ask, case, question(case)))


def parametrize(only: str | Iterable[str] | None = None, operation: str | None = None) -> Any:
    """A pytest decorator that calls a test with every case, as its argument `case`.

    The parameters are those of `cases`.

    Examples
    --------
    In a test module of a port `answer`::

        import pytest
        from lda_reference import oracle

        @oracle.parametrize(only="cvb0,cgs")
        def test_port(case):
            result = oracle.judge(answer, case)
            if result.status == "skipped":
                pytest.skip(result.reason)
            assert result.passed, str(result)
    """
    import pytest

    found = cases(only, operation)
    return pytest.mark.parametrize("case", found, ids=[case["id"] for case in found])


@contextmanager
def _asking(port: Port | Sequence[str], timeout: float) -> Iterator[Callable[..., Any]]:
    if isinstance(port, Program):
        yield port
    elif callable(port):
        yield lambda case, timeout=None: _plain(port(case))
    else:
        with Program(port, timeout) as program:
            yield program


def _answer(ask: Callable[..., Any], case: Case, asked: Case) -> Any:
    """The answer, or the failed result if there is none."""
    timeout = 10 * ask.timeout if isinstance(ask, Program) and asked["operation"] == "sample" else None
    try:
        return ask(json.loads(json.dumps(asked)), timeout=timeout)
    except PortError as error:
        return outcome(case, "failed", str(error))
    except Exception as error:
        return outcome(case, "failed", f"raised {type(error).__name__}: {cut(str(error))}")


def _of(case: Case, answer: Any) -> Result:
    return answer if isinstance(answer, Result) else compare(case, answer)


def _of_sampler(case: Case, answer: Any, draws: int, tests: int) -> Result:
    known = answer if isinstance(answer, Result) else envelope(case, answer)
    if known is not None:
        return known
    fault = fields_fault({"z": None}, answer) or sampling.fault(answer["z"], draws, sampling.tokens(case), case["K"])
    if fault:
        return outcome(case, "failed", fault)
    v = sampling.verdict(np.array(answer["z"]), np.array(case["together"]))
    if v.p * tests >= sampling.LEVEL:
        return outcome(case, "passed")
    text = f"{sampling.describe(v, draws)}; p = {v.p * tests:.1g} over all pairs and corpora"
    return outcome(case, "failed", text, field="z", index=v.pair, expected=v.expected, got=v.mean)


def _named(asked: Sequence[Case], answers: Sequence[Any], results: Sequence[Result]) -> list[Result]:
    """The results; a mistake is named only if it agrees with all answers together.

    A single answer, above all a draw, can equal that of a mistake by chance. The mistake must explain more than half of
    the failed cases of the algorithm and operation (or of the start) that list it. For whole numbers, no case at all
    may contradict it. The sampler test is judged on all corpora together.
    """
    groups: dict[tuple[str, ...], list[tuple[Case, Any, Result]]] = {}
    for triple in zip(asked, answers, results, strict=True):
        groups.setdefault(_group(triple[0]), []).append(triple)
    out = []
    for case, r in zip(asked, results, strict=True):
        alike = groups[_group(case)]
        if r.operation == "sample" and r.field == "z":
            usable = [t for t in alike if t[2].passed or t[2].field == "z"]
            name = sampling.named(*zip(*((c, np.array(a["z"]), of.passed) for c, a, of in usable), strict=True))
            r = r._replace(mistake=name if name in case.get("mistakes", {}) else None)
        elif r.mistake:
            known = [t for t in alike if t[2].status == "failed" and r.mistake in mistakes_of(t[0])]
            explained = sum(of.mistake == r.mistake for _, _, of in known)
            by_chance = exact(case) and any(contradicts(c, a, r.mistake) for c, a, _ in alike)
            if by_chance or 2 * explained <= len(known):
                r = r._replace(mistake=None)
        out.append(r)
    return out


def _group(case: Case) -> tuple[str, ...]:
    """What the cases share that are computed alike: algorithm and operation, and for a start its name."""
    return case["algorithm"], case["operation"], case.get("start", "")


def _plain(x: Any) -> Any:
    """The answer of a callable, in the types of JSON that has been read."""
    if isinstance(x, dict):
        return {name: _plain(value) for name, value in x.items()}
    if isinstance(x, (list, tuple)):
        return [_plain(value) for value in x]
    if isinstance(x, (np.ndarray, np.generic)):
        return _plain(x.tolist())
    if isinstance(x, float) and math.isinf(x):
        return "inf" if x > 0 else "-inf"
    return x
