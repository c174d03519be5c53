"""Gibbs sampling, theta and phi drawn too: SOL14 §2.4, Algorithm 2.

    p(beta_j | z, theta, D)   = Dirichlet(nu + t_j1, ..., nu + t_jN)                              (5)
    p(theta_d | z, beta, D)   = Dirichlet(alpha + m_1d, ..., alpha + m_Md)                        (6)
    p(z_id | theta, beta, D)  = Multinomial(theta_1d beta_1w_id, ..., theta_Md beta_Mw_id)        (7)

with m_jd and t_jn the counts N_jk and N_wk of the current z. (In print (7) is not normalised.) Given theta and phi
the z are independent, and a sweep draws them all at once. The state is z; a sweep draws phi and theta from it, (5)(6),
then z anew, (7): Algorithm 2's cycle, entered one step later.

The estimate is the posterior mean given z, AWST09 (15), whose average over sweeps is that of the drawn theta and phi
with less noise.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from ..corpus import Corpus
from ..engine import Algorithm, Smoothing, State, hold_topics, normalised, posterior_mean, sums
from ..model import Array, Prior


def draw_parameters(s: State, c: Corpus, p: Prior, rng: np.random.Generator) -> tuple[Array, Array]:
    """theta_jk (D, [R,] K) and phi_wk (W, [R,] K) given z, replicate after replicate."""
    N_jk, N_wk, _ = sums(s.gamma, c)
    alpha, eta = p.vectors(N_jk.shape[-1], c.W)
    theta_jk, phi_wk = np.empty_like(N_jk), np.empty_like(N_wk)
    for r in range(1 if N_jk.ndim == 2 else N_jk.shape[1]):
        one = ... if N_jk.ndim == 2 else (slice(None), r)
        phi_wk[one] = _dirichlet(N_wk[one] + eta[:, None], 0, rng)  # SOL14 (5)(22)
        theta_jk[one] = _dirichlet(N_jk[one] + alpha, -1, rng)  # SOL14 (6)(23)
    return theta_jk, phi_wk


def _dirichlet(a: Array, axis: int, rng: np.random.Generator) -> Array:
    """Dirichlet draws along an axis: gamma variables, normalised; in logs, since those of tiny shapes underflow."""
    # Gamma(a) is Gamma(a + 1) times a power 1/a of a uniform
    logs = np.log(rng.standard_gamma(a + 1)) - rng.standard_exponential(a.shape) / a
    return normalised(np.exp(logs - logs.max(axis, keepdims=True)), axis)


def document(q: Smoothing, N_jk: Array) -> Array:
    raise ValueError("gibbs has no factors of the counts: they are drawn, see prepare")


def prepare(A: Algorithm, s: State, c: Corpus, p: Prior, rng: np.random.Generator | None) -> Algorithm:
    """The algorithm with theta and phi drawn: its factors of document and word, SOL14 (7)."""
    if rng is None:
        raise ValueError("gibbs draws theta and phi with rng, and none is given")
    theta_jk, phi_wk = draw_parameters(s, c, p, rng)
    held = A if A.topics is not None else hold_topics(A, phi_wk, c)
    return replace(held, document=lambda q, N_jk: theta_jk)  # SOL14 (7)(24)


def bound(s: State, c: Corpus, p: Prior) -> Any:
    raise ValueError("gibbs is a sampler and has no bound: its draws estimate the posterior, not log p(x | alpha, eta)")


def objective(s: State, c: Corpus, p: Prior) -> Any:
    raise ValueError("gibbs is a sampler and climbs nothing: it draws from the posterior")


ALGORITHM = Algorithm(
    name="gibbs",
    schedules=("corpus",),
    assignment="sample",
    excludes="nothing",
    document=document,
    word=document,
    topic=document,
    prepare=prepare,
    estimate=posterior_mean,
    bound=bound,
    objective=objective,
)
