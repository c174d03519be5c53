"""Mistakes in the steps of variational Bayes as libraries divide it, and in the probabilities of the model."""

from __future__ import annotations

from typing import Any

from lda_reference.plain.numbers import Number
from lda_reference.plain.problem import Row

from .mistaken import Mistakes, added, zero

MISTAKES = Mistakes()
e_step, m_step, elbo = (MISTAKES.at(("vb",), (operation,)) for operation in ("e_step", "m_step", "elbo"))
fold_in = MISTAKES.at(("vb", "cvb0"), ("fold_in",))
log_joint, full_log_joint = (MISTAKES.at(("lda",), (name,)) for name in ("log_joint", "full_log_joint"))
document_evidence = MISTAKES.at(("lda",), ("document_evidence",))


def over_words(self: Any, table: list[Row]) -> list[Row]:
    """A table (W, K), each column divided by its sum."""
    totals = [self.sum(self.column(table, k)) for k in range(self.K)]
    return [[x / total for x, total in zip(row, totals, strict=True)] for row in table]


# The step of the documents -------------------------------------------------------------------------------------------

e_step(
    "alpha-taken-as-sum",
    "alpha is taken as a sum over topics, of which each topic has the K-th part: topic k has alpha_k",
    other_alpha=lambda self, right, alpha: [a / self.K for a in alpha],
)
e_step(
    "topics-normalised",
    "exp E[log phi_wk] is divided by its sum over words: that sum is below 1, and differs from topic to topic",
    topics=lambda self, right: over_words(self, right()),
)
e_step(
    "digamma-of-sum-left-out",
    "Ψ(eta_wk) is taken for E[log phi_wk]: that is Ψ(eta_wk) - Ψ(sum_w eta_wk), TNW06 (6)",
    E_log_phi=lambda self, right, eta_wk: [[self.digamma(x) for x in row] for row in eta_wk],
)
e_step(
    "theta-in-digamma",
    "alpha_jk is divided by its sum over topics before Ψ is taken: TNW06 (6) has Ψ(alpha_jk)",
    E_log_theta=lambda self, right, alpha_jk: right([self.normalised(row) for row in alpha_jk]),
)
e_step(
    "log-of-mean-parameter",
    "the logarithms of the means of theta and phi are taken: TNW06 (2)(6) have the means of the logarithms, by Ψ",
    E_log_of=lambda self, right, a: [self.log(v) for v in self.normalised(a)],
)


def from_constant(self: Any, right: Any, alpha_jk: list[Row], topics: list[Row]) -> list[Row]:
    """alpha_jk after an iteration that begins with alpha_k + D/K, which stays in it."""
    more = self.number(self.D) / self.K
    new = right([[a + more for a in self.alpha]] * self.D, topics)
    return [[x + more for x in row] for row in new]


e_step(
    "document-term-constant",
    "each iteration sets alpha_jk to alpha_k + D/K before it computes gamma, and D/K stays in it: TNW06 (6) has the "
    "alpha_jk of the iteration before",
    iterated=from_constant,
)
e_step(
    "one-iteration-too-many",
    "alpha_jk takes one iteration more than `iterations`",
    changed=added(iterations=1),
)

# The step of the topics ----------------------------------------------------------------------------------------------

m_step(
    "eta-taken-as-sum",
    "eta is taken as a sum over words, of which each word has the W-th part: word w has eta_w",
    other_eta=lambda self, right, eta: [[e / self.W for e in row] for row in eta],
)
m_step(
    "parameters-normalised",
    "phi_wk is given, the parameters divided by their sums over words: the answer is the parameters, TNW06 (5)",
    answer=lambda self, right: {"eta_wk": over_words(self, right()["eta_wk"])},
)

# The bound -----------------------------------------------------------------------------------------------------------

elbo(
    "terms-of-tokens-alone",
    "the bound has the terms of x and z alone: TNW06 (2) has also E[log p - log q] of theta and of phi",
    of_theta=zero,
    of_phi=zero,
)
elbo(
    "terms-of-phi-left-out",
    "E[log p(phi) - log q(phi)] is left out of TNW06 (2)",
    of_phi=zero,
)
elbo(
    "terms-of-theta-left-out",
    "E[log p(theta) - log q(theta)] is left out of TNW06 (2)",
    of_theta=zero,
)


def without_cancelling(self: Any, right: Any, E_log_theta: list[Row], E_log_phi: list[Row]) -> Number:
    """The terms of x and z without what cancels those of E[log phi] if eta_wk is eta_w + N_wk."""
    theta, phi = ([[self.exp(x) for x in row] for row in of] for of in (E_log_theta, E_log_phi))
    left = right(E_log_theta, E_log_phi)
    for i in range(self.M):
        gamma = self.normalised([a * b for a, b in zip(theta[self.j[i]], phi[self.w[i]], strict=True)])
        left -= self.n[i] * self.sum(g * x for g, x in zip(gamma, E_log_phi[self.w[i]], strict=True))
    return left


