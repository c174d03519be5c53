"""What a change is: other methods for those of the plain text, and a text that completes "... when"."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import Any, NamedTuple

from ...plain import Algorithm

Row = list[float]
Method = Callable[..., Any]  # called as f(self, right, ...); `right` is the method that it replaces


class Change(NamedTuple):
    """A change of methods of the plain text.

    Attributes
    ----------
    text : str
        It completes "your answers are what you get when".
    of : str
        What is changed. Two changes of the same quantity are not composed.
    methods : dict
        The new methods by the names of the old ones.
    alone : bool
        Whether it is never composed with another.
    """

    text: str
    of: str
    methods: dict[str, Method]
    alone: bool = False


def layer(methods: dict[str, Method]) -> type[Algorithm]:
    """A class with these methods, to be put before that of a case.

    Examples
    --------
    >>> from lda_reference.plain import answer
    >>> case = {
    ...     "algorithm": "cvb0", "operation": "update", "row": 0, "K": 2, "prior": {"alpha": 0.5, "eta": 0.5},
    ...     "corpus": {"j": [0, 1], "w": [0, 0], "n": [2, 1], "D": 2, "W": 1},
    ...     "state": {"gamma": [[1.0, 0.0], [0.0, 1.0]]},
    ... }
    >>> answer(case), answer(case, float, layer({"word": lambda self, right, gamma, i, k: 1.0}))
    ({'gamma_k': [0.75, 0.25]}, {'gamma_k': [0.75, 0.25]})
    """
    made = type("Changed", (Algorithm,), {})
    for name, change in methods.items():
        setattr(made, name, _method(made, name, change))
    return made


def _method(made: type, name: str, change: Method) -> Method:
    return lambda self, *given: change(self, getattr(super(made, self), name), *given)


def at(part: str, f: Method) -> Method:
    """A change of a method for one of the three parts, or for all."""
    return lambda self, right, here, *given: (
        f(self, right, here, *given) if part in (here, "all") else right(here, *given)
    )


def share(x: Row) -> Row:
    """x divided by its sum."""
    total = sum(x)
    return [v / total for v in x]


def softmax(x: Row) -> Row:
    """The exponentials of x, divided by their sum."""
    return share([math.exp(v - max(x)) for v in x])


def in_single(x: float) -> float:
    """The nearest number of single precision.

    Examples
    --------
    >>> in_single(0.1), in_single(1e40)
    (0.10000000149011612, inf)
    """
    try:
        return float(struct.unpack("f", struct.pack("f", x))[0])
    except OverflowError:
        return math.copysign(math.inf, x)
