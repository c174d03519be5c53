"""Hamiltonian Monte Carlo on theta and phi, with z summed out: the target, its gradient, a trajectory.

The target is p(theta, phi | x), where each token is a mixture over its topic:

    p(x, theta, phi) = p(theta) p(phi) prod_i sum_k theta_jk phi_wk        (TNW06 (1), summed over z)

theta_j and phi_k are normalised Gamma variables, the expanded mean of Patterson and Teh (2013), in logs:

    x_jk ~ Gamma(alpha_k, 1),  theta_jk = x_jk / sum_k x_jk,  u_jk = log x_jk,
    x_wk ~ Gamma(eta_w, 1),    phi_wk   = x_wk / sum_w x_wk,  u_wk = log x_wk.

The density of log x is x^(a-1) e^-x / Gamma(a) times the Jacobian x = e^u, so with z summed out

    log p(x, u) = sum_rows n log sum_k theta_jk phi_wk + sum (a u - e^u - log Gamma(a)),   a = alpha_k or eta_w.

It is smooth on all of R^(DK + WK), bounded also for a < 1, and its integral is p(x). The sums of x keep their prior, a
Gamma. A softmax of K free numbers would have no proper posterior, because a constant added to them has no effect.

With gamma_jwk = theta_jk phi_wk / sum_k theta_jk phi_wk, SOL14 (7), and the expected counts N of gamma, the gradient is

    d/du_jk = N_jk - N_j theta_jk + alpha_k - e^u_jk,      d/du_wk = N_wk - N_k phi_wk + eta_w - e^u_wk.

A momentum r ~ Normal(0, m) is drawn; `leapfrogs` steps of size `step` follow Hamilton's equations of
H = -log p(x, u) + sum r^2 / 2m; the end is accepted with probability min(1, exp(H - H')), Neal (2011). A mass m grows
with the curvature of -log p in its coordinate, so that one step size, of order 1, serves all coordinates. A trajectory
that leaves the floats is rejected, as if the density there were 0.

The plain texts are `plain.gradients.Gradient` and `plain.gradients.Leapfrog`.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy.special import gammaln

from ..corpus import Corpus
from ..engine.counts import sums
from ..model import Array, Prior, column


class Coordinates(NamedTuple):
    """Unconstrained coordinates of theta and phi: theta_jk ∝ exp u_jk over k, and phi_wk ∝ exp u_wk over w.

    Their shapes are (D, [R,] K) and (W, [R,] K).
    """

    jk: Array
    wk: Array


# The target ----------------------------------------------------------------------------------------------------------


def log_density(u: Coordinates, c: Corpus, p: Prior, held_topics: Array | None = None) -> tuple[Any, Coordinates]:
    """log p(x, u), with z summed out, and its gradient in u.

    log p is in nats, a float or (R,). With `held_topics`, (W, K) or (W, R, K), phi_wk is theirs instead of that of u.
    The prior of u_wk then stays, and its gradient has no part of the tokens.

    >>> u = Coordinates(np.zeros((1, 2)), np.zeros((2, 2)))  # theta and phi are uniform, and six x are 1
    >>> log_p, gradient = log_density(u, Corpus.from_documents([[0, 0]], W=2), Prior(1, 1))
    >>> round(float(log_p - 2 * np.log(0.5)), 6), gradient.wk.tolist()
    (-6.0, [[0.5, 0.5], [-0.5, -0.5]])
    """
    (alpha, eta), n = p.vectors(u.jk.shape[-1], c.W, "hmc"), c.n.astype(np.float64)
    log_theta, log_phi = logs(u)
    if held_topics is not None:
        with np.errstate(divide="ignore"):
            log_phi = np.log(column(held_topics, u.wk))
    log_ik = log_theta.take(c.j, 0) + log_phi.take(c.w, 0)
    log_i = log_sum(log_ik, -1)
    log_p = n @ log_i[..., 0] + log_prior(u.jk, alpha) + log_prior(u.wk, column(eta, u.wk))  # TNW06 (1), summed over z
    N_jk, N_wk, N_k = sums(np.exp(log_ik - log_i), c)
    grad_jk = N_jk - N_jk.sum(-1, keepdims=True) * np.exp(log_theta) + alpha - np.exp(u.jk)
    grad_wk = column(eta, u.wk) - np.exp(u.wk)
    return log_p, Coordinates(grad_jk, grad_wk + (N_wk - N_k * np.exp(log_phi)) if held_topics is None else grad_wk)


def log_prior(u: Array, a: Any) -> Any:
    """log p(u) of u = log x with x ~ Gamma(a, 1), summed over all but the replicates: a u - e^u - log Gamma(a)."""
    return (a * u - np.exp(u) - gammaln(a)).sum((0, -1))  # PT13 [coordinates]


def logs(u: Coordinates) -> tuple[Array, Array]:
    """log theta_jk and log phi_wk."""
    return u.jk - log_sum(u.jk, -1), u.wk - log_sum(u.wk, 0)


def log_sum(x: Array, axis: int) -> Array:
    """log sum exp x along an axis, which is kept, with length 1."""
    largest_x = x.max(axis, keepdims=True)
    return largest_x + np.log(np.exp(x - largest_x).sum(axis, keepdims=True))


# A trajectory --------------------------------------------------------------------------------------------------------


class Move(NamedTuple):
    """A transition to u, which is the start if the trajectory was rejected."""

    u: Coordinates
    log_ratio: Any  # H - H' of the trajectory, () or (R,); -inf if it left the floats
    accepted: Any


def masses(c: Corpus, K: int, p: Prior) -> Coordinates:
    """m, (D, K) and (W, K): 1 + a + the number of tokens of the document or word over K. They do not depend on u."""
    alpha, eta = p.vectors(K, c.W, "hmc")
    N_j, N_w = c.by_document(c.n), c.by_word(c.n)
    return Coordinates(1 + alpha + N_j[:, None] / K, (1 + eta + N_w / K)[:, None] * np.ones(K))


def kinetic(r: Coordinates, m: Coordinates) -> Any:
    """sum r^2 / 2m."""
    return sum((x**2 / (2 * column(mass, x))).sum((0, -1)) for x, mass in zip(r, m, strict=True))


def leapfrog(
    u: Coordinates,
    r: Coordinates,
    m: Coordinates,
    c: Corpus,
    p: Prior,
    step: float,
    leapfrogs: int,
    held_topics: Array | None = None,
) -> tuple[Coordinates, Coordinates]:
    """u and r after some steps of the leapfrog method; Neal (2011).

    Half a step of r, whole steps of u and r in turn, and at the end half a step of r:

        r ← r + step/2 d log p/du,    u ← u + step r/m,    r ← r + step/2 d log p/du.
    """
    r = shifted(r, log_density(u, c, p, held_topics)[1], step / 2)  # NEAL11 [leapfrog]
    for step_number in range(leapfrogs):
        u = shifted(u, Coordinates(r.jk / column(m.jk, r.jk), r.wk / column(m.wk, r.wk)), step)  # NEAL11 [leapfrog]
        is_last = step_number == leapfrogs - 1
        r = shifted(r, log_density(u, c, p, held_topics)[1], step / 2 if is_last else step)
    return u, r


def transition(
    u: Coordinates,
    c: Corpus,
    p: Prior,
    step: float,
    leapfrogs: int,
    normals: Coordinates,
    uniforms: Any,
    held_topics: Array | None = None,
) -> Move:
    """A trajectory and its acceptance.

    There are 1 or more leapfrogs, of a positive step. `normals` are standard normal numbers of the shapes of u. The
    trajectory is accepted if `uniforms`, in [0, 1), a float or (R,), are less than exp(H - H'). `held_topics` are as in
    `log_density`.
    """
    m = masses(c, u.jk.shape[-1], p)
    r = Coordinates(np.sqrt(column(m.jk, u.jk)) * normals.jk, np.sqrt(column(m.wk, u.wk)) * normals.wk)
    H = kinetic(r, m) - log_density(u, c, p, held_topics)[0]
    with np.errstate(over="ignore", invalid="ignore"):  # a trajectory that leaves the floats is rejected
        new_u, new_r = leapfrog(u, r, m, c, p, step, leapfrogs, held_topics)
        log_ratio = H - (kinetic(new_r, m) - log_density(new_u, c, p, held_topics)[0])
    log_ratio = np.where(np.isnan(log_ratio), -np.inf, log_ratio)[()]
    accepted = uniforms < np.exp(np.minimum(log_ratio, 0))  # NEAL11 [acceptance]
    chosen_u = [np.where(np.asarray(accepted)[..., None], y, x) for x, y in zip(u, new_u, strict=True)]
    return Move(Coordinates(*chosen_u), log_ratio, accepted)


def shifted(u: Coordinates, v: Coordinates, t: float) -> Coordinates:
    """The coordinates after a step of length t along v."""
    return Coordinates(u.jk + t * v.jk, u.wk + t * v.wk)


def randomness(u: Coordinates, rng: np.random.Generator) -> tuple[Coordinates, Any]:
    """The normals and the uniform of a transition, one replicate after the other, as for R single ones."""
    normals, uniforms = Coordinates(np.empty_like(u.jk), np.empty_like(u.wk)), np.empty(u.jk.shape[1:-1])
    for r in range(uniforms.size):
        replicate_index: Any = ... if u.jk.ndim == 2 else (slice(None), r)
        for normals_of_side in normals:
            normals_of_side[replicate_index] = rng.standard_normal(normals_of_side[replicate_index].shape)
        uniforms[... if u.jk.ndim == 2 else r] = rng.random()
    return normals, uniforms[()]
