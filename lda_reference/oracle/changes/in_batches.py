"""Changes of programs for batches and devices: rows left over, additions that are lost, one maximum for many rows."""

import itertools
import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from .change import MEANS, Change, Function, Method, for_part, of_table, under
from .in_padding import TABLES, once, to_longest
from .in_steps import LEFT_OUT
from .in_sums import COUNTS, take

Group = Callable[..., int]  # the number of the group with which a row is worked on, of an algorithm and the row


def of_documents(B: int, self: Any, r: int, *seen: Any) -> int:
    return self.j[r] // B


def of_rows(R: int, self: Any, r: int, *seen: Any) -> int:
    return r // R


DOCUMENTS = {B: f"each group of {B} documents" for B in (2, 3, 4, 8)} | {10**9: "the corpus"}
ROWS = {R: f"each group of {R} rows" for R in (2, 4, 8, 32)}

# What keeps the gamma of the rows that are left out, whose count is 0
KEEPING: dict[str, dict[str, Method]] = {
    "swept": {"swept": lambda self, right: [r for r in range(self.M) if self.n[r]]},
    "updated": {
        "update": lambda self, right: right() if self.n[self.case["row"]] else {"gamma_k": self.gamma[self.case["row"]]}
    },
}
Keys = Callable[[Any, int], Any]
SHARED: dict[str, Keys] = {"document": lambda self, r: self.j[r], "word": lambda self, r: self.w[r]}


def _survivors(group: Group, shared: Keys, end: str, padded: int, self: Any) -> set[int]:
    """The first or the last row of each group of all that add to the same place.

    Groups of some documents may be padded with the word of row 0, whose last place is then often one of padding.
    """
    rows = reversed(range(self.M)) if end == "first" else range(self.M)
    kept = {(group(self, r), shared(self, r)): r for r in rows}
    for j in to_longest(padded, self) if padded else ():
        place = j // padded, self.w[0]
        if place in kept and j >= self.j[kept[place]]:
            del kept[place]
    return {*kept.values()}


def _left(survivors: Function, self: Any, right: Method, part: str, i: int) -> Any:
    """The rows of a sum; those that do not survive have no tokens, and what is excluded is taken off all the same."""
    kept = survivors(self)
    return [(r, n if r in kept else n - self.n[r]) for r, n in right(part, i)]


def _counts(part: str, survivors: Function, self: Any, right: Method) -> Any:
    """The tables of the estimates, some of which count the surviving rows alone."""
    tables, kept = right(), survivors(self)
    lost = under(self, right, n=[n if r in kept else 0 for r, n in enumerate(self.n)])
    return tuple((lost if place in TABLES[part] else tables)[place] for place in range(3))


def _weights(of_document: bool, self: Any, right: Method, gamma: Any, i: int) -> Any:
    """Weights as exponentials of logarithms less the largest of a document's rows, or of all rows."""
    if getattr(self, "shifted", None) is not gamma:
        self.shifted, self.logs = gamma, [[self.log(x) for x in right(gamma, r)] for r in range(self.M)]
    rows = self.of_document(self.j[i]) if of_document else range(self.M)
    largest = max(x for r in rows for x in self.logs[r])
    return [math.exp(x - largest) for x in self.logs[i]]


def changes() -> Iterator[Change]:
    for text, (what, methods) in itertools.product(LEFT_OUT, KEEPING.items()):
        not_counted = {"take": partial(take, COUNTS[f"leaves out {text}"])}
        text = f"of all rows, {text} are neither counted nor {what}"
        yield Change(text, "swept", methods | not_counted, alone=True)
    groups = [(text, partial(of_documents, B), B) for B, text in DOCUMENTS.items()]
    groups += [(text, partial(of_rows, R), 0) for R, text in ROWS.items()]
    for (text, group, B), (place, shared), end in itertools.product(groups, SHARED.items(), ("last", "first")):
        for part in ("word", "topics") if place == "word" else ("document",):
            for padded in (0, B) if B and end == "last" and place == "word" else (0,):
                kept = f"of the rows of a {place} in {text}{' with padding' * bool(padded)} only the {end} counts"
                survivors = partial(once, "survivors", partial(_survivors, group, shared, end, padded))
                left, counts = {"left": for_part(part, partial(_left, survivors))}, partial(_counts, part, survivors)
                yield Change(f"{kept} in {MEANS[part]}", f"counts {part}", left, alone=True)
                text_of_counts = f"{kept} in {MEANS[part]} of the estimates"
                yield Change(text_of_counts, f"counts {part}", {"counts": counts}, alone=True)
    text = "the largest logarithm of the weights of {} is subtracted"
    yield from of_table({"a document's rows": True, "all rows": False}, "row", "weights", text, _weights, alone=True)
