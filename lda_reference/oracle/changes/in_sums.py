"""Changes of the sums of an update: which tokens they count, and how."""

import itertools
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from .change import MEANS, TERMS, VARIANCES, Change, Function, Method, Row, for_part, of_table
from .in_steps import LEFT_OUT, copies

ROW_TEXTS = {"document": "the rows of the document", "word": "the rows of the word", "topic": "all rows"}

# How many tokens of row r the sums leave out in the update of row i
EXCLUDED_TOKENS: dict[str, Function] = {
    "excludes nothing": lambda self, i, r: 0,
    "excludes one token": lambda self, i, r: int(r == i),
    "excludes all tokens of the row": lambda self, i, r: self.n[r] * (_row(self, r) == _row(self, i)),
    "excludes all copies of the word in the document": lambda self, i, r: self.n[r] if r in copies(self, i) else 0,
}


def _row(self: Any, i: int) -> int:
    """The row of a token, which a sampler has apart."""
    return self.row[i] if hasattr(self, "row") else i


# What replaces the count n of row r
COUNT_CHANGES: dict[str, Callable[..., int]] = {
    "counts rows instead of tokens": lambda self, r, n: min(n, 1),
    "counts n² tokens in a row of count n": lambda self, r, n: n * n,
    "counts in 8 bits": lambda self, r, n: n % 256,
    "counts in 16 bits": lambda self, r, n: n % 65_536,
    **{f"leaves out {text}": lambda self, r, n, out=out: 0 if out(self, r) else n for text, out in LEFT_OUT.items()},
}


def _size(self: Any, part: str, i: int) -> int:
    """The tokens of a sum, over all topics."""
    return sum(n for _, n in self.left(part, i)) or 1


# What replaces the value N of a sum; each of the row's own tokens has gamma_k
SUM_CHANGES: dict[str, Function] = {
    "is divided by its sum over topics": lambda self, N, part, gamma, i, k: N / _size(self, part, i),
    "lacks the row's gamma once more": lambda self, N, part, gamma, i, k: N - gamma[i][k],
    "has the row's gamma once more": lambda self, N, part, gamma, i, k: N + gamma[i][k],
}


def take(new_count: Function, self: Any, right: Method, alpha: Any, eta: Any) -> None:
    """The count of each row is another one wherever it stands."""
    if not hasattr(self, "alpha"):
        self.n = [new_count(self, r, n) for r, n in enumerate(self.n)]
    right(alpha, eta)


def _total(new_count: Function, self: Any, right: Method, rows: Any) -> Row:
    """A sum of the estimates over some rows."""
    tokens_of_row = {r: new_count(self, r, self.n[r]) for r in rows}
    return [sum(tokens_of_row[r] * self.gamma[r][k] for r in rows) for k in range(self.K)]


def _distinct(self: Any, right: Method, part: str, i: int) -> list[int]:
    """The rows of the words that the document has."""
    words_of_document = {self.w[r] for r in self.of_document(self.j[i])}
    return [r for r in range(self.M) if self.w[r] in words_of_document]


# The x of row i, of `size` documents or words, whose sum stands for its own; y are the words or the documents
INDEX_CHANGES: dict[str, Function] = {
    "that of the {} before": lambda i, x, y, size: (x[i] - 1) % size,
    "that of the {} after": lambda i, x, y, size: (x[i] + 1) % size,
    "that of the {} with the other's number": lambda i, x, y, size: y[i] % size,
}


def _rows(wrong_index_of_row: Function, self: Any, right: Method, part: str, i: int) -> Any:
    if part == "document":
        return self.of_document(wrong_index_of_row(i, self.j, self.w, self.D))
    return self.of_word(wrong_index_of_row(i, self.w, self.j, self.W))


# What replaces the value of a variance
VARIANCE_CHANGES: dict[str, Method] = {
    "is the mean": lambda self, right, *arguments: self.N(*arguments),
    "is N (1 - N/n)": lambda self, right, part, gamma, i, k: (
        self.N(part, gamma, i, k) * (1 - self.N(part, gamma, i, k) / _size(self, part, i))
    ),
    "counts the row's own tokens": lambda self, right, part, gamma, i, k: sum(
        self.n[r] * gamma[r][k] * (1 - gamma[r][k]) for r in self.rows(part, i)
    ),
    **{
        text: lambda self, right, part, gamma, i, k, f=f: sum(f(n, gamma[r][k]) for r, n in self.left(part, i))
        for text, f in {
            "counts rows": lambda n, g: min(n, 1) * g * (1 - g),
            "has n² in a row of count n": lambda n, g: n * n * g * (1 - g),
        }.items()
    },
}

# What is changed, its method, the table and how its entries are used
CHANGE_TABLES: list[tuple[str, str, Mapping[str, Any], Method | None]] = [
    ("excluded", "excluded", EXCLUDED_TOKENS, lambda f, self, right, part, i, r: f(self, i, r)),
    ("counts", "left", COUNT_CHANGES, lambda f, self, right, part, i: [(r, f(self, r, n)) for r, n in right(part, i)]),
    ("value", "N", SUM_CHANGES, lambda f, self, right, *place: f(self, right(*place), *place)),
    ("variance", "V", VARIANCE_CHANGES, None),
]


def changes() -> Iterator[Change]:
    for part, (wrong_part, text) in itertools.product(TERMS, ROW_TEXTS.items()):
        if wrong_part != part:
            wrong_sum = for_part(part, lambda self, right, part, *place, source=wrong_part: right(source, *place))
            yield Change(f"{MEANS[part]} is the sum over {text}", f"rows {part}", {"rows": wrong_sum})
            yield Change(f"{VARIANCES[part]} is {VARIANCES[wrong_part]}", f"variance {part}", {"V": wrong_sum})
    for part in ("document", "word"):
        index_of_text = {text.format(part): wrong_index_of_row for text, wrong_index_of_row in INDEX_CHANGES.items()}
        yield from of_table(index_of_text, f"rows {part}", "rows", f"{MEANS[part]} is {{}}", _rows, part)
    yield from of_table(COUNT_CHANGES, "read", "take", "every sum, estimate and bound {}", take, alone=True)
    yield from of_table(COUNT_CHANGES, "counts", "total", "each sum of the estimates {}", _total, alone=True)
    text = "N_k is the sum over the rows of the document's words"
    yield Change(text, "rows topic", {"rows": for_part("topic", _distinct)})
    for part, (kind, method, table, adapter) in itertools.product(MEANS, CHANGE_TABLES):
        sum_name = (VARIANCES if method == "V" else MEANS)[part]
        yield from of_table(table, f"{kind} {part}", method, f"{sum_name} {{}}", adapter, part, alone=kind == "counts")
