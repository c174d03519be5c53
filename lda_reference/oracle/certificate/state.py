"""What is computed from the state of a case without changing it: estimates, prediction, bounds and Minka's fixed point.

The notation is that of the papers:

    N_jk, N_wk, N_k     the expected number of tokens of topic k in document j, of word w, in the corpus
    alpha_k, eta_w      the priors of theta and phi;  A and H, their sums over topics and over words

**Estimates.** theta_jk = (N_jk + alpha_k) / (N_j + A) and phi_wk = (N_wk + eta_w) / (N_k + H), AWST09 (15).

**Bounds.** With L = log Gamma, the bound is the expectation of TNW06 (7) under q(z), plus the entropy of q(z):

    log p(x, z) = sum_j [ L(A) - L(A + n_j) + sum_k (L(alpha_k + n_jk) - L(alpha_k)) ]
                + sum_k [ L(H) - L(H + n_k) + sum_w (L(eta_w + n_wk) - L(eta_w)) ]

**Minka's fixed point.** With rise_k = sum_j [Ψ(N_jk + alpha_k) - Ψ(alpha_k)], total = sum_j [Ψ(N_j + A) - Ψ(A)] and the
shape and rate of the Gamma prior, alpha becomes, as a vector (SN12 §10) and as a number (AWST09 §3.1),

    alpha_k = (shape - 1 + alpha_k rise_k) / (rate + total)
    alpha   = (shape - 1 + alpha sum_k rise_k) / (rate + K total)

and eta likewise, with words for topics and topics for documents.
"""

from __future__ import annotations

from typing import Any

from .arithmetic import Case, Number, Row, added, digamma, distribution, exp, expectation, log, log_gamma, mpf


