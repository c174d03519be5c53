"""The known mistakes: what implementations get wrong. Each is a change of the plain text, or several, and has a name.

A module has the mistakes of one subject, in scopes: a scope says of which algorithms and operations. In

    bound = where(("vb", *COLLAPSED), "bound") | {
        "entropy-subtracted": "the entropy of q(z) has the other sign",
        "entropy-without-counts": {"entropy": lambda self, right: under(self, right, n=[1] * self.M)},
    }

the first mistake is the change of the vocabulary that has this text, and the second one has methods of its own:
`entropy` is a method of the plain text, or of `Changed`, and `right` is what it does without the mistake. In place of a
method, there may be the new value of an attribute, and `instead` is the algorithm that takes the place of the right
one. A mistake in parentheses is made of several changes.

The sentence of each mistake is in `vectors/mistakes.json`, with the public program in which it was seen, if any;
`figures/WILD.md` says what these programs compute.
"""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from ...cases.loading import Case
from ..change import Change
from ..trying import vocabulary
from . import coherence, counts, ep_and_gradients, estimates, online_steps, priors, starts, sweeps, vb_steps
from .elsewhere import IN_OPERATIONS, IN_STARTS
from .scopes import Part, Scope

MODULES = (counts, priors, sweeps, estimates, vb_steps, ep_and_gradients, coherence, online_steps, starts)


class Mistake(NamedTuple):
    """The changes that make a mistake, and where it can be made."""

    changes: tuple[Change, ...]
    scope: Scope


@cache
def catalogue() -> Mapping[str, Mistake]:
    """The known mistakes by their names."""
    change_of = {change.text: change for change in vocabulary()}

    def changes(mistake: str, parts: Part | tuple[Part, ...]) -> tuple[Change, ...]:
        pieces = parts if isinstance(parts, tuple) else (parts,)
        return tuple(change_of[part] if isinstance(part, str) else Change(mistake, mistake, part) for part in pieces)

    scopes = [scope for module in MODULES for scope in vars(module).values() if isinstance(scope, Scope)]
    return {name: Mistake(changes(name, parts), scope) for scope in scopes for name, parts in scope.mistakes.items()}


@cache
def _names(algorithm: str, operation: str, schedule: str, start: str, inner: str) -> tuple[str, ...]:
    if start:
        possible, own_names = IN_STARTS[start], starts.start.mistakes
        return tuple(x for x in possible if not inner or x in own_names or inner in catalogue()[x].scope.algorithms)
    names = [
        name for name, (_, scope) in catalogue().items()
        if algorithm in scope.algorithms and operation in scope.operations and scope.schedule in ("", schedule)
    ]  # fmt: skip
    return (*names, *IN_OPERATIONS.get((algorithm, operation), ()))


def names(case: Case) -> tuple[str, ...]:
    """The names of the mistakes that can be made in a case."""
    keys = (case["algorithm"], case["operation"], case.get("schedule", ""), case.get("start", ""), case.get("of", ""))
    return _names(*keys)
