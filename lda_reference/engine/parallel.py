"""The `corpus` schedule over other processes or machines: Parallel-CVB0, AWST09 §5, and its kin.

In `corpus` order every row is updated from the old sums, so parts of the rows can be updated anywhere. Any
`concurrent.futures.Executor` will do: threads share memory and need none of this; for a pool of processes, or the
executor of a dask cluster (`Client.get_executor()`), the rows of a part are sent to a worker once and kept there; with
every sweep travel the sums, and the part's gamma there and back. The result does not depend on the number of parts.
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
from ..model import Array, Prior
from .core import Algorithm, Sums, part_weights


class Part(NamedTuple):
    """Rows of a corpus that a worker holds, their documents and words numbered as in the whole."""

    j: Ints
    w: Ints
    n: Ints
    D: int
    W: int


class Task(NamedTuple):
    """What travels with every sweep."""

    algorithm: Algorithm
    prior: Prior
    gamma: Array
    sums: Sums
    uniforms: Array | None
    hard: bool


KEPT = 64  # parts that a worker keeps, the last used
_held: OrderedDict[str, Part] = OrderedDict()  # in a worker
_sent: WeakKeyDictionary[Executor, set[str]] = WeakKeyDictionary()  # in the caller


def work(key: str, part: Part | None, task: Task) -> Array | None:
    """The new gamma of a part; None where its rows are not here and were not sent."""
    if part is not None:
        _held[key] = part
    if key not in _held:
        return None
    _held.move_to_end(key)
    while len(_held) > KEPT:
        _held.popitem(last=False)
    return part_weights(Corpus(*_held[key]), *task)


def sweep(
    A: Algorithm,
    gamma: Array,
    S: Sums,
    c: Corpus,
    p: Prior,
    uniforms: Array | None,
    hard: bool,
    executor: Executor,
    parts: int,
) -> Array:
    """gamma after a sweep in `corpus` order, its parts updated by the workers of an executor."""
    bounds = np.linspace(0, c.M, min(parts, c.M) + 1).astype(int).tolist()
    sent = _sent.setdefault(executor, set())
    waiting: list[tuple[slice, str, Part, Task, Future[Array | None]]] = []
    for start, stop in pairwise(bounds):
        rows = slice(start, stop)
        part = Part(c.j[rows], c.w[rows], c.n[rows], c.D, c.W)
        key = _digest(part)
        task = Task(A, p, gamma[rows], S, None if uniforms is None else uniforms[rows], hard)
        waiting.append((rows, key, part, task, executor.submit(work, key, None if key in sent else part, task)))
        sent.add(key)
    new = np.empty_like(gamma)
    for rows, key, part, task, future in waiting:
        result: Any = future.result()
        while result is None:  # another worker took the task: it needs the rows too
            result = executor.submit(work, key, part, task).result()
        new[rows] = result
    return new


def _digest(part: Part) -> str:
    h = hashlib.sha256(f"{part.D} {part.W}".encode())
    for x in part[:3]:
        h.update(np.ascontiguousarray(x).tobytes())
    return h.hexdigest()
