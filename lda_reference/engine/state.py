"""The state of a run: gamma, z for samplers of z, and what else an algorithm keeps."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..corpus import Ints
from ..model import Array


class Keeps(NamedTuple):
    """What an algorithm keeps in `State.own`: a NamedTuple of arrays, whose class is `kind`.

    A field that has a default may be missing. In a model folder an array is called by `name` and its field. `axes` has
    the axes of each array, such as "DRK": documents, rows M, words, replicates if there are any, topics. An array
    without topics holds whole numbers. `limits` are the smallest and the largest number for which a sweep is finite.
    `sums_of` is a function (own, corpus, row) -> three sums and what the row excludes from each. `explain` shows these
    if the update does not take sums of gamma.
    """

    kind: Any
    name: str
    axes: tuple[str, ...]
    limits: tuple[float, float]
    sums_of: Any = None


class State(NamedTuple):
    """What the next sweep needs.

    Attributes
    ----------
    gamma : (M, [R,] K)
        The distribution over topics of a token of each row; rows sum to 1. For samplers the fraction of the row's
        tokens in each topic.
    z : (N, [R]) integers, or None
        For samplers of z: the topic of each token, in row order.
    own : NamedTuple of arrays, or None
        What else the algorithm keeps: the coordinates of `hmc`, the sites of `ep`. See `Algorithm.keeps`.
    """

    gamma: Array
    z: Ints | None = None
    own: Any = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return _same((self.gamma, self.z, self.own), (other.gamma, other.z, other.own))

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        raise TypeError("a State is not hashable: its arrays can change")

    def __repr__(self) -> str:
        z = "" if self.z is None else f", z {np.shape(self.z)}"
        own = "" if self.own is None else f", own {type(self.own).__name__}"
        return f"State(gamma {np.shape(self.gamma)}{z}{own})"


def _same(x: Any, y: Any) -> bool:
    if isinstance(x, tuple) and isinstance(y, tuple):
        return len(x) == len(y) and all(map(_same, x, y))
    return x is y if x is None or y is None else np.array_equal(x, y)


def numbers_of(s: State) -> dict[str, Any]:
    """The fields of `own` that are one number for each run."""
    fields = {} if s.own is None else s.own._asdict()
    one = np.shape(s.gamma)[1:-1]
    return {name: np.asarray(x).tolist() for name, x in fields.items() if x is not None and np.shape(x) == one}


def moved(a: State, b: State, n: Ints) -> tuple[Array, Array]:
    """The total variation between two gamma: its mean over tokens, and the largest of any row; (R,) with replicates.

    The total variation of two distributions over topics is half of the sum of their absolute differences.
    """
    total, largest = np.zeros(a.gamma.shape[1:-1]), np.zeros(a.gamma.shape[1:-1])
    for i in range(0, len(n), 4096):  # a block that fits the cache at a time
        rows = slice(i, i + 4096)
        x = np.abs(b.gamma[rows] - a.gamma[rows]).sum(-1) / 2
        total, largest = total + n[rows] @ x, np.maximum(largest, x.max(0))
    return total / n.sum(), largest


def mean_change(a: State, b: State) -> float:
    """The mean absolute difference of two gamma, computed a block that fits the cache at a time."""
    old, new = a.gamma, b.gamma
    blocks = (slice(i, i + 4096) for i in range(0, len(old), 4096))
    return float(sum(np.abs(new[rows] - old[rows]).sum() for rows in blocks) / old.size)
