"""The random numbers of the starts: of the vectors, and of fresh cases."""

from __future__ import annotations

from typing import Any

from .asking.loading import Case
from .fresh_inputs import Given, Inputs, gamma, z


def gamma_variables(case: Case, inputs: Inputs) -> dict[str, Any]:
    """A number for each word and topic, of mean 1 and standard deviation 1/10, as Gamma(100, 1/100) has."""
    return {"weights_wk": [[inputs.near_one() for _ in range(case["K"])] for _ in range(case["corpus"]["W"])]}


def chosen(*documents: int) -> Given:
    """The document of each topic."""
    return lambda case, inputs: {"documents": list(documents)}


def uniforms(case: Case, inputs: Inputs) -> dict[str, Any]:
    """A uniform for each row."""
    return {"uniforms": [inputs.uniform() for _ in case["corpus"]["n"]]}


def grown(*order: int) -> Given:
    """The order of the documents, and gamma of the rows of the first part, a 64th of them, rounded up."""
    part = order[: -(-len(order) // 64)]
    return lambda case, inputs: {
        "order": list(order), "first": inputs.rows(sum(j in part for j in case["corpus"]["j"]), case["K"]),
    }  # fmt: skip


def annealed(top: float, sweeps: int) -> Given:
    """The first gamma, the prior of the first sweep, and the number of sweeps."""
    return lambda case, inputs: {"top": top, "sweeps": sweeps, **gamma(case, inputs)}


def of_start(case: Case, x: Inputs) -> dict[str, Any]:
    """The random numbers of a fresh case."""
    D, K = case["corpus"]["D"], case["K"]
    given: dict[str, Given] = {
        "one-hot": z,
        "topics": gamma_variables,
        "documents": chosen(*x.topics(K, D)),
        "incremental": uniforms,
        "collapsed": gamma,
        "anneal": annealed(x.one_of((0.5, 1.0, 2.0, 3.0)), x.up_to(6)),
        "growing": grown(*x.permutation(D)),
    }
    return given[case["start"]](case, x)
