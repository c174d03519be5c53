"""Changes of the sums of an update: which tokens they count, and how."""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from .change import Change, Method, Row, at, of_table
from .in_steps import LEFT_OUT, copies

PARTS = {"document": "N_jk", "word": "N_wk", "topic": "N_k"}
ROWS = {"document": "the rows of the document", "word": "the rows of the word", "topic": "all rows"}


# How many tokens of row r the sums leave out in the update of row i
EXCLUDED: dict[str, Callable[[Any, int, int], int]] = {
    "excludes nothing": lambda self, i, r: 0,
    "excludes one token": lambda self, i, r: int(r == i),
    "excludes all tokens of the row": lambda self, i, r: self.n[r] if _row(self, r) == _row(self, i) else 0,
    "excludes all copies of the word in the document": lambda self, i, r: self.n[r] if r in copies(self, i) else 0,
    "counts the row's own token once more": lambda self, i, r: -int(r == i),
    "excludes a token of the row before": lambda self, i, r: int(r == (i - 1) % self.M),
    "excludes a token of rows of count above 1 alone": lambda self, i, r: int(r == i and self.n[r] > 1),
    "excludes a token of rows of count 1 alone": lambda self, i, r: int(r == i and self.n[r] == 1),
    "excludes a token of the first row of the word in the document": lambda self, i, r: int(r == copies(self, i)[0]),
    "excludes all tokens of the document": lambda self, i, r: self.n[r] if self.j[r] == self.j[i] else 0,
    "excludes all tokens of the word": lambda self, i, r: self.n[r] if self.w[r] == self.w[i] else 0,
}


def _row(self: Any, i: int) -> int:
    """The row of a token, which a sampler has apart."""
    return int(self.row[i]) if hasattr(self, "row") else i


def _without(out: Callable[[Any, int], bool]) -> Callable[[Any, int, int], int]:
    return lambda self, r, n: 0 if out(self, r) else n


# What replaces the count n of row r, in the update of row i in the second table
COUNTS: dict[str, Method] = {
    "counts rows instead of tokens": lambda self, r, n: min(n, 1),
    "counts n² tokens in a row of count n": lambda self, r, n: n * n,
    "counts in 8 bits": lambda self, r, n: n % 256,
    "counts in 16 bits": lambda self, r, n: n % 65_536,
    **{f"leaves out {text}": _without(out) for text, out in LEFT_OUT.items()},
}
SEEN: dict[str, Method] = {
    "leaves out the rows before": lambda self, r, n, i: n * (r >= i),
    "leaves out the rows after": lambda self, r, n, i: n * (r <= i),
    "has the rows before alone": lambda self, r, n, i: n * (r < i),
    "has the rows after alone": lambda self, r, n, i: n * (r > i),
}


def _size(self: Any, part: str, i: int) -> int:
    """The tokens of a sum, over all topics."""
    return int(sum(n for _, n in self.left(part, i))) or 1


def _gamma(part: str, gamma: Any, i: int, k: int) -> float:
    return float(gamma[i][k])


# What replaces the value N of a sum
VALUES: dict[str, Method] = {
    "is divided by its sum over topics": lambda self, right, part, gamma, i, k: (
        right(part, gamma, i, k) / _size(self, part, i)
    ),
    "is divided by the number of tokens left": lambda self, right, part, gamma, i, k: (
        right(part, gamma, i, k) / _size(self, "topic", i)
    ),
    "lacks the row's gamma once more": lambda self, right, *given: right(*given) - _gamma(*given),
    "has the row's gamma once more": lambda self, right, *given: right(*given) + _gamma(*given),
    "is that of the next topic": lambda self, right, *given: right(*given[:-1], (given[-1] + 1) % self.K),
    "is that of the previous topic": lambda self, right, *given: right(*given[:-1], (given[-1] - 1) % self.K),
}
# What a sum leaves out of the row's own tokens, each of which has gamma_k
OWN: dict[str, Method] = {
    f"lacks {text} instead of the row's gamma": lambda self, right, part, gamma, i, k, f=f: (
        right(part, gamma, i, k) + self.excluded(part, i, i) * (gamma[i][k] - f(self, gamma, i, k))
    )
    for text, f in {
        "1": lambda self, gamma, i, k: 1,
        "gamma of the row before": lambda self, gamma, i, k: gamma[i - 1][k],
    }.items()
}


def _read(f: Method) -> Method:
    """The count of each row is another one wherever it stands."""

    def take(self: Any, right: Method, alpha: Any, eta: Any) -> None:
        if not hasattr(self, "alpha"):
            self.n = [f(self, r, n) for r, n in enumerate(self.n)]
        right(alpha, eta)

    return take


def _total(f: Method) -> Method:
    """A sum of the estimates over some rows."""

    def total(self: Any, right: Method, rows: Any) -> Row:
        n = {r: f(self, r, self.n[r]) for r in rows}
        return [sum(n[r] * self.gamma[r][k] for r in rows) for k in range(self.K)]

    return total


def _misread(part: str) -> Method:
    """A table written at m K + k of a flat array and read at k M + m, for M rows."""

    def N(self: Any, right: Method, here: str, gamma: Any, i: int, k: int) -> Any:
        rows, size, of = (self.j, self.D, self.of_document) if part == "document" else (self.w, self.W, self.of_word)
        m, topic = divmod(k * size + rows[i], self.K)
        return sum((self.n[r] - self.excluded(part, i, r)) * gamma[r][topic] for r in of(m))

    return N


