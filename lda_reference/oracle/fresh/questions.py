"""The one maker of inputs: of fresh cases, and of new test vectors."""

from typing import Any

from ...plain.updates import COLLAPSED, SAMPLERS, UNCOLLAPSED
from ..cases.loading import STARTS, Case
from ..cases.loading import question as asked
from .fields import field
from .inputs import Inputs, corpus, flags, prior
from .problems import BY_DISTRIBUTIONS, DIVIDED, Kind, Problem, kind_of, kinds, problem
from .rejects import OF_STARTS, change, of_sweeps

# ml has no prior.
ANNEALED = tuple(name for name in (*UNCOLLAPSED, *COLLAPSED) if name not in ("ml", *BY_DISTRIBUTIONS))


def question(id: str, kind: Kind, problem: Problem, x: Inputs, **fields: Any) -> Case:
    """A case without its answer and without flags. What it needs and `fields` does not have is drawn.

    It needs what the first vector of its kind has; an illegal one what a sweep or a start has.
    """
    name, operation, variant = kind
    case: Case = {"id": id, "version": 1, "algorithm": name, "operation": operation}
    example = Kind(name, "sweep", "") if operation == "reject" else kind
    if name == STARTS:
        case["start"] = fields.get("start", variant)
        example = Kind(name, "start", case["start"])
    if case.get("start") == "anneal":
        name = fields.get("of") or x.one_of(ANNEALED)
        case["of"] = name
    tags = kinds().get(Kind(name, "update", "") if "of" in case else kind, {}).get("tags", [])
    documents, W, K, alpha, eta = problem
    case |= {"tags": tags, "flags": [], "note": "", "corpus": corpus(name, documents, W), "K": K}
    case["prior"] = prior(name, alpha, eta)
    vector = asked(kinds().get(example, {}))
    for needed in vector:
        if needed == "state":
            names = ("gamma",) if operation == "summary" and name not in SAMPLERS else vector["state"]
            case["state"] = {part: field(part, case, x) for part in names}
        elif needed not in case:
            case[needed] = field(needed, case, x)
    return case | ({"schedule": variant} if variant in DIVIDED else {}) | fields


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
    in_starts = [(start, entry) for start, entries in OF_STARTS.items() for entry in entries]
    of_kind = in_starts if kind.algorithm == STARTS else [("", entry) for entry in of_sweeps(kind.algorithm)]
    start, (note, *edit) = x.one_of([chosen for chosen in of_kind if chosen[1][0].startswith("legal") == legal])
    fields = ({"start": start} if start else {}) | ({"of": "vb"} if start == "anneal" else {})
    case = question(id, kind, drawn, x, note=f"a fresh case: {note}", **fields)
    change(case, *edit)
    return flagged(case if legal else case | {"expected": {"error": True}, "tolerance": {}})
