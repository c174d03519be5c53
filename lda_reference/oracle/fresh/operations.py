"""The random numbers of the starts and the other operations: of the vectors, and of fresh cases."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Concatenate, ParamSpec

from ..cases.loading import Case
from .inputs import Given, Inputs, gamma, z

P = ParamSpec("P")

# Variational Bayes and the model -------------------------------------------------------------------------------------


def decimal(inputs: Inputs, low: float, high: float) -> float:
    """A multiple of 1/10,000 between two numbers."""
    return round(low + (high - low) * inputs.rng.random(), 4)


def table(rows: int, columns: int, number: Callable[[], float]) -> list[list[float]]:
    """A table of numbers."""
    return [[number() for _ in range(columns)] for _ in range(rows)]


def tables(case: Case, name: str, number: Callable[[], float]) -> dict[str, Any]:
    """A table of numbers for documents, and one for words."""
    sizes = {"jk": case["corpus"]["D"], "wk": case["corpus"]["W"]}
    return {f"{name}_{of}": table(rows, case["K"], number) for of, rows in sizes.items()}


def of_numbers(do: Callable[Concatenate[Case, Inputs, P], dict[str, Any]]) -> Callable[P, Given]:
    """A function of the numbers that are not drawn, whose result draws the others."""
    return lambda *of, **named: lambda case, inputs: do(case, inputs, *of, **named)


@of_numbers
def e_step(case: Case, inputs: Inputs, iterations: int, ones: bool = False) -> dict[str, Any]:
    """eta_wk, and the alpha_jk that the iterations begin with."""
    found = parameters(case, inputs)
    if ones:
        found["alpha_jk"] = table(case["corpus"]["D"], case["K"], lambda: 1.0)
    return found | {"iterations": iterations}


def parameters(case: Case, inputs: Inputs) -> dict[str, Any]:
    """The parameters of q(theta) and q(phi)."""
    D, W, K = case["corpus"]["D"], case["corpus"]["W"], case["K"]
    return {
        "alpha_jk": table(D, K, lambda: decimal(inputs, 0.05, 4)),
        "eta_wk": table(W, K, lambda: decimal(inputs, 0.05, 4)),
    }


@of_numbers
def online_vb(case: Case, inputs: Inputs, iterations: int, total_D: int, t: int, tau0: float, kappa: float) -> Case:
    """The parameters, the iterations, the documents of the whole corpus, and what the step size is made of."""
    size = {"total_D": total_D, "t": t, "tau0": tau0, "kappa": kappa}
    return parameters(case, inputs) | {"iterations": iterations, **size}


@of_numbers
def scvb0(case: Case, inputs: Inputs, burn_in: int, total_N: int, rho_theta: float, rho_phi: float) -> Case:
    """The expected counts, the passes, the tokens of the whole corpus, and the step sizes."""
    found = tables(case, "N", lambda: decimal(inputs, 0, 4))
    found["N_k"] = [round(math.fsum(column), 4) for column in zip(*found["N_wk"], strict=True)]
    return found | {"burn_in": burn_in, "total_N": total_N, "rho_theta": rho_theta, "rho_phi": rho_phi}


def phi(case: Case, inputs: Inputs) -> dict[str, Any]:
    """phi_wk."""
    return {"phi_wk": inputs.columns(case["corpus"]["W"], case["K"])}


def theta_and_phi(case: Case, inputs: Inputs) -> dict[str, Any]:
    """z, theta_jk and phi_wk."""
    theta = {"theta_jk": inputs.rows(case["corpus"]["D"], case["K"])}
    return z(case, inputs) | theta | phi(case, inputs)


@of_numbers
def folded_in(case: Case, inputs: Inputs, sweeps: int, schedule: str) -> dict[str, Any]:
    """phi_wk and the number of sweeps."""
    return {"schedule": schedule, **phi(case, inputs), "sweeps": sweeps}


# Steps ---------------------------------------------------------------------------------------------------------------


@of_numbers
def tempered(case: Case, inputs: Inputs, b: float) -> dict[str, Any]:
    """The topics, the inverse temperature, and the row and token or the uniforms."""
    found = {"schedule": "token", **z(case, inputs), "inverse_temperature": b}
    if case["operation"] == "tempered_sweep":
        return found | {"uniforms": [inputs.uniform() for _ in range(sum(case["corpus"]["n"]))]}
    row = inputs.below(len(case["corpus"]["n"]))
    return found | {"row": row, "token": inputs.below(case["corpus"]["n"][row])}


def coordinates(case: Case, inputs: Inputs) -> dict[str, Any]:
    """u."""
    return tables(case, "u", inputs.normal)


@of_numbers
def trajectory(case: Case, inputs: Inputs, step: float, leapfrogs: int) -> dict[str, Any]:
    """u, the momentum, the mass and the steps."""
    found = coordinates(case, inputs) | tables(case, "momentum", inputs.normal)
    found |= tables(case, "mass", lambda: decimal(inputs, 0.8, 3))
    return found | {"step": step, "leapfrogs": leapfrogs}


@of_numbers
def langevin(case: Case, inputs: Inputs, batch: tuple[int, ...], step: float) -> dict[str, Any]:
    """x_wk, the topics, the batch, the step and the normal numbers."""
    W, K = case["corpus"]["W"], case["K"]
    found = z(case, inputs) | {"x_wk": table(W, K, lambda: decimal(inputs, 0.02, 3)), "batch": list(batch)}
    return found | {"step": step, "normals_wk": table(W, K, inputs.normal)}


@of_numbers
def sites(
    case: Case,
    inputs: Inputs,
    row: int,
    damping: float,
    of_theta: dict[int, list[float]] | None = None,
    of_phi: dict[int, list[float]] | None = None,
) -> dict[str, Any]:
    """gamma and the sites of all rows, the row and the damping.

    `of_theta` has the exponents at theta of some rows, and `of_phi` those at phi of the row's word.
    """
    c, K = case["corpus"], case["K"]
    jk = table(len(c["n"]), K, lambda: decimal(inputs, 0.01, 0.8))
    wk = [[[decimal(inputs, 0.01, 0.8 if v == w else 0.05) for _ in range(K)] for v in range(c["W"])] for w in c["w"]]
    for i, exponents in (of_theta or {}).items():
        jk[i] = exponents
    for i, exponents in (of_phi or {}).items():
        wk[i][c["w"][i]] = exponents
    state = {"gamma": inputs.rows(len(c["n"]), K), "sites_jk": jk, "sites_wk": wk}
    return {"state": state, "row": row, "damping": damping}


# Coherence -----------------------------------------------------------------------------------------------------------


@of_numbers
def compared(case: Case, inputs: Inputs, words: int, topics: Sequence[list[int]] = ()) -> dict[str, Any]:
    """phi_wk, and how many words are compared.

    `topics` has the probabilities of the words in tenths; if there are none, they are drawn.
    """
    occur = set(case["corpus"]["w"])
    drawn = () if topics else (inputs.probabilities(len(occur)) for _ in range(case["K"]))
    columns = [iter(column) for column in (*drawn, *([tenths / 10 for tenths in topic] for topic in topics))]
    phi = [[next(column) if w in occur else 0.0 for column in columns] for w in range(case["corpus"]["W"])]
    return {"phi_wk": phi, "words": words}


# Starts --------------------------------------------------------------------------------------------------------------


def gamma_variables(case: Case, inputs: Inputs) -> dict[str, Any]:
    """A number for each word and topic, of mean 1 and standard deviation 1/10, as Gamma(100, 1/100) has."""
    return {"weights_wk": [[inputs.normal(1, 10) for _ in range(case["K"])] for _ in range(case["corpus"]["W"])]}


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


# Fresh cases ---------------------------------------------------------------------------------------------------------


def of_operation(case: Case, x: Inputs) -> dict[str, Any]:
    """The inputs of a fresh case."""
    c = case["corpus"]
    row, some = x.below(len(c["n"])), x.permutation(c["D"])[: x.up_to(c["D"])]
    sizes = x.up_to(2000), x.one_of((0, 1, 64, 1024)), x.between(51, 100) / 100
    vb = online_vb(x.below(4), c["D"] + x.below(500), *sizes)
    cvb0 = scvb0(x.below(4), sum(c["n"]) + x.below(2000), x.up_to(99) / 100, x.up_to(100) / 100)
    given: dict[str, Given] = {
        "online_step": vb if case["algorithm"] == "vb" else cvb0,
        "e_step": e_step(x.up_to(3)), "m_step": gamma, "elbo": parameters,
        "fold_in": folded_in(x.up_to(3), x.one_of(("token", "document", "corpus"))), "log_joint": z,
        "full_log_joint": theta_and_phi, "document_evidence": phi, "tempered_update": tempered(x.below(11) / 10),
        "tempered_sweep": tempered(x.below(11) / 10), "step": sites(row, x.one_of((0.1, 0.5, 1.0))),
        "gradient": coordinates, "leapfrog": trajectory(x.one_of((0.1, 0.2, 0.25)), x.up_to(3)),
        "langevin": langevin(tuple(some), x.one_of((0.1, 0.3, 0.6))),
        "coherence_umass": compared(x.between(2, len({*c["w"]}))),
        "coherence_npmi": compared(x.between(2, len({*c["w"]}))),
    }  # fmt: skip
    return given[case["operation"]](case, x)


def of_start(case: Case, x: Inputs) -> dict[str, Any]:
    """The random numbers of a fresh case."""
    D, K = case["corpus"]["D"], case["K"]
    given: dict[str, Given] = {
        "one-hot": z, "topics": gamma_variables, "documents": chosen(*x.topics(K, D)), "incremental": uniforms,
        "collapsed": gamma, "anneal": annealed(x.one_of((0.5, 1.0, 2.0, 3.0)), x.up_to(6)),
        "growing": grown(*x.permutation(D)),
    }  # fmt: skip
    return given[case["start"]](case, x)
