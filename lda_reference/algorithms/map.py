"""Maximum a posteriori, AWST09 §2.2.

With the log of the Dirichlet priors added to the log likelihood, the terms sum_wk (eta-1) log phi_wk and
sum_kj (alpha-1) log theta_kj, EM becomes

    gamma_wjk  ∝  (N_wk + eta - 1) (N_kj + alpha - 1) / (N_k + W eta - W)                           (5)

    phi_wk = (N_wk + eta - 1) / (N_k + W eta - W)     theta_kj = (N_kj + alpha - 1) / (N_j + K alpha - K)   (6)

where alpha, eta > 1. Every prior number is one less than in the other algorithms: alpha - 1, eta - 1 and, summed over
the vocabulary, W eta - W. That is `PRIOR_OFFSET`.

The plain text is `plain.updates.MAP`.
"""

from typing import Any

from ..corpus import Corpus
from ..engine.algorithm import Algorithm
from ..engine.counts import entropy, sums_of
from ..engine.state import State
from ..engine.update import MEAN, Term, Update, pseudocounts
from ..model import Array, Prior, column, log_joint_of_counts, normalised

PRIOR_OFFSET = 1.0  # AWST09 (5)


def smoothed(a: Any, N: Array) -> Array:
    """N_jk + (alpha - 1), N_wk + (eta - 1), N_k + (W eta - W)."""
    return N + a  # AWST09 (5)


TERM = Term(smoothed, MEAN)


def estimate(s: State, c: Corpus, p: Prior) -> tuple[Array, Array]:
    """The mode of theta and phi, AWST09 (6): the document and the word term, normalised."""
    N, pseudo = sums_of(s, c), pseudocounts(p, c.W, PRIOR_OFFSET)
    theta_jk, phi_wk = smoothed(pseudo.alpha, N.jk), smoothed(column(pseudo.eta, N.wk), N.wk)
    return normalised(theta_jk, -1), normalised(phi_wk, 0)  # AWST09 (6)


def objective(s: State, c: Corpus, p: Prior) -> Any:
    """Minus the free energy: a lower bound on log p(x, theta, phi | alpha, eta), at the best theta and phi, in nats.

    TNW06 (1) at the expected counts, plus the entropy of gamma.
    """
    N_jk, N_wk, _ = sums_of(s, c)
    return log_joint_of_counts(N_jk, N_wk, *estimate(s, c, p), p) + entropy(s, c)


ALGORITHM = Algorithm(
    name="map",
    update=Update(document=TERM, word=TERM, topic=TERM, excludes="nothing"),
    schedules=("corpus", "token", "document", "block"),
    estimate_of=estimate,
    bound_of="it maximises over theta and phi where the evidence integrates over them; `objective` bounds"
    " log p(x, theta, phi | alpha, eta) at their estimates",
    objective_of=objective,
    prior_offset=PRIOR_OFFSET,
    learns="Minka's update maximises the evidence, and map does not integrate over theta and phi (AWST09 §4.1)",
)
