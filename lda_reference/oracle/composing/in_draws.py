"""Changes of draws, and of what ends the sweeps on the way to a fixed point."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

from .change import Change, Method, Row


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
    "a draw takes topic floor(u K)": _instead(lambda self, x, u: int(u * len(x))),
    "a draw is one topic too high": lambda self, right, x, u: min(right(x, u) + 1, len(x) - 1),
    "a draw is one topic too low": lambda self, right, x, u: max(right(x, u) - 1, 0),
    "a draw is from the cumulated weights": lambda self, right, x, u: right(list(itertools.accumulate(x)), u),
}

UNIFORMS: dict[str, Callable[[int, int], int]] = {
    "that of the next token": lambda i, size: (i + 1) % size,
    "that of the token before": lambda i, size: i - 1,
    "the first": lambda i, size: 0,
    "that of the token in the reverse order": lambda i, size: size - 1 - i,
}


def _uniform(f: Callable[[int, int], int]) -> Method:
    return lambda self, right, i: right(f(i, self.M))


def _uniform_of_row(self: Any, right: Method, i: int) -> Any:
    return right(self.row[i])


def _first_of_row(self: Any, right: Method, i: int) -> Any:
    return right(self.row.index(self.row[i]))


def _of_words(self: Any, right: Method, i: int) -> Any:
    return right(sorted(range(self.M), key=lambda t: (self.w[t], t)).index(i))


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


def _swept(order: Callable[[Any], list[int]]) -> Method:
    def swept_topics(self: Any, right: Method, z: list[int]) -> list[int]:
        z = list(z)
        for i in order(self):
            z[i] = self.new_topic(z, i)
        return z

    return swept_topics


ORDERS: dict[str, Callable[[Any], list[int]]] = {
    "tokens are drawn from the last to the first": lambda self: list(range(self.M))[::-1],
    "tokens are drawn word by word": lambda self: sorted(range(self.M), key=lambda i: self.w[i]),
    "the last token is not drawn": lambda self: list(range(self.M - 1)),
    "the first token is not drawn": lambda self: list(range(1, self.M)),
    "one token of each row is drawn": lambda self: [
        i for i in range(self.M) if i == 0 or self.row[i] != self.row[i - 1]
    ],
}


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
    "the sum of the changes of gamma, with their signs, is at most {}": lambda old, new, c: (
        abs(sum(map(sum, new)) - sum(map(sum, old))) <= c
    ),
    "the largest change, with its sign, is at most {}": lambda old, new, c: (
        max(b - a for row, other in zip(old, new, strict=True) for a, b in zip(row, other, strict=True)) <= c
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
    for text, f in DRAWN.items():
        yield Change(text, "drawn", {"drawn": f})
    for text, g in UNIFORMS.items():
        yield Change(f"the uniform number of a token is {text}", "uniform", {"uniform": _uniform(g)})
    yield Change(
        "the uniform numbers are taken row by row, not token by token", "uniform", {"uniform": _uniform_of_row}
    )
    text = "the uniform number of a token is that of the first token of its row"
    yield Change(text, "uniform", {"uniform": _first_of_row})
    yield Change("the uniform numbers are taken word by word", "uniform", {"uniform": _of_words})
    for name, when in (("document", "each document"), ("sweep", "the sweep")):
        yield Change(f"the counts are refreshed after {when}", "seen", {"new_topic": _seen(name)})
    yield Change("the counts are refreshed one token late", "seen", {"new_topic": _seen("late")})
    for text, order in ORDERS.items():
        yield Change(text, "swept", {"swept_topics": _swept(order)})
    for text, rule in RULES.items():
        for c in (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-8):
            settled = {"settled": _settled(rule, c)}
            yield Change(f"sweeps end when {text.format(f'{c:.3g}')}", "end", settled, alone=True)
    of_topics = {"settled": lambda self, right, old, new: _topics(old) == _topics(new)}
    yield Change("sweeps end when no row's largest topic changes", "end", of_topics, alone=True)
    for n in (5, 10, 20, 30, 50, 100, 200):
        yield Change(f"sweeps end after {n}", "end", {"converged": _after(n)}, alone=True)
