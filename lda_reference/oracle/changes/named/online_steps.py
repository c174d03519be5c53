"""Mistakes in the steps of one batch: online variational Bayes, and stochastic CVB0.

tau0 + 1 is in the program of the authors of online VB, who call it tau0. `seen` says where others were seen.
"""

from __future__ import annotations

from typing import Any

from ....plain.numbers import Number
from ....plain.problem import Row
from .scopes import added, at, one

vb, scvb0, both = (at(of, ("online_step",)) for of in (("vb",), ("scvb0",), ("vb", "scvb0")))


def of_scvb0(self: Any) -> bool:
    """Whether the counts of the batch are scaled by tokens, and not by documents."""
    return "total_N" in self.case


# The factor of the batch ---------------------------------------------------------------------------------------------

both |= {
    "scale-forgotten": {"scale": one},
    "scaled-by-total": {"scale": lambda self, right: self.given("total_N" if of_scvb0(self) else "total_D")},
    "scaled-by-batch": {"scale": lambda self, right: self.number(self.size() if of_scvb0(self) else self.D)},
    "rows-for-tokens-in-estimate": {
        "of_batch": lambda self, right, gamma, w, k: self.sum(gamma[i][k] for i in self.of_word(w))
    },
}
vb |= {"D-over-tokens": {"scale": lambda self, right: self.given("total_D") / self.size()}}
scvb0 |= {"documents-for-tokens": {"scale": lambda self, right: self.given("total_N") / self.D}}

# The step ------------------------------------------------------------------------------------------------------------

vb |= {
    "tau0-plus-one": {"time": lambda self, right: right() + 1},
    "tau0-forgotten": {"time": lambda self, right: self.given("t")},
    "kappa-not-negative": {"rho": lambda self, right: self.numbers.power(self.time(), self.given("kappa"))},
}
both |= {
    "old-not-damped": {"moved": lambda self, right, old, estimate: old + self.rho() * estimate},
    "old-scaled": {"moved": lambda self, right, old, estimate: right(self.scale() * old, estimate)},
}
scvb0 |= {
    "step-sizes-exchanged": {
        "changed": lambda self, right, case: case | {"rho_theta": case["rho_phi"], "rho_phi": case["rho_theta"]}
    }
}

# The prior -----------------------------------------------------------------------------------------------------------


def with_eta(self: Any, right: Any) -> dict[str, Any]:
    """The answer with eta added to N_wk, and not to N_k."""
    found: dict[str, Any] = right()
    return found | {
        "N_wk": [[x + e for x, e in zip(*rows, strict=True)] for rows in zip(found["N_wk"], self.eta, strict=True)]
    }


vb |= {
    "prior-scaled": {
        "estimate_wk": lambda self, right, gamma, w, k: self.scale() * (self.eta[w][k] + self.of_batch(gamma, w, k))
    },
    "prior-added-in-full": {
        "estimate_wk": lambda self, right, gamma, w, k: (
            right(gamma, w, k) - self.eta[w][k] + self.eta[w][k] / self.rho()
        )
    },
}
scvb0 |= {
    "prior-in-estimate": {"estimate_wk": lambda self, right, gamma, w, k: self.eta[w][k] + right(gamma, w, k)},
    "priors-accumulate": {"online_step": with_eta},
    "K-eta-for-W-eta": {"W_eta": lambda self, right, i, k: self.K * self.eta_of(i, k)},
}

# gamma ---------------------------------------------------------------------------------------------------------------


def of_last_iteration(self: Any, right: Any, alpha_jk: list[Row], topics: list[Row]) -> list[Row]:
    """gamma; after the iterations, that of the last one again."""
    self.calls = getattr(self, "calls", 0) + 1
    if not 1 < self.calls == self.case["iterations"] + 1:
        self.last = right(alpha_jk, topics)
    last: list[Row] = self.last
    return last


def of_length_one(self: Any, right: Any, x: Row) -> Row:
    """x divided by the square root of its sum of squares."""
    length = self.numbers.sqrt(self.sum(v * v for v in x))
    return [v / length for v in x]


def without_own(self: Any, right: Any, gamma: list[Row], i: int, k: int) -> Number:
    """The term without the row's gamma of the pass before."""
    return right(gamma, i, k) - gamma[i][k]


def in_place(self: Any, right: Any, gamma: list[Row], i: int) -> Row:
    """gamma of a row; in the last pass it is added to the N_wk and N_k that the next rows see."""
    if not hasattr(self, "passes"):
        self.passes = [0] * self.M
        self.N_wk = [[(1 - self.rho()) * x for x in row] for row in self.N_wk]
        self.N_k = [(1 - self.rho()) * x for x in self.N_k]
    new: Row = right(gamma, i)
    self.passes[i] += 1
    if self.passes[i] == self.case["burn_in"] + 1:
        for k in range(self.K):
            part = self.rho() * self.scale() * self.n[i] * new[k]
            self.N_wk[self.w[i]][k], self.N_k[k] = self.N_wk[self.w[i]][k] + part, self.N_k[k] + part
    return new


vb |= {"gamma-of-last-iteration": {"responsibilities": of_last_iteration}}
scvb0 |= {
    "gamma-of-length-one": {"normalised": of_length_one},
    "own-gamma-excluded": {"document": without_own, "word": without_own, "topic": without_own},
    "topics-moved-by-row": {"passed": in_place},
}

# The documents -------------------------------------------------------------------------------------------------------


def all_passes(self: Any, right: Any, gamma: list[Row], i: int) -> Row:
    """gamma of a row, which is added up over the passes."""
    if not hasattr(self, "of_passes"):
        self.of_passes = self.zeros(self.M)
    new: Row = right(gamma, i)
    self.of_passes[i] = [a + b for a, b in zip(self.of_passes[i], new, strict=True)]
    return new


scvb0 |= {
    "clumping-forgotten": {"stay": lambda self, right, i: 1 - self.n[i] * self.given("rho_theta")},
    "one-token-for-row": {"stay": lambda self, right, i: 1 - self.given("rho_theta")},
    "C-forgotten": {"C": lambda self, right, i: 1},
    "burn-in-counted": {"passed": all_passes, "of_batch": lambda self, right, gamma, w, k: right(self.of_passes, w, k)},
    "one-pass-too-many": {"changed": added(burn_in=1)},
    "N_k-not-moved": {"online_step": lambda self, right: right() | {"N_k": self.given("N_k")}},
}
