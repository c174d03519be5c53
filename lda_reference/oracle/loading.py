"""The test vectors: where they are, and which are meant."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ..algorithms import ALGORITHMS

FOLDER = Path(__file__).parent
VECTORS = FOLDER / "vectors"
OPERATIONS = (
    "update", "sweep", "ten_sweeps", "converged", "estimate", "bound", "predict", "hyperparameters", "draw", "reject",
    "sample",
)  # fmt: skip
KEPT = ("expected", "tolerance", "mistakes", "note", "together")  # of a case, kept from the port

Case = dict[str, Any]


def cases(only: str | Iterable[str] | None = None, operation: str | None = None) -> list[Case]:
    """The test vectors, in the order of the registry and the ladder of operations.

    Parameters
    ----------
    only : str or iterable of str, optional
        Algorithms, or beginnings of ids such as "cvb0/update"; a string may hold several with commas between.
    operation : str, optional
        One of `OPERATIONS`.

    Returns
    -------
    list of dict
        As GUIDE.md describes them; a new list each time.

    Raises
    ------
    ValueError
        Where one of the names has no case.

    Examples
    --------
    >>> case = cases(only="cvb0/update")[0]
    >>> case["id"], case["corpus"]["D"], sorted(case["expected"])
    ('cvb0/update/001', 5, ['gamma_k'])
    """
    order = {name: i for i, name in enumerate(ALGORITHMS)}
    paths = [path for path in VECTORS.glob("*.json") if path.stem in order]
    paths.sort(key=lambda path: order[path.stem])
    found = [case for path in paths for case in json.loads(path.read_text("utf-8"))["cases"]]
    return select(found, only, operation)


def sampler_cases() -> list[Case]:
    """The tiny corpora with enumerated posteriors, of the sampler test."""
    path = VECTORS / "samplers.json"
    found = json.loads(path.read_text("utf-8")) if path.exists() else []
    return [case | {"operation": "sample"} for case in (found["cases"] if isinstance(found, dict) else found)]


def mistakes() -> dict[str, str]:
    """The names of the known mistakes, and what each gets wrong."""
    path = VECTORS / "mistakes.json"
    return dict(json.loads(path.read_text("utf-8"))) if path.exists() else {}


def select(found: Sequence[Case], only: str | Iterable[str] | None = None, operation: str | None = None) -> list[Case]:
    """Of some cases those of the names and the operation, as `cases` takes them."""
    if operation is not None and operation not in OPERATIONS:
        raise ValueError(f"operation is {operation!r}, expected one of {', '.join(OPERATIONS)}")
    for name in _names(only) if only is not None else ():
        if not any(_is_of(case, name) for case in found):
            known = ", ".join(dict.fromkeys(case["algorithm"] for case in found)) or "none: there are no vectors"
            raise ValueError(f"only has {name!r}, expected the beginning of an id, or an algorithm of {known}")
    wanted = [case for case in found if only is None or any(_is_of(case, name) for name in _names(only))]
    return [case for case in wanted if operation in (None, case["operation"])]


def _names(only: str | Iterable[str]) -> list[str]:
    return only.split(",") if isinstance(only, str) else list(only)


def _is_of(case: Case, name: str) -> bool:
    return name in (case["algorithm"], case["id"]) or case["id"].startswith(name.rstrip("/") + "/")


def question(case: Case) -> Case:
    """What a port is sent: the case without what is expected, the tolerances, the mistakes and the note.

    Examples
    --------
    >>> question({"id": "cvb0/update/001", "K": 2, "expected": {"gamma_k": [0.5, 0.5]}, "note": "..."})
    {'id': 'cvb0/update/001', 'K': 2}
    """
    return {name: x for name, x in case.items() if name not in KEPT}
