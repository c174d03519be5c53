"""The `corpus` schedule over other processes or machines: Parallel-CVB0, AWST09 §5, and the like.

In `corpus` order every row is updated from the old sums, so the documents can be split into parts, and the parts can be
updated anywhere, by any `concurrent.futures.Executor`. Threads share memory and need none of this. A pool of processes,
or the executor of a dask cluster (`Client.get_executor()`), receives each part once, with its gamma, and keeps both.
Then a sweep has two steps:

    1. each worker sums the statistics of its parts, and returns the sums over words and over the corpus;
    2. each worker receives the totals of these sums, and updates its gamma.

The sums over documents stay with the worker, because a part holds whole documents. Two tables of W times K numbers for
each worker travel in a sweep, and gamma does not. The result does not depend on the number of parts.

dask starts its workers with `MALLOC_TRIM_THRESHOLD_=65536`, which makes a sweep three times slower where memory comes
from the GNU C library, because each block of rows is then returned to the system and asked for again. Set
`dask.config.set({"distributed.nanny.pre-spawn-environ.MALLOC_MMAP_THRESHOLD_": 2**25})` before the cluster starts.

The new state is a `Kept`. It knows where its gamma is, and fetches it when it is first used. It also knows the last
gamma that the caller had, and the totals of the sweeps since. From these any worker can compute the gamma of a part
again, so nothing is lost if a worker forgets a part, or dies, or if another worker takes its task.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from ..corpus import Corpus
from ..model import Array
from .arguments import checked_state
from .counts import Fixed
from .schedules import groups
from .state import Keeps, State
from .update import KNOWN, Assign
from .worker import Act, Add, Answer, Change, Fetch, Parcel, Sweep, Task, added, brought_up, work

PARTS = 16  # the number of parts of a corpus
TRIES = 20  # times that a task may reach a worker that has not kept its parts, before the parts are sent again

_owners: WeakKeyDictionary[Executor, dict[str, Any]] = WeakKeyDictionary()  # which worker had a part last


class Part(NamedTuple):
    """Some documents of a corpus: their rows and documents in the whole, and the corpus of these rows alone."""

    key: str
    rows: slice
    documents: slice
    c: Corpus


def split(c: Corpus) -> list[Part]:
    """A corpus in about `PARTS` parts of whole documents."""
    found: list[Part] = []
    run = uuid.uuid4().hex
    for group in groups(c, min(PARTS, c.D)):
        whole = group.documents if group.documents != slice(None) else slice(0, c.D)
        rows = Corpus(group.j, c.w[group.rows], c.n[group.rows], whole.stop - whole.start, c.W)
        found.append(Part(f"{run} {len(found)}", group.rows, whole, rows))
    return found


def of_part(fixed: Fixed, part: Part) -> Fixed:
    """What a sweep holds fixed, for the rows and documents of a part."""
    given = {count: value[part.rows] if count.draws else value for count, value in fixed.given.items()}
    known = fixed.known._replace(jk=fixed.known.jk[part.documents]) if fixed.known.jk.size else fixed.known
    return fixed._replace(given=given, known=known)


class Kept(State):
    """A state after a sweep by other processes. gamma is fetched when it is first used, and is read-only.

    It behaves like a `State` with this gamma. If the executor has been shut down before gamma is used, the caller
    computes it again, from the last gamma that it had.
    """

    corpus: Corpus
    executor: Executor
    parts: list[Part]
    shape: tuple[int, ...]
    version: str
    before: Array  # the last gamma that the caller had
    since: tuple[list[Sweep], ...]  # the sweeps since, each for all parts
    new: bool  # whether the workers do not have this version yet

    @classmethod
    def first(cls, gamma: Array, c: Corpus, parts: list[Part], executor: Executor) -> Kept:
        """The state at the start, which no worker has yet."""
        self = cls(np.empty(0))
        self.corpus, self.parts, self.executor = c, parts, executor
        self.shape, self.version = gamma.shape, uuid.uuid4().hex
        self.before, self.since, self.new = gamma, (), True
        return self

    def after(self, sweeps: list[Sweep], version: str) -> Kept:
        """The state after one more sweep."""
        next_ = Kept.first(self.before, self.corpus, self.parts, self.executor)
        next_.version, next_.since, next_.new = version, (*self.since, sweeps), False
        if sum(s[0].wk.nbytes for s in next_.since) > self.before.nbytes:  # gamma is then smaller than these totals
            next_.fetch()
        return next_

    @property
    def gamma(self) -> Array:
        """gamma (M, K) after all sweeps; the workers send it if they have swept since the last time."""
        if self.since:
            self.fetch()
        return self.before

    def fetch(self) -> None:
        """Ask the workers for gamma, or repeat their sweeps here if there are no workers any more."""
        gamma = np.empty(self.shape)
        try:
            for numbers, found in self.ask(lambda numbers: Fetch()):
                for i, x in zip(numbers, found, strict=True):
                    gamma[self.parts[i].rows] = x
        except (RuntimeError, CancelledError):  # there are no workers any more
            for i, part in enumerate(self.parts):
                gamma[part.rows] = brought_up(self.parcel(i))
        gamma.flags.writeable = False  # it must stay equal to what the workers have
        self.before, self.since = gamma, ()

    def parcel(self, i: int) -> Parcel:
        """What a worker needs to begin part i: its corpus, its last known gamma, and the sweeps since then."""
        part = self.parts[i]
        return Parcel(part.c, self.before[part.rows], tuple(sweeps[i] for sweeps in self.since))

    def ask(self, act_on: Callable[[list[int]], Act]) -> Iterator[tuple[list[int], Any]]:
        """What the workers answer, each for some parts; `act_on` says what they do with parts of given numbers.

        Each worker gets one task for all parts that it had last. A task that reaches another worker is submitted again,
        and in the end with the parts.
        """
        owners = _owners.setdefault(self.executor, {})
        together: dict[Any, list[int]] = {}
        for i, part in enumerate(self.parts):
            owner = None if self.new else owners.get(part.key)
            together.setdefault(i if owner is None else owner, []).append(i)
        waiting: dict[Future[Answer | None], tuple[list[int], int]] = {}

        def submit(numbers: list[int], tries: int) -> None:
            keys = [self.parts[i].key for i in numbers]
            parcels = [self.parcel(i) for i in numbers] if self.new or tries == TRIES else None
            task = Task(uuid.uuid4().hex, keys, self.version, parcels, act_on(numbers))
            waiting[self.executor.submit(work, task)] = numbers, tries

        for numbers in together.values():
            submit(numbers, 0)
        while waiting:
            for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                numbers, tries = waiting.pop(future)
                answer = future.result()
                if answer is None:
                    submit(numbers, tries + 1)
                else:
                    owners.update((self.parts[i].key, answer[0]) for i in numbers)
                    yield numbers, answer[1]
        self.new = False

    # as a State, and as the tuple that a State is

    def __iter__(self) -> Iterator[Any]:
        return iter((self.gamma, self.z))

    def __getitem__(self, i: Any) -> Any:
        return (self.gamma, self.z)[i]

    def _replace(self, **kwargs: Any) -> State:  # type: ignore[override]  # a plain State, because gamma is then known
        return State(self.gamma, self.z)._replace(**kwargs)

    def __reduce__(self) -> Any:
        return State, (self.gamma, self.z)


def shape_of(s: State, c: Corpus, keeps: Keeps | None = None) -> tuple[int, ...]:
    """The shape of a state's gamma, if it fits the corpus; gamma is not fetched for it."""
    return s.shape if isinstance(s, Kept) and s.corpus is c else checked_state(s, c, keeps).shape


def sweep(fixed: Fixed, s: State, c: Corpus, assign: Assign, executor: Executor) -> State:
    """The state after a sweep in `corpus` order by the workers of an executor."""
    if isinstance(s, Kept) and s.corpus is c and s.executor is executor:
        old = s
    else:
        old = Kept.first(s.gamma, c, split(c), executor)
    by_part, version = [of_part(fixed, part) for part in old.parts], uuid.uuid4().hex
    wk, k = added(pair for _, pair in old.ask(lambda numbers: Add([by_part[i] for i in numbers], version)))
    known = fixed.known
    wk, k = known.wk if fixed.update.word.count == KNOWN else wk, known.k if fixed.update.topic.count == KNOWN else k
    sweeps = [Sweep(f, wk, k, assign) for f in by_part]
    for _ in old.ask(lambda numbers: Change([sweeps[i] for i in numbers], version)):
        pass
    new = old.after(sweeps, version)
    return State(new.gamma) if any(count.draws for count in fixed.given) else new
