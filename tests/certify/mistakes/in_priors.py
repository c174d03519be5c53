"""Mistakes in smoothing: the counts, what the prior adds to them, and which topic and word has which of its numbers."""

from __future__ import annotations

from typing import Any

from lda_reference.plain.numbers import Number
from lda_reference.plain.problem import Case, Row
from lda_reference.plain.updates import UNCOLLAPSED, VB, Smoothed

from .mistaken import ESTIMATES, SMOOTHED, SOFT, WEIGHTS, WITH_ALPHA, Change, Mistakes, one, with_counts_of_1

STEPS_AND_ESTIMATES = (*WEIGHTS, *ESTIMATES)
EVERYWHERE = (*STEPS_AND_ESTIMATES, "bound")

MISTAKES = Mistakes()
alpha, eta = (MISTAKES.at((*of, "gibbs"), EVERYWHERE) for of in (WITH_ALPHA, SMOOTHED))
smoothed = MISTAKES.at(SMOOTHED, STEPS_AND_ESTIMATES)
ml, of_map, vem = (MISTAKES.at((name,), STEPS_AND_ESTIMATES) for name in ("ml", "map", "vem"))

# The sums of the prior -----------------------------------------------------------------------------------------------

smoothed(
    "W-for-W-eta",
    "the topic term has W where TNW06 (8), AWST09 (13)(15) have W eta",
    W_eta=lambda self, right, i, k: self.number(self.W),
    pseudo_eta=lambda self, right: (right()[0], [self.number(self.W)] * self.K),
)
smoothed(
    "eta-for-W-eta",
    "the topic term has eta where TNW06 (8), AWST09 (13)(15) have W eta",
    W_eta=lambda self, right, i, k: self.eta_of(i, k),
    pseudo_eta=lambda self, right: (right()[0], self.eta[0]),
)
MISTAKES.at(SMOOTHED, EVERYWHERE)(
    "W-eta-for-sum-eta",
    "W times one eta stands for the sum of eta over the words, which are not all alike",
    W_eta=lambda self, right, i, k: self.W * self.eta_of(i, k),
    sums_of_prior=lambda self, right: (self.sum_alpha, [self.W * e for e in self.eta[0]]),
)
MISTAKES.at((*WITH_ALPHA, "gibbs"), (*ESTIMATES, "bound"))(
    "K-alpha-for-sum-alpha",
    "K times the first alpha stands for the sum of alpha over the topics, which are not all alike",
    sums_of_prior=lambda self, right: (self.K * self.alpha[0], self.sum_eta),
)
MISTAKES.at((*SMOOTHED, "ml", "vem"), WEIGHTS)(
    "no-topic-term",
    "the topic term is left out, or its normaliser is summed over topics and cancels: TNW06 (6)(8)(15)(18) and "
    "AWST09 (4)(5)(13) divide by a sum over words, which differs from topic to topic",
    topic=one,
)

# Another prior -------------------------------------------------------------------------------------------------------


def exchanged(self: Any, right: Any, case: Case) -> Case:
    """The case with alpha for eta and eta for alpha, if both are numbers."""
    alpha, eta = case["prior"]["alpha"], case["prior"]["eta"]
    if isinstance(alpha, list) or isinstance(eta, list):
        return case
    return case | {"prior": {"alpha": eta, "eta": alpha}}


MISTAKES.at((*WITH_ALPHA, "gibbs"), STEPS_AND_ESTIMATES)(
    "alpha-forgotten",
    "alpha is left out",
    other_alpha=lambda self, right, alpha: [self.number(0)] * len(alpha),
)
MISTAKES.at((*SMOOTHED, "gibbs"), STEPS_AND_ESTIMATES)(
    "eta-forgotten",
    "eta is left out",
    other_eta=lambda self, right, eta: self.zeros(self.W),
)
alpha(
    "alpha-and-eta-swapped",
    "alpha and eta are exchanged: alpha goes with documents, eta with words",
    changed=exchanged,
)
alpha(
    "alpha-averaged",
    "every topic has the mean of alpha: topic k has alpha_k",
    other_alpha=lambda self, right, alpha: [self.sum(alpha) / self.K] * self.K,
)
eta(
    "eta-averaged",
    "every word has the mean of eta: word w has eta_w",
    other_eta=lambda self, right, eta: [[self.sum(of) / self.W for of in zip(*eta, strict=True)]] * self.W,
)

# The counts that it is added to --------------------------------------------------------------------------------------


def counts_of_topics_by_rows(self: Any, right: Any) -> tuple[list[Row], list[Row], Row]:
    """The sums, those of words and topics without the counts of the rows."""
    N_jk, N_wk, N_k = right()
    for i in range(self.M):
        for k in range(self.K):
            N_wk[self.w[i]][k] -= (self.n[i] - 1) * self.gamma[i][k]
            N_k[k] -= (self.n[i] - 1) * self.gamma[i][k]
    return N_jk, N_wk, N_k


MISTAKES.at(SOFT, (*EVERYWHERE, "hyperparameters"))(
    "counts-of-rows",
    "every row counts once: a row of count n is n tokens",
    changed=with_counts_of_1("corpus", "test"),
)
MISTAKES.at(UNCOLLAPSED, STEPS_AND_ESTIMATES)(
    "topics-count-rows",
    "rows are counted for words and topics, and tokens for documents: SOL14's published code does so, its (4) does not",
    left=lambda self, right, part, i: [(r, n if part == "document" else 1) for r, n in right(part, i)],
    counts=counts_of_topics_by_rows,
)

