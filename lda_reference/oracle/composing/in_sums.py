"""Changes of the sums of an update: which tokens they count, and how."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from typing import Any

from .change import Change, Method

PARTS = {"document": "N_jk", "word": "N_wk", "topic": "N_k"}
ROWS = {"document": "the rows of the document", "word": "the rows of the word", "topic": "all rows"}


def _at(part: str, f: Method) -> Method:
    """A change of a method for one of the three parts, or for all."""
    return lambda self, right, at, *given: f(self, right, at, *given) if part in (at, "all") else right(at, *given)


def _excluded(tokens: Method) -> Method:
    return lambda self, right, part, i, r: tokens(self, i, r)


def _copies(self: Any, i: int, r: int) -> int:
    return int(self.n[r]) if (self.j[r], self.w[r]) == (self.j[i], self.w[i]) else 0


EXCLUDED: dict[str, Method] = {
    "excludes nothing": lambda self, i, r: 0,
    "excludes one token": lambda self, i, r: int(r == i),
    "excludes all tokens of the row": lambda self, i, r: self.n[r] if r == i else 0,
    "excludes all copies of the word in the document": _copies,
    "counts the row's own token once more": lambda self, i, r: -int(r == i),
    "excludes a token of the row before": lambda self, i, r: int(r == max(i - 1, 0)),
    "excludes a token of the next row": lambda self, i, r: int(r == min(i + 1, self.M - 1)),
    "excludes two tokens": lambda self, i, r: 2 * int(r == i),
    "excludes all tokens of the document": lambda self, i, r: self.n[r] if self.j[r] == self.j[i] else 0,
    "excludes all tokens of the word": lambda self, i, r: self.n[r] if self.w[r] == self.w[i] else 0,
}

# What replaces a row's count n in a sum
COUNTS: dict[str, Method] = {
    "counts rows instead of tokens": lambda self, r, n: min(n, 1),
    "counts n² tokens in a row of count n": lambda self, r, n: n * n,
    "counts in 8 bits": lambda self, r, n: n % 256,
    "leaves out the first document": lambda self, r, n: 0 if self.j[r] == 0 else n,
    "leaves out the last document": lambda self, r, n: 0 if self.j[r] == self.D - 1 else n,
    "leaves out the first row": lambda self, r, n: 0 if r == 0 else n,
    "leaves out the last row": lambda self, r, n: 0 if r == self.M - 1 else n,
    "leaves out the first word": lambda self, r, n: 0 if self.w[r] == 0 else n,
    "leaves out the last word": lambda self, r, n: 0 if self.w[r] == self.W - 1 else n,
}


def _size(self: Any, part: str, i: int) -> int:
    """The tokens of a sum, over all topics."""
    return int(sum(n for _, n in self.left(part, i))) or 1


# What replaces the value N of a sum
VALUES: dict[str, Method] = {
    "is left out": lambda self, N, part, i: 0 * N,
    "is divided by its sum over topics": lambda self, N, part, i: N / _size(self, part, i),
    "is halved": lambda self, N, part, i: N / 2,
    "is doubled": lambda self, N, part, i: 2 * N,
    "is squared": lambda self, N, part, i: N * N,
    "is rounded down": lambda self, N, part, i: float(math.floor(N)),
    "is rounded": lambda self, N, part, i: float(round(N)),
    "is kept in single precision": lambda self, N, part, i: struct.unpack("f", struct.pack("f", N))[0],
    "has 1 subtracted": lambda self, N, part, i: N - 1,
    "has 1 added": lambda self, N, part, i: N + 1,
}


def _other_topic(step: int) -> Method:
    return lambda self, right, part, gamma, i, k: right(part, gamma, i, (k + step) % self.K)


def _distinct(self: Any, right: Method, part: str, i: int) -> list[int]:
    """The rows of the words that the document has."""
    words = {self.w[r] for r in self.of_document(self.j[i])}
    return [r for r in range(self.M) if self.w[r] in words]


def _neighbour(part: str, step: int) -> Method:
    def rows(self: Any, right: Method, at: str, i: int) -> Any:
        if part == "document":
            return self.of_document((self.j[i] + step) % self.D)
        return self.of_word((self.w[i] + step) % self.W)

    return rows


def _of_part(other: str) -> Method:
    return lambda self, right, part, *given: right(other, *given)


def _binomial(self: Any, right: Method, trials: Any) -> Any:
    """The distribution of as many tokens that all have the mean gamma."""
    n = sum(tokens for _, tokens in trials)
    return right([(sum(g * tokens for g, tokens in trials) / n, n)] if n else [])


def _log_of_mean(self: Any, right: Method, part: str, a: float, *given: Any) -> float:
    return math.log(a + self.N(part, *given))


def _inverse_of_mean(self: Any, right: Method, part: str, a: float, *given: Any) -> float:
    return float(1 / (a + self.N(part, *given)))


REFRESHED = {
    "sweep": "after each sweep", "token": "after each row", "document": "after each document", "behind": "one row late",
}  # fmt: skip


def _refreshed(part: str, schedule: str, sum_of: str) -> dict[str, Method]:
    """A sweep in which one of the sums has a schedule of its own."""

    def one_sweep(self: Any, right: Method, gamma: Any) -> Any:
        self.own = [list(gamma), list(gamma)]  # what the sum sees, and the rows so far
        self.last = None
        try:
            return right(gamma)
        finally:
            del self.own

    def assigned(self: Any, right: Method, x: Any, i: int) -> Any:
        row = right(x, i)
        if hasattr(self, "own"):
            if schedule == "behind":
                self.own[0] = list(self.own[1])
            self.own[1][i] = row
        return row

    def weights(self: Any, right: Method, gamma: Any, i: int) -> Any:
        if hasattr(self, "own"):
            if schedule == "token" or (schedule == "document" and self.j[i] != self.last):
                self.own[0] = list(self.own[1])
            self.last = self.j[i]
        return right(gamma, i)

    def of_own(self: Any, right: Method, at: str, gamma: Any, *given: Any) -> Any:
        return right(at, self.own[0] if hasattr(self, "own") else gamma, *given)

    return {"one_sweep": one_sweep, "assigned": assigned, "weights": weights, sum_of: _at(part, of_own)}


USUAL = (
    "counts rows instead of tokens", "counts in 8 bits", "is left out", "is divided by its sum over topics",
    "is rounded down",
)  # fmt: skip # the other counts and values are not composed


def changes() -> Iterator[Change]:
    """All changes of sums."""
    for change in _changes():
        rare = change.of.startswith(("counts", "value")) and not change.text.endswith(USUAL)
        yield change._replace(alone=rare)


def _changes() -> Iterator[Change]:
    for part, name in PARTS.items():
        for other, text in ROWS.items():
            if other != part:
                yield Change(f"{name} is the sum over {text}", f"rows {part}", {"rows": _at(part, _of_part(other))})
        for step, text in ((-1, "before"), (1, "after")):
            if part != "topic":
                rows = {"rows": _at(part, _neighbour(part, step))}
                yield Change(f"{name} is that of the {part} {text}", f"rows {part}", rows)
        for step, text in ((1, "next"), (-1, "previous")):
            yield Change(f"{name} is that of the {text} topic", f"value {part}", {"N": _at(part, _other_topic(step))})
        V = name.replace("N", "V")
        for other in PARTS:
            of_other = {"V": _at(part, _of_part(other))}
            yield Change(f"{V} is {PARTS[other].replace('N', 'V')}", f"variance {part}", of_other)
        for schedule, text in REFRESHED.items():
            for what, method in ((name, "N"), (V, "V")):
                refreshed = _refreshed(part, schedule, method)
                yield Change(f"{what} is refreshed {text}", f"refreshed {what}", refreshed)
        log_of_mean = {"E_log": _at(part, _log_of_mean)}
        yield Change(f"E[log(a + {name.lower()})] is log(a + {name})", f"expectation {part}", log_of_mean)
    yield Change("the counts have binomial distributions", "distribution", {"distribution": _binomial})
    yield Change("E[1 / (a + n_k)] is 1 / (a + N_k)", "expectation topic", {"E_inverse": _inverse_of_mean})
    text = "N_k is the sum over the rows of the document's words"
    yield Change(text, "rows topic", {"rows": _at("topic", _distinct)})
    for part, name in (*PARTS.items(), ("all", "each of the three sums")):
        for text, tokens in EXCLUDED.items():
            yield Change(f"{name} {text}", f"excluded {part}", {"excluded": _at(part, _excluded(tokens))})
        for text, f in COUNTS.items():
            yield Change(f"{name} {text}", f"counts {part}", {"left": _at(part, _left(f))})
        for text, f in VALUES.items():
            yield Change(f"{name} {text}", f"value {part}", {"N": _at(part, _value(f))})
        V = "each of the three variances" if part == "all" else name.replace("N", "V")
        for text, f in VARIANCES.items():
            yield Change(f"{V} {text}", f"variance {part}", {"V": _at(part, f)})


def _left(f: Method) -> Method:
    return lambda self, right, part, i: [(r, f(self, r, n)) for r, n in right(part, i)]


def _value(f: Method) -> Method:
    return lambda self, right, part, gamma, i, k: f(self, right(part, gamma, i, k), part, i)


VARIANCES: dict[str, Method] = {
    "is left out": lambda self, right, *given: 0.0,
    "has the other sign": lambda self, right, *given: -right(*given),
    "is halved": lambda self, right, *given: right(*given) / 2,
    "is doubled": lambda self, right, *given: 2 * right(*given),
    "is the standard deviation": lambda self, right, *given: math.sqrt(max(right(*given), 0.0)),
    "is the mean": lambda self, right, *given: self.N(*given),
    "counts the row's own tokens": lambda self, right, part, gamma, i, k: sum(
        self.n[r] * gamma[r][k] * (1 - gamma[r][k]) for r in self.rows(part, i)
    ),
    "is the sum of gamma²": lambda self, right, part, gamma, i, k: sum(
        n * gamma[r][k] ** 2 for r, n in self.left(part, i)
    ),
    "is the sum of 1 - gamma": lambda self, right, part, gamma, i, k: sum(
        n * (1 - gamma[r][k]) for r, n in self.left(part, i)
    ),
    "is N (1 - N/n)": lambda self, right, part, gamma, i, k: (
        self.N(part, gamma, i, k) * (1 - self.N(part, gamma, i, k) / _size(self, part, i))
    ),
    "is N (1 - N)": lambda self, right, *given: self.N(*given) * (1 - self.N(*given)),
}
