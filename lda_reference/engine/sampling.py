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
from .groups import BLOCK, Run, begins, blocks_of, total
from .products import gathered
from .update import DRAWN, Pseudocounts, Sums, Update, draw, sweep_tokens, weights

LARGEST = 2048  # rows of a batch
LOOP, EACH = 500, 20  # the loop takes about as long for a row as 500 / (K + 20) computed rows
SURE = 1 + 1e-9  # the rounding of sums of up to 10^6 weights is far smaller
LEAST = 1e-100  # with priors from here on, no weight underflows


def sample_together(
    update: Update, numbers: Pseudocounts, held: Sums, z: Ints, uniforms: Array, c: Corpus, K: int, run: Run
) -> Ints:
    """Draw all topics from the same sums, or from the same theta and phi."""
    gamma, new, ends = mean_one_hot(z, c, K), np.empty_like(z), np.append(0, np.cumsum(c.n))
    weights_of = gathered(update, numbers, total(update, gamma, c, held, run), gamma)

    def draw_block(rows: slice) -> None:
        tokens = slice(int(ends[rows.start]), int(ends[rows.stop]))
        x = np.repeat(weights_of(c.j[rows], c.w[rows]), c.n[rows].astype(np.intp), axis=0)
        new[tokens] = draw(x, uniforms[tokens])  # SOL14 Algorithm 2, line 4

    for _ in run(draw_block, blocks_of(c.M, gamma[0].size)):
        pass
    return new


def sample_in_turn(
    update: Update, numbers: Pseudocounts, held: Sums, z: Ints, uniforms: Array, c: Corpus, K: int, schedule: str
) -> Ints:
    """Draw each topic from sums that contain the draws before it. A row of count n draws its n topics in turn."""
    t, order = c.tokens(), slice(None)  # type: tuple[Corpus, Any]
    if schedule == "interleaved":  # first the first token of each document, then the second of each, and so on
        place = np.arange(t.N) - begins(t)[t.j]
        order = np.argsort(place.astype(np.min_scalar_type(place.max())), kind="stable")  # 16 bits are sorted fast
    new, u, j, w, drawn = z[order].copy(), uniforms[order], t.j[order], t.w[order], 0
    if z.ndim == 1 and can_speculate(update, numbers):
        N_jk, N_wk = counts_of(z, t, K)
        S = Sums(N_jk, N_wk, N_wk.sum(0))
        drawn = draw_ahead(update, numbers, S, new, u, j, w)
    else:
        S = total(update, np.eye(K).take(z, 0), t, held)
    if drawn < c.N:
        one_hot, left, u_left = np.eye(K), new[drawn:], u[drawn:]  # type: tuple[Any, Any, Any]
        if z.ndim == 1:  # for one number at a time, lists are faster than arrays
            one_hot, left, u_left = list(one_hot), left.tolist(), u_left.tolist()

        def put(i: int, x: Array) -> None:
            left[i] = draw(x, u_left[i])  # SOL14 Algorithm 3, line 4

        sweep_tokens(update, numbers, S, (j[drawn:], w[drawn:], t.n[drawn:]), one_hot, left, put)
        new[drawn:] = left
    topics = np.empty_like(z)
    topics[order] = new
    return topics


# Draws in turn, many at a time ---------------------------------------------------------------------------------------


def can_speculate(update: Update, numbers: Pseudocounts) -> bool:
    """Whether the counts are whole numbers from which a token is excluded, and the terms add the prior to them."""
    as_in_cgs = all(term.count == DRAWN and term.additive for term in update.terms) and not update.logs
    return as_in_cgs and update.excludes == "token" and min(np.min(numbers.alpha), np.min(numbers.eta)) >= LEAST


class Grouping(NamedTuple):
    """The rows of a batch in the order of their groups; the place of each row in it, and of the first of its group."""

    order: Ints
    place: Ints
    first: Ints

    def before(self, flags: Any, rows: Any = slice(None)) -> tuple[Ints, Ints]:
        """For each of some rows, how many flagged rows stand in the order before its group, and before itself."""
        number = np.zeros(len(flags) + 1, np.intp)
        np.cumsum(flags[self.order], out=number[1:])
        return number.take(self.first[rows]), number.take(self.place[rows])


def grouped(index: Ints) -> Grouping:
    """The rows of a batch by their document or their word, `index`."""
    numbers, order = np.arange(len(index)), np.argsort(index, kind="stable")
    index, place, first = index[order], np.empty_like(order), np.empty_like(order)
    place[order] = numbers
    first[order] = np.maximum.accumulate(numbers * np.append(False, index[1:] != index[:-1]))
    return Grouping(order, place, first)


class Batch(NamedTuple):
    """Rows that are drawn together: their documents, words, uniforms and old topics, and how they are grouped."""

    j: Ints
    w: Ints
    u: Array
    old: Ints
    groups: list[Grouping]  # by document, by word, and all


