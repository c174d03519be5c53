"""The steps of variational Bayes as libraries divide it, the bound, and the probabilities of the model."""

from __future__ import annotations

from typing import Any

from lda_reference.plain.joint import DocumentEvidence, FullLogJoint, LogJoint
from lda_reference.plain.numbers import Number
from lda_reference.plain.problem import Row
from lda_reference.plain.sweeps import Algorithm
from lda_reference.plain.vb_steps import ELBO, Dirichlets, EStep, FoldIn, MStep

from .mistaken import Mistaken


class OfOperation(Mistaken):
    """A mistake that is made only in operations besides the steps of the algorithms."""

    algorithms = ()
    operations = ()


# The step of the documents -------------------------------------------------------------------------------------------


class AlphaTakenAsSum(OfOperation):
    name = "alpha-taken-as-sum"
    text = "alpha is taken as a sum over topics, of which each topic has the K-th part: topic k has alpha_k"

    def prior(self) -> tuple[Row, list[Row]]:
        alpha, eta = super().prior()
        return [a / self.K for a in alpha], eta


class TopicsNormalised(OfOperation, EStep):
    name = "topics-normalised"
    text = "exp E[log phi_wk] is divided by its sum over words: that sum is below 1, and differs from topic to topic"

    def topics(self) -> list[Row]:
        topics = super().topics()
        totals = [self.sum(self.column(topics, k)) for k in range(self.K)]
        return [[x / total for x, total in zip(row, totals, strict=True)] for row in topics]


class DigammaOfSumLeftOut(OfOperation, Dirichlets):
    name = "digamma-of-sum-left-out"
    text = "Ψ(eta_wk) is taken for E[log phi_wk]: that is Ψ(eta_wk) - Ψ(sum_w eta_wk), TNW06 (6)"

    def E_log_phi(self, eta_wk: list[Row]) -> list[Row]:
        return [[self.digamma(x) for x in row] for row in eta_wk]


class ThetaInDigamma(OfOperation, EStep):
    name = "theta-in-digamma"
    text = "alpha_jk is divided by its sum over topics before Ψ is taken: TNW06 (6) has Ψ(alpha_jk)"

    def E_log_theta(self, alpha_jk: list[Row]) -> list[Row]:
        return super().E_log_theta([self.normalised(row) for row in alpha_jk])


class LogOfMeanParameter(OfOperation, Dirichlets):
    name = "log-of-mean-parameter"
    text = "the logarithms of the means of theta and phi are taken: TNW06 (2)(6) have the means of the logarithms, by Ψ"

    def E_log_of(self, a: Row) -> Row:
        return [self.log(v) for v in self.normalised(a)]


class OneIterationTooMany(OfOperation, EStep):
    name = "one-iteration-too-many"
    text = "alpha_jk takes one iteration more than `iterations`"

    def answer(self) -> dict[str, Any]:
        return {"alpha_jk": self.iterated(super().answer()["alpha_jk"], self.topics())}


# The step of the topics ----------------------------------------------------------------------------------------------


class EtaTakenAsSum(OfOperation):
    name = "eta-taken-as-sum"
    text = "eta is taken as a sum over words, of which each word has the W-th part: word w has eta_w"

    def prior(self) -> tuple[Row, list[Row]]:
        alpha, eta = super().prior()
        return alpha, [[e / self.W for e in row] for row in eta]


class ParametersNormalised(OfOperation, MStep):
    name = "parameters-normalised"
    text = "phi_wk is given, the parameters divided by their sums over words: the answer is the parameters, TNW06 (5)"

    def answer(self) -> dict[str, Any]:
        eta_wk = super().answer()["eta_wk"]
        totals = [self.sum(self.column(eta_wk, k)) for k in range(self.K)]
        return {"eta_wk": [[x / total for x, total in zip(row, totals, strict=True)] for row in eta_wk]}


# The bound -----------------------------------------------------------------------------------------------------------


class TermsOfTokensAlone(OfOperation, ELBO):
    name = "terms-of-tokens-alone"
    text = "the bound has the terms of x and z alone: TNW06 (2) has also E[log p - log q] of theta and of phi"

    def of_theta(self, alpha_jk: list[Row], E_log_theta: list[Row]) -> Number:
        return self.number(0)

    def of_phi(self, eta_wk: list[Row], E_log_phi: list[Row]) -> Number:
        return self.number(0)


class TermsOfPhiLeftOut(OfOperation, ELBO):
    name = "terms-of-phi-left-out"
    text = "E[log p(phi) - log q(phi)] is left out of TNW06 (2)"

    def of_phi(self, eta_wk: list[Row], E_log_phi: list[Row]) -> Number:
        return self.number(0)


