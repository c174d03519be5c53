"""Mistakes in smoothing: the counts, what the prior adds to them, and which topic and word has which of its numbers."""

from __future__ import annotations

from typing import Any

from ....plain.numbers import Number
from ....plain.problem import Case, Row
from ....plain.updates import UNCOLLAPSED, VB, Smoothed
from .scopes import ESTIMATES, SMOOTHED, SOFT, WEIGHTS, WITH_ALPHA, Method, at, one, with_counts_of_1

STEPS_AND_ESTIMATES = (*WEIGHTS, *ESTIMATES)
EVERYWHERE = (*STEPS_AND_ESTIMATES, "bound")
alpha, eta = (at((*of, "gibbs"), EVERYWHERE) for of in (WITH_ALPHA, SMOOTHED))
smoothed = at(SMOOTHED, STEPS_AND_ESTIMATES)
ml, of_map, vem = (at((name,), STEPS_AND_ESTIMATES) for name in ("ml", "map", "vem"))

# The sums of the prior -----------------------------------------------------------------------------------------------

smoothed |= {
    "W-for-W-eta": {
        "W_eta": lambda self, right, i, k: self.number(self.W),
        "pseudo_eta": lambda self, right: (right()[0], [self.number(self.W)] * self.K),
    },
    "eta-for-W-eta": {
        "W_eta": lambda self, right, i, k: self.eta_of(i, k),
        "pseudo_eta": lambda self, right: (right()[0], self.eta[0]),
    },
}

smoothed_everywhere = at(SMOOTHED, EVERYWHERE)
smoothed_everywhere |= {
    "W-eta-for-sum-eta": {
        "W_eta": lambda self, right, i, k: self.W * self.eta_of(i, k),
        "sums_of_prior": lambda self, right: (self.sum_alpha, [self.W * e for e in self.eta[0]]),
    }
}

sum_of_alpha = at((*WITH_ALPHA, "gibbs"), (*ESTIMATES, "bound"))
sum_of_alpha |= {"K-alpha-for-sum-alpha": {"sums_of_prior": lambda self, right: (self.K * self.alpha[0], self.sum_eta)}}

topic_term = at((*SMOOTHED, "ml", "vem"), WEIGHTS)
topic_term |= {"no-topic-term": {"topic": one}}

# Another prior -------------------------------------------------------------------------------------------------------


def exchanged(self: Any, right: Any, case: Case) -> Case:
    """The case with alpha for eta and eta for alpha, if both are numbers."""
    alpha, eta = case["prior"]["alpha"], case["prior"]["eta"]
    if isinstance(alpha, list) or isinstance(eta, list):
        return case
    return case | {"prior": {"alpha": eta, "eta": alpha}}


alpha_in_steps = at((*WITH_ALPHA, "gibbs"), STEPS_AND_ESTIMATES)
alpha_in_steps |= {"alpha-forgotten": {"other_alpha": lambda self, right, alpha: [self.number(0)] * len(alpha)}}

eta_in_steps = at((*SMOOTHED, "gibbs"), STEPS_AND_ESTIMATES)
eta_in_steps |= {"eta-forgotten": {"other_eta": lambda self, right, eta: self.zeros(self.W)}}
alpha |= {
    "alpha-and-eta-swapped": {"changed": exchanged},
    "alpha-averaged": {"other_alpha": lambda self, right, alpha: [self.sum(alpha) / self.K] * self.K},
}
eta |= {
    "eta-averaged": {
        "other_eta": lambda self, right, eta: [[self.sum(of) / self.W for of in zip(*eta, strict=True)]] * self.W
    }
}

# The counts that it is added to --------------------------------------------------------------------------------------


def counts_of_topics_by_rows(self: Any, right: Any) -> tuple[list[Row], list[Row], Row]:
    """The sums, those of words and topics without the counts of the rows."""
    N_jk, N_wk, N_k = right()
    for i in range(self.M):
        for k in range(self.K):
            N_wk[self.w[i]][k] -= (self.n[i] - 1) * self.gamma[i][k]
            N_k[k] -= (self.n[i] - 1) * self.gamma[i][k]
    return N_jk, N_wk, N_k


