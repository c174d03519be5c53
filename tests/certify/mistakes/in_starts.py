"""Mistakes in where gamma begins. Their texts are in starts.json."""

from __future__ import annotations

from typing import Any

from lda_reference.plain.problem import Row

from .mistaken import Mistakes, zero

MISTAKES = Mistakes()
start = MISTAKES.at(("starts",), ("start",))


def whole_corpus_swept(self: Any, right: Any) -> list[Row]:
    """The sweeps of all parts, and of the whole corpus."""
    self.gamma, self.doublings = right(), 0
    return list(self.swept_often(self.sweeps_of_part))


def own_prior_swept(self: Any, right: Any) -> list[Row]:
    """The sweeps with the lowered prior, and one with the own prior."""
    self.gamma = right()
    self.take(*self.prior())
    return list(self.one_sweep(self.gamma))


start(
    "one-not-added",
    "phi is proportional to the counts of the documents: 1 is added to each count",
    pseudo_eta=lambda self, right: (self.zeros(self.W), self.zeros(1)[0]),
)
start(
    "row-not-normalised",
    "the rows of gamma are not divided by their sums: each is a distribution over topics",
    row=lambda self, right, x: x,
)
start(
    "order-ignored",
    "the parts are the first documents of the corpus: they are the first documents of `order`",
    changed=lambda self, right, case: case | {"order": sorted(case["order"])},
)
start(
    "order-inverted",
    "document j has the place order[j]: the document in place j is order[j]",
    changed=lambda self, right, case: case | {"order": [case["order"].index(j) for j in range(len(case["order"]))]},
)
start(
    "swept-by-order",
    "sweeps take the documents of a part in the order of `order`: they take them in that of the corpus",
    swept=lambda self, right: [i for j in self.part(self.doublings) for i in self.rows_of([j])],
)
start(
    "parts-rounded-down",
    "the numbers of documents of the parts are rounded down, to at least 1: they are rounded up",
    size=lambda self, right, doublings: max(1, self.D // 2**doublings),
)
start(
    "one-sweep-too-few",
    "each part takes three sweeps: it takes four",
    sweeps_of_part=3,
)
start(
    "one-sweep-too-many",
    "each part takes five sweeps: it takes four",
    sweeps_of_part=5,
)
start(
    "whole-corpus-swept",
    "the whole corpus takes four sweeps too: the last part that does is a half",
    begun=whole_corpus_swept,
)
start(
    "later-documents-counted",
    "the rows of all later documents are set, and the sums count them: the sums are those of the part alone",
    next_rows=lambda self, right: [i for i in range(self.M) if self.j[i] not in self.part(self.doublings)],
)
start(
    "next-rows-uniform",
    "the rows of the next documents are uniform: they are proportional to phi_wk of the part",
    like=lambda self, right, phi, i: [self.number(1)] * self.K,
)
start(
    "lowered-linearly",
    "the prior is lowered by equal amounts: it is lowered in equal ratios",
    between=lambda self, right, a, part: a + (self.given("top") - a) * part,
)
start(
    "last-sweep-at-own-prior",
    "the ratios are such that the last of the sweeps has the own prior: it would be reached in the sweep after it",
    part=lambda self, right, left: self.number(left - 1) / (self.case["sweeps"] - 1),
)
start(
    "first-sweep-below-top",
    "the prior is lowered before each sweep: the first sweep has the prior `top`",
    part=lambda self, right, left: right(left - 1),
)
start(
    "own-prior-swept-last",
    "one more sweep follows, at the own prior: gamma is that after `sweeps` sweeps",
    begun=own_prior_swept,
)
start(
    "only-alpha-lowered",
    "alpha is lowered and eta is not: both are",
    annealed_eta=lambda self, right, eta, left: eta,
)
start(
    "offset-lowered",
    "the prior of map is lowered from `top` as it is: 1 is subtracted before and added after",
    offset=zero,
)
start(
    "larger-prior-begins-at-top",
    "a prior above `top` begins at `top` and rises: it stays as it is",
    stays=lambda self, right, a: False,
)
