"""A sweep of a sampler: a topic for every token, drawn from its weights by a uniform."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..corpus import Corpus, Ints
from ..model import Array
from .counts import Run, Setting, mean_one_hot, total
from .schedules import sweep_blocks, sweep_tokens
from .update import Count, draw, expected


def sample_together(x: Setting, z: Ints, uniforms: Array, c: Corpus, K: int, run: Run) -> Ints:
    """All topics drawn from the sums before the sweep."""
    gamma, new, ends = mean_one_hot(z, c, K), np.empty_like(z), np.append(0, np.cumsum(c.n))

    def put(rows: slice, weights: Array) -> None:
        tokens = slice(int(ends[rows.start]), int(ends[rows.stop]))
        new[tokens] = draw(np.repeat(weights, c.n[rows].astype(np.intp), axis=0), uniforms[tokens])

    sweep_blocks(x, total(x, gamma, c, run), gamma, gamma, put, c, 1, run)
    return new


def sample_in_turn(x: Setting, z: Ints, uniforms: Array, c: Corpus, K: int) -> Ints:
    """Each topic drawn from the sums after the draw before it. A row of count n draws its n topics in turn."""
    one_hot, t = np.eye(K), c.tokens()
    S = total(x, one_hot[z], t)
    # lists of numbers are faster than arrays, one number at a time
    topics, u = (z.tolist(), uniforms.tolist()) if z.ndim == 1 else (z.copy(), uniforms)

    def put(i: int, weights: Array) -> None:
        topics[i] = draw(weights, u[i])

    def of_topic(count: Count) -> Callable[[int], Array]:
        if count.statistic is expected:
            return lambda i: one_hot[topics[i]]
        return lambda i: count.statistic(one_hot[topics[i]], x.given[count])

    sweep_tokens(x, S, {count: of_topic(count) for count in x.given}, put, t)
    return np.asarray(topics)
