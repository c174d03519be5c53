"""Whether a port gives other answers when it is asked again, as with threads or with memory that was never set."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from ..cases.closeness import leaves


class Variation(NamedTuple):
    """How far answers are apart, and the place and the two values where they are farthest apart."""

    width: float  # infinity if the values are not finite numbers
    place: str = ""  # such as "gamma[3, 1]"; empty if the answers have different fields or shapes
    values: tuple[Any, Any] = (None, None)

    def __str__(self) -> str:
        where = f": {self.place} is {self.values[0]} in one and {self.values[1]} in another" if self.place else ""
        return f"the answers vary from run to run{where}"


def variation(answers: Sequence[Any]) -> Variation | None:
    """How the answers of several runs to one case, as read from JSON, differ; None if all are equal.

    Examples
    --------
    >>> variation([{"gamma_k": [0.75, 0.25]}, {"gamma_k": [0.75, 0.25]}]) is None
    True
    >>> print(variation([{"gamma_k": [0.75, 0.25]}, {"gamma_k": [0.75, 0.5]}, {"gamma_k": [0.75, 0.3]}]))
    the answers vary from run to run: gamma_k[1] is 0.25 in one and 0.5 in another
    """
    fields = [answer if isinstance(answer, dict) else {"": answer} for answer in answers]
    runs = [{(name, *index): v for name, x in run.items() for index, v, _ in leaves(x, x)} for run in fields]
    if any(run.keys() != runs[0].keys() for run in runs):
        return Variation(math.inf)
    varying = [_apart(place, [run[place] for run in runs]) for place in (runs[0] if runs else ())]
    return max((v for v in varying if v.width), key=lambda v: v.width, default=None)


def _apart(place: tuple[Any, ...], values: Sequence[Any]) -> Variation:
    name = f"{place[0]}[{', '.join(map(str, place[1:]))}]" if place[1:] else place[0]
    if all(isinstance(v, (int, float)) and math.isfinite(v) for v in values):
        return Variation(max(values) - min(values), name, (min(values), max(values)))
    different = [v for v in values if repr(v) != repr(values[0])]  # NaN does not equal itself, but is written alike
    return Variation(math.inf, name, (values[0], different[0])) if different else Variation(0.0)
