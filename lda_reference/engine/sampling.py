"""The sweep of a sampler, with one uniform for each token."""

from typing import Any

import numpy as np

from ..corpus import Corpus, Ints
from ..model import Array, counts_of
from .counts import mean_one_hot
from .groups import Run, begins, blocks_of, total
from .products import gathered
from .speculation import can_speculate, draw_ahead
from .update import Pseudocounts, Sums, Update, draw, sweep_tokens


def sample_together(
    update: Update, numbers: Pseudocounts, held: Sums, z: Ints, uniforms: Array, c: Corpus, K: int, run: Run
) -> Ints:
    """Draw all topics from the same sums, or from the same theta and phi."""
    gamma, new, ends = mean_one_hot(z, c, K), np.empty_like(z), np.append(0, np.cumsum(c.n))
    weights_of = gathered(update, numbers, total(update, gamma, c, held, run), gamma)

    def draw_block(rows: slice) -> None:
        tokens = slice(int(ends[rows.start]), int(ends[rows.stop]))
        weights = np.repeat(weights_of(c.j[rows], c.w[rows]), c.n[rows].astype(np.intp), axis=0)
        new[tokens] = draw(weights, uniforms[tokens])  # SOL14 Algorithm 2, line 4

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
        rows = j[drawn:], w[drawn:], t.n[drawn:]
        new[drawn:] = in_a_loop(update, numbers, S, new[drawn:], u[drawn:], rows)
    topics = np.empty_like(z)
    topics[order] = new
    return topics


def in_a_loop(
    update: Update, numbers: Pseudocounts, S: Sums, z: Ints, uniforms: Array, tokens: tuple[Ints, Ints, Ints]
) -> Any:
    """The topics of tokens (j, w, n), drawn one after the other. This refreshes the sums."""
    one_hot: Any = np.eye(S.k.shape[-1])
    topics: Any = z.copy()
    u: Any = uniforms
    if z.ndim == 1:  # for one number at a time, lists are faster than arrays
        one_hot, topics, u = list(one_hot), z.tolist(), uniforms.tolist()

    def put(i: int, weights: Array) -> None:
        topics[i] = draw(weights, u[i])  # SOL14 Algorithm 3, line 4

    sweep_tokens(update, numbers, S, tokens, one_hot, topics, put)
    return topics
