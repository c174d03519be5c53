"""The `corpus` schedule over the workers of a dask cluster: Parallel-CVB0, AWST09 §5, and the like.

In `corpus` order every row is updated from the old sums. So each worker can keep some of the documents, a shard, with
their gamma and N_jk. Each of n shards also owns an equal part of the vocabulary. A sweep begins with a call from each
shard to each owner:

    - The call brings the shard's sums of the owner's words, and its N_k.
    - The owner adds the sums of all shards, in the order of their numbers, and answers with those of the corpus. If the
      update excludes nothing, the answer has E_wk of `products` instead, which is then computed once.

So each shard sends 2 W K (n - 1) / n numbers, half of them in calls and half in answers, and the caller sees none.

A shard is an actor of dask, because calls between actors do not pass the scheduler. Its methods that wait for others
are coroutines, because a worker has one thread for all actors. Other pools of processes cannot do this: their tasks
keep nothing. On one machine use threads, which share memory.
"""

import asyncio
import ctypes
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial, reduce
from itertools import cycle, pairwise
from typing import Any

import numpy as np

from ..arguments import expect, shown
from ..corpus import Corpus
from ..model import Array, Prior
from .arguments import checked_state
from .counts import column, sums_of
from .groups import groups, total
from .in_place import sweep_groups
from .products import after_update, has_word_factors, needs_no_gamma, with_word_factors, word_factor
from .state import State, mean_change
from .update import Assign, Pseudocounts, Sums, Update, pseudocounts, soft

PATIENCE = 10.0  # seconds until the caller looks whether all workers are still there


class Shard:
    """Some documents with their gamma, on one worker, which owns some words."""

    def __init__(self, A: Any, source: Any, assign: Assign, thread_count: int) -> None:
        self.c, gamma = source() if callable(source) else source
        self.state = State(np.require(gamma, requirements="W") if callable(source) else np.array(gamma))  # overwritten
        checked_state(self.state, self.c)
        self.A, self.assign, self.thread_count, self.sweeps = A, assign, thread_count, 0
        self.groups = list(groups(self.c, 1, self.state.gamma.dtype)) if self.c.M else []
        self.S = total(A.update, self.state.gamma, self.c)
        keep_memory()

    async def meet(self, shard_number: int, shards: list[Any]) -> int:
        """Begin a run of these shards, of which this is one; the size of the vocabulary."""
        self.number, self.shards = shard_number, [*shards[:shard_number], self, *shards[shard_number + 1 :]]
        word_bounds = np.linspace(0, self.c.W, len(shards) + 1).astype(int).tolist()
        self.words = [slice(*word_range) for word_range in pairwise(word_bounds)]  # of each owner
        self.parts, self.answer = dict[int, Any](), asyncio.Future[Any]()
        return self.c.W

    async def exchange(self, S: Sums, word_part: Callable[..., Array] | None = None) -> tuple[Array, Array]:
        """The sums over all shards of all words, or what `word_part` makes of them, and those of topics."""
        self.word_part = word_part
        calls = [shard.add(self.number, S.wk[words], S.k) for shard, words in zip(self.shards, self.words, strict=True)]
        owner_sums = await asyncio.gather(*calls)
        return np.concatenate([wk for wk, _ in owner_sums]), owner_sums[0][1]

    async def add(self, shard_number: int, wk: Array, k: Array) -> tuple[Array, Array]:
        """Take the sums of one shard. The answer, the same for all shards, waits for the last of them."""
        self.parts[shard_number], answer = (wk, k), self.answer
        if len(self.parts) == len(self.shards):
            shard_sums, self.parts, self.answer = self.parts, {}, asyncio.Future()  # for the next sweep
            try:
                answer.set_result(await asyncio.to_thread(self.added, [shard_sums[i] for i in range(len(shard_sums))]))
            except Exception as error:
                answer.set_exception(error)
        return await answer

    def added(self, shard_sums: list[tuple[Array, Array]]) -> tuple[Array, Array]:
        """The sums of several parts, or what `word_part` makes of those of words."""
        wk, k = (reduce(np.add, sums) for sums in zip(*shard_sums, strict=True))
        return wk if self.word_part is None else self.word_part(Sums(wk[:0], wk, k), wk, self.words[self.number]), k

    async def sweep(self, sweep_no: int, p: Prior, has_change: bool) -> Array:
        """Make the sweep of this number; the sum of the absolute changes of gamma, and the number of its entries."""
        update, pseudo = self.A.update, pseudocounts(p, self.c.W, self.A.prior_offset)
        uses_factors = needs_no_gamma(update, self.assign) and has_word_factors(update, pseudo)
        wk, k = await self.exchange(self.S, partial(word_factor, update, pseudo) if uses_factors else None)
        self.A.check(self.c, p, self.state.shape[-1])
        S = Sums(self.S.jk, wk, k)
        if uses_factors:
            update, S = with_word_factors(update, S)
        return await asyncio.to_thread(self.update, sweep_no, update, pseudo, S, has_change)

    def update(self, sweep_no: int, update: Update, pseudo: Pseudocounts, S: Sums, has_change: bool) -> Array:
        """Update all rows from sums of all shards."""
        if sweep_no != self.sweeps + 1:
            raise RuntimeError(f"a shard has made {self.sweeps} sweeps, expected {sweep_no - 1}: start the run again")
        gamma_size = np.prod(self.state.shape)
        with ThreadPoolExecutor(self.thread_count) as pool:
            pool_map = map if self.thread_count == 1 else pool.map
            if self.c.M and needs_no_gamma(update, self.assign):
                last_state, self.state = self.state, after_update(update, pseudo, S, self.c, pool_map)
                self.S = sums_of(self.state, self.c)
                total_change = mean_change(last_state, self.state) * gamma_size if has_change else np.nan
            else:
                sweep_args = self.state.gamma, self.assign, self.groups, True, False
                _, total_change = sweep_groups(update, pseudo, S, *sweep_args, pool_map)  # AWST09 §5, Parallel-CVB0
                self.S = total(self.A.update, self.state.gamma, self.c, pool_map=pool_map)
        self.sweeps = sweep_no
        return np.array([total_change, gamma_size])

    async def counts(self) -> Array:
        """N_wk of the words that this shard owns."""
        N_wk, _ = await self.exchange(sums_of(self.state, self.c))
        return N_wk[self.words[self.number]]

    def gamma(self) -> Array:
        return self.state.gamma

    def theta(self, p: Prior) -> Array:
        return self.A.estimate_of(self.state, self.c, p)[0]


