"""Mistakes of porters in the update: its terms, its exclusion, its functions and its numbers. No list has them.

Each is a class that comes before that of an algorithm in plain text. Its name gives the id, and its docstring is the
truth about the port.
"""

import math
import re
from typing import NamedTuple

from lda_reference.plain.numbers import digamma

from .faulty import Port, float32


class Mistake(NamedTuple):
    """One mistake or two: what is wrong, the algorithms of the port that makes it, and the classes."""

    truth: str
    algorithms: tuple[str, ...]
    layers: tuple[type, ...]


def planter(table):
    """A decorator that adds a class to a table of mistakes by its id; it takes the names of algorithms."""

    def plant(algorithms):
        def add(layer):
            table[id_of(layer)] = Mistake(layer.__doc__, tuple(algorithms.split()), (layer,))
            return layer

        return add

    return plant


def id_of(layer):
    """WordsLessOne is words-less-one."""
    return re.sub("(?<!^)(?=[A-Z])", "-", layer.__name__).lower()


def plant_pair(table, algorithms, first, second):
    """Add two mistakes that one port makes."""
    truth = f"{first.__doc__} {second.__doc__}"
    table[f"{id_of(first)}+{id_of(second)}"] = Mistake(truth, tuple(algorithms.split()), (first, second))


UPDATES = {}
plant = planter(UPDATES)


# The terms -----------------------------------------------------------------------------------------------------------


@plant("cvb0 vb")
class WordsLessOne(Port):
    """The topic term has eta of W - 1 words, all but the last, where it has the sum over W words."""

    def W_eta(self, i, k):
        return super().W_eta(i, k) - self.eta[-1][k]


@plant("cvb0 cgs")
class EtaOfDocumentsWords(Port):
    """The sum of eta in the topic term is over the different words of the document, and not over all W words."""

    def W_eta(self, i, k):
        return sum(self.eta[w][k] for w in {self.w[r] for r in self.of_document(self.j[i])})


@plant("cvb0 vb")
class AlphaInTopicTerm(Port):
    """The topic term has W alpha_k where it has W eta."""

    def W_eta(self, i, k):
        return self.W * self.alpha[k]


@plant("cvb0 tcvb0")
class TopicTermMultiplied(Port):
    """The weight is multiplied by the topic term, by which it is divided."""

    def topic(self, gamma, i, k):
        return 1 / super().topic(gamma, i, k)


@plant("cvb0 cgs")
class DocumentTermSquared(Port):
    """The document term N_jk + alpha_k is squared."""

    def document(self, gamma, i, k):
        return super().document(gamma, i, k) ** 2


@plant("ml map")
class WordTermSquared(Port):
    """The word term is squared."""

    def word(self, gamma, i, k):
        return super().word(gamma, i, k) ** 2


@plant("cvb0 cgs")
class WordTableMisread(Port):
    """N_wk is written at w K + k of a flat table and read at k W + w."""

    def N(self, part, gamma, i, k):
        if part != "word":
            return super().N(part, gamma, i, k)
        w, at = divmod(k * self.W + self.w[i], self.K)
        return sum((self.n[r] - self.excluded(part, i, r)) * gamma[r][at] for r in self.of_word(w))


@plant("vb map")
class DocumentBefore(Port):
    """The document term has the sums of document j - 1, and that of the first document those of the last."""

    def rows(self, part, i):
        return self.of_document((self.j[i] - 1) % self.D) if part == "document" else super().rows(part, i)


@plant("map")
class AlphaNotReduced(Port):
    """The document term of MAP has alpha_k where it has alpha_k - 1."""

    def document(self, gamma, i, k):
        return super().document(gamma, i, k) + 1


@plant("map")
class TopicTermWithEtaMinusOne(Port):
    """The topic term of MAP has N_k + eta - 1 where it has N_k + W eta - W."""

    def topic(self, gamma, i, k):
        return self.N("topic", gamma, i, k) + self.eta_of(i, k) - 1


@plant("vem")
class AlphaOutsideDigamma(Port):
    """The document term is exp Ψ(N_jk) + alpha_k: it is exp Ψ(N_jk + alpha_k)."""

    def document(self, gamma, i, k):
        N = self.N("document", gamma, i, k)
        return (self.exp_digamma(N) if N > 0 else 0.0) + self.alpha[k]


# The exclusion and the sums ------------------------------------------------------------------------------------------


@plant("cvb0 cgs")
class ExcludedTwiceFromTopics(Port):
    """The token is excluded from the topic's sum twice, and from the other two once."""

    def N(self, part, gamma, i, k):
        return max(super().N(part, gamma, i, k) - (part == "topic") * self.excluded(part, i, i) * gamma[i][k], 0.0)


