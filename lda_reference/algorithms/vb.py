"""Variational Bayes, TNW06 §2.1; AWST09 §2.3; SOL14 §2.3.

The posterior is approximated by q(z) q(theta) q(phi), each q(theta_j) and q(phi_k) a Dirichlet distribution:

    alphatilde_jk = alpha + sum_i gamma_ijk                                                       TNW06 (4)
    betatilde_kw  = beta + sum_ij 1(x_ij = w) gamma_ijk                                           TNW06 (5)
    gamma_ijk  ∝  exp(Ψ(alphatilde_jk) + Ψ(betatilde_kx_ij) - Ψ(sum_w betatilde_kw))              TNW06 (6)

With (4) and (5) in (6) it is one update of the counts, AWST09 (10):

    gamma_wjk  ∝  exp(ψ(N_wk + eta)) / exp(ψ(N_k + W eta)) exp(ψ(N_kj + alpha))                  AWST09 (10)

SOL14 (4) is the same: its mu is gamma, and its gamma alphatilde. It leaves in Ψ(sum_j gamma_jd), which is equal for all
topics. In print its last Ψ takes sum_n mu_nd where it means sum_n mu_jn. SOL14 Algorithm 1 is the schedule `nested`.

With exp(ψ(n)) ≈ n - 0.5 for n > 1 the update is about

    gamma_wjk  ∝  (N_wk + eta - 0.5) / (N_k + W eta - 0.5) (N_kj + alpha - 0.5)                   AWST09 (11)

which shows the relation to MAP. `APPROXIMATE` has this update, for comparison, and needs alpha, eta > 0.5. (In print
≈ stands for ∝.)

The plain text is `plain.updates.VB`; the steps of libraries and the bound of any parameters are in `plain.vb_steps`.
"""

from typing import Any

import numpy as np
from scipy.special import digamma, gammaln, logsumexp

from ..corpus import Corpus
from ..engine.algorithm import Algorithm
from ..engine.counts import entropy, posterior_mean, sums, sums_of
from ..engine.state import State
from ..engine.update import MEAN, Term, Update, soft
from ..model import Array, Prior, column, log_joint_collapsed


def digamma_of_sum(a: Any, N: Array) -> Array:
    """Ψ(N_jk + alpha), Ψ(N_wk + eta), Ψ(N_k + W eta)."""
    x = N + a
    return digamma(x, out=x)  # TNW06 (4)(5)(6), AWST09 (7)(8)(9)(10), SOL14 (4), BOO16 Fig. 2 [DW], restored


TERM = Term(digamma_of_sum, MEAN)


def bound(s: State, c: Corpus, p: Prior) -> Any:
    """Minus the free energy (2), with q(theta) and q(phi) at their optimum (4)(5) for gamma, in nats.

    TNW06 (2):  F = E_q[-log p(x, z, phi, theta | alpha, beta)] - H(q(z, theta, phi)). At the optimum the expected
    sufficient statistics of q(theta) cancel, and the ratio of the normalisers of posterior and prior is left,

        E_q[log p(z_j | theta_j) + log p(theta_j) - log q(theta_j)] = log B(alphatilde_j) - log B(alpha),

    and likewise for phi. That is the collapsed joint (7) at the expected counts, to which the entropy of q(z) is added.
    """
    N_jk, N_wk, _ = sums_of(s, c)
    return log_joint_collapsed(N_jk, N_wk, p) + entropy(s, c)  # TNW06 (2), SOL14 (2)(14)


# The algorithm -------------------------------------------------------------------------------------------------------

ALGORITHM = Algorithm(
    name="vb",
    update=Update(document=TERM, word=TERM, topic=TERM, excludes="nothing", logs=True),
    schedules=("corpus", "token", "document", "block", "nested"),
    estimate_of=posterior_mean,
    bound_of=bound,
    objective_of=bound,
    prior_range=(1e-300, 1e100),  # a learned prior may run away from its start
    learns=("alpha", "eta", "hyperprior"),
)


def less_a_half(a: Any, N: Array) -> Array:
    """The count with its prior number less a half, the approximation AWST09 (11) of exp(digamma)."""
    if np.any(a <= 0.5):
        raise ValueError(f"a prior number is {np.min(a)}, expected more than 0.5: AWST09 (11) subtracts 0.5 from it")
    return N + a - 0.5  # AWST09 (11)


HALF_TERM = Term(less_a_half, MEAN)

APPROXIMATE = Algorithm(
    name="vb, reading (11)",
    update=Update(document=HALF_TERM, word=HALF_TERM, topic=HALF_TERM, excludes="nothing"),
    schedules=("corpus", "token", "document", "block"),
    estimate_of=posterior_mean,
    bound_of=bound,
    objective_of="it approximates the update of vb, whose objective is its bound",
)


