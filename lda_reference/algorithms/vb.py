"""Variational Bayes, TNW06 §2.1; AWST09 §2.3; SOL14 §2.3.

The posterior is approximated by q(z) q(theta) q(phi), each q(theta_j) and q(phi_k) a Dirichlet distribution:

    alphatilde_jk = alpha + sum_i gamma_ijk                                                       TNW06 (4)
    betatilde_kw  = beta + sum_ij 1(x_ij = w) gamma_ijk                                           TNW06 (5)
    gamma_ijk  ∝  exp(Ψ(alphatilde_jk) + Ψ(betatilde_kx_ij) - Ψ(sum_w betatilde_kw))              TNW06 (6)

With (4) and (5) in (6) it is one update of the counts, AWST09 (10):

    gamma_wjk  ∝  exp(ψ(N_wk + eta)) / exp(ψ(N_k + W eta)) exp(ψ(N_kj + alpha))                  AWST09 (10)

SOL14 (4) is the same, with Ψ(sum_j gamma_jd), which is equal for all topics, left in (in print, its last Ψ takes a sum
over documents where it means one over words). SOL14 Algorithm 1 is the schedule `nested`.

With exp(ψ(n)) ≈ n - 0.5 for n > 1 the update is about

    gamma_wjk  ∝  (N_wk + eta - 0.5) / (N_k + W eta - 0.5) (N_kj + alpha - 0.5)                   AWST09 (11)

which shows the relation to MAP. `APPROXIMATE` has this update, for comparison, and needs alpha, eta > 0.5. (In print
≈ stands for ∝.)
"""

from typing import Any

import numpy as np
from scipy.special import digamma

from ..corpus import Corpus
from ..engine.algorithm import Algorithm
from ..engine.counts import entropy, posterior_mean, sums
from ..engine.state import State
from ..engine.update import MEAN, Term, Update
from ..model import Array, Prior, log_joint_collapsed


def digamma_of_sum(a: Any, N: Array) -> Array:
    """Ψ(alphatilde_jk), Ψ(betatilde_kw) and Ψ(sum_w betatilde_kw)."""
    return digamma(N + a)  # TNW06 (4)(5)(6), AWST09 (7)(8)(9)(10), SOL14 (4), BOO16 Fig. 2 [DW], restored


TERM = Term(digamma_of_sum, MEAN)


def bound(s: State, c: Corpus, p: Prior) -> Any:
    """Minus the free energy (2), with q(theta) and q(phi) at their optimum (4)(5) for gamma, in nats.

    TNW06 (2):  F = E_q[-log p(x, z, phi, theta | alpha, beta)] - H(q(z, theta, phi)). At the optimum the expected
    sufficient statistics of q(theta) cancel between the two terms, and the ratio of the normalisers of posterior and
    prior is left,

        E_q[log p(z_j | theta_j) + log p(theta_j) - log q(theta_j)] = log B(alphatilde_j) - log B(alpha),

    and likewise for phi. That is the collapsed joint (7) at the expected counts, to which the entropy of q(z) is added.
    """
    N_jk, N_wk, _ = sums(s.gamma, c)
    return log_joint_collapsed(N_jk, N_wk, p) + entropy(s.gamma, c)  # TNW06 (2), SOL14 (2)(14)


ALGORITHM = Algorithm(
    name="vb",
    update=Update(document=TERM, word=TERM, topic=TERM, excludes="nothing", logs=True),
    schedules=("corpus", "token", "document", "block", "nested"),
    estimate_of=posterior_mean,
    bound_of=bound,
    objective_of=bound,
    learns=("alpha", "eta", "hyperprior"),
)


def less_a_half(a: Any, N: Array) -> Array:
    if np.any(a <= 0.5):
        raise ValueError(f"a prior number is {np.min(a)}, expected more than 0.5: AWST09 (11) subtracts 0.5 from it")
    return N + a - 0.5  # AWST09 (11)


HALF = Term(less_a_half, MEAN)

APPROXIMATE = Algorithm(
    name="vb, reading (11)",
    update=Update(document=HALF, word=HALF, topic=HALF, excludes="nothing"),
    schedules=("corpus", "token", "document", "block"),
    estimate_of=posterior_mean,
    bound_of=bound,
    objective_of="it approximates the update of vb, whose objective is its bound",
)
