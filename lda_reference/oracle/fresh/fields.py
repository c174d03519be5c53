"""The fields that a case has besides the corpus and the prior, each drawn in one way wherever it occurs."""

import math
from collections.abc import Callable, Sequence
from typing import Any

from ...plain.updates import COLLAPSED, SAMPLERS
from ..cases.loading import Case
from .inputs import MANY, Inputs

SAMPLES = 3  # of cvb1s, for each token
# The least and the largest number of a table, by the beginning of its name; those of others are normal
DECIMALS = {"alpha": (0.05, 4), "eta": (0.05, 4), "N": (0, 4), "mass": (0.8, 3), "x": (0.02, 3), "weights": (0.7, 1.3)}


def field(name: str, case: Case, x: Inputs) -> Any:
    """A field of a case, or of its state; it may depend on those before it."""
    c = case["corpus"]
    if name in CHOICES:
        return x.one_of(CHOICES[name])
    if name in FIELDS:
        return FIELDS[name](x, case, c)
    quantity, _, axes = name.rpartition("_")
    number = (lambda: x.decimal(*DECIMALS[quantity])) if quantity in DECIMALS else x.normal
    return x.table(c[{"jk": "D", "wk": "W"}[axes]], case["K"], number)


def schedules(name: str) -> tuple[str, ...]:
    """The schedules of an algorithm without a number of their own, the default first."""
    if name in SAMPLERS:
        return ("corpus",) if name == "gibbs" else ("token",)
    return ("token", "document", "corpus") if name in COLLAPSED else ("corpus", "token", "document")


def _uniforms(x: Inputs, case: Case, c: Case) -> list[Any]:
    """One for each token, or for each row of a start; of cvb1s, whose rows are tokens, several."""
    if case["algorithm"] == "cvb1s":
        return [x.uniforms(SAMPLES) for _ in c["n"]]
    return x.uniforms(len(c["n"]) if "start" in case else sum(c["n"]))


def _phi_wk(x: Inputs, case: Case, c: Case) -> list[list[float]]:
    """Probabilities of words. In a coherence, a word that occurs nowhere is never among the most probable ones."""
    types = {*c["w"]}
    if not case["operation"].startswith("coherence"):
        return x.columns(c["W"], case["K"])
    columns = [iter(x.probabilities(len(types))) for _ in range(case["K"])]
    return [[next(column) if w in types else 0.0 for column in columns] for w in range(c["W"])]


def _test(x: Inputs, case: Case, c: Case) -> Case:
    j = sorted(x.topics(x.up_to(2 * c["D"]), c["D"]))
    return {"j": j, "w": x.topics(len(j), c["W"]), "n": [x.up_to(4) for _ in j]}


def _first(x: Inputs, case: Case, c: Case) -> list[list[float]]:
    """gamma of the first part: a 64th of the documents, rounded up."""
    part = case["order"][: -(-c["D"] // 64)]
    return x.rows(sum(j in part for j in c["j"]), case["K"])


def _sites_wk(x: Inputs, case: Case, c: Case) -> list[list[list[float]]]:
    K = range(case["K"])
    return [[[x.decimal(0.01, 0.8 if v == w else 0.05) for _ in K] for v in range(c["W"])] for w in c["w"]]


CHOICES: dict[str, Sequence[Any]] = {
    "inner": (1, 2, 3), "iterations": (1, 2, 3), "leapfrogs": (1, 2, 3), "burn_in": (0, 1, 2, 3),
    "gamma_prior": [{"shape": 1.0, "rate": 0.0}, {"shape": 2.0, "rate": 0.5}, {"shape": 1.5, "rate": 0.3}],
    "top": (0.5, 1.0, 2.0, 3.0), "t": range(1, 2001), "tau0": (0, 1, 64, 1024),
    "kappa": [m / 100 for m in range(51, 101)], "rho_theta": [m / 100 for m in range(1, 100)],
    "rho_phi": [m / 100 for m in range(1, 101)], "inverse_temperature": [m / 10 for m in range(11)],
    "damping": (0.1, 0.5, 1.0), "step": (0.1, 0.2, 0.3),
}  # fmt: skip
FIELDS: dict[str, Callable[[Inputs, Case, Case], Any]] = {  # of a case and its corpus
    "gamma": lambda x, case, c: x.rows(len(c["n"]), case["K"]),
    "z": lambda x, case, c: x.topics(sum(c["n"]), case["K"]),
    "sites_jk": lambda x, case, c: x.table(len(c["n"]), case["K"], lambda: x.decimal(0.01, 0.8)),
    "sites_wk": _sites_wk,
    "schedule": lambda x, case, c: (
        "corpus"
        if "start" in case or case["operation"] in ("update", "draw")
        else x.one_of(schedules(case["algorithm"]))
    ),
    "blocks": lambda x, case, c: x.between(2, c["D"] - 1),
    "sweeps": lambda x, case, c: 1 if case["K"] > MANY else x.up_to(3),
    "row": lambda x, case, c: x.below(len(c["n"])),
    "token": lambda x, case, c: x.below(c["n"][case["row"]]),
    "uniform": lambda x, case, c: x.uniform(),
    "uniforms": _uniforms,
    "theta_jk": lambda x, case, c: x.rows(c["D"], case["K"]),
    "phi_wk": _phi_wk,
    "test": _test,
    "documents": lambda x, case, c: x.topics(case["K"], c["D"]),
    "order": lambda x, case, c: x.permutation(c["D"]),
    "first": _first,
    "total_D": lambda x, case, c: c["D"] + x.below(500),
    "N_k": lambda x, case, c: [round(math.fsum(column), 4) for column in zip(*case["N_wk"], strict=True)],
    "total_N": lambda x, case, c: sum(c["n"]) + x.below(2000),
    "batch": lambda x, case, c: x.permutation(c["D"])[: x.up_to(c["D"])],
    "words": lambda x, case, c: x.between(2, len({*c["w"]})),
}
