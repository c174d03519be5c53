"""The steps of one batch: online variational Bayes, and stochastic CVB0.

The corpus of the case is the batch: B documents of `total_D`, or N_b tokens of `total_N`. Both steps move what is kept
of the topics towards an estimate from the batch. Online VB keeps eta_wk, the parameters of q(phi). gamma comes from
some iterations of TNW06 (6) and (4) for the documents of the batch, and is computed once more from the last alpha_jk.
SCVB0 keeps the expected counts N_jk of each document, N_wk and N_k. The rows of a document are passed over
`burn_in` + 1 times; each moves N_jk by its n tokens at once. The gamma of the last pass give the estimate.
"""

from __future__ import annotations

from collections.abc import Callable

from .numbers import Number
from .problem import Answer, Row, Rows
from .sweeps import Algorithm
from .vb_steps import EStep


class OnlineStep(Algorithm):
    """What the two steps share: the gamma of the batch and the step."""

    rho: Callable[[], Number]  # the step size

    def of_batch(self, gamma: Rows, w: int, k: int) -> Number:
        """The expected tokens of word w and topic k in the batch."""
        return self.sum(self.n[i] * gamma[i][k] for i in self.of_word(w))

    def moved(self, old_number: Number, estimate: Number) -> Number:
        """The kept number after the step."""
        return (1 - self.rho()) * old_number + self.rho() * estimate  # HBB10 [step], FBDSW13 [step]

    def size(self) -> int:
        """The number of tokens in the batch."""
        return sum(self.n)


class OnlineVB(OnlineStep, EStep):
    """eta_wk after the step (1 - rho) eta_wk + rho (eta_w + D/B N_wk), N_wk the expected counts of the batch."""

    def online_step(self) -> Answer:
        """alpha_jk after the iterations, and eta_wk after the step."""
        alpha_jk, old_eta_wk = self.e_step()["alpha_jk"], self.given("eta_wk")
        gamma = self.responsibilities(alpha_jk, self.topics())
        estimate_wk = [[self.estimate_wk(gamma, w, k) for k in range(self.K)] for w in range(self.W)]
        eta_wk = [list(map(self.moved, *rows)) for rows in zip(old_eta_wk, estimate_wk, strict=True)]
        return {"alpha_jk": alpha_jk, "eta_wk": eta_wk}

    def estimate_wk(self, gamma: Rows, w: int, k: int) -> Number:
        """The parameter of q(phi_k) at word w, for a corpus of D/B copies of the batch."""
        return self.eta[w][k] + self.scale() * self.of_batch(gamma, w, k)  # HBB10 [estimate]

    def scale(self) -> Number:
        """D / B."""
        return self.given("total_D") / self.D

    def time(self) -> Number:
        return self.given("tau0") + self.given("t")

    def rho(self) -> Number:
        return self.numbers.power(self.time(), -self.given("kappa"))  # HBB10 [rate]


class SCVB0(OnlineStep):
    """(N_jk + alpha_k) (N_wk + eta_w) / (N_k + W eta), with the N of the case: no token is excluded from them."""

    def document(self, gamma: Rows, i: int, k: int) -> Number:
        return self.N_jk[self.j[i]][k] + self.alpha[k]  # FBDSW13 [gamma]

    def word(self, gamma: Rows, i: int, k: int) -> Number:
        return self.N_wk[self.w[i]][k] + self.eta_of(i, k)  # FBDSW13 [gamma]

    def topic(self, gamma: Rows, i: int, k: int) -> Number:
        return self.N_k[k] + self.W_eta(i, k)  # FBDSW13 [gamma]

    def online_step(self) -> Answer:
        """N_jk after the passes over each document, N_wk and N_k after the step."""
        self.N_jk, self.N_wk, self.N_k = (self.given(name) for name in ("N_jk", "N_wk", "N_k"))
        gamma = self.zeros(self.M)
        for j in range(self.D):
            for _ in range(self.case["burn_in"] + 1):
                for i in self.of_document(j):
                    gamma[i] = self.passed(gamma, i)
        estimate_wk = [[self.estimate_wk(gamma, w, k) for k in range(self.K)] for w in range(self.W)]
        N_wk = [list(map(self.moved, *rows)) for rows in zip(self.given("N_wk"), estimate_wk, strict=True)]
        N_k = [self.moved(old, self.sum(self.column(estimate_wk, k))) for k, old in enumerate(self.given("N_k"))]
        return {"N_jk": self.N_jk, "N_wk": N_wk, "N_k": N_k}

    def passed(self, gamma: Rows, i: int) -> Row:
        """The new gamma of row i, with which N_jk of its document moves."""
        new_gamma, stay, old_N_jk = self.normalised(self.weights(gamma, i)), self.stay(i), self.N_jk[self.j[i]]
        pulls = [(1 - stay) * self.C(i) * g for g in new_gamma]
        self.N_jk[self.j[i]] = [stay * x + pull for x, pull in zip(old_N_jk, pulls, strict=True)]  # FBDSW13 [document]
        return new_gamma

    def stay(self, i: int) -> Number:
        """The part of N_jk that is left after the n tokens of row i."""
        return (1 - self.given("rho_theta")) ** self.n[i]

    def C(self, i: int) -> int:
        """The number of tokens of the document of row i."""
        return sum(self.n[r] for r in self.of_document(self.j[i]))

    def estimate_wk(self, gamma: Rows, w: int, k: int) -> Number:
        """N_wk of the whole corpus."""
        return self.scale() * self.of_batch(gamma, w, k)  # FBDSW13 [estimate]

    def scale(self) -> Number:
        """N / N_b."""
        return self.given("total_N") / self.size()

    def rho(self) -> Number:
        return self.given("rho_phi")
