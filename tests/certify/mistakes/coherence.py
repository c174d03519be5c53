"""The coherence of topics."""

from __future__ import annotations

from collections.abc import Iterable

from lda_reference.plain.coherence import NPMI, Coherence, Pair, UMass
from lda_reference.plain.numbers import Number

from .libraries import OfOperation

EPSILON = "1e-12"  # what libraries add to a probability before they take its logarithm

# The words and their documents ---------------------------------------------------------------------------------------


class TokensCounted(OfOperation, Coherence):
    name = "tokens-for-documents"
    text = "D(v) counts the tokens of v, and D(v, u) the pairs of a token of v and one of u: both count documents"

    def alone(self, v: int) -> int:
        return sum(self.n[i] for i in self.of_word(v))

    def together(self, v: int, u: int) -> int:
        return sum(self.n[a] * self.n[b] for a in self.of_word(v) for b in self.of_word(u) if self.j[a] == self.j[b])


class CountsMultiplied(TokensCounted):
    name = "counts-multiplied"
    text = "D(v, u) is the sum of n_jv n_ju over documents, and D(v) that of n_jv²: a document counts once in both"

    def alone(self, v: int) -> int:
        return self.together(v, v)


class BelowOne(NPMI):
    """NPMI of numbers that need not count documents; a ValueError if P(v, u) is 1 or more, where programs differ."""

    def of_pair(self, earlier: int, later: int) -> Number:
        if self.together(earlier, later) >= self.D:
            raise ValueError(f"P(v, u) of the words {earlier} and {later} is 1 or more")
        return super().of_pair(earlier, later)


class TokensCountedInNPMI(TokensCounted, BelowOne):
    name = TokensCounted.name
    text = TokensCounted.text


class CountsMultipliedInNPMI(CountsMultiplied, BelowOne):
    name = CountsMultiplied.name
    text = CountsMultiplied.text


class RowsCounted(OfOperation, Coherence):
    name = "rows-for-documents"
    text = "D(v) counts the rows of v: a word may have two rows in a document, which counts once"

    def alone(self, v: int) -> int:
        return len(self.of_word(v))


class TiesByLargerId(OfOperation, Coherence):
    name = "ties-by-larger-id"
    text = "words of equal probability are in the reverse order of their ids: the smallest id is the first"

    def rank(self, w: int, k: int) -> tuple[float, int]:
        return super().rank(w, k)[0], -w


class LeastProbableWords(OfOperation, Coherence):
    name = "least-probable-words"
    text = "the words are sorted from the least probable one: the most probable words are compared"

    def rank(self, w: int, k: int) -> tuple[float, int]:
        return -super().rank(w, k)[0], w


# UMass ---------------------------------------------------------------------------------------------------------------


class OneForgotten(OfOperation, UMass):
    name = "one-forgotten"
    text = "no 1 is added to D(v_m, v_l): MIM11 [umass] adds it"

    def of_pair(self, earlier: int, later: int) -> Number:
        return self.log(self.number(self.together(earlier, later)) / self.alone(earlier))


class OneAddedToProbability(OfOperation, UMass):
    name = "one-added-to-probability"
    text = "1 is added to D(v_m, v_l) / D, before it is divided by D(v_l) / D: MIM11 [umass] adds it to D(v_m, v_l)"

    def of_pair(self, earlier: int, later: int) -> Number:
        return self.log(self.number(self.together(earlier, later) + self.D) / self.alone(earlier))


class LaterWordBelow(OfOperation, UMass):
    name = "later-word-below"
    text = "D(v_m) of the less probable word is the denominator: in MIM11 [umass] it is D(v_l) of the more probable one"

    def of_pair(self, earlier: int, later: int) -> Number:
        return super().of_pair(later, earlier)


class PairsInBothOrders(OfOperation, UMass):
    name = "pairs-in-both-orders"
    text = "the sum is over all m and l that differ: MIM11 [umass] has each pair once, with l below m"

    def pairs(self, words: list[int]) -> list[Pair]:
        once = super().pairs(words)
        return [*once, *((u, v) for v, u in once)]


class MeanOverPairs(OfOperation, UMass):
    name = "mean-over-pairs"
    text = "the sum is divided by the number of pairs: MIM11 [umass] is the sum"

    def of_pairs(self, pairs: Iterable[Pair]) -> Number:
        found = list(pairs)
        return super().of_pairs(found) / len(found)