def keep_memory() -> None:
    """Let malloc use freed memory again, which dask's nanny ends by a side effect of MALLOC_TRIM_THRESHOLD_."""
    if os.name == "posix" and "MALLOC_TRIM_THRESHOLD_" in os.environ and hasattr(libc := ctypes.CDLL(None), "mallopt"):
        # M_TRIM_THRESHOLD and M_MMAP_THRESHOLD, without which a sweep of VB takes a tenth and a quarter more time
        libc.mallopt(-1, 2**29)
        libc.mallopt(-3, int(os.environ.get("MALLOC_MMAP_THRESHOLD_", 2**25)))


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
        self.A, self.client, self.sweeps, thread_counts = A, client, 0, client.nthreads()
        sources = shards_of(sources[0], sources[1], len(thread_counts)) if isinstance(sources, tuple) else sources
        self.futures: dict[Any, str] = {}  # and the addresses of their workers; dask drops a shard with its future
        for source, address in zip(sources, cycle(sorted(thread_counts)), strict=False):
            sent_source = source if callable(source) else client.scatter([source], [address])[0]
            future = client.submit(Shard, A, sent_source, assign, thread_counts[address], workers=[address], actor=True)
            self.futures[future] = address
        self.shards = self.results(self.futures)
        self.W, *larger_W = sorted(set(self.results(shard.meet(i, self.shards) for i, shard in enumerate(self.shards))))
        if larger_W:
            W_sizes_text = shown([self.W, *larger_W])
            raise ValueError(f"the vocabularies of the shards have {W_sizes_text} words, expected the same vocabulary")

    def sweep(self, p: Prior, rng: np.random.Generator | None = None, has_change: bool = True) -> float | None:
        """Make one sweep, and return the mean absolute change of gamma, if it costs little or is wanted."""
        self.sweeps, self.is_broken = self.sweeps + 1, True
        total_change, gamma_size = sum(self.results(shard.sweep(self.sweeps, p, has_change) for shard in self.shards))
        return None if np.isnan(total_change) else float(total_change / gamma_size)

    @property
    def state(self) -> State:
        """The state, whose gamma is fetched from the workers."""
        return State(np.concatenate(self.results(shard.gamma() for shard in self.shards)))

    def estimate(self, p: Prior) -> tuple[Iterator[Array], Array]:
        """theta_jk of one shard after the other, and phi_wk."""
        N_wk = np.concatenate(self.results(shard.counts() for shard in self.shards))
        n = N_wk.reshape(self.W, -1, N_wk.shape[-1]).sum(-1)[:, 0]
        w = np.flatnonzero(n)
        c = Corpus(np.zeros_like(w), w, n[w], 1, self.W, None, True)  # one document, with the same N_wk
        phi_wk = self.A.estimate_of(State(N_wk[w] / column(n[w], N_wk)), c, p)[1]
        return (self.results(shard.theta(p) for shard in [shard])[0] for shard in self.shards), phi_wk

    def results(self, calls: Iterable[Any]) -> list[Any]:
        """What futures or calls of shards return; an error if a worker with a shard is gone."""
        while True:
            try:
                calls = list(calls)
                return [call.result(timeout=PATIENCE) for call in calls]
            except Exception as error:
                if lost_hosts := set(self.futures.values()) - set(self.client.nthreads()):
                    raise RuntimeError(f"lost the workers {shown(sorted(lost_hosts))} with their documents") from error
                if not isinstance(error, TimeoutError):
                    raise


def shards_of(c: Corpus, gamma: Array, shard_count: int) -> Iterator[tuple[Corpus, Array]]:
    """A number of shards or fewer, with about as many rows each."""
    cut_documents = c.j[np.linspace(0, c.M, shard_count + 1)[1:-1].astype(int)]
    for first_j, stop_j in pairwise(np.unique([0, *cut_documents, c.D])):
        rows = slice(*np.searchsorted(c.j, (first_j, stop_j)))
        shard = Corpus(c.j[rows] - first_j, c.w[rows], c.n[rows], stop_j - first_j, c.W, None, c.fractions)
        yield shard, gamma[rows]
