"""CVB1: the alpha-divergence of order 1 for all three terms, SN12 §§8-9, restored.

CVB0 projects its topic term with alpha = -1. With alpha = 1 for all three terms,

    q(z_di = t)  ∝  (E[n_dt^-di] + alpha_t) (E[n_tv^-di] + beta) E[1 / (n_t^-di + V beta)]            (48)

The document and the word term are those of CVB0. The last expectation is taken in three ways:

- `cvb1`: exactly, by the generating function of n_t (see `bernoulli`);
- `cvb1s`: by the mean of 1 / (n_t^(s) + V beta) over S samples z^(s) ~ q(z)                          (49)
- `cvb1d`: to second order in the variance                                                           (50)

      c_t  ≈  1 / (E[n_t] + V beta) · (1 + Var[n_t] / (E[n_t] + V beta)²)
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from .. import bernoulli
from ..engine import MEAN, Algorithm, Count, Term, Update, draw, posterior_mean
from ..model import Array
from .collapsed_bound import bound
from .cvb import MEAN_AND_VARIANCE
from .cvb0 import smoothed

SMOOTHED = Term(smoothed, MEAN)  # SN12 (48), restored

# Exactly


def inverse_mean_inverse(a: Any, n: Array) -> Array:
    """1 / E[1 / (a + n)]: the topic term divides."""
    return 1 / bernoulli.mean_inverse(a, n)  # SN12 (48), restored


def inverse_mean_inverse_of_rows(a: Any, S: Array, least: float) -> bernoulli.OfRows | None:
    """The same for many rows at once, each without its own token."""
    mean_inverse = bernoulli.mean_inverse_of_rows(a, S, least)
    if mean_inverse is None:
        return None
    return lambda index, leaving: 1 / mean_inverse(index, leaving)  # SN12 (48), restored


EXACT = Term(inverse_mean_inverse, bernoulli.GENERATING_FUNCTION, inverse_mean_inverse_of_rows)

ALGORITHM = Algorithm(
    name="cvb1",
    update=Update(document=SMOOTHED, word=SMOOTHED, topic=EXACT, excludes="token"),
    schedules=("token", "document", "block", "corpus"),
    estimate_of=posterior_mean,
    bound_of=bound,
    objective_of="its steps are not steps on its bound, TNW06 (12)",
)

# By samples


def sampled(gamma: Array, uniforms: Array) -> Array:
    """S topics of the token drawn from gamma, one-hot: (S, ..., K)."""
    return np.eye(gamma.shape[-1])[sampled_topics(gamma, uniforms)]


def sampled_topics(gamma: Array, uniforms: Array) -> Any:
    """The topics themselves, (S, ...)."""
    return draw(gamma[None], np.moveaxis(uniforms, -1, 0))


SAMPLES = Count(sampled, np.subtract, draws=50, leaving=sampled_topics)


def inverse_of_samples(a: Any, n: Array) -> Array:
    return 1 / np.mean(1 / (n + a), axis=0)  # SN12 (49), restored


def inverse_of_samples_of_rows(a: Any, S: Array, uniforms: Array) -> Callable[[Any, Any], Array]:
    """The same for many rows at once: in each sample only the count of the topic drawn changes."""
    n = S[0]  # (S, ..., K)
    K, whole = n.shape[-1], np.mean(1 / (n + a), axis=0)
    change = 1 / (np.maximum(n - 1, 0) + a) - 1 / (n + a)  # used where there is a token, n >= 1
    offset = np.arange(0, n.size, K).reshape(len(n), 1, *n.shape[1:-1])

    def of(index: Any, z: Any) -> Array:
        place = np.arange(0, z[0].size * K, K).reshape(z[0].shape)
        topics = (place + z).reshape(-1).astype(np.intp)
        changes = np.bincount(topics, change.take(offset + z).reshape(-1), z[0].size * K)
        return 1 / (whole + changes.reshape(*z.shape[1:], K) / len(z))  # SN12 (49), restored

    return of


BY_SAMPLES = Term(inverse_of_samples, SAMPLES, inverse_of_samples_of_rows)
SAMPLED = replace(ALGORITHM, name="cvb1s", update=ALGORITHM.update._replace(topic=BY_SAMPLES))

# To second order


def second_order_inverse(a: Any, NV: Array) -> Array:
    N, V = NV
    return (N + a) / (1 + V / (N + a) ** 2)  # SN12 (50), restored


TO_SECOND_ORDER = Term(second_order_inverse, MEAN_AND_VARIANCE)
SECOND_ORDER = replace(ALGORITHM, name="cvb1d", update=ALGORITHM.update._replace(topic=TO_SECOND_ORDER))