def _distinct(self: Any, right: Method, part: str, i: int) -> list[int]:
    """The rows of the words that the document has."""
    words = {self.w[r] for r in self.of_document(self.j[i])}
    return [r for r in range(self.M) if self.w[r] in words]


# The document or the word, of `size` ones, whose sum stands for that of row i; `at` is j or w, `other` the other
INDICES: dict[str, Callable[[Any, int, list[int], list[int], int], int]] = {
    "that of the {} before": lambda self, i, at, other, size: (at[i] - 1) % size,
    "that of the {} after": lambda self, i, at, other, size: (at[i] + 1) % size,
    "that of the {} of the row before": lambda self, i, at, other, size: at[i - 1],
    "that of the {} with the other's number": lambda self, i, at, other, size: other[i] % size,
}


def _indexed(part: str, f: Method) -> Method:
    def rows(self: Any, right: Method, here: str, i: int) -> Any:
        if part == "document":
            return self.of_document(f(self, i, self.j, self.w, self.D))
        return self.of_word(f(self, i, self.w, self.j, self.W))

    return rows


def _of_part(other: str) -> Method:
    return lambda self, right, part, *given: right(other, *given)


def _pooled(self: Any, right: Method, part: str, gamma: Any, i: int, k: int) -> float:
    N = self.N(part, gamma, i, k)
    return float(N * (1 - N / _size(self, part, i)))


VARIANCES: dict[str, Method] = {
    "is the mean": lambda self, right, *given: self.N(*given),
    "is N (1 - N)": lambda self, right, *given: self.N(*given) * (1 - self.N(*given)),
    "is N (1 - N/n)": _pooled,
    "counts the row's own tokens": lambda self, right, part, gamma, i, k: sum(
        self.n[r] * gamma[r][k] * (1 - gamma[r][k]) for r in self.rows(part, i)
    ),
    "leaves out all tokens of the row": lambda self, right, part, gamma, i, k: sum(
        n * gamma[r][k] * (1 - gamma[r][k]) for r, n in self.left(part, i) if r != i
    ),
    "lacks gamma of the row instead of gamma (1 - gamma)": lambda self, right, part, gamma, i, k: (
        right(part, gamma, i, k) - self.excluded(part, i, i) * gamma[i][k] ** 2
    ),
    **{
        text: lambda self, right, part, gamma, i, k, f=f: sum(f(n, gamma[r][k]) for r, n in self.left(part, i))
        for text, f in {
            "is the sum of gamma²": lambda n, g: n * g**2,
            "is the sum of 1 - gamma": lambda n, g: n * (1 - g),
            "counts rows": lambda n, g: min(n, 1) * g * (1 - g),
            "has n² in a row of count n": lambda n, g: n * n * g * (1 - g),
        }.items()
    },
}

USUAL = (
    "once more", "group of four", "column by column", "document before", "document after", "word before", "word after",
    "rows of the document", "rows of the word", "counts rows instead of tokens", "counts in 8 bits",
    "is divided by its sum over topics",
)  # fmt: skip # the other counts, values and rows are not composed


def _without_part(f: Callable[[Any, int, int], int]) -> Method:
    return lambda self, right, part, i, r: f(self, i, r)


def _left(f: Method, seen: bool) -> Method:
    return lambda self, right, part, i: [(r, f(self, r, n, i) if seen else f(self, r, n)) for r, n in right(part, i)]


def changes() -> Iterator[Change]:
    """All changes of sums."""
    for change in _changes():
        usual = change.text.endswith(USUAL) or not change.of.startswith(("counts", "value", "rows"))
        yield replace(change, alone=not usual or change.of == "read")


def _changes() -> Iterator[Change]:
    for (part, name), (other, text) in itertools.product(PARTS.items(), ROWS.items()):
        if other != part:
            of_other = at(part, _of_part(other))
            yield Change(f"{name} is the sum over {text}", f"rows {part}", {"rows": of_other})
            V, other_V = name.replace("N", "V"), PARTS[other].replace("N", "V")
            yield Change(f"{V} is {other_V}", f"variance {part}", {"V": of_other})
    for part, name in PARTS.items():
        if part != "topic":
            indices = {text.format(part): at(part, _indexed(part, index)) for text, index in INDICES.items()}
            yield from of_table(indices, f"rows {part}", "rows", text=f"{name} is {{}}")
            yield Change(f"the table of {name} is written row by row and read column by column", f"value {part}",
                         {"N": at(part, _misread(part))})  # fmt: skip
    yield from of_table(COUNTS, "read", "take", _read, "every sum, estimate and bound {}")
    yield from of_table(COUNTS, "counts", "total", _total, "each sum of the estimates {}")
    text = "N_k is the sum over the rows of the document's words"
    yield Change(text, "rows topic", {"rows": at("topic", _distinct)})
    for part, name in (*PARTS.items(), ("topics", "each of N_wk and N_k"), ("all", "each of the three sums")):
        V = "each of the three variances" if part == "all" else name.replace("N", "V")
        for of, method, table in (
            ("excluded", "excluded", {text: _without_part(f) for text, f in EXCLUDED.items()}),
            ("counts", "left", {text: _left(f, text in SEEN) for text, f in (COUNTS | SEEN).items()}),
            ("value", "N", VALUES | OWN),
        ):
            yield from of_table(table, f"{of} {part}", method, partial(at, part), f"{name} {{}}")
        yield from of_table(VARIANCES, f"variance {part}", "V", partial(at, part), f"{V} {{}}")
