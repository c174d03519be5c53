"""The updates of the algorithms: each class has the three terms that its docstring prints, and what it excludes.

The sums leave out one token of the row, the papers' ¬ij, where a class does not say otherwise by `excludes`. See
`Counts` for N, V and the expectations. eta is TNW06's beta, and N_wk and N_k are its E[n_·kw] and E[n_·k·]. An equation
that the copies of its paper have lost, and that was derived again, is marked as restored.
"""

from __future__ import annotations

from .numbers import Number
from .problem import Row, Rows
from .sweeps import Algorithm, Sampler


class CVBExact(Algorithm):  # SN12 (5), restored
    """exp(E[log(n_jk + alpha_k)]) exp(E[log(n_wk + eta_w)]) / exp(E[log(n_k + W eta)]), TNW06 (15)."""

    def document(self, gamma: Rows, i: int, k: int) -> Number:
        return self.exp(self.E_log("document", self.alpha[k], gamma, i, k))  # TNW06 (15)

    def word(self, gamma: Rows, i: int, k: int) -> Number:
        return self.exp(self.E_log("word", self.eta_of(i, k), gamma, i, k))  # TNW06 (15)

    def topic(self, gamma: Rows, i: int, k: int) -> Number:
        return self.exp(self.E_log("topic", self.W_eta(i, k), gamma, i, k))  # TNW06 (15)


class CVB(Algorithm):  # SN12 (6)-(8), restored
    """TNW06 (18):

    (N_jk + alpha_k) exp(-V_jk / (2 (N_jk + alpha_k)²)) × (N_wk + eta_w) exp(-V_wk / (2 (N_wk + eta_w)²))
    / [(N_k + W eta) exp(-V_k / (2 (N_k + W eta)²))].
    """

    def document(self, gamma: Rows, i: int, k: int) -> Number:
        x = self.N("document", gamma, i, k) + self.alpha[k]
        return x * self.exp(-self.correction(x, self.V("document", gamma, i, k)))  # TNW06 (18), AWST09 (12)

    def word(self, gamma: Rows, i: int, k: int) -> Number:
        x = self.N("word", gamma, i, k) + self.eta_of(i, k)
        return x * self.exp(-self.correction(x, self.V("word", gamma, i, k)))  # TNW06 (18), AWST09 (12)

    def topic(self, gamma: Rows, i: int, k: int) -> Number:
        x = self.N("topic", gamma, i, k) + self.W_eta(i, k)
        return x * self.exp(-self.correction(x, self.V("topic", gamma, i, k)))  # TNW06 (18), AWST09 (12)

    def correction(self, x: Number, V: Number) -> Number:
        """What the second order subtracts from log x."""
        return V / (2 * x**2)  # TNW06 (17)


class Smoothed(Algorithm):
    """(N_jk + alpha_k) (N_wk + eta_w) / (N_k + W eta), which CGS and CVB0 share."""

    def document(self, gamma: Rows, i: int, k: int) -> Number:
        return self.N("document", gamma, i, k) + self.alpha[k]  # TNW06 (8), AWST09 (13)(14), SOL14 (8)

    def word(self, gamma: Rows, i: int, k: int) -> Number:
        return self.N("word", gamma, i, k) + self.eta_of(i, k)  # TNW06 (8), AWST09 (13)(14), SOL14 (8)

    def topic(self, gamma: Rows, i: int, k: int) -> Number:
        return self.N("topic", gamma, i, k) + self.W_eta(i, k)  # TNW06 (8), AWST09 (13)(14), SOL14 (8)


class CVB0(Smoothed):  # SN12 (9), restored
    """(N_jk + alpha_k) (N_wk + eta_w) / (N_k + W eta), AWST09 (13), SN12 (9)."""


class TCVB0(Smoothed):
    """(N_jk + alpha_k) (N_wk + eta_w) / (N_k + W eta) without all tokens of the row, SN12 (55).

    The rows must be types, so that no other row has the document and the word of this one.
    """

    excludes = "type"  # SN12 (55), restored


class CVB1(Smoothed):
    """(N_jk + alpha_k) (N_wk + eta_w) E[1 / (n_k + W eta)], SN12 (48)."""

    def topic(self, gamma: Rows, i: int, k: int) -> Number:
        return 1 / self.E_inverse("topic", self.W_eta(i, k), gamma, i, k)  # SN12 (48), restored


