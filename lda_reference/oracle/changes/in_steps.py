"""Changes of what becomes of the weights, and of sweeps."""

import itertools
import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from .change import Change, Function, Method, Row, in_single, of_table, share, softmax, under
from .in_values import SMALL_NUMBERS

# What replaces the shares of weights
ROW_CHANGES: dict[str, Callable[..., Row]] = {
    "the weights are not divided by their sum": lambda x: x,
    "the weights are divided by the largest": lambda x: [v / max(x) for v in x],
    "the weights are divided by their 2-norm": lambda x: [v / math.sqrt(sum(w * w for w in x)) for v in x],
    "the softmax of the weights is taken": softmax,
    "gamma is 1 at the largest weight": lambda x: [float(k == x.index(max(x))) for k in range(len(x))],
    "the topics are in the reverse order": lambda x: share(x[::-1]),
    "gamma of topic k stands at k + 1": lambda x: share([*x[-1:], *x[:-1]]),
    "gamma of topic k stands at k - 1": lambda x: share([*x[1:], *x[:1]]),
    "gamma is rounded to single precision": lambda x: [in_single(v) for v in share(x)],
    "gamma is rounded to half precision": lambda x: [in_single(v, "e") for v in share(x)],
    **{f"gamma is rounded to a multiple of 1/{unit}": lambda x, unit=unit: [round(v * unit) / unit for v in share(x)]
       for unit in (255, 256, 65535)},
}  # fmt: skip

# What becomes of the weights with a small number c
SMALL_CHANGES: dict[str, Function] = {
    "{} is added to each weight": lambda x, c: share([v + c for v in x]),
    "{} is added to gamma": lambda x, c: [v + c for v in share(x)],
    "{} is added to gamma, which is normalised again": lambda x, c: share([v + c for v in share(x)]),
    "{} is added to the sum of the weights": lambda x, c: [v / (sum(x) + c) for v in x],
    "weights below {} are set to it": lambda x, c: share([max(v, c) for v in x]),
    "gamma below {} is set to it, then all are normalised again": lambda x, c: share([max(v, c) for v in share(x)]),
    "gamma below {} is set to 0": lambda x, c: [v if v >= c else 0.0 for v in share(x)],
    "gamma below {} is set to 0, then all are normalised again": lambda x, c: share([v * (v >= c) for v in share(x)]),
}


def copies(self: Any, i: int) -> list[int]:
    """The rows of the document and the word of row i."""
    return [r for r in self.of_document(self.j[i]) if self.w[r] == self.w[i]]


