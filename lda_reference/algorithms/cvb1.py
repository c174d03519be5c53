"""CVB1: the alpha-divergence of order 1 for all three terms, SN12 §§7 and 9.1, restored.

SN12 chooses each term of the update by an alpha-divergence of its own. Let r be its order. The terms are
E[(n_dt + alpha_t)^r]^(1/r), E[(n_tv + beta)^r]^(1/r) and c_t = E[(n_t + V beta)^-r]^(1/r), (24)-(42). CVB0 has the
orders 1, 1 and -1. CVB1 has order 1 for all three terms, so only c_t differs from CVB0:

    q(z_di = t)  ∝  (E[n_dt^-di] + alpha_t) (E[n_tv^-di] + beta) c_t,    c_t = E[1 / (n_t^-di + V beta)]         (48)

Without di, E[n] is the sum of gamma over the other tokens, and Var[n] that of gamma (1 - gamma), `MEAN_AND_VARIANCE`.
The engine divides by the topic term, so the functions below return 1 / c_t. SN12 has no exact c_t; `bernoulli` has.
SN12's formulas are lost in our text: "restored" marks those that were derived again.

- `cvb1`   c_t exactly, from the generating function of n_t
- `cvb1s`  c_t ≈ (1/S) sum_s 1 / (n_t^(s),-di + V beta), with S samples z^(s) ~ q(z); S = 50 in §10             (49)
- `cvb1d`  c_t ≈ 1/m (1 + Var[n_t^-di] / m²), m = E[n_t^-di] + V beta, the second-order Taylor expansion        (50)

`cvb1s` draws S uniforms for each token once in a sweep. A token keeps its uniforms when its gamma changes.

    SN12    d    t    v    n_dt    n_tv    n_t    beta    V beta
    code    j    k    w    N_jk    N_wk    N_k    eta     the sum of eta

The plain texts are `plain.updates.CVB1`, `plain.updates.CVB1S` and `plain.updates.CVB1D`.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from .. import bernoulli
from ..engine.update import Count, Term
from ..model import Array
from .cvb import MEAN_AND_VARIANCE
from .cvb0 import ALGORITHM as CVB0

# cvb1: exactly


def inverse_c(a: Any, n: Array) -> Array:
    """1 / c_t of (48), where c_t is E[1 / (n + W eta)]."""
    return 1 / bernoulli.mean_inverse(a, n)  # SN12 (48), restored


def inverse_c_of_rows(a: Any, sums: Array) -> bernoulli.OfRows:
    """The same for many rows at once, each without one of its tokens."""
    mean_inverse = bernoulli.integral_of_rows(a, sums, 1)
    return lambda index, leaving: 1 / mean_inverse(index, leaving)  # SN12 (48), restored


EXACT_TERM = Term(inverse_c, bernoulli.GENERATING_FUNCTION, inverse_c_of_rows)

UPDATE = CVB0.update._replace(topic=EXACT_TERM)
ALGORITHM = replace(CVB0, name="cvb1", update=UPDATE, prior_range=(1e-100, 1e8))  # as in cvb_exact

# cvb1s: by samples


def sampled_one_hot(gamma: Array, rows: Any, uniforms: Array) -> Array:
    """S topics of each row drawn from gamma, each as a vector with a single 1: (S, ..., K)."""
    return np.moveaxis(np.eye(gamma.shape[-1]).take(_topics(gamma[rows], uniforms[rows]), axis=0), -2, 0)


def sampled_topics(gamma: Array, row_index: Any, uniforms: Array) -> Any:
    """S topics of each row drawn from gamma: (S, ...)."""
    return np.moveaxis(_topics(gamma[row_index], uniforms[row_index]), -1, 0)


def _topics(gamma: Array, uniforms: Array) -> Any:
    """The topics by the rule of `draw`, which is slower where a row has many uniforms: (..., S)."""
    cumulative = np.add.accumulate(gamma, -1)
    levels = uniforms * cumulative[..., -1:]
    topics = np.zeros(levels.shape, np.min_scalar_type(gamma.shape[-1]))
    for k in range(gamma.shape[-1] - 1):
        topics += cumulative[..., k, None] <= levels
    return topics


SAMPLE_STATISTIC = Count(sampled_one_hot, np.subtract, draws=50, leaving=sampled_topics)


def inverse_c_of_samples(a: Any, n: Array) -> Array:
    """1 / c_t of (49), where c_t is the mean of 1 / (n + W eta) over samples n (S, ..., K)."""
    return 1 / np.mean(1 / (n + a), axis=0)  # SN12 (49), restored


def inverse_c_of_samples_of_rows(a: Any, sums: Array) -> Callable[[Any, Any], Array]:
    """The same for many rows at once, each without one of its tokens.

    Without the token one count changes in each sample, that of its topic. The mean over samples is corrected there.
    `inverse_c_without` takes z (S, rows, ...), the topics of the tokens left out (`sampled_topics`), and no `index`.
    """
    n = sums[0]  # (S, ..., K): the topic term has a single sum, that of the corpus
    K, mean_inverse = n.shape[-1], np.mean(1 / (n + a), axis=0)
    inverse_change = 1 / (np.maximum(n - 1, 0) + a) - 1 / (n + a)  # not used where a topic has no token
    sample_offset = np.arange(0, n.size, K).reshape(len(n), 1, *n.shape[1:-1])

    def inverse_c_without(index: Any, z: Any) -> Array:
        first_cells = np.arange(0, z[0].size * K, K).reshape(z[0].shape)
        cells = (first_cells + z).reshape(-1).astype(np.intp)
        summed_changes = np.bincount(cells, inverse_change.take(sample_offset + z).reshape(-1), z[0].size * K)
        return 1 / (mean_inverse + summed_changes.reshape(*z.shape[1:], K) / len(z))  # SN12 (49), restored

    return inverse_c_without


SAMPLES_TERM = Term(inverse_c_of_samples, SAMPLE_STATISTIC, inverse_c_of_samples_of_rows)
CVB1S = replace(ALGORITHM, name="cvb1s", update=ALGORITHM.update._replace(topic=SAMPLES_TERM))

# cvb1d: to second order


def inverse_c_to_second_order(a: Any, n: Array) -> Array:
    """1 / c_t of (50), where c_t is E[1 / (n + W eta)] to second order."""
    mean, variance = n
    m = mean + a
    return m / (1 + variance / m**2)  # SN12 (50), restored


SECOND_ORDER_TERM = Term(inverse_c_to_second_order, MEAN_AND_VARIANCE)
CVB1D = replace(ALGORITHM, name="cvb1d", update=ALGORITHM.update._replace(topic=SECOND_ORDER_TERM))
