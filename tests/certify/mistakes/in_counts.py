"""Mistakes in the sums of an update: what they exclude, their variances, and the terms of second order."""

from __future__ import annotations

from typing import Any

from lda_reference.plain.numbers import Number
from lda_reference.plain.problem import Row
from lda_reference.plain.updates import CVB, CVB0, CVB1D, UNCOLLAPSED

from .mistaken import SWEEPS, TOKENWISE, WEIGHTS, Change, Mistakes

MISTAKES = Mistakes()
tokenwise = MISTAKES.at(TOKENWISE, WEIGHTS)
collapsed = MISTAKES.at((*TOKENWISE, "tcvb0"), WEIGHTS)
tcvb0, cvb, cvb1d = (MISTAKES.at((name,), WEIGHTS) for name in ("tcvb0", "cvb", "cvb1d"))
cvb_exact, cvb1, cvb1s = (MISTAKES.at((name,), WEIGHTS) for name in ("cvb_exact", "cvb1", "cvb1s"))
second_order = MISTAKES.at(("cvb", "cvb1d"), WEIGHTS)


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


def only_from(*parts: str) -> Change:
    """Exclude the row from some of the three sums."""
    return lambda self, right, part, i, r: right(part, i, r) if part in parts else 0


# What the sums exclude -----------------------------------------------------------------------------------------------

tokenwise(
    "all-copies-excluded",
    "all copies of the word in the document are excluded: TNW06 (8)(15)(18), AWST09 (12)(13)(14) and SN12 (48)-(50) "
    "exclude one token",
    excluded=lambda self, right, part, i, r: self.n[r] if (self.j[r], self.w[r]) == (self.j[i], self.w[i]) else 0,
)
collapsed(
    "nothing-excluded",
    "nothing is excluded from the sums: TNW06 (8)(15)(18) and AWST09 (12)(13)(14) exclude the current token, SN12 (55) "
    "all tokens of the type",
    excludes="nothing",
)
MISTAKES.at(UNCOLLAPSED, WEIGHTS)(
    "token-excluded",
    "the current token is excluded from the sums: AWST09 (4)(5)(10) and TNW06 (6) exclude nothing",
    excludes="token",
)
tcvb0(
    "one-token-excluded",
    "one token is excluded, as in CVB0, AWST09 (13): TCVB0, SN12 (55), excludes all tokens of the type",
    excludes="token",
)
collapsed(
    "topic-count-not-excluded",
    "the row is excluded from the sums of its document and its word and not from the topic's: all three exclude it in "
    "TNW06 (8)(15)(18), AWST09 (12)(13)(14), SN12 (48)-(50)(55)",
    excluded=only_from("document", "word"),
)
collapsed(
    "document-count-not-excluded",
    "the row is excluded from the sums of its word and of the topics and not from its document's",
    excluded=only_from("word", "topic"),
)
collapsed(
    "word-count-not-excluded",
    "the row is excluded from the sums of its document and of the topics and not from its word's",
    excluded=only_from("document", "topic"),
)
collapsed(
    "excluded-from-document-only",
    "the row is excluded from the sums of its document alone, and not from its word's and the topics'",
    excluded=only_from("document"),
)
collapsed(
    "excluded-from-word-only",
    "the row is excluded from the sums of its word alone, and not from its document's and the topics'",
    excluded=only_from("word"),
)
MISTAKES.at(("cvb", "cvb0"), WEIGHTS)(
    "topic-total-of-document",
    "N_k, and V_k with it, are summed over the words of the document alone: TNW06 (16), AWST09 (13) sum over all words",
    rows=of_words_of_document,
)
MISTAKES.at(("cvb0",), WEIGHTS)(
    "document-counts-normalised",
    "N_jk is divided by N_j before alpha is added, and nothing is excluded: AWST09 (13) has N_jk without the token",
    excludes="nothing",
    document=share_of_document,
)
second_order(
    "variance-not-excluded",
    "the token is excluded from the mean and not from the variance: TNW06 (16) excludes it from both",
    V=lambda self, right, part, gamma, i, k: self.sum(
        self.n[r] * gamma[r][k] * (1 - gamma[r][k]) for r in self.rows(part, i)
    ),
)

# The terms of second order -------------------------------------------------------------------------------------------


def topic_as_the_others(self: Any, right: Any, gamma: list[Row], i: int, k: int) -> Number:
    """The topic term with a correction of the other sign."""
    x = self.N("topic", gamma, i, k) + self.W_eta(i, k)
    return x * self.exp(self.correction(x, self.V("topic", gamma, i, k)))


