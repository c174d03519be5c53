"""Mistakes in the steps of one batch: online variational Bayes, and stochastic CVB0.

tau0 + 1 is in the program of the authors of online VB, who call it tau0. `seen` says where others were seen.
"""

from __future__ import annotations

from typing import Any

from lda_reference.plain.numbers import Number
from lda_reference.plain.problem import Row

from .mistaken import Mistakes, added, one

MISTAKES = Mistakes()
vb, scvb0, both = (MISTAKES.at(of, ("online_step",)) for of in (("vb",), ("scvb0",), ("vb", "scvb0")))


def of_scvb0(self: Any) -> bool:
    """Whether the counts of the batch are scaled by tokens, and not by documents."""
    return "total_N" in self.case


# The factor of the batch ---------------------------------------------------------------------------------------------

both(
    "scale-forgotten",
    "the counts of the batch are taken for those of the corpus: they are multiplied by D/B in online VB, and by N/M in "
    "SCVB0",
    scale=one,
)
both(
    "scaled-by-total",
    "the counts of the batch are multiplied by the size of the corpus, D or N: the factor is D/B, or N/M",
    scale=lambda self, right: self.given("total_N" if of_scvb0(self) else "total_D"),
)
both(
    "scaled-by-batch",
    "the counts of the batch are multiplied by the size of the batch, B or M: the factor is D/B, or N/M",
    scale=lambda self, right: self.number(self.size() if of_scvb0(self) else self.D),
)
vb(
    "D-over-tokens",
    "the factor is D/M, with the tokens M of the batch: that of online VB is D/B, with its documents B",
    scale=lambda self, right: self.given("total_D") / self.size(),
)
scvb0(
    "documents-for-tokens",
    "the factor is N/B, with the documents B of the batch: that of SCVB0 is N/M, with its tokens M",
    scale=lambda self, right: self.given("total_N") / self.D,
)
both(
    "rows-for-tokens-in-estimate",
    "the estimate of the topics counts each row of the batch once: a row of count n adds n gamma",
    of_batch=lambda self, right, gamma, w, k: self.sum(gamma[i][k] for i in self.of_word(w)),
)

# The step ------------------------------------------------------------------------------------------------------------

vb(
    "tau0-plus-one",
    "rho is (tau0 + t + 1)^-kappa: it is (tau0 + t)^-kappa",
    time=lambda self, right: right() + 1,
)
vb(
    "tau0-forgotten",
    "rho is t^-kappa: it is (tau0 + t)^-kappa",
    time=lambda self, right: self.given("t"),
)
vb(
    "kappa-not-negative",
    "rho is (tau0 + t)^kappa: the exponent is -kappa, so that the steps become smaller",
    rho=lambda self, right: self.numbers.power(self.time(), self.given("kappa")),
)
both(
    "old-not-damped",
    "rho times the estimate is added to the old value: this is (1 - rho) of it after the step",
    moved=lambda self, right, old, estimate: old + self.rho() * estimate,
)
both(
    "old-scaled",
    "the old value is multiplied by the factor of the batch, too: it is that of the whole corpus already",
    moved=lambda self, right, old, estimate: right(self.scale() * old, estimate),
)
scvb0(
    "step-sizes-exchanged",
    "rho_phi is taken for rho_theta, and rho_theta for rho_phi",
    changed=lambda self, right, case: case | {"rho_theta": case["rho_phi"], "rho_phi": case["rho_theta"]},
)

# The prior -----------------------------------------------------------------------------------------------------------

vb(
    "prior-scaled",
    "eta is multiplied by D/B with the counts of the batch: it is added to them once",
    estimate_wk=lambda self, right, gamma, w, k: self.scale() * (self.eta[w][k] + self.of_batch(gamma, w, k)),
)
vb(
    "prior-added-in-full",
    "all of eta is added in each step: the old eta_wk has it already, and rho eta is added",
    estimate_wk=lambda self, right, gamma, w, k: right(gamma, w, k) - self.eta[w][k] + self.eta[w][k] / self.rho(),
)
scvb0(
    "prior-in-estimate",
    "eta is added to the estimate of N_wk: the counts that are kept have no prior in them",
    estimate_wk=lambda self, right, gamma, w, k: self.eta[w][k] + right(gamma, w, k),
)


