"""Adapters that answer the cases of `conformance` with other libraries, one module each.

A module has a `NAME`, the `PACKAGE` that pip installs, and `ROWS`. It imports its library when it is imported, so
without the library its import raises an ImportError.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

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
        From a case to an answer, or to a dict whose `skip` is the reason why the library cannot do it.
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


def only_numbers(case: Case, *names: str) -> Case | None:
    """The skip of a case that has a vector where the library takes a number; otherwise None."""
    vectors = [name for name in names if isinstance(case["prior"][name], list)]
    return {"skip": f"{' and '.join(vectors)}: the library takes a number, not a vector"} if vectors else None


def corpus():
    """60 documents of 50 words, drawn from 5 topics of 200 words: a table of counts."""
    import numpy as np

    rng = np.random.default_rng(0)
    phi, theta = rng.dirichlet(np.full(200, 0.1), 5), rng.dirichlet(np.full(5, 0.5), 60)
    return np.stack([rng.multinomial(50, x @ phi) for x in theta])
