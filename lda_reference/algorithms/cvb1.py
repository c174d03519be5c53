"""CVB1: the alpha-divergence of order 1 for all three terms, SN12 §§8-9, restored.

CVB0 projects its topic term with alpha = -1. With alpha = 1 for all three terms,

    q(z_di = t)  ∝  (E[n_dt^-di] + alpha_t) (E[n_tv^-di] + beta) E[1 / (n_t^-di + V beta)]            (48)

The last expectation in three ways:

- `cvb1`: exactly, by the generating function of n_t (see `bernoulli`);
- `cvb1s`: the mean of 1 / (n_t^(s) + V beta) over S samples z^(s) ~ q(z)                             (49)
- `cvb1d`: to second order in the variance                                                           (50)

      c_t  ≈  1 / (E[n_t] + V beta) · (1 + Var[n_t] / (E[n_t] + V beta)²)
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from .. import bernoulli
from ..corpus import Corpus
from ..engine import (
    Algorithm,
    Smoothing,
    State,
    Sums,
    Three,
    draw,
    nonnegative_rest,
    posterior_mean,
    smoothing,
)
from ..model import Array, Prior
from . import cvb, cvb0
from .cvb_exact import bound


def objective(s: State, c: Corpus, p: Prior) -> Any:
    raise ValueError("cvb1 climbs no function that is known; `bound` is the collapsed bound TNW06 (12) at its gamma")


# Exactly, from the generating function of the count


def prepare(A: Algorithm, s: State, c: Corpus, p: Prior, rng: Any) -> Algorithm:
    """The algorithm with its nodes, which depend on the prior."""
    if A.topics is not None:  # held, see hold_topics: the topic factor is left out
        return replace(A, topic_rest=None)
    t = bernoulli.nodes(float(smoothing(p, c.W).W_eta))
    W_eta = float(smoothing(p, c.W).W_eta)
    return replace(
        A,
        topic_statistic=lambda gamma: bernoulli.statistic(gamma, t),
        topic=lambda q, S_k: 1 / bernoulli.expected_inverse(q.W_eta, S_k, t),  # SN12 (48), restored
        leave_one_out=partial(leave_one_out, t) if W_eta >= bernoulli.SAFE else None,
    )


def leave_one_out(t: Array, q: Smoothing, S: Sums, gamma: Array, c: Corpus, u: Any) -> Callable[[slice], Three]:
    """The factors of rows in `corpus` order, faster: SN12 (48) by division in the place of differences of logs."""
    at_k = bernoulli.terms(q.W_eta, S.k[None], t, weight=t)
    a_k = S.k[0] + q.W_eta

    def topic(rows: slice) -> Array:
        g = gamma[rows]
        y = bernoulli.tokens(g, t)
        return 1 / bernoulli.inverse_of_laplace(a_k - g, bernoulli.laplace_without(at_k, y))

    return _with_cvb0(topic, q, S, gamma, c)


def _with_cvb0(
    topic: Callable[[slice], Array], q: Smoothing, S: Sums, gamma: Array, c: Corpus
) -> Callable[[slice], Three]:
    def of(rows: slice) -> Three:
        j, w, g = c.j[rows], c.w[rows], gamma[rows]
        q_w = q if q.eta.ndim == 0 else q._replace(eta=q.eta[w].reshape(-1, *(1,) * (gamma.ndim - 1)))
        N_jk, N_wk = nonnegative_rest(S.jk[j], g), nonnegative_rest(S.wk[w], g)
        return cvb0.document(q, N_jk), cvb0.word(q_w, N_wk), topic(rows)

    return of


ALGORITHM = Algorithm(
    name="cvb1",
    schedules=("token", "document", "corpus"),
    excludes="token",
    document=cvb0.document,  # SN12 (48), restored
    word=cvb0.word,  # SN12 (48), restored
    topic=cvb0.topic,  # until `prepare`
    topic_rest=bernoulli.rest,
    prepare=prepare,
    estimate=posterior_mean,
    bound=bound,
    objective=objective,
)

# By samples


def sampled(gamma: Array, uniforms: Array) -> Array:
    """S topics of the token drawn from gamma, one-hot: (S, ..., K)."""
    u = np.moveaxis(uniforms, -1, 0)  # samples first
    return np.eye(gamma.shape[-1])[draw(gamma[None], u)]


def sampled_topic(q: Smoothing, N_k: Array) -> Array:
    return 1 / np.mean(1 / (N_k + q.W_eta), axis=0)  # SN12 (49), restored


def leave_one_sample_out(q: Smoothing, S: Sums, gamma: Array, c: Corpus, u: Array) -> Callable[[slice], Three]:
    """The factors of rows in `corpus` order, faster: in each sample only the topic drawn has another count."""
    N_k, K = S.k, S.k.shape[-1]  # (S, ..., K)
    whole = np.mean(1 / (N_k + q.W_eta), axis=0)
    change = 1 / (np.maximum(N_k - 1, 0) + q.W_eta) - 1 / (N_k + q.W_eta)  # used where a token is, N_k >= 1
    offset = np.arange(0, N_k.size, K).reshape(len(N_k), 1, *N_k.shape[1:-1])

    def topic(rows: slice) -> Array:
        z = draw(gamma[rows][None], np.moveaxis(u[rows], -1, 0))  # (S, B, ...)
        place = np.arange(0, z[0].size * K, K).reshape(z[0].shape)
        changes = np.bincount((place + z).reshape(-1), change.take(offset + z).reshape(-1), z[0].size * K)
        return 1 / (whole + changes.reshape(*z.shape[1:], K) / len(z))  # SN12 (49), restored

    return _with_cvb0(topic, q, S, gamma, c)


SAMPLED = replace(
    ALGORITHM,
    name="cvb1s",
    samples=50,
    topic_statistic=sampled,
    topic_rest=np.subtract,  # counts of draws are whole numbers, and nothing is rounded
    topic=sampled_topic,
    prepare=None,
    leave_one_out=leave_one_sample_out,
)

# To second order


def second_order_topic(q: Smoothing, NV_k: Array) -> Array:
    N_k, V_k = NV_k
    return (N_k + q.W_eta) / (1 + V_k / (N_k + q.W_eta) ** 2)  # SN12 (50), restored


SECOND_ORDER = replace(
    ALGORITHM,
    name="cvb1d",
    topic_statistic=cvb.statistic,
    topic_rest=nonnegative_rest,
    topic=second_order_topic,
    prepare=None,
)
