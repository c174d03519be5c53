"""The fields of a case that its operation needs besides the corpus and the prior, all of them drawn."""

import math
from collections.abc import Callable
from typing import Any

from ...plain.updates import COLLAPSED, SAMPLERS
from ..cases.loading import Case
from .inputs import MANY, Inputs, gamma, table, z
from .problems import OF_TOKENS, Kind

SAMPLES = 3  # of cvb1s, for each token
STEPS = ("update", "draw", "sweep", "ten_sweeps", "converged", "summary", "reject")


def of_algorithm(case: Case, kind: Kind, x: Inputs) -> Case:
    """The state of a case of an algorithm, and what its operation needs."""
    c, K, (name, operation, variant) = case["corpus"], case["K"], kind
    N, sampler, step = sum(c["n"]), name in SAMPLERS, operation in STEPS
    fields: Case = {}
    if step:
        drawn = x.one_of(schedules(name))
        fields["schedule"] = {"update": "corpus", "draw": "corpus", "reject": schedules(name)[0]}.get(operation, drawn)
    if variant == "block":
        fields |= {"schedule": "block", "blocks": x.between(2, c["D"] - 1)}
    if variant == "nested":
        fields |= {"schedule": "nested", "inner": x.up_to(3)}
    if operation == "summary":
        fields["sweeps"] = 1 if K > MANY else x.up_to(3)
    fields |= (z if sampler else gamma)(case, x)
    if operation in ("update", "draw"):
        fields["row"] = x.below(len(c["n"]))
        fields |= {"token": x.below(c["n"][fields["row"]])} if sampler else {}
    if operation == "draw":
        fields["uniform"] = x.uniform()
    if sampler and operation in ("sweep", "summary", "reject"):
        fields["uniforms"] = x.uniforms(N)
    if name == "cvb1s" and step:
        fields["uniforms"] = [x.uniforms(SAMPLES) for _ in range(N)]
    if name == "gibbs" and step:
        fields |= {"theta_jk": x.rows(c["D"], K), "phi_wk": x.columns(c["W"], K)}
    if operation == "predict":
        j = sorted(x.topics(x.up_to(2 * c["D"]), c["D"]))
        fields["test"] = {"j": j, "w": x.topics(len(j), c["W"]), "n": [x.up_to(4) for _ in j]}
    if operation == "hyperparameters":
        shape, rate = x.one_of(((1.0, 0.0), (2.0, 0.5), (1.5, 0.3)))
        fields["gamma_prior"] = {"shape": shape, "rate": rate}
    return fields


def schedules(name: str) -> tuple[str, ...]:
    """The schedules of an algorithm without a number of their own, the default first."""
    if name in SAMPLERS:
        return ("corpus",) if name == "gibbs" else ("token",)
    return ("token", "document", "corpus") if name in COLLAPSED else ("corpus", "token", "document")


def of_operation(case: Case, x: Inputs) -> Case:
    """What one of the other operations needs; the settings of all of them are drawn, whichever is asked."""
    c = case["corpus"]
    M, N, D, types = len(c["n"]), sum(c["n"]), c["D"], len({*c["w"]})
    row, batch = x.below(M), x.permutation(D)[: x.up_to(D)]
    t, tau0, kappa = x.up_to(2000), x.one_of((0, 1, 64, 1024)), x.between(51, 100) / 100
    vb = {"iterations": x.below(4), "total_D": D + x.below(500), "t": t, "tau0": tau0, "kappa": kappa}
    scvb0 = {"burn_in": x.below(4), "total_N": N + x.below(2000)}
    scvb0 |= {"rho_theta": x.up_to(99) / 100, "rho_phi": x.up_to(100) / 100}
    settings: dict[str, Case] = {
        "online_step": vb if case["algorithm"] == "vb" else scvb0,
        "e_step": {"iterations": x.up_to(3)},
        "fold_in": {"sweeps": x.up_to(3), "schedule": x.one_of(("token", "document", "corpus"))},
        "tempered_update": {"inverse_temperature": x.below(11) / 10, "schedule": "token"},
        "tempered_sweep": {"inverse_temperature": x.below(11) / 10, "schedule": "token"},
        "step": {"row": row, "damping": x.one_of((0.1, 0.5, 1.0))},
        "leapfrog": {"step": x.one_of((0.1, 0.2, 0.25)), "leapfrogs": x.up_to(3)},
        "langevin": {"batch": batch, "step": x.one_of((0.1, 0.3, 0.6))},
        "coherence_umass": {"words": x.between(2, types)},
        "coherence_npmi": {"words": x.between(2, types)},
    }
    return settings.get(case["operation"], {}) | tables(case, x)


