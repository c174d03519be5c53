"""Smoothing: the prior, and the counts that it is added to."""

from __future__ import annotations

from lda_reference.plain.numbers import Floats, Number
from lda_reference.plain.problem import Case, Row
from lda_reference.plain.updates import VB, Smoothed

from .mistaken import ESTIMATES, SMOOTHED, SOFT, WEIGHTS, WITH_ALPHA, Mistaken, with_counts_of_1


class SmoothedCounts(Smoothed):
    """The update of CVB0 with nothing excluded."""

    excludes = "nothing"


class SmoothedVEM(Smoothed):
    """Variational EM with (N_wk + eta_w) / (N_k + W eta) for phi."""

    excludes = "nothing"

    def document(self, gamma: list[Row], i: int, k: int) -> Number:
        return self.exp(self.digamma(self.N("document", gamma, i, k) + self.alpha[k]))


class WForWEta(Mistaken):
    name = "W-for-W-eta"
    text = "the topic term has W where TNW06 (8), AWST09 (13)(15) have W eta"
    algorithms = SMOOTHED
    operations = (*WEIGHTS, *ESTIMATES)

    def W_eta(self, i: int, k: int) -> Number:
        return self.number(self.W)

    def pseudo_eta(self) -> tuple[list[Row], Row]:
        return super().pseudo_eta()[0], [self.number(self.W)] * self.K


class EtaForWEta(Mistaken):
    name = "eta-for-W-eta"
    text = "the topic term has eta where TNW06 (8), AWST09 (13)(15) have W eta"
    algorithms = SMOOTHED
    operations = (*WEIGHTS, *ESTIMATES)

    def W_eta(self, i: int, k: int) -> Number:
        return self.eta_of(i, k)

    def pseudo_eta(self) -> tuple[list[Row], Row]:
        return super().pseudo_eta()[0], self.eta[0]


class WEtaForSumEta(Mistaken):
    name = "W-eta-for-sum-eta"
    text = "W times one eta stands for the sum of eta over the words, which are not all alike"
    algorithms = SMOOTHED
    operations = (*WEIGHTS, *ESTIMATES, "bound")

    def __init__(self, case: Case, numbers: Floats) -> None:
        super().__init__(case, numbers)
        self.sum_eta = [self.W * e for e in self.eta[0]]

    def W_eta(self, i: int, k: int) -> Number:
        return self.W * self.eta_of(i, k)


class KAlphaForSumAlpha(Mistaken):
    name = "K-alpha-for-sum-alpha"
    text = "K times the first alpha stands for the sum of alpha over the topics, which are not all alike"
    algorithms = (*WITH_ALPHA, "gibbs")
    operations = (*ESTIMATES, "bound")

    def __init__(self, case: Case, numbers: Floats) -> None:
        super().__init__(case, numbers)
        self.sum_alpha = self.K * self.alpha[0]


class NoTopicTerm(Mistaken):
    name = "no-topic-term"
    text = (
        "the topic term is left out, or its normaliser is summed over topics and cancels: TNW06 (6)(8)(15)(18) and "
        "AWST09 (4)(5)(13) divide by a sum over words, which differs from topic to topic"
    )
    algorithms = (*SMOOTHED, "ml", "vem")
    operations = WEIGHTS

    def topic(self, gamma: list[Row], i: int, k: int) -> Number:
        return self.number(1)


class AlphaForgotten(Mistaken):
    name = "alpha-forgotten"
    text = "alpha is left out"
    algorithms = (*WITH_ALPHA, "gibbs")
    operations = (*WEIGHTS, *ESTIMATES)

    def prior(self) -> tuple[Row, list[Row]]:
        alpha, eta = super().prior()
        return [self.number(0)] * len(alpha), eta


class EtaForgotten(Mistaken):
    name = "eta-forgotten"
    text = "eta is left out"
    algorithms = (*SMOOTHED, "gibbs")
    operations = (*WEIGHTS, *ESTIMATES)

    def prior(self) -> tuple[Row, list[Row]]:
        alpha, _ = super().prior()
        return alpha, self.zeros(self.W)


class AlphaAndEtaSwapped(Mistaken):
    name = "alpha-and-eta-swapped"
    text = "alpha and eta are exchanged: alpha goes with documents, eta with words"
    algorithms = (*WITH_ALPHA, "gibbs")
    operations = (*WEIGHTS, *ESTIMATES, "bound")

    def changed(self, case: Case) -> Case:
        alpha, eta = case["prior"]["alpha"], case["prior"]["eta"]
        if isinstance(alpha, list) or isinstance(eta, list):
            return case
        return case | {"prior": {"alpha": eta, "eta": alpha}}


class AlphaAveraged(Mistaken):
    name = "alpha-averaged"
    text = "every topic has the mean of alpha: topic k has alpha_k"
    algorithms = (*WITH_ALPHA, "gibbs")
    operations = (*WEIGHTS, *ESTIMATES, "bound")

    def prior(self) -> tuple[Row, list[Row]]:
        alpha, eta = super().prior()
        return [self.sum(alpha) / self.K] * self.K, eta


