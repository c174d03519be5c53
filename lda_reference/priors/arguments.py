"""Checks of arguments that several modules share. Each returns the checked value or raises a ValueError."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..arguments import check_entries
from ..engine import State
from ..model import Array


def gamma_of_one_run(s: State) -> Array:
    """The state's gamma, (M, K); a state with replicates is refused, because they share one prior."""
    if np.ndim(s.gamma) != 2:
        raise ValueError(
            f"the state's gamma has shape {np.shape(s.gamma)}, expected (M, K): a prior belongs to one run, not to"
            " replicates"
        )
    return s.gamma


def finite_vector(x: ArrayLike, name: str) -> Array:
    """`x` as a vector of one or more finite numbers."""
    a = np.asarray(x, np.float64)
    if a.ndim != 1 or a.size == 0:
        raise ValueError(f"{name} has shape {a.shape}, expected a vector of one entry or more")
    check_entries(np.isfinite(a), a, name, "a finite number")
    return a


def positive(x: ArrayLike, name: str) -> Array:
    """`x` as an array of positive finite numbers."""
    a = np.asarray(x, np.float64)
    check_entries((a > 0) & np.isfinite(a), a, name, "a positive finite number")
    return a


def rates(zeta: ArrayLike, size: int, letter: str) -> Array:
    """`zeta` as a vector of `size` finite numbers, 0 or more; one number is repeated. Errors call the size `letter`."""
    z = np.asarray(zeta, np.float64)
    if z.ndim > 1 or (z.ndim and z.size != size):
        raise ValueError(f"zeta has shape {z.shape}, expected a number or {letter} = {size} numbers")
    check_entries((z >= 0) & np.isfinite(z), z, "zeta", "a finite number of 0 or more")
    return np.broadcast_to(z, (size,))
