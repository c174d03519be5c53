"""The schedule `nested`, which takes each document by itself to convergence with the topics fixed."""

from __future__ import annotations

import numpy as np

from ..corpus import Corpus
from ..model import Array, Prior, log_joint_of_documents
from .counts import Fixed, Sums, sum_rows
from .schedules import tables
from .update import Assign, weights


def sweep_nested(fixed: Fixed, S: Sums, gamma: Array, assign: Assign, c: Corpus, p: Prior, inner: int | None) -> None:
    """Take each document from the uniform distribution to convergence, with the topics of the sums before the sweep.

    This is SOL14 Algorithm 1. A document has converged when the relative change of its part of the objective is below
    1e-4; with `inner` it takes that many steps. The objective is VB's, because this schedule has VB's document term.
    """
    update = fixed.update
    _, word, topic = tables(fixed, S, gamma)
    with np.errstate(divide="ignore"):
        log_topics = word - topic if update.logs else np.log(word / topic)
    n = c.n.astype(np.float64)
    finite = np.where(np.isfinite(log_topics), log_topics, 0.0)  # gamma is 0 where a topic is impossible
    of_rows = log_topics.take(c.w, 0) if update.logs else np.exp(log_topics).take(c.w, 0)
    no_topic = np.zeros(()) if update.logs else np.ones(())

    def objective(now: Array, N_jk: Array) -> Array:
        entropies = np.log(now, out=np.zeros_like(now), where=now > 0)
        rows = np.einsum("m...k,m...k->m...", now, finite[c.w] - entropies)
        return log_joint_of_documents(N_jk, p) + sum_rows(rows, n, c.j, c.D).reshape(N_jk.shape[:-1])

    def step(N_jk: Array) -> Array:
        return assign(weights(update, update.document.value(fixed.numbers.alpha, N_jk).take(c.j, 0), of_rows, no_topic))

    gamma[:] = 1 / gamma.shape[-1]
    N_jk = sum_rows(gamma, n, c.j, c.D)
    for _ in range(inner or 0):
        gamma[:] = step(N_jk)
        N_jk = sum_rows(gamma, n, c.j, c.D)
    if inner is not None:
        return
    last = objective(gamma, N_jk)
    active = np.ones(last.shape, bool)  # (D, [R])
    while active.any():
        gamma[:] = np.where(active[c.j][..., None], step(N_jk), gamma)
        N_jk = sum_rows(gamma, n, c.j, c.D)
        now = objective(gamma, N_jk)
        active &= np.abs(now - last) > 1e-4 * np.abs(last)
        last = now
