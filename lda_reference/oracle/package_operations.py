"""The package's answers to the operations of operations.json, which are not steps of a sweep."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from .. import model
from ..algorithms import ALGORITHMS, ep, hamiltonian, sgrld, vb
from ..corpus import Corpus
from ..engine import Algorithm, State, soft
from ..evaluation.coherence import coherence
from ..model import Array, Prior, counts_of
from ..truth import annealed, document
from .asking.loading import Case


def problem(case: Case) -> tuple[Corpus, Prior]:
    """The corpus and the prior of a case."""
    c = Corpus(*(case["corpus"][name] for name in ("j", "w", "n", "D", "W")))
    return c, Prior(case["prior"]["alpha"], case["prior"]["eta"])


def weights_of_token(A: Algorithm, s: State, c: Corpus, p: Prior, case: Case) -> Array:
    """The weights from which a sampler draws the topic of the case's token, as in a sweep in `corpus` order: (K,)."""
    token = int(c.n[: case["row"]].sum()) + case["token"]
    found: list[Array] = []

    def kept(x: Array) -> Array:
        found.append(x.copy())
        return soft(x)

    assert s.z is not None
    tokens = State(np.eye(case["K"])[s.z])
    replace(A, schedules=("corpus",)).sweep(tokens, c.tokens(), p, assignment=kept)
    return np.concatenate(found)[token]


def _table(case: Case, name: str) -> Array:
    """A table of a case."""
    return np.array(case[name], np.float64)


def _pair(case: Case, name: str) -> hamiltonian.Coordinates:
    """The tables NAME_jk and NAME_wk of a case."""
    return hamiltonian.Coordinates(_table(case, f"{name}_jk"), _table(case, f"{name}_wk"))


def e_step(case: Case) -> dict[str, Any]:
    c, p = problem(case)
    return {"alpha_jk": vb.e_step(_table(case, "alpha_jk"), _table(case, "eta_wk"), c, p, case["iterations"])}


def m_step(case: Case) -> dict[str, Any]:
    return {"eta_wk": vb.m_step(np.array(case["state"]["gamma"]), *problem(case))}


def elbo(case: Case) -> dict[str, Any]:
    return {"bound": vb.bound_of_parameters(_table(case, "alpha_jk"), _table(case, "eta_wk"), *problem(case))}


def fold_in(case: Case) -> dict[str, Any]:
    """theta as `lda.fold_in` estimates it, from uniform gamma."""
    A, (c, p), K = ALGORITHMS[case["algorithm"]], problem(case), case["K"]
    s = A.init(c, K, p, gamma=np.full((c.M, K), 1 / K))
    for _ in range(case["sweeps"]):
        s = A.sweep(s, c, p, schedule=case["schedule"], held_topics=_table(case, "phi_wk"))
    return {"theta_jk": A.estimate(s, c, p)[0]}


def log_joint(case: Case) -> dict[str, Any]:
    c, p = problem(case)
    return {"log_joint": model.log_joint_collapsed(*counts_of(case["state"]["z"], c, case["K"]), p)}


def full_log_joint(case: Case) -> dict[str, Any]:
    z, theta_jk, phi_wk = np.array(case["state"]["z"]), _table(case, "theta_jk"), _table(case, "phi_wk")
    return {"log_joint": model.log_joint(z, theta_jk, phi_wk, *problem(case))}


def document_evidence(case: Case) -> dict[str, Any]:
    c, p = problem(case)
    return {"log_evidence": document.exact(c, _table(case, "phi_wk"), p)}


def tempered(case: Case) -> tuple[Algorithm, State, Corpus, Prior]:
    """Collapsed Gibbs sampling at the inverse temperature of a case."""
    A, (c, p) = annealed.collapsed(case["inverse_temperature"]), problem(case)
    return A, A.init(c, case["K"], p, z=case["state"]["z"]), c, p


def tempered_update(case: Case) -> dict[str, Any]:
    A, s, c, p = tempered(case)
    return {"gamma_k": soft(weights_of_token(A, s, c, p, case))}


def tempered_sweep(case: Case) -> dict[str, Any]:
    A, s, c, p = tempered(case)
    return {"z": A.sweep(s, c, p, uniforms=case["uniforms"]).z}


def step(case: Case) -> dict[str, Any]:
    """The step of one row, of expectation propagation."""
    (c, p), i, state = problem(case), case["row"], case["state"]
    sites = ep.Sites(np.array(state["sites_jk"]), np.array(state["sites_wk"]), 0)
    gamma, new = ep.swept(np.array(state["gamma"]), sites, c, p, None, case["damping"], rows=[i])
    assert new.wk is not None
    return {"gamma_k": gamma[i], "site_k": new.jk[i], "site_wk": new.wk[i], "left": new.left}


def gradient(case: Case) -> dict[str, Any]:
    log_density, of_u = hamiltonian.log_density(_pair(case, "u"), *problem(case))
    return {"log_density": log_density, "gradient_jk": of_u.jk, "gradient_wk": of_u.wk}


def leapfrog(case: Case) -> dict[str, Any]:
    (c, p), u, r, m = problem(case), _pair(case, "u"), _pair(case, "momentum"), _pair(case, "mass")
    u, r = hamiltonian.leapfrog(u, r, m, c, p, case["step"], case["leapfrogs"])
    return {"u_jk": u.jk, "u_wk": u.wk, "momentum_jk": r.jk, "momentum_wk": r.wk}


def langevin(case: Case) -> dict[str, Any]:
    """A step of x, from the counts of a batch."""
    c, p = problem(case)
    t = c.tokens()
    inside = np.isin(t.j, case["batch"])
    part = t.with_rows(t.j[inside], t.w[inside], t.n[inside])
    N_wk = c.D / len(case["batch"]) * counts_of(np.array(case["state"]["z"])[inside], part, case["K"])[1]
    x_wk, normals = _table(case, "x_wk"), _table(case, "normals_wk")
    return {"x_wk": sgrld.langevin(x_wk[:, None], N_wk[:, None], p, case["step"], normals[:, None])[:, 0]}


def coherence_umass(case: Case) -> dict[str, Any]:
    return {"coherence": coherence(_table(case, "phi_wk"), problem(case)[0], case["words"], "umass")}


def coherence_npmi(case: Case) -> dict[str, Any]:
    return {"coherence": coherence(_table(case, "phi_wk"), problem(case)[0], case["words"], "npmi")}


MORE = (
    e_step, m_step, elbo, fold_in, log_joint, full_log_joint, document_evidence, tempered_update, tempered_sweep, step,
    gradient, leapfrog, langevin, coherence_umass, coherence_npmi,
)  # fmt: skip
