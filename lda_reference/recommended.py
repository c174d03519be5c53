"""The schedule and the start in which the runs of an algorithm end well.

Where a run ends depends on its schedule and its start. Of those tried, the runs of these end at the highest bound on
the training tokens (of ml, map and vem at the highest objective), or as high as any, in the median over seeds:

| algorithms | schedule |
|---|---|
| `vb`, `vem` | `nested` |
| `ml`, `map` | `corpus` |
| the collapsed ones | `block` |
| samplers, `convolution` | their own |

The start is `topics`, and `growing` on more than 50,000 tokens; samplers and `convolution` have their own. Each was
the best on one corpus, the tour's and KOS. figures/search_runs.csv has the runs. On another corpus others may be
better, so compare several by their training values (`evaluation.search`).
"""

from __future__ import annotations

from .corpus import Corpus
from .engine import Algorithm

LARGE = 50_000  # tokens; `token` order is a Python loop, so a larger corpus takes collapsed algorithms in blocks


def schedule_and_start(A: Algorithm, c: Corpus) -> tuple[str, str]:
    """The recommended schedule and start."""
    if A.assignment == "sample" or A.plain is not None:
        return own_schedule_and_start(A)
    start = "growing" if c.N > LARGE else "topics"
    if A.update.excludes != "nothing":
        return "block", start
    return "nested" if "nested" in A.schedules else A.schedules[0], start


def own_schedule_and_start(A: Algorithm) -> tuple[str, str]:
    """An algorithm's own, by which it runs if none are named."""
    return A.schedules[0], "one-hot" if A.assignment == "sample" else "dirichlet"


def defaults_of_fit(A: Algorithm, c: Corpus) -> tuple[str, str]:
    """Those of a fit that names none: its own, but on a large corpus the recommended ones of a collapsed algorithm.

    "" is the algorithm's own start.
    """
    large = c.N > LARGE and "block" in A.schedules and A.update.excludes != "nothing"
    return schedule_and_start(A, c) if large else (A.schedules[0], "")
