"""The corpora and the topics of the cases of coherence.

A word that occurs in no document has probability 0, so that it is never among the most probable ones: its coherence is
not defined. The prior of these cases is not used.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from lda_reference.oracle.fresh_inputs import Documents, Inputs
from lda_reference.plain.problem import Case

MEASURES = ("coherence_umass", "coherence_npmi")

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


def many(inputs: Inputs) -> Documents:
    """25 documents of 14 words. Words with large ids are in more documents than words with small ones."""
    return [[(w, 1 + inputs.below(2)) for w in range(14) if inputs.rng.random() < 0.2 + w / 40] for _ in range(25)]


class Problem(NamedTuple):
    """A case of coherence, without its random numbers.

    Attributes
    ----------
    note : str
    documents : list
    W, words : int
    topics : int or list
        K, or K topics: the probabilities of the words in tenths, which are then not drawn.
    """

    note: str
    documents: Documents
    W: int
    words: int
    topics: int | list[list[int]]

    @property
    def K(self) -> int:
        """The number of topics."""
        return self.topics if isinstance(self.topics, int) else len(self.topics)

    def given(self, case: Case, inputs: Inputs) -> dict[str, Any]:
        """phi_wk, and how many words are compared."""
        occur = {w for d in self.documents for w, _ in d}
        if isinstance(self.topics, int):
            columns = [iter(inputs.probabilities(len(occur))) for _ in range(self.topics)]
        else:
            columns = [iter([tenths / 10 for tenths in topic]) for topic in self.topics]
        phi = [[next(column) if w in occur else 0.0 for column in columns] for w in range(self.W)]
        return {"phi_wk": phi, "words": self.words}


# Equal probabilities: of all words, and of some inside the most probable ones or at their end
TIES = [[1, 1, 1, 1, 1, 1, 4], [1, 3, 1, 1, 2, 1, 1], [1, 1, 2, 2, 1, 2, 1], [2, 1, 1, 1, 1, 1, 3]]
TIES_OF_FIVE = [[2, 2, 2, 2, 2], [1, 1, 3, 3, 2], [1, 4, 2, 1, 2]]

PROBLEMS = (
    Problem("counts above 1, an empty document, a word with two rows in a document", MEETING, 7, 3, 3),
    Problem("two words", MEETING, 7, 2, 5),
    Problem("all words", MEETING, 7, 7, 4),
    Problem("words that occur in no document, and have probability 0", MEETING, 9, 4, 3),
    Problem("one topic", MEETING, 7, 4, 1),
    Problem("every two words meet", DENSE, 5, 3, 4),
    Problem("every two words meet, all words", DENSE, 5, 5, 3),
    Problem("words of equal probability are taken in the order of their ids", MEETING, 7, 3, TIES),
    Problem("words of equal probability are taken in the order of their ids", DENSE, 5, 2, TIES_OF_FIVE),
    Problem("two words are in every document", EVERYWHERE, 5, 3, 4),
    Problem("two words are in every document, all words", EVERYWHERE, 5, 5, 3),
    Problem("two words are in every document but the empty one", [*EVERYWHERE, []], 5, 4, 3),
    Problem("no two words meet", ALONE, 4, 3, 3),
    Problem("one document", ONE, 4, 3, 2),
    Problem("ten words", many(Inputs("ten words")), 14, 10, 5),
)
