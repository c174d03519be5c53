"""What differences between runs say of a claim: signs, the status that follows, and a sentence with the counts.

A difference counts if it has at least three pairs (or three runs on either side). It agrees with the claim or
contradicts it, by the same rule, if its mean is more than two standard errors from 0. Three pairs make two standard
errors a weak test, so the sentence says whether four would change the status; if at four no comparison is left,
the runs cannot decide the claim.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from lda_reference.evaluation.search import Difference

PAIRS = 3


def enough(d: Difference | None) -> bool:
    return d is not None and d.pairs >= PAIRS


def sign(d: Difference, errors: float = 2) -> int:
    """1 or -1 for a difference of more than so many standard errors, 0 for any other."""
    away = errors * d.standard_error
    return 1 if d.mean > away else -1 if d.mean < -away else 0


def opposite(d: Difference | None) -> Difference | None:
    return None if d is None else d._replace(mean=-d.mean)


def within(d: Difference, level: float, errors: float = 2) -> int:
    """1 if a difference is clearly smaller than a level, -1 if it is clearly larger, else 0."""
    away = errors * d.standard_error
    return 1 if abs(d.mean) + away < level else -1 if abs(d.mean) - away > level else 0


def verdict(signs: Sequence[int]) -> str:
    """The status of a claim of a difference. If no sign agrees and none contradicts, the runs cannot decide it."""
    if not any(signs):
        return "not tested"
    return "reproduced" if min(signs) == 1 else "depends on search" if max(signs) == 1 else "not reproduced"


def verdict_of_likeness(signs: Sequence[int]) -> str:
    """The status of a claim of likeness, from the signs of `within`.

    A difference that is not clearly small is not a failure: it may only need more runs.
    """
    if not any(signs):
        return "not tested"
    if -1 in signs:
        return "depends on search" if 1 in signs else "not reproduced"
    return "reproduced" if min(signs) == 1 else "not tested"


def counted(signs: Sequence[int], things: str = "comparisons") -> str:
    """ "3 of 5 comparisons agree with the claim by more than two standard errors, and 1 contradicts it"."""
    for_, against = signs.count(1), signs.count(-1)
    return (
        f"{for_} of {len(signs)} {things} {'agrees' if for_ == 1 else 'agree'} with the claim by more than two standard"
        f" errors, and {against or 'none'} {'contradict' if against > 1 else 'contradicts'} it"
    )


def judged(
    differences: Iterable[Difference | None], things: str = "comparisons", rule: Callable[..., str] = verdict
) -> tuple[str, str]:
    """The status from differences of which a positive one agrees with the claim, and the sentence that goes with it."""
    d = [x for x in differences if x is not None and enough(x)]
    two, four = ([sign(x, errors) for x in d] for errors in (2, 4))
    if not d:
        return "not tested", "No comparison has three pairs of runs."
    status, strict = rule(two), rule(four)
    if strict == "not tested" != status:
        return strict, f"{counted(two, things)}, but none does by four, and a status needs more than that."
    flips = "" if strict == status else f"; at four standard errors the status would be “{strict}”"
    return status, f"{counted(two, things)}{flips}."


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "\n\n" + "\n".join("| " + " | ".join(x) + " |" for x in (head, ["---"] * len(head), *rows)) if rows else ""
