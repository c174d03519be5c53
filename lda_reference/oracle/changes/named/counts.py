"""Mistakes in the sums of an update: what they exclude, their variances, and the terms of second order."""

from typing import Any

from ....plain.numbers import Number
from ....plain.problem import Row, Rows
from ....plain.updates import COLLAPSED, CVB, CVB0, UNCOLLAPSED, CVBExact
from ..change import of_result
from .scopes import SWEEPS, TOKENWISE, WEIGHTS, where

# What the sums exclude -----------------------------------------------------------------------------------------------


def unless_alone(self: Any, right: Any, gamma: Rows, i: int, k: int) -> Number:
    """The document term; a ValueError if the document has one token, whose sum over topics is 1 in any case."""
    n_tokens = sum(self.n[r] for r in self.of_document(self.j[i]))
    if n_tokens == 1 and (self.case["operation"] == "update" or sum(self.n) == 1):
        raise ValueError("one token has nothing to normalise")
    return right(gamma, i, k)


tokenwise = where(TOKENWISE, WEIGHTS) | {
    "all-copies-excluded": "each of the three sums excludes all copies of the word in the document"
}
collapsed = where(("cgs", *COLLAPSED), WEIGHTS) | {
    "nothing-excluded": "each of the three sums excludes nothing",
    "topic-count-not-excluded": "N_k excludes nothing",
    "document-count-not-excluded": "N_jk excludes nothing",
    "word-count-not-excluded": "N_wk excludes nothing",
    "excluded-from-document-only": "each of N_wk and N_k excludes nothing",
    "excluded-from-word-only": ("N_jk excludes nothing", "N_k excludes nothing"),
}
uncollapsed = where(UNCOLLAPSED, WEIGHTS) | {"token-excluded": "each of the three sums excludes one token"}
tcvb0 = where("tcvb0", WEIGHTS) | {"one-token-excluded": "each of the three sums excludes one token"}
cvb_and_cvb0 = where(("cvb", "cvb0"), WEIGHTS) | {
    "topic-total-of-document": "N_k is the sum over the rows of the document's words"
}
cvb0 = where("cvb0", WEIGHTS) | {
    "document-counts-normalised": (
        "each of the three sums excludes nothing",
        "N_jk is divided by its sum over topics",
        {"document": unless_alone},
    )
}

# The terms of second order -------------------------------------------------------------------------------------------


def with_drift(self: Any, right: Any, weights: Row, i: int) -> Row:
    """gamma of a row, with which too much is added to the variances that are kept."""
    new_gamma = right(weights, i)
    excess_of_rows = vars(self).setdefault("drift", self.zeros(self.M))
    if self.case["schedule"] == "token":
        excess_of_rows[i] = [excess + self.n[i] * g * g for excess, g in zip(excess_of_rows[i], new_gamma, strict=True)]
    return new_gamma


second_order = where(("cvb", "cvb1d"), WEIGHTS) | {
    "variance-not-excluded": "each of the three variances counts the row's own tokens",
    "variance-sign": "the correction of second order has the other sign",
    "variance-is-mean": "each of the three variances is the mean",
    "variance-over-mean-not-squared": "a + N in the correction of second order is its square root",
    "variance-count-squared": "each of the three variances has n² in a row of count n",
}
cvb = where("cvb", WEIGHTS) | {
    "topic-variance-not-inverted": "V_k has the other sign",
    "variance-without-half": "the correction of second order is doubled",
    "variance-over-twice-mean-squared": "the correction of second order is halved",
    "variance-left-out": "the correction of second order is left out",
}
cvb1d = where("cvb1d", WEIGHTS) | {
    "variance-halved": "the correction of second order is halved",
    "variance-over-cube": {"correction": lambda self, right, x, V: right(x, V) / x},
}
cvb_sweeps = where("cvb", SWEEPS) | {
    "variance-drifts": {
        "assigned": with_drift,
        "V": lambda self, right, part, gamma, i, k: (
            right(part, gamma, i, k)
            + self.sum(vars(self).get("drift", self.zeros(self.M))[r][k] for r in self.rows(part, i))
        ),
    }
}

# The expectations that they approximate ------------------------------------------------------------------------------

cvb_exact = where("cvb_exact", WEIGHTS) | {"gaussian-for-exact": {"instead": CVB}, "log-of-mean": {"instead": CVB0}}
every_cvb1 = where(("cvb1", "cvb1s", "cvb1d"), WEIGHTS) | {"cvb0-topic-term": {"instead": CVB0}}
cvb1 = where("cvb1", WEIGHTS) | {
    "second-order-for-exact": "the topic's term is (N + a) / (1 + V / (N + a)²)",
    "log-topic-term": {"topic": lambda self, right, *x: CVBExact.topic(self, *x)},
}
cvb1s = where("cvb1s", WEIGHTS) | {
    "inverse-of-mean": {"sampled_counts": of_result(lambda self, n_k: [self.number(sum(n_k)) / len(n_k)])}
}
