"""Mistakes in the coherence of topics."""

from typing import Any

from ....plain.coherence import NPMI
from ....plain.numbers import Number
from ..change import of_result
from .scopes import constant, where

LIBRARY_EPSILON = "1e-12"  # what libraries add to a probability before they take its logarithm

# The words and their documents ---------------------------------------------------------------------------------------


def below_one(self: Any, right: Any, v: int, u: int) -> Number:
    """The measure of a pair; a ValueError where P(v, u) of NPMI is 1 or more, and programs differ."""
    if isinstance(self, NPMI) and self.together(v, u) >= self.D:
        raise ValueError(f"P(v, u) of the words {v} and {u} is 1 or more")
    return right(v, u)


TOKEN_COUNTS = {  # the pairs of a token of v and one of u in the same document
    "together": lambda self, right, v, u: sum(
        self.n[a] * self.n[b] for a in self.of_word(v) for b in self.of_word(u) if self.j[a] == self.j[b]
    ),
    "of_pair": below_one,
}
EPSILON_ADDED = {"together": lambda self, right, v, u: right(v, u) + self.number(LIBRARY_EPSILON) * self.D}
coherence = where("lda", ("coherence_umass", "coherence_npmi")) | {
    "tokens-for-documents": (TOKEN_COUNTS, {"alone": lambda self, right, v: sum(self.n[i] for i in self.of_word(v))}),
    "counts-multiplied": (TOKEN_COUNTS, {"alone": lambda self, right, v: self.together(v, v)}),
    "rows-for-documents": {"alone": lambda self, right, v: len(self.of_word(v))},
    "ties-by-larger-id": {"rank": lambda self, right, w, k: (right(w, k)[0], -w)},
    "least-probable-words": {"rank": lambda self, right, w, k: (-right(w, k)[0], w)},
}

# UMass ---------------------------------------------------------------------------------------------------------------

MEAN_OF_PAIRS = {"of_pairs": lambda self, right, pairs: right(pairs) / len(pairs)}
ONE_FORGOTTEN = {"of_pair": lambda self, right, v, u: self.log(self.number(self.together(v, u)) / self.alone(v))}
umass = where("lda", "coherence_umass") | {
    "one-forgotten": ONE_FORGOTTEN,
    "one-added-to-probability": {"together": lambda self, right, v, u: right(v, u) + self.D - 1},  # UMass adds 1
    "later-word-below": {"of_pair": lambda self, right, earlier, later: right(later, earlier)},
    "pairs-in-both-orders": {"pairs": of_result(lambda self, pairs: [*pairs, *((u, v) for v, u in pairs)])},
    "mean-over-pairs": MEAN_OF_PAIRS,
    "mean-with-epsilon": (MEAN_OF_PAIRS, ONE_FORGOTTEN, EPSILON_ADDED),
    "umass-in-bits": "log x is log2 x",
}

# NPMI ----------------------------------------------------------------------------------------------------------------

npmi = where("lda", "coherence_npmi") | {
    "sum-over-pairs": {"of_pairs": lambda self, right, pairs: right(pairs) * len(pairs)},
    "pmi-not-normalised": {
        "of_pair": lambda self, right, v, u: self.pmi(
            *(self.number(x) / self.D for x in (self.together(v, u), self.alone(v), self.alone(u)))
        )
    },
    "empty-documents-left-out": {"documents": lambda self, right: len(set(self.j))},
    "pairs-that-never-meet-left-out": {
        "pairs": of_result(lambda self, pairs: [pair for pair in pairs if self.together(*pair)])
    },
    "zero-for-pairs-that-never-meet": {"never": constant(0)},
    "zero-for-pairs-in-every-document": {"everywhere": constant(0)},
    "epsilon-added": EPSILON_ADDED,
    "words-paired-with-themselves": {"pairs": lambda self, right, words: [(v, u) for v in words for u in words]},
}
