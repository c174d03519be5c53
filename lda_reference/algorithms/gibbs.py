"""Gibbs sampling of z, theta and phi: SOL14 §2.4, Algorithm 2.

    p(beta_j | beta_-j, z, theta, D)    =  Dirichlet(nu + t_j1, ..., nu + t_jN)                          (5)
    p(theta_.d | theta_-d, z, beta, D)  =  Dirichlet(alpha + m_1d, ..., alpha + m_Md)                    (6)
    p(z_id | z_-id, theta, beta, D)     =  Multinomial(theta_1d beta_1w_id, ..., theta_Md beta_Mw_id)    (7)

The parameters of (7) must be divided by their sum, which the paper omits; `engine.update.draw` multiplies the uniform
by the sum instead. Appendix C derives (5)-(7) as (22)-(24). SOL14's j is a topic and the code's j a document:

    SOL14    j    d    n    M    N    nu     beta_jn    theta_jd    t_jn    m_jd
    code     k    j    w    K    W    eta    phi_wk     theta_jk    N_wk    N_jk

The state is z. A sweep draws phi by (5) and theta by (6) from its counts, and then every topic by (7). Given theta and
phi the topics are independent, so they are drawn together. Algorithm 2 repeats z, theta, beta. A sweep starts with
beta, because only z is stored; it is the same chain, because theta and beta are independent given z.

With the assignments `soft` and `hard`, two cells of TNW06 Table 1, there is no z. The counts of (5) and (6) are then
those of gamma, (7) itself or its largest topic, and the law of the draws is not the posterior.

The estimate is the posterior mean of theta and phi given z, AWST09 (15), which varies less than the draws that SOL14
averages.

The plain text, with theta and phi given, is `plain.updates.Gibbs`.
"""

from dataclasses import replace

import numpy as np

from ..corpus import Corpus
from ..engine.counts import sums
from ..engine.state import State
from ..engine.update import KNOWN, Term, Update, itself
from ..model import Array, Prior, column, dirichlet
from .cgs import ALGORITHM as CGS


def draw_parameters(s: State, c: Corpus, p: Prior, rng: np.random.Generator | None) -> tuple[Array, Array]:
    """Draw theta_jk (D, [R,] K) and phi_wk (W, [R,] K) given z, one replicate after the other."""
    if rng is None:
        raise ValueError("rng is missing: gibbs draws theta and phi with it")
    N_jk, N_wk, _ = sums(s.gamma, c)  # the counts of z: gamma has the share of each topic in a row's tokens
    alpha, eta = p.arrays(N_jk.shape[-1], c.W)
    theta_jk, phi_wk = np.empty_like(N_jk), np.empty_like(N_wk)
    for r in range(1 if N_jk.ndim == 2 else N_jk.shape[1]):
        run = ... if N_jk.ndim == 2 else (slice(None), r)  # one replicate after the other, as R single sweeps
        phi_wk[run] = dirichlet(N_wk[run] + column(eta, N_wk[run]), 0, rng)  # SOL14 (5)(22), SOL14 Algorithm 2; line 7
        theta_jk[run] = dirichlet(N_jk[run] + alpha, -1, rng)  # SOL14 (6)(23), SOL14 Algorithm 2; line 5
    return theta_jk, phi_wk


# The term of a `KNOWN` count gets, instead of a sum, theta_jk or phi_wk as drawn. The topic term gets 1.
DRAWN_TERM = Term(itself, KNOWN)  # SOL14 (7)(24)

ALGORITHM = replace(
    CGS,
    name="gibbs",
    update=Update(document=DRAWN_TERM, word=DRAWN_TERM, topic=DRAWN_TERM, excludes="nothing"),
    parameters=draw_parameters,
    schedules=("corpus",),
)