class MeanWithEpsilon(MeanOverPairs):
    name = "mean-with-epsilon"
    text = (
        "1e-12 is added to D(v_m, v_l) / D, and the mean over pairs is taken, as in some libraries: MIM11 [umass] adds "
        "1 to D(v_m, v_l), and is the sum"
    )

    def of_pair(self, earlier: int, later: int) -> Number:
        return self.log((self.number(self.together(earlier, later)) / self.D + self.number(EPSILON)) / (self.number(self.alone(earlier)) / self.D))


class UMassInBits(OfOperation, UMass):
    name = "umass-in-bits"
    text = "the logarithms are to base 2: they are natural"

    def of_pair(self, earlier: int, later: int) -> Number:
        return super().of_pair(earlier, later) / self.log(self.number(2))


# NPMI ----------------------------------------------------------------------------------------------------------------


class SumOverPairs(OfOperation, NPMI):
    name = "sum-over-pairs"
    text = "the values of the pairs are added: NPMI of a topic is their mean"

    def of_pairs(self, pairs: Iterable[Pair]) -> Number:
        found = list(pairs)
        return super().of_pairs(found) * len(found)


class NotNormalised(OfOperation, NPMI):
    name = "pmi-not-normalised"
    text = "log(P(v, u) / (P(v) P(u))) is not divided by -log P(v, u), as BOU09 [npmi] has it"

    def of_pair(self, earlier: int, later: int) -> Number:
        D = self.number(self.D)
        return self.pmi(self.together(earlier, later) / D, self.alone(earlier) / D, self.alone(later) / D)


class EmptyDocumentsLeftOut(OfOperation, NPMI):
    name = "empty-documents-left-out"
    text = "D is the number of documents that have words: it is that of all documents, with the empty ones"

    def documents(self) -> int:
        return len(set(self.j))


class PairsThatNeverMeetLeftOut(OfOperation, NPMI):
    name = "pairs-that-never-meet-left-out"
    text = "the mean is over the pairs that meet: it is over all pairs, and a pair that never meets has -1"

    def pairs(self, words: list[int]) -> list[Pair]:
        return [pair for pair in super().pairs(words) if self.together(*pair)]


class ZeroForPairsThatNeverMeet(OfOperation, NPMI):
    name = "zero-for-pairs-that-never-meet"
    text = "a pair that never meets has 0: it has -1, the limit for P(v, u) to 0"

    def never(self) -> Number:
        return self.number(0)


class ZeroForPairsInEveryDocument(OfOperation, NPMI):
    name = "zero-for-pairs-in-every-document"
    text = "a pair of words that are both in every document has 0: it has 1, the limit for P(v, u) to 1"

    def everywhere(self) -> Number:
        return self.number(0)


class EpsilonAdded(OfOperation, NPMI):
    name = "epsilon-added"
    text = (
        "1e-12 is added to P(v, u), as in some libraries: a pair that never meets then has more than -1, and a pair of "
        "words in every document -1 instead of 1"
    )

    def of_pair(self, earlier: int, later: int) -> Number:
        D = self.number(self.D)
        p = self.together(earlier, later) / D + self.number(EPSILON)
        return self.pmi(p, self.alone(earlier) / D, self.alone(later) / D) / -self.log(p)


class WordsPairedWithThemselves(OfOperation, NPMI):
    name = "words-paired-with-themselves"
    text = "the mean is over all T² pairs, in which each word is paired with itself too: it is over pairs of two words"

    def pairs(self, words: list[int]) -> list[Pair]:
        return [(v, u) for v in words for u in words]


OF_WORDS = (RowsCounted, TiesByLargerId, LeastProbableWords)
OF_UMASS = (
    TokensCounted, CountsMultiplied, *OF_WORDS,
    OneForgotten, OneAddedToProbability, LaterWordBelow, PairsInBothOrders, MeanOverPairs, MeanWithEpsilon, UMassInBits,
)  # fmt: skip
OF_NPMI = (
    TokensCountedInNPMI, CountsMultipliedInNPMI, *OF_WORDS,
    SumOverPairs, NotNormalised, EmptyDocumentsLeftOut, PairsThatNeverMeetLeftOut, ZeroForPairsThatNeverMeet,
    ZeroForPairsInEveryDocument, EpsilonAdded, WordsPairedWithThemselves,
)  # fmt: skip
