"""Minka's fixed point for alpha and eta: AWST09 §3.1 and SN12 §10.

With one number alpha for all topics and one Gamma prior of shape c and rate d on it,

    alpha  ←  (c - 1 + alpha sum_j sum_k [Ψ(N_jk + alpha) - Ψ(alpha)]) / (d + K sum_j [Ψ(N_j + K alpha) - Ψ(K alpha)])

With a vector, where A = sum_k alpha_k and each alpha_k has its own Gamma prior,

    alpha_k  ←  (c - 1 + alpha_k sum_j [Ψ(N_jk + alpha_k) - Ψ(alpha_k)]) / (d + sum_j [Ψ(N_j + A) - Ψ(A)])

SN12 prints the second without the Gamma prior. The updates of eta have topics instead of documents and words instead of
topics. Each update goes to the maximum of a lower bound on L (see `evidence`) that touches L at the old value.
So L never falls if each count is 0, or 1 or more. For an expected count between 0 and 1 the proof fails, but no update
was found that lowers L.
"""

from typing import Any

import numpy as np

from ..model import Prior
from .evidence import FLAT, Counts, GammaPrior, is_constant, per_component

LIMITS = {"floored": 1e-6, "capped": 1e4}  # the smallest and the largest number that a learner goes to


def step(counts: Counts, a: Any, prior: GammaPrior = FLAT) -> Any:
    """One update of a hyperparameter.

    The arguments are those of `evidence.objective`. The result is the old value if L does not depend on it. It is 0 if
    no group has a count of the component, and infinite if all groups are so alike that rounding hides the difference.

    >>> from lda_reference.priors.evidence import FixedCounts
    >>> N_jk, a = np.array([[3.0, 1], [0, 2]]), 0.5
    >>> for _ in range(4):
    ...     a = step(Counts(FixedCounts(N_jk), FixedCounts(N_jk.sum(1)[:, None])), a)
    ...     print(round(a, 4))
    0.5395
    0.578
    0.6153
    0.6515
    """
    if is_constant(counts, prior):
        return a
    x, prior = per_component(counts, a, prior)
    numerator = prior.shape - 1 + x * counts.parts.log_rising(x, 1)
    denominator = prior.rate + counts.totals.log_rising(x.sum(), 1).sum() * np.ones_like(x)
    if np.ndim(a) == 0:
        numerator, denominator = numerator.sum(), denominator.sum()
    with np.errstate(divide="ignore"):
        return numerator / denominator  # AWST09 §3.1, SN12 §10, restored


def at_limits(learn_text: str, p: Prior) -> dict[str, Any]:
    """The components of what a text such as "alpha,eta" names that learning has taken to a limit, by side and limit."""
    sides = [spec.partition(":")[0] for spec in learn_text.split(",") if spec]
    masks = {f"{side}_{name}": np.ravel(getattr(p, side)) == limit for side in sides for name, limit in LIMITS.items()}
    return {name: np.flatnonzero(is_at) for name, is_at in masks.items() if is_at.any()}
