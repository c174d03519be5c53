"""Changes of what becomes of the weights, and of sweeps."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from .change import SMALL, Change, Method, Row, share, softmax

# What replaces the shares of weights
ROWS: dict[str, Callable[[Row], Row]] = {
    "the weights are not divided by their sum": lambda x: x,
    "the weights are divided by the largest": lambda x: [v / max(x) for v in x],
    "the weights are divided by their 2-norm": lambda x: [v / math.sqrt(sum(w * w for w in x)) for v in x],
    "the softmax of the weights is taken": softmax,
    "the weights are squared": lambda x: share([v * v for v in x]),
    "the square roots of the weights are taken": lambda x: share([math.sqrt(v) for v in x]),
    "gamma is 1 at the largest weight": lambda x: [float(k == x.index(max(x))) for k in range(len(x))],
    "the topics are in the reverse order": lambda x: share(x[::-1]),
    "gamma of topic k stands at k + 1": lambda x: share([*x[-1:], *x[:-1]]),
    "gamma of topic k stands at k - 1": lambda x: share([*x[1:], *x[:1]]),
    "the last topic is left out": lambda x: [*share(x[:-1]), 0.0] if len(x) > 1 else x,
    "the first topic is left out": lambda x: [0.0, *share(x[1:])] if len(x) > 1 else x,
    "gamma is uniform": lambda x: [1 / len(x)] * len(x),
    "gamma has partial sums": lambda x: [sum(share(x)[: k + 1]) for k in range(len(x))],
}


# What becomes of the weights with a small number c
ADDED: dict[str, Callable[[Row, float], Row]] = {
    "{} is added to each weight": lambda x, c: share([v + c for v in x]),
    "{} is added to gamma": lambda x, c: [v + c for v in share(x)],
    "{} is added to gamma, which is normalised again": lambda x, c: share([v + c for v in share(x)]),
    "{} is added to the sum of the weights": lambda x, c: [v / (sum(x) + c) for v in x],
    "weights below {} are set to it": lambda x, c: share([max(v, c) for v in x]),
    "gamma below {} is set to it": lambda x, c: [max(v, c) for v in share(x)],
    "gamma below {} is set to it, then all are normalised again": lambda x, c: share([max(v, c) for v in share(x)]),
    "gamma below {} is set to 0": lambda x, c: [v if v >= c else 0.0 for v in share(x)],
}


def _small() -> Iterator[Change]:
    """Small numbers that are added, and limits."""
    for c in SMALL:
        for text, f in ADDED.items():
            yield Change(text.format(f"{c:.3g}"), "row", {"normalised": _added(f, c)}, alone=True)
        counts = {"N": lambda self, right, *given, c=c: right(*given) + c}
        yield Change(f"{c:.3g} is added to each count", "value", counts, alone=True)


def _added(f: Callable[[Row, float], Row], c: float) -> Method:
    return lambda self, right, x: f(x, c)


def _row(f: Callable[[Row], Row]) -> Method:
    return lambda self, right, x: f(x)


def _damped(self: Any, right: Method, gamma: Any, i: int) -> Row:
    """Weights whose shares lie halfway between those of the right ones and gamma."""
    return [(a + b) / 2 for a, b in zip(share(right(gamma, i)), gamma[i], strict=True)]


def _schedule(name: str) -> Method:
    def one_sweep(self: Any, right: Method, gamma: Any) -> Any:
        kept = self.case
        self.case = kept | {"schedule": name}
        try:
            return right(gamma)
        finally:
            self.case = kept

    return one_sweep


def _swept(f: Callable[[Any, list[int]], list[int]]) -> Method:
    return lambda self, right: f(self, list(right()))


SWEPT: dict[str, Callable[[Any, list[int]], list[int]]] = {
    "the rows are swept from the last to the first": lambda self, rows: rows[::-1],
    "the first row is not swept": lambda self, rows: rows[1:],
    "the last row is not swept": lambda self, rows: rows[:-1],
    "the first document is not swept": lambda self, rows: [i for i in rows if self.j[i] != self.j[0]],
    "the last document is not swept": lambda self, rows: [i for i in rows if self.j[i] != self.j[-1]],
    "the rows are swept by word": lambda self, rows: sorted(rows, key=lambda i: self.w[i]),
    "only the first document is swept": lambda self, rows: [i for i in rows if self.j[i] == self.j[0]],
    "each second row is swept": lambda self, rows: rows[::2],
}


def _uniform_first(self: Any, right: Method, sweeps: int) -> Any:
    self.gamma = [[1 / self.K] * self.K for _ in range(self.M)]
    return right(sweeps)


SWEEPS: dict[str, Method] = {
    "one more sweep is made": lambda self, right, sweeps: right(sweeps + 1),
    "one sweep less is made": lambda self, right, sweeps: right(sweeps - 1),
    "twice as many sweeps are made": lambda self, right, sweeps: right(2 * sweeps),
    "one sweep is made": lambda self, right, sweeps: right(1),
}


def changes() -> Iterator[Change]:
    """All changes of rows and sweeps."""
    for text, f in ROWS.items():
        yield Change(text, "row", {"normalised": _row(f)})
    yield from _small()
    yield Change("gamma is the mean of the new and the old one", "row", {"weights": _damped})
    for name in ("token", "document", "corpus"):
        yield Change(f"each sweep is one in `{name}` order", "schedule", {"one_sweep": _schedule(name)})
    for text, g in SWEPT.items():
        yield Change(text, "swept", {"swept": _swept(g)})
    for text, of_sweeps in SWEEPS.items():
        yield Change(text, "sweeps", {"swept_often": of_sweeps})
    yield Change("the sweeps begin at uniform rows", "start", {"swept_often": _uniform_first})
