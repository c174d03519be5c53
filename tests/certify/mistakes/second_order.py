"""The terms of second order, and the expectations that they approximate."""

from __future__ import annotations

from lda_reference.plain.numbers import Number
from lda_reference.plain.problem import Row
from lda_reference.plain.updates import CVB, CVB0, CVB1D, CVB1S, SecondOrder

from .mistaken import WEIGHTS, Mistaken


class VarianceSign(Mistaken, SecondOrder):
    name = "variance-sign"
    text = (
        "the variance terms have the wrong sign: TNW06 (17) subtracts V / (2 (a + N)²), SN12 (50) adds V / (N + W "
        "eta)²"
    )
    algorithms = ("cvb", "cvb1d")
    operations = WEIGHTS

    def correction(self, x: Number, V: Number) -> Number:
        return -super().correction(x, V)


class TopicVarianceNotInverted(Mistaken, SecondOrder):
    name = "topic-variance-not-inverted"
    text = (
        "the topic's variance term has the sign of the other two: in TNW06 (18) it is inverted, with the topic "
        "term"
    )
    algorithms = ("cvb",)
    operations = WEIGHTS

    def topic(self, gamma: list[Row], i: int, k: int) -> Number:
        x = self.N("topic", gamma, i, k) + self.W_eta(i, k)
        return x * self.exp(self.correction(x, self.V("topic", gamma, i, k)))


class VarianceIsMean(Mistaken):
    name = "variance-is-mean"
    text = "the variance of a token is taken for gamma: it is gamma (1 - gamma), TNW06 (16)"
    algorithms = ("cvb", "cvb1d")
    operations = WEIGHTS

    def V(self, part: str, gamma: list[Row], i: int, k: int) -> Number:
        return self.N(part, gamma, i, k)


class VarianceWithoutHalf(Mistaken, SecondOrder):
    name = "variance-without-half"
    text = "the variance terms lack the factor 1/2 of TNW06 (17)"
    algorithms = ("cvb",)
    operations = WEIGHTS

    def correction(self, x: Number, V: Number) -> Number:
        return 2 * super().correction(x, V)


class VarianceOverMeanNotSquared(Mistaken, SecondOrder):
    name = "variance-over-mean-not-squared"
    text = "the variance is divided by a + N: TNW06 (17) and SN12 (50) divide it by the square"
    algorithms = ("cvb", "cvb1d")
    operations = WEIGHTS

    def correction(self, x: Number, V: Number) -> Number:
        return x * super().correction(x, V)


class VarianceOverTwiceMeanSquared(Mistaken, SecondOrder):
    name = "variance-over-twice-mean-squared"
    text = "the variance is divided by (2 (a + N))²: TNW06 (17) divides it by 2 (a + N)²"
    algorithms = ("cvb",)
    operations = WEIGHTS

    def correction(self, x: Number, V: Number) -> Number:
        return super().correction(x, V) / 2


class VarianceHalved(Mistaken, SecondOrder):
    name = "variance-halved"
    text = "the topic term has V / 2 (N + W eta)², the half of TNW06 (17): SN12 (50) has V / (N + W eta)²"
    algorithms = ("cvb1d",)
    operations = WEIGHTS

    def correction(self, x: Number, V: Number) -> Number:
        return super().correction(x, V) / 2


class VarianceOverCube(Mistaken, SecondOrder):
    name = "variance-over-cube"
    text = "the variance is divided by the cube of N + W eta: as a factor, SN12 (50), it is 1 + V / (N + W eta)²"
    algorithms = ("cvb1d",)
    operations = WEIGHTS

    def correction(self, x: Number, V: Number) -> Number:
        return super().correction(x, V) / x


class VarianceCountSquared(Mistaken):
    name = "variance-count-squared"
    text = "the variance of a row is n² gamma (1 - gamma): its n tokens are independent, n gamma (1 - gamma)"
    algorithms = ("cvb", "cvb1d")
    operations = WEIGHTS

    def V(self, part: str, gamma: list[Row], i: int, k: int) -> Number:
        return self.sum(n**2 * gamma[r][k] * (1 - gamma[r][k]) for r, n in self.left(part, i))


class VarianceLeftOut(Mistaken):
    name = "variance-left-out"
    text = "the variance is left out: CVB0, AWST09 (13), instead of CVB, TNW06 (18)"
    algorithms = ("cvb",)
    operations = WEIGHTS
    instead = CVB0


class GaussianForExact(Mistaken):
    name = "gaussian-for-exact"
    text = "the expectations are taken to second order, TNW06 (18): exact CVB takes them exactly, TNW06 (15)"
    algorithms = ("cvb_exact",)
    operations = WEIGHTS
    instead = CVB


class LogOfMean(Mistaken):
    name = "log-of-mean"
    text = (
        "the logarithm of the expected count is taken, as in CVB0: TNW06 (15) has the expectation of the logarithm"
    )
    algorithms = ("cvb_exact",)
    operations = WEIGHTS
    instead = CVB0


class CVB0TopicTerm(Mistaken):
    name = "cvb0-topic-term"
    text = "the topic term is that of CVB0, 1 / (E[n] + W eta): SN12 (48)-(50) have E[1 / (n + W eta)]"
    algorithms = ("cvb1", "cvb1s", "cvb1d")
    operations = WEIGHTS
    instead = CVB0


class SecondOrderForExact(Mistaken):
    name = "second-order-for-exact"
    text = "the topic term is taken to second order, SN12 (50): SN12 (48) has the exact E[1 / (n + W eta)]"
    algorithms = ("cvb1",)
    operations = WEIGHTS
    instead = CVB1D


class LogTopicTerm(Mistaken):
    name = "log-topic-term"
    text = "the topic term is exp(-E[log(n + W eta)]), that of exact CVB: SN12 (48) has E[1 / (n + W eta)]"
    algorithms = ("cvb1",)
    operations = WEIGHTS

    def topic(self, gamma: list[Row], i: int, k: int) -> Number:
        return self.exp(self.E_log("topic", self.W_eta(i, k), gamma, i, k))


class InverseOfMean(Mistaken, CVB1S):
    name = "inverse-of-mean"
    text = "the samples' counts are averaged and then inverted: SN12 (49) averages the inverses"
    algorithms = ("cvb1s",)
    operations = WEIGHTS

    def topic(self, gamma: list[Row], i: int, k: int) -> Number:
        n_k = self.sampled_counts(gamma, i, k)
        return self.number(sum(n_k)) / len(n_k) + self.W_eta(i, k)


MISTAKES: tuple[type[Mistaken], ...] = (
    VarianceSign,
    TopicVarianceNotInverted,
    VarianceIsMean,
    VarianceWithoutHalf,
    VarianceOverMeanNotSquared,
    VarianceOverTwiceMeanSquared,
    VarianceHalved,
    VarianceOverCube,
    VarianceCountSquared,
    VarianceLeftOut,
    GaussianForExact,
    LogOfMean,
    CVB0TopicTerm,
    SecondOrderForExact,
    LogTopicTerm,
    InverseOfMean,
)
