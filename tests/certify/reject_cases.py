"""Inputs that a port must refuse, and legal ones near the border.

A port that refuses everything would pass all other cases of `reject`. It fails the legal ones here.
"""

from __future__ import annotations

from operator import setitem
from typing import Any

from lda_reference.oracle.fresh_inputs import Documents, Inputs, corpus
from lda_reference.plain.problem import Case
from lda_reference.plain.updates import ALGORITHMS, SAMPLERS

from .plan import Change, Plan
from .small_corpora import FULL

PAIR: Documents = [[(0, 1), (2, 1)], [(1, 1), (2, 1)]]  # 3 words
LARGE: Documents = [[(0, 300), (2, 1)], [(1, 1)], []]  # 3 words
LAST = 1 - 2.0**-53  # the largest float64 number below 1

# Changes -------------------------------------------------------------------------------------------------------------


def at(path: tuple[Any, ...], change: Change) -> Change:
    """A change of what is at a place in a case."""

    def changed(case: Any) -> None:
        for key in path:
            case = case[key]
        change(case)

    return changed


def put(*path: Any, value: Any) -> Change:
    """A change that puts a value at a place in a case."""
    return at(path[:-1], lambda found: setitem(found, path[-1], value))


def with_last(*path: Any, value: Any) -> Change:
    """A change that adds an entry to a list in a case."""
    return at(path, lambda found: found.append(value))


def without_last(*path: Any) -> Change:
    """A change that deletes the last entry of a list in a case."""
    return at(path, lambda found: found.pop())


def tokens(case: Case) -> None:
    """Replace types by tokens, so that a word has two rows in a document."""
    c = corpus("tokens", FULL, 4)
    case.update(corpus=c, state={"gamma": Inputs(case["id"] + "t").rows(len(c["n"]), 2)})


def one_topic(case: Case) -> None:
    """Let the case have one topic."""
    c, sampler = case["corpus"], "z" in case["state"]
    case |= {"K": 1, "state": {"z": [0] * sum(c["n"])} if sampler else {"gamma": [[1.0]] * len(c["n"])}}
    if "theta_jk" in case:
        case |= {"theta_jk": [[1.0]] * c["D"], "phi_wk": Inputs(case["id"]).columns(c["W"], 1)}


def lists(case: Case) -> None:
    """Give the prior as a list of exactly K numbers and one of exactly W, and use the last topic."""
    more = 1 if case["algorithm"] == "map" else 0
    case["prior"] = {"alpha": [0.25 + more, 0.5 + more], "eta": [0.5 + more, 0.25 + more, 0.75 + more]}
    if "z" in case["state"]:
        case["state"]["z"][0] = case["K"] - 1


# Inputs --------------------------------------------------------------------------------------------------------------

# Every algorithm is asked four of these, not all the same.
OTHERS: list[tuple[str, Change]] = [
    ("eta is 0", put("prior", "eta", value=0.0)),
    ("a negative entry of eta", put("prior", "eta", value=[1.5, 1.5, -1.5, 1.5])),
    ("alpha has three entries for two topics", put("prior", "alpha", value=[1.5, 1.5, 1.5])),
    ("eta has three entries for four words", put("prior", "eta", value=[1.5, 1.5, 1.5])),
    ("a count of 0", put("corpus", "n", 0, value=0)),
    ("a negative count", put("corpus", "n", 1, value=-1)),
    ("a negative word id", put("corpus", "w", 0, value=-1)),
    ("a document that is not below D", put("corpus", "D", value=2)),
    ("documents out of order", put("corpus", "j", 0, value=2)),
    ("fewer words than documents in the rows", without_last("corpus", "w")),
    ("a count that is no whole number", put("corpus", "n", 0, value=1.5)),
    ("K is negative", put("K", value=-2)),
]


