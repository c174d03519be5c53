"""What is computed from a state without changing it: estimates, prediction, bounds and Minka's fixed point.

The estimates are AWST09 (15). A and H are the sums of alpha and of eta. The bound is the expectation of TNW06 (7) under
q(z), plus the entropy of q(z). Minka's fixed point is that of SN12 §10 for a vector and of AWST09 §3.1 for a number,
with the shape and the rate of a Gamma prior. For eta words stand for topics and topics for documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .numbers import Number
from .problem import Answer, Counts, Row, Rows


class Estimates(Counts):
    """What does not change gamma."""

    def counts(self) -> tuple[Rows, Rows, Row]:
        """N_jk, N_wk and N_k with nothing excluded."""
        N_jk = [self.total(self.of_document(j)) for j in range(self.D)]
        N_wk = [self.total(self.of_word(w)) for w in range(self.W)]
        return N_jk, N_wk, self.total(range(self.M))

    def total(self, rows: Sequence[int]) -> Row:
        """The expected number of tokens of each topic in some rows."""
        return [self.sum(self.n[i] * self.gamma[i][k] for i in rows) for k in range(self.K)]

    def pseudo_alpha(self) -> tuple[Row, Number]:
        """What the prior adds to N_jk and to N_j."""
        return self.alpha, self.sum_alpha

    def pseudo_eta(self) -> tuple[Rows, Row]:
        """What the prior adds to N_wk and to N_k."""
        return self.eta, self.sum_eta

    def theta(self, N_jk: Rows) -> Rows:
        """theta_jk, the posterior mean."""
        a, A = self.pseudo_alpha()
        return [[(n + x) / (self.sum(N) + A) for n, x in zip(N, a, strict=True)] for N in N_jk]  # AWST09 (15)

    def phi(self, N_wk: Rows, N_k: Row) -> Rows:
        """phi_wk, the posterior mean."""
        e, E = self.pseudo_eta()
        return [[(N_wk[w][k] + e[w][k]) / (N_k[k] + E[k]) for k in range(self.K)] for w in range(self.W)]  # AWST09 (15)

    def estimate(self) -> Answer:
        """theta_jk and phi_wk of the state."""
        N_jk, N_wk, N_k = self.counts()
        return {"theta_jk": self.theta(N_jk), "phi_wk": self.phi(N_wk, N_k)}

    def predict(self) -> Answer:
        """The probability of each row of a test corpus, and the perplexity."""
        test_corpus, (theta, phi) = self.case["test"], self.estimate().values()
        p_of_row = []
        for j, w in zip(test_corpus["j"], test_corpus["w"], strict=True):
            p_of_row.append(self.sum(theta[j][k] * phi[w][k] for k in range(self.K)))  # TNW06 (19)
        return {"token_probability": p_of_row, "perplexity": self.perplexity(p_of_row, test_corpus["n"])}

    def mean_log(self, p: Row, n: list[int]) -> Number:
        """The mean of the logarithm of p over all tokens: row i has n_i of them."""
        return self.sum(n_i * self.log(p_i) for n_i, p_i in zip(n, p, strict=True)) / sum(n)

    def perplexity(self, p: Row, n: list[int]) -> Number:
        return self.exp(-self.mean_log(p, n))  # AWST09 §4

    # The bound

    def bound(self) -> Answer:
        """The bound on the evidence: E[log p(x, z)] with theta and phi integrated out, plus the entropy of q(z)."""
        bound_terms = [self.constant_of_theta(), self.constant_of_phi(), self.entropy()]
        for j in range(self.D):
            bound_terms.append(-self.total_of_document(j))
            bound_terms += [self.entry_of_document(j, k) for k in range(self.K)]
        for k in range(self.K):
            bound_terms.append(-self.total_of_topic(k))
            bound_terms += [self.entry_of_word(w, k) for w in range(self.W)]
        return {"bound": self.sum(bound_terms)}  # TNW06 (12)

    def total_of_document(self, j: int) -> Number:
        """log Gamma(A + n_j)."""
        return self.log_gamma(self.sum_alpha + sum(self.n[i] for i in self.of_document(j)))  # TNW06 (7)

    def entry_of_document(self, j: int, k: int) -> Number:
        """E[log Gamma(alpha_k + n_jk)]."""
        return self.E_log_gamma(self.alpha[k], self.of_document(j), k)  # TNW06 (7)

    def total_of_topic(self, k: int) -> Number:
        """E[log Gamma(H + n_k)]."""
        return self.E_log_gamma(self.sum_eta[k], list(range(self.M)), k)  # TNW06 (7)

    def entry_of_word(self, w: int, k: int) -> Number:
        """E[log Gamma(eta_w + n_wk)]."""
        return self.E_log_gamma(self.eta[w][k], self.of_word(w), k)  # TNW06 (7)

    def constant_of_theta(self) -> Number:
        """The constants of p(theta | alpha), once for each of D documents."""
        log_gamma_sum = self.sum(self.log_gamma(a) for a in self.alpha)
        return self.D * (self.log_gamma(self.sum_alpha) - log_gamma_sum)  # TNW06 (7)

    def constant_of_phi(self) -> Number:
        """The constants of p(phi | eta), those of each of K topics."""
        log_gamma_sum = self.sum(self.log_gamma(e) for row in self.eta for e in row)
        return self.sum(self.log_gamma(E) for E in self.sum_eta) - log_gamma_sum  # TNW06 (7)

    def E_log_gamma(self, a: Number, rows: list[int], k: int) -> Number:
        """E[log Gamma(a + n)], n the number of tokens of topic k in some rows."""
        n_distribution = self.distribution([(self.gamma[i][k], self.n[i]) for i in rows])
        return self.expectation(lambda n: self.log_gamma(a + n), n_distribution)

    def entropy(self) -> Number:
        """The entropy of q(z); 0 log 0 is 0."""
        return -self.sum(self.n[i] * g * self.log(g) for i in range(self.M) for g in self.gamma[i] if self.positive(g))

    # Minka's fixed point

    def hyperparameters(self) -> Answer:
        """alpha and eta after one step: a number from a number, a vector from a vector."""
        N_jk, N_wk, N_k = self.counts()
        N_j = [self.sum(row) for row in N_jk]
        N_kw = [self.column(N_wk, k) for k in range(self.K)]
        old_prior = self.case["prior"]
        return {
            "alpha": self.minka(N_jk, N_j, self.alpha, isinstance(old_prior["alpha"], list)),
            "eta": self.minka(N_kw, N_k, self.column(self.eta, 0), isinstance(old_prior["eta"], list)),
        }

    def minka(self, N: Rows, totals: Row, a: Row, is_vector: bool) -> Any:
        """The step for counts N, one row for each distribution that has the prior a, and their totals."""
        shape, rate = (self.number(self.case["gamma_prior"][parameter_name]) for parameter_name in ("shape", "rate"))
        rise_A = self.total_rise(totals, a)
        rises = [self.sum(self.rise(row[s], a[s]) for row in N) for s in range(len(a))]
        return (self.new_vector if is_vector else self.new_number)(shape, rate, a, rises, rise_A)

    def rise(self, N: Number, a: Number) -> Number:
        """Ψ(N + a) - Ψ(a)."""
        return self.digamma(N + a) - self.digamma(a)

    def total_rise(self, totals: Row, a: Row) -> Number:
        """The rises of the totals, with the sum of a."""
        A = self.sum(a)
        return self.sum(self.rise(N, A) for N in totals)

    def new_vector(self, shape: Number, rate: Number, a: Row, rises: Row, total: Number) -> Row:
        return [(shape - 1 + x * rise) / (rate + total) for x, rise in zip(a, rises, strict=True)]  # SN12 §10, restored

    def new_number(self, shape: Number, rate: Number, a: Row, rises: Row, total: Number) -> Number:
        return (shape - 1 + a[0] * self.sum(rises)) / (rate + len(a) * total)  # AWST09 §3.1
