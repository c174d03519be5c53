"""The answers to the operations of operations.json that take a few operations, in numbers that carry their errors.

Each function computes an answer as GUIDE.md says, in the numbers of `rounded`. `e_step` and `fold_in` are steps, see
`perturbed`; the draws of `tempered_sweep` have margins.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..evaluation.matching import top_words
from ..model import counts_of
from .asking.loading import Case
from .package import problem
from .perturbed import FUNCTION
from .rounded import Rounded, exact, exp, given, log, log_gamma, log_sum_exp, psi, root

Answer = dict[str, Rounded]


class Numbers(NamedTuple):
    """The corpus and the prior of a case, as numbers with errors; j and w are those of the rows."""

    j: Any
    w: Any
    n: Rounded
    D: int
    W: int
    alpha: Rounded
    eta: Rounded


class Pair(NamedTuple):
    """A table for documents and one for words."""

    jk: Rounded
    wk: Rounded


def _numbers(case: Case) -> Numbers:
    c, p = problem(case)
    alpha, eta = p.vectors(case["K"], c.W)
    n = exact(c.n[:, None])
    return Numbers(np.asarray(c.j), np.asarray(c.w), n, c.D, c.W, given(alpha), given(eta[:, None]))


def _pair(case: Case, name: str) -> Pair:
    return Pair(given(case[f"{name}_jk"]), given(case[f"{name}_wk"]))


# Variational Bayes ---------------------------------------------------------------------------------------------------


def _m_step(case: Case) -> Answer:
    a = _numbers(case)
    gamma = given(case["state"]["gamma"])
    return {"eta_wk": (gamma * a.n).sums(a.w, a.W) + a.eta}


def _elbo(case: Case) -> Answer:
    a, (alpha_jk, eta_wk) = _numbers(case), Pair(given(case["alpha_jk"]), given(case["eta_wk"]))
    log_theta = psi(alpha_jk) - psi(alpha_jk.sum(-1, True))
    log_phi = psi(eta_wk) - psi(eta_wk.sum(0, True))
    of_tokens = (log_sum_exp(log_theta[a.j] + log_phi[a.w]) * a.n).sum()
    of_theta = _less_log_q(a.alpha, alpha_jk, log_theta, 1)
    of_phi = _less_log_q(a.eta, eta_wk, log_phi, 0)
    return {"bound": of_tokens + of_theta + of_phi}


def _less_log_q(a: Rounded, b: Rounded, E_log: Rounded, axis: int) -> Rounded:
    """E[log p - log q] of the Dirichlet distributions p with parameters a and q with parameters b, along an axis."""
    totals = log_gamma(a.sum()) - log_gamma(b.sum(axis))
    return totals.sum() + (log_gamma(b) - log_gamma(a) + (a - b) * E_log).sum()


# The model -----------------------------------------------------------------------------------------------------------


def _counts(case: Case) -> Pair:
    N_jk, N_wk = counts_of(case["state"]["z"], problem(case)[0], case["K"])
    return Pair(exact(N_jk), exact(N_wk))


def _log_joint(case: Case) -> Answer:
    a, N = _numbers(case), _counts(case)
    return {"log_joint": _log_beta(a.alpha, N.jk, 1) + _log_beta(a.eta, N.wk, 0)}


def _log_beta(a: Rounded, N: Rounded, axis: int) -> Rounded:
    """The sum of log B(a + N) - log B(a) along an axis."""
    totals = log_gamma(a.sum()) - log_gamma(a.sum() + N.sum(axis))
    return totals.sum() + (log_gamma(a + N) - log_gamma(a)).sum()


def _full_log_joint(case: Case) -> Answer:
    a, N = _numbers(case), _counts(case)
    log_theta, log_phi = log(given(case["theta_jk"])), log(given(case["phi_wk"]))
    of_theta = ((a.alpha + N.jk - 1) * log_theta - log_gamma(a.alpha)).sum() + log_gamma(a.alpha.sum()) * a.D
    of_phi = ((a.eta + N.wk - 1) * log_phi - log_gamma(a.eta)).sum() + log_gamma(a.eta.sum()) * case["K"]
    return {"log_joint": of_theta + of_phi}


def _document_evidence(case: Case) -> Answer:
    """All terms are positive, so that relative errors are added: those of a token, of the Gamma functions, of the log.

    The factor of a token has K products, which are added to as many terms as the polynomial has.
    """
    a, K = _numbers(case), case["K"]
    totals = a.n.sums(a.j, a.D)
    of_gamma = log_gamma(a.alpha.sum()).error + log_gamma(a.alpha.sum() + totals).error.max()
    of_gamma = of_gamma + (log_gamma(a.alpha).error + log_gamma(a.alpha + totals).error.max(0)).sum()
    tokens = totals.x.max()
    x = np.array(case["expected"]["log_evidence"])
    return {"log_evidence": Rounded(x, tokens * (K + 6) + of_gamma + FUNCTION * (1 + np.abs(x)))}


# Gibbs sampling at a temperature -------------------------------------------------------------------------------------


def of_tempered_weights(case: Case) -> float:
    """The relative error of the weights and their partial sums: that of a sampler's, and that of a power.

    A power x^b is that of a ratio of counts with their prior numbers, which is between eta and 1 over (N + W eta).
    """
    a = _numbers(case)
    total = a.n.x.sum() + a.eta.x.sum()
    logs = max(np.abs(np.log(x)).max() for x in (a.eta.x / total, (a.eta.x + a.n.x.sum()) / a.eta.x.sum()))
    return float(a.W + case["K"] + 10 + FUNCTION * (1 + case["inverse_temperature"] * logs))


def _tempered_update(case: Case) -> Answer:
    gamma_k = np.array(case["expected"]["gamma_k"])
    return {"gamma_k": Rounded(gamma_k, np.full(gamma_k.shape, of_tempered_weights(case)))}


# Expectation propagation ---------------------------------------------------------------------------------------------


def _step(case: Case) -> Answer:
    """Infinity if rounding decides whether the site is left."""
    a, K, i, state = _numbers(case), case["K"], case["row"], case["state"]
    jk, wk, w = given(state["sites_jk"]), given(state["sites_wk"]), int(a.w[i])
    inside = a.j == a.j[i]
    q_k = a.alpha + (jk * a.n)[inside].sum(0)
    q_wk = a.eta + (wk * a.n[:, :, None]).sum(0)
    g, h = q_k - jk[i], q_wk - wk[i]
    left = {"gamma_k": given(state["gamma"])[i], "site_k": jk[i], "site_wk": wk[i], "left": a.n[i, 0]}
    if not _decided(g, h):
        return _undecided(left)
    if min(g.x.min(), h.x.min()) < 0:
        return left
    r = g * h[w] / h.sum(0)
    r = r / r.sum()
    at_w = (np.arange(a.W) == w).astype(np.float64)
    q_vk = [_matched(_column(1 - r[k], r[k]), h[:, k] + np.stack([0 * at_w, at_w])) for k in range(K)]
    step_k = (_matched(r[:, None], g + np.eye(K)) - q_k) * given(case["damping"])
    step_wk = (_columns(q_vk) - q_wk) * given(case["damping"])
    new_k, new_wk = q_k + step_k * a.n[i], q_wk + step_wk * a.n[i]
    if not _decided(new_k, new_wk):
        return _undecided(left)
    if min(new_k.x.min(), new_wk.x.min()) < 0:
        return left
    return {"gamma_k": r, "site_k": jk[i] + step_k, "site_wk": wk[i] + step_wk, "left": exact(0)}


def _undecided(answer: Answer) -> Answer:
    return {name: x if name == "left" else Rounded(x.x, x.error + np.inf) for name, x in answer.items()}


def _decided(*parameters: Rounded) -> bool:
    """Whether rounding in single precision leaves the sign of all parameters as it is."""
    return all((np.abs(x.x) > x.error * 2.0**-24).all() for x in parameters)


def _column(*x: Rounded) -> Rounded:
    """Single numbers, as a column."""
    return Rounded(np.array([[v.x] for v in x]), np.array([[v.error] for v in x]))


def _columns(x: list[Rounded]) -> Rounded:
    return Rounded(np.stack([v.x for v in x], 1), np.stack([v.error for v in x], 1))


def _matched(r: Rounded, a: Rounded) -> Rounded:
    """The Dirichlet with the mean and the sum of second moments of a mixture; components are rows."""
    if a.x.shape[1] == 1:
        return (r * a).sum(0)
    A = a.sum(1, True)
    m = (r * a / A).sum(0)
    s = (r * (a * (a + 1) / (A * (A + 1)))).sum()
    return m * ((1 - s) / (s - (m * m).sum()))


# Steps along a gradient ----------------------------------------------------------------------------------------------


def _log_density(a: Numbers, u: Pair) -> tuple[Rounded, Pair]:
    """log p(x, u) and its gradient in u."""
    x_jk, x_wk = exp(u.jk), exp(u.wk)
    theta, phi = x_jk / x_jk.sum(-1, True), x_wk / x_wk.sum(0, True)
    x = theta[a.j] * phi[a.w]
    p = x.sum(-1, True)
    gamma = x / p * a.n
    N_jk, N_wk = gamma.sums(a.j, a.D), gamma.sums(a.w, a.W)
    of_u = (u.jk * a.alpha - x_jk - log_gamma(a.alpha)).sum() + (u.wk * a.eta - x_wk - log_gamma(a.eta)).sum()
    of_jk = N_jk - N_jk.sum(-1, True) * theta + a.alpha - x_jk
    return (log(p) * a.n).sum() + of_u, Pair(of_jk, N_wk - N_wk.sum(0, True) * phi + a.eta - x_wk)


def _gradient(case: Case) -> Answer:
    log_density, gradient = _log_density(_numbers(case), _pair(case, "u"))
    return {"log_density": log_density, "gradient_jk": gradient.jk, "gradient_wk": gradient.wk}


def _leapfrog(case: Case) -> Answer:
    a, u, r, m = _numbers(case), _pair(case, "u"), _pair(case, "momentum"), _pair(case, "mass")
    step = given(case["step"])
    for _ in range(case["leapfrogs"]):
        r = _moved(r, _log_density(a, u)[1], step * 0.5)
        u = _moved(u, Pair(r.jk / m.jk, r.wk / m.wk), step)
        r = _moved(r, _log_density(a, u)[1], step * 0.5)
    return {"u_jk": u.jk, "u_wk": u.wk, "momentum_jk": r.jk, "momentum_wk": r.wk}


def _moved(x: Pair, v: Pair, t: Rounded) -> Pair:
    return Pair(x.jk + v.jk * t, x.wk + v.wk * t)


def _langevin(case: Case) -> Answer:
    a, x, step = _numbers(case), given(case["x_wk"]), given(case["step"])
    t = problem(case)[0].tokens()
    N_wk = np.zeros(x.x.shape)
    inside = np.isin(t.j, case["batch"])
    np.add.at(N_wk, (t.w[inside], np.array(case["state"]["z"])[inside]), 1)
    phi = x / x.sum(0)
    drift = a.eta - x + given(a.D / len(case["batch"])) * (exact(N_wk) - exact(N_wk.sum(0)) * phi)
    moved = x + step * 0.5 * drift + root(step * x) * given(case["normals_wk"])
    return {"x_wk": Rounded(np.abs(moved.x), moved.error)}


# Coherence -----------------------------------------------------------------------------------------------------------


class Pairs(NamedTuple):
    """How many documents have the earlier, more probable word of each pair, the later one, and both: (pairs, K)."""

    earlier: Rounded
    later: Rounded
    both: Rounded


def _pairs(case: Case) -> Pairs:
    """phi only orders the words, so that its errors do not matter."""
    occurs = (problem(case)[0].to_csr() > 0).toarray().astype(np.float64)
    best, together = top_words(np.array(case["phi_wk"]), case["words"]), occurs.T @ occurs
    later, earlier = (best[at] for at in np.tril_indices(len(best), -1))
    return Pairs(*(exact(together[at]) for at in ((earlier, earlier), (later, later), (earlier, later))))


def _coherence_umass(case: Case) -> Answer:
    x = _pairs(case)
    return {"coherence": log((x.both + 1) / x.earlier).sum(0)}


def _coherence_npmi(case: Case) -> Answer:
    """The two limits have no error."""
    x, D = _pairs(case), case["corpus"]["D"]
    inside = (x.both.x > 0) & (x.both.x < D)
    value = exact(np.where(x.both.x == D, 1.0, -1.0))
    p, earlier, later = (n[inside] / D for n in (x.both, x.earlier, x.later))
    of_pairs = log(p / (earlier * later)) / -log(p)
    value.x[inside], value.error[inside] = of_pairs.x, of_pairs.error
    return {"coherence": value.sum(0) / len(inside)}


OF = {
    "m_step": _m_step,
    "elbo": _elbo,
    "log_joint": _log_joint,
    "full_log_joint": _full_log_joint,
    "document_evidence": _document_evidence,
    "tempered_update": _tempered_update,
    "step": _step,
    "gradient": _gradient,
    "leapfrog": _leapfrog,
    "langevin": _langevin,
    "coherence_umass": _coherence_umass,
    "coherence_npmi": _coherence_npmi,
}
