"""What a model folder holds: the fields of `model.json` and the arrays, and what is expected of each.

Everything is checked before a model is used, so that a folder that was damaged or edited by hand is refused in one line
that names the file, the field, its value and what was expected.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple, NoReturn

import numpy as np

from .algorithms import ALGORITHMS, named
from .arguments import check_choice, check_distributions, check_entries, expect, is_finite, shown
from .engine import Algorithm
from .engine.starts import start_named
from .formats.files import CONTROL
from .formats.labels import is_date
from .model import Array, Prior
from .priors import learners

FORMAT = "lda_reference model 3"  # the number is the version of this schema
ARRAYS = re.compile(r"arrays-\d{6,}-[0-9a-f]{8}\.npz")
UNREADABLE = re.compile(rf"{CONTROL.pattern}|[\ud800-\udfff]")  # half of a character that UTF-16 writes in two
NOT_KNOWN = "the model is of another program, whose schedule and updates are not known"
AXES = {"theta_jk": "DRK", "phi_wk": "WRK", "gamma": "MRK"}  # see Keeps.axes
# Instead of gamma: the number of rows of each document, the word and the count of each row, N after the last sweep, and
# from what gamma is one update: N before it, and the prior numbers that the terms added.
AXES_OF_RECIPE = {
    "rows_j": "D", "rows_w": "M", "rows_n": "M", "N_jk": "DRK", "N_wk": "WRK", "N_k": "RK", "before_jk": "DRK",
    "before_wk": "WRK", "before_k": "RK",
}  # fmt: skip
NUMBERS_OF_RECIPE = {"before_alpha", "before_eta", "before_W_eta"}


class Field(NamedTuple):
    """A field of `model.json`: what is expected, and a function that returns False or raises a ValueError if not."""

    expected: str
    is_right: Callable[[Any], Any]


def _accepted(function: Callable[[str], Any]) -> Callable[[Any], bool]:
    """Whether a value is a text that a function accepts."""
    return lambda x: isinstance(x, str) and (function(x), True)[1]


def _matching(pattern: str | re.Pattern[str], expected: str) -> Field:
    return Field(expected, lambda x: isinstance(x, str) and re.fullmatch(pattern, x))


def _whole(least: int) -> Field:
    return Field(f"a whole number from {least}", lambda x: type(x) is int and x >= least)


def _is_labels(x: Any) -> bool:
    labels = x if isinstance(x, dict) else {}
    return x is None or (
        {"tokens"} < labels.keys() <= {"tokens", "group", "date"}
        and all(isinstance(listed, list) for listed in labels.values())
        and all(type(n) is int and n >= 0 for n in labels["tokens"])
        and all(_is_words(labels.get(name)) for name in ("group", "date"))
        and all(not date or is_date(date) for date in labels.get("date", ()))
    )


def _is_words(x: Any) -> bool:
    return x is None or (isinstance(x, list) and all(isinstance(y, str) and not UNREADABLE.search(y) for y in x))


def _is_shapes(x: Any) -> bool:
    return isinstance(x, dict) and all(isinstance(y, list) and all(type(n) is int for n in y) for y in x.values())


OPTIONAL = ("documents", "labels", "reading", "shapes")  # models of earlier versions lack them
FIELDS: dict[str, Field] = {
    "format": Field(repr(FORMAT), lambda x: x == FORMAT),
    "arrays": _matching(ARRAYS, "the name of a file such as arrays-000100-0a1b2c3d.npz"),
    "sha256": _matching("[0-9a-f]{64}", "64 hexadecimal digits"),
    "algorithm": Field("the name of an algorithm", lambda x: isinstance(x, str)),
    "schedule": Field("a schedule of the algorithm", lambda x: isinstance(x, str)),
    "start": Field("the name of a start, or an empty text", _accepted(lambda x: x and start_named(x))),
    "seed": _whole(0),
    "sweeps": _whole(0),
    "burn_in": _whole(0),
    "thin": _whole(1),
    "samples": _whole(0),
    "corpus": _matching("[0-9a-f]{16}", "16 hexadecimal digits"),
    "learn": Field("what is learned, such as alpha,eta", _accepted(lambda x: x and learners.parse(x))),
    "learn_after": _whole(0),
    "vocab": Field("a list of words, or null", _is_words),
    "documents": Field("a list of names, or null", _is_words),
    "labels": Field("an object with the lists tokens and group or date, or null", _is_labels),
    "reading": Field("a text, or null", lambda x: x is None or isinstance(x, str)),
    "shapes": Field("an object with the shape of each array", _is_shapes),
    "history": Field("a list with an entry for each sweep", lambda x: isinstance(x, list)),
}


def _refuse(*_: Any) -> NoReturn:
    raise ValueError(f"{NOT_KNOWN}: it cannot go on, expected a model of this package")


FOREIGN = replace(  # the algorithm of a model of another program: its rows are types, and it has no sweep
    ALGORITHMS["tcvb0"], name="another program", bound_of=NOT_KNOWN, objective_of=NOT_KNOWN, learns=NOT_KNOWN,
    sweep_of=_refuse,
)  # fmt: skip


def known(name: str) -> Algorithm | None:
    """The algorithm of this package that has this name, or that of models of other programs."""
    if name == FOREIGN.name:
        return FOREIGN
    try:
        return named(name)
    except ValueError:
        return None


def check_about(about: Any, given: Algorithm | None = None) -> Algorithm:
    """The algorithm of the contents of `model.json`, if every field is right and they agree with each other.

    `given` is the algorithm that the model should have; without it, the name is that of an algorithm of this package. A
    ValueError names a field, its value and what was expected.
    """
    expect(isinstance(about, dict), about, "it", f"an object with the fields {', '.join(FIELDS)}")
    for name in FIELDS:
        if name not in about and name not in OPTIONAL:
            raise ValueError(f"{name} is missing, expected {FIELDS[name].expected}")
    for name, value in about.items():
        if name not in FIELDS:
            raise ValueError(f"{shown(name)} is no field of a model, expected {', '.join(FIELDS)}")
        expected = FIELDS[name].expected
        try:
            right = FIELDS[name].is_right(value)
        except ValueError as error:
            right, expected = False, f"{expected} ({error})"
        expect(right, value, name, expected)
    A = known(about["algorithm"]) if given is None else given
    if A is None or A.name != about["algorithm"]:
        ours = f"one of {', '.join(ALGORITHMS)}; one of your own must be given to `lda.load`"
        raise ValueError(f"algorithm is {shown(about['algorithm'])}, expected {ours if A is None else repr(A.name)}")
    check_choice(about["schedule"], "schedule", ("",) if A is FOREIGN else A.schedules)
    if about["learn"]:
        learners.check_learned(A, about["learn"])
    averaged = max(0, about["sweeps"] - about["burn_in"]) // about["thin"] if A.is_sampler else 0
    if about["samples"] != averaged:
        raise ValueError(f"samples is {about['samples']}, expected {averaged} after these sweeps, burn_in and thin")
    _check_history(about["history"], about["sweeps"])
    return A


def _check_history(history: list[Any], sweeps: int) -> None:
    if len(history) != sweeps:
        raise ValueError(f"history has {len(history)} entries, expected one for each of {sweeps} sweeps")
    for t, entry in enumerate(history):
        expect(isinstance(entry, dict), entry, f"history[{t}]", "an object")
        for name, right, expected in (
            ("sweep", lambda x: type(x) is int and x == t + 1, str(t + 1)),  # noqa: B023  # called in this round
            ("seconds", lambda x: is_finite(x) and x >= 0, "a number from 0"),
            ("change", lambda x: x is None or (is_finite(x) and x >= 0), "a number from 0, or null"),
        ):
            if name not in entry or not right(entry[name]):
                raise ValueError(f"history[{t}] has {name} {shown(entry.get(name))}, expected {expected}")
        if "bound" in entry:
            values = entry["bound"] if isinstance(entry["bound"], list) else [entry["bound"]]
            if not all(map(is_finite, values)):
                raise ValueError(f"history[{t}] has bound {shown(entry['bound'])}, expected a number")


def arrays_kept(A: Algorithm) -> dict[str, tuple[str, str]]:
    """The names of the arrays that hold `State.own`, and of each its field and its axes."""
    if A.keeps is None:
        return {}
    return {f"{A.keeps.name}_{field}": (field, x) for field, x in zip(A.keeps.kind._fields, A.keeps.axes, strict=True)}


def check_range(p: Prior, A: Algorithm) -> None:
    """Raise a ValueError that names a number of a prior if it is outside the range of an algorithm."""
    low, high = A.prior_range
    for name, x in (("alpha", np.asarray(p.alpha)), ("eta", np.asarray(p.eta))):
        check_entries((x >= low) & (x <= high), x, name, f"a number from {low:g} to {high:g} for {A.name}")


def check_arrays(a: dict[str, Array], A: Algorithm, about: dict[str, Any]) -> Prior:
    """The prior of a model's arrays, if each has the right kind, shape and values beside the contents of `model.json`.

    A ValueError names an array, what it is and what was expected.
    """
    own = arrays_kept(A)
    axes = dict(AXES)
    numbers = {"alpha", "eta"}
    if "rows_w" in a:
        del axes["gamma"]
        axes, numbers = axes | AXES_OF_RECIPE, numbers | NUMBERS_OF_RECIPE
    axes |= ({"z": "NR"} if A.samples_z else {}) | {name: x for name, (_, x) in own.items()}
    low, high = (-np.inf, np.inf) if A.keeps is None else A.keeps.limits
    names = {*numbers, *axes} - own.keys()
    if A.keeps is not None and (A.keeps.start is not None or own.keys() & a.keys()):
        names |= {name for name, (field, _) in own.items() if field not in A.keeps.kind._field_defaults}
    for name in sorted(names - a.keys()):
        raise ValueError(f"{name} is missing, expected an array of this name")
    for name in sorted(a.keys() - names - own.keys()):
        raise ValueError(f"{name} is no array of a model of {A.name}, expected {', '.join(sorted(names))}")
    for name, x in a.items():
        integers = "K" not in axes.get(name, "K") and not (name == "rows_n" and x.dtype == np.float64)
        is_single = name == "gamma" and x.dtype == np.float32
        if x.dtype.kind not in "iu" if integers else not (x.dtype == np.float64 or is_single):
            raise ValueError(f"{name} has the type {x.dtype}, expected {'whole numbers' if integers else 'float64'}")
        check_entries(np.isfinite(x), x, name, "a finite number")
        if name in own:
            check_entries((x >= low) & (x <= high), x, name, f"a number from {low:g} to {high:g}")
    theta_jk, phi_wk, rows = a["theta_jk"], a["phi_wk"], a["rows_w"] if "rows_w" in a else a["gamma"]
    if phi_wk.ndim not in (2, 3) or 0 in phi_wk.shape:
        raise ValueError(f"phi_wk has shape {phi_wk.shape}, expected (W, K) or (W, R, K)")
    if 0 in theta_jk.shape:
        raise ValueError(f"theta_jk has shape {theta_jk.shape}, expected a row for each document")
    W, rest = len(phi_wk), phi_wk.shape[1:]
    sizes = {"D": len(theta_jk) if theta_jk.ndim else 0, "M": len(rows) if rows.ndim else 0, "W": W}
    sizes |= dict(zip("KR", reversed(rest), strict=False))
    for name in sorted(axes.keys() & a.keys()):
        letters = [x for x in axes[name] if x in sizes or x == "N"]
        found = a[name].shape
        if len(found) != len(letters) or any(n != sizes.get(x, n) for n, x in zip(found, letters, strict=True)):
            shape = ", ".join(str(sizes.get(x, x)) for x in letters)
            raise ValueError(f"{name} has shape {found}, expected ({shape}) beside phi_wk's {phi_wk.shape}")
    vocab = about["vocab"]
    if vocab is not None and len(vocab) != W:
        raise ValueError(f"phi_wk has {W} words, expected the {len(vocab)} of the vocabulary in model.json")
    labels = {f"{name} has entries": listed for name, listed in (about.get("labels") or {}).items()}
    for what, listed in {"documents has names": about.get("documents"), **labels}.items():
        if listed is not None and len(listed) != len(theta_jk):
            raise ValueError(f"theta_jk has {len(theta_jk)} rows, expected {len(listed)} as {what}")
    for name, axis in (("theta_jk", -1), ("phi_wk", 0), ("gamma", -1)):
        if name in a:
            check_distributions(a[name], name, axis)
    if "z" in a:
        z = a["z"]
        check_entries((z >= 0) & (z < rest[-1]), z, "z", f"a topic from 0 below {rest[-1]}")
    prior = Prior(a["alpha"], a["eta"])
    prior.check(rest[-1], W)
    if "rows_w" in a:
        Prior(a["before_alpha"], a["before_eta"]).check(rest[-1], W)
        found, expected = a["before_W_eta"].shape, a["before_eta"].shape[1:]
        expect(found == expected, found, "the shape of before_W_eta", f"{expected} as before_eta has")
        for name in (x for x in a if x[:2] == "N_" or x[:7] == "before_"):
            check_entries(a[name] >= 0, a[name], name, "a number from 0")
    check_range(prior, A)
    for name, x in a.items():
        shape = about.get("shapes", {}).get(name, list(x.shape))
        if list(x.shape) != shape:
            raise ValueError(f"{name} has shape {x.shape}, expected {shape} as in model.json")
    return prior
