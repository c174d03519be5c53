"""The updates of the thirteen algorithms.

Every update has the same form. The new gamma of row i is, for each topic k,

    gamma_k  proportional to  document × word / topic,

and a class below gives the three terms, as its docstring prints them. The sums are without what the algorithm
excludes from them: one token of the row, all its tokens or nothing. N_jk, N_wk and N_k are the expected counts, V_jk,
V_wk and V_k their variances; n_jk, n_wk and n_k are the random counts themselves.
"""

from __future__ import annotations

from .arithmetic import Number, Row, added, digamma, exp, mpf
from .evaluator import Evaluator, Sampler


class MaximumLikelihoodPhi(Evaluator):
    """phi by maximum likelihood, which `ML` and `VEM` share: N_wk / N_k."""

    excludes = "nothing"

    def word(self, gamma: list[Row], i: int, k: int) -> Number:
        return self.N("word", gamma, i, k)

    def topic(self, gamma: list[Row], i: int, k: int) -> Number:
        N_k = self.N("topic", gamma, i, k)
        return N_k if N_k > 0 else mpf(1)  # a topic without tokens has N_wk = 0, and its weight is 0

    def pseudo_eta(self) -> tuple[Row, Number]:
        return [mpf(0)] * self.W, mpf(0)

    def phi(self, N_wk: list[Row], N_k: Row) -> list[Row]:
        """N_wk / N_k; uniform for a topic without tokens."""
        phi = [[mpf(1) / self.W] * self.K for _ in range(self.W)]
        for w in range(self.W):
            for k in range(self.K):
                if N_k[k] > 0:
                    phi[w][k] = N_wk[w][k] / N_k[k]  # by AWST09 (3)
        return phi


class ML(MaximumLikelihoodPhi):
    """N_jk N_wk / N_k, AWST09 (4)."""

    def document(self, gamma: list[Row], i: int, k: int) -> Number:
        return self.N("document", gamma, i, k)

    def theta(self, N_jk: list[Row]) -> list[Row]:
        """N_jk / N_j; uniform for a document without tokens."""
        theta = [[mpf(1) / self.K] * self.K for _ in range(self.D)]
        for j in range(self.D):
            for k in range(self.K):
                if added(N_jk[j]) > 0:
                    theta[j][k] = N_jk[j][k] / added(N_jk[j])  # by AWST09 (2)
        return theta


class MAP(Evaluator):
    """(N_jk + alpha_k - 1) (N_wk + eta_w - 1) / (N_k + W eta - W), AWST09 (5)."""

    excludes = "nothing"

    def document(self, gamma: list[Row], i: int, k: int) -> Number:
        return self.N("document", gamma, i, k) + self.alpha[k] - 1

    def word(self, gamma: list[Row], i: int, k: int) -> Number:
        return self.N("word", gamma, i, k) + self.eta[self.w[i]] - 1

    def topic(self, gamma: list[Row], i: int, k: int) -> Number:
        return self.N("topic", gamma, i, k) + self.W_eta(i) - self.W

    def pseudo_alpha(self) -> tuple[Row, Number]:
        return [a - 1 for a in self.alpha], self.sum_alpha - self.K  # by AWST09 (6)

    def pseudo_eta(self) -> tuple[Row, Number]:
        return [e - 1 for e in self.eta], self.sum_eta - self.W  # by AWST09 (6)


class VB(Evaluator):
    """exp(Ψ(N_jk + alpha_k)) exp(Ψ(N_wk + eta_w)) / exp(Ψ(N_k + W eta)), TNW06 (4)(5)(6), AWST09 (10)."""

    excludes = "nothing"

    def document(self, gamma: list[Row], i: int, k: int) -> Number:
        return self.exp_digamma(self.N("document", gamma, i, k) + self.alpha[k])

    def word(self, gamma: list[Row], i: int, k: int) -> Number:
        return self.exp_digamma(self.N("word", gamma, i, k) + self.eta[self.w[i]])

    def topic(self, gamma: list[Row], i: int, k: int) -> Number:
        return self.exp_digamma(self.N("topic", gamma, i, k) + self.W_eta(i))

    def exp_digamma(self, x: Number) -> Number:
        return exp(digamma(x))

    def E_log_gamma(self, a: Number, rows: list[int], k: int) -> Number:
        """log Gamma(a + N): the bound of VB has the expected counts."""
        return self.log_gamma(a + added(self.n[i] * self.gamma[i][k] for i in rows))  # by TNW06 (2)


class VEM(MaximumLikelihoodPhi):
    """exp(Ψ(N_jk + alpha_k)) N_wk / N_k, AWST09 (10) for theta and AWST09 (4) for phi."""

    def document(self, gamma: list[Row], i: int, k: int) -> Number:
        return self.exp_digamma(self.N("document", gamma, i, k) + self.alpha[k])

    def exp_digamma(self, x: Number) -> Number:
        return exp(digamma(x))


class Gibbs(Sampler):
    """theta_jk phi_wk, both given, SOL14 (7)."""

    excludes = "nothing"

    def document(self, gamma: list[Row], i: int, k: int) -> Number:
        return mpf(self.case["theta_jk"][self.j[i]][k])

    def word(self, gamma: list[Row], i: int, k: int) -> Number:
        return mpf(self.case["phi_wk"][self.w[i]][k])

    def topic(self, gamma: list[Row], i: int, k: int) -> Number:
        return mpf(1)


