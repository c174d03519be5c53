"""The fields that a case has besides the corpus and the prior, each drawn in one way wherever it occurs."""

import math
from collections.abc import Callable, Sequence
from typing import Any

from ...plain.updates import COLLAPSED, SAMPLERS
from ..cases.loading import Case
from .inputs import MANY_TOPICS, Inputs

N_SAMPLES = 3  # of cvb1s, for each token
# The least and the largest number of a table, by the beginning of its name; those of others are normal
DECIMALS = {"alpha": (0.05, 4), "eta": (0.05, 4), "N": (0, 4), "mass": (0.8, 3), "x": (0.02, 3), "weights": (0.7, 1.3)}


def field(field_name: str, case: Case, rng: Inputs) -> Any:
    """A field of a case, or of its state; it may depend on those before it."""
    corpus = case["corpus"]
    if field_name in CHOICES:
        return rng.one_of(CHOICES[field_name])
    if field_name in FIELDS:
        return FIELDS[field_name](rng, case, corpus)
    quantity_name, _, axis_letters = field_name.rpartition("_")
    draw_number = (lambda: rng.decimal(*DECIMALS[quantity_name])) if quantity_name in DECIMALS else rng.normal
    return rng.table(corpus[{"jk": "D", "wk": "W"}[axis_letters]], case["K"], draw_number)


def schedules(algorithm: str) -> tuple[str, ...]:
    """The schedules of an algorithm without a number of their own, the default first."""
    if algorithm in SAMPLERS:
        return ("corpus",) if algorithm == "gibbs" else ("token",)
    return ("token", "document", "corpus") if algorithm in COLLAPSED else ("corpus", "token", "document")


def _uniforms(rng: Inputs, case: Case, corpus: Case) -> list[Any]:
    """One for each token, or for each row of a start; of cvb1s, whose rows are tokens, several."""
    if case["algorithm"] == "cvb1s":
        return [rng.uniforms(N_SAMPLES) for _ in corpus["n"]]
    return rng.uniforms(len(corpus["n"]) if "start" in case else sum(corpus["n"]))


def _phi_wk(rng: Inputs, case: Case, corpus: Case) -> list[list[float]]:
    """Probabilities of words. In a coherence, a word that occurs nowhere is never among the most probable ones."""
    occurring_words = {*corpus["w"]}
    if not case["operation"].startswith("coherence"):
        return rng.columns(corpus["W"], case["K"])
    column_iterators = [iter(rng.probabilities(len(occurring_words))) for _ in range(case["K"])]
    return [[next(column) if w in occurring_words else 0.0 for column in column_iterators] for w in range(corpus["W"])]


def _test(rng: Inputs, case: Case, corpus: Case) -> Case:
    j = sorted(rng.topics(rng.up_to(2 * corpus["D"]), corpus["D"]))
    return {"j": j, "w": rng.topics(len(j), corpus["W"]), "n": [rng.up_to(4) for _ in j]}


def _first(rng: Inputs, case: Case, corpus: Case) -> list[list[float]]:
    """gamma of the first part: a 64th of the documents, rounded up."""
    first_documents = case["order"][: -(-corpus["D"] // 64)]
    return rng.rows(sum(j in first_documents for j in corpus["j"]), case["K"])


def _sites_wk(rng: Inputs, case: Case, corpus: Case) -> list[list[list[float]]]:
    ks = range(case["K"])
    return [[[rng.decimal(0.01, 0.8 if v == w else 0.05) for _ in ks] for v in range(corpus["W"])] for w in corpus["w"]]


CHOICES: dict[str, Sequence[Any]] = {
    "inner": (1, 2, 3), "iterations": (1, 2, 3), "leapfrogs": (1, 2, 3), "burn_in": (0, 1, 2, 3),
    "gamma_prior": [{"shape": 1.0, "rate": 0.0}, {"shape": 2.0, "rate": 0.5}, {"shape": 1.5, "rate": 0.3}],
    "top": (0.5, 1.0, 2.0, 3.0), "t": range(1, 2001), "tau0": (0, 1, 64, 1024),
    "kappa": [m / 100 for m in range(51, 101)], "rho_theta": [m / 100 for m in range(1, 100)],
    "rho_phi": [m / 100 for m in range(1, 101)], "inverse_temperature": [m / 10 for m in range(11)],
    "damping": (0.1, 0.5, 1.0), "step": (0.1, 0.2, 0.3),
}  # fmt: skip
FIELDS: dict[str, Callable[[Inputs, Case, Case], Any]] = {  # of a case and its corpus
    "gamma": lambda rng, case, c: rng.rows(len(c["n"]), case["K"]),
    "z": lambda rng, case, c: rng.topics(sum(c["n"]), case["K"]),
    "sites_jk": lambda rng, case, c: rng.table(len(c["n"]), case["K"], lambda: rng.decimal(0.01, 0.8)),
    "sites_wk": _sites_wk,
    "schedule": lambda rng, case, c: (
        "corpus"
        if "start" in case or case["operation"] in ("update", "draw")
        else rng.one_of(schedules(case["algorithm"]))
    ),
    "blocks": lambda rng, case, c: rng.between(2, c["D"] - 1),
    "sweeps": lambda rng, case, c: 1 if case["K"] > MANY_TOPICS else rng.up_to(3),
    "row": lambda rng, case, c: rng.below(len(c["n"])),
    "token": lambda rng, case, c: rng.below(c["n"][case["row"]]),
    "uniform": lambda rng, case, c: rng.uniform(),
    "uniforms": _uniforms,
    "theta_jk": lambda rng, case, c: rng.rows(c["D"], case["K"]),
    "phi_wk": _phi_wk,
    "test": _test,
    "documents": lambda rng, case, c: rng.topics(case["K"], c["D"]),
    "order": lambda rng, case, c: rng.permutation(c["D"]),
    "first": _first,
    "total_D": lambda rng, case, c: c["D"] + rng.below(500),
    "N_k": lambda rng, case, c: [round(math.fsum(column), 4) for column in zip(*case["N_wk"], strict=True)],
    "total_N": lambda rng, case, c: sum(c["n"]) + rng.below(2000),
    "batch": lambda rng, case, c: rng.permutation(c["D"])[: rng.up_to(c["D"])],
    "words": lambda rng, case, c: rng.between(2, len({*c["w"]})),
}