class EtaAveraged(Mistaken):
    name = "eta-averaged"
    text = "every word has the mean of eta: word w has eta_w"
    algorithms = (*SMOOTHED, "gibbs")
    operations = (*WEIGHTS, *ESTIMATES, "bound")

    def prior(self) -> tuple[Row, list[Row]]:
        alpha, eta = super().prior()
        return alpha, [[self.sum(column) / self.W for column in zip(*eta, strict=True)]] * self.W


class CountsOfRows(Mistaken):
    name = "counts-of-rows"
    text = "every row counts once: a row of count n is n tokens"
    algorithms = SOFT
    operations = (*WEIGHTS, *ESTIMATES, "bound", "hyperparameters")

    def changed(self, case: Case) -> Case:
        return with_counts_of_1(case, "corpus", "test")


class TopicsCountRows(Mistaken):
    name = "topics-count-rows"
    text = (
        "rows are counted for words and topics, and tokens for documents: SOL14's published code does so, its (4) "
        "does not"
    )
    algorithms = ("ml", "map", "vb", "vem")
    operations = (*WEIGHTS, *ESTIMATES)

    def left(self, part: str, i: int) -> list[tuple[int, int]]:
        return [(r, n if part == "document" else 1) for r, n in super().left(part, i)]

    def counts(self) -> tuple[list[Row], list[Row], Row]:
        N_jk, N_wk, N_k = super().counts()
        for i in range(self.M):
            for k in range(self.K):
                N_wk[self.w[i]][k] -= (self.n[i] - 1) * self.gamma[i][k]
                N_k[k] -= (self.n[i] - 1) * self.gamma[i][k]
        return N_jk, N_wk, N_k


class PriorUsed(Mistaken):
    name = "prior-used"
    text = "the counts are smoothed by the prior: maximum likelihood, AWST09 (2)-(4), has none"
    algorithms = ("ml",)
    operations = (*WEIGHTS, *ESTIMATES)
    instead = SmoothedCounts


class PriorWithoutMinusOne(Mistaken):
    name = "prior-without-minus-one"
    text = "alpha and eta are added where MAP, AWST09 (5)(6), adds alpha - 1 and eta - 1"
    algorithms = ("map",)
    operations = (*WEIGHTS, *ESTIMATES)
    instead = SmoothedCounts


class MinusOneForMinusW(Mistaken):
    name = "minus-one-for-minus-W"
    text = "the topic term is N_k + W eta - 1: MAP, AWST09 (5)(6), has N_k + W eta - W"
    algorithms = ("map",)
    operations = (*WEIGHTS, *ESTIMATES)

    def topic(self, gamma: list[Row], i: int, k: int) -> Number:
        return self.N("topic", gamma, i, k) + self.W_eta(i, k) - 1

    def pseudo_eta(self) -> tuple[list[Row], Row]:
        return super().pseudo_eta()[0], [E - 1 for E in self.sum_eta]


class WNotSubtracted(Mistaken):
    name = "W-not-subtracted"
    text = "the topic term is N_k + W eta: MAP, AWST09 (5)(6), has N_k + W eta - W"
    algorithms = ("map",)
    operations = (*WEIGHTS, *ESTIMATES)

    def topic(self, gamma: list[Row], i: int, k: int) -> Number:
        return self.N("topic", gamma, i, k) + self.W_eta(i, k)

    def pseudo_eta(self) -> tuple[list[Row], Row]:
        return super().pseudo_eta()[0], self.sum_eta


class LogForDigamma(Mistaken):
    name = "log-for-digamma"
    text = "log stands where TNW06 (6), AWST09 (10) have the digamma function"
    algorithms = ("vb", "vem")
    operations = WEIGHTS

    def exp_digamma(self, x: Number) -> Number:
        return x


class HalfSubtracted(Mistaken):
    name = "half-subtracted"
    text = "exp Ψ(x) is taken for x - 1/2, the reading AWST09 (11): the update is TNW06 (6), AWST09 (10)"
    algorithms = ("vb",)
    operations = WEIGHTS

    def exp_digamma(self, x: Number) -> Number:
        if self.numbers.at_most(x, 0.5):
            raise ValueError("x - 1/2 is not positive")
        return x - 0.5


class PhiSmoothed(Mistaken):
    name = "phi-smoothed"
    text = "phi is smoothed by eta: variational EM (AWST09 §2.3) takes its maximum likelihood N_wk / N_k"
    algorithms = ("vem",)
    operations = (*WEIGHTS, *ESTIMATES)
    instead = SmoothedVEM


class VBForVEM(Mistaken):
    name = "vb-for-vem"
    text = "phi has a variational posterior, as in VB: variational EM (AWST09 §2.3) takes its maximum likelihood"
    algorithms = ("vem",)
    operations = (*WEIGHTS, *ESTIMATES)
    instead = VB


MISTAKES: tuple[type[Mistaken], ...] = (
    WForWEta,
    EtaForWEta,
    WEtaForSumEta,
    KAlphaForSumAlpha,
    NoTopicTerm,
    AlphaForgotten,
    EtaForgotten,
    AlphaAndEtaSwapped,
    AlphaAveraged,
    EtaAveraged,
    CountsOfRows,
    TopicsCountRows,
    PriorUsed,
    PriorWithoutMinusOne,
    MinusOneForMinusW,
    WNotSubtracted,
    LogForDigamma,
    HalfSubtracted,
    PhiSmoothed,
    VBForVEM,
)
