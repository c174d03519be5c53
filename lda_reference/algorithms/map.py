"""Maximum a posteriori, AWST09 §2.2.

With the log of the Dirichlet priors added to the log likelihood, the terms sum_wk (eta-1) log phi_wk and
sum_kj (alpha-1) log theta_kj, EM becomes

    gamma_wjk  ∝  (N_wk + eta - 1) (N_kj + alpha - 1) / (N_k + W eta - W)                           (5)

    phi_wk = (N_wk + eta - 1) / (N_k + W eta - W)     theta_kj = (N_kj + alpha - 1) / (N_j + K alpha - K)   (6)

where alpha, eta > 1.
"""

from typing import Any

from ..corpus import Corpus
from ..engine import Algorithm, Smoothing, State, entropy, normalised, smoothing, sums
from ..model import Array, Prior, log_joint_of_counts


def document(q: Smoothing, N_jk: Array) -> Array:
    return N_jk + (q.alpha - 1)  # AWST09 (5)


def word(q: Smoothing, N_wk: Array) -> Array:
    return N_wk + (q.eta - 1)  # AWST09 (5)


def topic(q: Smoothing, N_k: Array) -> Array:
    return N_k + (q.W_eta - q.W)  # AWST09 (5)


def estimate(s: State, c: Corpus, p: Prior) -> tuple[Array, Array]:
    """The mode of theta and phi, AWST09 (6): the factors of the update, normalised."""
    N_jk, N_wk, _ = sums(s.gamma, c)
    q = smoothing(p, c.W)
    q_w = q._replace(eta=q.eta.reshape(-1, *(1,) * (N_wk.ndim - 1))) if q.eta.ndim else q
    return normalised(document(q, N_jk), -1), normalised(word(q_w, N_wk), 0)  # AWST09 (6)


def objective(s: State, c: Corpus, p: Prior) -> Any:
    """Minus the free energy: a lower bound on log p(x, theta, phi | alpha, eta), at the best theta and phi, in nats.

    TNW06 (1) at the expected counts, plus the entropy of gamma.
    """
    N_jk, N_wk, _ = sums(s.gamma, c)
    return log_joint_of_counts(N_jk, N_wk, *estimate(s, c, p), p) + entropy(s.gamma, c)


def bound(s: State, c: Corpus, p: Prior) -> Any:
    raise ValueError(
        "map has no bound on log p(x | alpha, eta): it maximises over theta and phi where the evidence integrates over"
        " them; `objective` bounds log p(x, theta, phi | alpha, eta) at their estimates"
    )


ALGORITHM = Algorithm(
    name="map",
    schedules=("corpus", "token", "document"),
    excludes="nothing",
    document=document,
    word=word,
    topic=topic,
    estimate=estimate,
    bound=bound,
    objective=objective,
    offset=1.0,
)
