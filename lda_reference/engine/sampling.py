"""The sweep of a sampler, with one uniform for each token.

Draws in turn are made many at a time by `draw_ahead`: the topics are those of the loop, to the last bit.

In a loop over the rows, the topic of row i is a function F_i of the counts at the beginning and of the topics drawn
before it. A batch of rows is drawn by guessing these topics, at first that no token moves. Each round draws all rows
as if the guess were right, and what it draws is the next guess, until a round draws its own guess. By induction the
topics are then those of the loop: if those before row i are right, so is that of row i. Before the last round, the rows
up to the first that was guessed wrongly are right for the same reason.

- The counts are whole numbers, so what earlier rows of the guess moved is added to them without rounding, by prefix
  sums over the rows of a document, of a word and of the batch. F_i is then computed with the loop's operations.
- A round need not compute a row again if a bound shows that it draws the same. Let no row of its document or word have
  changed its guess. Then the row's weights x_k have changed by their topic terms alone, which lie between those before,
  divided and multiplied by f. The topic is k where s_k <= u s_K < s_k+1, of the partial sums s of the weights. They
  change by f at most, so both hold as before if they held with a factor above f^2, and a little more for rounding.

Rows that share neither document nor word with another of the batch are thus drawn once, as nearly all are if neighbours
lie in different documents. Where most draws depend on each other, the loop takes less time, and takes over.
"""

import itertools
from typing import Any, NamedTuple

import numpy as np

from ..corpus import Corpus, Ints
from ..model import Array, counts_of
from .counts import mean_one_hot
from .groups import BLOCK, Run, blocks_of, document_starts, total
from .products import gathered
from .update import DRAWN_COUNT, Pseudocounts, Sums, Update, draw, sweep_tokens, weights

LARGEST_BATCH = 2048  # rows of a batch
LOOP_COST, ROW_COST = 500, 20  # the loop takes about as long for a row as 500 / (K + 20) computed rows
SURE_MARGIN = 1 + 1e-9  # the rounding of sums of up to 10^6 weights is far smaller
LEAST_PRIOR = 1e-100  # with priors from here on, no weight underflows


def sample_together(
    update: Update, pseudo: Pseudocounts, held_sums: Sums, z: Ints, uniforms: Array, c: Corpus, K: int, pool_map: Run
) -> Ints:
    """Draw all topics from the same sums, or from the same theta and phi."""
    gamma, new_z, token_bounds = mean_one_hot(z, c, K), np.empty_like(z), np.append(0, np.cumsum(c.n))
    weights_of = gathered(update, pseudo, total(update, gamma, c, held_sums, pool_map), gamma)

    def draw_block(rows: slice) -> None:
        tokens = slice(int(token_bounds[rows.start]), int(token_bounds[rows.stop]))
        token_weights = np.repeat(weights_of(c.j[rows], c.w[rows]), c.n[rows].astype(np.intp), axis=0)
        new_z[tokens] = draw(token_weights, uniforms[tokens])  # SOL14 Algorithm 2, line 4

    for _ in pool_map(draw_block, blocks_of(c.M, gamma[0].size)):
        pass
    return new_z


def sample_in_turn(
    update: Update, pseudo: Pseudocounts, held_sums: Sums, z: Ints, uniforms: Array, c: Corpus, K: int, schedule: str
) -> Ints:
    """Draw each topic from sums that contain the draws before it. A row of count n draws its n topics in turn."""
    tokens, order = c.tokens(), slice(None)  # type: tuple[Corpus, Any]
    if schedule == "interleaved":  # first the first token of each document, then the second of each, and so on
        place = np.arange(tokens.N) - document_starts(tokens)[tokens.j]
        order = np.argsort(place.astype(np.min_scalar_type(place.max())), kind="stable")  # 16 bits are sorted fast
    new_z, u, j, w, n_drawn = z[order].copy(), uniforms[order], tokens.j[order], tokens.w[order], 0
    if z.ndim == 1 and can_speculate(update, pseudo):
        N_jk, N_wk = counts_of(z, tokens, K)
        S = Sums(N_jk, N_wk, N_wk.sum(0))
        n_drawn = draw_ahead(update, pseudo, S, new_z, u, j, w)
    else:
        S = total(update, np.eye(K).take(z, 0), tokens, held_sums)
    if n_drawn < c.N:
        one_hot, undrawn_z, unused_u = np.eye(K), new_z[n_drawn:], u[n_drawn:]  # type: tuple[Any, Any, Any]
        if z.ndim == 1:  # for one number at a time, lists are faster than arrays
            one_hot, undrawn_z, unused_u = list(one_hot), undrawn_z.tolist(), unused_u.tolist()

        def put_topic(i: int, token_weights: Array) -> None:
            undrawn_z[i] = draw(token_weights, unused_u[i])  # SOL14 Algorithm 3, line 4

        sweep_tokens(update, pseudo, S, (j[n_drawn:], w[n_drawn:], tokens.n[n_drawn:]), one_hot, undrawn_z, put_topic)
        new_z[n_drawn:] = undrawn_z
    drawn_z = np.empty_like(z)
    drawn_z[order] = new_z
    return drawn_z