class Smoothed(Evaluator):
    """(N_jk + alpha_k) (N_wk + eta_w) / (N_k + W eta), which CGS and CVB0 share."""

    def document(self, gamma: list[Row], i: int, k: int) -> Number:
        return self.N("document", gamma, i, k) + self.alpha[k]

    def word(self, gamma: list[Row], i: int, k: int) -> Number:
        return self.N("word", gamma, i, k) + self.eta[self.w[i]]

    def topic(self, gamma: list[Row], i: int, k: int) -> Number:
        return self.N("topic", gamma, i, k) + self.W_eta(i)


class CGS(Sampler, Smoothed):
    """(N_jk + alpha_k) (N_wk + eta_w) / (N_k + W eta), TNW06 (8), AWST09 (14), SOL14 (8)."""


class CVBExact(Evaluator):
    """exp(E[log(n_jk + alpha_k)]) exp(E[log(n_wk + eta_w)]) / exp(E[log(n_k + W eta)]), TNW06 (15)."""

    def document(self, gamma: list[Row], i: int, k: int) -> Number:
        return exp(self.E_log("document", self.alpha[k], gamma, i, k))

    def word(self, gamma: list[Row], i: int, k: int) -> Number:
        return exp(self.E_log("word", self.eta[self.w[i]], gamma, i, k))

    def topic(self, gamma: list[Row], i: int, k: int) -> Number:
        return exp(self.E_log("topic", self.W_eta(i), gamma, i, k))


class SecondOrder(Evaluator):
    """What `CVB` and `CVB1D` share: a correction by the variance of a count."""

    def correction(self, x: Number, V: Number) -> Number:
        """The term of second order, for a smoothed count with mean x and variance V."""
        raise NotImplementedError  # CVB and CVB1D have their own


class CVB(SecondOrder):
    """TNW06 (18):

    (N_jk + alpha_k) exp(-V_jk / 2 (N_jk + alpha_k)²) × (N_wk + eta_w) exp(-V_wk / 2 (N_wk + eta_w)²)
    / [(N_k + W eta) exp(-V_k / 2 (N_k + W eta)²)].
    """

    def document(self, gamma: list[Row], i: int, k: int) -> Number:
        x = self.N("document", gamma, i, k) + self.alpha[k]
        return x * exp(-self.correction(x, self.V("document", gamma, i, k)))

    def word(self, gamma: list[Row], i: int, k: int) -> Number:
        x = self.N("word", gamma, i, k) + self.eta[self.w[i]]
        return x * exp(-self.correction(x, self.V("word", gamma, i, k)))

    def topic(self, gamma: list[Row], i: int, k: int) -> Number:
        x = self.N("topic", gamma, i, k) + self.W_eta(i)
        return x * exp(-self.correction(x, self.V("topic", gamma, i, k)))

    def correction(self, x: Number, V: Number) -> Number:
        """What the second order subtracts from log x."""
        return V / (2 * x**2)  # by TNW06 (17)


class CVB0(Smoothed):
    """(N_jk + alpha_k) (N_wk + eta_w) / (N_k + W eta), AWST09 (13), SN12 (9)."""


class TCVB0(Smoothed):
    """(N_jk + alpha_k) (N_wk + eta_w) / (N_k + W eta) without all tokens of the type, SN12 (55)."""

    excludes = "type"


class CVB1(Smoothed):
    """(N_jk + alpha_k) (N_wk + eta_w) E[1 / (n_k + W eta)], SN12 (48)."""

    def topic(self, gamma: list[Row], i: int, k: int) -> Number:
        return 1 / self.E_inverse("topic", self.W_eta(i), gamma, i, k)


class CVB1S(Smoothed):
    """(N_jk + alpha_k) (N_wk + eta_w) times the mean of 1 / (n_k + W eta) over S samples, SN12 (49)."""

    def samples(self, gamma: list[Row]) -> list[list[int]]:
        """S samples of the topics of all tokens, by the uniforms of the case."""
        u = self.case["uniforms"]
        return [[self.drawn(gamma[r], mpf(u[r][s])) for r in range(self.M)] for s in range(len(u[0]))]

    def sampled_counts(self, gamma: list[Row], i: int, k: int) -> list[int]:
        """n_k in each sample."""
        return [sum(n for r, n in self.left("topic", i) if z[r] == k) for z in self.samples(gamma)]

    def topic(self, gamma: list[Row], i: int, k: int) -> Number:
        n_k = self.sampled_counts(gamma, i, k)
        return len(n_k) / added(1 / (n + self.W_eta(i)) for n in n_k)


class CVB1D(SecondOrder, Smoothed):
    """(N_jk + alpha_k) (N_wk + eta_w) / (N_k + W eta) × (1 + V_k / (N_k + W eta)²), SN12 (50)."""

    def topic(self, gamma: list[Row], i: int, k: int) -> Number:
        x = self.N("topic", gamma, i, k) + self.W_eta(i)
        return x / (1 + self.correction(x, self.V("topic", gamma, i, k)))

    def correction(self, x: Number, V: Number) -> Number:
        """What the second order adds to 1."""
        return V / x**2


ALGORITHMS: dict[str, type[Evaluator]] = {
    "ml": ML, "map": MAP, "vb": VB, "vem": VEM, "gibbs": Gibbs, "cgs": CGS, "cvb_exact": CVBExact, "cvb": CVB,
    "cvb0": CVB0, "tcvb0": TCVB0, "cvb1": CVB1, "cvb1s": CVB1S, "cvb1d": CVB1D,
}  # fmt: skip
UNCOLLAPSED = ("ml", "map", "vb", "vem")
SAMPLERS = ("gibbs", "cgs")
COLLAPSED = ("cvb_exact", "cvb", "cvb0", "tcvb0", "cvb1", "cvb1s", "cvb1d")
