"""Steps along a gradient: Hamiltonian Monte Carlo, and stochastic gradient Langevin dynamics.

The coordinates of Hamiltonian Monte Carlo are the logarithms u of independent Gamma variables,

    e^u_jk ~ Gamma(alpha_k, 1),  theta_jk = e^u_jk / sum_k e^u_jk,      e^u_wk ~ Gamma(eta_w, 1),  phi_wk = ... / sum_w,

so that with z summed out, and with the Jacobian of the logarithm,

    log p(x, u) = sum_i n_i log sum_k theta_jk phi_wk + sum_jk [ alpha_k u_jk - e^u_jk - log Gamma(alpha_k) ]
                                                      + sum_wk [ eta_w u_wk - e^u_wk - log Gamma(eta_w) ]

With gamma_ik ∝ theta_jk phi_wk and its expected counts N, the derivatives are

    d/du_jk = N_jk - N_j theta_jk + alpha_k - e^u_jk,      d/du_wk = N_wk - N_k phi_wk + eta_w - e^u_wk

A leapfrog step of the momentum r and the mass m (Neal 2011) is

    r ← r + step/2 d log p/du,    u ← u + step r/m,    r ← r + step/2 d log p/du

The step of Patterson and Teh (2013), on the Gamma variables x_wk themselves, takes the topics z of a batch of B of the
D documents, and their counts N_wk and N_k:

    x_wk  ←  |x_wk + step/2 (eta_w - x_wk + D/B (N_wk - N_k phi_wk)) + sqrt(step x_wk) normal_wk|
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .arithmetic import Number, Row, exp, log, mp, mpf
from .operation import Operation


class Pair(NamedTuple):
    """A table for documents and one for words."""

    jk: list[Row]
    wk: list[Row]


class Gradient(Operation):
    """log p(x, u) and its gradient."""

    def answer(self) -> dict[str, Any]:
        u = self.pair("u")
        gradient = self.gradient(u)
        return {"log_density": self.log_density(u), "gradient_jk": gradient.jk, "gradient_wk": gradient.wk}

    def pair(self, name: str) -> Pair:
        """The tables NAME_jk and NAME_wk of the case."""
        return Pair(self.given(f"{name}_jk"), self.given(f"{name}_wk"))

    def theta_of(self, u_jk: list[Row]) -> list[Row]:
        """theta_jk."""
        return [self.normalised_exp(row) for row in u_jk]

    def phi_of(self, u_wk: list[Row]) -> list[Row]:
        """phi_wk."""
        by_topic = [self.normalised_exp(self.column(u_wk, k)) for k in range(self.K)]
        return [[by_topic[k][w] for k in range(self.K)] for w in range(self.W)]

    def normalised_exp(self, u: Row) -> Row:
        """exp(u), divided by its sum."""
        x = [exp(v) for v in u]
        total = self.sum(x)
        return [v / total for v in x]

    def log_density(self, u: Pair) -> Number:
        """log p(x, u)."""
        theta, phi = self.theta_of(u.jk), self.phi_of(u.wk)
        terms = []
        for i in range(self.M):
            p = self.sum(theta[self.j[i]][k] * phi[self.w[i]][k] for k in range(self.K))
            terms.append(self.n[i] * log(p))
        for j in range(self.D):
            terms += [self.log_prior(self.alpha[k], u.jk[j][k]) for k in range(self.K)]
        for w in range(self.W):
            terms += [self.log_prior(self.eta[w], u.wk[w][k]) for k in range(self.K)]
        return self.sum(terms)  # by TNW06 (1)

    def log_prior(self, a: Number, u: Number) -> Number:
        """The log density of u, when e^u ~ Gamma(a, 1)."""
        return self.sum([a * u, -exp(u), -self.log_gamma(a)])

    def slope_of_log_prior(self, a: Number, u: Number) -> Number:
        """The derivative of `log_prior` in u."""
        return a - exp(u)

    def gradient(self, u: Pair) -> Pair:
        """The gradient of log p(x, u) in u."""
        theta, phi = self.theta_of(u.jk), self.phi_of(u.wk)
        N_jk, N_wk = self.expected_counts(theta, phi)
        of_jk, of_wk = [], []
        for j in range(self.D):
            terms = self.slopes(N_jk[j], theta[j])
            slope = [self.slope_of_log_prior(self.alpha[k], u.jk[j][k]) for k in range(self.K)]
            of_jk.append([self.sum([*terms[k], slope[k]]) for k in range(self.K)])
        by_topic = [self.slopes(self.column(N_wk, k), self.column(phi, k)) for k in range(self.K)]
        for w in range(self.W):
            slope = [self.slope_of_log_prior(self.eta[w], u.wk[w][k]) for k in range(self.K)]
            of_wk.append([self.sum([*by_topic[k][w], slope[k]]) for k in range(self.K)])
        return Pair(of_jk, of_wk)

    def slopes(self, N: Row, x: Row) -> list[Row]:
        """The terms N - (sum of N) x of the gradient, of the counts N of one theta_j or phi_k, which is x."""
        total = self.sum(N)
        return [[n, -total * v] for n, v in zip(N, x, strict=True)]

    def expected_counts(self, theta: list[Row], phi: list[Row]) -> tuple[list[Row], list[Row]]:
        """N_jk and N_wk of gamma, the distribution of z given theta and phi."""
        self.gamma = []
        for i in range(self.M):
            x = [theta[self.j[i]][k] * phi[self.w[i]][k] for k in range(self.K)]
            total = self.sum(x)
            self.gamma.append([v / total for v in x])
        return self.counts()[:2]


class Leapfrog(Gradient):
    """u and the momentum after some leapfrog steps."""

    def answer(self) -> dict[str, Any]:
        u, r, m = self.pair("u"), self.pair("momentum"), self.pair("mass")
        for _ in range(self.case["leapfrogs"]):
            r = self.moved(r, self.gradient(u), self.first_half())
            u = self.moved(u, self.velocity(r, m), self.step())
            r = self.moved(r, self.gradient(u), self.second_half())
        return {"u_jk": u.jk, "u_wk": u.wk, "momentum_jk": r.jk, "momentum_wk": r.wk}

    def step(self) -> Number:
        """The step of u."""
        return mpf(self.case["step"])

    def first_half(self) -> Number:
        """The step of r before that of u."""
        return self.step() / 2

    def second_half(self) -> Number:
        """The step of r after that of u."""
        return self.step() / 2

    def velocity(self, r: Pair, m: Pair) -> Pair:
        """du/dt."""
        return self.each(lambda momentum, mass: momentum / mass, r, m)

    def moved(self, x: Pair, v: Pair, t: Number) -> Pair:
        """x + t v."""
        return self.each(lambda a, b: self.sum([a, t * b]), x, v)

    def each(self, f: Any, x: Pair, y: Pair) -> Pair:
        """A function of the numbers of two pairs, place by place."""
        tables = (
            [[f(a, b) for a, b in zip(row, other, strict=True)] for row, other in zip(one, two, strict=True)]
            for one, two in zip(x, y, strict=True)
        )
        return Pair(*tables)


class Langevin(Operation):
    """x_wk after a step with the topics of a batch."""

    def answer(self) -> dict[str, Any]:
        x, normals = self.given("x_wk"), self.given("normals_wk")
        N_wk = self.counts_of_batch()
        new = [[mpf(0)] * self.K for _ in range(self.W)]
        for k in range(self.K):
            N_k, x_k = self.sum(self.column(N_wk, k)), self.sum(self.column(x, k))
            for w in range(self.W):
                counts = [self.scale() * N_wk[w][k], -self.scale() * N_k * x[w][k] / x_k]
                drift = self.sum([self.eta[w], -x[w][k], *counts])
                moved = self.sum([x[w][k], self.half() * drift, self.noise(x[w][k]) * normals[w][k]])
                new[w][k] = self.reflected(moved)
        return {"x_wk": new}

    def counts_of_batch(self) -> list[Row]:
        """N_wk of the documents of the batch."""
        N_wk = [[mpf(0)] * self.K for _ in range(self.W)]
        for i, topics in enumerate(self.topics_of_rows()):
            if self.j[i] in self.case["batch"]:
                for k in topics:
                    N_wk[self.w[i]][k] += 1
        return N_wk

    def scale(self) -> Number:
        """D / B."""
        return mpf(self.D) / len(self.case["batch"])

    def half(self) -> Number:
        """The factor of the drift."""
        return mpf(self.case["step"]) / 2

    def noise(self, x: Number) -> Number:
        """The factor of the normal number."""
        return mp.sqrt(mpf(self.case["step"]) * x)

    def reflected(self, x: Number) -> Number:
        """x on the positive side of 0."""
        return abs(x)