def tables(case: Case, x: Inputs) -> Case:
    """The state, the parameters and the random numbers of one of the other operations."""
    c, K, operation = case["corpus"], case["K"], case["operation"]
    M, D, W = len(c["n"]), c["D"], c["W"]
    theta = {"theta_jk": x.rows(D, K)} if operation == "full_log_joint" else {}
    fields = theta | (z(case, x) if operation in OF_TOKENS else {})
    if (case["algorithm"], operation) == ("scvb0", "online_step"):
        counts = pair("N_jk", "N_wk", case, lambda: x.decimal(0, 4))
        return counts | {"N_k": [round(math.fsum(column), 4) for column in zip(*counts["N_wk"], strict=True)]}
    if operation in ("e_step", "elbo", "online_step"):
        return pair("alpha_jk", "eta_wk", case, lambda: x.decimal(0.05, 4))
    if operation == "step":
        jk = table(M, K, lambda: x.decimal(0.01, 0.8))
        wk = [[[x.decimal(0.01, 0.8 if v == w else 0.05) for _ in range(K)] for v in range(W)] for w in c["w"]]
        return {"state": {"gamma": x.rows(M, K), "sites_jk": jk, "sites_wk": wk}}
    if operation.startswith("coherence"):  # a word that occurs nowhere is never among the most probable ones
        columns = [iter(x.probabilities(len({*c["w"]}))) for _ in range(K)]
        return {"phi_wk": [[next(column) if w in c["w"] else 0.0 for column in columns] for w in range(W)]}
    drawn: dict[str, Callable[[], Case]] = {
        "m_step": lambda: gamma(case, x),
        **dict.fromkeys(("fold_in", "document_evidence", "full_log_joint"), lambda: {"phi_wk": x.columns(W, K)}),
        "tempered_sweep": lambda: {"uniforms": x.uniforms(sum(c["n"]))},
        "tempered_update": lambda: {"row": (row := x.below(M)), "token": x.below(c["n"][row])},
        "langevin": lambda: {"x_wk": table(W, K, lambda: x.decimal(0.02, 3)), "normals_wk": table(W, K, x.normal)},
        "gradient": lambda: pair("u_jk", "u_wk", case, x.normal),
        "leapfrog": lambda: (
            pair("u_jk", "u_wk", case, x.normal)
            | pair("momentum_jk", "momentum_wk", case, x.normal)
            | pair("mass_jk", "mass_wk", case, lambda: x.decimal(0.8, 3))
        ),
    }
    return fields | drawn.get(operation, dict)()


def pair(of_documents: str, of_words: str, case: Case, number: Any) -> Case:
    """A table of numbers for documents, and one for words."""
    K, c = case["K"], case["corpus"]
    return {of_documents: table(c["D"], K, number), of_words: table(c["W"], K, number)}


def of_start(case: Case, kind: Kind, x: Inputs) -> Case:
    """What a start needs; the settings of all starts are drawn, whichever is asked."""
    c, K = case["corpus"], case["K"]
    documents, top, sweeps = x.topics(K, c["D"]), x.one_of((0.5, 1.0, 2.0, 3.0)), x.up_to(6)
    order = [*range(c["D"])] if kind.variant == "legal" else x.permutation(c["D"])
    part = order[: -(-c["D"] // 64)]  # the first part is a 64th of the documents, rounded up
    drawn: dict[str, Callable[[], Case]] = {
        "one-hot": lambda: z(case, x),
        # of mean 1 and standard deviation 1/10, as Gamma(100, 1/100) has
        "topics": lambda: {"weights_wk": table(c["W"], K, lambda: x.normal(1, 10))},
        "documents": lambda: {"documents": documents},
        "incremental": lambda: {"uniforms": x.uniforms(len(c["n"]))},
        "growing": lambda: {"order": order, "first": x.rows(sum(j in part for j in c["j"]), K)},
        "collapsed": lambda: gamma(case, x),
        "anneal": lambda: {"top": top, "sweeps": sweeps} | gamma(case, x),
    }
    return drawn[case["start"]]()
