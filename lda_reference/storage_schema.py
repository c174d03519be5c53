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
NPZ_RE = re.compile(r"arrays-\d{6,}-[0-9a-f]{8}\.npz")
WHY_FOREIGN = "the model is of another program, whose schedule and updates are not known"


def _is_text(json_value: Any) -> bool:
    return isinstance(json_value, str)


def _is_words(json_value: Any) -> bool:
    return json_value is None or (isinstance(json_value, list) and all(map(_is_text, json_value)))


def _is_labels(json_value: Any) -> bool:
    has_lists = isinstance(json_value, dict) and {"tokens"} <= json_value.keys() <= {"tokens", "group", "date"}
    return json_value is None or (has_lists and all(isinstance(label_list, list) for label_list in json_value.values()))


OPTIONAL_FIELDS = ("documents", "labels", "reading", "shapes")  # models of earlier versions lack them
FIELDS: dict[str, tuple[str, Callable[[Any], Any]]] = {  # what is expected, and whether a value is that
    "format": (repr(FORMAT), lambda x: x == FORMAT),
    "arrays": ("the name of a file such as arrays-000100-0a1b2c3d.npz", lambda x: _is_text(x) and NPZ_RE.fullmatch(x)),
    **dict.fromkeys(("sha256", "algorithm", "schedule", "start", "corpus", "learn"), ("a text", _is_text)),
    **dict.fromkeys(
        ("seed", "sweeps", "burn_in", "samples", "learn_after"),
        ("a whole number from 0", lambda x: type(x) is int and x >= 0),
    ),
    "thin": ("a whole number from 1", lambda x: type(x) is int and x >= 1),
    **dict.fromkeys(("vocab", "documents"), ("a list of words, or null", _is_words)),
    "labels": ("an object with the list tokens, and perhaps group or date, or null", _is_labels),
    "reading": ("a text, or null", lambda x: x is None or _is_text(x)),
    "shapes": ("an object with the shape of each array", lambda x: isinstance(x, dict)),
    "history": ("a list with an entry for each sweep", lambda x: isinstance(x, list)),
}


def _refuse(*_: Any) -> NoReturn:
    raise ValueError(f"{WHY_FOREIGN}: it cannot go on, expected a model of this package, or cvb0 to fold in")


FOREIGN = replace(  # the algorithm of a model of another program: its rows are types, and it has no sweep
    ALGORITHMS["tcvb0"], name="another program", bound_of=WHY_FOREIGN, objective_of=WHY_FOREIGN, learns=WHY_FOREIGN,
    sweep_of=_refuse, estimate_of=_refuse,
)  # fmt: skip


def named_here(name: str) -> Algorithm | None:
    """The algorithm of this package that has this name, or that of models of other programs."""
    if name == FOREIGN.name:
        return FOREIGN
    try:
        return named(name)
    except ValueError:
        return None


def check_about(fields: Any, expected_algorithm: Algorithm | None = None) -> Algorithm:
    """The algorithm of the contents of `model.json`, if every field is of its kind.

    Without `expected_algorithm` the name is that of an algorithm of this package. A ValueError names a field, its value
    and what was expected.
    """
    expect(isinstance(fields, dict), fields, "it", f"an object with the fields {', '.join(FIELDS)}")
    for field_name, (expected_text, is_right_value) in FIELDS.items():
        if field_name in fields:
            expect(is_right_value(fields[field_name]), fields[field_name], field_name, expected_text)
        elif field_name not in OPTIONAL_FIELDS:
            raise ValueError(f"{field_name} is missing, expected {expected_text}")
    A = named_here(fields["algorithm"]) if expected_algorithm is None else expected_algorithm
    if A is None or A.name != fields["algorithm"]:
        choice = f"one of {', '.join(ALGORITHMS)}; one of your own must be given to `lda.load`"
        raise ValueError(f"algorithm is {shown(fields['algorithm'])}, expected {choice if A is None else repr(A.name)}")
    check_choice(fields["schedule"], "schedule", ("",) if A is FOREIGN else A.schedules)
    if (n_entries := len(fields["history"])) != fields["sweeps"]:
        raise ValueError(f"history has {n_entries} entries, expected one for each of {fields['sweeps']} sweeps")
    return A


def check_range(p: Prior, A: Algorithm) -> None:
    """Raise a ValueError that names a number of a prior if it is outside the range of an algorithm."""
    low, high = A.prior_range
    for prior_name, a in (("alpha", np.asarray(p.alpha)), ("eta", np.asarray(p.eta))):
        check_entries((a >= low) & (a <= high), a, prior_name, f"a number from {low:g} to {high:g} for {A.name}")


def check_arrays(
    arrays: dict[str, Array], p: Prior, A: Algorithm, vocab: tuple[str, ...] | None, document_lists: dict[str, Any]
) -> None:
    """Raise a ValueError unless the arrays of a model, its prior, its words and its lists of documents fit together."""
    phi_wk, D = arrays["phi_wk"], len(arrays["theta_jk"])
    for name, axis in (("phi_wk", 0), ("theta_jk", -1), ("gamma", -1)):
        if name not in arrays:  # a model without gamma has what makes it
            continue
        array = arrays[name]
        if array.ndim not in (2, 3) or array.shape[1:] != phi_wk.shape[1:]:
            raise ValueError(f"{name} has shape {array.shape}, expected the topics of phi_wk, which has {phi_wk.shape}")
        if array.dtype != np.float64 and name != "gamma":
            raise ValueError(f"{name} has the type {array.dtype}, expected float64")
        check_distributions(array, name, axis)
    p.check(phi_wk.shape[-1], len(phi_wk))
    check_range(p, A)
    if vocab is not None and len(vocab) != len(phi_wk):
        raise ValueError(f"phi_wk has {len(phi_wk)} words, expected the {len(vocab)} of the vocabulary")
    for list_name, entries in document_lists.items():
        if entries is not None and len(entries) != D:
            raise ValueError(f"{list_name} has {len(entries)} entries, expected {D}, one for each document of theta_jk")
