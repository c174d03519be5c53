"""Changes of draws, and of what ends the sweeps on the way to a fixed point."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

from .change import Change, Method, Row, of_table
from .in_steps import SWEPT


def _order(by: Callable[[Row], list[int]]) -> Method:
    """A draw whose partial sums take the topics in another order."""

    def drawn(self: Any, right: Method, x: Row, u: float) -> int:
        topics = by(x)
        return topics[right([x[k] for k in topics], u)]

    return drawn


def _instead(f: Callable[[Any, Row, float], int]) -> Method:
    return lambda self, right, x, u: f(self, x, u)


def _first_above(self: Any, x: Row, limit: float) -> int:
    """The number of the first K - 1 partial sums that are at most a limit."""
    return sum(s <= limit for s in list(itertools.accumulate(x))[:-1])


DRAWN: dict[str, Method] = {
    "a draw takes the topics from the last to the first": _order(lambda x: list(range(len(x)))[::-1]),
    "a draw takes the topics from the largest weight down": _order(
        lambda x: sorted(range(len(x)), key=lambda k: -x[k])
    ),
    "a draw takes the topics from the smallest weight up": _order(lambda x: sorted(range(len(x)), key=lambda k: x[k])),
    "a draw takes the topic of the largest weight": _instead(lambda self, x, u: x.index(max(x))),
    "a draw compares partial sums with u, without the sum of the weights": _instead(_first_above),
    "a draw compares each weight with u times their sum": _instead(
        lambda self, x, u: next((k for k in range(len(x)) if x[k] > u * sum(x)), len(x) - 1)
    ),
    "a draw takes the number of partial sums that are less than u times the last": _instead(
        lambda self, x, u: sum(s < u * sum(x) for s in list(itertools.accumulate(x))[:-1])
    ),
    "a draw compares partial sums with u times the last but one": _instead(
        lambda self, x, u: _first_above(self, x, u * sum(x[:-1]))
    ),
    "a draw has 1 - u for u": lambda self, right, x, u: right(x, 1 - u),
    "a draw is one topic too high": lambda self, right, x, u: min(right(x, u) + 1, len(x) - 1),
    "a draw is one topic too low": lambda self, right, x, u: max(right(x, u) - 1, 0),
    "a draw is from the cumulated weights": lambda self, right, x, u: right(list(itertools.accumulate(x)), u),
}

# The token whose uniform number token i has
UNIFORMS: dict[str, Callable[[Any, int], int]] = {
    "that of the next token": lambda self, i: (i + 1) % self.M,
    "that of the token before": lambda self, i: i - 1,
    "the first": lambda self, i: 0,
    "that of the token in the reverse order": lambda self, i: self.M - 1 - i,
    "that of its row": lambda self, i: self.row[i],
    "that of the first token of its row": lambda self, i: self.row.index(self.row[i]),
    "taken word by word": lambda self, i: sorted(range(self.M), key=lambda t: (self.w[t], t)).index(i),
}


def _uniform(f: Callable[[Any, int], int]) -> Method:
    return lambda self, right, i: right(f(self, i))


def _seen(name: str) -> Method:
    """A sweep of a sampler whose sums are refreshed after each document, or after the sweep."""

    def new_topic(self: Any, right: Method, z: list[int], i: int) -> int:
        if i == 0 or (name == "document" and self.j[i] != self.j[i - 1]) or (name == "late" and i > 1):
            self.before = list(z) if name != "late" else [*z[: i - 1], self.first[i - 1], *z[i:]]
        if i == 0:
            self.first = list(z)
        seen = [*self.before[:i], z[i], *self.before[i + 1 :]]
        return int(right(seen, i))

    return new_topic


def _swept(order: Callable[[Any, list[int]], list[int]]) -> Method:
    def swept_topics(self: Any, right: Method, z: list[int]) -> list[int]:
        z = list(z)
        for i in order(self, list(range(self.M))):
            z[i] = self.new_topic(z, i)
        return z

    return swept_topics


# The end of the sweeps ------------------------------------------------------------------------------------------------


def _changes(old: Any, new: Any) -> list[float]:
    return [abs(a - b) for row, other in zip(old, new, strict=True) for a, b in zip(row, other, strict=True)]


def _topics(gamma: Any) -> list[int]:
    return [row.index(max(row)) for row in gamma]


RULES: dict[str, Callable[[Any, Any, float], bool]] = {
    "no number of gamma changes by more than {}": lambda old, new, c: max(_changes(old, new)) <= c,
    "the mean change of gamma is at most {}": lambda old, new, c: (
        sum(_changes(old, new)) / len(_changes(old, new)) <= c
    ),
    "the sum of the changes of gamma is at most {}": lambda old, new, c: sum(_changes(old, new)) <= c,
    "the sum of the squared changes of gamma is at most {}": lambda old, new, c: (
        sum(v * v for v in _changes(old, new)) <= c
    ),
}


def _settled(f: Callable[[Any, Any, float], bool], c: float) -> Method:
    return lambda self, right, old, new: f(old, new, c)


def _after(sweeps: int) -> Method:
    def converged(self: Any, right: Method) -> Any:
        return {"gamma": self.swept_often(sweeps)}

    return converged


def changes() -> Iterator[Change]:
    """All changes of draws and of the end of sweeps."""
    yield from of_table(DRAWN, "drawn", "drawn")
    yield from of_table(UNIFORMS, "uniform", "uniform", _uniform, "the uniform number of a token is {}")
    seen = {"after each document": "document", "after the sweep": "sweep", "one token late": "late"}
    yield from of_table(seen, "seen", "new_topic", _seen, "the counts are refreshed {}")
    yield from of_table(SWEPT, "swept", "swept_topics", _swept, "with a row for each token, {}")
    for text, rule in RULES.items():
        for c in (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-8):
            settled = {"settled": _settled(rule, c)}
            yield Change(f"sweeps end when {text.format(f'{c:.3g}')}", "end", settled, alone=True)
    of_topics = {"settled": lambda self, right, old, new: _topics(old) == _topics(new)}
    yield Change("sweeps end when no row's largest topic changes", "end", of_topics, alone=True)
    for n in (1, 2, 5, 10, 20, 30, 50, 100, 200):
        yield Change(f"sweeps end after {n}", "end", {"converged": _after(n)}, alone=True)
