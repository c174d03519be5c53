"""The test vectors: where they are, how some of them are chosen, and their tolerances in single precision."""

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from ... import plain
from . import noise

FOLDER = files("lda_reference.oracle")  # a Path, or a path within an archive
VECTORS: Any = FOLDER / "vectors"
OPERATION_FILES = ("operations", "online")  # the files of the operations that are not steps of a sweep
MORE_OPERATIONS = tuple(dict.fromkeys(operation for _, operation in plain.OPERATIONS))
OPERATIONS = (
    "update", "sweep", "ten_sweeps", "converged", "summary", "estimate", "bound", "predict", "hyperparameters", "draw",
    "start", "reject", "sample", *MORE_OPERATIONS,
)  # fmt: skip
LARGE = "large"  # the file of the cases of many rows, which has a few integers for each
PRIME = 999_983  # cubes differ modulo this prime, as it is 2 more than a multiple of 3
SINGLE = "single"  # the file of the tolerances of single precision, and the field of a case that has its own
ROUNDOFF = {"single": noise.SINGLE, "tf32": 2.0**-11, "half": 2.0**-11, "bfloat16": 2.0**-8}
PRECISIONS = ("double", *ROUNDOFF)
FORMAT = "lda_reference oracle 1 manifest"
MAJOR = 1  # the major version of the vectors that this package understands
STARTS = "starts"  # the file of the starts; in its cases, the name that stands where others have an algorithm
HIDDEN_KEYS = (
    "expected", "tolerance", "single", "double", "mistakes", "note", "together", "topics", "mistaken_topics",
    "undecidable",
)  # fmt: skip # what a port does not see

Case = dict[str, Any]


def cases(
    only: str | Iterable[str] | None = None, operation: str | None = None, folder: str | Path | None = None
) -> list[Case]:
    """The test vectors of each algorithm, then those of `MORE_OPERATIONS`, the large ones and the starts.

    They are dicts, as GUIDE.md describes them. `only` has algorithms, "starts", or beginnings of ids such as
    "cvb0/update"; in a string, commas separate them. `operation` is one of `OPERATIONS`. `folder` has exported vectors
    to read instead of the package's; their checksums and version are checked. A ValueError says if `operation` is
    unknown, no case has one of the names, or the folder is not as it was exported.

    >>> case = cases(only="cvb0/update")[0]
    >>> case["id"], case["corpus"]["D"], sorted(case["expected"])
    ('cvb0/update/001', 5, ['gamma_k'])
    """
    return [expanded(case) for case in select(_stored(folder), only, operation)]


def cases_to_ask(only: str | Iterable[str] | None, large: bool, folder: str | Path | None = None) -> list[Case]:
    """All cases, but those of 100,000 rows only if `large` is true or `only` has their ids."""
    return [expanded(c) for c in _stored(folder) if large or "many_rows" not in c or c["id"] in names_in(only or ())]


def _stored(folder: str | Path | None) -> list[Case]:
    vectors_folder, file_names = _vectors(folder), (*plain.ALGORITHMS, *OPERATION_FILES, LARGE, STARTS)
    return [case for file_name in file_names for case in _read(vectors_folder, file_name).get("cases", ())]


def expanded(case: Case) -> Case:
    """A case with what the checker makes from the sizes in `many_rows`, if it has them."""
    if "many_rows" not in case:
        return case
    made_fields = many_rows(**case["many_rows"], K=case["K"])
    return {field: content for field, content in case.items() if field != "many_rows"} | made_fields


