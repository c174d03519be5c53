"""How near the draws of a case come to the boundaries between topics.

A boundary is a partial sum of the weights, divided by the last partial sum. A draw is decided if its uniform number is
farther from every boundary than the error of the boundary. For a sampler this error is W + K + 10 units of the
roundoff: W for the sum of eta, K for the partial sums, and 10 for the rest; at a temperature, the power adds to it. The
samples of cvb1s are drawn from gamma, and the error of a boundary is K times that of gamma, see `perturbed`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ..algorithms.cvb0 import ALGORITHM as CVB0
from ..corpus import Corpus, Ints
from ..engine import Algorithm, State, weights
from ..model import Array, Prior
from . import package, package_operations, perturbed, rounded_operations, rounding
from .asking.loading import Case


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
    case = rounding.legal(case)
    name, operation = case["algorithm"], case["operation"]
    if operation == "draw":
        yield package.weights(case)[None], np.array([case["uniform"]]), rounding.of_weights(case)
    elif "z" in case["expected"]:
        tempered = operation == "tempered_sweep"
        error = rounded_operations.of_tempered_weights(case) if tempered else rounding.of_weights(case)
        for x in _weights_of_sweeps(case):
            yield x, np.array(case["uniforms"]), error
    elif operation == "start" and case["start"] == "incremental":
        yield _weights_of_incremental(case), np.array(case["uniforms"]), rounding.of_weights(case)
    elif name == "cvb1s" and operation in perturbed.STEPS:
        gamma = perturbed.runs(case)
        u = np.moveaxis(np.array(case["uniforms"]), -1, 0)
        for x in gamma[:-1] if case["schedule"] == "corpus" or operation == "update" else gamma:
            yield np.broadcast_to(x[:, 0], (*u.shape, case["K"])), u, case["K"] * perturbed.growth(case, x)


def _weights_of_sweeps(case: Case) -> Iterator[Array]:
    """The weights from which a sampler draws the topic of each token, in turn; one table (N, K) for each sweep."""
    A, s, c, p = package_operations.tempered(case) if "inverse_temperature" in case else package.read(case)
    for _ in range(case.get("sweeps", 1)):
        new = A.sweep(s, c, p, uniforms=case["uniforms"])
        if case["algorithm"] == "gibbs":  # its weights do not depend on z
            yield package.weights_of_tokens(case, s.z)
        else:
            yield _weights_in_turn(A, s, new, c, p)
        s = new


def _weights_in_turn(A: Algorithm, old: State, new: State, c: Corpus, p: Prior) -> Array:
    """The weights of each token: it sees the new topics of the tokens before it, and the old ones of those after it."""
    t, K = c.tokens(), old.gamma.shape[-1]
    before, after = np.eye(K)[new.z], np.eye(K)[old.z]
    N_jk, N_wk, N_k = (_seen(before, after, group) for group in (t.j, t.w, np.zeros_like(t.j)))
    (alpha, eta), (document, word, topic) = p.vectors(K, c.W), A.update.terms
    return weights(A.update, document.value(alpha, N_jk), word.value(eta[t.w, None], N_wk), topic.value(eta.sum(), N_k))


def _seen(before: Array, after: Array, group: Ints) -> Array:
    """For each row, the sum of `before` over the earlier rows of its group and of `after` over the later ones."""
    order = np.argsort(group, kind="stable")
    out = np.empty_like(before)
    for rows in np.split(order, np.flatnonzero(np.diff(group[order])) + 1):
        x, y = before[rows], after[rows]
        out[rows] = x.cumsum(0) - x + y.sum(0) - y.cumsum(0)
    return out


def _weights_of_incremental(case: Case) -> Array:
    """The weights from which the start `incremental` draws the topic of each row."""
    c, p = package.problem(case)
    gamma = np.array(case["expected"]["gamma"], np.float64)
    A = replace(CVB0, update=CVB0.update._replace(excludes="nothing"))
    out = np.empty_like(gamma)
    for j in np.unique(c.j):
        before = State(np.where((c.j < j)[:, None], gamma, 0.0))
        out[c.j == j] = package_operations.weights_of_rows(A, before, c, p)[c.j == j]
    return out
