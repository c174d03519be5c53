"""Mistakes in tempered Gibbs sampling, expectation propagation, Hamiltonian Monte Carlo and Langevin dynamics."""

from __future__ import annotations

from typing import Any

from lda_reference.plain.ep import Site
from lda_reference.plain.problem import Row

from .mistaken import Mistakes, one, zero

MISTAKES = Mistakes()
tempered = MISTAKES.at(("cgs",), ("tempered_update", "tempered_sweep"))
ep = MISTAKES.at(("ep",), ("step",))
gradient, leapfrog = (MISTAKES.at(("hmc",), (operation,)) for operation in ("gradient", "leapfrog"))
langevin = MISTAKES.at(("sgrld",), ("langevin",))

# Tempered Gibbs sampling ---------------------------------------------------------------------------------------------

tempered(
    "topic-term-not-tempered",
    "only the word term has the power b: p(x | z) is the word and the topic term",
    weight=lambda self, right, gamma, i, k: right(gamma, i, k) * self.topic(gamma, i, k) ** (self.b() - 1),
)
tempered(
    "document-term-tempered",
    "the document term has the power b too: the prior of z is not tempered",
    weight=lambda self, right, gamma, i, k: right(gamma, i, k) * self.document(gamma, i, k) ** (self.b() - 1),
)
tempered(
    "temperature-for-inverse",
    "the power is 1 / b: b is the inverse temperature",
    b=lambda self, right: 1 / right(),
)
tempered(
    "not-tempered",
    "the power b is left out, as in collapsed Gibbs sampling",
    b=one,
)

# Expectation propagation ---------------------------------------------------------------------------------------------


def match_means(self: Any, right: Any, r: Row, a: list[Row]) -> Row:
    """The Dirichlet with the mean of a mixture, and with the sum of its last component, which has the added 1."""
    return [self.sum(a[-1]) * v for v in self.means(r, a)] if len(a[0]) > 1 else right(r, a)


def cavity_with_weights(self: Any, right: Any, cavity: Site, r: Row, w: int) -> Site:
    """The parameters of the cavity, and r at the topics of the document and of the word."""
    at_w = [[r[k] if v == w else self.number(0) for k in range(self.K)] for v in range(self.W)]
    return self.combined(cavity, 1, (r, at_w), 1)


ep(
    "site-not-deleted",
    "the moments are those of q: the row's site is first divided out of q, ML02 [deletion]",
    cavity=lambda self, right, q, site: q,
)
ep(
    "all-sites-deleted",
    "the sites of all tokens of the row are divided out: the cavity lacks the site of one token",
    cavity=lambda self, right, q, site: self.combined(q, 1, site, -self.n[self.case["row"]]),
)
ep(
    "means-with-one-more",
    "the new parameters have the mean of the mixture and a sum 1 above that of the cavity: ML02 [moments] matches the "
    "sum of second moments too",
    match=match_means,
)
ep(
    "weights-for-moments",
    "the weights r are added to the cavity, as in CVB0: ML02 [moments] matches moments",
    matched=cavity_with_weights,
)
ep(
    "damping-ignored",
    "the whole change of the site is made: the fraction `damping` of it is",
    damping=one,
)
ep(
    "improper-included",
    "the site changes although a parameter of q is then not positive: such a site is left as it is",
    included=lambda self, right, new: True,
)
ep(
    "cavity-unchecked",
    "the site changes although a parameter of the cavity is not positive: such a site is left as it is",
    deleted=lambda self, right, cavity: True,
)

# Hamiltonian Monte Carlo ---------------------------------------------------------------------------------------------

gradient(
    "jacobian-left-out",
    "the exponents are alpha - 1 and eta - 1, as in the density of e^u: that of u has alpha and eta",
    log_prior=lambda self, right, a, u: right(a, u) - u,
    slope_of_log_prior=lambda self, right, a, u: right(a, u) - 1,
)
gradient(
    "exponential-left-out",
    "the terms e^u of the Gamma densities are left out of the density and its gradient",
    log_prior=lambda self, right, a, u: right(a, u) + self.exp(u),
    slope_of_log_prior=lambda self, right, a, u: a,
)
gradient(
    "normalisation-not-differentiated",
    "N_j theta_jk and N_k phi_wk are left out of the gradient: e^u is divided by its sum, which depends on u too",
    slopes=lambda self, right, N, x: N,
)
gradient(
    "log-gamma-left-out",
    "log Gamma(alpha_k) and log Gamma(eta_w) are left out of the density",
    log_prior=lambda self, right, a, u: right(a, u) + self.log_gamma(a),
)
leapfrog(
    "full-first-half",
    "the momentum takes a whole step before u: a leapfrog step has half steps of it before and after",
    first_half=lambda self, right: self.step(),
)
leapfrog(
    "no-second-half",
    "the momentum takes no step after u: a leapfrog step ends with half a step of it",
    second_half=zero,
)
leapfrog(
    "mass-left-out",
    "u moves by the momentum: it moves by the momentum over the mass",
    velocity=lambda self, right, r, m: r,
)
leapfrog(
    "momentum-times-mass",
    "u moves by the momentum times the mass: it moves by the momentum over the mass",
    velocity=lambda self, right, r, m: self.each(lambda momentum, mass: momentum * mass, r, m),
)
leapfrog(
    "gradient-sign",
    "the momentum moves down the density: it moves by plus step/2 times the gradient of log p",
    gradient=lambda self, right, u: self.each(lambda slope, _: -slope, right(u), u),
)

# Langevin dynamics ---------------------------------------------------------------------------------------------------

langevin(
    "batch-not-scaled",
    "the counts of the batch are not multiplied by D / B: they stand for those of all D documents",
    scale=one,
)
langevin(
    "drift-not-halved",
    "the drift is multiplied by the step: it is multiplied by half the step",
    half=lambda self, right: 2 * right(),
)
langevin(
    "noise-without-metric",
    "the noise is sqrt(step) normal: it is sqrt(step x) normal",
    noise=lambda self, right, x: right(self.number(1)),
)
langevin(
    "not-reflected",
    "x_wk is left negative: its absolute value is taken",
    reflected=lambda self, right, x: x,
)
langevin(
    "set-to-zero",
    "a negative x_wk is replaced by 0: its absolute value is taken",
    reflected=lambda self, right, x: x if self.positive(x) else self.number(0),
)
