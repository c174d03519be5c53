"""Which number of the prior belongs to which topic and which word."""

from __future__ import annotations

from lda_reference.plain.numbers import Number
from lda_reference.plain.problem import Row

from .mistaken import ESTIMATES, SMOOTHED, WEIGHTS, WITH_ALPHA, Mistaken

EVERYWHERE = (*WEIGHTS, *ESTIMATES, "bound")


class OfAlpha(Mistaken):
    """A mistake in alpha alone."""

    algorithms = (*WITH_ALPHA, "gibbs")
    operations = EVERYWHERE

    def prior(self) -> tuple[Row, list[Row]]:
        alpha, eta = super().prior()
        return self.other(alpha), eta

    def other(self, alpha: Row) -> Row:
        """What stands for alpha."""
        raise NotImplementedError  # each mistake has its own


class OfEta(Mistaken):
    """A mistake in eta alone."""

    algorithms = (*SMOOTHED, "gibbs")
    operations = EVERYWHERE

    def prior(self) -> tuple[Row, list[Row]]:
        alpha, eta = super().prior()
        return alpha, self.other(eta)

    def other(self, eta: list[Row]) -> list[Row]:
        """What stands for eta."""
        raise NotImplementedError  # each mistake has its own


class AlphaFirst(OfAlpha):
    name = "alpha-first"
    text = "every topic has the first entry of alpha: topic k has alpha_k"

    def other(self, alpha: Row) -> Row:
        return alpha[:1] * len(alpha)


class AlphaShifted(OfAlpha):
    name = "alpha-shifted"
    text = "topic k has the alpha of topic k + 1, and the last topic that of the first"

    def other(self, alpha: Row) -> Row:
        return alpha[1:] + alpha[:1]


class AlphaReversed(OfAlpha):
    name = "alpha-reversed"
    text = "the entries of alpha are in the reverse order"

    def other(self, alpha: Row) -> Row:
        return alpha[::-1]


class AlphaDividedByK(OfAlpha):
    name = "alpha-divided-by-K"
    text = "alpha is divided by K, as if it were the sum over topics: a number is the alpha of each topic"

    def other(self, alpha: Row) -> Row:
        return alpha if isinstance(self.case["prior"]["alpha"], list) else [a / self.K for a in alpha]


class AlphaTimesK(OfAlpha):
    name = "alpha-times-K"
    text = "every topic has K times alpha, the sum over topics: a number is the alpha of each topic"

    def other(self, alpha: Row) -> Row:
        return alpha if isinstance(self.case["prior"]["alpha"], list) else [self.K * a for a in alpha]


class EtaFirst(OfEta):
    name = "eta-first"
    text = "every word has the first entry of eta: word w has eta_w"

    def other(self, eta: list[Row]) -> list[Row]:
        return eta[:1] * len(eta)


class EtaShifted(OfEta):
    name = "eta-shifted"
    text = "word w has the eta of word w + 1, and the last word that of the first"

    def other(self, eta: list[Row]) -> list[Row]:
        return eta[1:] + eta[:1]


class EtaReversed(OfEta):
    name = "eta-reversed"
    text = "the entries of eta are in the reverse order"

    def other(self, eta: list[Row]) -> list[Row]:
        return eta[::-1]


class EtaDividedByW(OfEta):
    name = "eta-divided-by-W"
    text = "eta is divided by W, as if it were the sum over words: a number is the eta of each word"

    def other(self, eta: list[Row]) -> list[Row]:
        return eta if isinstance(self.case["prior"]["eta"], list) else [[e / self.W for e in row] for row in eta]


class EtaOfTopic(Mistaken):
    name = "eta-of-topic"
    text = "eta is indexed by the topic: its entry is that of the word"
    algorithms = SMOOTHED
    operations = WEIGHTS

    def weight(self, gamma: list[Row], i: int, k: int) -> Number:
        if k >= self.W:
            raise ValueError("eta has fewer entries than topics")
        eta, self.eta = self.eta, [self.eta[k]] * self.W
        x = super().weight(gamma, i, k)
        self.eta = eta
        return x


MISTAKES: tuple[type[Mistaken], ...] = (
    AlphaFirst,
    AlphaShifted,
    AlphaReversed,
    AlphaDividedByK,
    AlphaTimesK,
    EtaFirst,
    EtaShifted,
    EtaReversed,
    EtaDividedByW,
    EtaOfTopic,
)
