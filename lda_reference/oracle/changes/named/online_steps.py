"""Mistakes in the steps of one batch: online variational Bayes, and stochastic CVB0.

tau0 + 1 is in the program of the authors of online VB, who call it tau0. `seen` says where others were seen.
"""

from typing import Any

from ....plain.problem import Answer, Row, Rows
from ..change import TERMS, under
from .scopes import added, constant, where

vb_and_scvb0 = where(("vb", "scvb0"), "online_step") | {
    "scale-forgotten": {"scale": constant(1)},
    "scaled-by-total": {"scale": lambda self, right: self.given("total_N" if "total_N" in self.case else "total_D")},
    "scaled-by-batch": {"scale": lambda self, right: self.number(self.size() if "total_N" in self.case else self.D)},
    "rows-for-tokens-in-estimate": {"of_batch": lambda self, right, *x: under(self, right, *x, n=[1] * self.M)},
    "old-not-damped": {"moved": lambda self, right, old, estimate: old + self.rho() * estimate},
    "step-weights-exchanged": {"moved": lambda self, right, old, estimate: right(estimate, old)},
    "old-scaled": {"moved": lambda self, right, old, estimate: right(self.scale() * old, estimate)},
}

# Online VB -----------------------------------------------------------------------------------------------------------


def of_last_iteration(self: Any, right: Any, alpha_jk: Rows, topics: Rows) -> Rows:
    """gamma; after the iterations, that of the last one again."""
    self.calls = getattr(self, "calls", 0) + 1
    if not 1 < self.calls == self.case["iterations"] + 1:
        self.last = right(alpha_jk, topics)
    return self.last


vb = where("vb", "online_step") | {
    "D-over-tokens": {"scale": lambda self, right: self.given("total_D") / self.size()},
    "tau0-plus-one": {"time": lambda self, right: right() + 1},
    "tau0-minus-one": {"time": lambda self, right: right() - 1},
    "tau0-forgotten": {"time": lambda self, right: self.given("t")},
    "kappa-not-negative": {"rho": lambda self, right: self.numbers.power(self.time(), self.given("kappa"))},
    "prior-scaled": {
        "estimate_wk": lambda self, right, gamma, w, k: self.scale() * (self.eta[w][k] + self.of_batch(gamma, w, k))
    },
    "prior-added-in-full": {
        "estimate_wk": lambda self, right, gamma, w, k: (
            right(gamma, w, k) - self.eta[w][k] + self.eta[w][k] / self.rho()
        )
    },
    "gamma-of-last-iteration": {"responsibilities": of_last_iteration},
}

# Stochastic CVB0 -----------------------------------------------------------------------------------------------------


def with_eta(self: Any, right: Any) -> Answer:
    """The answer with eta added to N_wk, and not to N_k."""
    answer = right()
    row_pairs = zip(answer["N_wk"], self.eta, strict=True)
    return answer | {"N_wk": [[N + e for N, e in zip(*row_pair, strict=True)] for row_pair in row_pairs]}


def in_place(self: Any, right: Any, gamma: Rows, i: int) -> Row:
    """gamma of a row; in the last pass it is added to the N_wk and N_k that the next rows see."""
    if not hasattr(self, "passes"):
        self.passes = [0] * self.M
        self.N_wk = [[(1 - self.rho()) * old_sum for old_sum in old_row] for old_row in self.N_wk]
        self.N_k = [(1 - self.rho()) * old_sum for old_sum in self.N_k]
    new_gamma = right(gamma, i)
    self.passes[i] += 1
    if self.passes[i] == self.case["burn_in"] + 1:
        for k in range(self.K):
            increment = self.rho() * self.scale() * self.n[i] * new_gamma[k]
            self.N_wk[self.w[i]][k], self.N_k[k] = self.N_wk[self.w[i]][k] + increment, self.N_k[k] + increment
    return new_gamma


def all_passes(self: Any, right: Any, gamma: Rows, i: int) -> Row:
    """gamma of a row, which is added up over the passes."""
    if not hasattr(self, "of_passes"):
        self.of_passes = self.zeros(self.M)
    new_gamma = right(gamma, i)
    self.of_passes[i] = [x + y for x, y in zip(self.of_passes[i], new_gamma, strict=True)]
    return new_gamma


scvb0 = where("scvb0", "online_step") | {
    "documents-for-tokens": {"scale": lambda self, right: self.given("total_N") / self.D},
    "step-sizes-exchanged": {
        "changed": lambda self, right, case: case | {"rho_theta": case["rho_phi"], "rho_phi": case["rho_theta"]}
    },
    "prior-in-estimate": {"estimate_wk": lambda self, right, gamma, w, k: self.eta[w][k] + right(gamma, w, k)},
    "priors-accumulate": {"online_step": with_eta},
    "K-eta-for-W-eta": "W eta in the topic's term is K eta of the word",
    "gamma-of-length-one": "the weights are divided by their 2-norm",
    "own-gamma-excluded": dict.fromkeys(TERMS, lambda self, right, gamma, i, k: right(gamma, i, k) - gamma[i][k]),
    "topics-moved-by-row": {"passed": in_place},
    "clumping-forgotten": {"stay": lambda self, right, i: 1 - self.n[i] * self.given("rho_theta")},
    "one-token-for-row": {"stay": lambda self, right, i: 1 - self.given("rho_theta")},
    "document-weights-exchanged": {"stay": lambda self, right, i: 1 - right(i)},
    "C-forgotten": {"C": lambda self, right, i: 1},
    "burn-in-counted": {"passed": all_passes, "of_batch": lambda self, right, gamma, w, k: right(self.of_passes, w, k)},
    "one-pass-too-many": added(burn_in=1),
    "one-pass-too-few": added(burn_in=-1),
    "N_k-not-moved": {"online_step": lambda self, right: right() | {"N_k": self.given("N_k")}},
}
