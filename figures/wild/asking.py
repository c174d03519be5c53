"""Asking an adapter its cases, and what the oracle says of the answers."""

import importlib
import tomllib
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from figures.peers import conformance, conformance_cases
from lda_reference import oracle, plain

from .adapters import Case, Checkouts, Question, Skip, question

TEXTS: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("wild.toml").read_text("utf-8"))
Answer = Callable[[Case], Case]
MOST = 2_000_000  # documents times words times topics, for dense arrays; `most` in wild.toml is another limit

# What a row cannot be asked: the names in wild.toml, whether a question has it, and the reason
SKIPS: dict[str, tuple[Callable[[Question], bool], str]] = {
    "vectors": (lambda x: list in (type(x.alpha), type(x.eta)), "its alpha and eta are numbers"),
    "vector eta": (lambda x: isinstance(x.eta, list), "its eta is a number"),
    "two rows": (lambda x: any(len(set(w)) < len(w) for w in x.of_rows(x.w)), "a word has one row in a document"),
    "shared gamma": (lambda x: x.operation != "update" and max(x.n, default=1) > 1, "each token has its own gamma"),
    "counts": (lambda x: max(x.n, default=1) > 1, "it takes the n tokens of a row one after the other"),
    "zeros": (lambda x: (x.gamma == 0).any(), "it takes the logarithm of each gamma, which is 0 here"),
    "no topics": (lambda x: "eta_wk" not in x.case, "it begins with an E step from topics, and the case has none"),
}


class Asked(NamedTuple):
    """What came of asking a row: `named` are the known mistakes, or what the oracle's search finds."""

    cases: int
    passed: int
    skipped: int
    error: float
    named: str


def adapter(row: dict[str, Any], checkouts: Checkouts) -> Answer:
    """The function from a case to an answer that a row of wild.toml names, as `module` or `module.function`."""
    module, _, function_name = row["adapter"].partition(".")
    adapter_function = getattr(importlib.import_module(f"figures.wild.adapters.{module}"), function_name or "answer")
    return lambda case: adapter_function(checkouts, question(case))


def reason(row: dict[str, Any], case: Case) -> str:
    """Why a row cannot be asked a case; empty if it can."""
    q = question(case)
    if row.get("most", MOST) < q.D * q.W * q.K:
        return "its arrays are dense"
    if q.operation in ("sweep", "ten_sweeps") and case.get("schedule") != row.get("schedule", case.get("schedule")):
        return f"its schedule is {row['schedule']}"
    return next((why for has, why in (SKIPS[name] for name in row.get("skips", ())) if has(q)), "")


def answered(row: dict[str, Any], answer: Answer, case: Case) -> Case:
    """The answer with the id of its case, or with the reason why it is not asked."""
    try:
        if skip_reason := reason(row, case):
            raise Skip(skip_reason)
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return {"id": case["id"], **answer(case)}
    except Skip as skip:
        return {"id": case["id"], "skip": str(skip)}


def cases_of(row: dict[str, Any]) -> list[Case]:
    """The cases of an adapter's own, those of an operation of `conformance_cases`, or the oracle's and plain ones."""
    module = importlib.import_module(f"figures.wild.adapters.{row['adapter'].partition('.')[0]}")
    if hasattr(module, "cases"):
        return list(module.cases())
    if row["asks"] in conformance_cases.OPERATIONS:
        cases = conformance_cases.cases(row["asks"])
        return [x | {"expected": conformance_cases.expected(x, {})} for x in cases]
    return [*oracle.cases(row["asks"]), *plain_cases(row["asks"])]


def ask(row: dict[str, Any], checkouts: Checkouts) -> Asked:
    """Ask a row all its cases; Absent if the implementation is not there."""
    answer, cases, precision = adapter(row, checkouts), cases_of(row), row.get("precision", "double")
    answer_by_id = {case["id"]: answered(row, answer, case) for case in cases}
    asked_cases = [case for case in cases if "skip" not in answer_by_id[case["id"]]]
    errors = [error_of(case["expected"], answer_by_id[case["id"]]) for case in asked_cases]
    if all("tolerance" in case for case in asked_cases):
        report = oracle.check(lambda case: answer_by_id[case["id"]], given=asked_cases, precision=precision)
        n_passed = sum(r.passed for r in report.results)
        count_of_name = Counter(r.mistake for r in report.results if r.mistake)
        count_of_name |= Counter({x.text: len(x.ids) for x in report.composed})
    else:
        level = conformance.SINGLE if precision == "single" else conformance.DOUBLE
        n_passed = sum(error <= level for error in errors)
        mistakes = [(m, answer_by_id[x["id"]]) for x in asked_cases for m in x.get("mistakes", ())]
        count_of_name = Counter(m["name"] for m, computed in mistakes if error_of(m["expected"], computed) <= level)
    named_text = "; ".join(f"{name} ({n})" for name, n in count_of_name.items())
    return Asked(len(asked_cases), n_passed, len(cases) - len(asked_cases), max(errors), named_text)


def error_of(expected: Case, answer: Case) -> float:
    """The largest error of an answer, relative for numbers above 1; infinite if there is no number."""
    worst_error = 0.0
    for field, numbers in expected.items():
        right, got = np.array(numbers, float), np.array(answer.get(field, np.nan), float)
        if right.shape != got.shape or not np.isfinite(got).all():
            return np.inf
        worst_error = max(worst_error, float(np.max(np.abs(got - right) / np.maximum(1, np.abs(right)), initial=0.0)))
    return worst_error


def plain_cases(asks: str) -> list[Case]:
    """More cases of the operations among `asks`, which the plain text answers.

    They have one alpha and one eta, one row for each word of a document, and words in rising order, so that
    implementations can be asked them that take nothing else. Half of them have counts up to 3.
    """
    name_pairs = [name.split("/")[:2] for name in asks.split(",")]
    return [
        plain_case(algorithm, operation, schedule, case_number)
        for algorithm, operation in name_pairs if operation in ("update", "sweep", "bound", "online_step")
        for schedule in (["token"] if operation != "sweep" or algorithm == "cgs" else ["token", "document", "corpus"])
        for case_number in range(12)
    ]  # fmt: skip


def plain_case(algorithm: str, operation: str, schedule: str, i: int) -> Case:
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
    elif operation == "online_step":
        N_jk, N_wk = rng.gamma(1.0, 2.0, (D, K)), rng.gamma(1.0, 2.0, (W, K))
        case |= {"N_jk": N_jk.tolist(), "N_wk": N_wk.tolist(), "N_k": N_wk.sum(0).tolist(), "burn_in": 1}
        case |= {"total_N": len(z) * (1 + i), "rho_theta": 0.1 + i / 40, "rho_phi": 0.2 + i / 40}
        documents_class = type("ByDocuments", (plain.Algorithm,), {"scale": lambda x: x.given("total_N") / x.D})
        case["mistakes"] = [{"name": "documents-for-tokens", "expected": plain.answer(case, float, documents_class)}]
    expected, tolerances = plain.answer(case), {"gamma_k": 1e-12, "gamma": 1e-12, "z": 0}
    tolerance_fields = {x: {"absolute": tolerances.get(x, 1e-10)} for x in expected}
    return case | {"expected": expected, "single": dict.fromkeys(expected, 1e-5), "tolerance": tolerance_fields}
