"""Mistakes in what is computed from a state: theta and phi, the perplexity, the bounds and Minka's fixed point."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....plain.numbers import Number
from ....plain.problem import Row
from ....plain.updates import COLLAPSED, VB, CVBExact
from .scopes import ESTIMATES, EVERY_ALGORITHM, SMOOTHED, WITH_ALPHA, Method, at, with_counts_of_1, zero

predict = at(EVERY_ALGORITHM, ("predict",))
bound = at(("vb", *COLLAPSED), ("bound",))
hyperparameters = at(EVERY_ALGORITHM, ("hyperparameters",))

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


smoothed_estimates = at((*SMOOTHED, "gibbs"), ESTIMATES)
smoothed_estimates |= {
    "estimates-without-prior": {
        "pseudo_alpha": lambda self, right: (self.zeros(1)[0], self.number(0)),
        "pseudo_eta": lambda self, right: (self.zeros(self.W), self.zeros(1)[0]),
    }
}

posterior_means = at(("vb", "gibbs", "cgs", *COLLAPSED), ESTIMATES)
posterior_means |= {
    "estimates-by-digamma": {
        "theta": lambda self, right, N_jk: [self.normalised(x) for x in by_digamma(self, N_jk, [self.alpha] * self.D)],
        "phi": lambda self, right, N_wk, N_k: self.by_columns(self.normalised, by_digamma(self, N_wk, self.eta)),
    }
}

with_alpha = at((*WITH_ALPHA, "gibbs"), ESTIMATES)
with_alpha |= {"empty-theta-uniform": {"theta": empty_theta_uniform}}

estimates = at(EVERY_ALGORITHM, ESTIMATES)
estimates |= {"phi-normalised-over-topics": {"phi": phi_over_topics}}

tables = at(EVERY_ALGORITHM, ("sweep", "ten_sweeps", "estimate"))
tables |= {"topics-first": {"answer": lambda self, right: {name: topics_first(x) for name, x in right().items()}}}

# The perplexity ------------------------------------------------------------------------------------------------------


def mean_of_documents(self: Any, right: Any, p: Row, n: list[int]) -> Number:
    """The mean of the perplexities of the test documents."""
    j, each = self.case["test"]["j"], []
    for document in sorted(set(j)):
        rows = [i for i in range(len(p)) if j[i] == document]
        each.append(right([p[i] for i in rows], [n[i] for i in rows]))
    return self.sum(each) / len(each)


predict |= {
    "perplexity-base-2": {
        "perplexity": lambda self, right, p, n: self.numbers.power(self.number(2), -self.mean_log(p, n))
    },
    "perplexity-of-mean-probability": {
        "perplexity": lambda self, right, p, n: sum(n) / self.sum(c * x for c, x in zip(n, p, strict=True))
    },
    "perplexity-by-document": {"perplexity": mean_of_documents},
    "perplexity-without-exp": {"perplexity": lambda self, right, p, n: -self.mean_log(p, n)},
    "test-counts-ignored": {"changed": with_counts_of_1("test")},
}

# The bounds ----------------------------------------------------------------------------------------------------------

COEFFICIENTS = ("0.000595238095238", "0.000793650793651", "0.002777777777778", "0.083333333333333")
HALF_LOG_2_PI = "0.918938533204673"


def log_gamma_of_lda_c(self: Any, right: Any, x: Number) -> Number:
    """log Gamma(x) by a series at x + 6, whose terms have 1/x² for 1/(x + 6)²."""
    y, z = x + 6, 1 / x**2
    a, b, c, d = map(self.number, COEFFICIENTS)
    series = ((-a * z + b) * z - c) * z + d
    below = self.sum(self.log(y - m) for m in range(1, 7))
    return (y - 0.5) * self.log(y) - y + self.number(HALF_LOG_2_PI) + series / y - below


bound |= {
    "constants-without-K": {"constant_of_phi": lambda self, right: right() / self.K},
    "constants-without-W": {
        "constant_of_phi": lambda self, right: self.sum(
            self.log_gamma(E) - self.log_gamma(e) for E, e in zip(self.sum_eta, self.eta[0], strict=True)
        )
    },
    "log-gamma-of-W-eta-forgotten": {
        "constant_of_phi": lambda self, right: right() - self.sum(self.log_gamma(E) for E in self.sum_eta)
    },
    "log-gamma-of-lda-c": {"log_gamma": log_gamma_of_lda_c},
    "constants-without-D": {"constant_of_theta": lambda self, right: right() / self.D},
    "log-base-2": {"bound": lambda self, right: {"bound": right()["bound"] / self.log(self.number(2))}},
    "entropy-forgotten": {"entropy": zero},
    "entropy-subtracted": {"entropy": lambda self, right: -right()},
    "entropy-without-counts": {
        "entropy": lambda self, right: -self.sum(g * self.log(g) for row in self.gamma for g in row if self.positive(g))
    },
    "free-energy-sign": {"bound": lambda self, right: {"bound": -right()["bound"]}},
    "divided-by-tokens": {"bound": lambda self, right: {"bound": right()["bound"] / sum(self.n)}},
}

collapsed_bound = at(COLLAPSED, ("bound",))
collapsed_bound |= {"vb-bound": {"instead": VB}}

vb_bound = at(("vb",), ("bound",))
vb_bound |= {"collapsed-bound": {"instead": CVBExact}}

# Minka's fixed point -------------------------------------------------------------------------------------------------


def gamma_prior_with(f: Callable[[dict[str, Any]], dict[str, Any]]) -> Method:
    """A change of the Gamma prior of a case, to which f gives the new fields."""
    return lambda self, right, case: case | {"gamma_prior": case["gamma_prior"] | f(case["gamma_prior"])}


def without_factor(self: Any, right: Any, shape: Number, rate: Number, a: Row, rises: Row, total: Number) -> Any:
    """The step with 1 for the old values."""
    return right(shape, rate, [self.number(1)] * len(a), rises, total)


hyperparameters |= {
    "minka-without-K": {
        "new_number": lambda self, right, shape, rate, a, rises, total: right(shape, rate, a, rises, total / len(a))
    },
    "minka-K-alpha": {"total_rise": lambda self, right, totals, a: right(totals, [a[0]] * len(a))},
    "minka-shape": {"changed": gamma_prior_with(lambda old: {"shape": old["shape"] + 1})},
    "minka-rate-forgotten": {"changed": gamma_prior_with(lambda old: {"rate": 0.0})},
    "minka-prior-for-each": {
        "new_number": lambda self, right, shape, rate, a, *rest: right(
            1 + len(a) * (shape - 1), len(a) * rate, a, *rest
        )
    },
    "minka-without-factor": {"new_vector": without_factor, "new_number": without_factor},
    "minka-log-for-digamma": {"rise": lambda self, right, N, a: self.log(N + a) - self.log(a)},
}
