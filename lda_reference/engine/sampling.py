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
    update: Update, pseudo: Pseudocounts, held_sums: Sums, z: Ints, uniforms: Array, c: Corpus, K: int, run: Run
) -> Ints:
    """Draw all topics from the same sums, or from the same theta and phi."""
    gamma, new_z, token_ends = mean_one_hot(z, c, K), np.empty_like(z), np.append(0, np.cumsum(c.n))
    weights_of = gathered(update, pseudo, total(update, gamma, c, held_sums, run), gamma)

    def draw_block(rows: slice) -> None:
        tokens = slice(int(token_ends[rows.start]), int(token_ends[rows.stop]))
        x = np.repeat(weights_of(c.j[rows], c.w[rows]), c.n[rows].astype(np.intp), axis=0)
        new_z[tokens] = draw(x, uniforms[tokens])  # SOL14 Algorithm 2, line 4

    for _ in run(draw_block, blocks_of(c.M, gamma[0].size)):
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
        one_hot, z_left, u_left = np.eye(K), new_z[n_drawn:], u[n_drawn:]  # type: tuple[Any, Any, Any]
        if z.ndim == 1:  # for one number at a time, lists are faster than arrays
            one_hot, z_left, u_left = list(one_hot), z_left.tolist(), u_left.tolist()

        def put(i: int, x: Array) -> None:
            z_left[i] = draw(x, u_left[i])  # SOL14 Algorithm 3, line 4

        sweep_tokens(update, pseudo, S, (j[n_drawn:], w[n_drawn:], tokens.n[n_drawn:]), one_hot, z_left, put)
        new_z[n_drawn:] = z_left
    topics = np.empty_like(z)
    topics[order] = new_z
    return topics


# Draws in turn, many at a time ---------------------------------------------------------------------------------------


def can_speculate(update: Update, pseudo: Pseudocounts) -> bool:
    """Whether the counts are whole numbers from which a token is excluded, and the terms add the prior to them."""
    as_in_cgs = all(term.count == DRAWN_COUNT and term.additive for term in update.terms) and not update.logs
    return as_in_cgs and update.excludes == "token" and min(np.min(pseudo.alpha), np.min(pseudo.eta)) >= LEAST_PRIOR


class Grouping(NamedTuple):
    """The rows of a batch in the order of their groups; the place of each row in it, and of the first of its group."""

    order: Ints
    place: Ints
    first_place: Ints

    def before(self, flags: Any, rows: Any = slice(None)) -> tuple[Ints, Ints]:
        """For each of some rows, how many flagged rows stand in the order before its group, and before itself."""
        cumulative = np.zeros(len(flags) + 1, np.intp)
        np.cumsum(flags[self.order], out=cumulative[1:])
        return cumulative.take(self.first_place[rows]), cumulative.take(self.place[rows])


def grouped(index: Ints) -> Grouping:
    """The rows of a batch by their document or their word, `index`."""
    positions, order = np.arange(len(index)), np.argsort(index, kind="stable")
    index, place, first_place = index[order], np.empty_like(order), np.empty_like(order)
    place[order] = positions
    first_place[order] = np.maximum.accumulate(positions * np.append(False, index[1:] != index[:-1]))
    return Grouping(order, place, first_place)


class Batch(NamedTuple):
    """Rows that are drawn together: their documents, words, uniforms and old topics, and how they are grouped."""

    j: Ints
    w: Ints
    u: Array
    old_z: Ints
    groups: list[Grouping]  # by document, by word, and all