# What one algorithm adds, and another does not -----------------------------------------------------------------------


def less_half(self: Any, right: Any, x: Number) -> Number:
    """x - 1/2; a ValueError if it is not positive."""
    if self.numbers.at_most(x, 0.5):
        raise ValueError("x - 1/2 is not positive")
    return x - 0.5


ml(
    "prior-used",
    "the counts are smoothed by the prior: maximum likelihood, AWST09 (2)-(4), has none",
    instead=Smoothed,
    excludes="nothing",
)
of_map(
    "prior-without-minus-one",
    "alpha and eta are added where MAP, AWST09 (5)(6), adds alpha - 1 and eta - 1",
    instead=Smoothed,
    excludes="nothing",
)
of_map(
    "minus-one-for-minus-W",
    "the topic term is N_k + W eta - 1: MAP, AWST09 (5)(6), has N_k + W eta - W",
    topic=lambda self, right, gamma, i, k: self.N("topic", gamma, i, k) + self.W_eta(i, k) - 1,
    pseudo_eta=lambda self, right: (right()[0], [E - 1 for E in self.sum_eta]),
)
of_map(
    "W-not-subtracted",
    "the topic term is N_k + W eta: MAP, AWST09 (5)(6), has N_k + W eta - W",
    topic=lambda self, right, gamma, i, k: self.N("topic", gamma, i, k) + self.W_eta(i, k),
    pseudo_eta=lambda self, right: (right()[0], self.sum_eta),
)
MISTAKES.at(("vb", "vem"), WEIGHTS)(
    "log-for-digamma",
    "log stands where TNW06 (6), AWST09 (10) have the digamma function",
    exp_digamma=lambda self, right, x: x,
)
MISTAKES.at(("vb",), WEIGHTS)(
    "half-subtracted",
    "exp Ψ(x) is taken for x - 1/2, the reading AWST09 (11): the update is TNW06 (6), AWST09 (10)",
    exp_digamma=less_half,
)
vem(
    "phi-smoothed",
    "phi is smoothed by eta: variational EM (AWST09 §2.3) takes its maximum likelihood N_wk / N_k",
    instead=Smoothed,
    excludes="nothing",
    document=lambda self, right, gamma, i, k: self.exp(self.digamma(right(gamma, i, k))),
)
vem(
    "vb-for-vem",
    "phi has a variational posterior, as in VB: variational EM (AWST09 §2.3) takes its maximum likelihood",
    instead=VB,
)

# Which number of the prior belongs to which topic and which word -----------------------------------------------------


def eta_of_topic(self: Any, right: Any, gamma: list[Row], i: int, k: int) -> Number:
    """The weight with the eta of word k for all words; a ValueError if there is no word k."""
    if k >= self.W:
        raise ValueError("eta has fewer entries than topics")
    eta, self.eta = self.eta, [self.eta[k]] * self.W
    x = right(gamma, i, k)
    self.eta = eta
    return x


def of_number(name: str, change: Change) -> Change:
    """A change of alpha or eta where it is a single number; a list stays as it is."""
    return lambda self, right, a: a if isinstance(self.case["prior"][name], list) else change(self, right, a)


alpha(
    "alpha-first",
    "every topic has the first entry of alpha: topic k has alpha_k",
    other_alpha=lambda self, right, alpha: alpha[:1] * len(alpha),
)
alpha(
    "alpha-shifted",
    "topic k has the alpha of topic k + 1, and the last topic that of the first",
    other_alpha=lambda self, right, alpha: alpha[1:] + alpha[:1],
)
alpha(
    "alpha-reversed",
    "the entries of alpha are in the reverse order",
    other_alpha=lambda self, right, alpha: alpha[::-1],
)
alpha(
    "alpha-divided-by-K",
    "alpha is divided by K, as if it were the sum over topics: a number is the alpha of each topic",
    other_alpha=of_number("alpha", lambda self, right, alpha: [a / self.K for a in alpha]),
)
alpha(
    "alpha-times-K",
    "every topic has K times alpha, the sum over topics: a number is the alpha of each topic",
    other_alpha=of_number("alpha", lambda self, right, alpha: [self.K * a for a in alpha]),
)
eta(
    "eta-first",
    "every word has the first entry of eta: word w has eta_w",
    other_eta=lambda self, right, eta: eta[:1] * len(eta),
)
eta(
    "eta-shifted",
    "word w has the eta of word w + 1, and the last word that of the first",
    other_eta=lambda self, right, eta: eta[1:] + eta[:1],
)
eta(
    "eta-reversed",
    "the entries of eta are in the reverse order",
    other_eta=lambda self, right, eta: eta[::-1],
)
eta(
    "eta-divided-by-W",
    "eta is divided by W, as if it were the sum over words: a number is the eta of each word",
    other_eta=of_number("eta", lambda self, right, eta: [[e / self.W for e in row] for row in eta]),
)
MISTAKES.at(SMOOTHED, WEIGHTS)(
    "eta-of-topic",
    "eta is indexed by the topic: its entry is that of the word",
    weight=eta_of_topic,
)
