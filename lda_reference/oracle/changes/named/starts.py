"""Mistakes in where gamma begins. Their texts are in starts.json."""

from typing import Any

from ....plain.problem import Rows
from .scopes import constant, where


def whole_corpus_swept(self: Any, right: Any) -> Rows:
    """The sweeps of all parts, and of the whole corpus."""
    self.gamma, self.doublings = right(), 0
    return self.swept_often(self.sweeps_of_part)


def own_prior_swept(self: Any, right: Any) -> Rows:
    """The sweeps with the lowered prior, and one with the own prior."""
    self.gamma = right()
    self.take(*self.prior())
    return self.one_sweep(self.gamma)


start = where("starts", "start") | {
    "one-not-added": "eta is left out of the estimates",
    "row-not-normalised": "the weights are not divided by their sum",
    "order-ignored": {"changed": lambda self, right, case: case | {"order": sorted(case["order"])}},
    "order-inverted": {
        "changed": lambda self, right, case: case | {"order": list(map(case["order"].index, sorted(case["order"])))}
    },
    "swept-by-order": {"swept": lambda self, right: [i for j in self.part(self.doublings) for i in self.rows_of([j])]},
    "parts-rounded-down": {"size": lambda self, right, doublings: max(1, self.D // 2**doublings)},
    "one-sweep-too-few": "one sweep less is made",
    "one-sweep-too-many": "one more sweep is made",
    "whole-corpus-swept": {"begun": whole_corpus_swept},
    "later-documents-counted": {
        "next_rows": lambda self, right: [i for i in range(self.M) if self.j[i] not in self.part(self.doublings)]
    },
    "next-rows-uniform": "phi_wk is uniform",
    "lowered-linearly": {"between": lambda self, right, a, part: a + (self.given("top") - a) * part},
    "last-sweep-at-own-prior": {"part": lambda self, right, left: self.number(left - 1) / (self.case["sweeps"] - 1)},
    "first-sweep-below-top": {"part": lambda self, right, left: right(left - 1)},
    "own-prior-swept-last": {"begun": own_prior_swept},
    "only-alpha-lowered": {"annealed_eta": lambda self, right, eta, left: eta},
    "offset-lowered": {"offset": constant(0)},
    "larger-prior-begins-at-top": {"stays": lambda self, right, a: False},
}
