"""The state of a run: gamma; z or the coordinates of theta and phi for samplers; sites for EP."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..corpus import Ints
from ..model import Array


class Coordinates(NamedTuple):
    """Unconstrained coordinates of theta and phi: theta_jk ∝ exp u_jk over k, and phi_wk ∝ exp u_wk over w.

    Attributes
    ----------
    jk : (D, [R,] K)
    wk : (W, [R,] K)
    """

    jk: Array
    wk: Array


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
        For samplers of z: the topic of each token, in row order.
    u : Coordinates, or None
        For samplers of theta and phi that sum z out: where they are.
    sites : Sites, or None
        For expectation propagation, after its first sweep.
    """

    gamma: Array
    z: Ints | None = None
    u: Coordinates | None = None
    sites: Sites | None = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return all(_same(x, y) for x, y in zip(_arrays(self), _arrays(other), strict=True))

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        raise TypeError("a State is not hashable: its arrays can change")

    def __repr__(self) -> str:
        z = "" if self.z is None else f", z {np.shape(self.z)}"
        u = "" if self.u is None else f", u {np.shape(self.u.jk)} and {np.shape(self.u.wk)}"
        return f"State(gamma {np.shape(self.gamma)}{z}{u})"


def _arrays(s: State) -> tuple[Any, ...]:
    return s.gamma, s.z, *(s.u or (None, None)), *(s.sites or (None, None, None))


def _same(x: Any, y: Any) -> bool:
    return x is y if x is None or y is None else np.array_equal(x, y)


def mean_change(a: State, b: State) -> float:
    """The mean absolute difference of two gamma, computed a block that fits the cache at a time."""
    old, new = a.gamma, b.gamma
    blocks = (slice(i, i + 4096) for i in range(0, len(old), 4096))
    return float(sum(np.abs(new[rows] - old[rows]).sum() for rows in blocks) / old.size)
