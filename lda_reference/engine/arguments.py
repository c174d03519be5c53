"""Checks of the engine's arguments. An error names the argument, where it is wrong, and what was expected."""

from __future__ import annotations

from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..corpus import Corpus, Ints
from ..model import Array, Prior
from .state import State
from .update import Assign


def checked_state(s: State, c: Corpus) -> Array:
    """The state's gamma, if the state fits the corpus and gamma holds probabilities."""
    if not isinstance(s, State):
        raise ValueError(f"s is {_kind(s)}, expected a State, as from init or sweep")
    gamma = np.asarray(s.gamma)
    if gamma.ndim not in (2, 3) or len(gamma) != c.M:
        raise ValueError(
            f"the state's gamma has shape {gamma.shape}, expected (M, K) or (M, R, K) with a row for each of the"
            f" corpus' M = {c.M} rows"
        )
    if gamma.dtype.kind != "f":
        raise ValueError(f"the state's gamma has the type {gamma.dtype}, expected float64")
    if gamma.size and not (gamma.min() >= 0 and gamma.max() <= 1 + 1e-9):  # NaN fails too
        at = tuple(np.argwhere(~((gamma >= 0) & (gamma <= 1 + 1e-9)))[0])
        raise ValueError(f"the state's gamma[{', '.join(map(str, at))}] is {gamma[at]}, expected a probability")
    if s.z is not None and np.shape(s.z) != (c.N, *gamma.shape[1:-1]):
        raise ValueError(f"the state's z has shape {np.shape(s.z)}, expected {(c.N, *gamma.shape[1:-1])}")
    return gamma


def check_problem(c: Any, p: Any) -> None:
    """Raise a ValueError unless c is a Corpus and p a Prior."""
    if not isinstance(c, Corpus):
        raise ValueError(f"c is {_kind(c)}, expected a Corpus: make one by Corpus.from_csr or from_documents")
    if not isinstance(p, Prior):
        raise ValueError(f"p is {_kind(p)}, expected a Prior, such as Prior(0.1, 0.1)")


def check_sums(c: Corpus, p: Prior, largest: float, user: str) -> None:
    """Raise a ValueError if the largest sum of a count and its prior, alpha + N or W eta + N, may exceed a number."""
    eta = np.broadcast_to(np.asarray(p.eta), c.W) if np.ndim(p.eta) < 2 else np.asarray(p.eta)
    for name, x in (("alpha", np.max(p.alpha)), ("the sum of eta over words", np.max(eta.sum(0)))):
        if x + c.N > largest:
            raise ValueError(
                f"{name} plus the number of tokens is {x + c.N:.12g}, expected at most {largest:g} for {user}, whose"
                " integrals lose digits beyond it"
            )


def _kind(x: Any) -> str:
    return "None" if x is None else f"of the type {type(x).__name__}"


def real(x: ArrayLike, name: str) -> Array:
    """A copy of x as an array of float64; complex numbers are refused."""
    try:
        a = np.array(x)
        if a.dtype.kind in "biuf":
            return a.astype(np.float64)
    except ValueError:  # rows of different lengths
        pass
    raise ValueError(f"{name} is {_kind(x)}, expected an array of real numbers")


def checked_gamma(gamma: ArrayLike, M: int, K: int, replicates: int | None) -> Array:
    """gamma as an array of shape (M, [R,] K) whose rows are probabilities."""
    g = real(gamma, "gamma")
    shape = (M, K) if replicates is None else (M, replicates, K)
    if replicates is None and g.ndim == 3:
        shape = (M, g.shape[1], K)
    if g.shape != shape:
        raise ValueError(f"gamma has shape {g.shape}, expected {shape}: rows of the corpus by topics")
    total = g.sum(-1)
    for at in np.argwhere(~((g >= 0).all(-1) & (np.abs(total - 1) <= 1e-9))):
        place = ", ".join(map(str, at))
        raise ValueError(f"gamma[{place}] is {g[tuple(at)]}, expected probabilities that sum to 1")
    return g


def checked_z(z: ArrayLike, N: int, K: int, replicates: int | None) -> Ints:
    """z as integers of shape (N, [R]) below K."""
    a = np.array(z)
    shape: tuple[int, ...] = (N,) if replicates is None else (N, replicates)
    if replicates is None and a.ndim == 2:
        shape = (N, a.shape[1])
    if a.shape != shape:
        raise ValueError(f"z has shape {a.shape}, expected {shape}: a topic for each token")
    for at in np.argwhere(~((a >= 0) & (a < K) & (a == np.floor(a)))):
        place = ", ".join(map(str, at))
        raise ValueError(f"z[{place}] is {a[tuple(at)]}, expected a topic from 0 below K = {K}")
    return a.astype(np.int64)


