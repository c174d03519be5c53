"""Variational Bayes, TNW06 §2.1; AWST09 §2.3; SOL14 §2.3.

The posterior is approximated by q(z) q(theta) q(phi), each q(theta_j) and q(phi_k) a Dirichlet distribution:

    alphatilde_jk = alpha + sum_i gamma_ijk                                                       TNW06 (4)
    betatilde_kw  = beta + sum_ij 1(x_ij = w) gamma_ijk                                           TNW06 (5)
    gamma_ijk  ∝  exp(Ψ(alphatilde_jk) + Ψ(betatilde_kx_ij) - Ψ(sum_w betatilde_kw))              TNW06 (6)

Put (4) and (5) into (6) and it is one update of the counts, AWST09 (10):

    gamma_wjk  ∝  exp(ψ(N_wk + eta)) / exp(ψ(N_k + W eta)) exp(ψ(N_kj + alpha))                  AWST09 (10)

SOL14 (4) is the same, with Ψ(sum_j gamma_jd), which is the same for all topics, left in (in print, its last Ψ takes a
sum over documents where it means one over words). SOL14 Algorithm 1 is the schedule `nested`.

With exp(ψ(n)) ≈ n - 0.5 for n > 1 the update is about

    gamma_wjk  ∝  (N_wk + eta - 0.5) / (N_k + W eta - 0.5) (N_kj + alpha - 0.5)                   AWST09 (11)

in which the relation to MAP shows: `APPROXIMATE`, to compare; it needs alpha, eta > 0.5. (In print ≈ stands for ∝.)
"""

from typing import Any

from scipy.special import digamma

from ..corpus import Corpus
from ..engine import Algorithm, Smoothing, State, entropy, posterior_mean, sums
from ..model import Array, Prior, log_joint_collapsed, log_joint_of_documents


def document(q: Smoothing, N_jk: Array) -> Array:
    return digamma(N_jk + q.alpha)  # TNW06 (4)(6), AWST09 (8)(9)(10), SOL14 (4), BOO16 Fig. 2 [DW], restored


def word(q: Smoothing, N_wk: Array) -> Array:
    return digamma(N_wk + q.eta)  # TNW06 (5)(6), AWST09 (7)(9)(10), SOL14 (4), BOO16 Fig. 2 [DW], restored


def topic(q: Smoothing, N_k: Array) -> Array:
    return digamma(N_k + q.W_eta)  # TNW06 (6), AWST09 (7)(9)(10), SOL14 (4), BOO16 Fig. 2 [DW], restored


def bound(s: State, c: Corpus, p: Prior) -> Any:
    """Minus the free energy (2), with q(theta) and q(phi) at their optimum (4)(5) for gamma, in nats.

    TNW06 (2):  F = E_q[-log p(x, z, phi, theta | alpha, beta)] - H(q(z, theta, phi)). At the optimum the expected
    sufficient statistics of q(theta) cancel between the two terms and what is left is the ratio of the normalisers of
    posterior and prior,

        E_q[log p(z_j | theta_j) + log p(theta_j) - log q(theta_j)] = log B(alphatilde_j) - log B(alpha),

    and likewise for phi. That is the collapsed joint (7) at the expected counts; the entropy of q(z) remains.
    """
    N_jk, N_wk, _ = sums(s.gamma, c)
    return log_joint_collapsed(N_jk, N_wk, p) + entropy(s.gamma, c)  # TNW06 (2), SOL14 (2)(14)


ALGORITHM = Algorithm(
    name="vb",
    schedules=("corpus", "token", "document", "nested"),
    excludes="nothing",
    document=document,
    word=word,
    topic=topic,
    logs=True,
    estimate=posterior_mean,
    bound=bound,
    objective=bound,
    inner=log_joint_of_documents,
)


def document_less_a_half(q: Smoothing, N_jk: Array) -> Array:
    return N_jk + q.alpha - 0.5  # AWST09 (11)


def word_less_a_half(q: Smoothing, N_wk: Array) -> Array:
    return N_wk + q.eta - 0.5  # AWST09 (11)


def topic_less_a_half(q: Smoothing, N_k: Array) -> Array:
    return N_k + q.W_eta - 0.5  # AWST09 (11)


def no_objective(s: State, c: Corpus, p: Prior) -> Any:
    raise ValueError("the reading (11) climbs nothing: it approximates the update of vb, whose objective is its bound")


APPROXIMATE = Algorithm(
    name="vb, reading (11)",
    schedules=("corpus", "token", "document"),
    excludes="nothing",
    document=document_less_a_half,
    word=word_less_a_half,
    topic=topic_less_a_half,
    offset=0.5,
    estimate=posterior_mean,
    bound=bound,
    objective=no_objective,
)
