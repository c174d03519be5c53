"""The schedule and the start from which the runs of an algorithm end well.

Where a run ends depends on its schedule and its start. If the best of three runs is taken by its bound on the training
tokens (of ml, map and vem by the objective), then of all that were tried these gave the highest value in expectation,
or one at most 0.0062 nats per token below it, on each corpus. All corpora but one choose the same start for `vb` and
`cvb`, whichever is left out:

| algorithms | schedule | start, up to 10,000 tokens | on more |
|---|---|---|---|
| `vb`, `vem` | `nested` | `collapsed` | `collapsed` |
| `cvb`, `cvb_exact` | `block` | `collapsed` | `collapsed` |
| the other collapsed ones | `block` | `topics` | `growing` |
| `ml`, `map` | `corpus` | `topics` | `growing` |
| `cgs` | `token`, on more than 10,000 tokens `interleaved` | its own | its own |
| the other samplers, `convolution`, `ep` | their own | their own | their own |

`token` and `interleaved` sample from the same posterior; on 10,000 tokens of KOS an interleaved sweep takes 0.6 to 0.7
of the time of a sweep in `token` order, on all of KOS 0.3 to 0.5 (0.9.0, one core of an AMD EPYC, November 2026).

`vb` and `cvb` have higher bounds where CVB0 ends than where their own sweeps end. From there `vb` gets to bounds up to
0.006 higher in `corpus` order than in `nested` order, at less cost, and predicts a little worse.

figures/LEDGER.md has the runs. `vem` was tried on the tour's corpus alone, `cvb_exact` in `corpus` order alone, and
`tcvb0` and the versions of CVB1 have what `cvb0` has. On another corpus others may be better, so compare several by
their training values (`evaluation.search`).
"""

from collections.abc import Callable
from typing import Any

from .corpus import Corpus
from .engine import Algorithm, State
from .model import Prior

COLLAPSED_STARTS = ("vb", "vem", "cvb", "cvb_exact")  # these end higher from where CVB0 ends
GROWING_TOKENS = 10_000  # tokens; of a smaller corpus the first part of `growing` has few documents

INTERLEAVED_TOKENS = 10_000  # tokens; on fewer a sweep in `token` order takes about as long


def schedule_and_start(A: Algorithm, c: Corpus) -> tuple[str, str]:
    """The recommended schedule and start, by which `fit` runs if none are named."""
    if A.assignment == "sample" or A.schedules == ("token",):
        schedule, start = own_schedule_and_start(A)
        return "interleaved" if "interleaved" in A.schedules and c.N > INTERLEAVED_TOKENS else schedule, start
    schedule = "nested" if A.update.excludes == "nothing" else "block"
    start = "collapsed" if A.name in COLLAPSED_STARTS else "growing" if c.N > GROWING_TOKENS else "topics"
    return schedule if schedule in A.schedules else A.schedules[0], start


def own_schedule_and_start(A: Algorithm) -> tuple[str, str]:
    """An algorithm's own, by which `Algorithm.init` and `Algorithm.sweep` run if none are named."""
    return A.schedules[0], "one-hot" if A.assignment == "sample" else "dirichlet"


def value_to_stop_by(A: Algorithm) -> Callable[[State, Corpus, Prior], Any]:
    """The bound, or the objective of an algorithm that has no bound."""
    if not isinstance(A.bound_of, str):
        return A.bound
    if not isinstance(A.objective_of, str):
        return A.objective
    raise ValueError(f"{A.name} has neither a bound nor an objective: {A.bound_of}; expected an algorithm with one")
