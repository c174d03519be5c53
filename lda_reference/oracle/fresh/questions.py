"""The one maker of inputs: of fresh cases, and of new test vectors."""

from typing import Any

from ...plain.updates import COLLAPSED, UNCOLLAPSED
from ..cases.loading import MORE_OPERATIONS, STARTS, Case
from .inputs import Inputs, corpus, flags, prior
from .operations import of_algorithm, of_operation, of_start
from .problems import BY_DISTRIBUTIONS, Kind, Problem, kind_of, kinds, problem
from .rejects import OF_STARTS, of_four_words, of_three_words

# ml has no prior.
ANNEALED = tuple(name for name in (*UNCOLLAPSED, *COLLAPSED) if name not in ("ml", *BY_DISTRIBUTIONS))


def question(id: str, kind: Kind, problem: Problem, x: Inputs, **fields: Any) -> Case:
    """A case without its answer and without flags. What it needs and `fields` does not have is drawn."""
    name, operation, variant = kind
    case: Case = {"id": id, "version": 1, "algorithm": name, "operation": operation}
    if name == STARTS:
        case["start"] = fields.get("start", variant)
    if case.get("start") == "anneal":
        name = fields.get("of") or x.one_of(ANNEALED)
        case |= {"of": name, "schedule": "corpus"}
    tags = kinds().get(Kind(name, "update", "") if "of" in case else kind, [])
    documents, W, K, alpha, eta = problem
    case |= {"tags": tags, "flags": [], "note": "", "corpus": corpus(name, documents, W), "K": K}
    case["prior"] = prior(name, alpha, eta)
    if "start" in case:
        case |= of_start(case, kind, x)
    else:
        case |= of_operation(case, x) if operation in MORE_OPERATIONS else of_algorithm(case, kind, x)
    return case | fields


def flagged(case: Case) -> Case:
    """The case with the flags that follow from its inputs; an illegal case has none."""
    return case if "expected" in case else case | {"flags": [*flags(case), *case["flags"]]}


def inputs(id: str, attempt: int = 0) -> Case:
    """A fresh case without its answer; each attempt has other inputs. If it is illegal, this is the answer."""
    kind, size = kind_of(id)
    x = Inputs(f"{id} {attempt}")
    drawn = problem(kind, size, x)
    if kind.operation != "reject":
        return flagged(question(id, kind, drawn, x, note=f"a fresh case: {size}"))
    legal = kind.variant == "legal"
    if kind.algorithm == STARTS:
        start, note, change = x.one_of([entry for entry in OF_STARTS if entry[1].startswith("legal") == legal])
        case = question(id, kind, drawn, x, start=start, **({"of": "vb"} if start == "anneal" else {}))
    else:
        case = question(id, kind, drawn, x)
        entries = of_four_words(kind.algorithm) if drawn.W == 4 else of_three_words(kind.algorithm)
        note, change = x.one_of([entry for entry in entries if entry[0].startswith("legal") == legal])
    case |= {"note": f"a fresh case: {note}"} | ({} if legal else {"expected": {"error": True}, "tolerance": {}})
    change(case)
    return flagged(case)
