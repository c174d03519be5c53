"""A sweep of a sampler, which draws a topic for every token from its weights, with one uniform random number."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..corpus import Corpus, Ints
from ..model import Array
from .counts import Fixed, Run, mean_one_hot, total
from .schedules import sweep_blocks, sweep_tokens
from .update import Count, draw, expected


def sample_together(fixed: Fixed, z: Ints, uniforms: Array, c: Corpus, K: int, run: Run) -> Ints:
    """Draw all topics from the same sums, or from the same theta and phi."""
    gamma, new, ends = mean_one_hot(z, c, K), np.empty_like(z), np.append(0, np.cumsum(c.n))

    def put(rows: slice, weights: Array) -> None:
        tokens = slice(int(ends[rows.start]), int(ends[rows.stop]))
        new[tokens] = draw(np.repeat(weights, c.n[rows].astype(np.intp), axis=0), uniforms[tokens])

    sweep_blocks(fixed, total(fixed, gamma, c, run), gamma, gamma, put, c, 1, run)
    return new


def sample_in_turn(fixed: Fixed, z: Ints, uniforms: Array, c: Corpus, K: int) -> Ints:
    """Draw each topic from sums that contain the draws before it. A row of count n draws its n topics in turn."""
    one_hot, t = np.eye(K), c.tokens()
    S = total(fixed, one_hot[z], t)
    # for one number at a time, lists are faster than arrays
    topics, u = (z.tolist(), uniforms.tolist()) if z.ndim == 1 else (z.copy(), uniforms)

    def put(i: int, weights: Array) -> None:
        topics[i] = draw(weights, u[i])

    def of_topic(count: Count) -> Callable[[int], Array]:
        if count.statistic is expected:
            return lambda i: one_hot[topics[i]]
        return lambda i: count.statistic(one_hot[topics[i]], fixed.given[count])

    sweep_tokens(fixed, S, {count: of_topic(count) for count in fixed.given}, put, t)
    return np.asarray(topics)
