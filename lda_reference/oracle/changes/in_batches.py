"""Changes of programs for batches and devices: padding that counts, rows left over, additions that are lost."""

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Any

from .change import MEANS, Change, Function, Method, Row, for_part, of_table, under
from .in_steps import LEFT_OUT
from .in_sums import COUNT_CHANGES, take

PLACES = {"document": (0,), "word": (1,), "topic": (2,), "topics": (1, 2), "all": (0, 1, 2)}  # of N_jk, N_wk and N_k
AddedTokens = list[tuple[int, int, int]]  # a document, a row and how many more of its tokens count, in this document
Group = Callable[..., int]  # the number of the group with which a row is worked on, of an algorithm and the row
Keys = Callable[[Any, int], Any]
SHARED_KEYS: dict[str, Keys] = {"document": lambda self, r: self.j[r], "word": lambda self, r: self.w[r]}


def of_documents(B: int, self: Any, r: int, *unused: Any) -> int:
    return self.j[r] // B


def of_rows(R: int, self: Any, r: int, *unused: Any) -> int:
    return r // R


DOCUMENT_GROUPS = {B: f"each group of {B} documents" for B in (2, 3, 4, 8)} | {10**9: "the corpus"}
ROW_GROUPS = {R: f"each group of {R} rows" for R in (2, 4, 8, 32)}


def _to_longest(group_size: int, self: Any) -> Sequence[int]:
    """The document of each place of padding, if each group of documents is padded to its longest."""
    return _places_of_padding(group_size, self.D, tuple(self.j))


