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

from ..corpus import Corpus, Ints
from ..model import Array
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
        fixed = hold_fixed(self.update, self.numbers)
        weights = gathered(self.update, tables(fixed, self.sums, self.sums.jk))
        return lambda rows: soft(weights(c.j[rows], c.w[rows]))


def needs_no_gamma(fixed: Fixed, assign: Assign) -> bool:
    """Whether a sweep in `corpus` order is a product of matrices."""
    return assign is soft and fixed.update.excludes == "nothing" and set(fixed.counts) <= {MEAN, KNOWN}


def sums_before(fixed: Fixed, s: State, c: Corpus) -> Sums:
    """The sums with which a sweep begins; gamma is not made if they are known without it."""
    each = zip(fixed.counts, fixed.known, sums_of(s, c), strict=True)
    return Sums(*(held if count == KNOWN else x for count, held, x in each))


def after_update(fixed: Fixed, S: Sums, c: Corpus, run: Run = map) -> State:
    """The state after one update of all rows from the sums S."""
    make = OneUpdate(fixed.update, fixed.numbers, S)
    return State(Recipe(make, c, by_replicate(lambda part: _sums_after(fixed, part, c, run), S)))


def by_replicate(function: Callable[[Sums], Sums], S: Sums) -> Sums:
    """What a function makes of sums without a replicate axis; with that axis, of the sums of each replicate."""
    if S.jk.ndim == 2:
        return function(S)
    _, R, K = S.jk.shape
    wk, k = np.broadcast_to(S.wk, (len(S.wk), R, K)), np.broadcast_to(S.k, (R, K))
    parts = [function(Sums(S.jk[:, r], wk[:, r], k[r])) for r in range(R)]
    return Sums(*(np.stack(x, axis) for x, axis in zip(zip(*parts, strict=True), (1, 1, 0), strict=True)))


def normalisers(E_jk: Array, E_wk: Array, j: Ints, w: Ints, run: Run = map) -> Array:
    """Z of each row."""
    K = E_jk.shape[1]
    Z, ones, blocks = np.empty(len(j)), np.ones(K), list(blocks_of(len(j), K))
    room = np.empty((2, blocks[0].stop if blocks and run is map else 0, K))  # new memory takes time

    def normalise(rows: slice) -> None:
        x, y = room[:, : rows.stop - rows.start] if run is map else (None, None)
        x = E_jk.take(j[rows], 0, x, "clip")
        x *= E_wk.take(w[rows], 0, y, "clip")
        np.dot(x, ones, out=Z[rows])

    for _ in run(normalise, blocks):
        pass
    return Z


def _sums_after(fixed: Fixed, S: Sums, c: Corpus, run: Run) -> Sums:
    E_jk, E_wk, topic = tables(fixed, S, S.jk)
    if fixed.update.logs:
        (E_jk, _), (E_wk, _) = exponentials(E_jk.copy()), exponentials(E_wk - topic)
    else:
        E_wk = E_wk / topic
    Z = normalisers(E_jk, E_wk, c.j, c.w, run)
    if fixed.update.logs and not Z.min(initial=np.inf) > SMALLEST:
        rows_of = OneUpdate(fixed.update, fixed.numbers, S)(c)
        N_jk, N_wk = np.zeros_like(E_jk), np.zeros_like(E_wk)
        for parts in sums_of_blocks(rows_of, 2, group_of(c, slice(0, c.M)), [(c.j, c.D), (c.w, c.W)], run):
            for N, (numbers, part) in zip((N_jk, N_wk), parts, strict=True):
                N[numbers] += part
    else:
        begins = np.searchsorted(c.j, np.arange(c.D + 1))
        share = csr_array((np.divide(c.n, Z, out=Z), c.w, begins), shape=(c.D, c.W))
        N_jk, N_wk = run(operator.matmul, (share, share.T), (E_wk, E_jk))
        N_jk *= E_jk
        N_wk *= E_wk
    return Sums(N_jk, N_wk, sum_all(N_wk))
