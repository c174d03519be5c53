"""Steps along a gradient: Hamiltonian Monte Carlo, and stochastic gradient Langevin dynamics.

The coordinates of Hamiltonian Monte Carlo are the logarithms u of independent Gamma variables,

    e^u_jk ~ Gamma(alpha_k, 1),  theta_jk = e^u_jk / sum_k e^u_jk,      e^u_wk ~ Gamma(eta_w, 1),  phi_wk = ... / sum_w,

and z is summed out. log p(x, u) includes the Jacobian of the logarithm. A leapfrog step (Neal 2011) moves the momentum
r, u and r again. The step of Patterson and Teh (2013) moves the Gamma variables x_wk themselves by the counts of the
topics z of a batch of B of the D documents.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from .numbers import Number
from .problem import Answer, Row, Rows
from .sweeps import Algorithm


class Pair(NamedTuple):
    """A table for documents and one for words."""

    jk: Rows
    wk: Rows


class Gradient(Algorithm):
    """log p(x, u) and its gradient."""

    def answer(self) -> Answer:
        u = self.pair("u")
        gradient = self.gradient(u)
        return {"log_density": self.log_density(u), "gradient_jk": gradient.jk, "gradient_wk": gradient.wk}

    def pair(self, stem: str) -> Pair:
        """The tables NAME_jk and NAME_wk of the case."""
        return Pair(self.given(f"{stem}_jk"), self.given(f"{stem}_wk"))

    def theta_and_phi(self, u: Pair) -> Pair:
        return Pair([self.normalised_exp(row) for row in u.jk], self.by_columns(self.normalised_exp, u.wk))

    def normalised_exp(self, u: Row) -> Row:
        return self.normalised([self.exp(v) for v in u])

    def priors(self) -> Pair:
        """alpha and eta at the places of u."""
        return Pair([self.alpha] * self.D, self.eta)

    def log_density(self, u: Pair) -> Number:
        theta, phi = self.theta_and_phi(u)
        log_terms = []
        for i in range(self.M):
            p_of_token = self.sum(theta[self.j[i]][k] * phi[self.w[i]][k] for k in range(self.K))
            log_terms.append(self.n[i] * self.log(p_of_token))
        for table in self.each(self.log_prior, self.priors(), u):
            log_terms += [log_prior for row in table for log_prior in row]
        return self.sum(log_terms)  # TNW06 (1)

    def log_prior(self, a: Number, u: Number) -> Number:
        """The log density of u, when e^u ~ Gamma(a, 1)."""
        return a * u - self.exp(u) - self.log_gamma(a)

    def slope_of_log_prior(self, a: Number, u: Number) -> Number:
        return a - self.exp(u)

    def gradient(self, u: Pair) -> Pair:
        theta, phi = self.theta_and_phi(u)
        self.gamma = [
            self.normalised([theta[self.j[i]][k] * phi[self.w[i]][k] for k in range(self.K)]) for i in range(self.M)
        ]  # the distribution of z given theta and phi
        N_jk, N_wk, _ = self.counts()
        slopes_jk = [self.slopes(N, x) for N, x in zip(N_jk, theta, strict=True)]
        slopes_kw = [self.slopes(self.column(N_wk, k), self.column(phi, k)) for k in range(self.K)]
        likelihood_slopes = Pair(slopes_jk, [list(row) for row in zip(*slopes_kw, strict=True)])
        log_prior_slopes = self.each(self.slope_of_log_prior, self.priors(), u)
        return self.each(lambda a, b: a + b, likelihood_slopes, log_prior_slopes)

    def slopes(self, N: Row, x: Row) -> Row:
        """N - (sum of N) x, of the counts N of one theta_j or phi_k, which is x."""
        N_sum = self.sum(N)
        return [n - N_sum * v for n, v in zip(N, x, strict=True)]

    def each(self, f: Callable[[Number, Number], Number], x: Pair, y: Pair) -> Pair:
        """A function of the numbers of two pairs, place by place."""

        def of_tables(x: Rows, y: Rows) -> Rows:
            return [list(map(f, *row_pair)) for row_pair in zip(x, y, strict=True)]

        return Pair(*map(of_tables, x, y))


class Leapfrog(Gradient):
    """u and the momentum after some leapfrog steps."""

    def answer(self) -> Answer:
        u, r, mass = self.pair("u"), self.pair("momentum"), self.pair("mass")
        for _ in range(self.case["leapfrogs"]):
            r = self.moved(r, self.gradient(u), self.first_half())
            u = self.moved(u, self.velocity(r, mass), self.step())
            r = self.moved(r, self.gradient(u), self.second_half())
        return {"u_jk": u.jk, "u_wk": u.wk, "momentum_jk": r.jk, "momentum_wk": r.wk}

    def step(self) -> Number:
        return self.given("step")

    def first_half(self) -> Number:
        """The step of r before that of u."""
        return self.step() / 2

    def second_half(self) -> Number:
        """The step of r after that of u."""
        return self.step() / 2

    def velocity(self, r: Pair, masses: Pair) -> Pair:
        """du/dt."""
        return self.each(lambda momentum, mass: momentum / mass, r, masses)

    def moved(self, x: Pair, v: Pair, t: Number) -> Pair:
        return self.each(lambda a, b: a + t * b, x, v)


class Langevin(Algorithm):
    """x_wk after a step with the topics of a batch."""

    def answer(self) -> Answer:
        x_wk, normals = self.given("x_wk"), self.given("normals_wk")
        (_, N_wk), new_x_wk = self.counts_of_topics(self.case["batch"]), self.zeros(self.W)
        for k in range(self.K):
            N_k, x_k = self.sum(self.column(N_wk, k)), self.sum(self.column(x_wk, k))
            for w in range(self.W):
                count_slope = self.scale() * (N_wk[w][k] - N_k * x_wk[w][k] / x_k)
                drift = self.eta[w][k] - x_wk[w][k] + count_slope
                moved_x = x_wk[w][k] + self.half() * drift + self.noise(x_wk[w][k]) * normals[w][k]  # PT13 [step]
                new_x_wk[w][k] = self.reflected(moved_x)
        return {"x_wk": new_x_wk}

    def scale(self) -> Number:
        """D / B."""
        return self.number(self.D) / len(self.case["batch"])

    def half(self) -> Number:
        """The factor of the drift."""
        return self.given("step") / 2

    def noise(self, x: Number) -> Number:
        """The factor of the normal number."""
        return self.numbers.sqrt(self.given("step") * x)

    def reflected(self, x: Number) -> Number:
        """x on the positive side of 0."""
        return abs(x)
