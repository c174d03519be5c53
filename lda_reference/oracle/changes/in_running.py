"""Changes of running sums: what a sweep adds to them, after which rows, and which additions are lost."""

import itertools
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from .change import MEANS, TERMS, VARIANCES, Change, Method, for_part, under
from .in_batches import DOCUMENTS, ROWS, SHARED, Group, Keys, of_documents, of_rows

Added = Callable[[float], float]  # what a sum adds up, of gamma
ADDED_UP: dict[str, tuple[dict[str, str], Added]] = {"N": (MEANS, lambda g: g), "V": (VARIANCES, lambda g: g * (1 - g))}

# Groups of rows, in sweeps of one schedule or of any, after which a sum is refreshed
GROUPS: dict[str, Group] = {
    **{text: partial(of_rows, R) for R, text in ROWS.items()},
    **{text: partial(of_documents, B) for B, text in DOCUMENTS.items()},
    "each document": partial(of_documents, 1),
    "the rows that see the same sums": lambda self, i, gamma: id(gamma),
}
# When a sum is refreshed, and whether one group late
REFRESHED: dict[str, tuple[Group, bool]] = {
    "after each row": (partial(of_rows, 1), False),
    "one row late": (partial(of_rows, 1), True),
    **{f"only after {text}": (group, False) for text, group in GROUPS.items()},
    **{f"one group late, by {text}": (group, True) for text, group in GROUPS.items()},
}
Given = Callable[[int, float, float, Added], float]  # of n, the old gamma, the new one and what is added up
# What each token of a row of count n gives to a sum after the row's update
GIVEN: dict[str, Given] = {
    "gets the new gamma of a row without its count n": lambda n, old, new, h: h(new) / n,
    "loses the old gamma of a row without its count n": lambda n, old, new, h: h(new) + h(old) * (n - 1) / n,
    "is changed by a row without its count n": lambda n, old, new, h: h(old) + (h(new) - h(old)) / n,
    "keeps the old gamma of the rows before": lambda n, old, new, h: h(old) + h(new),
    "loses the old gamma of a row twice": lambda n, old, new, h: h(new) - h(old),
    "is changed by d (1 - d), where d is the change of gamma": lambda n, old, new, h: h(old) + h(new - old),
}


def _refreshed(part: str, method: str, group: Group, late: bool, shared: Keys | None = None) -> dict[str, Method]:
    """A sweep in which a sum is refreshed after each group of rows, or one group late.

    If rows share places, of the changes of a group to a place only the last is kept.
    """

    def one_sweep(self: Any, right: Method, gamma: Any) -> Any:
        return under(self, right, gamma, seen=list(gamma), done=list(gamma), new={}, group=None)

    def weights(self: Any, right: Method, gamma: Any, i: int) -> Any:
        if getattr(self, "new", None) is not None and group(self, i, gamma) != self.group:
            kept = {shared(self, r) if shared else r: r for r in self.new}.values()
            done = [self.new[r] if r in kept else row for r, row in enumerate(self.done)]
            self.seen, self.done, self.new = self.done if late else done, done, {}
            self.group = group(self, i, gamma)
        return right(gamma, i)

    def assigned(self: Any, right: Method, x: Any, i: int) -> Any:
        row = right(x, i)
        if getattr(self, "new", None) is not None:
            self.new[i] = row
        return row

    def sum_of(self: Any, right: Method, part: str, gamma: Any, i: int, k: int) -> Any:
        return right(part, getattr(self, "seen", None) or gamma, i, k)

    return {"one_sweep": one_sweep, "weights": weights, "assigned": assigned, method: for_part(part, sum_of)}


def _sweep_late(self: Any, right: Method, gamma: Any) -> Any:
    before, self.gamma_before = getattr(self, "gamma_before", gamma), gamma
    return under(self, right, gamma, seen=before)


def _N_late(self: Any, right: Method, part: str, gamma: Any, i: int, k: int) -> Any:
    """A sum of the gamma before the last sweep, less the row's own gamma of now."""
    seen = getattr(self, "seen", None) or gamma
    return right(part, seen, i, k) + self.excluded(part, i, i) * (seen[i][k] - gamma[i][k])


def _updated(f: Given, h: Added, self: Any, right: Method, part: str, gamma: Any, i: int, k: int) -> float:
    """A sum to which the rows that are updated in the sweep give other values."""
    begun, out = getattr(self, "begun", None) or gamma, 0.0
    for r, m in self.left(part, i):
        old, new = begun[r][k], gamma[r][k]
        out += m * (h(new) if gamma[r] is begun[r] else f(self.n[r], old, new, h))
    return out


def changes() -> Iterator[Change]:
    for part, (method, (names, h)) in itertools.product(MEANS, ADDED_UP.items()):
        name = names[part]
        for text, (group, late) in REFRESHED.items():
            refreshed = _refreshed(part, method, group, late)
            yield Change(f"{name} is refreshed {text}", f"refreshed {name}", refreshed, alone="group" in text)
        for text, group in GROUPS.items() if part in TERMS else ():
            lost = _refreshed(part, method, group, False, SHARED.get(part, partial(of_documents, 10**9)))
            text = f"of the changes of {text} to the same place of {name} the last alone is kept"
            yield Change(text, f"refreshed {name}", lost, alone=True)
        one_sweep = {"one_sweep": lambda self, right, gamma: under(self, right, gamma, begun=gamma)}
        for text, f in GIVEN.items():
            if method == "V" or "d (1 - d)" not in text:
                updated = one_sweep | {method: for_part(part, partial(_updated, f, h))}
                yield Change(f"{name} {text}", f"given {name}", updated, alone=part == "all")
    for part, name in MEANS.items():
        late_sums = {"one_sweep": _sweep_late, "N": for_part(part, _N_late)}
        yield Change(f"{name} is refreshed one sweep late", f"refreshed {name}", late_sums, alone=True)
