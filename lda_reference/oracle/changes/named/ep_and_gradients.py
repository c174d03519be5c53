"""Mistakes in tempered Gibbs sampling, expectation propagation, Hamiltonian Monte Carlo and Langevin dynamics."""

import operator
from typing import Any

from ....plain.ep import Site
from ....plain.problem import Row
from .scopes import constant, where

# Tempered Gibbs sampling ---------------------------------------------------------------------------------------------

tempered = where("cgs", ("tempered_update", "tempered_sweep")) | {
    "topic-term-not-tempered": {"weight": lambda self, right, *x: right(*x) * self.topic(*x) ** (self.b() - 1)},
    "document-term-tempered": {"weight": lambda self, right, *x: right(*x) * self.document(*x) ** (self.b() - 1)},
    "temperature-for-inverse": {"b": lambda self, right: 1 / right()},
    "not-tempered": {"b": constant(1)},
}

# Expectation propagation ---------------------------------------------------------------------------------------------


def cavity_with_weights(self: Any, right: Any, cavity: Site, r: Row, w: int) -> Site:
    """The parameters of the cavity, and r at the topics of the document and of the word."""
    weights_at_w = [[r[k] if v == w else self.number(0) for k in range(self.K)] for v in range(self.W)]
    return self.combined(cavity, 1, (r, weights_at_w), 1)


ep = where("ep", "step") | {
    "site-not-deleted": {"cavity": lambda self, right, q, site: q},
    "all-sites-deleted": {"cavity": lambda self, right, q, site: self.combined(q, 1, site, -self.n[self.case["row"]])},
    "means-with-one-more": {  # the sum of the last component of the mixture, which has the added 1
        "match": lambda self, right, r, a: (
            [self.sum(a[-1]) * v for v in self.means(r, a)] if len(a[0]) > 1 else right(r, a)
        )
    },
    "weights-for-moments": {"matched": cavity_with_weights},
    "damping-ignored": {"damping": constant(1)},
    "improper-included": {"included": lambda self, right, new: True},
    "cavity-unchecked": {"deleted": lambda self, right, cavity: True},
}

# Hamiltonian Monte Carlo ---------------------------------------------------------------------------------------------

gradient = where("hmc", "gradient") | {
    "jacobian-left-out": {
        "log_prior": lambda self, right, a, u: right(a, u) - u,
        "slope_of_log_prior": lambda self, right, a, u: right(a, u) - 1,
    },
    "exponential-left-out": {
        "log_prior": lambda self, right, a, u: right(a, u) + self.exp(u),
        "slope_of_log_prior": lambda self, right, a, u: a,
    },
    "normalisation-not-differentiated": {"slopes": lambda self, right, N, x: N},
    "log-gamma-left-out": "x in log Gamma(x) is 1",
}
leapfrog = where("hmc", "leapfrog") | {
    "full-first-half": {"first_half": lambda self, right: self.step()},
    "no-second-half": {"second_half": constant(0)},
    "mass-left-out": {"velocity": lambda self, right, r, m: r},
    "momentum-times-mass": {"velocity": lambda self, right, r, m: self.each(operator.mul, r, m)},
    "gradient-sign": {"gradient": lambda self, right, u: self.each(lambda slope, _: -slope, right(u), u)},
}

# Langevin dynamics ---------------------------------------------------------------------------------------------------

langevin = where("sgrld", "langevin") | {
    "batch-not-scaled": {"scale": constant(1)},
    "drift-not-halved": {"half": lambda self, right: 2 * right()},
    "noise-without-metric": {"noise": lambda self, right, x: right(self.number(1))},
    "not-reflected": {"reflected": lambda self, right, x: x},
    "set-to-zero": {"reflected": lambda self, right, x: x if self.positive(x) else self.number(0)},
}