class TermsOfThetaLeftOut(OfOperation, ELBO):
    name = "terms-of-theta-left-out"
    text = "E[log p(theta) - log q(theta)] is left out of TNW06 (2)"

    def of_theta(self, alpha_jk: list[Row], E_log_theta: list[Row]) -> Number:
        return self.number(0)


# Folding in ----------------------------------------------------------------------------------------------------------


class EtaAddedToTopics(OfOperation, FoldIn):
    name = "eta-added-to-topics"
    text = "(phi_wk + eta_w) / (1 + W eta) is taken for phi_wk, which is given and is not smoothed again"

    def word(self, gamma: list[Row], i: int, k: int) -> Number:
        return (super().word(gamma, i, k) + self.eta_of(i, k)) / (1 + self.sum_eta[k])


class OneSweepMore(OfOperation, FoldIn):
    name = "one-sweep-more"
    text = "gamma takes one sweep more than `sweeps`"

    def answer(self) -> dict[str, Any]:
        self.case = self.case | {"sweeps": self.case["sweeps"] + 1}
        return super().answer()


# Probabilities -------------------------------------------------------------------------------------------------------


def log_orders(of: Algorithm, j: int) -> Number:
    """The logarithm of the number of orders of a document's words: N_j! / prod_w n_jw!."""
    rows = of.of_document(j)
    of_words = [sum(of.n[i] for i in rows if of.w[i] == w) for w in range(of.W)]
    return of.log_gamma(of.number(sum(of_words) + 1)) - of.sum(of.log_gamma(of.number(n + 1)) for n in of_words)


ORDERS = (
    "the logarithm of the number of orders, N_j! / prod_w n_jw!, is added for each document: x is the sequence of its "
    "words, and not their counts"
)


class OrdersOfJoint(OfOperation, LogJoint):
    name = "orders-counted"
    text = ORDERS

    def log_joint(self) -> Number:
        return super().log_joint() + self.sum(log_orders(self, j) for j in range(self.D))


class OrdersOfEvidence(OfOperation, DocumentEvidence):
    name = "orders-counted"
    text = ORDERS

    def log_evidence(self, j: int) -> Number:
        return super().log_evidence(j) + log_orders(self, j)


class FactorialForGamma(OfOperation, LogJoint):
    name = "factorial-for-gamma"
    text = "log Gamma(a + n + 1) is taken for log Gamma(a + n): Gamma(x) is (x - 1)!"

    def log_gamma_of_count(self, x: Number) -> Number:
        return super().log_gamma_of_count(x + 1)


class NormaliserLeftOut(OfOperation, LogJoint):
    name = "normaliser-left-out"
    text = "log Gamma of the totals, K alpha + N_j and W eta + N_k, is left out of TNW06 (7), which subtracts it"

    def of_counts(self, N: Row, a: Row, total: Number) -> list[Number]:
        return super().of_counts(N, a, total)[:-1]


class ExponentWithoutMinusOne(OfOperation, FullLogJoint):
    name = "exponent-without-minus-one"
    text = "the exponents are alpha + N_jk and eta + N_wk: TNW06 (1) has alpha - 1 + N_jk and eta - 1 + N_wk"

    def exponent(self, a: Number, N: Number) -> Number:
        return a + N


class DensitiesLeftOut(OfOperation, FullLogJoint):
    name = "densities-left-out"
    text = "log p(x, z | theta, phi) is given: TNW06 (1) has also the prior densities of theta and phi"

    def exponent(self, a: Number, N: Number) -> Number:
        return N

    def constant_of_theta(self) -> Number:
        return self.number(0)

    def constant_of_phi(self) -> Number:
        return self.number(0)


class PriorMeanPluggedIn(OfOperation, DocumentEvidence):
    name = "prior-mean-plugged-in"
    text = "theta is replaced by its prior mean, as if each token had a theta of its own: the document has one theta"

    def log_evidence(self, j: int) -> Number:
        return self.log_likelihood(j, self.normalised(self.alpha))

    def log_likelihood(self, j: int, theta: Row) -> Number:
        """log p(x_j | theta, phi)."""
        phi, total = self.given("phi_wk"), self.number(0)
        for i in self.of_document(j):
            total += self.n[i] * self.log(self.sum(theta[k] * phi[self.w[i]][k] for k in range(self.K)))
        return total


class PosteriorMeanPluggedIn(PriorMeanPluggedIn):
    name = "posterior-mean-plugged-in"
    text = "theta is replaced by its posterior mean: it is integrated out with its prior"

    def log_evidence(self, j: int) -> Number:
        weight = {m: x * self.moment(m) for m, x in self.polynomial(j).items()}
        total = self.sum_alpha + sum(self.n[i] for i in self.of_document(j))
        mean = [self.sum(x * (self.alpha[k] + m[k]) for m, x in weight.items()) / total for k in range(self.K)]
        return self.log_likelihood(j, self.normalised(mean))
