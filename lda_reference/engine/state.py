"""The state of a run: gamma, z for samplers, and sites for expectation propagation."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..corpus import Ints
from ..model import Array


class Sites(NamedTuple):
    """What expectation propagation knows of each row: the site of one of its n tokens, which all n share.

    Attributes
    ----------
    jk : (M, [R,] K)
        The exponents of theta_jk, j the row's document.
    wk : (M, W, [R,] K), or None
        The exponents of phi_wk, of all words; None if the topics are held.
    left : int or (R,)
        The number of tokens whose site the last sweep left as it was, because a parameter would not be positive.
    """

    jk: Array
    wk: Array | None
    left: Any


class State(NamedTuple):
    """What the next sweep needs.

    Attributes
    ----------
    gamma : (M, [R,] K)
        The distribution over topics of a token of each row; rows sum to 1. For samplers the fraction of the row's
        tokens in each topic.
    z : (N, [R]) integers, or None
        For samplers: the topic of each token, in row order.
    sites : Sites, or None
        For expectation propagation, after its first sweep.
    """

    gamma: Array
    z: Ints | None = None
    sites: Sites | None = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        mine, theirs = ((s.gamma, s.z, *(s.sites or ())) for s in (self, other))
        return len(mine) == len(theirs) and all(map(_same, mine, theirs))

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        raise TypeError("a State is not hashable: its arrays can change")

    def __repr__(self) -> str:
        z = "" if self.z is None else f", z {np.shape(self.z)}"
        return f"State(gamma {np.shape(self.gamma)}{z})"


def _same(x: Any, y: Any) -> bool:
    return x is y if x is None or y is None else np.array_equal(x, y)


def mean_change(a: State, b: State) -> float:
    """The mean absolute difference of two gamma, computed a block that fits the cache at a time."""
    old, new = a.gamma, b.gamma
    blocks = (slice(i, i + 4096) for i in range(0, len(old), 4096))
    return float(sum(np.abs(new[rows] - old[rows]).sum() for rows in blocks) / old.size)
