"""Gibbs sampling, theta and phi drawn too: SOL14 §2.4, Algorithm 2.

    p(beta_j | z, theta, D)   = Dirichlet(nu + t_j1, ..., nu + t_jN)                              (5)
    p(theta_d | z, beta, D)   = Dirichlet(alpha + m_1d, ..., alpha + m_Md)                        (6)
    p(z_id | theta, beta, D)  = Multinomial(theta_1d beta_1w_id, ..., theta_Md beta_Mw_id)        (7)

with m_jd and t_jn the counts N_jk and N_wk of the current z. (In print (7) is not normalised.) Given theta and phi
the z are independent, and a sweep draws them all at once. The state is z; a sweep draws phi and theta from it, (5)(6),
and then z, (7): Algorithm 2's cycle, entered one step later.

The estimate is the posterior mean given z, AWST09 (15). Its average over sweeps is that of the drawn theta and phi with
less noise.
"""

from typing import Any

import numpy as np

from ..corpus import Corpus
from ..engine import KNOWN, Algorithm, State, Term, Update, dirichlet, posterior_mean, sums
from ..model import Array, Prior


def draw_parameters(s: State, c: Corpus, p: Prior, rng: np.random.Generator | None) -> tuple[Array, Array]:
    """theta_jk (D, [R,] K) and phi_wk (W, [R,] K) given z, replicate after replicate."""
    if rng is None:
        raise ValueError("rng is missing: gibbs draws theta and phi with it")
    N_jk, N_wk, _ = sums(s.gamma, c)
    alpha, eta = p.vectors(N_jk.shape[-1], c.W)
    theta_jk, phi_wk = np.empty_like(N_jk), np.empty_like(N_wk)
    for r in range(1 if N_jk.ndim == 2 else N_jk.shape[1]):
        one = ... if N_jk.ndim == 2 else (slice(None), r)
        phi_wk[one] = dirichlet(N_wk[one] + eta[:, None], 0, rng)  # SOL14 (5)(22)
        theta_jk[one] = dirichlet(N_jk[one] + alpha, -1, rng)  # SOL14 (6)(23)
    return theta_jk, phi_wk


def theta(a: Any, theta_jk: Array) -> Array:
    return theta_jk  # SOL14 (7)(24): theta_jk phi_wk, the document term


def phi(a: Any, phi_wk: Array) -> Array:
    return phi_wk  # SOL14 (7)(24): theta_jk phi_wk, the word term


def one(a: Any, n: Array) -> Array:
    return n  # there is no topic term


ALGORITHM = Algorithm(
    name="gibbs",
    update=Update(document=Term(theta, KNOWN), word=Term(phi, KNOWN), topic=Term(one, KNOWN), excludes="nothing"),
    parameters=draw_parameters,
    schedules=("corpus",),
    assignment="sample",
    estimate_of=posterior_mean,
    bound_of="it is a sampler, whose draws estimate the posterior and not the evidence",
    objective_of="it is a sampler, which draws from the posterior",
)