class CVB1S(Smoothed):
    """(N_jk + alpha_k) (N_wk + eta_w) times the mean of 1 / (n_k + W eta) over S samples, SN12 (49)."""

    def samples(self, gamma: Rows) -> list[list[int]]:
        """S samples of the topics of all tokens, by the uniforms of the case."""
        u = self.given("uniforms")
        return [[self.drawn(gamma[r], u[r][s]) for r in range(self.M)] for s in range(len(u[0]))]

    def sampled_counts(self, gamma: Rows, i: int, k: int) -> list[int]:
        """n_k in each sample."""
        return [sum(n for r, n in self.left("topic", i) if z[r] == k) for z in self.samples(gamma)]

    def topic(self, gamma: Rows, i: int, k: int) -> Number:
        n_k = self.sampled_counts(gamma, i, k)
        return len(n_k) / self.sum(1 / (n + self.W_eta(i, k)) for n in n_k)  # SN12 (49), restored


class CVB1D(Smoothed):
    """(N_jk + alpha_k) (N_wk + eta_w) / (N_k + W eta) × (1 + V_k / (N_k + W eta)²), SN12 (50)."""

    def topic(self, gamma: Rows, i: int, k: int) -> Number:
        x = self.N("topic", gamma, i, k) + self.W_eta(i, k)
        return x / (1 + self.correction(x, self.V("topic", gamma, i, k)))  # SN12 (50), restored

    def correction(self, x: Number, V: Number) -> Number:
        """What the second order adds to 1."""
        return V / x**2  # SN12 (50), restored


class CGS(Sampler, Smoothed):
    """(N_jk + alpha_k) (N_wk + eta_w) / (N_k + W eta), TNW06 (8), AWST09 (14), SOL14 (8)."""


class TemperedCGS(CGS):
    """Collapsed Gibbs sampling of p(z) p(x | z)^b, Neal (2001), at an inverse temperature b:

    (N_jk + alpha_k) [(N_wk + eta_w) / (N_k + W eta)]^b.

    The documents' part of TNW06 (7) is p(z), and that of the topics is p(x | z).
    """

    def b(self) -> Number:
        return self.given("inverse_temperature")

    def weight(self, gamma: Rows, i: int, k: int) -> Number:
        word_over_topic = self.word(gamma, i, k) / self.topic(gamma, i, k)
        return self.document(gamma, i, k) * self.numbers.power(word_over_topic, self.b())

    tempered_update, tempered_sweep = CGS.update, CGS.sweep


class ADLDA(CGS):
    """CGS in parts, AWST09 §5: a token sees the new topics of its own part, and the old ones of the other `parts`."""

    def swept_topics(self, z: list[int]) -> list[int]:
        self.before = list(z)
        return super().swept_topics(z)

    def new_topic(self, z: list[int], i: int) -> int:
        part_of = [self.case["parts"][j] for j in self.j]
        seen_z = [topic if part_of[r] == part_of[i] else self.before[r] for r, topic in enumerate(z)]  # AWST09 §5
        return super().new_topic(seen_z, i)


class Gibbs(Sampler):
    """theta_jk phi_wk, both given, SOL14 (7)."""

    excludes = "nothing"

    def document(self, gamma: Rows, i: int, k: int) -> Number:
        return self.number(self.case["theta_jk"][self.j[i]][k])  # SOL14 (7)

    def word(self, gamma: Rows, i: int, k: int) -> Number:
        return self.number(self.case["phi_wk"][self.w[i]][k])  # SOL14 (7)

    def topic(self, gamma: Rows, i: int, k: int) -> Number:
        return self.number(1)


class VB(Algorithm):
    """exp(Ψ(N_jk + alpha_k)) exp(Ψ(N_wk + eta_w)) / exp(Ψ(N_k + W eta)), TNW06 (4)(5)(6), AWST09 (10)."""

    excludes = "nothing"

    def document(self, gamma: Rows, i: int, k: int) -> Number:
        return self.exp_digamma(self.N("document", gamma, i, k) + self.alpha[k])  # TNW06 (6), AWST09 (9)(10), SOL14 (4)

    def word(self, gamma: Rows, i: int, k: int) -> Number:
        return self.exp_digamma(self.N("word", gamma, i, k) + self.eta_of(i, k))  # TNW06 (6), AWST09 (9)(10), SOL14 (4)

    def topic(self, gamma: Rows, i: int, k: int) -> Number:
        return self.exp_digamma(self.N("topic", gamma, i, k) + self.W_eta(i, k))  # TNW06 (6), AWST09 (9)(10), SOL14 (4)

    def E_log_gamma(self, a: Number, rows: list[int], k: int) -> Number:
        """log Gamma(a + N): the bound of VB has the expected counts."""
        return self.log_gamma(a + self.sum(self.n[i] * self.gamma[i][k] for i in rows))  # TNW06 (2)


