"""What a worker does in a sweep by several processes: it keeps parts of a corpus, sums their statistics, updates them.

`parallel` says how the workers make a sweep together.
"""

from __future__ import annotations

import os
import platform
import threading
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from typing import Any, NamedTuple

import numpy as np

from ..corpus import Corpus
from ..model import Array
from .counts import Fixed, Sums, total
from .schedules import put_into, sweep_blocks
from .update import Assign

KEPT, VERSIONS = 64, 2  # a worker keeps so many parts, and so many gammas of each, those used last

# A part and its updates ----------------------------------------------------------------------------------------------


class Sweep(NamedTuple):
    """What the update of a part needs beside its gamma: the totals are those of words and of the corpus."""

    fixed: Fixed
    wk: Array
    k: Array
    assign: Assign


class Parcel(NamedTuple):
    """A part as it is sent: its rows, a gamma, and the sweeps since."""

    c: Corpus
    gamma: Array
    since: tuple[Sweep, ...]


def updated(c: Corpus, gamma: Array, sweep: Sweep, jk: Array | None = None) -> Array:
    """The new gamma of a part, whose documents are numbered from 0; `jk`, if known, are the sums over them."""
    fixed = sweep.fixed
    S = Sums(total(fixed, gamma, c).jk if jk is None else jk, sweep.wk, sweep.k)
    new = np.empty_like(gamma)
    sweep_blocks(fixed, S, gamma, new, put_into(new, sweep.assign), c, 1)
    return new


def brought_up(parcel: Parcel) -> Array:
    """The gamma of a part after the sweeps since."""
    gamma = parcel.gamma
    for sweep in parcel.since:
        gamma = updated(parcel.c, gamma, sweep)
    return gamma


# What a worker does --------------------------------------------------------------------------------------------------


class Held(NamedTuple):
    """A part that a worker keeps: its rows, its gamma by version, and the sums over its documents by sweep."""

    c: Corpus
    gammas: OrderedDict[str, Array]
    jk: dict[str, Array]

    def put(self, version: str, gamma: Array) -> None:
        self.gammas[version] = gamma
        while len(self.gammas) > VERSIONS:
            self.gammas.popitem(last=False)


Answer = tuple[Any, Any]  # who the worker is, and what it found

_held: OrderedDict[str, Held] = OrderedDict()  # by the part's name
_changing = threading.Lock()  # a worker may have several threads


@dataclass(frozen=True)
class Task:
    """Something to do with some parts at a version of gamma; each task has a name of its own."""

    name: str
    keys: list[str]
    version: str
    parcels: list[Parcel] | None
    act: Act

    def __dask_tokenize__(self) -> str:
        """dask names a call after its arguments, and does not repeat one that it knows."""
        return self.name


def work(task: Task) -> Answer | None:
    """Do a task, or return None if its parts are not here and were not sent."""
    if task.parcels is not None:
        for key, parcel in zip(task.keys, task.parcels, strict=True):
            held = Held(parcel.c, OrderedDict(), {})
            held.put(task.version, brought_up(parcel))
            with _changing:
                _held[key] = held
    with _changing:
        here = [key for key in task.keys if key in _held]
        mine = [_held[key] for key in here if task.version in _held[key].gammas]
        for key in here:
            _held.move_to_end(key)
        while len(_held) > KEPT:
            _held.popitem(last=False)
    if len(mine) < len(task.keys):
        return None
    return (platform.node(), os.getpid(), threading.get_ident()), task.act(mine, task.version)


class Add(NamedTuple):
    """Step 1: the sums of some parts over words and over the corpus. Those over documents stay here for step 2."""

    fixed: list[Fixed]
    new: str

    def __call__(self, parts: list[Held], version: str) -> tuple[Array, Array]:
        found = [total(f, held.gammas[version], held.c) for f, held in zip(self.fixed, parts, strict=True)]
        for S, held in zip(found, parts, strict=True):
            held.jk.clear()
            held.jk[self.new] = S.jk
        return added((S.wk, S.k) for S in found)


class Change(NamedTuple):
    """Step 2: the new gamma, which stays here."""

    sweeps: list[Sweep]
    new: str

    def __call__(self, parts: list[Held], version: str) -> None:
        for sweep, held in zip(self.sweeps, parts, strict=True):
            held.put(self.new, updated(held.c, held.gammas[version], sweep, held.jk.pop(self.new, None)))


class Fetch(NamedTuple):
    """gamma itself."""

    def __call__(self, parts: list[Held], version: str) -> list[Array]:
        return [held.gammas[version] for held in parts]


Act = Add | Change | Fetch


def added(pairs: Iterable[tuple[Array, Array]]) -> tuple[Array, Array]:
    """The totals of the sums of several parts."""
    words, topics = zip(*pairs, strict=True)
    return reduce(np.add, words), reduce(np.add, topics)
