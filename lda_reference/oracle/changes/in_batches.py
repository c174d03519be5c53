"""Changes of programs for batches and devices: rows left over, additions that are lost, one maximum for many rows."""

import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any

from .change import Change, Method, at, bare, under
from .in_padding import PARTS, TABLES, once, to_longest
from .in_steps import LEFT_OUT

# The groups of rows that are worked on together
Group = Callable[[Any, int], int]


def of_documents(B: int) -> Group:
    return lambda self, r: int(self.j[r] // B)


def of_rows(R: int) -> Group:
    return lambda self, r: r // R


DOCUMENTS = {B: f"each group of {B} documents" for B in (2, 3, 4, 8)} | {10**9: "the corpus"}
ROWS = {R: f"each group of {R} rows" for R in (2, 4, 8, 32)}


def _left_out(out: Callable[[Any, int], bool]) -> tuple[dict[str, Method], dict[str, Method]]:
    """Sweeps, and updates, without some rows in the sums; these keep their gamma."""

    def take(self: Any, right: Method, alpha: Any, eta: Any) -> None:
        if not hasattr(self, "swept_rows"):
            self.swept_rows = [r for r in range(self.M) if not out(self, r)]
            self.n = [n if r in self.swept_rows else 0 for r, n in enumerate(self.n)]
        right(alpha, eta)

    def update(self: Any, right: Method) -> Any:
        row = self.case["row"]
        return right() if row in self.swept_rows else {"gamma_k": self.gamma[row]}

    return {"take": take, "swept": bare(lambda self: self.swept_rows)}, {"take": take, "update": update}


Keys = Callable[[Any, int], Any]
SHARED: dict[str, Keys] = {"document": lambda self, r: self.j[r], "word": lambda self, r: self.w[r]}


def _survivors(self: Any, group: Group, shared: Keys, end: str, padded: int) -> set[int]:
    """The first or the last row of each group of all that add to the same place.

    Groups of some documents may be padded with the word of row 0, whose last place is then often one of padding.
    """
    rows = reversed(range(self.M)) if end == "first" else range(self.M)
    kept = {(group(self, r), shared(self, r)): r for r in rows}
    for j in to_longest(padded)(self) if padded else ():
        place = j // padded, self.w[0]
        if place in kept and j >= self.j[kept[place]]:
            del kept[place]
    return {*kept.values()}


def _lost(part: str, group: Group, shared: Keys, end: str, padded: int = 0) -> tuple[Method, Method]:
    """Sums, and tables of the estimates, that keep one of the additions of each group to the same place."""

    def survivors(self: Any) -> set[int]:
        return set(once(self, "survivors", lambda: _survivors(self, group, shared, end, padded)))

    def left(self: Any, right: Method, here: str, i: int) -> Any:
        kept = survivors(self)
        return [(r, n if r in kept else n - self.n[r]) for r, n in right(here, i)]  # what is excluded, is taken off

    def counts(self: Any, right: Method) -> Any:
        whole, kept = right(), survivors(self)
        lost = under(self, right, n=[n if r in kept else 0 for r, n in enumerate(self.n)])
        return tuple((lost if place in TABLES[part] else whole)[place] for place in range(3))

    return at(part, left), counts


def _shared_maximum(of_document: bool) -> Method:
    """Weights as exponentials of logarithms less the largest of a document's rows, or of all rows."""

    def weights(self: Any, right: Method, gamma: Any, i: int) -> Any:
        if getattr(self, "shifted", None) is not gamma:
            self.shifted, self.logs = gamma, [[self.log(x) for x in right(gamma, r)] for r in range(self.M)]
        rows = self.of_document(self.j[i]) if of_document else range(self.M)
        largest = max(x for r in rows for x in self.logs[r])
        return [math.exp(x - largest) for x in self.logs[i]]

    return weights


def changes() -> Iterator[Change]:
    """All changes of programs that work in groups of rows."""
    for text, out in LEFT_OUT.items():
        for methods, what in zip(_left_out(out), ("swept", "updated"), strict=True):
            yield Change(f"of all rows, {text} are neither counted nor {what}", "swept", methods, alone=True)
    groups = [(text, of_documents(B), B) for B, text in DOCUMENTS.items()]
    groups += [(text, of_rows(R), 0) for R, text in ROWS.items()]
    for (text, group, B), (place, shared), end in itertools.product(groups, SHARED.items(), ("last", "first")):
        for part in ("word", "topics") if place == "word" else ("document",):
            for padded in (0, B) if B and end == "last" and place == "word" else (0,):
                kept = f"of the rows of a {place} in {text}{' with padding' * bool(padded)} only the {end} counts"
                left, counts = _lost(part, group, shared, end, padded)
                yield Change(f"{kept} in {PARTS[part]}", f"counts {part}", {"left": left}, alone=True)
                text_of_counts = f"{kept} in {PARTS[part]} of the estimates"
                yield Change(text_of_counts, f"counts {part}", {"counts": counts}, alone=True)
    for of_document, text in ((True, "a document's rows"), (False, "all rows")):
        text = f"the largest logarithm of the weights of {text} is subtracted"
        yield Change(text, "row", {"weights": _shared_maximum(of_document)}, alone=True)
