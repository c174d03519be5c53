"""What a model folder holds: the fields of `model.json`, what is expected of each, and how its arrays fit together.

`save` checks the arrays. `load` knows them by their checksum, and checks the fields of `model.json` alone.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NoReturn

import numpy as np

from .algorithms import ALGORITHMS, named
from .arguments import check_choice, check_distributions, check_entries, expect, shown
from .engine import Algorithm
from .model import Array, Prior

FORMAT = "lda_reference model 3"  # the number is the version of this schema
ARRAYS = re.compile(r"arrays-\d{6,}-[0-9a-f]{8}\.npz")
NOT_KNOWN = "the model is of another program, whose schedule and updates are not known"


def _is_text(x: Any) -> bool:
    return isinstance(x, str)


def _is_words(x: Any) -> bool:
    return x is None or (isinstance(x, list) and all(map(_is_text, x)))


def _is_labels(x: Any) -> bool:
    is_right = isinstance(x, dict) and {"tokens"} < x.keys() <= {"tokens", "group", "date"}
    return x is None or (is_right and all(isinstance(entries, list) for entries in x.values()))


OPTIONAL = ("documents", "labels", "reading", "shapes")  # models of earlier versions lack them
FIELDS: dict[str, tuple[str, Callable[[Any], Any]]] = {  # what is expected, and whether a value is that
    "format": (repr(FORMAT), lambda x: x == FORMAT),
    "arrays": ("the name of a file such as arrays-000100-0a1b2c3d.npz", lambda x: _is_text(x) and ARRAYS.fullmatch(x)),
    **dict.fromkeys(("sha256", "algorithm", "schedule", "start", "corpus", "learn"), ("a text", _is_text)),
    **dict.fromkeys(
        ("seed", "sweeps", "burn_in", "samples", "learn_after"),
        ("a whole number from 0", lambda x: type(x) is int and x >= 0),
    ),
    "thin": ("a whole number from 1", lambda x: type(x) is int and x >= 1),
    **dict.fromkeys(("vocab", "documents"), ("a list of words, or null", _is_words)),
    "labels": ("an object with the lists tokens and group or date, or null", _is_labels),
    "reading": ("a text, or null", lambda x: x is None or _is_text(x)),
    "shapes": ("an object with the shape of each array", lambda x: isinstance(x, dict)),
    "history": ("a list with an entry for each sweep", lambda x: isinstance(x, list)),
}


def _refuse(*_: Any) -> NoReturn:
    raise ValueError(f"{NOT_KNOWN}: it cannot go on, expected a model of this package")


FOREIGN = replace(  # the algorithm of a model of another program: its rows are types, and it has no sweep
    ALGORITHMS["tcvb0"], name="another program", bound_of=NOT_KNOWN, objective_of=NOT_KNOWN, learns=NOT_KNOWN,
    sweep_of=_refuse,
)  # fmt: skip


def named_here(name: str) -> Algorithm | None:
    """The algorithm of this package that has this name, or that of models of other programs."""
    if name == FOREIGN.name:
        return FOREIGN
    try:
        return named(name)
    except ValueError:
        return None


def check_about(about: Any, expected_algorithm: Algorithm | None = None) -> Algorithm:
    """The algorithm of the contents of `model.json`, if every field is of its kind.

    Without `expected_algorithm` the name is that of an algorithm of this package. A ValueError names a field, its value
    and what was expected.
    """
    expect(isinstance(about, dict), about, "it", f"an object with the fields {', '.join(FIELDS)}")
    for name, (expected, is_right) in FIELDS.items():
        if name in about:
            expect(is_right(about[name]), about[name], name, expected)
        elif name not in OPTIONAL:
            raise ValueError(f"{name} is missing, expected {expected}")
    A = named_here(about["algorithm"]) if expected_algorithm is None else expected_algorithm
    if A is None or A.name != about["algorithm"]:
        names = f"one of {', '.join(ALGORITHMS)}; one of your own must be given to `lda.load`"
        raise ValueError(f"algorithm is {shown(about['algorithm'])}, expected {names if A is None else repr(A.name)}")
    check_choice(about["schedule"], "schedule", ("",) if A is FOREIGN else A.schedules)
    if (entries := len(about["history"])) != about["sweeps"]:
        raise ValueError(f"history has {entries} entries, expected one for each of {about['sweeps']} sweeps")
    return A


def check_range(p: Prior, A: Algorithm) -> None:
    """Raise a ValueError that names a number of a prior if it is outside the range of an algorithm."""
    low, high = A.prior_range
    for name, x in (("alpha", np.asarray(p.alpha)), ("eta", np.asarray(p.eta))):
        check_entries((x >= low) & (x <= high), x, name, f"a number from {low:g} to {high:g} for {A.name}")


def check_arrays(
    a: dict[str, Array], p: Prior, A: Algorithm, vocab: tuple[str, ...] | None, of_documents: dict[str, Any]
) -> None:
    """Raise a ValueError unless the arrays of a model, its prior, its words and its lists of documents fit together."""
    phi_wk, D = a["phi_wk"], len(a["theta_jk"])
    for name, axis in (("phi_wk", 0), ("theta_jk", -1), ("gamma", -1)):
        if name not in a:  # a model without gamma has what makes it
            continue
        x = a[name]
        if x.ndim not in (2, 3) or x.shape[1:] != phi_wk.shape[1:]:
            raise ValueError(f"{name} has shape {x.shape}, expected the topics of phi_wk, which has {phi_wk.shape}")
        if x.dtype != np.float64 and name != "gamma":
            raise ValueError(f"{name} has the type {x.dtype}, expected float64")
        check_distributions(x, name, axis)
    p.check(phi_wk.shape[-1], len(phi_wk))
    check_range(p, A)
    if vocab is not None and len(vocab) != len(phi_wk):
        raise ValueError(f"phi_wk has {len(phi_wk)} words, expected the {len(vocab)} of the vocabulary")
    for name, entries in of_documents.items():
        if entries is not None and len(entries) != D:
            raise ValueError(f"{name} has {len(entries)} entries, expected {D}, one for each document of theta_jk")