class State:
    """The corpus, the prior and the state of a case.

    Parameters
    ----------
    case : dict
        As GUIDE.md describes it.
    """

    def __init__(self, case: Case) -> None:
        corpus = case["corpus"]
        self.case, self.K, self.D, self.W = case, case["K"], corpus["D"], corpus["W"]
        self.j, self.w, self.n = corpus["j"], corpus["w"], corpus["n"]
        self.M = len(self.n)
        self.alpha, self.eta = self.prior()
        self.sum_alpha, self.sum_eta = added(self.alpha), added(self.eta)
        self.gamma = self.start()

    def prior(self) -> tuple[Row, Row]:
        """alpha_k and eta_w; a single number stands for all entries."""
        alpha, eta = self.case["prior"]["alpha"], self.case["prior"]["eta"]
        return (
            [mpf(a) for a in alpha] if isinstance(alpha, list) else [mpf(alpha)] * self.K,
            [mpf(e) for e in eta] if isinstance(eta, list) else [mpf(eta)] * self.W,
        )

    def start(self) -> list[Row]:
        """gamma of each row before the operation; from topics of tokens, the fraction of the row's tokens in each."""
        if "gamma" in self.case["state"]:
            return [[mpf(g) for g in row] for row in self.case["state"]["gamma"]]
        z = iter(self.case["state"]["z"])
        rows = [[next(z) for _ in range(n)] for n in self.n]
        return [[mpf(row.count(k)) / len(row) for k in range(self.K)] for row in rows]

    # Estimates and prediction

    def counts(self) -> tuple[list[Row], list[Row], Row]:
        """N_jk, N_wk and N_k with nothing excluded."""
        N_jk = [[mpf(0)] * self.K for _ in range(self.D)]
        N_wk = [[mpf(0)] * self.K for _ in range(self.W)]
        N_k = [mpf(0)] * self.K
        for i in range(self.M):
            for k in range(self.K):
                N_jk[self.j[i]][k] += self.n[i] * self.gamma[i][k]
                N_wk[self.w[i]][k] += self.n[i] * self.gamma[i][k]
                N_k[k] += self.n[i] * self.gamma[i][k]
        return N_jk, N_wk, N_k

    def pseudo_alpha(self) -> tuple[Row, Number]:
        """What the prior adds to N_jk and to N_j."""
        return self.alpha, self.sum_alpha

    def pseudo_eta(self) -> tuple[Row, Number]:
        """What the prior adds to N_wk and to N_k."""
        return self.eta, self.sum_eta

    def theta(self, N_jk: list[Row]) -> list[Row]:
        """theta_jk, the posterior mean."""
        a, A = self.pseudo_alpha()
        theta = [[mpf(0)] * self.K for _ in range(self.D)]
        for j in range(self.D):
            for k in range(self.K):
                theta[j][k] = (N_jk[j][k] + a[k]) / (added(N_jk[j]) + A)  # by AWST09 (15)
        return theta

    def phi(self, N_wk: list[Row], N_k: Row) -> list[Row]:
        """phi_wk, the posterior mean."""
        e, E = self.pseudo_eta()
        phi = [[mpf(0)] * self.K for _ in range(self.W)]
        for w in range(self.W):
            for k in range(self.K):
                phi[w][k] = (N_wk[w][k] + e[w]) / (N_k[k] + E)  # by AWST09 (15)
        return phi

    def estimates(self) -> tuple[list[Row], list[Row]]:
        """theta_jk and phi_wk of the state."""
        N_jk, N_wk, N_k = self.counts()
        return self.theta(N_jk), self.phi(N_wk, N_k)

    def estimate(self) -> dict[str, Any]:
        """theta_jk and phi_wk of the state, as an answer."""
        theta, phi = self.estimates()
        return {"theta_jk": theta, "phi_wk": phi}

    def predict(self) -> dict[str, Any]:
        """The probability of each row of a test corpus, and the perplexity."""
        test, (theta, phi) = self.case["test"], self.estimates()
        p = []
        for j, w in zip(test["j"], test["w"], strict=True):
            p.append(added(theta[j][k] * phi[w][k] for k in range(self.K)))  # by TNW06 (19)
        return {"token_probability": p, "perplexity": self.perplexity(p, test["n"])}

    def mean_log(self, p: Row, n: list[int]) -> Number:
        """The mean of the logarithm of p over all tokens: row i has n_i of them."""
        return added(c * log(x) for c, x in zip(n, p, strict=True)) / sum(n)

    def perplexity(self, p: Row, n: list[int]) -> Number:
        """The perplexity of rows with these probabilities and counts."""
        return exp(-self.mean_log(p, n))  # by AWST09 §4

    # The bound

    def bound(self) -> dict[str, Any]:
        """The bound on the evidence: E[log p(x, z)] with theta and phi integrated out, plus the entropy of q(z)."""
        total = self.constant_of_theta() + self.constant_of_phi()
        for j in range(self.D):
            rows = [i for i in range(self.M) if self.j[i] == j]
            total -= self.log_gamma(self.sum_alpha + sum(self.n[i] for i in rows))
            total += added(self.E_log_gamma(self.alpha[k], rows, k) for k in range(self.K))
        for k in range(self.K):
            total -= self.E_log_gamma(self.sum_eta, list(range(self.M)), k)
            for w in range(self.W):
                total += self.E_log_gamma(self.eta[w], [i for i in range(self.M) if self.w[i] == w], k)  # by TNW06 (7)
        return {"bound": total + self.entropy()}  # by TNW06 (12)

    def log_gamma(self, x: Number) -> Number:
        """log Gamma(x)."""
        return log_gamma(x)

    def constant_of_theta(self) -> Number:
        """The constants of p(theta | alpha), once for each of D documents."""
        return self.D * (self.log_gamma(self.sum_alpha) - added(self.log_gamma(a) for a in self.alpha))  # by TNW06 (7)

    def constant_of_phi(self) -> Number:
        """The constants of p(phi | eta), once for each of K topics."""
        return self.K * (self.log_gamma(self.sum_eta) - added(self.log_gamma(e) for e in self.eta))  # by TNW06 (7)

    def E_log_gamma(self, a: Number, rows: list[int], k: int) -> Number:
        """E[log Gamma(a + n)], n the number of tokens of topic k in some rows."""
        return expectation(lambda n: self.log_gamma(a + n), distribution([(self.gamma[i][k], self.n[i]) for i in rows]))

    def entropy(self) -> Number:
        """The entropy of q(z); 0 log 0 is 0."""
        return -added(self.n[i] * added(g * log(g) for g in self.gamma[i] if g > 0) for i in range(self.M))

    # Minka's fixed point

    def hyperparameters(self) -> dict[str, Any]:
        """alpha and eta after one step: a number from a number, a vector from a vector."""
        N_jk, N_wk, N_k = self.counts()
        N_j = [added(row) for row in N_jk]
        N_kw = [[N_wk[w][k] for w in range(self.W)] for k in range(self.K)]
        old = self.case["prior"]
        return {
            "alpha": self.minka(N_jk, N_j, self.alpha, isinstance(old["alpha"], list)),
            "eta": self.minka(N_kw, N_k, self.eta, isinstance(old["eta"], list)),
        }

    def minka(self, N: list[Row], totals: Row, a: Row, vector: bool) -> Any:
        """The step for counts N, one row for each distribution that has the prior a, and their totals."""
        shape, rate = (mpf(self.case["gamma_prior"][name]) for name in ("shape", "rate"))
        total = self.total_rise(totals, a)
        rises = [added(self.rise(row[s], a[s]) for row in N) for s in range(len(a))]
        return (self.new_vector if vector else self.new_number)(shape, rate, a, rises, total)

    def rise(self, N: Number, a: Number) -> Number:
        """Ψ(N + a) - Ψ(a)."""
        return digamma(N + a) - digamma(a)

    def total_rise(self, totals: Row, a: Row) -> Number:
        """The rises of the totals, with the sum of a."""
        A = added(a)
        return added(self.rise(N, A) for N in totals)

    def new_vector(self, shape: Number, rate: Number, a: Row, rises: Row, total: Number) -> Row:
        """A vector after the step."""
        return [(shape - 1 + x * rise) / (rate + total) for x, rise in zip(a, rises, strict=True)]  # by SN12 §10

    def new_number(self, shape: Number, rate: Number, a: Row, rises: Row, total: Number) -> Number:
        """A single number after the step."""
        return (shape - 1 + a[0] * added(rises)) / (rate + len(a) * total)  # by AWST09 §3.1
