"""Variational Bayes as libraries divide it: the step of the documents, the step of the topics, the bound.

q(theta_j) is a Dirichlet distribution with the parameters alpha_jk, and q(phi_k) one with the parameters eta_wk over
words. Blei, Hoffman and others call them gamma and lambda. The step of the documents holds eta_wk and repeats
TNW06 (6) and (4); that of the topics is TNW06 (5). The bound, TNW06 (2), of any alpha_jk and eta_wk has q(z) at its
optimum for them, TNW06 (6), so that each token adds log sum_k exp(E[log theta_jk] + E[log phi_wk]).

Folding in estimates theta of new documents: gamma begins uniform and takes some sweeps of VB or CVB0 in which phi_wk is
given, so that it stands for the word and the topic term; theta is the posterior mean.
"""

from __future__ import annotations

from .numbers import Number
from .problem import Answer, Row, Rows
from .sweeps import Algorithm
from .updates import CVB0, VB


class Dirichlets(Algorithm):
    """What the steps and the bound have in common: expected logarithms."""

    def E_log_of(self, a: Row) -> Row:
        """E[log x] of x ~ Dirichlet(a)."""
        digamma_sum = self.digamma(self.sum(a))
        return [self.digamma(v) - digamma_sum for v in a]  # TNW06 (6)

    def E_log_theta(self, alpha_jk: Rows) -> Rows:
        return [self.E_log_of(row) for row in alpha_jk]

    def E_log_phi(self, eta_wk: Rows) -> Rows:
        return self.by_columns(self.E_log_of, eta_wk)


class EStep(Dirichlets):
    """alpha_jk after some iterations from the alpha_jk of the case, with eta_wk held."""

    def e_step(self) -> Answer:
        exp_log_phi, alpha_jk = self.topics(), self.given("alpha_jk")
        for _ in range(self.case["iterations"]):
            alpha_jk = self.iterated(alpha_jk, exp_log_phi)
        return {"alpha_jk": alpha_jk}

    def topics(self) -> Rows:
        """exp E[log phi_wk]."""
        return [[self.exp(x) for x in row] for row in self.E_log_phi(self.given("eta_wk"))]

    def iterated(self, alpha_jk: Rows, topics: Rows) -> Rows:
        gamma, new_alpha_jk = self.responsibilities(alpha_jk, topics), []
        for j in range(self.D):
            counts_k = [self.sum(self.n[i] * gamma[i][k] for i in self.of_document(j)) for k in range(self.K)]
            new_alpha_jk.append([self.alpha[k] + counts_k[k] for k in range(self.K)])  # TNW06 (4), AWST09 (8)
        return new_alpha_jk

    def responsibilities(self, alpha_jk: Rows, topics: Rows) -> Rows:
        """gamma of each row, from alpha_jk."""
        exp_log_theta, gamma = [[self.exp(x) for x in row] for row in self.E_log_theta(alpha_jk)], []
        for i in range(self.M):
            weights = [exp_log_theta[self.j[i]][k] * topics[self.w[i]][k] for k in range(self.K)]
            gamma.append(self.normalised(weights))  # TNW06 (6)
        return gamma


class MStep(Algorithm):
    """eta_wk from the gamma of the state."""

    def answer(self) -> Answer:
        return {"eta_wk": [[self.eta_wk(w, k) for k in range(self.K)] for w in range(self.W)]}

    def eta_wk(self, w: int, k: int) -> Number:
        """The parameter of q(phi_k) at word w."""
        return self.eta[w][k] + self.sum(self.n[i] * self.gamma[i][k] for i in self.of_word(w))  # TNW06 (5), AWST09 (7)


class ELBO(Dirichlets):
    """The bound of alpha_jk and eta_wk."""

    def answer(self) -> Answer:
        return self.bound()

    def bound(self) -> Answer:
        alpha_jk, eta_wk = self.given("alpha_jk"), self.given("eta_wk")
        E_log_theta, E_log_phi = self.E_log_theta(alpha_jk), self.E_log_phi(eta_wk)
        bound_parts = [self.of_tokens(E_log_theta, E_log_phi), self.of_theta(alpha_jk, E_log_theta)]
        return {"bound": self.sum([*bound_parts, self.of_phi(eta_wk, E_log_phi)])}  # TNW06 (2)

    def of_tokens(self, E_log_theta: Rows, E_log_phi: Rows) -> Number:
        """E[log p(x, z | theta, phi)] plus the entropy of q(z), q(z) at its optimum."""
        token_terms = []
        for i in range(self.M):
            weights = [self.exp(E_log_theta[self.j[i]][k] + E_log_phi[self.w[i]][k]) for k in range(self.K)]
            token_terms.append(self.n[i] * self.log(self.sum(weights)))
        return self.sum(token_terms)

    def of_theta(self, alpha_jk: Rows, E_log_theta: Rows) -> Number:
        """E[log p(theta) - log q(theta)]."""
        document_terms = [self.less_log_q(self.alpha, row, E_log_theta[j]) for j, row in enumerate(alpha_jk)]
        return self.sum([self.constant_of_theta(), *document_terms])

    def of_phi(self, eta_wk: Rows, E_log_phi: Rows) -> Number:
        """E[log p(phi) - log q(phi)]."""
        matrices_wk = (self.eta, eta_wk, E_log_phi)
        topic_terms = [self.less_log_q(*(self.column(matrix, k) for matrix in matrices_wk)) for k in range(self.K)]
        return self.sum([self.constant_of_phi(), *topic_terms])

    def less_log_q(self, a: Row, b: Row, E_log: Row) -> Number:
        """E[log p(x) - log q(x)] of x ~ q = Dirichlet(b), p = Dirichlet(a), without the constants of p."""
        log_terms = [self.log_gamma(y) + (x - y) * e for x, y, e in zip(a, b, E_log, strict=True)]
        return self.sum(log_terms) - self.log_gamma(self.sum(b))


class FoldIn(Algorithm):
    """theta of new documents. It comes before the class of an algorithm."""

    def start(self) -> Rows:
        return self.first_of_nested([])

    def word(self, gamma: Rows, i: int, k: int) -> Number:
        return self.number(self.case["phi_wk"][self.w[i]][k])

    def topic(self, gamma: Rows, i: int, k: int) -> Number:
        return self.number(1)

    def answer(self) -> Answer:
        self.gamma = self.swept_often(self.case["sweeps"])
        return {"theta_jk": self.theta(self.counts()[0])}


class FoldInVB(FoldIn, VB):
    """exp(Ψ(N_jk + alpha_k)) phi_wk, AWST09 (10) with phi_wk given."""


class FoldInCVB0(FoldIn, CVB0):
    """(N_jk + alpha_k) phi_wk, AWST09 (13) with phi_wk given."""
