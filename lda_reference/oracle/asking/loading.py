"""The test vectors: where they are, how some of them are chosen, and their tolerances in single precision."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from .pinned import checked

FOLDER = files("lda_reference.oracle")  # a Path, or a path within an archive
VECTORS = FOLDER / "vectors"
ALGORITHMS = (
    "ml", "map", "vb", "vem", "gibbs", "cgs", "cvb_exact", "cvb", "cvb0", "tcvb0", "cvb1", "cvb1s", "cvb1d",
)  # fmt: skip # each has a file
MORE = "operations"  # the file of the operations that are not steps of a sweep
MORE_OPERATIONS = (
    "e_step", "m_step", "elbo", "fold_in", "log_joint", "full_log_joint", "document_evidence", "tempered_update",
    "tempered_sweep", "step", "gradient", "leapfrog", "langevin", "coherence_umass", "coherence_npmi",
)  # fmt: skip
OPERATIONS = (
    "update", "sweep", "ten_sweeps", "converged", "summary", "estimate", "bound", "predict", "hyperparameters", "draw",
    "start", "reject", "sample", *MORE_OPERATIONS,
)  # fmt: skip
SINGLE = "single"  # the file of the tolerances of single precision, and the field of a case that has its own
PRECISIONS = ("double", "single")
STARTS = "starts"  # the file of the starts; in its cases, the name that stands where others have an algorithm
HIDDEN = (
    "expected", "tolerance", "single", "mistakes", "note", "together", "topics", "mistaken_topics", "undecidable",
)  # fmt: skip # what a port does not see

Case = dict[str, Any]


def cases(
    only: str | Iterable[str] | None = None, operation: str | None = None, folder: str | Path | None = None
) -> list[Case]:
    """The test vectors of each algorithm, in the order of `ALGORITHMS`, then those of `MORE_OPERATIONS` and the starts.

    Parameters
    ----------
    only : str or iterable of str, optional
        Algorithms, "starts", or beginnings of ids such as "cvb0/update"; in a string, commas separate them.
    operation : str, optional
        One of `OPERATIONS`.
    folder : path, optional
        Exported vectors to read instead of the package's; their checksums and version are checked.

    Returns
    -------
    list of dict
        The cases, as GUIDE.md describes them.

    Raises
    ------
    ValueError
        If `operation` is unknown, no case has one of the names, or the folder is not as it was exported.

    Examples
    --------
    >>> case = cases(only="cvb0/update")[0]
    >>> case["id"], case["corpus"]["D"], sorted(case["expected"])
    ('cvb0/update/001', 5, ['gamma_k'])
    """
    vectors = _vectors(folder)
    found = [case for name in (*ALGORITHMS, MORE, STARTS) for case in _read(vectors, name).get("cases", ())]
    return select(found, only, operation)


def sampler_cases(folder: str | Path | None = None) -> list[Case]:
    """The cases of the sampler test: tiny corpora with enumerated posteriors."""
    return [case | {"operation": "sample"} for case in _read(_vectors(folder), "samplers").get("cases", [])]


def mistakes(folder: str | Path | None = None) -> dict[str, str]:
    """The names of the known mistakes, and what each one gets wrong."""
    vectors = _vectors(folder)
    return {**_read(vectors, "mistakes"), **_read(vectors, STARTS).get("mistakes", {})}


def single_tolerances(folder: str | Path | None = None) -> dict[str, Any]:
    """The tolerances of single precision, by the ids of the cases; none in a folder that is older than 1.3.0."""
    return _single_tolerances(_vectors(folder))


@cache
def _single_tolerances(vectors: Any) -> dict[str, Any]:
    return dict(_read(vectors, SINGLE).get("cases", {}))


def at_precision(precision: str, case: Case) -> Case:
    """The case with the tolerances of a precision, in which a port computes.

    In single precision, they are those of single.json; a case that is not in the vectors has its own, in the field
    `single`, or is a ValueError. If rounding could change the answer too much, the field `undecidable` says why.

    Examples
    --------
    >>> at_precision("single", cases("cvb0/estimate/001")[0])["tolerance"]["theta_jk"]
    {'absolute': 1.1e-06}
    """
    if precision not in PRECISIONS:
        raise ValueError(f"precision is {precision!r}, expected one of {', '.join(PRECISIONS)}")
    if precision == "double" or case["operation"] == "sample" or "error" in case["expected"]:
        return case
    single = case.get(SINGLE) or single_tolerances().get(case["id"])
    if single is None:
        raise ValueError(f"{case['id']}: has no tolerances for single precision, expected them in the field `single`")
    case = case | {"tolerance": {field: {"absolute": single[field]} for field in case["expected"]}}
    if "undecidable" in single:
        case["undecidable"] = f"not decidable in single precision: {single['undecidable']}"
    return case


def _vectors(folder: str | Path | None) -> Any:
    return VECTORS if folder is None else checked(folder)


def _read(vectors: Any, name: str) -> Any:
    """What a file of vectors holds; an empty dict if there is none."""
    path = vectors / f"{name}.json"
    return json.loads(path.read_text("utf-8")) if path.is_file() else {}


def select(found: Sequence[Case], only: str | Iterable[str] | None = None, operation: str | None = None) -> list[Case]:
    """The cases that `only` and `operation` choose, as in `cases`."""
    if operation is not None and operation not in OPERATIONS:
        raise ValueError(f"operation is {operation!r}, expected one of {', '.join(OPERATIONS)}")
    names = None if only is None else names_in(only)
    for name in names or ():
        if not any(matches(case, name) for case in found):
            known = ", ".join(dict.fromkeys(case["algorithm"] for case in found)) or "none: there are no cases"
            raise ValueError(f"only has {name!r}, expected an algorithm ({known}) or the beginning of an id")
    wanted = [case for case in found if names is None or any(matches(case, name) for name in names)]
    return [case for case in wanted if operation in (None, case["operation"])]


def names_in(names: str | Iterable[str]) -> list[str]:
    """The names of a list, in which commas may separate them."""
    return names.split(",") if isinstance(names, str) else list(names)


def matches(case: Case, name: str) -> bool:
    """Whether a name is the case's algorithm, its id or the beginning of its id."""
    return name in (case["algorithm"], case["id"]) or case["id"].startswith(name.rstrip("/") + "/")


def question(case: Case) -> Case:
    """What a port is sent: the case without the expected answer, the tolerances, the mistakes and the note.

    Examples
    --------
    >>> question({"id": "cvb0/update/001", "K": 2, "expected": {"gamma_k": [0.5, 0.5]}, "note": "..."})
    {'id': 'cvb0/update/001', 'K': 2}
    """
    return {name: x for name, x in case.items() if name not in HIDDEN}
