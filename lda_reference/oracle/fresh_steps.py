"""The inputs of a fresh case, which follow from its id."""

from __future__ import annotations

from typing import Any

from ..plain.updates import SAMPLERS
from .asking.loading import MORE_OPERATIONS, STARTS, Case
from .fresh_inputs import MANY, Inputs, corpus, flags, gamma, prior, z
from .fresh_kinds import Kind, kind_of, kinds, problem, schedules
from .fresh_operations import of_operation
from .fresh_rejects import STARTS as OF_STARTS
from .fresh_rejects import Entry, of_four_words, of_three_words
from .fresh_starts import of_start

SAMPLES = 3  # of cvb1s, for each token
ANNEALED = ("map", "vb", "vem", "cvb", "cvb0", "tcvb0", "cvb1d")
STEPS = ("update", "draw", "sweep", "ten_sweeps", "converged", "summary", "reject")


def inputs(id: str, attempt: int = 0) -> Case:
    """A case without its answer; each attempt has other inputs. If it is illegal, this is the answer."""
    kind, size = kind_of(id)
    x = Inputs(f"{id} {attempt}")
    given = problem(kind, size, x)
    algorithm, operation, variant = kind
    case: Case = {"id": id, "version": 1, "algorithm": algorithm, "operation": operation}
    if algorithm == STARTS:
        start = x.one_of(of_starts(variant)) if operation == "reject" else None
        case |= {"start": start[0] if start else variant}
    of = algorithm
    if case.get("start") == "anneal":
        of = "vb" if operation == "reject" else x.one_of(ANNEALED)
        case |= {"of": of, "schedule": "corpus"}
    tags = kinds()[Kind(of, "update", "") if "of" in case else kind]
    case |= {"tags": tags, "flags": [], "note": f"a fresh case: {size}"}
    case |= {"corpus": corpus(of, given.documents, given.W), "K": given.K}
    case |= {"prior": prior(of, given.alpha, given.eta)}
    if operation == "reject":
        if algorithm == STARTS:
            assert start is not None
            case |= start[2](case, x)
            return changed(case, (start[1], start[3]))
        case |= of_algorithm(case, kind, x)
        entries = (*of_four_words(algorithm),) if given.W == 4 else (*of_three_words(algorithm),)
        return changed(case, x.one_of([e for e in entries if e[0].startswith("legal") == (variant == "legal")]))
    if operation == "start":
        case |= of_start(case, x)
    elif operation in MORE_OPERATIONS:
        case |= of_operation(case, x)
    else:
        case |= of_algorithm(case, kind, x)
    return case | {"flags": flags(case)}


def of_algorithm(case: Case, kind: Kind, x: Inputs) -> Case:
    """The state of a case, and what its operation needs."""
    c, K, (name, operation, variant) = case["corpus"], case["K"], kind
    M, N, sampler, step = len(c["n"]), sum(c["n"]), kind.algorithm in SAMPLERS, kind.operation in STEPS
    more: Case = {}
    if step:
        more["schedule"] = x.one_of(schedules(name))
    if operation in ("update", "draw"):
        more["schedule"] = "corpus"
    if operation == "reject":
        more["schedule"] = schedules(name)[0]
    if variant == "block":
        more |= {"schedule": "block", "blocks": x.between(2, c["D"] - 1)}
    if variant == "nested":
        more |= {"schedule": "nested", "inner": x.up_to(3)}
    if operation == "summary":
        more["sweeps"] = 1 if K > MANY else x.up_to(3)
    more |= (z if sampler else gamma)(case, x)
    if operation in ("update", "draw"):
        more["row"] = x.below(M)
        more |= {"token": x.below(c["n"][more["row"]])} if sampler else {}
    if operation == "draw":
        more["uniform"] = x.uniform()
    if sampler and operation in ("sweep", "summary", "reject"):
        more["uniforms"] = [x.uniform() for _ in range(N)]
    if name == "cvb1s" and step:
        more["uniforms"] = [[x.uniform() for _ in range(SAMPLES)] for _ in range(N)]
    if name == "gibbs" and step:
        more |= {"theta_jk": x.rows(c["D"], K), "phi_wk": x.columns(c["W"], K)}
    if operation == "predict":
        j = sorted(x.topics(x.up_to(2 * c["D"]), c["D"]))
        more["test"] = {"j": j, "w": x.topics(len(j), c["W"]), "n": [x.up_to(4) for _ in j]}
    if operation == "hyperparameters":
        shape, rate = x.one_of(((1.0, 0.0), (2.0, 0.5), (1.5, 0.3)))
        more["gamma_prior"] = {"shape": shape, "rate": rate}
    return more


def of_starts(variant: str) -> list[Any]:
    """The legal or illegal starts."""
    return [entry for entry in OF_STARTS if entry[1].startswith("legal") == (variant == "legal")]


def changed(case: Case, entry: Entry) -> Case:
    """A case that is changed in one place; with its answer if it must be refused."""
    note, change = entry
    case["note"] = f"a fresh case: {note}"
    change(case)
    if note.startswith("legal"):
        return case | {"flags": flags(case)}
    return case | {"expected": {"error": True}, "tolerance": {}, "mistakes": []}
