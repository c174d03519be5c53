"""Mistakes in what is computed from a state: theta and phi, the perplexity, the bounds and Minka's fixed point."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lda_reference.plain.numbers import Number
from lda_reference.plain.problem import Row
from lda_reference.plain.updates import COLLAPSED, VB, CVBExact

from .mistaken import ESTIMATES, EVERY_ALGORITHM, SMOOTHED, WITH_ALPHA, Change, Mistakes, with_counts_of_1, zero

MISTAKES = Mistakes()
predict = MISTAKES.at(EVERY_ALGORITHM, ("predict",))
bound = MISTAKES.at(("vb", *COLLAPSED), ("bound",))
hyperparameters = MISTAKES.at(EVERY_ALGORITHM, ("hyperparameters",))

# Estimates -----------------------------------------------------------------------------------------------------------


def by_digamma(self: Any, N: list[Row], a: list[Row]) -> list[Row]:
    """exp Ψ(N + a), place by place."""
    rows = zip(N, a, strict=True)
    return [[self.exp(self.digamma(x + y)) for x, y in zip(*row, strict=True)] for row in rows]


def empty_theta_uniform(self: Any, right: Any, N_jk: list[Row]) -> list[Row]:
    """theta, uniform for documents without tokens."""
    uniform = [self.number(1) / self.K] * self.K
    return [row if self.positive(self.sum(N)) else uniform for row, N in zip(right(N_jk), N_jk, strict=True)]


def phi_over_topics(self: Any, right: Any, N_wk: list[Row], N_k: Row) -> list[Row]:
    """N_wk + eta_w, divided by its sum over topics."""
    e, _ = self.pseudo_eta()
    return [self.normalised([N + x for N, x in zip(N_wk[w], e[w], strict=True)]) for w in range(self.W)]


def topics_first(x: Any) -> Any:
    """The numbers of a matrix in the order of memory that has topics as the first axis; anything else as it is."""
    if not isinstance(x, list) or not isinstance(x[0], list):
        return x
    flat = [row[k] for k in range(len(x[0])) for row in x]
    return [flat[i : i + len(x[0])] for i in range(0, len(flat), len(x[0]))]


MISTAKES.at((*SMOOTHED, "gibbs"), ESTIMATES)(
    "estimates-without-prior",
    "theta and phi are N_jk / N_j and N_wk / N_k, as SOL14 §2.4.1 prints: the posterior means, AWST09 (15), have the "
    "prior, and MAP its mode, AWST09 (6)",
    pseudo_alpha=lambda self, right: (self.zeros(1)[0], self.number(0)),
    pseudo_eta=lambda self, right: (self.zeros(self.W), self.zeros(1)[0]),
)
MISTAKES.at(("vb", "gibbs", "cgs", *COLLAPSED), ESTIMATES)(
    "estimates-by-digamma",
    "theta and phi are those of AWST09 (16), by exp Ψ: the posterior means are AWST09 (15)",
    theta=lambda self, right, N_jk: [self.normalised(x) for x in by_digamma(self, N_jk, [self.alpha] * self.D)],
    phi=lambda self, right, N_wk, N_k: self.by_columns(self.normalised, by_digamma(self, N_wk, self.eta)),
)
MISTAKES.at((*WITH_ALPHA, "gibbs"), ESTIMATES)(
    "empty-theta-uniform",
    "theta of a document without tokens is uniform: it is the prior mean alpha_k / (sum of alpha)",
    theta=empty_theta_uniform,
)
MISTAKES.at(EVERY_ALGORITHM, ESTIMATES)(
    "phi-normalised-over-topics",
    "phi is normalised over topics: each topic is a distribution over words",
    phi=phi_over_topics,
)
MISTAKES.at(EVERY_ALGORITHM, ("sweep", "ten_sweeps", "estimate"))(
    "topics-first",
    "the numbers are in the order of an array with topics first: topics are the last axis",
    answer=lambda self, right: {name: topics_first(x) for name, x in right().items()},
)

# The perplexity ------------------------------------------------------------------------------------------------------


def mean_of_documents(self: Any, right: Any, p: Row, n: list[int]) -> Number:
    """The mean of the perplexities of the test documents."""
    j, each = self.case["test"]["j"], []
    for document in sorted(set(j)):
        rows = [i for i in range(len(p)) if j[i] == document]
        each.append(right([p[i] for i in rows], [n[i] for i in rows]))
    return self.sum(each) / len(each)


predict(
    "perplexity-base-2",
    "2 is raised to minus the mean natural logarithm: perplexity is exp of it",
    perplexity=lambda self, right, p, n: self.numbers.power(self.number(2), -self.mean_log(p, n)),
)
predict(
    "perplexity-of-mean-probability",
    "the perplexity is one over the mean probability: it is exp of minus the mean logarithm",
    perplexity=lambda self, right, p, n: sum(n) / self.sum(c * x for c, x in zip(n, p, strict=True)),
)
predict(
    "perplexity-by-document",
    "perplexities of documents are averaged: all tokens are pooled",
    perplexity=mean_of_documents,
)
predict(
    "perplexity-without-exp",
    "the perplexity is minus the mean logarithm: it is exp of that",
    perplexity=lambda self, right, p, n: -self.mean_log(p, n),
)
predict(
    "test-counts-ignored",
    "every row of the test corpus counts once in the perplexity: a row of count n is n tokens",
    changed=with_counts_of_1("test"),
)

# The bounds ----------------------------------------------------------------------------------------------------------

# The decimals of the log Gamma function of lda-c
COEFFICIENTS = ("0.000595238095238", "0.000793650793651", "0.002777777777778", "0.083333333333333")
HALF_LOG_2_PI = "0.918938533204673"


def log_gamma_of_lda_c(self: Any, right: Any, x: Number) -> Number:
    """log Gamma(x) by a series at x + 6, whose terms have 1/x² for 1/(x + 6)²."""
    y, z = x + 6, 1 / x**2
    a, b, c, d = map(self.number, COEFFICIENTS)
    series = ((-a * z + b) * z - c) * z + d
    below = self.sum(self.log(y - m) for m in range(1, 7))
    return (y - 0.5) * self.log(y) - y + self.number(HALF_LOG_2_PI) + series / y - below


bound(
    "constants-without-K",
    "the constants of p(phi | eta) are taken once: TNW06 (7) has them for each of K topics",
    constant_of_phi=lambda self, right: right() / self.K,
)
bound(
    "constants-without-W",
    "log Gamma(eta) is taken once for a topic: TNW06 (7) has it for each of W words",
    constant_of_phi=lambda self, right: self.sum(
        self.log_gamma(E) - self.log_gamma(e) for E, e in zip(self.sum_eta, self.eta[0], strict=True)
    ),
)
bound(
    "log-gamma-of-W-eta-forgotten",
    "log Gamma(W eta) is left out of the constants of p(phi | eta), TNW06 (7)",
    constant_of_phi=lambda self, right: right() - self.sum(self.log_gamma(E) for E in self.sum_eta),
)
bound(
    "log-gamma-of-lda-c",
    "log Gamma is that of lda-c, which takes 1/x² before it adds 6 to x",
    log_gamma=log_gamma_of_lda_c,
)
bound(
    "constants-without-D",
    "the constants of p(theta | alpha) are taken once: TNW06 (7) has them for each of D documents",
    constant_of_theta=lambda self, right: right() / self.D,
)
bound(
    "log-base-2",
    "the bound is in bits: it is in nats",
    bound=lambda self, right: {"bound": right()["bound"] / self.log(self.number(2))},
)
bound(
    "entropy-forgotten",
    "the entropy of q(z) is left out of TNW06 (2)(12)",
    entropy=zero,
)
bound(
    "entropy-subtracted",
    "the entropy of q(z) is subtracted: TNW06 (2)(12) add it",
    entropy=lambda self, right: -right(),
)
bound(
    "entropy-without-counts",
    "the entropy of a row is taken once: a row of count n is n tokens",
    entropy=lambda self, right: -self.sum(g * self.log(g) for row in self.gamma for g in row if self.positive(g)),
)
bound(
    "free-energy-sign",
    "the free energy, TNW06 (2)(12), is given: the bound is minus that",
    bound=lambda self, right: {"bound": -right()["bound"]},
)
bound(
    "divided-by-tokens",
    "the bound is divided by the number of tokens",
    bound=lambda self, right: {"bound": right()["bound"] / sum(self.n)},
)
MISTAKES.at(COLLAPSED, ("bound",))(
    "vb-bound",
    "the bound is that of VB, TNW06 (2), the log joint at expected counts: TNW06 (12) is the expected log joint",
    instead=VB,
)
MISTAKES.at(("vb",), ("bound",))(
    "collapsed-bound",
    "the bound is the collapsed one, TNW06 (12): that of VB is TNW06 (2)",
    instead=CVBExact,
)

# Minka's fixed point -------------------------------------------------------------------------------------------------


def gamma_prior_with(f: Callable[[dict[str, Any]], dict[str, Any]]) -> Change:
    """A change of the Gamma prior of a case, to which f gives the new fields."""
    return lambda self, right, case: case | {"gamma_prior": case["gamma_prior"] | f(case["gamma_prior"])}


def without_factor(self: Any, right: Any, shape: Number, rate: Number, a: Row, rises: Row, total: Number) -> Any:
    """The step with 1 for the old values."""
    return right(shape, rate, [self.number(1)] * len(a), rises, total)


hyperparameters(
    "minka-without-K",
    "the denominator lacks the number of components (K of alpha, W of eta), by which AWST09 §3.1 multiplies its sum",
    new_number=lambda self, right, shape, rate, a, rises, total: right(shape, rate, a, rises, total / len(a)),
)
hyperparameters(
    "minka-K-alpha",
    "K times the first alpha (W times the first eta) stands for the sum over components: SN12 §10 has the sum",
    total_rise=lambda self, right, totals, a: right(totals, [a[0]] * len(a)),
)
hyperparameters(
    "minka-shape",
    "the Gamma prior's shape is added: AWST09 §3.1 adds the shape less 1",
    changed=gamma_prior_with(lambda old: {"shape": old["shape"] + 1}),
)
hyperparameters(
    "minka-rate-forgotten",
    "the Gamma prior's rate is left out of the denominator, AWST09 §3.1",
    changed=gamma_prior_with(lambda old: {"rate": 0.0}),
)
hyperparameters(
    "minka-prior-for-each",
    "the Gamma prior of a single number is counted once for each component: it is one number, with one prior",
    new_number=lambda self, right, shape, rate, a, *rest: right(1 + len(a) * (shape - 1), len(a) * rate, a, *rest),
)
hyperparameters(
    "minka-without-factor",
    "the old value does not multiply the sum in the numerator, AWST09 §3.1",
    new_vector=without_factor,
    new_number=without_factor,
)
hyperparameters(
    "minka-log-for-digamma",
    "log stands where AWST09 §3.1 has the digamma function",
    rise=lambda self, right, N, a: self.log(N + a) - self.log(a),
)
