"""Attributes of cases, with which the cases that fail are told from those that pass.

Each attribute is a text that completes the sentence "these are cases ...", and a function from a case to whether it is
true of the case.
"""

from __future__ import annotations

from collections.abc import Callable

from ..asking.loading import Case

STEPS = ("update", "draw", "sweep", "ten_sweeps", "converged")  # the operations that compute updates


def _flag(name: str) -> Callable[[Case], bool]:
    return lambda case: name in case.get("flags", ())


def _vector(name: str) -> Callable[[Case], bool]:
    return lambda case: isinstance(case["prior"][name], list)


def _number(name: str) -> Callable[[Case], bool]:
    return lambda case: not isinstance(case["prior"][name], list)


def _schedule(name: str) -> Callable[[Case], bool]:
    return lambda case: case["operation"] not in ("update", "draw") and case.get("schedule") == name


def _counts_above_one(case: Case) -> bool:
    return max(case["corpus"]["n"], default=0) > 1


def _word_twice(case: Case) -> bool:
    """Whether some document has two rows of the same word."""
    rows = list(zip(case["corpus"]["j"], case["corpus"]["w"], strict=True))
    return len(set(rows)) < len(rows)


def _row_count(case: Case) -> int:
    """The count of the row that is updated; 0 if the case has no such row."""
    return int(case["corpus"]["n"][case["row"]]) if "row" in case else 0


def _word_of_row_twice(case: Case) -> bool:
    """Whether the document of the row that is updated has another row of its word."""
    if "row" not in case:
        return False
    rows = list(zip(case["corpus"]["j"], case["corpus"]["w"], strict=True))
    return rows.count(rows[case["row"]]) > 1


def _certain(case: Case) -> bool:
    gamma = case.get("state", {}).get("gamma", [])
    return bool(gamma) and case["K"] > 1 and all(g in (0, 1) for row in gamma for g in row)


def _prior_above_one(case: Case) -> bool:
    """Whether some number of the prior is above 1 (for map, above 2)."""
    alpha, eta = (x if isinstance(x, list) else [x] for x in (case["prior"]["alpha"], case["prior"]["eta"]))
    return max(alpha + eta) > (2 if case["algorithm"] == "map" else 1)


def _no_training_tokens(case: Case) -> bool:
    """Whether a row of the test corpus has a document or a word without tokens."""
    c, test = case["corpus"], case.get("test", {})
    return bool(test) and not (set(test["j"]) <= set(c["j"]) and set(test["w"]) <= set(c["w"]))


ATTRIBUTES: dict[str, Callable[[Case], bool]] = {
    "with an asymmetric alpha": _vector("alpha"),
    "with an asymmetric eta": _vector("eta"),
    "with a number for alpha": _number("alpha"),
    "with a number for eta": _number("eta"),
    "with counts above 1": _counts_above_one,
    "without counts above 1": lambda case: not _counts_above_one(case),
    "with a word that has two rows in a document": _word_twice,
    "that update a row of count above 1": lambda case: _row_count(case) > 1,
    "that update a row of count 1": lambda case: _row_count(case) == 1,
    "that update one of two rows of a word in a document": _word_of_row_twice,
    "with the schedule token": _schedule("token"),
    "with the schedule document": _schedule("document"),
    "with the schedule corpus": _schedule("corpus"),
    "with an empty document": _flag("empty_document"),
    "with a word that does not occur": _flag("unseen_word"),
    "with one topic": lambda case: bool(case["K"] == 1),
    "with more than two topics": lambda case: bool(case["K"] > 2),
    "with one token in all": _flag("one_token"),
    "with priors of about 0.001": _flag("tiny_prior"),
    "with a prior above 1": _prior_above_one,
    "with rows that are certain of their topics": _certain,
    "with u on a boundary between topics": _flag("tie"),
    "that draw for a later token of a row": lambda case: case.get("token", 0) > 0,
    "that predict a document or a word without training tokens": _no_training_tokens,
}


def idle(case: Case) -> bool:
    """Whether a step of this case has the same answer with most mistakes: there is one topic."""
    return case["operation"] in STEPS and case["K"] == 1