# The parameters of q: the steps and the bound of libraries, which the algorithm does not use --------------------------


def expected_log(a: Array, axis: int) -> Array:
    """E[log x] of Dirichlet distributions with the parameters a along an axis: Ψ(a) - Ψ(sum of a)."""
    return digamma(a) - digamma(a.sum(axis, keepdims=True))  # TNW06 (6)


def e_step(alpha_jk: Array, eta_wk: Array, c: Corpus, p: Prior, iterations: int) -> Array:
    """alpha_jk after some iterations of TNW06 (6) and (4), with eta_wk held: the E-step of libraries.

    The positive parameters of q(theta), alpha_jk (D, K), are gamma in gensim and scikit-learn. Those of q(phi), eta_wk
    (W, K), are lambda in gensim and the transpose of `components_` in scikit-learn.

    >>> c = Corpus.from_documents([[0, 0, 1]])
    >>> e_step(np.ones((1, 2)), np.array([[9.0, 1.0], [1.0, 9.0]]), c, Prior(0.1, 0.1), 20).round(2)
    array([[2.25, 0.95]])
    """
    alpha, _ = p.arrays(alpha_jk.shape[-1], c.W)
    log_phi = expected_log(eta_wk, 0)
    for _ in range(iterations):
        alpha_jk = sums(_gamma(alpha_jk, log_phi, c), c).jk + alpha  # TNW06 (4)
    return alpha_jk


def responsibilities(alpha_jk: Array, eta_wk: Array, c: Corpus) -> Array:
    """gamma (M, K), the best q(z) for the parameters alpha_jk (D, K) of q(theta) and eta_wk (W, K) of q(phi).

    >>> c, eta_wk = Corpus.from_documents([[1]], W=2), np.array([[9.0, 1.0], [1.0, 9.0]])
    >>> responsibilities(np.ones((1, 2)), eta_wk, c).round(2)
    array([[0.06, 0.94]])
    """
    return _gamma(alpha_jk, expected_log(eta_wk, 0), c)


def _gamma(alpha_jk: Array, log_phi: Array, c: Corpus) -> Array:
    log_weights = expected_log(alpha_jk, -1)[c.j] + log_phi[c.w]
    return soft(np.exp(log_weights - log_weights.max(-1, keepdims=True)))  # TNW06 (6)


def m_step(gamma: Array, c: Corpus, p: Prior) -> Array:
    """eta_wk, the parameters (W, K) of q(phi), from gamma (M, K): the M-step of libraries.

    >>> m_step(np.array([[0.25, 0.75]]), Corpus([0], [0], [2], D=1, W=2), Prior(0.1, 0.5)).tolist()
    [[1.0, 2.0], [0.5, 0.5]]
    """
    N_wk = sums(gamma, c).wk
    return N_wk + column(p.eta, N_wk)  # TNW06 (5)


def bound_of_parameters(alpha_jk: Array, eta_wk: Array, c: Corpus, p: Prior) -> float:
    """The bound of q(theta) and q(phi) with any parameters, and of the best q(z) for them, in nats.

    Libraries report this bound. The parameters alpha_jk (D, K) and eta_wk (W, K) are positive. At the best ones for a
    gamma, (4) and (5), the bound is at least `bound` of this gamma, because q(z) is the best one.

    >>> c, p = Corpus.from_documents([[0, 1]]), Prior(1, 1)
    >>> round(bound_of_parameters(np.array([[3.0]]), np.array([[2.0], [2.0]]), c, p), 4)  # one topic: log(1 / 6)
    -1.7918
    """
    alpha, eta = p.arrays(alpha_jk.shape[-1], c.W)
    log_theta, log_phi = expected_log(alpha_jk, -1), expected_log(eta_wk, 0)
    token_part = c.n @ logsumexp(log_theta[c.j] + log_phi[c.w], -1)
    theta_part, phi_part = less_log_q(alpha, alpha_jk, log_theta), less_log_q(eta.T, eta_wk.T, log_phi.T)
    return float(token_part + theta_part.sum() + phi_part.sum())  # TNW06 (2)


def less_log_q(a: Array, b: Array, E_log: Array) -> Array:
    """E[log p - log q], minus the divergence, for p = Dirichlet(a) and q = Dirichlet(b), of each row of b."""
    log_normalisers = gammaln(a.sum(-1)) - gammaln(a).sum(-1) - gammaln(b.sum(-1)) + gammaln(b).sum(-1)
    return log_normalisers + ((a - b) * E_log).sum(-1)