elbo(
    "stale-topics",
    "log Gamma is taken of the eta_wk before a step of the topics, and the terms with E[log phi_wk] are left out, which "
    "cancel for the eta_wk after it: TNW06 (2) has one eta_wk in all terms",
    of_tokens=without_cancelling,
    of_phi=lambda self, right, eta_wk, E_log_phi: right(eta_wk, self.zeros(self.W)),
)

# Folding in ----------------------------------------------------------------------------------------------------------

fold_in(
    "eta-added-to-topics",
    "(phi_wk + eta_w) / (1 + W eta) is taken for phi_wk, which is given and is not smoothed again",
    word=lambda self, right, gamma, i, k: (right(gamma, i, k) + self.eta_of(i, k)) / (1 + self.sum_eta[k]),
)
fold_in(
    "one-sweep-more",
    "gamma takes one sweep more than `sweeps`",
    changed=added(sweeps=1),
)

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


MISTAKES.at(("lda",), ("log_joint", "full_log_joint", "document_evidence"))(
    "orders-counted",
    "the logarithm of the number of orders, N_j! / prod_w n_jw!, is added for each document: x is the sequence of its "
    "words, and not their counts",
    log_joint=lambda self, right: right() + self.sum(log_orders(self, j) for j in range(self.D)),
    log_evidence=lambda self, right, j: right(j) + log_orders(self, j),
)
log_joint(
    "factorial-for-gamma",
    "log Gamma(a + n + 1) is taken for log Gamma(a + n): Gamma(x) is (x - 1)!",
    log_gamma_of_count=lambda self, right, x: right(x + 1),
)


def K_times_eta(self: Any, right: Any) -> tuple[Number, Row]:
    """The sums of the prior, K eta for that of eta; a ValueError where eta is not a single number."""
    if isinstance(self.case["prior"]["eta"], list):
        raise ValueError("there is no K eta of a vector")
    return self.sum_alpha, [self.K * e for e in self.eta[0]]


log_joint(
    "K-eta-in-totals",
    "log Gamma(K eta + N_k) is taken for log Gamma(W eta + N_k), and log Gamma(K eta) is added once: TNW06 (7) has W eta, "
    "and log Gamma(W eta) for each of K topics",
    sums_of_prior=K_times_eta,
    constant_of_phi=lambda self, right: right() - (self.K - 1) * self.log_gamma(self.sum_eta[0]),
)


def of_positive(self: Any, right: Any, N: Row, a: Row, total: Number) -> Any:
    """The terms of the counts above 0."""
    places = [m for m, n in enumerate(N) if self.positive(n)]
    return right([N[m] for m in places], [a[m] for m in places], total)


log_joint(
    "zero-counts-left-out",
    "log Gamma(a + n) is left out where n is 0, while log Gamma(a) is subtracted for all: TNW06 (7) has it for every n",
    of_counts=of_positive,
)


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


log_joint(
    "sum-overwritten",
    "log Gamma of a count is assigned where it is to be added, so that only the last count above 0 remains in the sums "
    "over documents and over topics, and the totals from it on, TNW06 (7)",
    log_joint=of_last,
)
log_joint(
    "normaliser-left-out",
    "log Gamma of the totals, K alpha + N_j and W eta + N_k, is left out of TNW06 (7), which subtracts it",
    of_counts=lambda self, right, N, a, total: right(N, a, total)[:-1],
)
full_log_joint(
    "exponent-without-minus-one",
    "the exponents are alpha + N_jk and eta + N_wk: TNW06 (1) has alpha - 1 + N_jk and eta - 1 + N_wk",
    exponent=lambda self, right, a, N: a + N,
)
full_log_joint(
    "densities-left-out",
    "log p(x, z | theta, phi) is given: TNW06 (1) has also the prior densities of theta and phi",
    exponent=lambda self, right, a, N: N,
    constant_of_theta=zero,
    constant_of_phi=zero,
)
document_evidence(
    "prior-mean-plugged-in",
    "theta is replaced by its prior mean, as if each token had a theta of its own: the document has one theta",
    log_evidence=lambda self, right, j: log_likelihood(self, j, self.normalised(self.alpha)),
)
document_evidence(
    "posterior-mean-plugged-in",
    "theta is replaced by its posterior mean: it is integrated out with its prior",
    log_evidence=at_posterior_mean,
)