def draw_ahead(update: Update, pseudo: Pseudocounts, S: Sums, z: Ints, u: Array, j: Ints, w: Ints) -> int:
    """Draw topics in turn, and refresh z and the sums, until the loop would take less time; return how many it drew."""
    K, n_drawn, budget = len(S.k), 0, 0.0
    j, w = j.astype(np.intp), w.astype(np.intp)
    group_keys = [index.astype(np.min_scalar_type(index.max())) for index in (j, w, np.zeros_like(j))]  # of few bits
    batch_size = min(LARGEST_BATCH, max(64, BLOCK // K))
    while n_drawn < len(z):
        rows = slice(n_drawn, n_drawn + batch_size)
        batch = Batch(j[rows], w[rows], u[rows], z[rows].astype(np.intp), [grouped(key[rows]) for key in group_keys])
        budget += LOOP_COST / (ROW_COST + K) * len(batch.old_z)
        new_z, n_computed = drawn_batch(update, pseudo, S, batch, budget)
        z[n_drawn : n_drawn + len(new_z)] = new_z
        n_drawn, budget = n_drawn + len(new_z), budget - n_computed
        moved_rows = np.flatnonzero(new_z != batch.old_z[: len(new_z)])
        new_topics, old_topics = new_z[moved_rows], batch.old_z[moved_rows]
        for table, index in ((S.jk, batch.j[moved_rows]), (S.wk, batch.w[moved_rows])):
            np.add.at(table.reshape(-1), index * K + new_topics, 1.0)
            np.subtract.at(table.reshape(-1), index * K + old_topics, 1.0)
        S.k[:] += np.bincount(new_topics, minlength=K) - np.bincount(old_topics, minlength=K)
        if len(new_z) < len(batch.old_z):
            break
    return n_drawn


def drawn_batch(update: Update, pseudo: Pseudocounts, S: Sums, batch: Batch, budget: float) -> tuple[Ints, int]:
    """The new topics of a batch, and how many rows were computed; those of its first rows if these are too many."""
    K, n_computed, guess = len(S.k), len(batch.old_z), batch.old_z
    least_k = update.topic.value(pseudo.W_eta, S.k - np.bincount(batch.old_z, minlength=K))
    new_z, margin = draws(update, pseudo, S, batch, slice(None), ())
    while True:
        is_wrong = new_z != guess
        wrong_rows = np.flatnonzero(is_wrong)
        if not len(wrong_rows):
            return new_z, n_computed
        if n_computed > budget:
            return new_z[: wrong_rows[0] + 1], n_computed
        change_k = np.maximum(np.bincount(new_z[wrong_rows], minlength=K), np.bincount(guess[wrong_rows], minlength=K))
        margin /= (1 + (change_k / least_k).max()) ** 2
        is_unsure = margin <= SURE_MARGIN
        for group in batch.groups[:2]:
            is_unsure |= np.less(*group.before(is_wrong))
        is_unsure[: wrong_rows[0] + 1] = False
        rows, guess, new_z = np.flatnonzero(is_unsure), new_z, new_z.copy()
        new_z[rows], margin[rows] = draws(update, pseudo, S, batch, rows, moves_before(guess, batch, rows, K))
        n_computed += len(rows)


def moves_before(guess: Ints, batch: Batch, rows: Ints, K: int) -> list[Any]:
    """What the guess moves before each of some rows: in the counts of its document, of its word and of the topics."""
    one_hot, has_moved, count_changes = np.eye(K, dtype=np.int16), guess != batch.old_z, []
    for group in batch.groups:
        movers = group.order[has_moved[group.order]]
        cumulative = np.zeros((len(movers) + 1, K), np.int16)
        np.cumsum(one_hot.take(guess[movers], 0) - one_hot.take(batch.old_z[movers], 0), 0, out=cumulative[1:])
        start, stop = group.before(has_moved, rows)
        count_changes.append(cumulative.take(stop, 0) - cumulative.take(start, 0))
    return count_changes


def draws(update: Update, pseudo: Pseudocounts, S: Sums, batch: Batch, rows: Any, changes: Any) -> tuple[Ints, Array]:
    """The topics of some rows, and how far from a boundary each was drawn: the factor by which both sums may change."""
    (document, word, topic), (alpha, eta, W_eta) = update.terms, pseudo
    w, own_one_hot = batch.w[rows], np.eye(len(S.k)).take(batch.old_z[rows], 0)
    reduced_j, reduced_w, reduced_k = S.jk.take(batch.j[rows], 0), S.wk.take(w, 0), S.k - own_one_hot
    reduced_j -= own_one_hot
    reduced_w -= own_one_hot
    for reduced, change in zip((reduced_j, reduced_w, reduced_k), changes, strict=False):
        reduced += change
    eta = eta.reshape(len(S.wk), -1).take(w, 0) if eta.ndim else eta
    x_k = weights(update, document.value(alpha, reduced_j), word.value(eta, reduced_w), topic.value(W_eta, reduced_k))
    cumulative = np.concatenate((np.full((1, len(x_k)), LEAST_PRIOR), x_k.T))  # a row for each topic, to add faster
    for below, above in itertools.pairwise(list(cumulative)[1:]):
        np.add(below, above, above)
    level = batch.u[rows] * cumulative[-1]
    new_z = np.add.reduce(cumulative[1:-1] <= level, 0, np.intp)
    place = new_z * len(x_k) + np.arange(len(x_k))
    with np.errstate(divide="ignore", over="ignore"):
        return new_z, np.minimum(cumulative.take(place + len(x_k)) / level, level / cumulative.take(place))
