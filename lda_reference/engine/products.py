"""Sweeps in `corpus` order that make no gamma, for soft updates that exclude nothing.

Without an exclusion the weight of a topic is a product of a term of the document and a term of the word:

    gamma_jwk = E_jk E_wk / Z_jw        Z_jw = sum_k E_jk E_wk

The sums after the update are therefore products of matrices, in which gamma does not appear:

    N_jk = E_jk sum_w (n_jw / Z_jw) E_wk        N_wk = E_wk sum_j (n_jw / Z_jw) E_jk
"""

import operator
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from ..corpus import Corpus
from .counts import Fixed, Pseudocounts, Run, Sums, blocks_of, hold_fixed, sum_all, sums_of, sums_of_blocks
from .groups import group_of
from .in_place import exponentials, gathered, tables
from .state import Recipe, Rows, State
from .update import KNOWN, MEAN, Assign, Update, soft

SMALLEST = 1e-200  # Z; with tiny priors all products of a row could vanish


class OneUpdate(NamedTuple):
    """gamma as one update of all rows from the sums before a sweep, which is made when somebody asks for it."""

    update: Update
    numbers: Pseudocounts
    sums: Sums

    def __call__(self, c: Corpus) -> Rows:
        """A function that gives the rows of gamma in a slice."""
        weights = gathered(self.update, tables(hold_fixed(self.update, self.numbers), self.sums, self.sums.jk))
        return lambda rows: soft(weights(c.j[rows], c.w[rows]))


def needs_no_gamma(update: Update, assign: Assign) -> bool:
    """Whether a sweep in `corpus` order is a product of matrices."""
    return assign is soft and update.excludes == "nothing" and {term.count for term in update.terms} <= {MEAN, KNOWN}


def sums_before(fixed: Fixed, s: State, c: Corpus) -> Sums:
    """The sums with which a sweep begins; gamma is not made if they are known without it."""
    each = zip(fixed.counts, fixed.known, sums_of(s, c), strict=True)
    return Sums(*(held if count == KNOWN else x for count, held, x in each))


def after_update(update: Update, numbers: Pseudocounts, S: Sums, c: Corpus, run: Run = map) -> State:
    """The state after one update of all rows from the sums S."""
    sums_after = by_replicate(lambda part: _sums_after(OneUpdate(update, numbers, part), c, run), S)
    return State(Recipe(OneUpdate(update, numbers, S), c, sums_after))


def by_replicate(function: Callable[[Sums], Sums], S: Sums) -> Sums:
    """What a function makes of sums without a replicate axis; with that axis, of the sums of each replicate."""
    if S.jk.ndim == 2:
        return function(S)
    _, R, K = S.jk.shape
    wk, k = np.broadcast_to(S.wk, (len(S.wk), R, K)), np.broadcast_to(S.k, (R, K))
    parts = [function(Sums(S.jk[:, r], wk[:, r], k[r])) for r in range(R)]
    return Sums(*(np.stack(x, axis) for x, axis in zip(zip(*parts, strict=True), (1, 1, 0), strict=True)))


def _sums_after(make: OneUpdate, c: Corpus, run: Run) -> Sums:
    E_jk, E_wk, topic = tables(hold_fixed(make.update, make.numbers), make.sums, make.sums.jk)
    if make.update.logs:
        (E_jk, _), (E_wk, _) = exponentials(E_jk.copy()), exponentials(E_wk - topic)
    else:
        E_wk = E_wk / topic
    Z, ones = np.empty(c.M), np.ones(E_jk.shape[1])

    def normalise(rows: slice) -> None:
        x = E_jk.take(c.j[rows], 0)
        x *= E_wk.take(c.w[rows], 0)
        np.dot(x, ones, out=Z[rows])

    for _ in run(normalise, blocks_of(c.M, len(ones))):
        pass
    if make.update.logs and not Z.min(initial=np.inf) > SMALLEST:
        N_jk, N_wk = np.zeros_like(E_jk), np.zeros_like(E_wk)
        for parts in sums_of_blocks(make(c), 2, group_of(c, slice(0, c.M)), [(c.j, c.D), (c.w, c.W)], run):
            for N, (numbers, part) in zip((N_jk, N_wk), parts, strict=True):
                N[numbers] += part
    else:
        begins = np.searchsorted(c.j, np.arange(c.D + 1))
        share = csr_array((np.divide(c.n, Z, out=Z), c.w, begins), shape=(c.D, c.W))
        N_jk, N_wk = run(operator.matmul, (share, share.T), (E_wk, E_jk))
        N_jk *= E_jk
        N_wk *= E_wk
    return Sums(N_jk, N_wk, sum_all(N_wk))