def draw_ahead(update: Update, numbers: Pseudocounts, S: Sums, z: Ints, u: Array, j: Ints, w: Ints) -> int:
    """Draw topics in turn, and refresh z and the sums, until the loop would take less time; return how many it drew."""
    K, done, left = len(S.k), 0, 0.0
    j, w = j.astype(np.intp), w.astype(np.intp)
    keys = [index.astype(np.min_scalar_type(index.max())) for index in (j, w, np.zeros_like(j))]  # of few bits
    size = min(LARGEST, max(64, BLOCK // K))
    while done < len(z):
        rows = slice(done, done + size)
        b = Batch(j[rows], w[rows], u[rows], z[rows].astype(np.intp), [grouped(key[rows]) for key in keys])
        left += LOOP / (EACH + K) * len(b.old)
        new, computed = drawn(update, numbers, S, b, left)
        z[done : done + len(new)] = new
        done, left = done + len(new), left - computed
        moved = np.flatnonzero(new != b.old[: len(new)])
        into, out = new[moved], b.old[moved]
        for table, index in ((S.jk, b.j[moved]), (S.wk, b.w[moved])):
            np.add.at(table.reshape(-1), index * K + into, 1.0)
            np.subtract.at(table.reshape(-1), index * K + out, 1.0)
        S.k[:] += np.bincount(into, minlength=K) - np.bincount(out, minlength=K)
        if len(new) < len(b.old):
            break
    return done


def drawn(update: Update, numbers: Pseudocounts, S: Sums, b: Batch, most: float) -> tuple[Ints, int]:
    """The new topics of a batch, and how many rows were computed; those of its first rows if these are too many."""
    K, computed, guess = len(S.k), len(b.old), b.old
    least_k = update.topic.value(numbers.W_eta, S.k - np.bincount(b.old, minlength=K))
    new, margin = draws(update, numbers, S, b, slice(None), ())
    while True:
        wrong = new != guess
        places = np.flatnonzero(wrong)
        if not len(places):
            return new, computed
        if computed > most:
            return new[: places[0] + 1], computed
        changes = np.maximum(np.bincount(new[places], minlength=K), np.bincount(guess[places], minlength=K))
        margin /= (1 + (changes / least_k).max()) ** 2
        unsure = margin <= SURE
        for group in b.groups[:2]:
            unsure |= np.less(*group.before(wrong))
        unsure[: places[0] + 1] = False
        rows, guess, new = np.flatnonzero(unsure), new, new.copy()
        new[rows], margin[rows] = draws(update, numbers, S, b, rows, moves(guess, b, rows, K))
        computed += len(rows)


def moves(guess: Ints, b: Batch, rows: Ints, K: int) -> list[Any]:
    """What the guess moves before each of some rows: in the counts of its document, of its word and of the topics."""
    one_hot, moved, changes = np.eye(K, dtype=np.int16), guess != b.old, []
    for group in b.groups:
        movers = group.order[moved[group.order]]
        total = np.zeros((len(movers) + 1, K), np.int16)
        np.cumsum(one_hot.take(guess[movers], 0) - one_hot.take(b.old[movers], 0), 0, out=total[1:])
        start, stop = group.before(moved, rows)
        changes.append(total.take(stop, 0) - total.take(start, 0))
    return changes


def draws(update: Update, numbers: Pseudocounts, S: Sums, b: Batch, rows: Any, changes: Any) -> tuple[Ints, Array]:
    """The topics of some rows, and how far from a boundary each was drawn: the factor by which both sums may change."""
    (document, word, topic), (alpha, eta, W_eta) = update.terms, numbers
    w, own = b.w[rows], np.eye(len(S.k)).take(b.old[rows], 0)
    seen_j, seen_w, seen_k = S.jk.take(b.j[rows], 0), S.wk.take(w, 0), S.k - own
    seen_j -= own
    seen_w -= own
    for seen, change in zip((seen_j, seen_w, seen_k), changes, strict=False):
        seen += change
    eta = eta.reshape(len(S.wk), -1).take(w, 0) if eta.ndim else eta
    x = weights(update, document.value(alpha, seen_j), word.value(eta, seen_w), topic.value(W_eta, seen_k))
    partial = np.concatenate((np.full((1, len(x)), LEAST), x.T))  # a row for each topic: these are added faster
    for below, above in itertools.pairwise(list(partial)[1:]):
        np.add(below, above, above)
    level = b.u[rows] * partial[-1]
    new = np.add.reduce(partial[1:-1] <= level, 0, np.intp)
    place = new * len(x) + np.arange(len(x))
    with np.errstate(divide="ignore", over="ignore"):
        return new, np.minimum(partial.take(place + len(x)) / level, level / partial.take(place))
