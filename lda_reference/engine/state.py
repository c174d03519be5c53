"""The state of a run: gamma, z for samplers of z, and what else an algorithm keeps."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ..corpus import Corpus, Ints
from ..model import Array

Blocks = Iterator[tuple[slice, Array]]  # rows of gamma, and where they are


class Keeps(NamedTuple):
    """What an algorithm keeps in `State.own`. An array without topics holds whole numbers."""

    kind: Any  # the class of `own`, a NamedTuple of arrays; a field that has a default may be missing
    name: str  # in a model folder an array is called by this name and its field
    axes: tuple[str, ...]  # of each array, such as "DRK": documents, rows M, words, replicates if there are any, topics
    sums_of: Any = None  # (own, corpus, row) -> three sums instead of those of gamma, what the row excludes from each
    start: Any = None  # (state, corpus, prior) -> state, with what the first state of an algorithm without z keeps


class Recipe:
    """How gamma is made when somebody asks for it: `make(c)` gives its rows in the blocks of `slices_of`."""

    def __init__(self, make: Any, c: Corpus, sums: Any) -> None:
        self.make, self.c, self.sums = make, c, sums  # N_jk, N_wk and N_k on the corpus c, known without gamma
        self.shape = (c.M, *sums.jk.shape[1:])

    @cached_property
    def gamma(self) -> Array:
        """gamma, which nobody can write into, because the sums would not change with it."""
        gamma = np.empty(self.shape)
        for rows, x in self.make(self.c):
            gamma[rows] = x
        gamma.flags.writeable = False
        return gamma

    def __reduce__(self) -> Any:
        return Recipe, (self.make, self.c, self.sums)  # a copy makes its own gamma


class _Fields(NamedTuple):
    gamma: Any
    z: Ints | None = None
    own: Any = None


class State(_Fields):
    """What the next sweep needs.

    - `gamma`: (M, [R,] K), the distribution over topics of a token of each row; rows sum to 1. For samplers it is the
      fraction of the row's tokens in each topic. If the state has a `Recipe` instead, gamma is made when it is read.
    - `z`: (N, [R]) integers, for samplers of z: the topic of each token, in row order. Otherwise None.
    - `own`: a NamedTuple of arrays, what else the algorithm keeps: the coordinates of `hmc`, the sites of `ep`. See
      `Algorithm.keeps`. Otherwise None.
    """

    __slots__ = ()

    @property
    def gamma(self) -> Array:  # the field holds gamma or its recipe
        return self[0].gamma if isinstance(self[0], Recipe) else self[0]

    @property
    def recipe(self) -> Recipe | None:
        """How gamma is made, if it is made only when it is read."""
        return self[0] if isinstance(self[0], Recipe) else None

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of gamma, (M, [R,] K)."""
        return np.shape(self.gamma) if self.recipe is None else self.recipe.shape

    @property
    def dtype(self) -> Any:
        """The numbers of gamma, float64 or float32."""
        return np.dtype(np.float64) if self.recipe is not None else np.asarray(self.gamma).dtype

    def blocks(self) -> Blocks:
        """The rows of gamma in blocks that fit the cache, without making all of gamma."""
        if self.recipe is not None and "gamma" not in vars(self.recipe):
            return iter(self.recipe.make(self.recipe.c))
        return ((rows, self.gamma[rows]) for rows in slices_of(self.shape[0]))

    def __eq__(self, x: object) -> bool:
        if not isinstance(x, State):
            return NotImplemented
        pairs = zip(self.blocks(), x.blocks(), strict=False)
        is_equal = self[0] is x[0] or (self.shape == x.shape and all(np.array_equal(a, b) for (_, a), (_, b) in pairs))
        arrays, arrays_of_x = ((s.z, *(s.own or ())) for s in (self, x))
        return is_equal and len(arrays) == len(arrays_of_x) and all(map(np.array_equal, arrays, arrays_of_x))

    def __ne__(self, x: object) -> bool:
        return not self == x

    def __hash__(self) -> int:
        raise TypeError("a State is not hashable: its arrays can change")

    def __repr__(self) -> str:
        z_text = "" if self.z is None else f", z {np.shape(self.z)}"
        own_text = "" if self.own is None else f", own {type(self.own).__name__}"
        return f"State(gamma {self.shape}{z_text}{own_text})"


def slices_of(M: int) -> Iterator[slice]:
    """M rows in blocks of 1024."""
    return (slice(i, min(i + 1024, M)) for i in range(0, M, 1024))


def moved(a: State, b: State, n: Ints) -> tuple[Array, Array]:
    """The total variation between two gamma: its mean over tokens, and the largest of any row; (R,) with replicates.

    The total variation of two distributions over topics is half of the sum of their absolute differences.
    """
    total_move, largest_variation = np.zeros(a.shape[1:-1]), np.zeros(a.shape[1:-1])
    for (rows, old_rows), (_, new_rows) in zip(a.blocks(), b.blocks(), strict=True):
        moves = np.abs(new_rows - old_rows).sum(-1) / 2
        total_move, largest_variation = total_move + n[rows] @ moves, np.maximum(largest_variation, moves.max(0))
    return total_move / n.sum(), largest_variation


def mean_change(a: State, b: State) -> float:
    """The mean absolute difference of two gamma."""
    block_pairs = zip(a.blocks(), b.blocks(), strict=True)
    total_change = sum(np.abs(new_rows - old_rows).sum() for (_, old_rows), (_, new_rows) in block_pairs)
    return float(total_change / np.prod(a.shape))