second_order(
    "variance-sign",
    "the variance terms have the wrong sign: TNW06 (17) subtracts V / (2 (a + N)²), SN12 (50) adds V / (N + W eta)²",
    correction=lambda self, right, x, V: -right(x, V),
)
cvb(
    "topic-variance-not-inverted",
    "the topic's variance term has the sign of the other two: in TNW06 (18) it is inverted, with the topic term",
    topic=topic_as_the_others,
)
second_order(
    "variance-is-mean",
    "the variance of a token is taken for gamma: it is gamma (1 - gamma), TNW06 (16)",
    V=lambda self, right, part, gamma, i, k: self.N(part, gamma, i, k),
)
cvb(
    "variance-without-half",
    "the variance terms lack the factor 1/2 of TNW06 (17)",
    correction=lambda self, right, x, V: 2 * right(x, V),
)
second_order(
    "variance-over-mean-not-squared",
    "the variance is divided by a + N: TNW06 (17) and SN12 (50) divide it by the square",
    correction=lambda self, right, x, V: x * right(x, V),
)
cvb(
    "variance-over-twice-mean-squared",
    "the variance is divided by (2 (a + N))²: TNW06 (17) divides it by 2 (a + N)²",
    correction=lambda self, right, x, V: right(x, V) / 2,
)
cvb1d(
    "variance-halved",
    "the topic term has V / 2 (N + W eta)², the half of TNW06 (17): SN12 (50) has V / (N + W eta)²",
    correction=lambda self, right, x, V: right(x, V) / 2,
)
cvb1d(
    "variance-over-cube",
    "the variance is divided by the cube of N + W eta: as a factor, SN12 (50), it is 1 + V / (N + W eta)²",
    correction=lambda self, right, x, V: right(x, V) / x,
)
second_order(
    "variance-count-squared",
    "the variance of a row is n² gamma (1 - gamma): its n tokens are independent, n gamma (1 - gamma)",
    V=lambda self, right, part, gamma, i, k: self.sum(
        n**2 * gamma[r][k] * (1 - gamma[r][k]) for r, n in self.left(part, i)
    ),
)


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


MISTAKES.at(("cvb",), SWEEPS)(
    "variance-drifts",
    "an update adds gamma to the variances that are kept, and takes the old gamma (1 - gamma) from them, so that they "
    "grow: it adds gamma (1 - gamma), TNW06 (16)",
    assigned=with_drift,
    V=drifted,
)
cvb(
    "variance-left-out",
    "the variance is left out: CVB0, AWST09 (13), instead of CVB, TNW06 (18)",
    instead=CVB0,
)

# The expectations that they approximate ------------------------------------------------------------------------------


def inverse_of_mean(self: Any, right: Any, gamma: list[Row], i: int, k: int) -> Number:
    """The topic term at the mean of the samples' counts."""
    n_k = self.sampled_counts(gamma, i, k)
    return self.number(sum(n_k)) / len(n_k) + self.W_eta(i, k)


cvb_exact(
    "gaussian-for-exact",
    "the expectations are taken to second order, TNW06 (18): exact CVB takes them exactly, TNW06 (15)",
    instead=CVB,
)
cvb_exact(
    "log-of-mean",
    "the logarithm of the expected count is taken, as in CVB0: TNW06 (15) has the expectation of the logarithm",
    instead=CVB0,
)
MISTAKES.at(("cvb1", "cvb1s", "cvb1d"), WEIGHTS)(
    "cvb0-topic-term",
    "the topic term is that of CVB0, 1 / (E[n] + W eta): SN12 (48)-(50) have E[1 / (n + W eta)]",
    instead=CVB0,
)
cvb1(
    "second-order-for-exact",
    "the topic term is taken to second order, SN12 (50): SN12 (48) has the exact E[1 / (n + W eta)]",
    instead=CVB1D,
)
cvb1(
    "log-topic-term",
    "the topic term is exp(-E[log(n + W eta)]), that of exact CVB: SN12 (48) has E[1 / (n + W eta)]",
    topic=lambda self, right, gamma, i, k: self.exp(self.E_log("topic", self.W_eta(i, k), gamma, i, k)),
)
cvb1s(
    "inverse-of-mean",
    "the samples' counts are averaged and then inverted: SN12 (49) averages the inverses",
    topic=inverse_of_mean,
)
