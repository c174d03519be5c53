"""Probabilities of the model: of topics and words, and of a document given the topics.

The log joint is TNW06 (7) with theta and phi integrated out, and TNW06 (1) without. x is the sequence of the words of a
document. The probability of their counts, in any order, is larger.

The evidence of a document given phi is an expectation over one theta for all of its tokens,

    p(x_j | phi, alpha) = E[prod_w (sum_k theta_k phi_wk)^n_jw],      theta ~ Dirichlet(alpha)

The product is multiplied out, one token after the other, as a polynomial in theta, whose moments are known.
"""

from __future__ import annotations

from .numbers import Number
from .problem import Answer, Row, Rows
from .sweeps import Algorithm

Polynomial = dict[tuple[int, ...], Number]  # the coefficient of prod_k theta_k^m_k, for each m


class LogJoint(Algorithm):
    """log p(x, z), from the z of the state."""

    def answer(self) -> Answer:
        return {"log_joint": self.log_joint()}

    def log_joint(self) -> Number:
        N_jk, N_wk = self.counts_of_topics(range(self.D))
        log_terms = [self.constant_of_theta(), self.constant_of_phi()]
        for j in range(self.D):
            log_terms += self.of_counts(N_jk[j], self.alpha, self.sum_alpha)
        for k in range(self.K):
            log_terms += self.of_counts(self.column(N_wk, k), self.column(self.eta, k), self.sum_eta[k])
        return self.sum(log_terms)  # TNW06 (7)

    def of_counts(self, N: Row, a: Row, a_sum: Number) -> list[Number]:
        """The terms of the counts that share one theta_j or phi_k."""
        log_terms = [self.log_gamma_of_count(x + n) for n, x in zip(N, a, strict=True)]
        return [*log_terms, -self.log_gamma_of_count(a_sum + self.sum(N))]

    def log_gamma_of_count(self, x: Number) -> Number:
        return self.log_gamma(x)


class FullLogJoint(LogJoint):
    """log p(x, z, theta, phi), from the z of the state and the given theta_jk and phi_wk."""

    def log_joint(self) -> Number:
        N_jk, N_wk = self.counts_of_topics(range(self.D))
        log_terms = [self.constant_of_theta(), self.constant_of_phi()]
        log_terms.append(self.log_power(self.given("theta_jk"), [self.alpha] * self.D, N_jk))
        log_terms.append(self.log_power(self.given("phi_wk"), self.eta, N_wk))
        return self.sum(log_terms)  # TNW06 (1)

    def log_power(self, x: Rows, a: Rows, N: Rows) -> Number:
        """The sum of (a - 1 + N) log x over the places of tables."""
        row_triples = zip(x, a, N, strict=True)
        return self.sum(self.exponent(b, n) * self.log(v) for row in row_triples for v, b, n in zip(*row, strict=True))

    def exponent(self, a: Number, N: Number) -> Number:
        return a - 1 + N


class DocumentEvidence(Algorithm):
    """log p(x_j | phi, alpha) of each document."""

    def answer(self) -> Answer:
        return {"log_evidence": [self.log_evidence(j) for j in range(self.D)]}

    def log_evidence(self, j: int) -> Number:
        polynomial = self.polynomial(j)
        return self.log(self.sum(coefficient * self.moment(m) for m, coefficient in polynomial.items()))  # TNW06 (7)

    def polynomial(self, j: int) -> Polynomial:
        """prod_w (sum_k theta_k phi_wk)^n_jw, multiplied out."""
        phi, product = self.given("phi_wk"), {(0,) * self.K: self.number(1)}
        for i in self.of_document(j):
            for _ in range(self.n[i]):
                new_product: Polynomial = {}
                for m, coefficient in product.items():
                    for k in range(self.K):
                        next_m = (*m[:k], m[k] + 1, *m[k + 1 :])
                        new_product[next_m] = new_product.get(next_m, self.number(0)) + coefficient * phi[self.w[i]][k]
                product = new_product
        return product

    def moment(self, m: tuple[int, ...]) -> Number:
        """E[prod_k theta_k^m_k] under the prior."""
        rises = [self.log_gamma(a + n) - self.log_gamma(a) for n, a in zip(m, self.alpha, strict=True)]
        return self.exp(self.sum([*rises, self.log_gamma(self.sum_alpha), -self.log_gamma(self.sum_alpha + sum(m))]))
