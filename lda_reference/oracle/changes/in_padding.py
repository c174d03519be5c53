"""Changes of programs that pad their arrays: places of padding that count, and padded topics and words."""

import itertools
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from .change import MEANS, Change, Function, Method, Row, for_part, of_table, under

TABLES = {"document": (0,), "word": (1,), "topic": (2,), "topics": (1, 2), "all": (0, 1, 2)}  # N_jk, N_wk and N_k


def once(name: str, f: Function, self: Any) -> Any:
    """f of an algorithm at work, which is computed once."""
    if name not in vars(self):
        vars(self)[name] = f(self)
    return vars(self)[name]


def to_longest(documents: int, self: Any) -> list[int]:
    """The document of each place of padding, if each group of documents is padded to its longest."""
    lengths = [self.j.count(j) for j in range(self.D)]
    batches = [lengths[first : first + documents] for first in range(0, self.D, documents)]
    longest = [x for batch in batches for x in [max(batch)] * len(batch)]
    return [j for j in range(self.D) for _ in range(longest[j] - lengths[j])]


PADDED: dict[str, Callable[..., list[int]]] = {
    "all documents are padded to the longest": partial(to_longest, 10**9),
    **{f"each group of {B} documents is padded to its longest": partial(to_longest, B) for B in (2, 3, 4, 8)},
    **{f"the rows are padded to a multiple of {R}": lambda self, R=R: [0] * (-self.M % R)
       for R in (4, 8, 16, 32, 64, 128)},
}  # fmt: skip

Summands = Callable[[Any, Any], list[tuple[int, int, Row]]]  # of an algorithm and gamma


def _padding(places: Function, repeats: bool, self: Any, gamma: Any) -> list[tuple[int, int, Row]]:
    """The document, the word and the summand of each place: row 0 again, or a token of word 0 with a uniform gamma."""
    word, summand = 0, [1 / self.K] * self.K
    if repeats:
        word, summand = self.w[0], [self.n[0] * g for g in gamma[0]]
    return [(j, word, summand) for j in once("padding", places, self)]


def _N(summands: Summands, self: Any, right: Method, part: str, gamma: Any, i: int, k: int) -> Any:
    counted = {"document": lambda j, w: j == self.j[i], "word": lambda j, w: w == self.w[i]}.get(part)
    added = (x[k] for j, w, x in summands(self, gamma) if counted is None or counted(j, w))
    return right(part, gamma, i, k) + sum(added)


def _counts(part: str, summands: Summands, self: Any, right: Method) -> Any:
    tables = right()
    for j, w, x in summands(self, self.gamma):
        rows = tables[0][j], tables[1][w], tables[2]
        for place in TABLES[part]:
            rows[place][:] = [a + b for a, b in zip(rows[place], x, strict=True)]
    return tables


def _padded_topics(size: int, weight: float | None) -> dict[str, Method]:
    """Rows whose normaliser has topics up to a multiple of a size, of some weight or, if None, without tokens."""

    def weights(self: Any, right: Method, gamma: Any, i: int) -> Any:
        self.padded = weight
        if weight is None:
            self.padded = under(self, self.weight, gamma, i, self.K - 1, without_tokens=True)
        return right(gamma, i)

    def N(self: Any, right: Method, *arguments: Any) -> Any:
        return 0.0 if getattr(self, "without_tokens", None) else right(*arguments)

    def normalised(self: Any, right: Method, x: Row) -> Row:
        total = sum(x) + (-self.K % size) * self.padded
        return [v / total for v in x]

    methods: dict[str, Method] = {"weights": weights, "normalised": normalised}
    return methods | ({"N": N} if weight is None else {})


def changes() -> Iterator[Change]:
    for (padded, places), (part, name), repeats in itertools.product(PADDED.items(), MEANS.items(), (True, False)):
        content = "row 0" if repeats else "a token of word 0 with a uniform gamma"
        text, summands = f"{padded} with places that count as {content} in {name}", partial(_padding, places, repeats)
        yield Change(text, f"padding {part}", {"N": for_part(part, partial(_N, summands))}, alone=True)
        counts = {"counts": partial(_counts, part, summands)}
        yield Change(f"{text} of the estimates", f"padding {part}", counts, alone=True)
    for size in (4, 8, 32):
        for text, weight in (("of no tokens", None), ("of weight 1", 1.0)):
            text = f"topics {text} up to a multiple of {size} are in the sum of the weights"
            yield Change(text, "row", _padded_topics(size, weight), alone=True)
    text = "W eta in the topic's term has words up to a multiple of {}"
    words = {size: lambda self, right, i, k, size=size: right(i, k) + (-self.W % size) * self.eta[-1][k]
             for size in (4, 8, 16, 32, 64, 128)}  # fmt: skip
    yield from of_table(words, "W eta topic", "W_eta", text, alone=True)
