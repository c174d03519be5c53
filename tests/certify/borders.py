"""Inputs near the border between legal and illegal: some that a port must refuse, and legal ones beside them.

A port that refuses everything would pass all other cases of `reject`. It fails the legal ones here.
"""

from __future__ import annotations

from typing import Any

from lda_reference.oracle.fresh_inputs import Documents, Inputs
from lda_reference.plain.problem import Case
from lda_reference.plain.updates import SAMPLERS

from .plan import Plan
from .rejects import Change, put

PAIR: Documents = [[(0, 1), (2, 1)], [(1, 1), (2, 1)]]  # 3 words
LARGE: Documents = [[(0, 300), (2, 1)], [(1, 1)], []]  # 3 words
LAST = 1 - 2.0**-53  # the largest float64 number below 1


def with_last(*path: Any, value: Any) -> Change:
    """A function that adds an entry to a list in a case."""

    def change(case: Case) -> None:
        at: Any = case
        for key in path:
            at = at[key]
        at.append(value)

    return change


def one_topic(case: Case) -> None:
    """Let the case have one topic."""
    M = len(case["corpus"]["n"])
    case["K"] = 1
    case["state"] = {"z": [0] * len(case["state"]["z"])} if "z" in case["state"] else {"gamma": [[1.0]] * M}
    if "theta_jk" in case:
        case |= {
            "theta_jk": [[1.0]] * case["corpus"]["D"],
            "phi_wk": Inputs(case["id"]).columns(case["corpus"]["W"], 1),
        }


def lists(case: Case) -> None:
    """Give the prior as a list of exactly K numbers and one of exactly W, and use the last topic."""
    more = 1 if case["algorithm"] == "map" else 0
    case["prior"] = {"alpha": [0.25 + more, 0.5 + more], "eta": [0.5 + more, 0.25 + more, 0.75 + more]}
    if "z" in case["state"]:
        case["state"]["z"][0] = case["K"] - 1


def borders(plan: Plan) -> None:
    """Add the inputs of an algorithm."""
    plan.reject('alpha is infinite, which is spelled "inf"', put("prior", "alpha", value="inf"), PAIR, 3)
    plan.reject(
        'an entry of eta is infinite, which is spelled "inf"', put("prior", "eta", value=[1.5, "inf", 1.5]), PAIR, 3
    )
    plan.reject("legal: lists of exactly K and W numbers", lists, PAIR, 3, legal=True)
    plan.reject("legal: one topic", one_topic, PAIR, 3, legal=True)
    if plan.name in SAMPLERS:
        plan.reject("a uniform too many: there must be one a token", with_last("uniforms", value=0.5), PAIR, 3)
        plan.reject("a topic too many: there must be one a token", with_last("state", "z", value=0), PAIR, 3)
        plan.reject("legal: a uniform of 0", put("uniforms", 0, value=0.0), PAIR, 3, legal=True)
        plan.reject("legal: the largest uniform below 1", put("uniforms", 1, value=LAST), PAIR, 3, legal=True)
    else:
        uneven = put("state", "gamma", 1, value=[0.5, 0.500001])
        plan.reject("a row of gamma that sums to 1 + 1e-6", uneven, PAIR, 3)
        plan.reject(
            "a row of gamma with three entries for two topics", with_last("state", "gamma", 0, value=0.0), PAIR, 3
        )
        even = put("state", "gamma", 1, value=[0.5, 0.5000000001])
        plan.reject("legal: a row of gamma that sums to 1 + 1e-10", even, PAIR, 3, legal=True)
        certain = put("state", "gamma", 2, value=[1.0, 0.0])
        plan.reject("legal: entries of gamma that are exactly 0 and 1", certain, PAIR, 3, legal=True)
    if plan.name == "cvb1s":
        samples = [0.25, 0.5, 0.75]
        plan.reject("samples of a token too many", with_last("uniforms", value=samples), PAIR, 3)
        return
    documents = [*PAIR, []] if plan.name in SAMPLERS else LARGE
    note = "legal: a last document without rows" + ("" if plan.name in SAMPLERS else ", and a count of 300")
    plan.reject(note, lambda case: None, documents, 3, legal=True)
