"""Changes of running sums: what a sweep adds to them, after which rows, and which additions are lost."""

import itertools
from collections.abc import Callable, Iterator
from typing import Any

from .change import Change, Method, at, under
from .in_batches import ROWS, SHARED, Keys, of_documents, of_rows
from .in_padding import PARTS

Of = Callable[[float], float]  # what a sum adds up, of gamma
ADDED_UP: dict[str, tuple[str, Of]] = {"N": ("sums", lambda g: g), "V": ("variances", lambda g: g * (1 - g))}

Label = Callable[[Any, Any, int], Any]  # of the group of a row, from what the row sees and its number


def _labelled(group: Callable[[Any, int], int]) -> Label:
    return lambda self, gamma, i: group(self, i)


# Groups of rows, in sweeps of one schedule or of any, after which a sum is refreshed
GROUPS: dict[str, tuple[str, Label]] = {
    **{f"{R} rows in `token` order": ("token", _labelled(of_rows(R))) for R in ROWS},
    **{f"{B} documents in `corpus` order": ("corpus", _labelled(of_documents(B))) for B in (2, 3, 4, 8)},
    "each document in `corpus` order": ("corpus", _labelled(of_documents(1))),
    "the rows that see the same sums": ("", lambda self, gamma, i: id(gamma)),
}
# When a sum is refreshed, and whether one group late
REFRESHED: dict[str, tuple[str, Label, bool]] = {
    "only after each sweep": ("", _labelled(lambda self, i: 0), False),
    "after each row": ("", _labelled(of_rows(1)), False),
    "only after each document": ("", _labelled(of_documents(1)), False),
    "one row late": ("", _labelled(of_rows(1)), True),
    **{f"after {text}": (*group, False) for text, group in GROUPS.items() if group[0]},
    **{f"one group late, by groups of {text}": (*group, True) for text, group in GROUPS.items()},
}
# What each token of a row of count n gives to a sum after the row's update
GIVEN: dict[str, Callable[[int, float, float, Of], float]] = {
    "gets the new gamma of a row without its count n": lambda n, old, new, of: of(new) / n,
    "loses the old gamma of a row without its count n": lambda n, old, new, of: of(new) + of(old) * (n - 1) / n,
    "is changed by a row without its count n": lambda n, old, new, of: of(old) + (of(new) - of(old)) / n,
    "keeps the old gamma of the rows before": lambda n, old, new, of: of(old) + of(new),
    "loses the old gamma of a row twice": lambda n, old, new, of: of(new) - of(old),
    "is changed by d (1 - d), where d is the change of gamma": lambda n, old, new, of: of(old) + of(new - old),
}


def _refreshed(
    part: str, method: str, schedule: str, label: Label, late: bool, shared: Keys | None = None
) -> dict[str, Method]:
    """A sweep in which a sum is refreshed after each group of rows, or one group late.

    If rows share places, of the changes of a group to a place only the last is kept.
    """

    def one_sweep(self: Any, right: Method, gamma: Any) -> Any:
        if schedule not in ("", self.case["schedule"]):
            return right(gamma)
        return under(self, right, gamma, seen=list(gamma), done=list(gamma), new={}, group=None)

    def weights(self: Any, right: Method, gamma: Any, i: int) -> Any:
        if getattr(self, "new", None) is not None and label(self, gamma, i) != self.group:
            kept = {shared(self, r) if shared else r: r for r in self.new}.values()
            done = [self.new[r] if r in kept else row for r, row in enumerate(self.done)]
            self.seen, self.done, self.new = self.done if late else done, done, {}
            self.group = label(self, gamma, i)
        return right(gamma, i)

    def assigned(self: Any, right: Method, x: Any, i: int) -> Any:
        row = right(x, i)
        if getattr(self, "new", None) is not None:
            self.new[i] = row
        return row

    def sum_of(self: Any, right: Method, part: str, gamma: Any, i: int, k: int) -> Any:
        return right(part, getattr(self, "seen", None) or gamma, i, k)

    return {"one_sweep": one_sweep, "weights": weights, "assigned": assigned, method: at(part, sum_of)}


def _sweep_late(part: str) -> dict[str, Method]:
    """Sweeps in which a sum is that of the gamma before the last sweep, less the row's own gamma of now."""

    def one_sweep(self: Any, right: Method, gamma: Any) -> Any:
        before, self.gamma_before = getattr(self, "gamma_before", gamma), gamma
        return under(self, right, gamma, seen=before)

    def N(self: Any, right: Method, here: str, gamma: Any, i: int, k: int) -> Any:
        seen = getattr(self, "seen", None) or gamma
        return right(here, seen, i, k) + self.excluded(here, i, i) * (seen[i][k] - gamma[i][k])

    return {"one_sweep": one_sweep, "N": at(part, N)}


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
        for text, (schedule, label, late) in REFRESHED.items():
            refreshed = _refreshed(part, method, schedule, label, late)
            yield Change(f"{what} is refreshed {text}", f"refreshed {what}", refreshed, alone="group" in text)
        for text, (schedule, label) in GROUPS.items() if part in (*SHARED, "topic") else ():
            lost = _refreshed(part, method, schedule, label, False, SHARED.get(part, of_documents(10**9)))
            text = f"of the changes of {text} to the same place of {what} the last alone is kept"
            yield Change(text, f"refreshed {what}", lost, alone=True)
        for text, f in GIVEN.items():
            if method == "V" or "d (1 - d)" not in text:
                yield Change(f"{what} {text}", f"given {what}", _given(part, method, f, of), alone=part == "all")
        for first, text in ((True, "a sweep"), (False, "the next sweep")):
            text = f"{what} is not set to 0 before it is added up for {text}"
            yield Change(text, f"given {what}", _accumulated(part, method, first, of), alone=True)
    for part, name in PARTS.items():
        yield Change(f"{name} is refreshed one sweep late", f"refreshed {name}", _sweep_late(part), alone=True)
