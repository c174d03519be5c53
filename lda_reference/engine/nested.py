"""The schedule `nested`, which takes each document by itself to convergence with the topics fixed.

This is SOL14 Algorithm 1. Given the topics, documents do not depend on one another. Blocks of documents that fit the
cache are therefore updated side by side, and a document that has converged is left out of the next steps.
"""

from itertools import count
from typing import Any, NamedTuple

import numpy as np

from ..corpus import Corpus, Ints
from ..model import Array, Prior, log_joint_of_documents
from . import counts
from .counts import Fixed, Run, Sums, sum_rows
from .in_place import groups, tables
from .update import Assign, soft

CONVERGED = 1e-4  # SOL14 Algorithm 1, line 9: the relative change of a document's part of the objective


def sweep_nested(
    fixed: Fixed, S: Sums, gamma: Array, assign: Assign, c: Corpus, p: Prior, inner: int | None, run: Run = map
) -> None:
    """Take each document from the uniform distribution to convergence, with the topics of the sums before the sweep.

    A document has converged when the relative change of its part of the objective is below 1e-4; with `inner` it takes
    that many steps. The objective is VB's, because this schedule has VB's document term.
    """
    _, word, topic = tables(fixed, S, gamma)  # SOL14 Algorithm 1, line 11: mu, from the last sweep
    with np.errstate(divide="ignore"):
        log_topics = word - topic if fixed.update.logs else np.log(word / topic)
    number = max(1, c.M * gamma.shape[-1] // (4 * counts.BLOCK))

    def converge(task: tuple[Any, Any]) -> None:
        group, replicate = task
        at = (slice(None), replicate) if gamma.ndim == 3 else slice(None)
        topics = np.broadcast_to(log_topics, (c.W, *gamma.shape[1:]))[at].take(c.w[group.rows], 0)
        gamma[group.rows][at] = _converged(fixed, topics, group.j, c.n[group.rows], assign, p, inner)

    replicates = range(gamma.shape[1]) if gamma.ndim == 3 else (None,)
    for _ in run(converge, [(group, r) for group in groups(c, number) for r in replicates]):
        pass


def _converged(fixed: Fixed, topics: Array, j: Ints, n: Ints, assign: Assign, p: Prior, inner: int | None) -> Array:
    """gamma of the rows of some documents, from log phi of each row. Only active documents have a part in a step."""
    gamma = np.full(topics.shape, 1 / topics.shape[-1])  # SOL14 Algorithm 1, line 4
    rows = _Rows(np.arange(len(j)), j, n.astype(np.float64), topics.max(-1), np.exp(topics - topics.max(-1)[:, None]))
    N_jk = sum_rows(gamma, rows.n, j, int(j[-1]) + 1)  # SOL14 Algorithm 1, line 5, without alpha
    finite = np.where(np.isfinite(topics), topics, 0.0)  # gamma is 0 where a topic is impossible
    last = _objective(N_jk, _expected_log(gamma, finite), rows, p)
    for step in count(1):
        log_jk = fixed.update.document.value(fixed.numbers.alpha, N_jk)
        log_jk = log_jk if fixed.update.logs else np.log(log_jk)
        x, total, shift = _weights(log_jk, topics, rows)  # SOL14 Algorithm 1, line 7
        if assign is soft:  # the same as below, without the rows of gamma and their logarithms
            N_jk = sum_rows(x, rows.n / total, rows.j, len(N_jk))  # SOL14 Algorithm 1, line 8
            value = _objective(N_jk, np.log(total) + shift, rows, p) - np.einsum("jk,jk->j", N_jk, log_jk)
        else:
            x = assign(x)
            N_jk = sum_rows(x, rows.n, rows.j, len(N_jk))
            value = _objective(N_jk, _expected_log(x, finite.take(rows.rows, 0)), rows, p)
        active = np.abs(value - last) > CONVERGED * np.abs(last) if inner is None else np.full(len(last), step < inner)
        if not active.all():
            stays, number = active[rows.j], np.cumsum(active) - 1
            gamma[rows.rows[~stays]] = soft(x[~stays]) if assign is soft else x[~stays]
            rows = _Rows(*(part[stays] for part in (rows.rows, number[rows.j], *rows[2:])))
            N_jk, value = N_jk[active], value[active]
        last = value
        if not len(last):
            break
    return gamma


class _Rows(NamedTuple):
    """The rows of the active documents: their places, documents, counts, and phi divided by its largest entry."""

    rows: Ints
    j: Ints
    n: Array
    log_largest: Array
    phi: Array


def _weights(log_jk: Array, topics: Array, now: _Rows) -> tuple[Array, Array, Array]:
    """The weights of rows, their sums, and the logarithm of the factor by which both are too small."""
    largest = log_jk.max(-1)
    x = np.exp(log_jk - largest[:, None]).take(now.j, 0)
    x *= now.phi
    total = x.dot(np.ones(x.shape[-1]))
    if total.min() > 1e-200:
        return x, total, largest.take(now.j) + now.log_largest
    x = log_jk.take(now.j, 0) + topics.take(now.rows, 0)  # with tiny priors all products of a row could vanish
    shift = x.max(-1)
    np.exp(x - shift[:, None], out=x)
    return x, x.sum(-1), shift


def _expected_log(gamma: Array, log_topics: Array) -> Array:
    """E[log phi] - E[log gamma] of a token of each row."""
    logs = np.log(gamma, out=np.zeros_like(gamma), where=gamma > 0)
    return np.einsum("mk,mk->m", gamma, log_topics - logs)


def _objective(N_jk: Array, of_rows: Array, now: _Rows, p: Prior) -> Array:
    """Each document's part of the objective, where `of_rows` is the part of a token."""
    return log_joint_of_documents(N_jk, p) + np.bincount(now.j.astype(np.intp), now.n * of_rows, len(N_jk))
