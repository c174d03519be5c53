"""Changes of running sums: what a sweep adds to them after each row, and when."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

from .change import Change, Method, at, under

PARTS = {"document": "N_jk", "word": "N_wk", "topic": "N_k", "topics": "each of N_wk and N_k",
         "all": "each of the three sums"}  # fmt: skip
Of = Callable[[float], float]  # what a sum adds up, of gamma
ADDED_UP: dict[str, tuple[str, Of]] = {"N": ("sums", lambda g: g), "V": ("variances", lambda g: g * (1 - g))}

# When a sum is refreshed
REFRESHED = {
    "sweep": "is refreshed only after each sweep", "token": "is refreshed after each row",
    "document": "is refreshed only after each document", "behind": "is refreshed one row late",
    "growing": "keeps the old gamma of the rows before",
}  # fmt: skip
# What each token of a row of count n gives to a sum after the row's update
GIVEN: dict[str, Callable[[int, float, float, Of], float]] = {
    "gets the new gamma of a row without its count n": lambda n, old, new, of: of(new) / n,
    "loses the old gamma of a row without its count n": lambda n, old, new, of: of(new) + of(old) * (n - 1) / n,
    "is changed by a row without its count n": lambda n, old, new, of: of(old) + (of(new) - of(old)) / n,
    "loses the old gamma of a row twice": lambda n, old, new, of: of(new) - of(old),
    "is changed by d (1 - d), where d is the change of gamma": lambda n, old, new, of: of(old) + of(new - old),
}


def _refreshed(part: str, method: str, schedule: str) -> dict[str, Method]:
    """A sweep in which a sum has a schedule of its own."""

    def one_sweep(self: Any, right: Method, gamma: Any) -> Any:
        self.last = None
        return under(self, right, gamma, own=[list(gamma), list(gamma)])  # what the sum sees, and the rows so far

    def assigned(self: Any, right: Method, x: Any, i: int) -> Any:
        row = right(x, i)
        if getattr(self, "own", None):
            if schedule == "behind":
                self.own[0] = list(self.own[1])
            if schedule == "growing":
                self.own[0][i] = [a + b for a, b in zip(self.own[0][i], row, strict=True)]
            self.own[1][i] = row
        return row

    def weights(self: Any, right: Method, gamma: Any, i: int) -> Any:
        if getattr(self, "own", None):
            if schedule == "token" or (schedule == "document" and self.j[i] != self.last):
                self.own[0] = list(self.own[1])
            self.last = self.j[i]
        return right(gamma, i)

    def sum_of(self: Any, right: Method, here: str, gamma: Any, *given: Any) -> Any:
        return right(here, self.own[0] if getattr(self, "own", None) else gamma, *given)

    return {"one_sweep": one_sweep, "assigned": assigned, "weights": weights, method: at(part, sum_of)}


def _given(part: str, method: str, f: Callable[[int, float, float, Of], float], of: Of) -> dict[str, Method]:
    """A sweep in which the updated rows give other values to a sum."""

    def one_sweep(self: Any, right: Method, gamma: Any) -> Any:
        return under(self, right, gamma, begun=gamma)

    def sum_of(self: Any, right: Method, here: str, gamma: Any, i: int, k: int) -> float:
        begun, out = getattr(self, "begun", None) or gamma, 0.0
        for r, m in self.left(here, i):
            old, new = begun[r][k], gamma[r][k]
            out += m * (of(new) if gamma[r] is begun[r] else f(self.n[r], old, new, of))
        return out

    return {"one_sweep": one_sweep, method: at(part, sum_of)}


def _accumulated(part: str, method: str, first: bool, of: Of) -> dict[str, Method]:
    """A sum that is added up before each sweep to what it was; if `first`, it had been added up before the first."""

    def one_sweep(self: Any, right: Method, gamma: Any) -> Any:
        if not hasattr(self, "kept"):
            self.kept = [[of(g) * first for g in row] for row in gamma]
        new = right(gamma)
        self.kept = [[v + of(g) for v, g in zip(*rows, strict=True)] for rows in zip(self.kept, new, strict=True)]
        return new

    def sum_of(self: Any, right: Method, here: str, gamma: Any, i: int, k: int) -> Any:
        kept = getattr(self, "kept", None)
        return right(here, gamma, i, k) + (sum(self.n[r] * kept[r][k] for r in self.rows(here, i)) if kept else 0)

    return {"one_sweep": one_sweep, method: at(part, sum_of)}


def changes() -> Iterator[Change]:
    """All changes of running sums."""
    for (part, name), (method, (sums, of)) in itertools.product(PARTS.items(), ADDED_UP.items()):
        what = name.replace("N", method).replace("sums", sums)
        for schedule, text in REFRESHED.items():
            yield Change(f"{what} {text}", f"refreshed {what}", _refreshed(part, method, schedule))
        for text, f in GIVEN.items():
            if method == "V" or "d (1 - d)" not in text:
                yield Change(f"{what} {text}", f"given {what}", _given(part, method, f, of), alone=part == "all")
        for first, text in ((True, "a sweep"), (False, "the next sweep")):
            text = f"{what} is not set to 0 before it is added up for {text}"
            yield Change(text, f"given {what}", _accumulated(part, method, first, of), alone=True)
