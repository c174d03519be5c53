"""Asking an adapter its cases, and what the oracle says of the answers."""

import warnings
from typing import Any, NamedTuple

import numpy as np

from figures.peers import conformance, conformance_cases
from lda_reference import oracle, plain

from .adapters import Answer, Checkouts, Row, Skip


class Asked(NamedTuple):
    """What came of asking a row: `named` are the known mistakes, or what the oracle's search finds."""

    cases: int
    passed: int
    skipped: int
    error: float
    named: str
    reasons: str


def skipping(answer: Answer) -> Answer:
    """The answer with the id of its case, and with reasons for what cannot be asked."""

    def port(case: dict[str, Any]) -> dict[str, Any]:
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                return {"id": case["id"], **answer(case)}
        except Skip as reason:
            return {"id": case["id"], "skip": str(reason)}

    return port


def plain_cases(asks: str) -> list[dict[str, Any]]:
    """More cases of the updates and sweeps among `asks`, which the plain text answers.

    They have one alpha and one eta, one row for each word of a document, and words in rising order, so that
    implementations can be asked them that take nothing else. Half of them have counts up to 3.
    """
    pairs = [name.split("/")[:2] for name in asks.split(",")]
    return [
        plain_case(algorithm, operation, schedule, i)
        for algorithm, operation in pairs if operation in ("update", "sweep", "bound")
        for schedule in (["token"] if operation != "sweep" or algorithm == "cgs" else ["token", "document", "corpus"])
        for i in range(12)
    ]  # fmt: skip


def plain_case(algorithm: str, operation: str, schedule: str, i: int) -> dict[str, Any]:
    rng = np.random.default_rng([31, i])
    D, K, W = 3, 2 + i % 3, 6
    w = np.concatenate([np.sort(rng.choice(W, 4, replace=False)) for _ in range(D)]).tolist()
    n = np.ones(len(w), int) if i % 2 else rng.integers(1, 4, len(w))
    z = np.repeat(rng.integers(0, K, len(w)), n)  # one topic in a row
    state = {"z": z.tolist()} if algorithm == "cgs" else {"gamma": rng.dirichlet(np.full(K, 0.8), len(w)).tolist()}
    case = {
        "id": f"{algorithm}/{operation}/plain/{schedule}/{i}", "algorithm": algorithm, "operation": operation,
        "schedule": schedule, "tags": [], "flags": [], "K": K, "prior": {"alpha": 0.3 + i / 10, "eta": 0.2 + i / 20},
        "corpus": {"j": np.repeat(np.arange(D), 4).tolist(), "w": w, "n": n.tolist(), "D": D, "W": W}, "state": state,
    }  # fmt: skip
    if operation == "update":
        case |= {"row": 4 * (i % D)} | ({"token": 0} if algorithm == "cgs" else {})
    elif algorithm == "cgs":
        case["uniforms"] = rng.uniform(0, 1, len(z)).tolist()
    elif operation == "bound":  # gamma after an E step from these topics and from alpha + N_j / K
        eta_wk, N_j = rng.gamma(2.0, 2.0, (W, K)), np.bincount(case["corpus"]["j"], n)[:, None]
        log_theta = conformance_cases.mean_log(np.repeat(case["prior"]["alpha"] + N_j / K, K, 1), 1)
        x = log_theta[case["corpus"]["j"]] + conformance_cases.mean_log(eta_wk, 0)[w]
        gamma = np.exp(x - x.max(1, keepdims=True))
        case |= {"eta_wk": eta_wk.tolist(), "state": {"gamma": (gamma / gamma.sum(1, keepdims=True)).tolist()}}
    case["expected"] = plain.answer(case)
    case["single"] = dict.fromkeys(case["expected"], 1e-5)
    tolerance = {"gamma_k": 1e-12, "gamma": 1e-12, "z": 0, "bound": 1e-10}
    return case | {"tolerance": {x: {"absolute": tolerance[x]} for x in case["expected"]}}


def ask(row: Row, checkouts: Checkouts) -> Asked:
    """Ask a row all its cases; Absent if the implementation is not there."""
    answer = row.make(checkouts)
    if row.asks in conformance_cases.OPERATIONS:
        cases = conformance_cases.cases(row.asks)
        return compared(row, answer, [x | {"expected": conformance_cases.expected(x, {})} for x in cases])
    if row.cases:
        return compared(row, answer, row.cases())
    port = skipping(answer)
    cases = [*oracle.cases(row.asks), *plain_cases(row.asks)]
    report = oracle.check(port, given=cases, precision=row.precision, compose=True)
    asked = [r for r in report.results if r.status != "skipped"]
    named = [r.mistake for r in asked if r.mistake]
    said = [f"{name} ({named.count(name)})" for name in dict.fromkeys(named)]
    said += [f"{x.text} ({len(x.ids)})" for x in report.composed]
    of = {case["id"]: case for case in cases}
    errors = [error_of(of[r.id]["expected"], port(of[r.id])) for r in asked if not r.passed]
    reasons = sorted({r.reason for r in report.results if r.status == "skipped"})
    return Asked(
        len(asked), sum(r.passed for r in asked), len(report.results) - len(asked), max(errors, default=0.0),
        "; ".join(said), "; ".join(reasons),
    )  # fmt: skip


def error_of(expected: dict[str, Any], answer: dict[str, Any]) -> float:
    """The largest error of an answer, relative for numbers above 1; infinite if there is no number."""
    worst = 0.0
    for name, x in expected.items():
        right, got = np.array(x, float), np.array(answer.get(name, np.nan), float)
        if right.shape != got.shape or not np.isfinite(got).all():
            return np.inf
        worst = max(worst, float(np.max(np.abs(got - right) / np.maximum(1, np.abs(right)), initial=0.0)))
    return worst


def compared(row: Row, answer: Answer, cases: list[dict[str, Any]]) -> Asked:
    """Ask cases that are not the oracle's, and compare the answers."""
    port = skipping(answer)
    answers = [(case, port(case)) for case in cases]
    reasons = [x["skip"] for _, x in answers if "skip" in x]
    errors = [error_of(case["expected"], x) for case, x in answers if "skip" not in x]
    level = conformance.SINGLE if row.precision == "single" else conformance.DOUBLE
    passed = sum(e <= level for e in errors)
    of = [
        {m["name"] for m in case.get("mistakes", ()) if error_of(m["expected"], x) <= level}
        for case, x in answers if "skip" not in x and error_of(case["expected"], x) > level
    ]  # fmt: skip
    names = {name: sum(name in x for x in of) for name in sorted(set().union(*of))}
    said = [f"{name} ({n})" for name, n in names.items() if n == max(names.values())]
    return Asked(len(errors), passed, len(reasons), max(errors), "; ".join(said), "; ".join(sorted(set(reasons))))
