"""Estimates of theta and phi, and the perplexity."""

from __future__ import annotations

from typing import Any

from lda_reference.plain.numbers import Number
from lda_reference.plain.problem import Case, Row
from lda_reference.plain.updates import COLLAPSED

from .mistaken import ESTIMATES, EVERY_ALGORITHM, SMOOTHED, WITH_ALPHA, Mistaken, with_counts_of_1


def topics_first(x: Any) -> Any:
    """The numbers of a matrix in the order of memory that has topics as the first axis; anything else as it is."""
    if not isinstance(x, list) or not isinstance(x[0], list):
        return x
    flat = [row[k] for k in range(len(x[0])) for row in x]
    return [flat[i : i + len(x[0])] for i in range(0, len(flat), len(x[0]))]


class EstimatesWithoutPrior(Mistaken):
    name = "estimates-without-prior"
    text = (
        "theta and phi are N_jk / N_j and N_wk / N_k, as SOL14 §2.4.1 prints: the posterior means, AWST09 (15), "
        "have the prior, and MAP its mode, AWST09 (6)"
    )
    algorithms = (*SMOOTHED, "gibbs")
    operations = ESTIMATES

    def pseudo_alpha(self) -> tuple[Row, Number]:
        return self.zeros(1)[0], self.number(0)

    def pseudo_eta(self) -> tuple[list[Row], Row]:
        return self.zeros(self.W), self.zeros(1)[0]


class EstimatesByDigamma(Mistaken):
    name = "estimates-by-digamma"
    text = "theta and phi are those of AWST09 (16), by exp Ψ: the posterior means are AWST09 (15)"
    algorithms = ("vb", "gibbs", "cgs", *COLLAPSED)
    operations = ESTIMATES

    def theta(self, N_jk: list[Row]) -> list[Row]:
        return [self.normalised([self.exp(self.digamma(N + a)) for N, a in zip(row, self.alpha, strict=True)]) for row in N_jk]

    def phi(self, N_wk: list[Row], N_k: Row) -> list[Row]:
        by_topic = [self.normalised([self.exp(self.digamma(N_wk[w][k] + self.eta[w][k])) for w in range(self.W)]) for k in range(self.K)]
        return [[by_topic[k][w] for k in range(self.K)] for w in range(self.W)]


class EmptyThetaUniform(Mistaken):
    name = "empty-theta-uniform"
    text = "theta of a document without tokens is uniform: it is the prior mean alpha_k / (sum of alpha)"
    algorithms = (*WITH_ALPHA, "gibbs")
    operations = ESTIMATES

    def theta(self, N_jk: list[Row]) -> list[Row]:
        right = super().theta(N_jk)
        return [row if self.positive(self.sum(N)) else [self.number(1) / self.K] * self.K for row, N in zip(right, N_jk, strict=True)]


class PhiNormalisedOverTopics(Mistaken):
    name = "phi-normalised-over-topics"
    text = "phi is normalised over topics: each topic is a distribution over words"
    algorithms = EVERY_ALGORITHM
    operations = ESTIMATES

    def phi(self, N_wk: list[Row], N_k: Row) -> list[Row]:
        e, _ = self.pseudo_eta()
        return [self.normalised([N + x for N, x in zip(N_wk[w], e[w], strict=True)]) for w in range(self.W)]


class TopicsFirst(Mistaken):
    name = "topics-first"
    text = "the numbers are in the order of an array with topics first: topics are the last axis"
    algorithms = EVERY_ALGORITHM
    operations = ("sweep", "ten_sweeps", "estimate")

    def answer(self) -> dict[str, Any]:
        return {name: topics_first(x) for name, x in super().answer().items()}


class PerplexityBase2(Mistaken):
    name = "perplexity-base-2"
    text = "2 is raised to minus the mean natural logarithm: perplexity is exp of it"
    algorithms = EVERY_ALGORITHM
    operations = ("predict",)

    def perplexity(self, p: Row, n: list[int]) -> Number:
        return self.numbers.power(self.number(2), -self.mean_log(p, n))


class PerplexityOfMeanProbability(Mistaken):
    name = "perplexity-of-mean-probability"
    text = "the perplexity is one over the mean probability: it is exp of minus the mean logarithm"
    algorithms = EVERY_ALGORITHM
    operations = ("predict",)

    def perplexity(self, p: Row, n: list[int]) -> Number:
        return sum(n) / self.sum(c * x for c, x in zip(n, p, strict=True))


class PerplexityByDocument(Mistaken):
    name = "perplexity-by-document"
    text = "perplexities of documents are averaged: all tokens are pooled"
    algorithms = EVERY_ALGORITHM
    operations = ("predict",)

    def perplexity(self, p: Row, n: list[int]) -> Number:
        j, each = self.case["test"]["j"], []
        for document in sorted(set(j)):
            rows = [i for i in range(len(p)) if j[i] == document]
            each.append(super().perplexity([p[i] for i in rows], [n[i] for i in rows]))
        return self.sum(each) / len(each)


class PerplexityWithoutExp(Mistaken):
    name = "perplexity-without-exp"
    text = "the perplexity is minus the mean logarithm: it is exp of that"
    algorithms = EVERY_ALGORITHM
    operations = ("predict",)

    def perplexity(self, p: Row, n: list[int]) -> Number:
        return -self.mean_log(p, n)


class TestCountsIgnored(Mistaken):
    name = "test-counts-ignored"
    text = "every row of the test corpus counts once in the perplexity: a row of count n is n tokens"
    algorithms = EVERY_ALGORITHM
    operations = ("predict",)

    def changed(self, case: Case) -> Case:
        return with_counts_of_1(case, "test")


MISTAKES: tuple[type[Mistaken], ...] = (
    EstimatesWithoutPrior,
    EstimatesByDigamma,
    EmptyThetaUniform,
    PhiNormalisedOverTopics,
    TopicsFirst,
    PerplexityBase2,
    PerplexityOfMeanProbability,
    PerplexityByDocument,
    PerplexityWithoutExp,
    TestCountsIgnored,
)