# Draws in turn, many at a time ---------------------------------------------------------------------------------------


def can_speculate(update: Update, pseudo: Pseudocounts) -> bool:
    """Whether the counts are whole numbers from which a token is excluded, and the terms add the prior to them."""
    has_cgs_terms = all(term.count == DRAWN_COUNT and term.additive for term in update.terms) and not update.logs
    return has_cgs_terms and update.excludes == "token" and min(np.min(pseudo.alpha), np.min(pseudo.eta)) >= LEAST_PRIOR


class Grouping(NamedTuple):
    """The rows of a batch in the order of their groups; the place of each row in it, and of the first of its group."""

    order: Ints
    place: Ints
    first_place: Ints

    def before(self, is_flagged: Any) -> tuple[Ints, Ints]:
        """For each row, how many flagged rows stand in the order before its group, and before itself."""
        flagged_counts = np.zeros(len(is_flagged) + 1, np.intp)
        np.cumsum(is_flagged.take(self.order), out=flagged_counts[1:])
        return flagged_counts.take(self.first_place), flagged_counts.take(self.place)


def grouped(index: Ints) -> Grouping:
    """The rows of a batch by their document or their word, `index`."""
    positions, order = np.arange(len(index)), np.argsort(index, kind="stable")
    index, first_positions, place, first_place = index[order], *np.zeros((3, len(order)), np.intp)
    np.multiply(positions[1:], index[1:] != index[:-1], out=first_positions[1:])
    place[order], first_place[order] = positions, np.maximum.accumulate(first_positions)
    return Grouping(order, place, first_place)


class Batch(NamedTuple):
    """Rows that are drawn together: their documents, words, uniforms and old topics, and how they are grouped."""

    j: Ints
    w: Ints
    u: Array
    old_z: Ints
    groups: list[Grouping]  # by document and by word


