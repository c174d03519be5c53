"""Adapters that answer the cases of `conformance` with other libraries, one module each.

A module has a `NAME`, the `PACKAGE` that pip installs, and `ROWS`. It imports its library when it is imported, so
without the library its import raises an ImportError.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

Case = dict[str, Any]


class Row(NamedTuple):
    """A row of the table: an operation, as one library computes it.

    Attributes
    ----------
    operation : str
        A name of `conformance_cases.OPERATIONS`, or "sampler" or "draw", whose cases are the oracle's.
    title : str
        The operation in words.
    call : str
        What was called, with the settings that are not the library's own.
    answer : function
        From a case to an answer. It raises `Skip` with the reason if the library cannot do it.
    says : str
        What the library computes instead, and how to get the other number. The names in braces are numbers that the
        reproduction finds.
    shows : function or None
        The reproduction: a few lines that need NumPy, the library and `corpus` alone, and return named numbers.
    """

    operation: str
    title: str
    call: str
    answer: Callable[[Case], Case]
    says: str = ""
    shows: Callable[[], dict[str, Any]] | None = None


class Skip(Exception):
    """The library cannot be asked a case, for the reason that is the message."""


def only_numbers(case: Case, *names: str) -> None:
    """Skip a case that has a vector where the library takes a number."""
    vectors = [name for name in names if isinstance(case["prior"][name], list)]
    if vectors:
        raise Skip(f"{' and '.join(vectors)}: the library takes a number, not a vector")


class Given(np.random.RandomState):
    """A generator whose Gamma variables are given numbers, so that an E step starts where the case says."""

    def __init__(self, start: list) -> None:
        super().__init__(0)
        self.start = np.array(start)

    def gamma(self, shape, scale=1.0, size=None):
        return self.start


def corpus():
    """60 documents of 50 words, drawn from 5 topics of 200 words: a table of counts."""
    import numpy as np

    rng = np.random.default_rng(0)
    phi, theta = rng.dirichlet(np.full(200, 0.1), 5), rng.dirichlet(np.full(5, 0.5), 60)
    return np.stack([rng.multinomial(50, x @ phi) for x in theta])