def with_eta(self: Any, right: Any) -> dict[str, Any]:
    """The answer with eta added to N_wk, and not to N_k."""
    found: dict[str, Any] = right()
    return found | {
        "N_wk": [[x + e for x, e in zip(*rows, strict=True)] for rows in zip(found["N_wk"], self.eta, strict=True)]
    }


scvb0(
    "priors-accumulate",
    "eta is added to N_wk after each step: it is added in the update of gamma alone",
    online_step=with_eta,
)
scvb0(
    "K-eta-for-W-eta",
    "N_k + K eta divides: it is N_k + W eta, the sum over all words",
    W_eta=lambda self, right, i, k: self.K * self.eta_of(i, k),
)

# gamma ---------------------------------------------------------------------------------------------------------------


def of_last_iteration(self: Any, right: Any, alpha_jk: list[Row], topics: list[Row]) -> list[Row]:
    """gamma; after the iterations, that of the last one again."""
    self.calls = getattr(self, "calls", 0) + 1
    if not 1 < self.calls == self.case["iterations"] + 1:
        self.last = right(alpha_jk, topics)
    last: list[Row] = self.last
    return last


vb(
    "gamma-of-last-iteration",
    "gamma is that of the last iteration: it is computed once more, from the last alpha_jk",
    responsibilities=of_last_iteration,
)


def of_length_one(self: Any, right: Any, x: Row) -> Row:
    """x divided by the square root of its sum of squares."""
    length = self.numbers.sqrt(self.sum(v * v for v in x))
    return [v / length for v in x]


scvb0(
    "gamma-of-length-one",
    "gamma is divided by the square root of its sum of squares: it is divided by its sum",
    normalised=of_length_one,
)


def without_own(self: Any, right: Any, gamma: list[Row], i: int, k: int) -> Number:
    """The term without the row's gamma of the pass before."""
    return right(gamma, i, k) - gamma[i][k]


scvb0(
    "own-gamma-excluded",
    "the gamma that the row had in the pass before is taken out of the counts, as in CVB0: SCVB0 excludes nothing",
    document=without_own,
    word=without_own,
    topic=without_own,
)


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


scvb0(
    "topics-moved-by-row",
    "N_wk and N_k move with each row, so that the next rows see it: they are held until the batch is done",
    passed=in_place,
)

# The documents -------------------------------------------------------------------------------------------------------

scvb0(
    "clumping-forgotten",
    "N_jk keeps 1 - n rho_theta of itself after a row of count n: after n tokens it is (1 - rho_theta)^n",
    stay=lambda self, right, i: 1 - self.n[i] * self.given("rho_theta"),
)
scvb0(
    "one-token-for-row",
    "N_jk keeps 1 - rho_theta of itself after a row of count n: after n tokens it is (1 - rho_theta)^n",
    stay=lambda self, right, i: 1 - self.given("rho_theta"),
)
scvb0(
    "C-forgotten",
    "N_jk moves towards gamma: it moves towards C_j gamma, with the tokens C_j of the document",
    C=lambda self, right, i: 1,
)


def all_passes(self: Any, right: Any, gamma: list[Row], i: int) -> Row:
    """gamma of a row, which is added up over the passes."""
    if not hasattr(self, "of_passes"):
        self.of_passes = self.zeros(self.M)
    new: Row = right(gamma, i)
    self.of_passes[i] = [a + b for a, b in zip(self.of_passes[i], new, strict=True)]
    return new


scvb0(
    "burn-in-counted",
    "the gamma of all passes are counted for the topics: those of the last one are",
    passed=all_passes,
    of_batch=lambda self, right, gamma, w, k: right(self.of_passes, w, k),
)
scvb0(
    "one-pass-too-many",
    "a document takes one pass more than `burn_in` + 1",
    changed=added(burn_in=1),
)
scvb0(
    "N_k-not-moved",
    "N_k stays as it is: it is the sum of N_wk over words, and moves with it",
    online_step=lambda self, right: right() | {"N_k": self.given("N_k")},
)
