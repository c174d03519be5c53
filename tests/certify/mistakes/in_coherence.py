"""Mistakes in the coherence of topics."""

from __future__ import annotations

from typing import Any

from lda_reference.plain.coherence import NPMI
from lda_reference.plain.numbers import Number

from .mistaken import Mistakes, zero

EPSILON = "1e-12"  # what libraries add to a probability before they take its logarithm

MISTAKES = Mistakes()
coherence = MISTAKES.at(("lda",), ("coherence_umass", "coherence_npmi"))
umass, npmi = (MISTAKES.at(("lda",), (operation,)) for operation in ("coherence_umass", "coherence_npmi"))

# The words and their documents ---------------------------------------------------------------------------------------


def pairs_of_tokens(self: Any, right: Any, v: int, u: int) -> int:
    """The number of pairs of a token of v and one of u in the same document."""
    return sum(self.n[a] * self.n[b] for a in self.of_word(v) for b in self.of_word(u) if self.j[a] == self.j[b])


def below_one(self: Any, right: Any, earlier: int, later: int) -> Number:
    """The measure of a pair; a ValueError where P(v, u) of NPMI is 1 or more, and programs differ."""
    if isinstance(self, NPMI) and self.together(earlier, later) >= self.D:
        raise ValueError(f"P(v, u) of the words {earlier} and {later} is 1 or more")
    return right(earlier, later)


coherence(
    "tokens-for-documents",
    "D(v) counts the tokens of v, and D(v, u) the pairs of a token of v and one of u: both count documents",
    alone=lambda self, right, v: sum(self.n[i] for i in self.of_word(v)),
    together=pairs_of_tokens,
    of_pair=below_one,
)
coherence(
    "counts-multiplied",
    "D(v, u) is the sum of n_jv n_ju over documents, and D(v) that of n_jv²: a document counts once in both",
    alone=lambda self, right, v: self.together(v, v),
    together=pairs_of_tokens,
    of_pair=below_one,
)
coherence(
    "rows-for-documents",
    "D(v) counts the rows of v: a word may have two rows in a document, which counts once",
    alone=lambda self, right, v: len(self.of_word(v)),
)
coherence(
    "ties-by-larger-id",
    "words of equal probability are in the reverse order of their ids: the smallest id is the first",
    rank=lambda self, right, w, k: (right(w, k)[0], -w),
)
coherence(
    "least-probable-words",
    "the words are sorted from the least probable one: the most probable words are compared",
    rank=lambda self, right, w, k: (-right(w, k)[0], w),
)

# UMass ---------------------------------------------------------------------------------------------------------------


def with_epsilon(self: Any, right: Any, earlier: int, later: int) -> Number:
    """The logarithm of P(v_m, v_l) + 1e-12 over P(v_l)."""
    both, alone = (self.number(x) / self.D for x in (self.together(earlier, later), self.alone(earlier)))
    return self.log((both + self.number(EPSILON)) / alone)


umass(
    "one-forgotten",
    "no 1 is added to D(v_m, v_l): MIM11 [umass] adds it",
    of_pair=lambda self, right, v, u: self.log(self.number(self.together(v, u)) / self.alone(v)),
)
umass(
    "one-added-to-probability",
    "1 is added to D(v_m, v_l) / D, before it is divided by D(v_l) / D: MIM11 [umass] adds it to D(v_m, v_l)",
    of_pair=lambda self, right, v, u: self.log(self.number(self.together(v, u) + self.D) / self.alone(v)),
)
umass(
    "later-word-below",
    "D(v_m) of the less probable word is the denominator: in MIM11 [umass] it is D(v_l) of the more probable one",
    of_pair=lambda self, right, earlier, later: right(later, earlier),
)
umass(
    "pairs-in-both-orders",
    "the sum is over all m and l that differ: MIM11 [umass] has each pair once, with l below m",
    pairs=lambda self, right, words: [*right(words), *((u, v) for v, u in right(words))],
)
umass(
    "mean-over-pairs",
    "the sum is divided by the number of pairs: MIM11 [umass] is the sum",
    of_pairs=lambda self, right, pairs: right(pairs) / len(pairs),
)
umass(
    "mean-with-epsilon",
    "1e-12 is added to D(v_m, v_l) / D, and the mean over pairs is taken, as in some libraries: MIM11 [umass] adds 1 "
    "to D(v_m, v_l), and is the sum",
    of_pair=with_epsilon,
    of_pairs=lambda self, right, pairs: right(pairs) / len(pairs),
)
umass(
    "umass-in-bits",
    "the logarithms are to base 2: they are natural",
    of_pair=lambda self, right, v, u: right(v, u) / self.log(self.number(2)),
)

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


npmi(
    "sum-over-pairs",
    "the values of the pairs are added: NPMI of a topic is their mean",
    of_pairs=lambda self, right, pairs: right(pairs) * len(pairs),
)
npmi(
    "pmi-not-normalised",
    "log(P(v, u) / (P(v) P(u))) is not divided by -log P(v, u), as BOU09 [npmi] has it",
    of_pair=lambda self, right, v, u: pmi_of(self, share(self, self.together(v, u)), v, u),
)
npmi(
    "empty-documents-left-out",
    "D is the number of documents that have words: it is that of all documents, with the empty ones",
    documents=lambda self, right: len(set(self.j)),
)
npmi(
    "pairs-that-never-meet-left-out",
    "the mean is over the pairs that meet: it is over all pairs, and a pair that never meets has -1",
    pairs=lambda self, right, words: [pair for pair in right(words) if self.together(*pair)],
)
npmi(
    "zero-for-pairs-that-never-meet",
    "a pair that never meets has 0: it has -1, the limit for P(v, u) to 0",
    never=zero,
)
npmi(
    "zero-for-pairs-in-every-document",
    "a pair of words that are both in every document has 0: it has 1, the limit for P(v, u) to 1",
    everywhere=zero,
)
npmi(
    "epsilon-added",
    "1e-12 is added to P(v, u), as in some libraries: a pair that never meets then has more than -1, and a pair of "
    "words in every document -1 instead of 1",
    of_pair=epsilon_added,
)
npmi(
    "words-paired-with-themselves",
    "the mean is over all T² pairs, in which each word is paired with itself too: it is over pairs of two words",
    pairs=lambda self, right, words: [(v, u) for v in words for u in words],
)
