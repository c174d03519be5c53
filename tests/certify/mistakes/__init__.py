"""What implementations get wrong: each mistake is a small change of the specification.

Each module `in_...` is a list of mistakes. A mistake is a block of a name, a sentence and what it changes. The function
that adds it says where it can be made; it comes from `at(algorithms, operations)`:

    bound = MISTAKES.at(("vb", *COLLAPSED), ("bound",))

    bound(
        "constants-without-K",
        "the constants of p(phi | eta) are taken once: TNW06 (7) has them for each of K topics",
        constant_of_phi=lambda self, right: right() / self.K,
    )

Here `constant_of_phi` is a method of the specification, or of `Mistaken`, and `right` is what it does without the
mistake. The order of the mistakes is that of the files that are written. `seen` has the places in public code, which
end the sentences in the files.
"""

from __future__ import annotations

from lda_reference.plain.problem import Case

from . import (
    in_coherence,
    in_counts,
    in_ep_and_gradients,
    in_estimates,
    in_online_steps,
    in_priors,
    in_starts,
    in_sweeps,
    in_vb_steps,
)
from .elsewhere import IN_OPERATIONS, IN_STARTS
from .mistaken import Mistake, mistaken
from .seen import with_place

OF_ALGORITHMS = (
    *in_counts.MISTAKES, *in_priors.MISTAKES, *in_sweeps.MISTAKES, *in_estimates.MISTAKES, *in_sweeps.NESTED,
    *in_sweeps.BLOCKS,
)  # fmt: skip
OF_OPERATIONS = (
    *in_vb_steps.MISTAKES, *in_ep_and_gradients.MISTAKES, *in_coherence.MISTAKES, *in_online_steps.MISTAKES,
)  # fmt: skip
OF_STARTS = tuple(in_starts.MISTAKES)
KNOWN = {mistake.name: mistake for mistake in (*OF_ALGORITHMS, *OF_OPERATIONS, *OF_STARTS)}


def texts(mistakes: tuple[Mistake, ...]) -> dict[str, str]:
    """The sentences of some mistakes, by their names, with the places where they were seen."""
    return {mistake.name: with_place(mistake.name, mistake.text) for mistake in mistakes}


def mistakes_of(case: Case) -> list[Mistake]:
    """The mistakes that can be made in a case."""
    algorithm, operation, of_schedule = case["algorithm"], case["operation"], case.get("schedule")
    if "start" in case:
        of_start = [KNOWN[name] for name in IN_STARTS[case["start"]]]
        return [m for m in of_start if "of" not in case or case["of"] in m.algorithms or m in OF_STARTS]
    found = [m for m in KNOWN.values() if algorithm in m.algorithms and operation in m.operations]
    found += [KNOWN[name] for name in IN_OPERATIONS.get((algorithm, operation), ())]
    of_one = {"block": in_sweeps.BLOCKS, "nested": in_sweeps.NESTED}  # those of one schedule alone
    if of_schedule in of_one:  # mistakes of other kinds show in the other schedules
        return [m for m in found if m in (*in_sweeps.MISTAKES, *of_one[of_schedule])]
    return [m for m in found if m not in (*in_sweeps.NESTED, *in_sweeps.BLOCKS)]


__all__ = ["KNOWN", "OF_ALGORITHMS", "OF_OPERATIONS", "OF_STARTS", "Mistake", "mistaken", "mistakes_of", "texts"]
