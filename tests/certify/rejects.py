"""Inputs that a port must refuse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lda_reference.oracle.fresh_inputs import Inputs, corpus
from lda_reference.plain.problem import Case
from lda_reference.plain.updates import ALGORITHMS, SAMPLERS

from .corpora import FULL
from .plan import Plan

Change = Callable[[Case], None]


def put(*path: Any, value: Any) -> Change:
    """A function that puts a value at a place in a case."""

    def change(case: Case) -> None:
        at: Any = case
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = value

    return change


def without_last(*path: Any) -> Change:
    """A function that deletes the last entry of a list in a case."""

    def change(case: Case) -> None:
        at: Any = case
        for key in path:
            at = at[key]
        del at[-1]

    return change


def tokens(case: Case) -> None:
    """Replace types by tokens, so that a word has two rows in a document."""
    c = corpus("tokens", FULL, 4)
    case.update(corpus=c, state={"gamma": Inputs(case["id"] + "t").rows(len(c["n"]), 2)})


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
        plan.reject("a state of gamma: a sampler starts from z", lambda case: case.update(state=halves))
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
