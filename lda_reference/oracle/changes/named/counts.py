"""Mistakes in the sums of an update: what they exclude, their variances, and the terms of second order."""

from __future__ import annotations

from typing import Any

from ....plain.numbers import Number
from ....plain.problem import Row
from ....plain.updates import CVB, CVB0, CVB1D, UNCOLLAPSED
from .scopes import SWEEPS, TOKENWISE, WEIGHTS, Method, at

tokenwise = at(TOKENWISE, WEIGHTS)
collapsed = at((*TOKENWISE, "tcvb0"), WEIGHTS)
tcvb0, cvb, cvb1d = (at((name,), WEIGHTS) for name in ("tcvb0", "cvb", "cvb1d"))
cvb_exact, cvb1, cvb1s = (at((name,), WEIGHTS) for name in ("cvb_exact", "cvb1", "cvb1s"))
second_order = at(("cvb", "cvb1d"), WEIGHTS)


def of_words_of_document(self: Any, right: Any, part: str, i: int) -> list[int]:
    """The rows of a sum; those of the topic's total are the rows of the words that are in the document."""
    words = {self.w[r] for r in self.of_document(self.j[i])}
    return [r for r in right(part, i) if part != "topic" or self.w[r] in words]


def share_of_document(self: Any, right: Any, gamma: list[Row], i: int, k: int) -> Number:
    """alpha_k plus the share of topic k in the document; a ValueError where this is N_jk itself, of one token."""
    rows = self.of_document(self.j[i])
    N_j = sum(self.n[r] for r in rows)
    if N_j == 1 and (self.case["operation"] == "update" or sum(self.n) == 1):
        raise ValueError("one token has nothing to normalise")
    return self.alpha[k] + self.sum(self.n[r] * gamma[r][k] for r in rows) / N_j


def only_from(*parts: str) -> Method:
    """Exclude the row from some of the three sums."""
    return lambda self, right, part, i, r: right(part, i, r) if part in parts else 0


# What the sums exclude -----------------------------------------------------------------------------------------------

tokenwise |= {
    "all-copies-excluded": {
        "excluded": lambda self, right, part, i, r: self.n[r] if (self.j[r], self.w[r]) == (self.j[i], self.w[i]) else 0
    }
}
collapsed |= {
    "nothing-excluded": {"excludes": "nothing"},
    "topic-count-not-excluded": {"excluded": only_from("document", "word")},
    "document-count-not-excluded": {"excluded": only_from("word", "topic")},
    "word-count-not-excluded": {"excluded": only_from("document", "topic")},
    "excluded-from-document-only": {"excluded": only_from("document")},
    "excluded-from-word-only": {"excluded": only_from("word")},
}

uncollapsed = at(UNCOLLAPSED, WEIGHTS)
uncollapsed |= {"token-excluded": {"excludes": "token"}}
tcvb0 |= {"one-token-excluded": {"excludes": "token"}}

cvb_and_cvb0 = at(("cvb", "cvb0"), WEIGHTS)
cvb_and_cvb0 |= {"topic-total-of-document": {"rows": of_words_of_document}}

cvb0 = at(("cvb0",), WEIGHTS)
cvb0 |= {"document-counts-normalised": {"excludes": "nothing", "document": share_of_document}}
second_order |= {
    "variance-not-excluded": {
        "V": lambda self, right, part, gamma, i, k: self.sum(
            self.n[r] * gamma[r][k] * (1 - gamma[r][k]) for r in self.rows(part, i)
        )
    }
}

# The terms of second order -------------------------------------------------------------------------------------------


def topic_as_the_others(self: Any, right: Any, gamma: list[Row], i: int, k: int) -> Number:
    """The topic term with a correction of the other sign."""
    x = self.N("topic", gamma, i, k) + self.W_eta(i, k)
    return x * self.exp(self.correction(x, self.V("topic", gamma, i, k)))


def with_drift(self: Any, right: Any, x: Row, i: int) -> Row:
    """gamma of a row, with which too much is added to the variances that are kept."""
    new: Row = right(x, i)
    drift = vars(self).setdefault("drift", self.zeros(self.M))
    if self.case["schedule"] == "token":
        drift[i] = [d + self.n[i] * g * g for d, g in zip(drift[i], new, strict=True)]
    return new


def drifted(self: Any, right: Any, part: str, gamma: list[Row], i: int, k: int) -> Number:
    """A variance, and what the updates before have added to it."""
    drift: list[Row] = vars(self).get("drift", self.zeros(self.M))
    return right(part, gamma, i, k) + self.sum(drift[r][k] for r in self.rows(part, i))


second_order |= {
    "variance-sign": {"correction": lambda self, right, x, V: -right(x, V)},
    "variance-is-mean": {"V": lambda self, right, part, gamma, i, k: self.N(part, gamma, i, k)},
    "variance-over-mean-not-squared": {"correction": lambda self, right, x, V: x * right(x, V)},
    "variance-count-squared": {
        "V": lambda self, right, part, gamma, i, k: self.sum(
            n**2 * gamma[r][k] * (1 - gamma[r][k]) for r, n in self.left(part, i)
        )
    },
}
cvb |= {
    "topic-variance-not-inverted": {"topic": topic_as_the_others},
    "variance-without-half": {"correction": lambda self, right, x, V: 2 * right(x, V)},
    "variance-over-twice-mean-squared": {"correction": lambda self, right, x, V: right(x, V) / 2},
    "variance-left-out": {"instead": CVB0},
}
cvb1d |= {
    "variance-halved": {"correction": lambda self, right, x, V: right(x, V) / 2},
    "variance-over-cube": {"correction": lambda self, right, x, V: right(x, V) / x},
}

cvb_sweeps = at(("cvb",), SWEEPS)
cvb_sweeps |= {"variance-drifts": {"assigned": with_drift, "V": drifted}}

# The expectations that they approximate ------------------------------------------------------------------------------


def inverse_of_mean(self: Any, right: Any, gamma: list[Row], i: int, k: int) -> Number:
    """The topic term at the mean of the samples' counts."""
    n_k = self.sampled_counts(gamma, i, k)
    return self.number(sum(n_k)) / len(n_k) + self.W_eta(i, k)


cvb_exact |= {"gaussian-for-exact": {"instead": CVB}, "log-of-mean": {"instead": CVB0}}

every_cvb1 = at(("cvb1", "cvb1s", "cvb1d"), WEIGHTS)
every_cvb1 |= {"cvb0-topic-term": {"instead": CVB0}}
cvb1 |= {
    "second-order-for-exact": {"instead": CVB1D},
    "log-topic-term": {
        "topic": lambda self, right, gamma, i, k: self.exp(self.E_log("topic", self.W_eta(i, k), gamma, i, k))
    },
}
cvb1s |= {"inverse-of-mean": {"topic": inverse_of_mean}}
