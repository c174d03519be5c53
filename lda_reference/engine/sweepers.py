"""Many sweeps in a row: what `fit` sweeps, and what it owns meanwhile.

`Algorithm.sweep` leaves the old state as it was. A sweeper owns its arrays instead, see `in_place`:

    InPlace   overwrites gamma, in the orders `block` and `corpus`
    Shards    has gamma on the workers of a dask cluster, in the order `corpus`
    Pure      calls `Algorithm.sweep`: samplers, `token`, `document`, sweeps that make no gamma, those of its own

Each has the `state` after the last sweep, and `sweep(p, rng, has_change)`, which makes a sweep and returns the mean
absolute change of gamma, if it costs little or is wanted. `overwrites` says whether the next sweep overwrites the
state, and `is_broken` whether a sweep has begun to; whoever has taken the new state sets it to False. Whoever looks at
a state between sweeps and may keep it must be given copies (`copies`).
"""

from concurrent.futures import Executor

import numpy as np

from ..corpus import Corpus
from ..model import Prior
from .algorithm import Algorithm
from .arguments import assign_of, checked_map
from .counts import sum_all, sums
from .groups import Run, groups, total
from .in_place import KEPT_SUMS, WordSums, are_kept, sweep_groups
from .parallel import Shards
from .products import needs_no_gamma
from .starts import BLOCK_COUNT
from .state import State, mean_change
from .update import pseudocounts


def sweeper_of(
    A: Algorithm, s: State, c: Corpus, schedule: str, executor: Executor | None, copies: bool, owns_state: bool = True
) -> "Pure | InPlace | Shards":
    """The way to make many sweeps of an algorithm.

    It may overwrite the state that it is given, if that is its own, and those that it makes, unless it makes `copies`.
    """
    if A.sweep_of is not None:  # which checks its own arguments
        return Pure(A, s, c, schedule, executor)
    pool_map = checked_map(A, schedule, executor)
    if A.update.plain is not None or A.is_sampler or schedule not in ("block", "corpus"):
        return Pure(A, s, c, schedule, executor)
    if executor is not None and pool_map is map:
        return Shards(A, (c, s.gamma), executor)
    if schedule == "corpus" and needs_no_gamma(A.update, assign_of(A.assignment)):
        return Pure(A, s, c, schedule, executor)
    can_overwrite = copies or (owns_state and s.recipe is None)
    return InPlace(A, s if can_overwrite else State(np.array(s.gamma), None, s.own), c, schedule, copies, pool_map)


class Pure:
    """Sweeps each of which makes a new state."""

    overwrites = is_broken = False

    def __init__(self, A: Algorithm, s: State, c: Corpus, schedule: str, executor: Executor | None) -> None:
        self.A, self.state, self.c, self.schedule, self.executor = A, s, c, schedule, executor

    def sweep(self, p: Prior, rng: np.random.Generator, has_change: bool = True) -> float | None:
        last_state = self.state
        self.state = self.A.sweep(last_state, self.c, p, self.schedule, rng=rng, executor=self.executor)
        return mean_change(last_state, self.state) if has_change else None


class InPlace:
    """Sweeps that overwrite gamma, or with `copies` a copy of it."""

    def __init__(self, A: Algorithm, s: State, c: Corpus, schedule: str, copies: bool, pool_map: Run = map) -> None:
        self.A, self.state, self.c, self.copies, self.run = A, s, c, copies, pool_map
        self.all_at_once, self.overwrites, self.is_broken = schedule == "corpus", not copies, False
        self.groups = list(groups(c, 1 if self.all_at_once else BLOCK_COUNT, s.gamma.dtype))
        self.S = None if s.own is None else sums(s.gamma, c)._replace(wk=s.own.wk.copy(), k=sum_all(s.own.wk))

    def sweep(self, p: Prior, rng: np.random.Generator, has_change: bool = True) -> float:
        A, gamma = self.A, np.array(self.state.gamma) if self.copies else self.state.gamma
        A.check(self.c, p, gamma.shape[-1])
        update, _ = A.held(self.state, self.c, p, rng)
        pseudo = pseudocounts(p, self.c.W, A.prior_offset)
        keeps_sums = A.keeps is KEPT_SUMS and not self.all_at_once and are_kept(update, pseudo)
        S, self.S = self.S, None
        if S is None or A.draws:  # new uniforms make other sums
            S = total(update, gamma, self.c, pool_map=self.run, row_groups=self.groups)
        self.is_broken = self.overwrites
        sweep_args = gamma, assign_of(A.assignment), self.groups
        S, change = sweep_groups(update, pseudo, S, *sweep_args, self.all_at_once, keeps_sums, self.run)
        self.S = None if self.all_at_once else S
        word_sums = WordSums(S.wk.copy() if self.copies else S.wk) if keeps_sums else None
        self.state = State(gamma, None, word_sums)
        return change / gamma.size
