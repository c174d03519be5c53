"""Faults that an implementation of these algorithms can easily have, planted into the algorithms of the package.

Each fault replaces one part of an algorithm.
"""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

import lda_reference as lda
from lda_reference import engine

from .helpers import changed

ALL = lda.ALGORITHMS
CGS, GIBBS = ALL["cgs"], ALL["gibbs"]


@dataclass(eq=False)
class Faulty:
    """An algorithm with another sweep: `do(A, s, c, p, rng, schedule) -> state`."""

    A: Any
    do: Any

    def __getattr__(self, name):
        return getattr(self.A, name)

    def sweep(self, s, c, p, schedule=None, rng=None, **rest):
        return self.do(self.A, s, c, p, rng=rng, schedule=schedule, **rest)


def with_value(A, **values):
    """The algorithm with other values for some of its terms."""
    return changed(A, **{name: replace(getattr(A.update, name), value=f, of_rows=None, additive=False) for name, f in values.items()})


def state_of(z, c, K):
    return lda.State(engine.mean_one_hot(z, c, K), z)


# Collapsed Gibbs sampling --------------------------------------------------------------------------------------------


def same_uniforms(A, s, c, p, rng, schedule=None):
    """The sweep of the package with the same random numbers every time."""
    return A.sweep(s, c, p, uniforms=np.random.default_rng(0).random(s.z.shape), rng=rng)


# Gibbs sampling ------------------------------------------------------------------------------------------------------


def gamma_ratios(rng, a, axis):
    x = rng.standard_gamma(a)
    return x / np.maximum(x.sum(axis, keepdims=True), 1e-300)  # theta of an empty document has no effect


def means(rng, a, axis):
    return a / a.sum(axis, keepdims=True)


def drawn_parameters(
    s, c, p, rng, *, phi_axis=0, theta_of=gamma_ratios, phi_of=gamma_ratios, with_phi=True, one_theta=False
):
    """theta and phi drawn from their posteriors given z, as in gibbs, with options that plant faults."""
    N_jk, N_wk, _ = engine.sums(s.gamma, c)
    alpha, eta = p.vectors(N_jk.shape[-1], c.W)
    if one_theta:
        N_jk = np.broadcast_to(N_jk.sum(0), N_jk.shape)
    theta_jk = theta_of(rng, N_jk + alpha, -1)
    phi_wk = phi_of(rng, N_wk + eta.reshape(-1, *(1,) * (N_wk.ndim - 1)), phi_axis)
    if one_theta:
        theta_jk = np.broadcast_to(theta_jk[0], theta_jk.shape)
    return theta_jk, phi_wk if with_phi else np.ones_like(phi_wk)


def gibbs(**changes):
    return replace(GIBBS, parameters=partial(drawn_parameters, **changes))


def rows_together(A, s, c, p, rng, schedule=None):
    """All tokens of a row take the topic of its first token."""
    z = A.sweep(s, c, p, rng=rng).z
    first = np.repeat(np.cumsum(c.n) - c.n, c.n)
    return state_of(z[first], c, s.gamma.shape[-1])


# Faults that are found with all chains only; a fifth of them is enough for the others.
SMALL = {
    "cgs: all tokens are drawn at once", "cgs: every sweep uses the same uniforms", "gibbs: theta is its mean, not drawn",
    "gibbs: phi is its mean, not drawn",
}  # fmt: skip

# name: (the faulty algorithm, the rows on which the fault has an effect): those that show least
SAMPLERS = {
    "cgs: all tokens are drawn at once": (replace(changed(CGS, excludes="nothing"), schedules=("corpus",)), "tokens"),
    "cgs: a third of W eta": (with_value(CGS, topic=lambda a, N_k: N_k + a / 3), "tokens"),
    "cgs: every sweep uses the same uniforms": (Faulty(CGS, same_uniforms), "tokens"),
    "gibbs: phi is normalised over topics": (gibbs(phi_axis=-1), "tokens"),
    "gibbs: theta is its mean, not drawn": (gibbs(theta_of=means), "tokens"),
    "gibbs: phi is its mean, not drawn": (gibbs(phi_of=means), "tokens"),
    "gibbs: one theta for all documents": (gibbs(one_theta=True), "tokens"),
    "gibbs: z without phi": (gibbs(with_phi=False), "tokens"),
    "gibbs: one draw moves all tokens of a row": (Faulty(GIBBS, rows_together), "types"),
}  # fmt: skip


# Deterministic algorithms --------------------------------------------------------------------------------------------


def with_statistic(A, f):
    """The algorithm with another statistic of the counts of its terms."""
    terms = {name: getattr(A.update, name) for name in ("document", "word", "topic")}
    return changed(A, **{name: replace(x, count=x.count._replace(statistic=f), of_rows=None, additive=False) for name, x in terms.items()})


VB, CVB0 = ALL["vb"], ALL["cvb0"]
ONE = np.ones(())

UPDATES = {
    "vb: no topic term": with_value(VB, topic=lambda a, N_k: 0 * ONE),
    "vb: log instead of digamma": with_value(VB, document=lambda a, N_jk: np.log(N_jk + a)),
    "cvb0: nothing is excluded": changed(CVB0, excludes="nothing"),
    "cvb0: no topic term": with_value(CVB0, topic=lambda a, N_k: ONE),
    "cvb0: W instead of W eta": with_value(CVB0, topic=lambda a, N_k: N_k + 6),
    "tcvb0: only one copy is excluded": changed(ALL["tcvb0"], excludes="token"),
    "cvb: nothing is excluded": changed(ALL["cvb"], excludes="nothing"),
    "cvb: gamma instead of gamma (1 - gamma)": with_statistic(ALL["cvb"], lambda gamma, _: np.stack((gamma, gamma))),
    "cvb_exact: nothing is excluded": changed(ALL["cvb_exact"], excludes="nothing"),
    "cvb_exact: log of the topic's mean": with_value(ALL["cvb_exact"], topic=lambda a, S: np.log(a + S[0])),  # not E[log(a + n)]
    "cvb1d: the correction has the wrong sign": with_value(ALL["cvb1d"], topic=lambda a, NV: (NV[0] + a) / (1 - NV[1] / (NV[0] + a) ** 2)),
}