@plant("cvb0 cvb")
class RowBeforeExcluded(Port):
    """A token of the row before is excluded, and not one of the row itself."""

    def excluded(self, part, i, r):
        return int(r == max(i - 1, 0))


@plant("tcvb0")
class TypeLeavesTopicsOnce(Port):
    """All tokens of the type are excluded from the sums of document and word, and one from that of the topic."""

    def excluded(self, part, i, r):
        return int(r == i) if part == "topic" else super().excluded(part, i, r)


@plant("cvb0 cvb")
class FirstGammaExcluded(Port):
    """In every sweep the row's part that is excluded from the means is that of the gamma of the state."""

    def N(self, part, gamma, i, k):
        return super().N(part, gamma, i, k) + self.excluded(part, i, i) * (gamma[i][k] - self.gamma[i][k])


@plant("cvb0 vb")
class TailOfFourLost(Port):
    """Sums are taken over rows in groups of four, and rows after the last full group are lost from them."""

    def N(self, part, gamma, i, k):
        full = self.M - self.M % 4 if self.M > 4 else self.M
        return sum(n * gamma[r][k] for r, n in self.left(part, i) if r < full)


@plant("cvb0 vb")
class TopicSumsTruncated(Port):
    """N_k is truncated to a whole number."""

    def N(self, part, gamma, i, k):
        N = super().N(part, gamma, i, k)
        return float(int(N)) if part == "topic" else N


# Functions and numbers -----------------------------------------------------------------------------------------------


@plant("vb vem")
class DigammaByDifference(Port):
    """The digamma function is a central difference of log Gamma with a step of 1e-5 x."""

    def digamma(self, x):
        h = 1e-5 * x
        return (math.lgamma(x + h) - math.lgamma(x - h)) / (2 * h)


@plant("vb")
class DigammaSeriesSign(Port):
    """The term 1 / (12 x²) of the digamma function's series is added, and not subtracted."""

    def digamma(self, x):
        above = max(0, math.ceil(10 - x))
        return digamma(x) + 2 / (12 * (x + above) ** 2)


@plant("vb cvb")
class ExpInFloat32(Port):
    """The exponential function is rounded to single precision."""

    def exp(self, x):
        return float32(super().exp(x))


@plant("cvb0 map")
class PriorInFloat32(Port):
    """alpha and eta are rounded to single precision when they are read."""

    def prior(self):
        alpha, eta = super().prior()
        return [*map(float32, alpha)], [[*map(float32, row)] for row in eta]


# CVB and its relatives -----------------------------------------------------------------------------------------------


@plant("cvb")
class VarianceOverCounts(Port):
    """The variance is divided by 2 N² without the prior: it is divided by 2 (N + prior)²."""

    def N(self, part, gamma, i, k):
        self.seen = super().N(part, gamma, i, k)
        return self.seen

    def correction(self, x, V):
        return V / (2 * self.seen**2) if self.seen > 0 else 0.0


@plant("cvb")
class WordVarianceOfDocument(Port):
    """The word term has the variance V_jk of the document where it has V_wk."""

    def V(self, part, gamma, i, k):
        return super().V("document" if part == "word" else part, gamma, i, k)


@plant("cvb cvb1d")
class PooledVariance(Port):
    """The variance of a count of n tokens is N (1 - N/n), as if all tokens had one gamma."""

    def V(self, part, gamma, i, k):
        N, n = self.N(part, gamma, i, k), sum(left for _, left in self.left(part, i))
        return N * (1 - N / n) if n else 0.0


@plant("cvb1d")
class TaylorExponential(Port):
    """The topic term has exp(V_k / (N_k + W eta)²) where it has 1 + V_k / (N_k + W eta)²."""

    def correction(self, x, V):
        return math.expm1(V / x**2)


@plant("cvb_exact")
class PooledDistribution(Port):
    """The distribution of a count is binomial, with the mean gamma of its tokens."""

    def distribution(self, trials):
        n = sum(tokens for _, tokens in trials)
        return super().distribution([(sum(g * tokens for g, tokens in trials) / n, n)] if n else [])


@plant("cvb_exact")
class ExactInDocumentTerm(Port):
    """The expected logarithm is exact in the document term, and the other two have the logarithm of the mean."""

    def E_log(self, part, a, gamma, i, k):
        return super().E_log(part, a, gamma, i, k) if part == "document" else math.log(a + self.N(part, gamma, i, k))