def checked_uniforms(uniforms: ArrayLike | None, shape: tuple[int, ...], rng: np.random.Generator | None) -> Array:
    """Uniforms of the given shape: those given, or drawn with rng."""
    if uniforms is None:
        if rng is None:
            raise ValueError("uniforms and rng are both missing: the draws of this sweep need one of them")
        return rng.random(shape)
    u = real(uniforms, "uniforms")
    if u.shape != shape:
        raise ValueError(f"uniforms has shape {u.shape}, expected {shape}: one for each draw, tokens in row order")
    for at in np.argwhere(~((u >= 0) & (u < 1))):
        raise ValueError(f"uniforms[{', '.join(map(str, at))}] is {u[tuple(at)]}, expected a number in [0, 1)")
    return u


def whole_number(x: Any, name: str, least: int, what: str = "a whole number") -> int:
    """x as an int, if it is a whole number of at least `least`."""
    if isinstance(x, bool) or not isinstance(x, (int, np.integer)) or x < least:
        raise ValueError(f"{name} is {x!r}, expected {what} from {least}")
    return int(x)


def check_choices(
    name: str,
    schedules: tuple[str, ...],
    schedule: str,
    assignment: str | Assign,
    executor: Executor | None,
    inner: int | None,
) -> None:
    """Raise a ValueError if the schedule, the assignment, the executor or `inner` do not go together."""
    if schedule not in schedules:
        raise ValueError(f"{name} has no schedule {schedule!r}, expected one of {', '.join(schedules)}")
    if isinstance(assignment, str) and assignment not in ("soft", "sample", "hard"):
        raise ValueError(f'assignment is {assignment!r}, expected "soft", "sample", "hard" or a function')
    if inner is not None:
        whole_number(inner, "inner", 1)
        if schedule != "nested":
            raise ValueError(f"inner is {inner}, expected None with schedule {schedule}: only nested has inner steps")
    if executor is not None and schedule not in ("corpus", "block", "nested"):
        raise ValueError(
            f"an executor needs corpus, block or nested order: in {schedule} order updates wait for each other"
        )
    if executor is not None and schedule != "corpus" and not isinstance(executor, ThreadPoolExecutor):
        raise ValueError(
            f"in {schedule} order an executor must be a ThreadPoolExecutor, because the rows share their sums"
        )


def check_distributions(x: Array, name: str, axis: int) -> None:
    """Raise a ValueError unless an array is made of distributions along its first or last axis.

    Parameters
    ----------
    x : array
        Not negative; sums along the axis are 1 within 1e-6.
    name : str
        The name of the argument, for the error.
    axis : {0, -1}

    Examples
    --------
    >>> check_distributions(np.array([[0.5, -0.1], [0.5, 1.1]]), "phi_wk", 0)
    Traceback (most recent call last):
    ...
    ValueError: phi_wk[0, 1] is -0.1, expected a probability
    """
    for at in np.argwhere(~(x >= 0)):
        raise ValueError(f"{name}[{', '.join(map(str, at))}] is {x[tuple(at)]}, expected a probability")
    total = x.sum(axis)
    for at in np.argwhere(~(np.abs(total - 1) <= 1e-6)):
        place = [":"] * (axis == 0) + [str(i) for i in at]
        raise ValueError(f"{name}[{', '.join(place)}] adds up to {total[tuple(at)]:.8g}, expected 1")


def topics_as_sums(held_topics: ArrayLike, gamma: Array, c: Corpus, logs: bool) -> tuple[Array, Array]:
    """Held topics as the sums of the word and the topic term, in logs where the terms are."""
    K, phi_wk = gamma.shape[-1], np.asarray(held_topics, np.float64)
    if phi_wk.shape not in ((c.W, K), (c.W, *gamma.shape[1:])):
        raise ValueError(f"held_topics has shape {phi_wk.shape}, expected (W, K) = {(c.W, K)}")
    phi_wk = phi_wk[:, None] if phi_wk.ndim < gamma.ndim else phi_wk
    impossible = np.flatnonzero(~(phi_wk[c.w] > 0).any(-1).reshape(c.M, -1).all(-1))
    if impossible.size:
        raise ValueError(f"word {c.w[impossible[0]]} has probability 0 under every topic, so its tokens have no topic")
    with np.errstate(divide="ignore"):
        return (np.log(phi_wk), np.zeros(K)) if logs else (phi_wk, np.ones(K))