# Rows that are left out of sweeps, or of sums
LEFT_OUT: dict[str, Callable[..., bool]] = {
    "the first row": lambda self, r: r == 0,
    "the last row": lambda self, r: r == self.M - 1,
    "the first document": lambda self, r: self.j[r] == 0,
    "the last document": lambda self, r: self.j[r] == self.D - 1,
    "rows of count 1": lambda self, r: self.n[r] == 1,
    "rows of count above 1": lambda self, r: self.n[r] > 1,
    "all but the first row of a word in a document": lambda self, r: r != copies(self, r)[0],
    "all but the last row of a word in a document": lambda self, r: r != copies(self, r)[-1],
    **{f"the rows after the last full group of {R}": lambda self, r, R=R: r >= self.M // R * R > 0 for R in (2, 4, 8)},
    **{f"the documents after the last full group of {B}": lambda self, r, B=B: self.j[r] >= self.D // B * B
       for B in (2, 3, 4, 8)},
    **{f"a document's rows after {L}": lambda self, r, L=L: r - self.j.index(self.j[r]) >= L for L in (8, 16, 32)},
}  # fmt: skip

# What replaces the rows of a sweep
SWEPT_ROWS: dict[str, Callable[..., list[int]]] = {
    "the rows are swept from the last to the first": lambda self, rows: rows[::-1],
    "the rows are swept by word": lambda self, rows: sorted(rows, key=lambda i: self.w[i]),
    "a document's rows are swept by word": lambda self, rows: sorted(rows, key=lambda i: (self.j[i], self.w[i])),
    "only the first document is swept": lambda self, rows: [i for i in rows if self.j[i] == self.j[0]],
    "one token of each row is swept": lambda self, rows: [self.row.index(i) for i in sorted({*self.row})],
    **{f"a sweep leaves out {text}": lambda self, rows, out=out: [i for i in rows if not out(self, i)]
       for text, out in LEFT_OUT.items()},
}  # fmt: skip


def blocks(begins_block: Callable[..., bool], self: Any, right: Method) -> set[int]:
    """Blocks that begin with the first document for whose first row i, the number b and B, `begins_block` holds.

    If B is not below the number of documents, each document is a block.
    """
    B, first_rows = self.case["blocks"], [i for i in range(self.M) if i == 0 or self.j[i] != self.j[i - 1]]
    if B >= self.D:
        return set(first_rows)
    return {next((i for i in first_rows if begins_block(self, i, b, B)), 0) for b in range(B)}


# The first document or row of block b, of D and of B blocks
EQUAL_BLOCKS: dict[str, Function] = {
    "block b begins at {0} b {1} / B, rounded down": lambda b, D, B: b * D // B,
    "block b begins at {0} b {1} / B, rounded up": lambda b, D, B: -(-b * D // B),
    "each block has {1} / B {0}s, rounded down": lambda b, D, B: b * max(D // B, 1),
    "each block has {1} / B {0}s, rounded up": lambda b, D, B: b * -(-D // B),
}


def _in_place(self: Any, right: Method, gamma: Any) -> Any:
    """A nested sweep in which a row sees the new gamma of the rows before it."""
    if self.case.get("inner") is None:
        raise ValueError("the number of steps is open")
    new_rows, self.held = self.first_of_nested(gamma), gamma
    for _ in range(self.case["inner"]):
        for i in range(self.M):
            new_rows[i] = self.assigned(self.weights(new_rows, i), i)
    self.held = None
    return new_rows


NEW_METHODS: dict[str, tuple[str, Method]] = {
    "one more sweep is made": ("swept_often", lambda self, right, sweeps: right(sweeps + 1)),
    "one sweep less is made": ("swept_often", lambda self, right, sweeps: right(sweeps - 1)),
    "blocks have `blocks` documents": ("blocks", lambda self, right: (
        under(self, right, case=self.case | {"blocks": -(-self.D // self.case["blocks"])}))),
    "a nested sweep begins at the rows of the state":
        ("first_of_nested", lambda self, right, gamma: [list(row) for row in gamma]),
    "the steps of a nested sweep change the rows in place": ("nested_sweep", _in_place),
    "the topics are not held in a nested sweep":
        ("weight", lambda self, right, *arguments: under(self, right, *arguments, held=None)),
    "each sweep begins at the state": ("one_sweep", lambda self, right, gamma: right(self.gamma)),
}  # fmt: skip


def changes() -> Iterator[Change]:
    yield from of_table(ROW_CHANGES, "row", "normalised", adapter=lambda new_method, self, right, x: new_method(x))
    for c, (text, new_method) in itertools.product((*SMALL_NUMBERS, 0.05, 0.02), SMALL_CHANGES.items()):
        new_methods = {"normalised": lambda self, right, x, new_method=new_method, c=c: new_method(x, c)}
        yield Change(text.format(f"{c:.3g}"), "row", new_methods, alone=True)
    schedule_names = {schedule_name: schedule_name for schedule_name in ("token", "document", "corpus")}
    yield from of_table(schedule_names, "schedule", "one_sweep", "each sweep is one in `{}` order", (
        lambda schedule, self, right, gamma: under(self, right, gamma, case=self.case | {"schedule": schedule})
    ))  # fmt: skip
    yield from of_table(SWEPT_ROWS, "swept", "swept", adapter=lambda f, self, right: f(self, list(right())))
    for text, start_of in EQUAL_BLOCKS.items():
        blocks_by_documents = partial(blocks, lambda self, i, b, B, start=start_of: self.j[i] >= start(b, self.D, B))
        blocks_by_rows = partial(blocks, lambda self, i, b, B, start=start_of: i >= start(b, self.M, B))
        yield Change(text.format("document", "D"), "blocks", {"blocks": blocks_by_documents})
        yield Change(text.format("row", "M"), "blocks", {"blocks": blocks_by_rows})
    for text, (method_name, new_method) in NEW_METHODS.items():
        yield Change(text, method_name, {method_name: new_method})
