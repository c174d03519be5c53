"""Changes of programs for batches and devices: padding that counts, rows left over, additions that are lost."""

import itertools
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from .change import MEANS, Change, Function, Method, Row, for_part, of_table, under
from .in_steps import LEFT_OUT
from .in_sums import COUNTS, take

PLACES = {"document": (0,), "word": (1,), "topic": (2,), "topics": (1, 2), "all": (0, 1, 2)}  # of N_jk, N_wk and N_k
Added = list[tuple[int, int, int]]  # a document, a row and how many more of its tokens count, in this document
Group = Callable[..., int]  # the number of the group with which a row is worked on, of an algorithm and the row
Keys = Callable[[Any, int], Any]
SHARED: dict[str, Keys] = {"document": lambda self, r: self.j[r], "word": lambda self, r: self.w[r]}


def of_documents(B: int, self: Any, r: int, *seen: Any) -> int:
    return self.j[r] // B


def of_rows(R: int, self: Any, r: int, *seen: Any) -> int:
    return r // R


DOCUMENTS = {B: f"each group of {B} documents" for B in (2, 3, 4, 8)} | {10**9: "the corpus"}
ROWS = {R: f"each group of {R} rows" for R in (2, 4, 8, 32)}


def _to_longest(documents: int, self: Any) -> list[int]:
    """The document of each place of padding, if each group of documents is padded to its longest."""
    lengths = [self.j.count(j) for j in range(self.D)]
    batches = [lengths[first : first + documents] for first in range(0, self.D, documents)]
    longest = [x for batch in batches for x in [max(batch)] * len(batch)]
    return [j for j in range(self.D) for _ in range(longest[j] - lengths[j])]


PADDED: dict[str, Callable[..., list[int]]] = {
    "all documents are padded to the longest": partial(_to_longest, 10**9),
    **{f"each group of {B} documents is padded to its longest": partial(_to_longest, B) for B in (2, 3, 4, 8)},
    **{f"the rows are padded to a multiple of {R}": lambda self, R=R: [0] * (-self.M % R)
       for R in (4, 8, 16, 32, 64, 128)},
}  # fmt: skip


def _padding(places: Function, self: Any) -> Added:
    """Row 0 stands in each place of padding."""
    return [(j, 0, self.n[0]) for j in places(self)]


def _lost(group: Group, shared: Keys, padded: int, self: Any) -> Added:
    """Of the rows of a group that add to the same place, the last alone counts.

    Groups of some documents may be padded with the word of row 0, whose last place is then often one of padding.
    """
    kept = {(group(self, r), shared(self, r)): r for r in range(self.M)}
    for j in _to_longest(padded, self) if padded else ():
        place = j // padded, self.w[0]
        if place in kept and j >= self.j[kept[place]]:
            del kept[place]
    return [(self.j[r], r, -self.n[r]) for r in {*range(self.M)} - {*kept.values()}]


def _once(added: Function, self: Any) -> Added:
    if not hasattr(self, "added"):
        self.added = added(self)
    return self.added


def _left(added: Function, self: Any, right: Method, part: str, i: int) -> Any:
    """The rows of a sum, of which more or fewer tokens count; what is excluded is taken off all the same."""
    n = dict(right(part, i))
    for j, r, tokens in _once(added, self):
        if {"document": j == self.j[i], "word": self.w[r] == self.w[i]}.get(part, True):
            n[r] = n.get(r, 0) + tokens
    return list(n.items())


def _counts(part: str, added: Function, self: Any, right: Method) -> Any:
    tables = right()
    for j, r, tokens in _once(added, self):
        rows = tables[0][j], tables[1][self.w[r]], tables[2]
        for place in PLACES[part]:
            rows[place][:] = [x + tokens * g for x, g in zip(rows[place], self.gamma[r], strict=True)]
    return tables


def _padded_topics(size: int) -> dict[str, Method]:
    """Rows whose normaliser has topics without tokens up to a multiple of a size."""

    def weights(self: Any, right: Method, gamma: Any, i: int) -> Any:
        self.padded = under(self, self.weight, gamma, i, self.K - 1, without_tokens=True)
        return right(gamma, i)

    def N(self: Any, right: Method, *arguments: Any) -> Any:
        return 0.0 if getattr(self, "without_tokens", None) else right(*arguments)

    def normalised(self: Any, right: Method, x: Row) -> Row:
        total = sum(x) + (-self.K % size) * self.padded
        return [v / total for v in x]

    return {"weights": weights, "normalised": normalised, "N": N}


# What keeps the gamma of the rows that are left out, whose count is 0
KEEPING: dict[str, dict[str, Method]] = {
    "swept": {"swept": lambda self, right: [r for r in range(self.M) if self.n[r]]},
    "updated": {
        "update": lambda self, right: right() if self.n[self.case["row"]] else {"gamma_k": self.gamma[self.case["row"]]}
    },
}


def changes() -> Iterator[Change]:
    for text, (what, methods) in itertools.product(LEFT_OUT, KEEPING.items()):
        not_counted = {"take": partial(take, COUNTS[f"leaves out {text}"])}
        text = f"of all rows, {text} are neither counted nor {what}"
        yield Change(text, "swept", methods | not_counted, alone=True)
    for text, part, added in _added():
        in_sums, in_estimates = for_part(part, partial(_left, added)), partial(_counts, part, added)
        yield Change(f"{text} in {MEANS[part]}", f"counts {part}", {"left": in_sums}, alone=True)
        yield Change(
            f"{text} in {MEANS[part]} of the estimates", f"counts {part}", {"counts": in_estimates}, alone=True
        )
    for size in (4, 8, 32):
        text = f"topics of no tokens up to a multiple of {size} are in the sum of the weights"
        yield Change(text, "row", _padded_topics(size), alone=True)
    text = "W eta in the topic's term has words up to a multiple of {}"
    words = {size: lambda self, right, i, k, size=size: right(i, k) + (-self.W % size) * self.eta[-1][k]
             for size in (4, 8, 16, 32, 64, 128)}  # fmt: skip
    yield from of_table(words, "W eta topic", "W_eta", text, alone=True)


def _added() -> Iterator[tuple[str, str, Function]]:
    """What counts more or less often, in which sums."""
    for (text, places), part in itertools.product(PADDED.items(), MEANS):
        yield f"{text} with places that count as row 0", part, partial(_padding, places)
    groups = [(text, partial(of_documents, B), B) for B, text in DOCUMENTS.items()]
    groups += [(text, partial(of_rows, R), 0) for R, text in ROWS.items()]
    for text, group, B in groups:
        text = f"of the rows of a {{}} in {text}{{}} only the last counts"
        yield text.format("document", ""), "document", partial(_lost, group, SHARED["document"], 0)
        for part, padded in itertools.product(("word", "topics"), (0, B) if B else (0,)):
            name = text.format("word", " with padding" * bool(padded))
            yield name, part, partial(_lost, group, SHARED["word"], padded)
