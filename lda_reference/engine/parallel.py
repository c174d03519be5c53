"""The `corpus` schedule over the workers of a dask cluster: Parallel-CVB0, AWST09 §5, and the like.

In `corpus` order every row is updated from the old sums. So each worker can keep some of the documents, a shard, with
their gamma and N_jk. In a sweep it receives the sums of its words, updates gamma, and sends the new sums.

The shards form a tree. Those below a shard send their sums to its worker, which adds them to its own, always in the
same order, and sends the result up. The sums of the corpus go from shard 0 down the same way. So each shard but the
first sends and receives at most W K numbers, and the caller sees none of them.

Other pools of processes cannot do this: their tasks keep nothing. On one machine use threads, which share memory.
"""

import math
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from itertools import cycle, pairwise
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from ..arguments import expect, shown
from ..corpus import Corpus, Ints
from ..model import Array, Prior
from .arguments import checked_state
from .counts import column, sums_of
from .groups import groups, numbered, total
from .in_place import sweep_groups
from .products import after_update, needs_no_gamma
from .state import State, mean_change
from .update import Assign, Sums, pseudocounts, soft

BRANCHES = 8  # the largest number of shards directly below one
PATIENCE = 10.0  # seconds until the caller looks whether all workers are still there


class Part(NamedTuple):
    """Sums over some documents: of their words, numbered as in the corpus, and of all their tokens."""

    words: Ints
    wk: Array
    k: Array
    change: Any = 0.0  # the sum of the absolute changes of gamma, and the number of its entries


def added(*parts: Part) -> Part:
    """The sums of several parts, added in their order."""
    words = np.unique(np.concatenate([part.words for part in parts]))
    wk = np.zeros((len(words), *parts[0].wk.shape[1:]))
    for part in parts:
        wk[slice(None) if len(part.words) == len(words) else np.searchsorted(words, part.words)] += part.wk
    return Part(words, wk, np.sum([part.k for part in parts], 0), sum(part.change for part in parts))


def taken(S: Part, words: Ints) -> Part:
    """The sums of some of the words."""
    is_all = len(words) == len(S.words)
    return S if is_all else S._replace(words=words, wk=S.wk.take(np.searchsorted(S.words, words), 0))


class Shard:
    """Some documents with their gamma, on one worker. Its words are numbered from 0."""

    def __init__(self, A: Any, source: Any, assign: Assign, threads: int) -> None:
        c, gamma = source() if callable(source) else source
        self.state = State(np.require(gamma, requirements="W") if callable(source) else np.array(gamma))  # overwritten
        checked_state(self.state, c)
        self.A, self.assign, self.threads, self.sweeps, self.W = A, assign, threads, 0, c.W
        self.words, w = np.zeros(1, np.int64), c.w  # of an empty shard
        if c.M:
            self.words, w = numbered(c.w, c.W)
        self.c = Corpus(c.j, w, c.n, c.D, len(self.words), None, c.fractions)
        self.groups = list(groups(self.c, 1, self.state.gamma.dtype)) if c.M else []

    def prior(self, p: Prior) -> Prior:
        """The prior with the eta of the words of the shard."""
        return Prior(p.alpha, np.asarray(p.eta)[self.words] if np.ndim(p.eta) else p.eta)

    def begin(self) -> Part:
        """The sums of the shard before its first sweep."""
        S = total(self.A.update, self.state.gamma, self.c)
        self.jk = S.jk
        return Part(self.words, S.wk, S.k)

    def sweep(self, number: int, p: Prior, S: Part, has_change: bool) -> Part:
        """Make the sweep of this number, from the sums of the corpus, and return the new sums of the shard."""
        if number != self.sweeps + 1:  # dask has made the shard a second time, because its worker was lost
            raise RuntimeError(f"a shard has made {self.sweeps} sweeps, expected {number - 1}: start the run again")
        S, prior, size, offset = taken(S, self.words), self.prior(p), math.prod(self.state.shape), self.A.prior_offset
        self.A.check(self.c, prior, self.state.shape[-1])
        numbers = pseudocounts(p, self.W, offset)._replace(eta=np.asarray(prior.eta) - offset)
        self.sweeps, update, before = number, self.A.update, Sums(self.jk, S.wk, S.k)
        with ThreadPoolExecutor(self.threads) as pool:
            run = map if self.threads == 1 else pool.map
            if self.c.M and needs_no_gamma(update, self.assign):
                last, self.state = self.state, after_update(update, numbers, before, self.c, run)
                after = sums_of(self.state, self.c)
                change = mean_change(last, self.state) * size if has_change else np.nan
            else:
                gamma = self.state.gamma
                rows = gamma, gamma, self.assign, self.groups, True, False
                after, change = sweep_groups(update, numbers, before, *rows, run)  # AWST09 §5, Parallel-CVB0
        self.jk = after.jk
        return Part(self.words, after.wk, after.k, np.array([change, size]))

    def counts(self) -> Part:
        """N_wk and N_k."""
        N = sums_of(self.state, self.c)
        return Part(self.words, N.wk, N.k)

    def theta(self, p: Prior) -> Any:
        """theta_jk of the documents."""
        return self.A.estimate_of(self.state, self.c, self.prior(p))[0]


