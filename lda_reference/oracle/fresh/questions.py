"""The one maker of inputs: of fresh cases, and of new test vectors."""

from typing import Any

from ...plain.updates import COLLAPSED, SAMPLERS, UNCOLLAPSED
from ..cases.loading import STARTS, Case
from ..cases.loading import question as port_question
from .fields import field
from .inputs import Inputs, corpus, flags, prior
from .problems import DIVIDED_SCHEDULES, SLOW_ALGORITHMS, Kind, Problem, kind_of, kinds, problem
from .rejects import START_ENTRIES, change, of_sweeps

# ml has no prior.
ANNEALED_ALGORITHMS = tuple(name for name in (*UNCOLLAPSED, *COLLAPSED) if name not in ("ml", *SLOW_ALGORITHMS))


def question(id: str, kind: Kind, problem: Problem, rng: Inputs, **chosen_fields: Any) -> Case:
    """A case without its answer and without flags. What it needs and `chosen_fields` does not have is drawn.

    It needs what the first vector of its kind has; an illegal one what a sweep or a start has.
    """
    algorithm, operation, variant = kind
    case: Case = {"id": id, "version": 1, "algorithm": algorithm, "operation": operation}
    example_kind = Kind(algorithm, "sweep", "") if operation == "reject" else kind
    if algorithm == STARTS:
        case["start"] = chosen_fields.get("start", variant)
        example_kind = Kind(algorithm, "start", case["start"])
    if case.get("start") == "anneal":
        algorithm = chosen_fields.get("of") or rng.one_of(ANNEALED_ALGORITHMS)
        case["of"] = algorithm
    case_tags = kinds().get(Kind(algorithm, "update", "") if "of" in case else kind, {}).get("tags", [])
    documents, W, K, alpha, eta = problem
    case |= {"tags": case_tags, "flags": [], "note": "", "corpus": corpus(algorithm, documents, W), "K": K}
    case["prior"] = prior(algorithm, alpha, eta)
    example_case = port_question(kinds().get(example_kind, {}))
    for field_name in example_case:
        if field_name == "state":
            state_fields = ("gamma",) if operation == "summary" and algorithm not in SAMPLERS else example_case["state"]
            case["state"] = {state_field: field(state_field, case, rng) for state_field in state_fields}
        elif field_name not in case:
            case[field_name] = field(field_name, case, rng)
    return case | ({"schedule": variant} if variant in DIVIDED_SCHEDULES else {}) | chosen_fields


def flagged(case: Case) -> Case:
    """The case with the flags that follow from its inputs; an illegal case has none."""
    return case if "expected" in case else case | {"flags": [*flags(case), *case["flags"]]}


def inputs(id: str, attempt: int = 0) -> Case:
    """A fresh case without its answer; each attempt has other inputs. If it is illegal, this is the answer."""
    kind, size_name = kind_of(id)
    rng = Inputs(f"{id} {attempt}")
    new_problem = problem(kind, size_name, rng)
    if kind.operation != "reject":
        return flagged(question(id, kind, new_problem, rng, note=f"a fresh case: {size_name}"))
    is_legal = kind.variant == "legal"
    start_entries = [(start_name, entry) for start_name, entries in START_ENTRIES.items() for entry in entries]
    choices = start_entries if kind.algorithm == STARTS else [("", entry) for entry in of_sweeps(kind.algorithm)]
    start, (note, *edit) = rng.one_of([choice for choice in choices if choice[1][0].startswith("legal") == is_legal])
    start_fields = ({"start": start} if start else {}) | ({"of": "vb"} if start == "anneal" else {})
    case = question(id, kind, new_problem, rng, note=f"a fresh case: {note}", **start_fields)
    change(case, *edit)
    return flagged(case if is_legal else case | {"expected": {"error": True}, "tolerance": {}})
