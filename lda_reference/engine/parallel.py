"""The `corpus` schedule over other processes or machines: Parallel-CVB0, AWST09 §5, and the like.

In `corpus` order every row is updated from the old sums, so parts of the rows can be updated anywhere, by any
`concurrent.futures.Executor`. Threads share memory and need none of this. A pool of processes, or the executor of a
dask cluster (`Client.get_executor()`), receives the rows of each part once and keeps them. Each sweep sends the sums
and the part's gamma, and returns the new gamma. The result does not depend on the number of parts.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from concurrent.futures import Executor, Future
from itertools import pairwise
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from ..corpus import Corpus, Ints
from ..model import Array
from .counts import Fixed, Sums, blocks_of, statistic_of
from .schedules import groups, weights_of_rows
from .update import Assign


class Part(NamedTuple):
    """Rows of a corpus that a worker keeps, their documents and words numbered as in the whole."""

    j: Ints
    w: Ints
    n: Ints
    D: int
    W: int


class Task(NamedTuple):
    """What each sweep sends."""

    fixed: Fixed
    gamma: Array
    sums: Sums
    assign: Assign


PARTS = 8  # the number of parts into which the rows are split
KEPT = 64  # the number of parts that a worker keeps, those used last
_held: OrderedDict[str, Part] = OrderedDict()  # what a worker keeps
_sent: WeakKeyDictionary[Executor, set[str]] = WeakKeyDictionary()  # what the caller has sent


def work(key: str, part: Part | None, task: Task) -> Array | None:
    """The new gamma of a part, or None if its rows are not here and were not sent."""
    if part is not None:
        _held[key] = part
    if key not in _held:
        return None
    _held.move_to_end(key)
    while len(_held) > KEPT:
        _held.popitem(last=False)
    return _new_rows(Corpus(*_held[key]), *task)


def _new_rows(c: Corpus, fixed: Fixed, gamma: Array, S: Sums, assign: Assign) -> Array:
    """The new gamma of the rows `c`, a part of a corpus, from the sums of the whole corpus."""
    (group,) = groups(c, 1)
    of = weights_of_rows(fixed, S, gamma, c, group)
    blocks = blocks_of(group.rows, *(statistic_of(count, gamma, given) for count, given in fixed.given.items()))
    return np.concatenate([assign(of(rows)) for rows in blocks])


def sweep(fixed: Fixed, gamma: Array, S: Sums, c: Corpus, assign: Assign, executor: Executor) -> Array:
    """gamma after a sweep in `corpus` order; the workers of an executor update its parts."""
    bounds = np.linspace(0, c.M, min(PARTS, c.M) + 1).astype(int).tolist()
    sent = _sent.setdefault(executor, set())
    waiting: list[tuple[slice, str, Part, Task, Future[Array | None]]] = []
    for start, stop in pairwise(bounds):
        rows = slice(start, stop)
        part = Part(c.j[rows], c.w[rows], c.n[rows], c.D, c.W)
        key = _digest(part)
        given = {count: value[rows] if count.draws else value for count, value in fixed.given.items()}
        task = Task(fixed._replace(given=given), gamma[rows], S, assign)
        waiting.append((rows, key, part, task, executor.submit(work, key, None if key in sent else part, task)))
        sent.add(key)
    new = np.empty_like(gamma)
    for rows, key, part, task, future in waiting:
        result: Any = future.result()
        while result is None:  # another worker took the task and needs the rows too
            result = executor.submit(work, key, part, task).result()
        new[rows] = result
    return new


def _digest(part: Part) -> str:
    h = hashlib.sha256(f"{part.D} {part.W}".encode())
    for x in part[:3]:
        h.update(np.ascontiguousarray(x).tobytes())
    return h.hexdigest()
