"""Mistakes in smoothing: the counts, what the prior adds to them, and which topic and word has which of its numbers."""

from ....plain.updates import UNCOLLAPSED, VB, Smoothed
from ..change import of_result, under
from .scopes import ESTIMATES, SMOOTHED, SOFT, WEIGHTS, WITH_ALPHA, only_with_number, where

STEPS_AND_ESTIMATES = (*WEIGHTS, *ESTIMATES)
EVERYWHERE = (*STEPS_AND_ESTIMATES, "bound")

# The sums of the prior -----------------------------------------------------------------------------------------------

smoothed = where(SMOOTHED, STEPS_AND_ESTIMATES) | {
    "W-for-W-eta": (
        "W eta in the topic's term is W",
        {"pseudo_eta": lambda self, right: (right()[0], [self.number(self.W)] * self.K)},
    ),
    "eta-for-W-eta": (
        "W eta in the topic's term is eta of the word",
        {"pseudo_eta": lambda self, right: (right()[0], self.eta[0])},
    ),
}
smoothed_everywhere = where(SMOOTHED, EVERYWHERE) | {
    "W-eta-for-sum-eta": (
        "W eta in the topic's term is W eta of the word",
        {"sums_of_prior": lambda self, right: (self.sum_alpha, [self.W * e for e in self.eta[0]])},
    )
}
sum_of_alpha = where((*WITH_ALPHA, "gibbs"), (*ESTIMATES, "bound")) | {
    "K-alpha-for-sum-alpha": {"sums_of_prior": lambda self, right: (self.K * self.alpha[0], self.sum_eta)}
}
topic_term = where((*SMOOTHED, "ml", "vem"), WEIGHTS) | {"no-topic-term": "the topic's term is left out"}

# Another prior -------------------------------------------------------------------------------------------------------

alpha_in_steps = where((*WITH_ALPHA, "gibbs"), STEPS_AND_ESTIMATES) | {"alpha-forgotten": "alpha is left out"}
eta_in_steps = where((*SMOOTHED, "gibbs"), STEPS_AND_ESTIMATES) | {"eta-forgotten": "eta is left out"}
alpha = where((*WITH_ALPHA, "gibbs"), EVERYWHERE) | {
    "alpha-and-eta-swapped": "alpha and eta are exchanged",
    "alpha-averaged": "alpha is its mean",
    "alpha-first": "alpha is its first number",
    "alpha-shifted": "alpha is the next number",
    "alpha-reversed": "alpha is its reverse",
    "alpha-divided-by-K": ("alpha is divided by K", only_with_number("alpha")),
    "alpha-times-K": ("alpha is multiplied by K", only_with_number("alpha")),
}
eta = where((*SMOOTHED, "gibbs"), EVERYWHERE) | {
    "eta-averaged": "eta is its mean",
    "eta-first": "eta is its first number",
    "eta-shifted": "eta is the next number",
    "eta-reversed": "eta is its reverse",
    "eta-divided-by-W": ("eta is divided by W", only_with_number("eta")),
}
smoothed_weights = where(SMOOTHED, WEIGHTS) | {
    # all words have the eta of word k, if there is one
    "eta-of-topic": {"weight": lambda self, right, *x: under(self, right, *x, eta=[self.eta[x[-1]]] * self.W)}
}

# The counts that it is added to --------------------------------------------------------------------------------------

counts = where(SOFT, (*EVERYWHERE, "hyperparameters")) | {
    "counts-of-rows": (
        "every sum, estimate and bound counts rows instead of tokens",
        "the count of a test row in the perplexity is 1",
    )
}
uncollapsed = where(UNCOLLAPSED, STEPS_AND_ESTIMATES) | {
    "topics-count-rows": ("each of N_wk and N_k counts rows instead of tokens", "phi_wk counts rows instead of tokens")
}

# What one algorithm adds, and another does not -----------------------------------------------------------------------

ml = where("ml", STEPS_AND_ESTIMATES) | {"prior-used": {"instead": Smoothed, "excludes": "nothing"}}
of_map = where("map", STEPS_AND_ESTIMATES) | {
    "prior-without-minus-one": {"instead": Smoothed, "excludes": "nothing"},
    "minus-one-for-minus-W": {
        "topic": lambda self, right, gamma, i, k: right(gamma, i, k) + self.W - 1,
        "pseudo_eta": lambda self, right: (right()[0], [E + self.W - 1 for E in right()[1]]),
    },
    "W-not-subtracted": ("the topic's term is larger by W", "eta has 1 added for each entry in the denominator"),
}
digamma = where(("vb", "vem"), WEIGHTS) | {"log-for-digamma": "Ψ(x) is log x"}
vb = where("vb", WEIGHTS) | {"half-subtracted": "Ψ(x) is log(x - 1/2)"}
vem = where("vem", STEPS_AND_ESTIMATES) | {
    "phi-smoothed": {
        "instead": Smoothed,
        "excludes": "nothing",
        "document": of_result(lambda self, x: self.exp_digamma(x)),
    },
    "vb-for-vem": {"instead": VB},
}
