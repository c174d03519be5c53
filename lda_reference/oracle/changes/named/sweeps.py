"""Mistakes in sweeps: when the sums are refreshed, when the sweeps stop, and how samplers draw a topic."""

from functools import partial
from typing import Any

from ....plain.numbers import Number
from ....plain.problem import Row
from ....plain.updates import SAMPLERS
from ..in_steps import blocks
from .scopes import SOFT, SWEEPS, WEIGHTS, added, where

# Schedules -----------------------------------------------------------------------------------------------------------


def as_state(self: Any, right: Any, gamma: list[Row]) -> list[Row]:
    """A sweep that first takes its gamma for that of the state."""
    self.gamma = gamma
    return right(gamma)


def of_state(self: Any, right: Any, gamma: list[Row], i: int, k: int) -> Number:
    """A term of the gamma of the state."""
    return right(self.gamma, i, k)


def document_after_document(self: Any, right: Any) -> dict[str, Any]:
    """Ten sweeps of the first document, then of the next."""
    for j in range(self.D):
        self.document_now = j
        self.gamma = self.swept_often(10)
    return {"gamma": self.gamma}


sweep = where((*SOFT, "cgs"), SWEEPS) | {
    "sums-refreshed-late": ("each sweep is one in `corpus` order", "the counts are refreshed after the sweep"),
    "topic-count-late": {"one_sweep": as_state, "topic": of_state},
    "word-and-topic-counts-late": {"one_sweep": as_state, "word": of_state, "topic": of_state},
}
soft_sweep = where(SOFT, SWEEPS) | {
    "sums-refreshed-early": "each sweep is one in `token` order",
    "sums-refreshed-by-document": "each sweep is one in `document` order",
}
ten_sweeps = where(SOFT, "ten_sweeps") | {
    "nine-sweeps": "one sweep less is made",
    "eleven-sweeps": "one more sweep is made",
    "document-after-document": {
        "ten_sweeps": document_after_document,
        "swept": lambda self, right: self.of_document(self.document_now),
    },
}
converged = where(SOFT, "converged") | {
    "stopped-early": "sweeps end when no number of gamma changes by more than 0.0001"
}
nested = where(("vb", "vem"), "sweep", "nested") | {
    "nested-from-state": "a nested sweep begins at the rows of the state",
    "one-inner-step-less": added(inner=-1),
    "one-inner-step-more": added(inner=1),
}

# Blocks --------------------------------------------------------------------------------------------------------------

block = where(SOFT, "sweep", "block") | {
    "blocks-of-equal-documents": {
        "blocks": partial(blocks, lambda self, i, b, B: self.j[i] >= b * (self.D // B) + min(b, self.D % B))
    },
    "blocks-of-documents-rounded-up": "each block has D / B documents, rounded up",
    "blocks-of-rows-rounded-up": "each block has M / B rows, rounded up",
    "blocks-of-tokens": {"blocks": partial(blocks, lambda self, i, b, B: sum(self.n[:i]) * B >= b * sum(self.n))},
    "blocks-begin-later": {"blocks": partial(blocks, lambda self, i, b, B: i * B > b * self.M or b == 0)},
}

# Draws ---------------------------------------------------------------------------------------------------------------

draw = where(SAMPLERS, ("draw", "sweep")) | {
    "draw-off-by-one": "a draw is one topic too low",
    "draw-strict": "a draw takes the number of partial sums that are less than u times the last",
    "draw-unnormalised": "a draw compares partial sums with u, not u times the last",
    "topics-added-backwards": "a draw takes the topics from the last to the first",
    "most-probable-drawn": "a draw takes the topic of the largest weight",
    "topics-from-one": {
        "draw": lambda self, right: {"topic": right()["topic"] + 1},
        "sweep": lambda self, right: {"z": [k + 1 for k in right()["z"]]},
    },
}
interleaved = where("cgs", "sweep", "interleaved") | {
    "drawn-in-row-order": {"turns": lambda self, right: range(self.M)},
    "uniforms-by-turn": {"uniform": lambda self, right, i: right([*self.turns()].index(i))},
}
cgs_sweep = where("cgs", "sweep") | {
    "probability-of-topic-before": {"drawn": lambda self, right, x, u: right([*x[-1:], *x[:-1]], u)}
}
sampler_sweep = where(SAMPLERS, "sweep") | {
    "one-draw-for-row": {
        "new_topic": lambda self, right, z, i: z[i - 1] if i and self.row[i] == self.row[i - 1] else right(z, i),
        "topics": lambda self, right, z: [z[0]] * len(z),
    }
}
gibbs = where("gibbs", WEIGHTS) | {
    "theta-left-out": "the document's term is left out",
    "phi-left-out": "the word's term is left out",
}
