"""Maximum likelihood: EM for PLSA, AWST09 §2.1.

The E step (1) and the M step (2)(3), with gamma_wjk = P(z = k | x = w, d = j), in one update:

    phi_wk  ←  N_wk / N_k        theta_kj  ←  N_kj / N_j                                         (2)(3)

    gamma_wjk  ∝  N_wk N_kj / N_k                                                                   (4)

where N_j is absorbed into the normalisation. The prior is not used. Hofmann regularises by raising the right-hand side
of (4) to a power beta > 0, found on a validation set: `tempered(beta)`.

In print, the indicators of (2) and (3) have z_i = k in them. Here they restrict the sums to the tokens of word w or
document j, and k is the entry of P(z_i = k | x_i, d_i) that is added. A topic or document without mass gets the uniform
distribution, the limit of MAP (6) for eta -> 1 or alpha -> 1.

The plain text is `plain.updates.ML`.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from scipy.special import xlogy

from ..arguments import positive
from ..corpus import Corpus
from ..engine.algorithm import Algorithm
from ..engine.counts import entropy, sums_of
from ..engine.state import State
from ..engine.update import MEAN, Term, Update
from ..model import Array, Prior


def count(a: Any, N: Array) -> Array:
    """N_jk and N_wk."""
    return N  # AWST09 (4)


def topic_count(a: Any, N_k: Array) -> Array:
    """N_k, or 1 for a topic without mass, whose other counts are 0."""
    return np.where(N_k > 0, N_k, 1.0)  # AWST09 (4); without mass N_wk N_kj is 0, and any number may divide it


def estimate(s: State, c: Corpus, p: Prior) -> tuple[Array, Array]:
    """theta_jk = N_jk / N_j and phi_wk = N_wk / N_k, AWST09 (2)(3)."""
    N_jk, N_wk, _ = sums_of(s, c)
    return proportions(N_jk, -1), proportions(N_wk, 0)  # AWST09 (2)(3)


def proportions(N: Array, axis: int) -> Array:
    """N over its sum along an axis, uniform where that is 0."""
    sum_of_N = N.sum(axis, keepdims=True)
    return np.divide(N, sum_of_N, out=np.full_like(N, 1 / N.shape[axis]), where=sum_of_N > 0)


def objective(s: State, c: Corpus, p: Prior) -> Any:
    """Minus the free energy: a lower bound on the log likelihood, at the best theta and phi for gamma, in nats.

    The E step maximises it over gamma, the M step over theta and phi (Neal and Hinton), so it never falls; the
    likelihood itself may fall inside a sweep in `token` order.
    """
    N_jk, N_wk, _ = sums_of(s, c)
    return log_likelihood(N_jk, -1) + log_likelihood(N_wk, 0) + entropy(s, c)


def log_likelihood(N: Array, axis: int) -> Any:
    """The sum of N log(N / sum N) with the inner sum along an axis: the log likelihood of counts at their proportions.

    No ratio is formed: N may be so small that N / sum N vanishes.
    """
    sum_of_N = N.sum(axis)
    return xlogy(N, N).sum((0, -1)) - xlogy(sum_of_N, sum_of_N).sum(0 if axis == -1 else -1)


def tempered(beta: float) -> Algorithm:
    """Tempered EM: the right-hand side of AWST09 (4) to the power beta, in (0, 1] to smooth.

    It climbs the likelihood with the entropy of gamma weighted by 1 / beta.
    """
    positive(beta, "beta")
    document, word, topic = (
        replace(term, value=partial(log_of_power, beta, term.value)) for term in ALGORITHM.update.terms
    )
    return replace(
        ALGORITHM,
        name=f"ml, tempered {float(beta)!r}",
        update=Update(document, word, topic, excludes="nothing", logs=True),  # powers may be too large for a float
        objective_of=partial(tempered_objective, beta),
    )


def log_of_power(beta: float, value_of: Callable[[Any, Array], Array], a: Any, N: Array) -> Array:
    """The logarithm of a term to the power beta, as AWST09 §2.1 tempers it."""
    with np.errstate(divide="ignore"):
        return beta * np.log(value_of(a, N))  # AWST09 §2.1


def tempered_objective(beta: float, s: State, c: Corpus, p: Prior) -> Any:
    """The objective with (1 / beta - 1) times the entropy of gamma, which the tempered update climbs."""
    return objective(s, c, p) + (1 / beta - 1) * entropy(s, c)


ALGORITHM = Algorithm(
    name="ml",
    update=Update(
        document=Term(count, MEAN), word=Term(count, MEAN), topic=Term(topic_count, MEAN), excludes="nothing"
    ),
    schedules=("corpus", "token", "document", "block"),
    estimate_of=estimate,
    bound_of="it has no prior; `objective` bounds its log likelihood",
    objective_of=objective,
    learns="it has no prior",
)
