"""Mistakes in the steps of variational Bayes as libraries divide it, and in the probabilities of the model."""

from __future__ import annotations

from typing import Any

from ....plain.numbers import Number
from ....plain.problem import Row
from .scopes import added, at, zero

e_step, m_step, elbo = (at(("vb",), (operation,)) for operation in ("e_step", "m_step", "elbo"))
fold_in = at(("vb", "cvb0"), ("fold_in",))
log_joint, full_log_joint = (at(("lda",), (name,)) for name in ("log_joint", "full_log_joint"))
document_evidence = at(("lda",), ("document_evidence",))


def over_words(self: Any, table: list[Row]) -> list[Row]:
    """A table (W, K), each column divided by its sum."""
    totals = [self.sum(self.column(table, k)) for k in range(self.K)]
    return [[x / total for x, total in zip(row, totals, strict=True)] for row in table]


# The step of the documents -------------------------------------------------------------------------------------------


def from_constant(self: Any, right: Any, alpha_jk: list[Row], topics: list[Row]) -> list[Row]:
    """alpha_jk after an iteration that begins with alpha_k + D/K, which stays in it."""
    more = self.number(self.D) / self.K
    new = right([[a + more for a in self.alpha]] * self.D, topics)
    return [[x + more for x in row] for row in new]


e_step |= {
    "alpha-taken-as-sum": {"other_alpha": lambda self, right, alpha: [a / self.K for a in alpha]},
    "topics-normalised": {"topics": lambda self, right: over_words(self, right())},
    "digamma-of-sum-left-out": {
        "E_log_phi": lambda self, right, eta_wk: [[self.digamma(x) for x in row] for row in eta_wk]
    },
    "theta-in-digamma": {
        "E_log_theta": lambda self, right, alpha_jk: right([self.normalised(row) for row in alpha_jk])
    },
    "log-of-mean-parameter": {"E_log_of": lambda self, right, a: [self.log(v) for v in self.normalised(a)]},
    "document-term-constant": {"iterated": from_constant},
    "one-iteration-too-many": {"changed": added(iterations=1)},
}

# The step of the topics ----------------------------------------------------------------------------------------------

m_step |= {
    "eta-taken-as-sum": {"other_eta": lambda self, right, eta: [[e / self.W for e in row] for row in eta]},
    "parameters-normalised": {"answer": lambda self, right: {"eta_wk": over_words(self, right()["eta_wk"])}},
}

# The bound -----------------------------------------------------------------------------------------------------------


def without_cancelling(self: Any, right: Any, E_log_theta: list[Row], E_log_phi: list[Row]) -> Number:
    """The terms of x and z without what cancels those of E[log phi] if eta_wk is eta_w + N_wk."""
    theta, phi = ([[self.exp(x) for x in row] for row in of] for of in (E_log_theta, E_log_phi))
    left = right(E_log_theta, E_log_phi)
    for i in range(self.M):
        gamma = self.normalised([a * b for a, b in zip(theta[self.j[i]], phi[self.w[i]], strict=True)])
        left -= self.n[i] * self.sum(g * x for g, x in zip(gamma, E_log_phi[self.w[i]], strict=True))
    return left


elbo |= {
    "terms-of-tokens-alone": {"of_theta": zero, "of_phi": zero},
    "terms-of-phi-left-out": {"of_phi": zero},
    "terms-of-theta-left-out": {"of_theta": zero},
    "stale-topics": {
        "of_tokens": without_cancelling,
        "of_phi": lambda self, right, eta_wk, E_log_phi: right(eta_wk, self.zeros(self.W)),
    },
}

# Folding in ----------------------------------------------------------------------------------------------------------

fold_in |= {
    "eta-added-to-topics": {
        "word": lambda self, right, gamma, i, k: (right(gamma, i, k) + self.eta_of(i, k)) / (1 + self.sum_eta[k])
    },
    "one-sweep-more": {"changed": added(sweeps=1)},
}

# Probabilities -------------------------------------------------------------------------------------------------------