@cache
def many_rows(M: int, D: int, W: int, K: int, parts: int = 0) -> Case:
    """The corpus and the topics of many rows; with parts, each row is a token and has a uniform number."""
    j = [i * D // M for i in range(M)]
    w = [i * (j[i] + 1) % W for i in range(M)]
    n = [1 if parts else 1 + i * i % 3 for i in range(M)]
    z = [token * token % 101 % K for token in range(sum(n))]
    case_fields: Case = {"corpus": {"j": j, "w": w, "n": n, "D": D, "W": W}, "state": {"z": z}}
    if parts:
        case_fields |= {"uniforms": [t**3 % PRIME / PRIME for t in range(M)], "parts": [j % parts for j in range(D)]}
    return case_fields


def sampler_cases(folder: str | Path | None = None) -> list[Case]:
    """The cases of the sampler test: tiny corpora with enumerated posteriors."""
    return [case | {"operation": "sample"} for case in _read(_vectors(folder), "samplers").get("cases", [])]


def mistakes(folder: str | Path | None = None) -> dict[str, str]:
    """The names of the known mistakes, and what each one gets wrong."""
    source = _vectors(folder)
    return {**_read(source, "mistakes"), **_read(source, STARTS).get("mistakes", {})}  # of starts: before 1.7.0


def version(folder: str | Path | None = None) -> str:
    return _read(_vectors(folder), "manifest")["version"]


@cache
def single_tolerances(vectors_folder: Any) -> dict[str, Any]:
    """The tolerances of single precision, by the ids of the cases; none in a folder that is older than 1.3.0."""
    return _read(vectors_folder, SINGLE).get("cases", {})


SMALLEST_HALF = 2.0**-14  # normal number of half precision


def at_precision(precision: str, case: Case) -> Case:
    """The case with the tolerances of a precision, in which a port computes.

    In single precision, they are those of single.json; a case that is not in the vectors has its own, in the field
    `single`, or is a ValueError. Below single precision they grow in proportion to the roundoff. If rounding could
    change the answer too much, the field `undecidable` says why.
    """
    if precision not in PRECISIONS:
        raise ValueError(f"precision is {precision!r}, expected one of {', '.join(PRECISIONS)}")
    if precision == "double" or case["operation"] == "sample" or "error" in case["expected"]:
        return case
    tolerances_in_single = case.get(SINGLE) or single_tolerances(VECTORS).get(case["id"])
    if tolerances_in_single is None:
        raise ValueError(f"{case['id']}: has no tolerances for single precision, expected them in the field `single`")
    roundoff = ROUNDOFF[precision]
    tolerance_of_field = {field: tolerances_in_single[field] * roundoff / noise.SINGLE for field in case["expected"]}
    cause_text = tolerances_in_single.get("undecidable", "")
    if roundoff > noise.SINGLE:
        fields_in_doubt = [field for field, x in tolerance_of_field.items() if x and not noise.tells(x, field, case)]
        has_tie = "uniforms" in case or ("uniform" in case and noise.errors(case).undecided(roundoff) is not None)
        if fields_in_doubt or has_tie:
            cause_text = f"rounding errors may change {', '.join(fields_in_doubt) or 'a topic that is drawn'}"
        prior_numbers = [x for vector in case["prior"].values() for x in noise.flat(vector)] if "prior" in case else []
        if precision == "half" and any(0 < x < SMALLEST_HALF for x in prior_numbers):
            cause_text = f"its normal numbers are {SMALLEST_HALF:.2g} or more, and the prior is smaller"
    undecidable_field = {"undecidable": f"not decidable in {precision} precision: {cause_text}"} if cause_text else {}
    tolerance_fields = {field: {"absolute": tolerance} for field, tolerance in tolerance_of_field.items()}
    return case | undecidable_field | {"tolerance": tolerance_fields, "double": case.get("tolerance", {})}


def checked(folder: str | Path) -> Path:
    """The folder of the vectors, after its files were compared with their checksums.

    `folder` is what `lda-reference oracle export` wrote, or the folder `vectors` in it. If there is no manifest, its
    version is not understood, or a file is changed or not listed, this is a ValueError; if one is missing, an OSError.
    """
    outer_folder = Path(folder)
    inner_folder = outer_folder / "vectors" if (outer_folder / "vectors" / "manifest.json").exists() else outer_folder
    file_entries = _manifest(inner_folder / "manifest.json")["files"]
    for file_name, file_entry in file_entries.items():
        path = inner_folder / file_name
        sha256_digest = hashlib.sha256(path.read_bytes()).hexdigest()
        if sha256_digest != file_entry["sha256"]:
            raise ValueError(f"{path}: has changed: its SHA-256 is {sha256_digest}, expected {file_entry['sha256']}")
    for path in sorted(inner_folder.glob("*.json")):
        if path.name not in file_entries and path.name != "manifest.json":
            raise ValueError(f"{path}: is not listed in manifest.json; keep your own files in another folder")
    return inner_folder


def _manifest(path: Path) -> dict[str, Any]:
    if not path.is_file():
        raise ValueError(f"{path}: does not exist; `lda-reference oracle export` writes the vectors with a manifest")
    try:
        manifest: dict[str, Any] = json.loads(path.read_text("utf-8"))
        form, version, _ = manifest["format"], manifest["version"], [x["sha256"] for x in manifest["files"].values()]
    except (ValueError, LookupError, TypeError, AttributeError):
        raise ValueError(f"{path}: is not a manifest with a format, a version and the sha256 of each file") from None
    if form != FORMAT or not re.fullmatch(rf"{MAJOR}\.\d+\.\d+", str(version)):
        raise ValueError(f"{path}: is a {form!r} of version {version!r}, expected a {FORMAT!r} of version {MAJOR}.x.y")
    return manifest


def _vectors(folder: str | Path | None) -> Any:
    return VECTORS if folder is None else checked(folder)


def _read(vectors_folder: Any, file_name: str) -> Any:
    """What a file of vectors holds; an empty dict if there is none."""
    json_path = vectors_folder / f"{file_name}.json"
    return json.loads(json_path.read_text("utf-8")) if json_path.is_file() else {}


def select(pool: Sequence[Case], only: str | Iterable[str] | None = None, operation: str | None = None) -> list[Case]:
    """The cases that `only` and `operation` choose, as in `cases`."""
    if operation is not None and operation not in OPERATIONS:
        raise ValueError(f"operation is {operation!r}, expected one of {', '.join(OPERATIONS)}")
    prefixes = None if only is None else names_in(only)
    for prefix in prefixes or ():
        if not any(matches(case, prefix) for case in pool):
            algorithms_text = ", ".join(dict.fromkeys(case["algorithm"] for case in pool)) or "none: there are no cases"
            hint_text = f"an algorithm ({algorithms_text}) or the beginning of an id of one of the {len(pool)} cases"
            raise ValueError(f"only has {prefix!r}, expected {hint_text}")
    matching_cases = [case for case in pool if prefixes is None or any(matches(case, prefix) for prefix in prefixes)]
    return [case for case in matching_cases if operation in (None, case["operation"])]


def names_in(names_or_text: str | Iterable[str]) -> list[str]:
    """The names of a list, in which commas may separate them."""
    return names_or_text.split(",") if isinstance(names_or_text, str) else list(names_or_text)


def matches(case: Case, prefix: str) -> bool:
    """Whether a prefix is the case's algorithm, its id or the beginning of its id."""
    return prefix in (case["algorithm"], case["id"]) or case["id"].startswith(prefix.rstrip("/") + "/")


def expected_failures(list_path: str | Path | None, cases: Sequence[Case]) -> dict[str, str]:
    """The reason for each case that a file lists, by its id; the longest name that fits a case decides.

    A line holds an algorithm or the beginning of an id and, after `#`, the reason. Empty lines and lines that begin
    with `#` are ignored. It is a ValueError if a line has no reason or more than one name, or a name occurs twice or
    fits no case.
    """
    reasons: dict[str, str] = {}
    for line_number, text_line in enumerate(Path(list_path).read_text("utf-8").splitlines() if list_path else (), 1):
        name, _, reason = (line_part.strip() for line_part in text_line.partition("#"))
        applies_of_fault = {
            f"has no reason, expected `{name}  # why it fails`": not reason,
            "is no name, expected the beginning of an id": len(name.split()) > 1,
            "stands there twice": name in reasons,
            "is neither an algorithm nor the beginning of an id": not any(matches(case, name) for case in cases),
        }
        for fault_text in (fault_text for fault_text, applies in applies_of_fault.items() if name and applies):
            raise ValueError(f"{list_path}, line {line_number}: {name!r} {fault_text}")
        reasons |= {name: reason} if name else {}
    return {case["id"]: reasons[name] for name in sorted(reasons, key=len) for case in cases if matches(case, name)}


def question(case: Case) -> Case:
    """What a port is sent: the case without the expected answer, the tolerances, the mistakes and the note.

    >>> question({"id": "cvb0/update/001", "K": 2, "expected": {"gamma_k": [0.5, 0.5]}, "note": "..."})
    {'id': 'cvb0/update/001', 'K': 2}
    """
    return {field: content for field, content in case.items() if field not in HIDDEN_KEYS}
