"""Inputs that a port must refuse, and legal ones near the border."""

from __future__ import annotations

from lda_reference.oracle.fresh.inputs import Documents, Inputs, corpus
from lda_reference.oracle.fresh.rejects import of_four_words, of_three_words, unchanged
from lda_reference.plain.problem import Case
from lda_reference.plain.updates import SAMPLERS

from .plan import Plan
from .small_corpora import FULL

PAIR: Documents = [[(0, 1), (2, 1)], [(1, 1), (2, 1)]]  # 3 words
LARGE: Documents = [[(0, 300), (2, 1)], [(1, 1)], []]  # 3 words


def tokens(case: Case) -> None:
    """Replace types by tokens, so that a word has two rows in a document."""
    c = corpus("tokens", FULL, 4)
    case.update(corpus=c, state={"gamma": Inputs(case["id"] + "t").rows(len(c["n"]), 2)})


def rejects(plan: Plan) -> None:
    """Add the illegal inputs of an algorithm."""
    for entry in of_four_words(plan.name, tokens):
        plan.reject(*entry)


def borders(plan: Plan) -> None:
    """Add the inputs of an algorithm near the border."""
    for entry in of_three_words(plan.name):
        plan.reject(*entry, PAIR, 3)
    if plan.name in SAMPLERS:
        plan.reject("legal: a last document without rows", unchanged, [*PAIR, []], 3)
    elif plan.name != "cvb1s":
        plan.reject("legal: a last document without rows, and a count of 300", unchanged, LARGE, 3)