def rejects(plan: Plan) -> None:
    """Add the illegal inputs of an algorithm."""
    name, sampler = plan.name, plan.name in SAMPLERS
    plan.reject("a negative alpha", put("prior", "alpha", value=-0.1))
    plan.reject("K is 0", put("K", value=0))
    plan.reject("a word id that is not below W", put("corpus", "w", 2, value=4))
    if sampler:
        plan.reject("a topic that is not below K", put("state", "z", 1, value=2))
        plan.reject("a negative topic", put("state", "z", 3, value=-1))
        plan.reject("a topic too few: there must be one a token", without_last("state", "z"))
        plan.reject("a uniform of 1: they are in [0, 1)", put("uniforms", 0, value=1.0))
        plan.reject("a negative uniform", put("uniforms", 2, value=-0.25))
        plan.reject("a uniform too few: there must be one a token", without_last("uniforms"))
        halves = {"gamma": [[0.5, 0.5]] * 10}
        plan.reject("a state of gamma: a sampler starts from z", put("state", value=halves))
        plan.reject("a schedule that the sampler has not", put("schedule", value="document"))
    else:
        plan.reject("a row of gamma that does not sum to 1", put("state", "gamma", 1, value=[0.5, 0.4]))
        plan.reject("a negative entry of gamma, in a row that sums to 1", put("state", "gamma", 0, value=[1.25, -0.25]))
    if name == "map":
        plan.reject("alpha is 1: MAP takes 1 off it, and needs it larger", put("prior", "alpha", value=1.0))
        plan.reject("eta is below 1: MAP takes 1 off it, and needs it larger", put("prior", "eta", value=0.5))
        plan.reject("one of eta is 1", put("prior", "eta", value=[1.5, 1.0, 1.5, 1.5]))
    if name == "tcvb0":
        plan.reject("a word has two rows in a document: SN12 (55) takes types, one row for each", tokens)
    if name == "cvb1s":
        two = put("corpus", "n", 0, value=2)
        plan.reject("a row of count 2: each token has samples of its own, so rows must be tokens", two)
        plan.reject("a token without samples", without_last("uniforms"))
    first = 4 * (1 + list(ALGORITHMS).index(name))
    for i in range(4):
        plan.reject(*OTHERS[(first + i) % len(OTHERS)])
    if not sampler:
        plan.reject("a row of gamma too few", without_last("state", "gamma"))


def borders(plan: Plan) -> None:
    """Add the inputs of an algorithm near the border."""

    def add(note: str, change: Change, documents: Documents = PAIR) -> None:
        plan.reject(note, change, documents, 3)

    add('alpha is infinite, which is spelled "inf"', put("prior", "alpha", value="inf"))
    add('an entry of eta is infinite, which is spelled "inf"', put("prior", "eta", value=[1.5, "inf", 1.5]))
    add("legal: lists of exactly K and W numbers", lists)
    add("legal: one topic", one_topic)
    if plan.name in SAMPLERS:
        add("a uniform too many: there must be one a token", with_last("uniforms", value=0.5))
        add("a topic too many: there must be one a token", with_last("state", "z", value=0))
        add("legal: a uniform of 0", put("uniforms", 0, value=0.0))
        add("legal: the largest uniform below 1", put("uniforms", 1, value=LAST))
    else:
        add("a row of gamma that sums to 1 + 1e-6", put("state", "gamma", 1, value=[0.5, 0.500001]))
        add("a row of gamma with three entries for two topics", with_last("state", "gamma", 0, value=0.0))
        add("legal: a row of gamma that sums to 1 + 1e-10", put("state", "gamma", 1, value=[0.5, 0.5000000001]))
        add("legal: entries of gamma that are exactly 0 and 1", put("state", "gamma", 2, value=[1.0, 0.0]))
    if plan.name == "cvb1s":
        add("samples of a token too many", with_last("uniforms", value=[0.25, 0.5, 0.75]))
    elif plan.name in SAMPLERS:
        add("legal: a last document without rows", lambda case: None, [*PAIR, []])
    else:
        add("legal: a last document without rows, and a count of 300", lambda case: None, LARGE)
