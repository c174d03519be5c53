"""The known mistakes: what implementations get wrong, each a change of the plain text that has a name.

A module has the mistakes of one subject, in scopes: a scope says of which algorithms and operations. In

    entropy = at(("vb", *COLLAPSED), ("bound",))
    entropy |= {"entropy-subtracted": {"entropy": lambda self, right: -right()}}

`entropy` is a method of the plain text, or of `Changed`, and `right` is what it does without the mistake. The sentence
of each mistake is in `vectors/mistakes.json`, with the public program in which it was seen, if any; `figures/WILD.md`
says what these programs compute.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from ...cases.loading import Case, mistakes
from ..change import Change
from . import coherence, counts, ep_and_gradients, estimates, online_steps, priors, starts, sweeps, vb_steps
from .elsewhere import IN_OPERATIONS, IN_STARTS
from .scopes import Scope

ROOMS = (counts, priors, sweeps, estimates, vb_steps, ep_and_gradients, coherence, online_steps, starts)


class Mistake(NamedTuple):
    """A mistake and where it can be made. `schedule` is empty if it can be made in each."""

    change: Change
    algorithms: tuple[str, ...]
    operations: tuple[str, ...]
    schedule: str


@cache
def known() -> dict[str, Mistake]:
    """The known mistakes by their names."""
    scopes = [scope for room in ROOMS for scope in vars(room).values() if isinstance(scope, Scope)]
    return {
        name: Mistake(Change(name, name, methods), scope.algorithms, scope.operations, scope.schedule)
        for scope in scopes for name, methods in scope.items()
    }  # fmt: skip


@cache
def _names(algorithm: str, operation: str, schedule: str, start: str, within: str) -> tuple[str, ...]:
    if start:
        listed = [name for name in IN_STARTS[start] if name in known()]
        of_starts = starts.start
        return tuple(name for name in listed if not within or within in known()[name].algorithms or name in of_starts)
    names = [
        name for name, m in known().items()
        if algorithm in m.algorithms and operation in m.operations and m.schedule in ("", schedule)
    ]  # fmt: skip
    return (*names, *IN_OPERATIONS.get((algorithm, operation), ()))


def names(case: Case) -> tuple[str, ...]:
    """The names of the mistakes that can be made in a case."""
    parts = (case["algorithm"], case["operation"], case.get("schedule", ""), case.get("start", ""), case.get("of", ""))
    return _names(*parts)


__all__ = ["Mistake", "known", "mistakes", "names"]
