"""Where in the answers the wrong numbers are: what is true of all of several failed cases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..asking.loading import Case
from .symptoms import Entry, entries


def of_places(cases: Sequence[Case], answers: Sequence[Any]) -> tuple[str, int] | None:
    """Where in all these answers the wrong numbers are, and how many numbers are elsewhere, or None."""
    found = [(case, entries(case, answer)) for case, answer in zip(cases, answers, strict=True)]
    numbers = [(case, x) for case, x in found if x]
    if len(numbers) < 2 or len(numbers) < len(found):
        return None
    for text, place in PLACES.items():
        pairs = [(bool(place(case, e)), e.wrong) for case, x in numbers for e in x]
        here, elsewhere = (sum(told == there for told, _ in pairs) for there in (True, False))
        wrong = sum(is_wrong for _, is_wrong in pairs)
        if all(told for told, is_wrong in pairs if is_wrong) and elsewhere >= len(numbers) and 2 * wrong >= here:
            return f"only {text} wrong", elsewhere
    return None


def _of_field(name: str) -> Callable[[Case, Entry], bool]:
    return lambda case, e: e.field == name


def _document(case: Case, e: Entry) -> int:
    """The document of an entry; -1 if it has none."""
    if e.field == "theta_jk":
        return e.index[0]
    if e.field == "gamma" and len(e.index) == 2:
        return int(case["corpus"]["j"][e.index[0]])
    return int(case["test"]["j"][e.index[0]]) if e.field == "token_probability" else -1


def _word(case: Case, e: Entry) -> int:
    """The word of an entry; -1 if it has none."""
    if e.field == "phi_wk":
        return e.index[0]
    return int(case["test"]["w"][e.index[0]]) if e.field == "token_probability" else -1


def _empty_document(case: Case, e: Entry) -> bool:
    j = _document(case, e)
    return j >= 0 and j not in case["corpus"]["j"]


def _unseen_word(case: Case, e: Entry) -> bool:
    w = _word(case, e)
    return w >= 0 and w not in case["corpus"]["w"]


def _row(e: Entry) -> int:
    return e.index[0] if e.field == "gamma" and len(e.index) == 2 else -1


def _of_last_document(case: Case, e: Entry) -> bool:
    return _row(e) >= 0 and _document(case, e) == case["corpus"]["j"][-1]


def _after_first_document(case: Case, e: Entry) -> bool:
    return _row(e) >= 0 and _document(case, e) > case["corpus"]["j"][0]


PLACES: dict[str, Callable[[Case, Entry], bool]] = {
    "theta_jk of documents without tokens is": lambda case, e: e.field == "theta_jk" and _empty_document(case, e),
    "the numbers of documents without tokens are": _empty_document,
    "phi_wk of words that do not occur is": lambda case, e: e.field == "phi_wk" and _unseen_word(case, e),
    "the numbers of words that do not occur are": _unseen_word,
    "the perplexity is": _of_field("perplexity"),
    "alpha is": _of_field("alpha"),
    "eta is": _of_field("eta"),
    "the last topic's numbers are": lambda case, e: len(e.index) > 1 and e.index[-1] == case["K"] - 1,
    "gamma of the last row is": lambda case, e: _row(e) == len(case["corpus"]["n"]) - 1,
    "gamma of the last document's rows is": _of_last_document,
    "gamma of rows of count above 1 is": lambda case, e: _row(e) >= 0 and case["corpus"]["n"][_row(e)] > 1,
    "gamma of the rows after the first document's is": _after_first_document,
    "gamma of the rows after the first is": lambda case, e: _row(e) > 0,
    "theta_jk is": _of_field("theta_jk"),
    "phi_wk is": _of_field("phi_wk"),
}  # fmt: skip
