"""Mistakes in what is computed from a state: theta and phi, the perplexity, the bounds and Minka's fixed point."""

from typing import Any

from ....plain.numbers import Number
from ....plain.problem import Rows
from ....plain.updates import COLLAPSED, VB, CVBExact
from ..change import under
from .scopes import ESTIMATES, EVERY_ALGORITHM, SMOOTHED, WITH_ALPHA, where

# Estimates -----------------------------------------------------------------------------------------------------------


def by_digamma(self: Any, N: Rows, a: Rows) -> Rows:
    """exp Ψ(N + a), place by place."""
    return [[self.exp_digamma(x + y) for x, y in zip(*rows, strict=True)] for rows in zip(N, a, strict=True)]


def topics_first(matrix: Any) -> Any:
    """The numbers of a matrix in the order of memory that has topics as the first axis; anything else as it is."""
    if not isinstance(matrix, list) or not isinstance(matrix[0], list):
        return matrix
    flat_numbers = [row[k] for k in range(len(matrix[0])) for row in matrix]
    return [flat_numbers[i : i + len(matrix[0])] for i in range(0, len(flat_numbers), len(matrix[0]))]


smoothed_estimates = where((*SMOOTHED, "gibbs"), ESTIMATES) | {
    "estimates-without-prior": ("alpha is left out of the estimates", "eta is left out of the estimates")
}
posterior_means = where(("vb", "gibbs", "cgs", *COLLAPSED), ESTIMATES) | {
    "estimates-by-digamma": {
        "theta": lambda self, right, N_jk: [self.normalised(x) for x in by_digamma(self, N_jk, [self.alpha] * self.D)],
        "phi": lambda self, right, N_wk, N_k: self.by_columns(self.normalised, by_digamma(self, N_wk, self.eta)),
    }
}
with_alpha = where((*WITH_ALPHA, "gibbs"), ESTIMATES) | {
    "empty-theta-uniform": {
        "theta": lambda self, right, N_jk: [
            row if self.positive(self.sum(N)) else [self.number(1) / self.K] * self.K
            for row, N in zip(right(N_jk), N_jk, strict=True)
        ]
    }
}
estimates = where(EVERY_ALGORITHM, ESTIMATES) | {
    "phi-normalised-over-topics": ("phi_wk has N / K for N_k", "phi_wk is normalised over topics")
}
tables = where(EVERY_ALGORITHM, ("sweep", "ten_sweeps", "estimate")) | {
    "topics-first": {"answer": lambda self, right: {name: topics_first(x) for name, x in right().items()}}
}
predict = where(EVERY_ALGORITHM, "predict") | {
    "perplexity-base-2": "the perplexity is 2 to the mean of -log p",
    "perplexity-of-mean-probability": {
        "perplexity": lambda self, right, p, n: sum(n) / self.sum(c * x for c, x in zip(n, p, strict=True))
    },
    "perplexity-by-document": "the perplexity is the mean of the documents' perplexities",
    "perplexity-without-exp": "the perplexity is its logarithm",
    "test-counts-ignored": "the count of a test row in the perplexity is 1",
}

# The bounds ----------------------------------------------------------------------------------------------------------

SERIES_TERMS = ("0.000595238095238", "0.000793650793651", "0.002777777777778", "0.083333333333333")
HALF_LOG_2_PI = "0.918938533204673"


def log_gamma_of_lda_c(self: Any, right: Any, x: Number) -> Number:
    """log Gamma(x) by a series at x + 6, whose terms have 1/x² for 1/(x + 6)²."""
    y, z = x + 6, 1 / x**2
    a, b, c, d = map(self.number, SERIES_TERMS)
    series = ((-a * z + b) * z - c) * z + d
    recurrence = self.sum(self.log(y - m) for m in range(1, 7))
    return (y - 0.5) * self.log(y) - y + self.number(HALF_LOG_2_PI) + series / y - recurrence


bound = where(("vb", *COLLAPSED), "bound") | {
    "constants-without-K": "the constant of p(phi | eta) is divided by K",
    "constants-without-W": "the sums log Gamma(eta) of a topic are log Gamma(eta) once",
    "constants-without-D": "the constant of p(theta | alpha) is divided by D",
    "log-gamma-of-W-eta-forgotten": {
        "constant_of_phi": lambda self, right: right() - self.sum(self.log_gamma(E) for E in self.sum_eta)
    },
    "log-gamma-of-lda-c": {"log_gamma": log_gamma_of_lda_c},
    "log-base-2": "the bound is in bits",
    "entropy-forgotten": "the entropy of q(z) is left out",
    "entropy-subtracted": "the entropy of q(z) has the other sign",
    "entropy-without-counts": {"entropy": lambda self, right: under(self, right, n=[1] * self.M)},
    "free-energy-sign": "the bound has the other sign",
    "divided-by-tokens": "the bound is divided by the number of tokens",
}
collapsed_bound = where(COLLAPSED, "bound") | {"vb-bound": {"instead": VB}}
vb_bound = where("vb", "bound") | {"collapsed-bound": {"instead": CVBExact}}

# Minka's fixed point -------------------------------------------------------------------------------------------------

hyperparameters = where(EVERY_ALGORITHM, "hyperparameters") | {
    "minka-without-K": {
        "new_number": lambda self, right, shape, rate, a, rises, total: right(shape, rate, a, rises, total / len(a))
    },
    "minka-K-alpha": {"total_rise": lambda self, right, totals, a: right(totals, [a[0]] * len(a))},
    "minka-shape": ("the shape in a vector's step is 1 larger", "the shape in a number's step is 1 larger"),
    "minka-rate-forgotten": ("the rate in a vector's step is left out", "the rate in a number's step is left out"),
    "minka-prior-for-each": "Minka's step has the mean of a vector's entries for a number",
    "minka-without-factor": ("the old vector in Minka's step is 1", "the old number in Minka's step is 1"),
    "minka-log-for-digamma": "Ψ(x) is log x",
}
