"""A sweep of a sampler: a topic for every token, drawn from its weights by a uniform."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..corpus import Corpus, Ints
from ..model import Array
from .counts import Pseudocounts, Run, Sums, given_to, mean_one_hot, total
from .schedules import sweep_blocks, sweep_tokens
from .update import Count, Update, draw, expected


def sample_together(
    update: Update, a: Pseudocounts, z: Ints, uniforms: Array, c: Corpus, K: int, known: Sums | None, run: Run
) -> Ints:
    """All topics drawn from the sums before the sweep."""
    gamma, new, ends = mean_one_hot(z, c, K), np.empty_like(z), np.append(0, np.cumsum(c.n))

    def put(rows: slice, x: Array) -> None:
        tokens = slice(int(ends[rows.start]), int(ends[rows.stop]))
        new[tokens] = draw(np.repeat(x, c.n[rows].astype(np.intp), axis=0), uniforms[tokens])

    S = total(update, a, gamma, c, known, None, run)
    sweep_blocks(update, a, S, gamma, gamma, put, c, 1, None, run)
    return new


def sample_in_turn(
    update: Update, a: Pseudocounts, z: Ints, uniforms: Array, c: Corpus, K: int, known: Sums | None
) -> Ints:
    """Each topic drawn from the sums after the draw before it. A row of count n draws its n topics in turn."""
    one_hot, t = np.eye(K), c.tokens()
    S = total(update, a, one_hot[z], t, known, None)
    # lists of numbers are faster than arrays, one number at a time
    topics, u = (z.tolist(), uniforms.tolist()) if z.ndim == 1 else (z.copy(), uniforms)

    def put(i: int, x: Array) -> None:
        topics[i] = draw(x, u[i])

    def of_topic(count: Count) -> Callable[[int], Array]:
        if count.statistic is expected:
            return lambda i: one_hot[topics[i]]
        given = given_to(count, update, a, None)
        return lambda i: count.statistic(one_hot[topics[i]], given)

    statistics = {count: of_topic(count) for count in {term.count for term in update.terms}}
    sweep_tokens(update, a, S, statistics, put, t)
    return np.asarray(topics)
