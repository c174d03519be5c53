"""The state of a run: gamma, and z for samplers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..corpus import Ints
from ..model import Array


class State(NamedTuple):
    """What the next sweep needs.

    Attributes
    ----------
    gamma : (M, [R,] K)
        The distribution over topics of a token of each row; rows sum to 1. For samplers the fraction of the row's
        tokens in each topic.
    z : (N, [R]) integers, or None
        For samplers: the topic of each token, in row order.
    """

    gamma: Array
    z: Ints | None = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        same_z = np.array_equal(self.z, other.z) if self.z is not None and other.z is not None else self.z is other.z
        return np.array_equal(self.gamma, other.gamma) and same_z

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        raise TypeError("a State is not hashable: its arrays can change")

    def __repr__(self) -> str:
        z = "" if self.z is None else f", z {np.shape(self.z)}"
        return f"State(gamma {np.shape(self.gamma)}{z})"


def mean_change(a: State, b: State) -> float:
    """The mean absolute difference of two gamma, computed a block that fits the cache at a time."""
    old, new = a.gamma, b.gamma
    blocks = (slice(i, i + 4096) for i in range(0, len(old), 4096))
    return float(sum(np.abs(new[rows] - old[rows]).sum() for rows in blocks) / old.size)