def draw_ahead(update: Update, pseudo: Pseudocounts, S: Sums, z: Ints, u: Array, j: Ints, w: Ints) -> int:
    """Draw topics in turn, and refresh z and the sums, until the loop would take less time; return how many it drew."""
    K, n_drawn, row_budget = len(S.k), 0, 0.0
    j, w = j.astype(np.intp), w.astype(np.intp)
    indices = [index.astype(np.min_scalar_type(index.max())) for index in (j, w)]  # of few bits
    while n_drawn < len(z) and row_budget >= 0:
        rows = slice(n_drawn, n_drawn + min(LARGEST_BATCH, max(64, BLOCK // K)))
        batch = Batch(j[rows], w[rows], u[rows], z[rows].astype(np.intp), [grouped(index[rows]) for index in indices])
        row_budget += LOOP_COST / (ROW_COST + K) * len(batch.old_z)
        new_z, n_computed = drawn_batch(update, pseudo, S, batch, row_budget)
        z[n_drawn : n_drawn + len(new_z)] = new_z
        n_drawn, row_budget = n_drawn + len(new_z), row_budget - n_computed
        moved_rows = np.flatnonzero(new_z != batch.old_z[: len(new_z)])
        new_topics, old_topics = new_z[moved_rows], batch.old_z[moved_rows]
        for summed_counts, index in ((S.jk, batch.j[moved_rows]), (S.wk, batch.w[moved_rows])):
            np.add.at(summed_counts.reshape(-1), index * K + new_topics, 1.0)
            np.subtract.at(summed_counts.reshape(-1), index * K + old_topics, 1.0)
        S.k[:] += np.bincount(new_topics, minlength=K) - np.bincount(old_topics, minlength=K)
    return n_drawn


def drawn_batch(update: Update, pseudo: Pseudocounts, S: Sums, batch: Batch, row_budget: float) -> tuple[Ints, int]:
    """The new topics of a batch, and how many rows were computed; those of its first rows if these are too many."""
    K, n_computed, guess_z = len(S.k), len(batch.old_z), batch.old_z
    least_term_k = update.topic.value(pseudo.W_eta, S.k - np.bincount(batch.old_z, minlength=K))
    N_jk, N_wk = S.jk.take(batch.j, 0), S.wk.take(batch.w, 0)  # as each row sees them by the guess
    moves_k = np.zeros((n_computed, K), np.int16)  # before each row in N_k, by the guess
    new_z, margins = draws(update, pseudo, batch, np.arange(n_computed), Sums(N_jk, N_wk, S.k))
    while True:
        is_wrong = new_z != guess_z
        wrong_rows = np.flatnonzero(is_wrong)
        n_right = wrong_rows[0] + 1 if len(wrong_rows) else len(new_z)
        if n_right == len(new_z) or n_computed > row_budget:
            return new_z[:n_right], n_computed
        moved_k = np.maximum(np.bincount(new_z[wrong_rows], minlength=K), np.bincount(guess_z[wrong_rows], minlength=K))
        margins /= (1 + (moved_k / least_term_k).max()) ** 2
        n_before = [grouping.before(is_wrong) for grouping in batch.groups]
        is_unsure = np.logical_or.reduce([margins <= SURE_MARGIN, *(start < stop for start, stop in n_before)])
        rows = n_right + np.flatnonzero(is_unsure[n_right:])
        seen_jk, seen_wk = N_jk.take(rows, 0), N_wk.take(rows, 0)
        for seen_N, grouping, (start, stop) in zip((seen_jk, seen_wk), batch.groups, n_before, strict=True):
            if np.any(start < stop):
                moves = cumulative_moves(guess_z, new_z, grouping.order[is_wrong.take(grouping.order)], K)
                seen_N += moves.take(stop[rows], 0) - moves.take(start[rows], 0)
        N_jk[rows], N_wk[rows] = seen_jk, seen_wk
        moves_k += cumulative_moves(guess_z, new_z, wrong_rows, K).take(is_wrong.cumsum() - is_wrong, 0)
        guess_z, new_z, seen_sums = new_z, new_z.copy(), Sums(seen_jk, seen_wk, S.k + moves_k.take(rows, 0))
        new_z[rows], margins[rows] = draws(update, pseudo, batch, rows, seen_sums)
        n_computed += len(rows)


def cumulative_moves(old_z: Ints, new_z: Ints, rows: Ints, K: int) -> Array:
    """What the first 0, 1, 2, ... of some rows change in the counts of topics."""
    move_sums, numbers = np.zeros((len(rows) + 1, K), np.int16), np.arange(1, len(rows) + 1)  # type: tuple[Any, Any]
    move_sums[numbers, new_z[rows]], move_sums[numbers, old_z[rows]] = 1, -1
    return np.cumsum(move_sums, 0, out=move_sums)


def draws(update: Update, pseudo: Pseudocounts, batch: Batch, rows: Ints, seen_sums: Sums) -> tuple[Ints, Array]:
    """The topics of some rows, and how far from a boundary each was drawn: the factor by which both sums may change.

    `seen_sums` are the counts that each row sees, with its own token, which changes the weight of its old topic alone.
    """
    w, k, (alpha, eta, W_eta), positions = batch.w[rows], batch.old_z[rows], pseudo, np.arange(len(rows))
    term_priors = alpha, eta.reshape(len(eta), -1).take(w, 0) if eta.ndim else eta, W_eta
    x_k = weights(update, *(t.value(a, N) for t, a, N in zip(update.terms, term_priors, seen_sums, strict=True)))
    own_a = (a[index[: a.ndim]] for a, index in ((alpha, (k,)), (eta, (w, k)), (W_eta, (k,))))
    own_cells = positions * len(x_k.T) + k
    own_N = (N.take(own_cells if N.ndim == 2 else k) - 1 for N in seen_sums)
    x_k.put(own_cells, weights(update, *(t.value(a, N) for t, a, N in zip(update.terms, own_a, own_N, strict=True))))
    partial_sums = np.empty((len(x_k.T) + 1, len(rows)))  # a row for each topic, to add faster
    partial_sums[0], partial_sums[1:] = LEAST_PRIOR, x_k.T
    for lower_row, upper_row in itertools.pairwise(list(partial_sums)[1:]):
        np.add(lower_row, upper_row, upper_row)
    levels = batch.u[rows] * partial_sums[-1]
    new_z = np.add.reduce(partial_sums[1:-1] <= levels, 0, np.min_scalar_type(len(partial_sums))).astype(np.intp)
    with np.errstate(divide="ignore", over="ignore"):
        return new_z, np.minimum(partial_sums[new_z + 1, positions] / levels, levels / partial_sums[new_z, positions])
