"""The coherence of topics: how often their most probable words are in the same documents.

D(v) is the number of documents that contain v, D(v, u) that of the documents that contain both, and D that of all
documents, with the empty ones. UMass is a sum over pairs of words, MIM11 [umass], and NPMI a mean, BOU09 [npmi].
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import Any

from .numbers import Number
from .sweeps import Algorithm

Pair = tuple[int, int]  # two words, the more probable one first


class Coherence(Algorithm):
    """The coherence of each topic, from the measure of each pair of its words."""

    of_pair: Callable[[int, int], Number]
    of_pairs: Callable[[Iterable[Pair]], Number]

    def answer(self) -> dict[str, Any]:
        return {"coherence": [self.of_pairs(self.pairs(self.best_words(k))) for k in range(self.K)]}

    def best_words(self, k: int) -> list[int]:
        """The most probable words of topic k; a ValueError if one of them is in no document."""
        top_words = sorted(range(self.W), key=lambda w: self.rank(w, k))[: self.case["words"]]
        for v in top_words:
            if not self.documents_of(v):
                raise ValueError(f"word {v} is among the most probable of topic {k} and is in no document")
        return top_words

    def rank(self, w: int, k: int) -> tuple[float, int]:
        """What the words of topic k are sorted by. phi is compared as it is given, so that ties stay ties."""
        return -self.case["phi_wk"][w][k], w

    def pairs(self, words: list[int]) -> list[Pair]:
        """Each pair of the words once."""
        return list(itertools.combinations(words, 2))

    def documents_of(self, v: int) -> set[int]:
        """The documents that contain v."""
        return {self.j[i] for i in self.of_word(v)}

    def alone(self, v: int) -> int:
        """D(v)."""
        return len(self.documents_of(v))

    def together(self, v: int, u: int) -> int:
        """D(v, u)."""
        return len(self.documents_of(v) & self.documents_of(u))

    def documents(self) -> int:
        """D."""
        return self.D


class UMass(Coherence):
    """The logarithms of how many of the documents of a word also contain a less probable word."""

    def of_pairs(self, pairs: Iterable[Pair]) -> Number:
        return self.sum(self.of_pair(*pair) for pair in pairs)  # MIM11 [umass]

    def of_pair(self, v: int, u: int) -> Number:
        return self.log(self.number(self.together(v, u) + 1) / self.alone(v))  # MIM11 [umass]


class NPMI(Coherence):
    """Normalised pointwise mutual information."""

    def of_pairs(self, pairs: Iterable[Pair]) -> Number:
        npmi_of_pairs = [self.of_pair(*pair) for pair in pairs]
        return self.sum(npmi_of_pairs) / len(npmi_of_pairs)

    def of_pair(self, v: int, u: int) -> Number:
        n_together, D = self.together(v, u), self.number(self.documents())
        if n_together == 0:
            return self.never()
        if n_together == D:
            return self.everywhere()
        p_both = n_together / D
        return self.pmi(p_both, self.alone(v) / D, self.alone(u) / D) / -self.log(p_both)  # BOU09 [npmi]

    def pmi(self, p_both: Number, p_v: Number, p_u: Number) -> Number:
        """The pointwise mutual information of two words, from their probabilities."""
        return self.log(p_both / (p_v * p_u))

    def never(self) -> Number:
        """The limit for words that never meet."""
        return self.number(-1)

    def everywhere(self) -> Number:
        """The limit for words that are both in every document."""
        return self.number(1)
