"""Changes of programs that pad their arrays: places of padding that count, and padded topics and words."""

import itertools
from collections.abc import Callable, Iterator
from typing import Any

from .change import Change, Method, Row, at, under

PARTS = {"document": "N_jk", "word": "N_wk", "topic": "N_k", "topics": "each of N_wk and N_k",
         "all": "each of the three sums"}  # fmt: skip
TABLES = {"document": (0,), "word": (1,), "topic": (2,), "topics": (1, 2), "all": (0, 1, 2)}  # N_jk, N_wk and N_k


def once(self: Any, name: str, f: Callable[[], Any]) -> Any:
    """A value that is computed once for each algorithm at work."""
    if name not in vars(self):
        vars(self)[name] = f()
    return vars(self)[name]


def to_longest(documents: int) -> Callable[[Any], list[int]]:
    """The document of each place of padding, if each group of documents is padded to its longest."""

    def places(self: Any) -> list[int]:
        lengths = [0] * self.D
        for j in self.j:
            lengths[j] += 1
        batches = [lengths[first : first + documents] for first in range(0, self.D, documents)]
        longest = [x for batch in batches for x in [max(batch)] * len(batch)]
        return [j for j in range(self.D) for _ in range(longest[j] - lengths[j])]

    return places


def _to_multiple(rows: int) -> Callable[[Any], list[int]]:
    return lambda self: [0] * (-self.M % rows)


PADDED: dict[str, Callable[[Any], list[int]]] = {
    "all documents are padded to the longest": to_longest(10**9),
    **{f"each group of {B} documents is padded to its longest": to_longest(B) for B in (2, 3, 4, 8)},
    **{f"the rows are padded to a multiple of {R}": _to_multiple(R) for R in (4, 8, 16, 32, 64, 128)},
}


def _padding(places: Callable[[Any], list[int]], repeats: bool) -> Callable[[Any, Any], list[tuple[int, int, Row]]]:
    """The document, the word and the summand of each place: row 0 again, or a token of word 0 with a uniform gamma."""

    def summands(self: Any, gamma: Any) -> list[tuple[int, int, Row]]:
        word, summand = 0, [1 / self.K] * self.K
        if repeats:
            word, summand = self.w[0], [self.n[0] * g for g in gamma[0]]
        return [(j, word, summand) for j in once(self, "padding", lambda: places(self))]

    return summands


def _padded_sum(summands: Callable[[Any, Any], list[tuple[int, int, Row]]]) -> Method:
    def N(self: Any, right: Method, part: str, gamma: Any, i: int, k: int) -> Any:
        counted = {"document": lambda j, w: j == self.j[i], "word": lambda j, w: w == self.w[i]}.get(part)
        added = (x[k] for j, w, x in summands(self, gamma) if counted is None or counted(j, w))
        return right(part, gamma, i, k) + sum(added)

    return N


def _padded_counts(part: str, summands: Callable[[Any, Any], list[tuple[int, int, Row]]]) -> Method:
    def counts(self: Any, right: Method) -> Any:
        tables = right()
        for j, w, x in summands(self, self.gamma):
            rows = tables[0][j], tables[1][w], tables[2]
            for place in TABLES[part]:
                rows[place][:] = [a + b for a, b in zip(rows[place], x, strict=True)]
        return tables

    return counts


def _padded_topics(size: int, weight: float | None) -> dict[str, Method]:
    """Rows whose normaliser has topics up to a multiple of a size, of some weight or, if None, without tokens."""

    def weights(self: Any, right: Method, gamma: Any, i: int) -> Any:
        self.padded = 0.0
        if weight is None:
            self.padded = under(self, self.weight, gamma, i, self.K - 1, without_tokens=True)
        else:
            self.padded = weight
        return right(gamma, i)

    def N(self: Any, right: Method, *given: Any) -> Any:
        return 0.0 if getattr(self, "without_tokens", None) else right(*given)

    def normalised(self: Any, right: Method, x: Row) -> Row:
        total = sum(x) + (-self.K % size) * self.padded
        return [v / total for v in x]

    methods: dict[str, Method] = {"weights": weights, "normalised": normalised}
    return methods | ({"N": N} if weight is None else {})


def _padded_words(size: int) -> Method:
    return lambda self, right, i, k: right(i, k) + (-self.W % size) * self.eta[-1][k]


def changes() -> Iterator[Change]:
    """All changes of padding."""
    for (padded, places), (part, name), repeats in itertools.product(PADDED.items(), PARTS.items(), (True, False)):
        content = "row 0" if repeats else "a token of word 0 with a uniform gamma"
        text, summands = f"{padded} with places that count as {content} in {name}", _padding(places, repeats)
        yield Change(text, f"padding {part}", {"N": at(part, _padded_sum(summands))}, alone=True)
        counts = {"counts": _padded_counts(part, summands)}
        yield Change(f"{text} of the estimates", f"padding {part}", counts, alone=True)
    for size in (4, 8, 32):
        for text, weight in (("of no tokens", None), ("of weight 1", 1.0)):
            text = f"topics {text} up to a multiple of {size} are in the sum of the weights"
            yield Change(text, "row", _padded_topics(size, weight), alone=True)
    for size in (4, 8, 16, 32, 64, 128):
        text = f"W eta in the topic's term has words up to a multiple of {size}"
        yield Change(text, "W eta topic", {"W_eta": _padded_words(size)}, alone=True)
