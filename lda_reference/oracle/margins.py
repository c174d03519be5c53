"""How near the draws of a case come to the boundaries between topics.

A boundary is a partial sum of the weights, divided by the last partial sum. A draw is decided if its uniform number is
farther from every boundary than the error of the boundary. For a sampler this error is W + K + 10 units of the
roundoff: W for the sum of eta, K for the partial sums, and 10 for the rest. The samples of cvb1s are drawn from gamma,
and the error of a boundary is K times that of gamma, see `rounding`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ..algorithms.cvb0 import ALGORITHM as CVB0
from ..engine import State
from ..model import Array
from . import package, rounding
from .loading import Case


def undecided(case: Case, unit: float, least: float = 0.0) -> float | None:
    """The distance of a uniform number from a boundary between topics, if it is within the error of the boundary.

    A boundary that every binary arithmetic meets exactly, because the weights are powers of two, decides.

    Parameters
    ----------
    case : dict
        With its `expected` answer.
    unit : float
        The roundoff.
    least : float
        A distance that is too small in any case.

    Returns
    -------
    float or None
        None if every draw of the case is decided.

    Examples
    --------
    >>> from lda_reference.oracle import cases
    >>> case = cases("cgs/draw/001")[0]
    >>> undecided(case, 2.0**-24) is None, round(undecided(case, 2.0**-5), 3)
    (True, 0.512)
    """
    found = None
    for x, u, of in draws(case):
        partial = x.cumsum(-1)
        margin = np.abs(partial[..., :-1] / partial[..., -1:] - u[..., None])
        powers = (np.isin(np.frexp(x)[0], (0, 0.5)).all(-1) & (u == np.float32(u)))[..., None]
        close = margin[(margin <= max(unit * of, least)) & ~(powers & (margin == 0))]
        if close.size:
            found = min(found if found is not None else 1.0, float(close.min()))
    return found


def draws(case: Case) -> Iterator[tuple[Array, Array, float]]:
    """The draws of a case: weights (..., K), uniform numbers (...), and the error of the partial sums as shares."""
    name, operation = case["algorithm"], case["operation"]
    if operation == "draw":
        yield package.weights(case)[None], np.array([case["uniform"]]), rounding.of_weights(case)
    elif "z" in case["expected"]:
        yield _weights_of_sweep(case), np.array(case["uniforms"]), rounding.of_weights(case)
    elif operation == "start" and case["start"] == "incremental":
        yield _weights_of_incremental(case), np.array(case["uniforms"]), rounding.of_weights(case)
    elif name == "cvb1s" and operation in rounding.STEPS:
        gamma = rounding.runs(case)
        u = np.moveaxis(np.array(case["uniforms"]), -1, 0)
        for x in gamma[:-1] if case["schedule"] == "corpus" or operation == "update" else gamma:
            yield np.broadcast_to(x[:, 0], (*u.shape, case["K"])), u, case["K"] * rounding.growth(case, x)


def _weights_of_sweep(case: Case) -> Array:
    """The weights from which a sampler draws the topic of each token, in turn."""
    old, new = np.array(case["state"]["z"]), np.array(case["expected"]["z"])
    if case["algorithm"] == "gibbs":  # its weights do not depend on z
        return package.weights_of_tokens(case, old)
    turn = np.arange(len(old))
    z = np.where(turn[:, None] < turn, new[:, None], old[:, None])  # token t sees the new topics of those before it
    return package.weights_of_tokens(case, z)[turn, turn]


def _weights_of_incremental(case: Case) -> Array:
    """The weights from which the start `incremental` draws the topic of each row."""
    c, p = package.problem(case)
    gamma = np.array(case["expected"]["gamma"], np.float64)
    A = replace(CVB0, update=CVB0.update._replace(excludes="nothing"))
    out = np.empty_like(gamma)
    for j in np.unique(c.j):
        before = State(np.where((c.j < j)[:, None], gamma, 0.0))
        out[c.j == j] = A.sweep(before, c, p, schedule="corpus", assignment=lambda x: x).gamma[c.j == j]
    return out