class Shards:
    """A sweeper in `corpus` order whose documents and gamma are on the workers of dask's `Client.get_executor()`.

    A source is a pair (corpus, gamma), or a function that returns one and is called by the worker, so that no machine
    needs all documents. One pair instead of a list is split into a shard for each worker.
    """

    overwrites, is_broken = True, False

    def __init__(self, A: Any, sources: Any, executor: Executor, assign: Assign = soft) -> None:
        client: Any = getattr(executor, "_client", None)  # dask has no public name for it
        expect(client is not None, executor, "executor", "threads, or get_executor() of a dask Client")
        if A.is_sampler or A.draws or "corpus" not in A.schedules:
            raise ValueError(f"{A.name} draws or has no corpus order, expected an algorithm such as cvb0 for dask")
        threads = client.nthreads()
        sources = shards_of(sources[0], sources[1], len(threads)) if isinstance(sources, tuple) else sources
        self.addresses = [address for _, address in zip(sources, cycle(sorted(threads)), strict=False)]
        self.A, self.client, self.sweeps = A, client, 0
        sent = [
            source if callable(source) else client.scatter([source], [address])[0]
            for source, address in zip(sources, self.addresses, strict=True)
        ]
        self.shards = self.each(Shard, A, sent, assign, [threads[address] for address in self.addresses])
        sizes = sorted({self.result(task) for task in self.each(getattr, self.shards, "W")})
        if len(sizes) > 1:
            raise ValueError(f"the vocabularies of the shards have {shown(sizes)} words, expected the same vocabulary")
        self.W = sizes[0]
        self.words_below: list[Any] = []  # of each shard and the shards below it

    def sweep(self, p: Prior, rng: np.random.Generator | None = None, has_change: bool = True) -> float | None:
        """Make one sweep, and return the mean absolute change of gamma, if it costs little or is wanted."""
        if not self.words_below:
            parts = self.up(self.each(Shard.begin, self.shards))
            self.words_below = [self.submit(above(i), getattr, part, "words") for i, part in enumerate(parts)]
            self.sums = self.down(parts[0])
        self.sweeps, self.is_broken = self.sweeps + 1, True
        first = self.up(self.each(Shard.sweep, self.shards, self.sweeps, p, self.sums, has_change))[0]
        task = self.submit(0, getattr, first, "change")
        self.sums = self.down(first)  # while the caller waits
        change, size = self.result(task)
        return None if np.isnan(change) else float(change / size)

    @property
    def state(self) -> State:
        """The state, whose gamma is fetched from the workers."""
        return State(np.concatenate([self.result(x) for x in self.each(attrgetter("state.gamma"), self.shards)]))

    def estimate(self, p: Prior) -> tuple[Iterator[Array], Array]:
        """theta_jk of one shard after the other, and phi_wk."""
        N = self.result(self.up(self.each(Shard.counts, self.shards))[0])
        n = N.wk.reshape(len(N.words), -1, N.wk.shape[-1]).sum(-1)[:, 0]
        c = Corpus(np.zeros_like(N.words), N.words, n, 1, self.W, None, True)  # one document, with the same N_wk
        phi_wk = self.A.estimate_of(State(N.wk / column(n, N.wk)), c, p)[1]
        return map(self.result, self.each(Shard.theta, self.shards, p)), phi_wk

    def up(self, parts: list[Any]) -> list[Any]:
        """The sums of each shard and of the shards below it."""
        for i in reversed(range(len(parts))):
            below = parts[BRANCHES * i + 1 : BRANCHES * (i + 1) + 1]
            parts[i] = self.submit(i, added, parts[i], *below) if below else parts[i]
        return parts

    def down(self, S: Any) -> list[Any]:
        """The sums of the corpus for each shard, of its words and those of the shards below it."""
        parts = [S]
        for i, words in enumerate(self.words_below[1:], 1):
            parts.append(self.submit(above(i), taken, parts[above(i)], words))
        return parts

    def each(self, work: Any, *arguments: Any) -> list[Any]:
        """A task for each shard. Of an argument that is a list it takes the shard's own entry."""
        lists = [x if isinstance(x, list) else [x] * len(self.addresses) for x in arguments]
        return [self.submit(i, work, *entries) for i, entries in enumerate(zip(*lists, strict=True))]

    def submit(self, i: int, work: Any, *arguments: Any) -> Any:
        """A task on the worker of shard i. It is not pure: dask must not take the result of an equal task."""
        return self.client.submit(work, *arguments, workers=[self.addresses[i]], pure=False)

    def result(self, task: Any) -> Any:
        """The result of a task; an error if a worker with a shard is gone."""
        while True:
            try:
                return task.result(timeout=PATIENCE)
            except TimeoutError:
                if lost := set(self.addresses) - set(self.client.nthreads()):
                    raise RuntimeError(f"lost the workers {shown(sorted(lost))} with their documents") from None


def above(i: int) -> int:
    """The shard to whose worker shard i sends its sums."""
    return max(0, i - 1) // BRANCHES


def shards_of(c: Corpus, gamma: Array, number: int) -> list[tuple[Corpus, Array]]:
    """A number of shards or fewer, with about as many rows each."""
    cuts, parts = c.j[np.linspace(0, c.M, number + 1)[1:-1].astype(int)], []
    for first, stop in pairwise(np.unique([0, *cuts, c.D])):
        rows = slice(*np.searchsorted(c.j, (first, stop)))
        part = Corpus(c.j[rows] - first, c.w[rows], c.n[rows], stop - first, c.W, None, c.fractions)
        parts.append((part, gamma[rows]))
    return parts
