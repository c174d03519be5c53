"""The test vectors: where they are, and how some of them are chosen."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ..algorithms import ALGORITHMS

FOLDER = Path(__file__).parent
VECTORS = FOLDER / "vectors"
OPERATIONS = (
    "update", "sweep", "ten_sweeps", "converged", "summary", "estimate", "bound", "predict", "hyperparameters", "draw",
    "start", "reject", "sample",
)  # fmt: skip
STARTS = "starts"  # the file of the starts; in its cases, the name that stands where others have an algorithm
HIDDEN = ("expected", "tolerance", "mistakes", "note", "together")  # the fields of a case that a port does not see

Case = dict[str, Any]


def cases(only: str | Iterable[str] | None = None, operation: str | None = None) -> list[Case]:
    """The test vectors, in the order of `ALGORITHMS` and, for each algorithm, of its file; the starts are last.

    Parameters
    ----------
    only : str or iterable of str, optional
        Algorithms, "starts", or beginnings of ids such as "cvb0/update"; in a string, commas separate them.
    operation : str, optional
        One of `OPERATIONS`.

    Returns
    -------
    list of dict
        The cases, as GUIDE.md describes them.

    Raises
    ------
    ValueError
        If `operation` is unknown, or no case has one of the names.

    Examples
    --------
    >>> case = cases(only="cvb0/update")[0]
    >>> case["id"], case["corpus"]["D"], sorted(case["expected"])
    ('cvb0/update/001', 5, ['gamma_k'])
    """
    order = {name: i for i, name in enumerate((*ALGORITHMS, STARTS))}
    paths = [path for path in VECTORS.glob("*.json") if path.stem in order]
    paths.sort(key=lambda path: order[path.stem])
    found = [case for path in paths for case in _read(path.stem)["cases"]]
    return select(found, only, operation)


def sampler_cases() -> list[Case]:
    """The cases of the sampler test: tiny corpora with enumerated posteriors."""
    found = _read("samplers")
    return [case | {"operation": "sample"} for case in (found.get("cases", []) if isinstance(found, dict) else found)]


def mistakes() -> dict[str, str]:
    """The names of the known mistakes, and what each one gets wrong."""
    return {**_read("mistakes"), **_read(STARTS).get("mistakes", {})}


def _read(name: str) -> Any:
    """What a file of vectors holds; an empty dict if there is none."""
    path = VECTORS / f"{name}.json"
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


def select(found: Sequence[Case], only: str | Iterable[str] | None = None, operation: str | None = None) -> list[Case]:
    """The cases that `only` and `operation` choose, as in `cases`."""
    if operation is not None and operation not in OPERATIONS:
        raise ValueError(f"operation is {operation!r}, expected one of {', '.join(OPERATIONS)}")
    for name in _names(only) if only is not None else ():
        if not any(_matches(case, name) for case in found):
            known = ", ".join(dict.fromkeys(case["algorithm"] for case in found)) or "none: there are no cases"
            raise ValueError(f"only has {name!r}, expected an algorithm ({known}) or the beginning of an id")
    wanted = [case for case in found if only is None or any(_matches(case, name) for name in _names(only))]
    return [case for case in wanted if operation in (None, case["operation"])]


def _names(only: str | Iterable[str]) -> list[str]:
    return only.split(",") if isinstance(only, str) else list(only)


def _matches(case: Case, name: str) -> bool:
    return name in (case["algorithm"], case["id"]) or case["id"].startswith(name.rstrip("/") + "/")


def question(case: Case) -> Case:
    """What a port is sent: the case without the expected answer, the tolerances, the mistakes and the note.

    Examples
    --------
    >>> question({"id": "cvb0/update/001", "K": 2, "expected": {"gamma_k": [0.5, 0.5]}, "note": "..."})
    {'id': 'cvb0/update/001', 'K': 2}
    """
    return {name: x for name, x in case.items() if name not in HIDDEN}
