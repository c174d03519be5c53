"""VB with a prior on its hyperparameters: BOO16 §§4-5. alpha is the prior of the documents, BOO16's beta is eta here.

§4. The joint density of LDA with random hyperparameters:

    log p(alpha, beta, theta, phi, z | w, d)  =  log p(alpha) + log p(beta) - D log B(alpha) - K log B(beta)
        + sum_dk (alpha_k - 1) log theta_dk + sum_kw (beta_w - 1) log phi_kw
        + sum_ik 1(z_i = k) (log theta_dk + log phi_kw)                                                            (1)

§5.1. VB with q = q(alpha) q(beta) prod_d q(theta_d) prod_k q(phi_k) prod_i q(z_i)                                 (2)
minimises KL[q || p(· | w, d)]                                                                                     (3)
one factor at a time, q(x) ∝ exp E_q[log p(x, y)]                                                                  (4)
or, where q(x) is restricted to a point, x = argmax_x E_q[log p(x, y)].                                            (5)
Figure 2, restored, where adot and bdot are the parameters of the Dirichlet factors of theta and phi:

    adot_dk  ←  E[alpha_k] + sum_w n_dw mu_dwk        abar_dk  =  Ψ(sum_k adot_dk) - Ψ(adot_dk)                    [D]
    bdot_kw  ←  E[beta_w] + sum_d n_dw mu_dwk         bbar_kw  =  Ψ(sum_w bdot_kw) - Ψ(bdot_kw)                    [W]
    mu_dwk   ∝  exp(-(abar_dk + bbar_kw)), a sweep of `vb`                                                        [DW]
    q(alpha) ∝  p(alpha) Boojum(alpha; -D, sum_d abar_d)                                                           [d]
    q(beta)  ∝  p(beta) Boojum(beta; -K, sum_k bbar_k)                                                             [w]

§5.2. Figure 3, restored; each side can use either choice. EM type 2 has p(alpha) ∝ 1 and a point for q(alpha),

    alpha  ←  Φ(sum_d abar_d / D)                                                                                  [d]

Full conjugacy has p(beta) = Boojum(K, ζ). Then q(beta) is Boojum(0, ζdot), a product of Exponentials:

    ζdot_w  ←  ζ_w + sum_k bbar_kw,    E[beta_w] = 1 / ζdot_w                                                      [w]

**Full conjugacy collapses** (chapter 13), because its posterior is improper for K >= 2. Let n0 topics lack word w. If
n0 >= 2, each update divides E[beta_w] by about n0 and raises the bound by (n0 - 1) log n0 nats, without end. If n0 = 1,
E[beta_w] goes to 0 as 1 / (number of updates), and the bound converges. Small expected counts act as 0, and a larger ζ
makes E[beta_w] smaller still. On the side of the documents n0 counts those without topic k. So the result depends on
the number of sweeps: choose it on held-out tokens and report it, and say how unseen words are scored, because their
probability goes to 0. Or hold eta fixed, or use EM type 2, which converges unless no topic has the word.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..algorithms.vb import expected_log
from ..corpus import Corpus
from ..engine import State, entropy, sums_of
from ..model import Array, Prior, column, log_joint_of_counts
from .boojum import Boojum, given_logs, is_proper, log_beta, log_density, log_sum_exp, rates
from .boojum_mode import Phi, Phi_symmetric
from .evidence import of_one_run

# Figure 2 ------------------------------------------------------------------------------------------------------------


def q_theta(N_jk: Array, alpha: ArrayLike) -> tuple[Array, Array]:
    """[D]: adot (D, K), the parameters of the Dirichlet factors q(theta_j), and abar, -E[log theta_jk] under them.

    N_jk are expected counts, and alpha, a number or (K,), is E[alpha]. BOO16 Figure 2.

    >>> q_theta(np.array([[1.0, 0.0]]), [1, 1])
    (array([[2., 1.]]), array([[0.5, 1.5]]))
    """
    alpha_jk = N_jk + np.asarray(alpha)  # BOO16 Fig. 2 [D], restored
    return alpha_jk, -expected_log(alpha_jk, -1)  # BOO16 Fig. 2 [D], restored


def q_phi(N_wk: Array, eta: ArrayLike) -> tuple[Array, Array]:
    """[W]: bdot (W, K), the parameters of the Dirichlet factors q(phi_k), and bbar, -E[log phi_wk] under them.

    N_wk are expected counts, and eta, a number or (W,), is E[beta]. BOO16 Figure 2.

    >>> eta_wk, bbar_wk = q_phi(np.array([[1.0], [0.0]]), 1)
    >>> eta_wk.ravel(), bbar_wk.ravel()
    (array([2., 1.]), array([0.5, 1.5]))
    """
    eta_wk = N_wk + column(eta, N_wk)  # BOO16 Fig. 2 [W], restored
    return eta_wk, -expected_log(eta_wk, 0)  # BOO16 Fig. 2 [W], restored


def q_alpha(abar_jk: Array, prior: Boojum) -> Boojum:
    """[d]: the factor q(alpha), if the prior of alpha is a Boojum; (0, 0) is the flat prior. BOO16 Figure 2.

    This is Proposition 2 with expected logarithms instead of logarithms.
    """
    return given_logs(prior, abar_jk)  # BOO16 Fig. 2 [d], restored


def q_eta(bbar_wk: Array, prior: Boojum) -> Boojum:
    """[w]: the factor q(beta), if the prior of beta is a Boojum: BOO16 Figure 2."""
    return given_logs(prior, bbar_wk.T)  # BOO16 Fig. 2 [w], restored


# Figure 3 ------------------------------------------------------------------------------------------------------------


def point(q: Boojum, kind: str, name: str) -> Any:
    """EM type 2: the mode of a Boojum q, as a "vector" or with equal entries ("symmetric"). `name` is for errors.

    The mode exists by §5.3. An ArithmeticError is raised if this fails, which only rounding can cause, and a ValueError
    if there is one dimension only.

    >>> point(Boojum(-2, np.array([3.0, 1.0])), "vector", "alpha")
    array([1., 2.])
    """
    if len(q.tau) < 2:
        raise ValueError(f"{name} has 1 entry, expected 2 or more: a Dirichlet in one dimension does not depend on it")
    u = q.tau / -q.m  # BOO16 Fig. 3 [d], restored
    if not is_proper(*q):
        raise ArithmeticError(
            f"the sum of exp(-u) is 1 + {np.expm1(log_sum_exp(-u)):.3g} in the update of {name}, but less than 1 by"
            f" BOO16 §5.3: {name} is too large for float64"
        )
    return Phi(u) if kind == "vector" else Phi_symmetric(u)  # BOO16 (5), BOO16 Fig. 3 [d], restored


def exponential_mean(q: Boojum, name: str) -> Array:
    """Full conjugacy: the mean 1 / τ of Boojum(0, τ), an Exponential in each dimension. `name` is for errors."""
    if q.m != 0:
        raise ArithmeticError(f"m is {q.m} in the update of {name}, expected 0: no other Boojum has a known mean")
    for i in np.flatnonzero(~((q.tau > 0) & np.isfinite(q.tau))):
        end = "0" if q.tau[i] > 0 else "infinity"
        raise ValueError(
            f"the rate of {name}[{i}] is {q.tau[i]}, expected a positive finite number: E[{name}[{i}]] has run to {end}"
        )
    return 1 / q.tau  # BOO16 Fig. 3 [W], restored


# What VB climbs ------------------------------------------------------------------------------------------------------


def log_joint(
    N_jk: Array, N_wk: Array, theta_jk: Array, phi_wk: Array, p: Prior, prior_of_alpha: Boojum, prior_of_eta: Boojum
) -> float:
    """BOO16 (1) with Boojums for the priors of alpha and eta, without their normalisers, in nats.

    N_jk and N_wk are the counts of z, p has alpha and eta; `prior_of_alpha` and `prior_of_eta` are theirs.

    >>> half, one = np.full((2, 1), 0.5), np.ones((1, 1))
    >>> round(log_joint(one, half, one, half, Prior(1, 2), Boojum(0, np.zeros(1)), Boojum(0, np.ones(2))), 4)
    -4.2877
    """
    alpha, eta = p.vectors(theta_jk.shape[-1], len(phi_wk))
    prior_part = log_density(alpha, *prior_of_alpha) + log_density(eta, *prior_of_eta)  # BOO16 (1)
    return float(prior_part + log_joint_of_counts(N_jk, N_wk, theta_jk, phi_wk, p))  # BOO16 (1)


def bound(
    s: State, c: Corpus, p: Prior, zeta_alpha: ArrayLike | None = None, zeta_eta: ArrayLike | None = None
) -> float:
    """Minus the KL divergence of BOO16 (3), up to a constant, in nats: what VB with hyperpriors climbs.

    It is E_q[(1)] + H(q), with q(theta) and q(phi) at their optimum [D], [W] for gamma and the prior. A side with a
    fixed prior, or with a flat one and a point for q, adds the same as to the bound of `vb`:

        sum_k [log B(eta + N_k) - log B(eta)]

    A side with full conjugacy and E[beta] = eta adds, without the infinite constant of its improper prior,

        sum_w [1 + log eta_w - ζ_w eta_w] + sum_k log B(eta + N_k)

    so that values can be compared only for one corpus, K and ζ. Each sweep of `vb` and each learner's update raises the
    value, in any order.

    `zeta_alpha` and `zeta_eta` are ζ of a side with full conjugacy, a number or a vector, and None for the others.

    >>> c, p = Corpus.from_documents([[0, 1]]), Prior(1, 1)
    >>> s = State(np.full((2, 2), 0.5))
    >>> round(bound(s, c, p), 4), round(bound(s, c, p, zeta_eta=0), 4)
    (-2.2749, -0.2749)
    """
    N_jk, N_wk, _ = sums_of(of_one_run(s), c)
    alpha, eta = p.vectors(N_jk.shape[1], c.W)
    document_part = _side_of_bound(N_jk, alpha, zeta_alpha, "K")
    topic_part = _side_of_bound(N_wk.T, eta, zeta_eta, "W")
    return float(document_part + topic_part + entropy(s, c))  # BOO16 (3)


def _side_of_bound(N: Array, a: Array, zeta: ArrayLike | None, size_name: str) -> float:
    """The sum over the rows of N, which have the prior a."""
    if zeta is None:
        return float((log_beta(a + N) - log_beta(a)).sum())  # BOO16 (3)
    prior_part = 1 + np.log(a) - rates(zeta, len(a), size_name) * a  # BOO16 (3)
    return float(prior_part.sum() + log_beta(a + N).sum())  # BOO16 (3)
