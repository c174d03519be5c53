"""Adapters that answer the cases of `conformance` with other libraries, one module each.

A module has a `NAME`, the `PACKAGE` that pip installs, and `ROWS`, from rows.toml. It imports its library when it is
imported, so without the library its import raises an ImportError.
"""

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

Case = dict[str, Any]
TEXTS = tomllib.loads(Path(__file__).with_name("rows.toml").read_text("utf-8"))


class Row(NamedTuple):
    """A row of the table: an operation, as one library computes it; rows.toml says what the fields are."""

    operation: str
    title: str
    call: str
    answer: Callable[[Case], Case]  # it raises `Skip` if the library cannot do it
    says: str = ""
    shows: Callable[[], dict[str, Any]] | None = None  # it needs NumPy, the library and `corpus` alone


def rows(library: str, functions: Mapping[str, Any]) -> list[Row]:
    """The rows of a library in rows.toml, with the functions that they name."""
    found = TEXTS[library]
    named = [{key: functions[x[key]] for key in ("answer", "shows") if key in x} for x in found]
    return [Row(**x | of) for x, of in zip(found, named, strict=True)]


class Skip(Exception):
    """The library cannot be asked a case, for the reason that is the message."""


def only_numbers(case: Case, *names: str) -> None:
    """Skip a case that has a vector where the library takes a number."""
    vectors = [name for name in names if isinstance(case["prior"][name], list)]
    if vectors:
        raise Skip(f"{' and '.join(vectors)}: the library takes a number, not a vector")


def given(start: list) -> SimpleNamespace:
    """A generator whose Gamma variables are given numbers, so that an E step starts where the case says."""
    return SimpleNamespace(gamma=lambda *of: np.array(start), rand=np.random.RandomState(0).rand)


def corpus():
    """60 documents of 50 words, drawn from 5 topics of 200 words: a table of counts."""
    import numpy as np

    rng = np.random.default_rng(0)
    phi, theta = rng.dirichlet(np.full(200, 0.1), 5), rng.dirichlet(np.full(5, 0.5), 60)
    return np.stack([rng.multinomial(50, x @ phi) for x in theta])