class MaximumLikelihoodPhi(Algorithm):
    """phi by maximum likelihood, which `ML` and `VEM` share: N_wk / N_k."""

    excludes = "nothing"

    def word(self, gamma: Rows, i: int, k: int) -> Number:
        return self.N("word", gamma, i, k)  # AWST09 (4)

    def topic(self, gamma: Rows, i: int, k: int) -> Number:
        N_k = self.N("topic", gamma, i, k)  # AWST09 (4)
        return N_k if self.positive(N_k) else self.number(1)  # a topic without tokens has N_wk = 0, and its weight is 0

    def pseudo_eta(self) -> tuple[Rows, Row]:
        return self.zeros(self.W), self.zeros(1)[0]

    def phi(self, N_wk: Rows, N_k: Row) -> Rows:
        """N_wk / N_k; uniform for a topic without tokens."""
        phi = [[self.number(1) / self.W] * self.K for _ in range(self.W)]
        for w in range(self.W):
            for k in range(self.K):
                if self.positive(N_k[k]):
                    phi[w][k] = N_wk[w][k] / N_k[k]  # AWST09 (2)
        return phi


class ML(MaximumLikelihoodPhi):
    """N_jk N_wk / N_k, AWST09 (4)."""

    def document(self, gamma: Rows, i: int, k: int) -> Number:
        return self.N("document", gamma, i, k)  # AWST09 (4)

    def theta(self, N_jk: Rows) -> Rows:
        """N_jk / N_j; uniform for a document without tokens."""
        theta = [[self.number(1) / self.K] * self.K for _ in range(self.D)]
        for j in set(self.j):
            for k in range(self.K):
                theta[j][k] = N_jk[j][k] / self.sum(N_jk[j])  # AWST09 (3)
        return theta


class VEM(MaximumLikelihoodPhi):
    """exp(Ψ(N_jk + alpha_k)) N_wk / N_k, AWST09 (10) for theta and AWST09 (4) for phi."""

    def document(self, gamma: Rows, i: int, k: int) -> Number:
        return self.exp_digamma(self.N("document", gamma, i, k) + self.alpha[k])  # AWST09 (10)


class MAP(Algorithm):
    """(N_jk + alpha_k - 1) (N_wk + eta_w - 1) / (N_k + W eta - W), AWST09 (5)."""

    excludes = "nothing"
    prior_offset = 1  # AWST09 (5)

    def document(self, gamma: Rows, i: int, k: int) -> Number:
        return self.N("document", gamma, i, k) + self.alpha[k] - 1  # AWST09 (5)

    def word(self, gamma: Rows, i: int, k: int) -> Number:
        return self.N("word", gamma, i, k) + self.eta_of(i, k) - 1  # AWST09 (5)

    def topic(self, gamma: Rows, i: int, k: int) -> Number:
        return self.N("topic", gamma, i, k) + self.W_eta(i, k) - self.W  # AWST09 (5)

    def pseudo_alpha(self) -> tuple[Row, Number]:
        return [a - 1 for a in self.alpha], self.sum_alpha - self.K  # AWST09 (6)

    def pseudo_eta(self) -> tuple[Rows, Row]:
        return [[e - 1 for e in row] for row in self.eta], [E - self.W for E in self.sum_eta]  # AWST09 (6)


ALGORITHMS: dict[str, type[Algorithm]] = {
    "ml": ML, "map": MAP, "vb": VB, "vem": VEM, "gibbs": Gibbs, "cgs": CGS, "cvb_exact": CVBExact, "cvb": CVB,
    "cvb0": CVB0, "tcvb0": TCVB0, "cvb1": CVB1, "cvb1s": CVB1S, "cvb1d": CVB1D,
}  # fmt: skip
SAMPLERS = tuple(name for name, A in ALGORITHMS.items() if issubclass(A, Sampler))
UNCOLLAPSED = tuple(name for name, A in ALGORITHMS.items() if A.excludes == "nothing" and name not in SAMPLERS)
OF_TYPES = tuple(name for name, A in ALGORITHMS.items() if A.excludes == "type")
COLLAPSED = tuple(name for name in ALGORITHMS if name not in (*UNCOLLAPSED, *SAMPLERS))