def log_orders(self: Any, j: int) -> Number:
    """The logarithm of the number of orders of a document's words: N_j! / prod_w n_jw!."""
    rows = self.of_document(j)
    of_words = [sum(self.n[i] for i in rows if self.w[i] == w) for w in range(self.W)]
    of_all, *each = (self.log_gamma(self.number(n + 1)) for n in (sum(of_words), *of_words))
    return of_all - self.sum(each)


def log_likelihood(self: Any, j: int, theta: Row) -> Number:
    """log p(x_j | theta, phi)."""
    phi, total = self.given("phi_wk"), self.number(0)
    for i in self.of_document(j):
        total += self.n[i] * self.log(self.sum(theta[k] * phi[self.w[i]][k] for k in range(self.K)))
    return total


def at_posterior_mean(self: Any, right: Any, j: int) -> Number:
    """log p(x_j | theta, phi) at the mean of theta given x_j."""
    weight = {m: x * self.moment(m) for m, x in self.polynomial(j).items()}
    total = self.sum_alpha + sum(self.n[i] for i in self.of_document(j))
    mean = [self.sum(x * (self.alpha[k] + m[k]) for m, x in weight.items()) / total for k in range(self.K)]
    return log_likelihood(self, j, self.normalised(mean))


def K_times_eta(self: Any, right: Any) -> tuple[Number, Row]:
    """The sums of the prior, K eta for that of eta; a ValueError where eta is not a single number."""
    if isinstance(self.case["prior"]["eta"], list):
        raise ValueError("there is no K eta of a vector")
    return self.sum_alpha, [self.K * e for e in self.eta[0]]


def of_positive(self: Any, right: Any, N: Row, a: Row, total: Number) -> Any:
    """The terms of the counts above 0."""
    places = [m for m, n in enumerate(N) if self.positive(n)]
    return right([N[m] for m in places], [a[m] for m in places], total)


def of_last(self: Any, right: Any) -> Number:
    """log p(x, z), of whose counts those of the last document and the last topic remain."""
    N_jk, N_wk = self.counts_of_topics(range(self.D))
    terms = [self.constant_of_theta(), self.constant_of_phi()]
    N_kw, eta = ([self.column(x, k) for k in range(self.K)] for x in (N_wk, self.eta))
    for N, a, totals in ((N_jk, [self.alpha] * self.D, [self.sum_alpha] * self.D), (N_kw, eta, self.sum_eta)):
        cell = [(n, x) for row, of in zip(N, a, strict=True) for n, x in zip(row, of, strict=True) if self.positive(n)]
        later = max(i for i, row in enumerate(N) if any(map(self.positive, row)))
        terms += [self.log_gamma(sum(cell[-1]))]
        terms += [-self.log_gamma(total + self.sum(row)) for total, row in zip(totals[later:], N[later:], strict=True)]
    return self.sum(terms)


probabilities = at(("lda",), ("log_joint", "full_log_joint", "document_evidence"))
probabilities |= {
    "orders-counted": {
        "log_joint": lambda self, right: right() + self.sum(log_orders(self, j) for j in range(self.D)),
        "log_evidence": lambda self, right, j: right(j) + log_orders(self, j),
    }
}
log_joint |= {
    "factorial-for-gamma": {"log_gamma_of_count": lambda self, right, x: right(x + 1)},
    "K-eta-in-totals": {
        "sums_of_prior": K_times_eta,
        "constant_of_phi": lambda self, right: right() - (self.K - 1) * self.log_gamma(self.sum_eta[0]),
    },
    "zero-counts-left-out": {"of_counts": of_positive},
    "sum-overwritten": {"log_joint": of_last},
    "normaliser-left-out": {"of_counts": lambda self, right, N, a, total: right(N, a, total)[:-1]},
}
full_log_joint |= {
    "exponent-without-minus-one": {"exponent": lambda self, right, a, N: a + N},
    "densities-left-out": {"exponent": lambda self, right, a, N: N, "constant_of_theta": zero, "constant_of_phi": zero},
}
document_evidence |= {
    "prior-mean-plugged-in": {
        "log_evidence": lambda self, right, j: log_likelihood(self, j, self.normalised(self.alpha))
    },
    "posterior-mean-plugged-in": {"log_evidence": at_posterior_mean},
}
