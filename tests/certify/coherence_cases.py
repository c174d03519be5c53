"""The corpora and the topics of the cases of coherence.

A word that occurs in no document has probability 0, so that it is never among the most probable ones: its coherence is
not defined. The prior of these cases is not used.
"""

from __future__ import annotations

from lda_reference.oracle.fresh.inputs import Documents, Inputs

from .plan import Problem

# 7 words. The words 0 and 4 never meet, nor do 2 and 3, and more. Words 0 and 4 have two rows in a document.
MEETING: Documents = [
    [(0, 2), (1, 1), (2, 3)], [(0, 1), (1, 2), (3, 1), (0, 1)], [], [(2, 1), (4, 2)], [(1, 1), (3, 2), (4, 1), (5, 1)],
    [(0, 1), (2, 2), (5, 3)], [(3, 1)], [(1, 4), (6, 1)], [(1, 1), (2, 1), (6, 2)], [(0, 1), (1, 1)],
    [(4, 1), (5, 1), (4, 2)], [(1, 1), (5, 2)],
]  # fmt: skip
# 5 words. Every two of them meet, and none is in every document.
DENSE: Documents = [
    [(0, 2), (1, 1), (2, 1)], [(0, 1), (3, 1), (4, 2)], [(1, 3), (2, 1), (3, 1)], [(0, 1), (1, 1), (4, 1), (2, 2)],
    [(2, 1), (3, 2), (4, 1)], [], [(1, 1), (4, 1)], [(0, 1)], [(0, 3), (2, 1), (0, 1)],
]  # fmt: skip
# 5 words, of which 0 and 1 are in every document
EVERYWHERE: Documents = [
    [(0, 1), (1, 2)], [(0, 3), (1, 1), (2, 1)], [(1, 1), (0, 1), (3, 2)], [(0, 2), (3, 1), (1, 1), (2, 1)],
    [(0, 1), (1, 1), (4, 1)], [(0, 1), (1, 2), (2, 2), (4, 1)], [(1, 3), (0, 1)],
]  # fmt: skip
ALONE: Documents = [[(0, 2)], [(0, 1)], [(1, 1)], [], [(2, 3)], [(2, 1)], [(2, 1)], [(3, 1)]]  # 4 words
ONE: Documents = [[(0, 2), (1, 1), (2, 1), (3, 5)]]  # 4 words

SOMETIMES = ((0, 5), (1, 37), (2, 53), (3, 11), (4, 61), (40, 41), (70, 29), (99, 67), (130, 31), (200, 59), (258, 43))


def many(inputs: Inputs) -> Documents:
    """25 documents of 14 words. Words with large ids are in more documents than words with small ones."""
    return [[(w, 1 + inputs.below(2)) for w in range(14) if inputs.rng.random() < 0.2 + w / 40] for _ in range(25)]


def hundreds() -> Documents:
    """300 documents of 260 words. Word 259 is in 290 of them, and eleven others in a few."""
    often = [[(w, 1) for w, period in SOMETIMES if d % period == 0] for d in range(300)]
    return [[*d, (259, 1)] if j % 30 else d for j, d in enumerate(often)]


# Equal probabilities: of all words, and of some inside the most probable ones or at their end
TIES = [[1, 1, 1, 1, 1, 1, 4], [1, 3, 1, 1, 2, 1, 1], [1, 1, 2, 2, 1, 2, 1], [2, 1, 1, 1, 1, 1, 3]]
TIES_OF_FIVE = [[2, 2, 2, 2, 2], [1, 1, 3, 3, 2], [1, 4, 2, 1, 2]]

# A problem, how many words are compared, and the topics that are not drawn
PROBLEMS: list[tuple[Problem, int, list[list[int]]]] = [
    ((note, documents, W, K, 0.1, 0.1), words, topics)
    for note, documents, W, words, K, topics in (
        ("counts above 1, an empty document, a word with two rows in a document", MEETING, 7, 3, 3, []),
        ("two words", MEETING, 7, 2, 5, []),
        ("all words", MEETING, 7, 7, 4, []),
        ("words that occur in no document, and have probability 0", MEETING, 9, 4, 3, []),
        ("one topic", MEETING, 7, 4, 1, []),
        ("every two words meet", DENSE, 5, 3, 4, []),
        ("every two words meet, all words", DENSE, 5, 5, 3, []),
        ("words of equal probability are taken in the order of their ids", MEETING, 7, 3, 4, TIES),
        ("words of equal probability are taken in the order of their ids", DENSE, 5, 2, 3, TIES_OF_FIVE),
        ("two words are in every document", EVERYWHERE, 5, 3, 4, []),
        ("two words are in every document, all words", EVERYWHERE, 5, 5, 3, []),
        ("two words are in every document but the empty one", [*EVERYWHERE, []], 5, 4, 3, []),
        ("no two words meet", ALONE, 4, 3, 3, []),
        ("one document", ONE, 4, 3, 2, []),
        ("ten words", many(Inputs("ten words")), 14, 10, 5, []),
        ("300 documents, of which 290 have word 259", hundreds(), 260, 12, 2, []),
    )
]
