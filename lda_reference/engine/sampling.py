"""A sweep of a sampler, which draws a topic for every token from its weights, with one uniform random number."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ..corpus import Corpus, Ints
from ..model import Array
from .counts import Fixed, Group, Run, Sums, blocks_of, column, rows_in, sum_rows, total
from .in_place import groups, weights_of_rows
from .schedules import sweep_tokens
from .update import Count, draw, expected


def mean_one_hot(z: Ints, c: Corpus, K: int) -> Array:
    """gamma of a sampler: for each row, the fraction of its tokens in each topic."""
    one_hot = np.eye(K)
    if c.M == c.N:
        return one_hot.take(z, 0)
    row = np.repeat(np.arange(c.M), c.n.astype(np.intp))
    return sum_rows(one_hot[z], np.ones(c.N), row, c.M) / column(c.n, one_hot[z])


def sample_together(fixed: Fixed, z: Ints, uniforms: Array, c: Corpus, K: int, run: Run) -> Ints:
    """Draw all topics from the same sums, or from the same theta and phi."""
    gamma, new, ends = mean_one_hot(z, c, K), np.empty_like(z), np.append(0, np.cumsum(c.n))
    S = total(fixed, gamma, c, run)
    for group in groups(c, 1):
        sums = Sums(S.jk[group.documents], S.wk[group.words], S.k)
        weights_of = weights_of_rows(fixed, sums, gamma, group)

        def draw_block(block: slice, group: Group = group, weights_of: Any = weights_of) -> None:
            rows = rows_in(group, block)
            tokens = slice(int(ends[rows.start]), int(ends[rows.stop]))
            weights = np.repeat(weights_of(block), group.n[block].astype(np.intp), axis=0)
            new[tokens] = draw(weights, uniforms[tokens])  # SOL14 Algorithm 2, line 4

        for _ in run(draw_block, blocks_of(group, gamma.__getitem__)):
            pass
    return new


def sample_in_turn(fixed: Fixed, z: Ints, uniforms: Array, c: Corpus, K: int) -> Ints:
    """Draw each topic from sums that contain the draws before it. A row of count n draws its n topics in turn."""
    one_hot, t = np.eye(K), c.tokens()
    S = total(fixed, one_hot.take(z, 0), t)
    topics: Any = z.copy()
    u: Any = uniforms
    row: Any = partial(one_hot.take, axis=0)
    if z.ndim == 1:  # for one number at a time, lists are faster than arrays
        topics, u, row = z.tolist(), uniforms.tolist(), list(one_hot).__getitem__

    def put(i: int, weights: Array) -> None:
        topics[i] = draw(weights, u[i])  # SOL14 Algorithm 3, line 4

    def of_topic(count: Count, given: Any) -> Callable[[int], Array]:
        if count.statistic is expected:
            return lambda i: row(topics[i])
        return lambda i: count.statistic(row(topics[i]), given)

    sweep_tokens(fixed, S, of_topic, put, t)
    return np.asarray(topics)
