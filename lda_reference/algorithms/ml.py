"""Maximum likelihood: EM for PLSA, AWST09 §2.1.

The E step (1) and the M step (2)(3), with gamma_wjk = P(z = k | x = w, d = j), in one update:

    phi_wk  ←  N_wk / N_k        theta_kj  ←  N_kj / N_j                                         (2)(3)

    gamma_wjk  ∝  N_wk N_kj / N_k                                                                   (4)

where N_j is absorbed into the normalisation. The prior is not used. Hofmann regularises by raising the right-hand side
of (4) to a power beta > 0, found on a validation set: `tempered(beta)`.

In print, the indicators of (2) and (3) restrict the sums to the tokens of word w or document j; z_i = k names the
entry of P(z_i | x_i, d_i) that is added. A topic or document without mass gets the uniform distribution, the limit
eta -> 1 of MAP (6).
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from scipy.special import xlogy

from ..corpus import Corpus
from ..engine import Algorithm, Smoothing, State, entropy, sums
from ..model import Array, Prior


def document(q: Smoothing, N_jk: Array) -> Array:
    return N_jk  # AWST09 (4)


def word(q: Smoothing, N_wk: Array) -> Array:
    return N_wk  # AWST09 (4)


def topic(q: Smoothing, N_k: Array) -> Array:
    return np.where(N_k > 0, N_k, 1.0)  # AWST09 (4); without mass N_wk N_kj is 0 already, whatever divides it


def estimate(s: State, c: Corpus, p: Prior) -> tuple[Array, Array]:
    """theta_jk = N_jk / N_j and phi_wk = N_wk / N_k, AWST09 (2)(3)."""
    N_jk, N_wk, _ = sums(s.gamma, c)
    return _proportions(N_jk, -1), _proportions(N_wk, 0)  # AWST09 (2)(3)


def _proportions(N: Array, axis: int) -> Array:
    total = N.sum(axis, keepdims=True)
    return np.divide(N, total, out=np.full_like(N, 1 / N.shape[axis]), where=total > 0)


def objective(s: State, c: Corpus, p: Prior) -> Any:
    """Minus the free energy: a lower bound on the log likelihood, at the best theta and phi for gamma, in nats.

    sum over tokens of sum_k gamma_k log(theta_jk phi_wk), plus the entropy of gamma. Neal and Hinton's view of EM:
    the E step maximises it over gamma, the M step over theta and phi, so it never falls; the likelihood itself may
    fall inside a sweep in `token` order.
    """
    N_jk, N_wk, _ = sums(s.gamma, c)
    return log_likelihood(N_jk, -1) + log_likelihood(N_wk, 0) + entropy(s.gamma, c)


def log_likelihood(N: Array, axis: int) -> Any:
    """The sum of N log(N / sum N), the sum along an axis: of counts at the proportions that they themselves give.

    No ratio is formed: N may be so small that N / sum N vanishes.
    """
    total = N.sum(axis)
    return xlogy(N, N).sum((0, -1)) - xlogy(total, total).sum(0 if axis == -1 else -1)


def bound(s: State, c: Corpus, p: Prior) -> Any:
    raise ValueError(
        "ml has no bound on log p(x | alpha, eta): it has no prior; `objective` bounds its log likelihood"
    )


ALGORITHM = Algorithm(
    name="ml",
    schedules=("corpus", "token", "document"),
    excludes="nothing",
    document=document,
    word=word,
    topic=topic,
    estimate=estimate,
    bound=bound,
    objective=objective,
)


def tempered(beta: float) -> Algorithm:
    """Tempered EM: the right-hand side of AWST09 (4) to the power beta, in (0, 1] to smooth.

    What it climbs is the likelihood with the entropy of gamma weighted by 1 / beta.
    """
    if not (beta > 0 and np.isfinite(beta)):
        raise ValueError(f"beta is {beta}, expected a positive finite number")

    return replace(
        ALGORITHM,
        name=f"ml, tempered {beta:g}",
        logs=True,  # powers of counts may be too large for a float
        document=partial(log_of_power, beta, document),
        word=partial(log_of_power, beta, word),
        topic=partial(log_of_power, beta, topic),
        objective=partial(tempered_objective, beta),
    )


def log_of_power(beta: float, factor: Callable[[Smoothing, Array], Array], q: Smoothing, N: Array) -> Array:
    with np.errstate(divide="ignore"):
        return beta * np.log(factor(q, N))  # AWST09 §2.1


def tempered_objective(beta: float, s: State, c: Corpus, p: Prior) -> Any:
    return objective(s, c, p) + (1 / beta - 1) * entropy(s.gamma, c)