counts = at(SOFT, (*EVERYWHERE, "hyperparameters"))
counts |= {"counts-of-rows": {"changed": with_counts_of_1("corpus", "test")}}

uncollapsed = at(UNCOLLAPSED, STEPS_AND_ESTIMATES)
uncollapsed |= {
    "topics-count-rows": {
        "left": lambda self, right, part, i: [(r, n if part == "document" else 1) for r, n in right(part, i)],
        "counts": counts_of_topics_by_rows,
    }
}

# What one algorithm adds, and another does not -----------------------------------------------------------------------


def less_half(self: Any, right: Any, x: Number) -> Number:
    """x - 1/2; a ValueError if it is not positive."""
    if self.numbers.at_most(x, 0.5):
        raise ValueError("x - 1/2 is not positive")
    return x - 0.5


ml |= {"prior-used": {"instead": Smoothed, "excludes": "nothing"}}
of_map |= {
    "prior-without-minus-one": {"instead": Smoothed, "excludes": "nothing"},
    "minus-one-for-minus-W": {
        "topic": lambda self, right, gamma, i, k: self.N("topic", gamma, i, k) + self.W_eta(i, k) - 1,
        "pseudo_eta": lambda self, right: (right()[0], [E - 1 for E in self.sum_eta]),
    },
    "W-not-subtracted": {
        "topic": lambda self, right, gamma, i, k: self.N("topic", gamma, i, k) + self.W_eta(i, k),
        "pseudo_eta": lambda self, right: (right()[0], self.sum_eta),
    },
}

digamma = at(("vb", "vem"), WEIGHTS)
digamma |= {"log-for-digamma": {"exp_digamma": lambda self, right, x: x}}

vb = at(("vb",), WEIGHTS)
vb |= {"half-subtracted": {"exp_digamma": less_half}}
vem |= {
    "phi-smoothed": {
        "instead": Smoothed,
        "excludes": "nothing",
        "document": lambda self, right, gamma, i, k: self.exp(self.digamma(right(gamma, i, k))),
    },
    "vb-for-vem": {"instead": VB},
}

# Which number of the prior belongs to which topic and which word -----------------------------------------------------


def eta_of_topic(self: Any, right: Any, gamma: list[Row], i: int, k: int) -> Number:
    """The weight with the eta of word k for all words; a ValueError if there is no word k."""
    if k >= self.W:
        raise ValueError("eta has fewer entries than topics")
    eta, self.eta = self.eta, [self.eta[k]] * self.W
    x = right(gamma, i, k)
    self.eta = eta
    return x


def of_number(name: str, change: Method) -> Method:
    """A change of alpha or eta where it is a single number; a list stays as it is."""
    return lambda self, right, a: a if isinstance(self.case["prior"][name], list) else change(self, right, a)


alpha |= {
    "alpha-first": {"other_alpha": lambda self, right, alpha: alpha[:1] * len(alpha)},
    "alpha-shifted": {"other_alpha": lambda self, right, alpha: alpha[1:] + alpha[:1]},
    "alpha-reversed": {"other_alpha": lambda self, right, alpha: alpha[::-1]},
    "alpha-divided-by-K": {"other_alpha": of_number("alpha", lambda self, right, alpha: [a / self.K for a in alpha])},
    "alpha-times-K": {"other_alpha": of_number("alpha", lambda self, right, alpha: [self.K * a for a in alpha])},
}
eta |= {
    "eta-first": {"other_eta": lambda self, right, eta: eta[:1] * len(eta)},
    "eta-shifted": {"other_eta": lambda self, right, eta: eta[1:] + eta[:1]},
    "eta-reversed": {"other_eta": lambda self, right, eta: eta[::-1]},
    "eta-divided-by-W": {
        "other_eta": of_number("eta", lambda self, right, eta: [[e / self.W for e in row] for row in eta])
    },
}

smoothed_weights = at(SMOOTHED, WEIGHTS)
smoothed_weights |= {"eta-of-topic": {"weight": eta_of_topic}}
