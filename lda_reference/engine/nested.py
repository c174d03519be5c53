"""The schedule `nested`, which takes each document by itself to convergence with the topics fixed.

This is SOL14 Algorithm 1. Given the topics, documents do not depend on one another. Documents of similar length are
computed together, in a stack, and a document that has converged leaves it. gamma is not made: it is one update from the
counts of each document before its last step.
"""

from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

import numpy as np

from ..corpus import Corpus, Ints
from ..model import Array, Prior, log_joint_of_documents
from .counts import Fixed, Run, Sums
from .in_place import exponentials, tables
from .products import SMALLEST, by_replicate
from .update import Assign, soft

NUMBERS = 2**18  # of a stack: 2 MB
CONVERGED = 1e-4  # SOL14 Algorithm 1, line 9: the relative change of a document's part of the objective


class Stack(NamedTuple):
    """Some documents, and of each its rows: (documents, rows) arrays, E (documents, rows, topics)."""

    documents: Ints
    w: Ints  # of a document with fewer rows than the longest, the first word is repeated with the count 0
    n: Array
    E: Array  # the word terms of each row, divided by the largest of them
    top: Array  # the logarithm of the largest


def stacks(c: Corpus, K: int) -> Iterator[tuple[Ints, Ints, Array]]:
    """All documents that have rows, the longest first: the first three arrays of stacks of about `NUMBERS` numbers."""
    begins = np.searchsorted(c.j, np.arange(c.D + 1))
    lengths = np.diff(begins)
    order, first = np.argsort(-lengths, kind="stable")[: np.count_nonzero(lengths)], 0
    while first < len(order):
        length = int(lengths[order[first]])
        documents = order[first : first + max(1, NUMBERS // (length * K))]
        place = np.arange(length) - (length - lengths[documents, None])
        rows = begins[documents, None] + np.maximum(place, 0)
        yield documents, c.w.take(rows), np.where(place >= 0, c.n.take(rows), 0.0)
        first += len(documents)


def step(stack: Stack, log_jk: Array, log_wk: Array, assign: Assign) -> tuple[Array, Array]:
    """The counts of each document after one update of all its rows, and the part of the objective that has its rows."""
    _, w, n, x, shift = stack
    E_jk, largest = exponentials(log_jk.copy())
    shift, Z = shift + largest[:, None], np.matmul(x, E_jk[:, :, None])[:, :, 0]
    if not Z.min() > SMALLEST:
        x, shift = exponentials(log_jk[:, None] + log_wk.take(w, 0))
        E_jk, Z = np.ones_like(E_jk), x.sum(-1)
    if assign is soft:  # the same as below, without the rows of gamma and their logarithms
        new = E_jk * np.matmul((n / Z)[:, None], x)[:, 0]  # SOL14 Algorithm 1, lines 7 and 8
        return new, np.einsum("jl,jl->j", n, np.log(Z) + shift) - np.einsum("jk,jk->j", new, log_jk)
    gamma, is_row = np.zeros(x.shape), n > 0
    gamma[is_row] = assign((x * E_jk[:, None])[is_row])
    logs = np.log(gamma, out=np.zeros_like(gamma), where=gamma > 0)
    return np.matmul(n[:, None], gamma)[:, 0], np.einsum("jl,jlk,jlk->j", n, gamma, finite(log_wk.take(w, 0)) - logs)


def finite(logs: Array) -> Array:
    """Logarithms, with 0 for that of an impossible topic, where gamma is 0."""
    return np.where(np.isfinite(logs), logs, 0.0)


def before_last_step(fixed: Fixed, S: Sums, c: Corpus, assign: Assign, inner: int | None, run: Run) -> Sums:
    """The sums S with each document's counts before the last of its steps with the topics fixed, SOL14 Algorithm 1.

    Each document goes from the uniform distribution to convergence. It has converged when the relative change of its
    part of the objective is below 1e-4; with `inner` it takes that many steps. The objective is VB's, because this
    schedule has VB's document term.
    """
    if S.jk.ndim == 3:
        return by_replicate(lambda part: before_last_step(fixed, part, c, assign, inner, run), S)
    _, word, topic = tables(fixed, S, S.jk)  # SOL14 Algorithm 1, line 11: mu, from the last sweep
    with np.errstate(divide="ignore"):
        log_wk = word - topic if fixed.update.logs else np.log(word / topic)
    (E_wk, top_w), K = exponentials(log_wk.copy()), log_wk.shape[1]
    p = Prior(fixed.numbers.alpha)  # eta has no part in the objective of a document
    uniform_w, before_jk = finite(log_wk).mean(1) + np.log(K), np.zeros((c.D, K))

    def converge(documents: Ints, w: Ints, n: Array) -> None:
        stack = Stack(documents, w, n, E_wk.take(w, 0), top_w.take(w))
        N_jk = np.repeat(n.sum(1)[:, None] / K, K, 1)  # SOL14 Algorithm 1, lines 4 and 5, without alpha
        last = log_joint_of_documents(N_jk, p) + np.einsum("jl,jl->j", n, uniform_w.take(w))
        for number in count(1):
            log_jk = fixed.update.document.value(fixed.numbers.alpha, N_jk)
            new, of_rows = step(stack, log_jk if fixed.update.logs else np.log(log_jk), log_wk, assign)
            value = log_joint_of_documents(new, p) + of_rows
            moves = np.abs(value - last) > CONVERGED * np.abs(last)
            active = moves if inner is None else np.full(len(last), number < inner)
            if not active.all():
                before_jk[stack.documents[~active]] = N_jk[~active]
                if not active.any():
                    return
                stack, new, value = Stack(*(part[active] for part in stack)), new[active], value[active]
            N_jk, last = new, value

    for _ in run(lambda arrays: converge(*arrays), stacks(c, K)):
        pass
    return S._replace(jk=before_jk)