@lru_cache(maxsize=16)  # many changes ask for the same places, of which empty documents have many
def _places_of_padding(group_size: int, D: int, document_of_row: Sequence[int]) -> Sequence[int]:
    rows_of_document = Counter(document_of_row)
    lengths = [rows_of_document[j] for j in range(D)]
    longest_of_group = [max(lengths[first_j : first_j + group_size]) for first_j in range(0, D, group_size)]
    return [j for j in range(D) for _ in range(longest_of_group[j // group_size] - lengths[j])]


PADDINGS: dict[str, Callable[..., Sequence[int]]] = {
    "all documents are padded to the longest": partial(_to_longest, 10**9),
    **{f"each group of {B} documents is padded to its longest": partial(_to_longest, B) for B in (2, 3, 4, 8)},
    **{f"the rows are padded to a multiple of {R}": lambda self, R=R: [0] * (-self.M % R)
       for R in (4, 8, 16, 32, 64, 128)},
}  # fmt: skip


def _lost(group_of_row: Group, key_of_row: Keys, group_size: int, self: Any) -> AddedTokens:
    """Of the rows of a group that add to the same place, the last alone counts.

    Groups of some documents may be padded with the word of row 0, whose last place is then often one of padding.
    """
    last_rows = {(group_of_row(self, r), key_of_row(self, r)): r for r in range(self.M)}
    for j in _to_longest(group_size, self) if group_size else ():
        group_and_word = j // group_size, self.w[0]
        if group_and_word in last_rows and j >= self.j[last_rows[group_and_word]]:
            del last_rows[group_and_word]
    return [(self.j[r], r, -self.n[r]) for r in {*range(self.M)} - {*last_rows.values()}]


def _once(make_added: Function, self: Any) -> AddedTokens:
    if not hasattr(self, "added"):
        self.added = make_added(self)
    return self.added


def _left(make_added: Function, self: Any, right: Method, part: str, i: int) -> Any:
    """The rows of a sum, of which more or fewer tokens count; what is excluded is taken off all the same."""
    tokens_of_row = dict(right(part, i))
    for j, r, extra_tokens in _once(make_added, self):
        if {"document": j == self.j[i], "word": self.w[r] == self.w[i]}.get(part, True):
            tokens_of_row[r] = tokens_of_row.get(r, 0) + extra_tokens
    return list(tokens_of_row.items())


def _counts(part: str, make_added: Function, self: Any, right: Method) -> Any:
    count_tables = right()
    for j, r, tokens in _once(make_added, self):
        sums_of_row = count_tables[0][j], count_tables[1][self.w[r]], count_tables[2]
        for index in PLACES[part]:
            sums_of_row[index][:] = [x + tokens * g for x, g in zip(sums_of_row[index], self.gamma[r], strict=True)]
    return count_tables


def _padded_topics(multiple: int) -> dict[str, Method]:
    """Rows whose normaliser has topics without tokens up to a multiple of a size."""

    def weights(self: Any, right: Method, gamma: Any, i: int) -> Any:
        self.padded = under(self, self.weight, gamma, i, self.K - 1, without_tokens=True)
        return right(gamma, i)

    def N(self: Any, right: Method, *arguments: Any) -> Any:
        return 0.0 if getattr(self, "without_tokens", None) else right(*arguments)

    def normalised(self: Any, right: Method, x: Row) -> Row:
        padded_total = sum(x) + (-self.K % multiple) * self.padded
        return [weight / padded_total for weight in x]

    return {"weights": weights, "normalised": normalised, "N": N}


# What keeps the gamma of the rows that are left out, whose count is 0
KEEPING: dict[str, dict[str, Method]] = {
    "swept": {"swept": lambda self, right: [r for r in range(self.M) if self.n[r]]},
    "updated": {
        "update": lambda self, right: right() if self.n[self.case["row"]] else {"gamma_k": self.gamma[self.case["row"]]}
    },
}


def changes() -> Iterator[Change]:
    for text, (verb, methods) in itertools.product(LEFT_OUT, KEEPING.items()):
        uncounted_methods = {"take": partial(take, COUNT_CHANGES[f"leaves out {text}"])}
        text = f"of all rows, {text} are neither counted nor {verb}"
        yield Change(text, "swept", methods | uncounted_methods, alone=True)
    for text, part, make_added in _added():
        new_left, new_counts = for_part(part, partial(_left, make_added)), partial(_counts, part, make_added)
        yield Change(f"{text} in {MEANS[part]}", f"counts {part}", {"left": new_left}, alone=True)
        yield Change(
            f"{text} in {MEANS[part]} of the estimates", f"counts {part}", {"counts": new_counts}, alone=True
        )
    for multiple in (4, 8, 32):
        text = f"topics of no tokens up to a multiple of {multiple} are in the sum of the weights"
        yield Change(text, "row", _padded_topics(multiple), alone=True)
    text = "W eta in the topic's term has words up to a multiple of {}"
    new_W_eta = {multiple: lambda self, right, i, k, size=multiple: right(i, k) + (-self.W % size) * self.eta[-1][k]
             for multiple in (4, 8, 16, 32, 64, 128)}  # fmt: skip
    yield from of_table(new_W_eta, "W eta topic", "W_eta", text, alone=True)


def _added() -> Iterator[tuple[str, str, Function]]:
    """What counts more or less often, in which sums."""
    for (text, padding_function), part in itertools.product(PADDINGS.items(), MEANS):
        text = f"{text} with places that count as row 0"
        yield text, part, lambda self, places=padding_function: [(j, 0, self.n[0]) for j in places(self)]
    group_triples = [(text, partial(of_documents, B), B) for B, text in DOCUMENT_GROUPS.items()]
    group_triples += [(text, partial(of_rows, R), 0) for R, text in ROW_GROUPS.items()]
    for text, group_of_row, padding_size in group_triples:
        text = f"of the rows of a {{}} in {text}{{}} only the last counts"
        yield text.format("document", ""), "document", partial(_lost, group_of_row, SHARED_KEYS["document"], 0)
        for part, group_size in itertools.product(("word", "topics"), (0, padding_size) if padding_size else (0,)):
            padded_text = text.format("word", " with padding" * bool(group_size))
            yield padded_text, part, partial(_lost, group_of_row, SHARED_KEYS["word"], group_size)
