"""Changes of running sums: what a sweep adds to them, after which rows, and which additions are lost."""

import itertools
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from .change import MEANS, TERMS, VARIANCES, Change, Method, for_part, under
from .in_batches import DOCUMENT_GROUPS, ROW_GROUPS, SHARED_KEYS, Group, Keys, of_documents, of_rows

Added = Callable[[float], float]  # what a sum adds up, of gamma
ADDED_UP: dict[str, tuple[dict[str, str], Added]] = {"N": (MEANS, lambda g: g), "V": (VARIANCES, lambda g: g * (1 - g))}

# Groups of rows, in sweeps of one schedule or of any, after which a sum is refreshed
GROUPS_OF_ROWS: dict[str, Group] = {
    **{text: partial(of_rows, R) for R, text in ROW_GROUPS.items()},
    **{text: partial(of_documents, B) for B, text in DOCUMENT_GROUPS.items()},
    "each document": partial(of_documents, 1),
    "the rows that see the same sums": lambda self, i, gamma: id(gamma),
}
# When a sum is refreshed, and whether one group late
REFRESHES: dict[str, tuple[Group, bool]] = {
    "after each row": (partial(of_rows, 1), False),
    "one row late": (partial(of_rows, 1), True),
    **{f"only after {text}": (group, False) for text, group in GROUPS_OF_ROWS.items()},
    **{f"one group late, by {text}": (group, True) for text, group in GROUPS_OF_ROWS.items()},
}
Contribution = Callable[[int, float, float, Added], float]  # of n, the old gamma, the new one and what is added up
# What each token of a row of count n gives to a sum after the row's update
CONTRIBUTIONS: dict[str, Contribution] = {
    "gets the new gamma of a row without its count n": lambda n, old, new, h: h(new) / n,
    "loses the old gamma of a row without its count n": lambda n, old, new, h: h(new) + h(old) * (n - 1) / n,
    "is changed by a row without its count n": lambda n, old, new, h: h(old) + (h(new) - h(old)) / n,
    "keeps the old gamma of the rows before": lambda n, old, new, h: h(old) + h(new),
    "loses the old gamma of a row twice": lambda n, old, new, h: h(new) - h(old),
    "is changed by d (1 - d), where d is the change of gamma": lambda n, old, new, h: h(old) + h(new - old),
}


def _refreshed(part: str, method: str, group_of: Group, is_late: bool, key_of: Keys | None = None) -> dict[str, Method]:
    """A sweep in which a sum is refreshed after each group of rows, or one group late.

    If rows share places, of the changes of a group to a place only the last is kept.
    """

    def one_sweep(self: Any, right: Method, gamma: Any) -> Any:
        return under(self, right, gamma, seen=list(gamma), done=list(gamma), new={}, group=None)

    def weights(self: Any, right: Method, gamma: Any, i: int) -> Any:
        if getattr(self, "new", None) is not None and group_of(self, i, gamma) != self.group:
            last_rows = {key_of(self, r) if key_of else r: r for r in self.new}.values()
            gamma_after_group = [self.new[r] if r in last_rows else row for r, row in enumerate(self.done)]
            self.seen, self.done, self.new = self.done if is_late else gamma_after_group, gamma_after_group, {}
            self.group = group_of(self, i, gamma)
        return right(gamma, i)

    def assigned(self: Any, right: Method, x: Any, i: int) -> Any:
        new_gamma = right(x, i)
        if getattr(self, "new", None) is not None:
            self.new[i] = new_gamma
        return new_gamma

    def sum_of(self: Any, right: Method, part: str, gamma: Any, i: int, k: int) -> Any:
        return right(part, getattr(self, "seen", None) or gamma, i, k)

    return {"one_sweep": one_sweep, "weights": weights, "assigned": assigned, method: for_part(part, sum_of)}


def _sweep_late(self: Any, right: Method, gamma: Any) -> Any:
    older_gamma, self.gamma_before = getattr(self, "gamma_before", gamma), gamma
    return under(self, right, gamma, seen=older_gamma)


def _N_late(self: Any, right: Method, part: str, gamma: Any, i: int, k: int) -> Any:
    """A sum of the gamma before the last sweep, less the row's own gamma of now."""
    seen_gamma = getattr(self, "seen", None) or gamma
    return right(part, seen_gamma, i, k) + self.excluded(part, i, i) * (seen_gamma[i][k] - gamma[i][k])


def _updated(f: Contribution, summand: Added, self: Any, right: Method, part: str, gamma: Any, i: int, k: int) -> float:
    """A sum to which the rows that are updated in the sweep give other values."""
    begun_gamma, new_sum = getattr(self, "begun", None) or gamma, 0.0
    for r, n_tokens in self.left(part, i):
        old, new = begun_gamma[r][k], gamma[r][k]
        new_sum += n_tokens * (summand(new) if gamma[r] is begun_gamma[r] else f(self.n[r], old, new, summand))
    return new_sum


def changes() -> Iterator[Change]:
    for part, (method, (sum_names, summand)) in itertools.product(MEANS, ADDED_UP.items()):
        sum_name = sum_names[part]
        for text, (group_of, is_late) in REFRESHES.items():
            new_methods = _refreshed(part, method, group_of, is_late)
            yield Change(f"{sum_name} is refreshed {text}", f"refreshed {sum_name}", new_methods, alone="group" in text)
        for text, group_of in GROUPS_OF_ROWS.items() if part in TERMS else ():
            new_methods = _refreshed(part, method, group_of, False, SHARED_KEYS.get(part, partial(of_documents, 10**9)))
            text = f"of the changes of {text} to the same place of {sum_name} the last alone is kept"
            yield Change(text, f"refreshed {sum_name}", new_methods, alone=True)
        sweep_method = {"one_sweep": lambda self, right, gamma: under(self, right, gamma, begun=gamma)}
        for text, contribution in CONTRIBUTIONS.items():
            if method == "V" or "d (1 - d)" not in text:
                new_methods = sweep_method | {method: for_part(part, partial(_updated, contribution, summand))}
                yield Change(f"{sum_name} {text}", f"given {sum_name}", new_methods, alone=part == "all")
    for part, sum_name in MEANS.items():
        new_methods = {"one_sweep": _sweep_late, "N": for_part(part, _N_late)}
        yield Change(f"{sum_name} is refreshed one sweep late", f"refreshed {sum_name}", new_methods, alone=True)
