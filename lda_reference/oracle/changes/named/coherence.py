"""Mistakes in the coherence of topics."""

from __future__ import annotations

from typing import Any

from ....plain.coherence import NPMI
from ....plain.numbers import Number
from .scopes import at, zero

EPSILON = "1e-12"  # what libraries add to a probability before they take its logarithm
coherence = at(("lda",), ("coherence_umass", "coherence_npmi"))
umass, npmi = (at(("lda",), (operation,)) for operation in ("coherence_umass", "coherence_npmi"))

# The words and their documents ---------------------------------------------------------------------------------------


def pairs_of_tokens(self: Any, right: Any, v: int, u: int) -> int:
    """The number of pairs of a token of v and one of u in the same document."""
    return sum(self.n[a] * self.n[b] for a in self.of_word(v) for b in self.of_word(u) if self.j[a] == self.j[b])


def below_one(self: Any, right: Any, earlier: int, later: int) -> Number:
    """The measure of a pair; a ValueError where P(v, u) of NPMI is 1 or more, and programs differ."""
    if isinstance(self, NPMI) and self.together(earlier, later) >= self.D:
        raise ValueError(f"P(v, u) of the words {earlier} and {later} is 1 or more")
    return right(earlier, later)


coherence |= {
    "tokens-for-documents": {
        "alone": lambda self, right, v: sum(self.n[i] for i in self.of_word(v)),
        "together": pairs_of_tokens,
        "of_pair": below_one,
    },
    "counts-multiplied": {
        "alone": lambda self, right, v: self.together(v, v),
        "together": pairs_of_tokens,
        "of_pair": below_one,
    },
    "rows-for-documents": {"alone": lambda self, right, v: len(self.of_word(v))},
    "ties-by-larger-id": {"rank": lambda self, right, w, k: (right(w, k)[0], -w)},
    "least-probable-words": {"rank": lambda self, right, w, k: (-right(w, k)[0], w)},
}

# UMass ---------------------------------------------------------------------------------------------------------------


def with_epsilon(self: Any, right: Any, earlier: int, later: int) -> Number:
    """The logarithm of P(v_m, v_l) + 1e-12 over P(v_l)."""
    both, alone = (self.number(x) / self.D for x in (self.together(earlier, later), self.alone(earlier)))
    return self.log((both + self.number(EPSILON)) / alone)


umass |= {
    "one-forgotten": {"of_pair": lambda self, right, v, u: self.log(self.number(self.together(v, u)) / self.alone(v))},
    "one-added-to-probability": {
        "of_pair": lambda self, right, v, u: self.log(self.number(self.together(v, u) + self.D) / self.alone(v))
    },
    "later-word-below": {"of_pair": lambda self, right, earlier, later: right(later, earlier)},
    "pairs-in-both-orders": {"pairs": lambda self, right, words: [*right(words), *((u, v) for v, u in right(words))]},
    "mean-over-pairs": {"of_pairs": lambda self, right, pairs: right(pairs) / len(pairs)},
    "mean-with-epsilon": {"of_pair": with_epsilon, "of_pairs": lambda self, right, pairs: right(pairs) / len(pairs)},
    "umass-in-bits": {"of_pair": lambda self, right, v, u: right(v, u) / self.log(self.number(2))},
}

# NPMI ----------------------------------------------------------------------------------------------------------------


def share(self: Any, documents: int) -> Number:
    """A number of documents, divided by that of all documents."""
    return documents / self.number(self.D)


def pmi_of(self: Any, both: Number, v: int, u: int) -> Number:
    """log(P(v, u) / (P(v) P(u))) for some P(v, u)."""
    return self.pmi(both, share(self, self.alone(v)), share(self, self.alone(u)))


def epsilon_added(self: Any, right: Any, v: int, u: int) -> Number:
    """NPMI with P(v, u) + 1e-12."""
    p = share(self, self.together(v, u)) + self.number(EPSILON)
    return pmi_of(self, p, v, u) / -self.log(p)


npmi |= {
    "sum-over-pairs": {"of_pairs": lambda self, right, pairs: right(pairs) * len(pairs)},
    "pmi-not-normalised": {"of_pair": lambda self, right, v, u: pmi_of(self, share(self, self.together(v, u)), v, u)},
    "empty-documents-left-out": {"documents": lambda self, right: len(set(self.j))},
    "pairs-that-never-meet-left-out": {
        "pairs": lambda self, right, words: [pair for pair in right(words) if self.together(*pair)]
    },
    "zero-for-pairs-that-never-meet": {"never": zero},
    "zero-for-pairs-in-every-document": {"everywhere": zero},
    "epsilon-added": {"of_pair": epsilon_added},
    "words-paired-with-themselves": {"pairs": lambda self, right, words: [(v, u) for v in words for u in words]},
}
