"""Changes of the sums of an update: which tokens they count, and how."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from .change import Change, Method, at
from .in_steps import growing

PARTS = {"document": "N_jk", "word": "N_wk", "topic": "N_k"}
ROWS = {"document": "the rows of the document", "word": "the rows of the word", "topic": "all rows"}


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
    "excludes a token of rows of count above 1 alone": lambda self, i, r: int(r == i and self.n[r] > 1),
    "excludes a token of rows of count 1 alone": lambda self, i, r: int(r == i and self.n[r] == 1),
    "excludes the row's tokens but one": lambda self, i, r: self.n[r] - 1 if r == i else 0,
    "excludes a token of the first row of the word in the document": lambda self, i, r: int(
        r == min(t for t in self.of_document(self.j[i]) if self.w[t] == self.w[i])
    ),
    "excludes two tokens": lambda self, i, r: 2 * int(r == i),
    "excludes all tokens of the document": lambda self, i, r: self.n[r] if self.j[r] == self.j[i] else 0,
    "excludes all tokens of the word": lambda self, i, r: self.n[r] if self.w[r] == self.w[i] else 0,
}

# What replaces a row's count n in a sum
COUNTS: dict[str, Method] = {
    "counts rows instead of tokens": lambda self, r, n: min(n, 1),
    "counts n² tokens in a row of count n": lambda self, r, n: n * n,
    "counts in 8 bits": lambda self, r, n: n % 256,
    "counts in signed 8 bits": lambda self, r, n: (n + 128) % 256 - 128,
    "counts in 16 bits": lambda self, r, n: n % 65_536,
    "leaves out rows of count 1": lambda self, r, n: n if self.n[r] > 1 else 0,
    "leaves out rows of count above 1": lambda self, r, n: n if self.n[r] == 1 else 0,
    "leaves out the first document": lambda self, r, n: 0 if self.j[r] == 0 else n,
    "leaves out the last document": lambda self, r, n: 0 if self.j[r] == self.D - 1 else n,
    "leaves out the first row": lambda self, r, n: 0 if r == 0 else n,
    "leaves out the last row": lambda self, r, n: 0 if r == self.M - 1 else n,
    "leaves out the first word": lambda self, r, n: 0 if self.w[r] == 0 else n,
    "leaves out the last word": lambda self, r, n: 0 if self.w[r] == self.W - 1 else n,
    "leaves out the rows after the last full group of two": lambda self, r, n: n if r < self.M // 2 * 2 else 0,
    "leaves out the rows after the last full group of four": lambda self, r, n: (
        n if self.M < 4 or r < self.M // 4 * 4 else 0
    ),
    "leaves out the rows after the last full group of eight": lambda self, r, n: (
        n if self.M < 8 or r < self.M // 8 * 8 else 0
    ),
}


def _size(self: Any, part: str, i: int) -> int:
    """The tokens of a sum, over all topics."""
    return int(sum(n for _, n in self.left(part, i))) or 1


# What replaces the value N of a sum, which sees some gamma
VALUES: dict[str, Method] = {
    "is divided by its sum over topics": lambda self, N, gamma, i, k: N / _size(self, "topic", i),
    "lacks the row's gamma once more": lambda self, N, gamma, i, k: N - gamma[i][k],
    "has the row's gamma once more": lambda self, N, gamma, i, k: N + gamma[i][k],
    "lacks 1 instead of the row's gamma, down to 0": lambda self, N, gamma, i, k: max(
        N + self.excluded("topic", i, i) * (gamma[i][k] - 1), 0.0
    ),
    "lacks the first gamma of the row instead of the present one": lambda self, N, gamma, i, k: (
        N + self.excluded("topic", i, i) * (gamma[i][k] - self.gamma[i][k])
    ),
}


def _with_gamma(f: Method) -> Method:
    return lambda self, right, part, gamma, i, k: f(self, right(part, gamma, i, k), gamma, i, k)


def _misread(part: str) -> Method:
    """A table written at m K + k of a flat array and read at k M + m, for M rows."""

    def N(self: Any, right: Method, here: str, gamma: Any, i: int, k: int) -> Any:
        rows, size, of = (self.j, self.D, self.of_document) if part == "document" else (self.w, self.W, self.of_word)
        m, topic = divmod(k * size + rows[i], self.K)
        return sum((self.n[r] - self.excluded(part, i, r)) * gamma[r][topic] for r in of(m))

    return N


def _other_topic(step: int) -> Method:
    return lambda self, right, part, gamma, i, k: right(part, gamma, i, (k + step) % self.K)


def _distinct(self: Any, right: Method, part: str, i: int) -> list[int]:
    """The rows of the words that the document has."""
    words = {self.w[r] for r in self.of_document(self.j[i])}
    return [r for r in range(self.M) if self.w[r] in words]


def _neighbour(part: str, step: int) -> Method:
    def rows(self: Any, right: Method, here: str, i: int) -> Any:
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


def _rows_are_trials(self: Any, right: Method, trials: Any) -> Any:
    p = [1.0]
    for g, n in trials:
        before, p = p, [0.0] * (len(p) + n)
        for m, q in enumerate(before):
            p[m] += q * (1 - g)
            p[m + n] += q * g
    return p


def _modulo(n: int) -> Method:
    return lambda self, right, part, i: [r for r in range(self.M) if self.w[r] % n == self.w[i] % n]


def _log_of_mean(self: Any, right: Method, part: str, a: float, *given: Any) -> float:
    return math.log(a + self.N(part, *given))


def _butat(part: str) -> Method:
    return lambda self, right, here, *given: (
        right(here, *given) if here == part else _log_of_mean(self, right, here, *given)
    )


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

    def of_own(self: Any, right: Method, here: str, gamma: Any, *given: Any) -> Any:
        return right(here, self.own[0] if hasattr(self, "own") else gamma, *given)

    return {"one_sweep": one_sweep, "assigned": assigned, "weights": weights, sum_of: at(part, of_own)}


USUAL = (
    "once more", "present one", "group of four", "column by column", "counts rows instead of tokens",
    "counts in 8 bits", "is left out", "is divided by its sum over topics", "is rounded down",
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
                yield Change(f"{name} is the sum over {text}", f"rows {part}", {"rows": at(part, _of_part(other))})
        for step, text in ((-1, "before"), (1, "after")):
            if part != "topic":
                rows = {"rows": at(part, _neighbour(part, step))}
                yield Change(f"{name} is that of the {part} {text}", f"rows {part}", rows)
        for step, text in ((1, "next"), (-1, "previous")):
            yield Change(f"{name} is that of the {text} topic", f"value {part}", {"N": at(part, _other_topic(step))})
        if part != "topic":
            misread = {"N": at(part, _misread(part))}
            yield Change(
                f"the table of {name} is written row by row and read column by column", f"value {part}", misread
            )
        V = name.replace("N", "V")
        for other in PARTS:
            of_other = {"V": at(part, _of_part(other))}
            yield Change(f"{V} is {PARTS[other].replace('N', 'V')}", f"variance {part}", of_other)
        log_of_mean = {"E_log": at(part, _log_of_mean)}
        yield Change(f"E[log(a + {name.lower()})] is log(a + {name})", f"expectation {part}", log_of_mean)
        yield Change(f"E[log(a + n)] is log(a + N) but for {name.lower()}", "expectation", {"E_log": _butat(part)})
    yield Change("the counts have binomial distributions", "distribution", {"distribution": _binomial})
    text = "a row of n tokens adds n to a count, or nothing"
    yield Change(text, "distribution", {"distribution": _rows_are_trials})
    text = "the largest value of a count is left out of its distribution"
    yield Change(text, "distribution", {"distribution": lambda self, right, x: right(x)[:-1]})
    for n in (1, 2, 3, 5, 10, 20):
        text = f"the distribution of a count ends at {n}"
        yield Change(text, "distribution", {"distribution": lambda self, right, x, n=n: right(x)[: n + 1]})
    for n in (2, 3, 4, 5, 8):
        rows = {"rows": at("word", _modulo(n))}
        yield Change(f"N_wk is the sum over the words with the same number modulo {n}", "rows word", rows)
    yield Change("E[1 / (a + n_k)] is 1 / (a + N_k)", "expectation topic", {"E_inverse": _inverse_of_mean})
    text = "N_k is the sum over the rows of the document's words"
    yield Change(text, "rows topic", {"rows": at("topic", _distinct)})
    for part, name in (*PARTS.items(), ("all", "each of the three sums")):
        for text, tokens in EXCLUDED.items():
            yield Change(f"{name} {text}", f"excluded {part}", {"excluded": at(part, _excluded(tokens))})
        for text, f in COUNTS.items():
            yield Change(f"{name} {text}", f"counts {part}", {"left": at(part, _left(f))})
        for text, f in VALUES.items():
            yield Change(f"{name} {text}", f"value {part}", {"N": at(part, _with_gamma(f))})
        V = "each of the three variances" if part == "all" else name.replace("N", "V")
        yield Change(f"{name} keeps the old gamma of the rows before", f"refreshed {name}", growing(part))
        for schedule, text in REFRESHED.items():
            for what, method in ((name, "N"), (V, "V")):
                yield Change(f"{what} is refreshed {text}", f"refreshed {what}", _refreshed(part, schedule, method))
        for text, f in VARIANCES.items():
            yield Change(f"{V} {text}", f"variance {part}", {"V": at(part, f)})


def _left(f: Method) -> Method:
    return lambda self, right, part, i: [(r, f(self, r, n)) for r, n in right(part, i)]


VARIANCES: dict[str, Method] = {
    "is the mean": lambda self, right, *given: self.N(*given),
    "counts the row's own tokens": lambda self, right, part, gamma, i, k: sum(
        self.n[r] * gamma[r][k] * (1 - gamma[r][k]) for r in self.rows(part, i)
    ),
    "lacks gamma of the row instead of gamma (1 - gamma)": lambda self, right, part, gamma, i, k: (
        right(part, gamma, i, k) - self.excluded(part, i, i) * gamma[i][k] ** 2
    ),
    "lacks gamma of the row instead of gamma (1 - gamma), down to 0": lambda self, right, part, gamma, i, k: max(
        right(part, gamma, i, k) - self.excluded(part, i, i) * gamma[i][k] ** 2, 0.0
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
    "counts rows": lambda self, right, part, gamma, i, k: sum(
        min(n, 1) * gamma[r][k] * (1 - gamma[r][k]) for r, n in self.left(part, i)
    ),
    "has n² in a row of count n": lambda self, right, part, gamma, i, k: sum(
        n * n * gamma[r][k] * (1 - gamma[r][k]) for r, n in self.left(part, i)
    ),
    "is N (1 - N)": lambda self, right, *given: self.N(*given) * (1 - self.N(*given)),
}
