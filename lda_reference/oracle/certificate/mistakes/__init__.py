"""What implementations get wrong: each mistake is a small change of the evaluator.

`MISTAKES` lists them by name; the order is that of the files that are written.
"""

from __future__ import annotations

from . import bounds, draws, estimates, exclusion, hyperparameters, schedule, second_order, smoothing
from .mistaken import Mistaken, mistaken

MISTAKES: dict[str, type[Mistaken]] = {
    mistake.name: mistake
    for module in (exclusion, second_order, smoothing, schedule, draws, estimates, bounds, hyperparameters)
    for mistake in module.MISTAKES
}

__all__ = ["MISTAKES", "Mistaken", "mistaken"]
