"""Models on disk: a folder with `model.json` and the arrays that it names; `storage_schema` has their contents."""

import hashlib
import io
import json
import os
import re
from pathlib import Path
from typing import Any

import numpy as np

from .algorithms import ALGORITHMS
from .arguments import expect, kind, path_of, words
from .corpus import Corpus
from .engine import Algorithm, State
from .engine.products import OneUpdate
from .engine.state import Recipe
from .engine.update import Pseudocounts, Sums
from .fitting import Fit
from .formats.files import write_bytes
from .model import Prior
from .storage_schema import FORMAT, NPZ_RE, check_about, check_arrays, named_here

SETTING_NAMES = Fit._fields[6:-1]  # from the schedule to `learn_after`
HALF_WRITTEN_NAME = re.compile(rf"\.?{NPZ_RE.pattern}(\.\d+)?|\.model\.json\.\d+")  # what a killed run can leave
FORMAT_KIND = FORMAT.rpartition(" ")[0]  # without its version


def save(
    f: Fit, folder: str | os.PathLike[str], vocab: tuple[str, ...] | None = None, documents: list[str] | None = None,
    reading: str | None = None, labels: dict[str, list[Any]] | None = None,
) -> None:  # fmt: skip
    """Write a model folder: `model.json` and the arrays it names, in an npz beside it.

    A run that is killed at any point leaves the last saved model whole: the arrays go into a new file first.

    The folder is made if missing. `vocab` are the W words, by default those of the Fit, and `documents` the names of
    the D documents. `reading` says what was read and which words were left out, for the reader of a report. `labels`
    has lists of D entries: the number of `tokens` of each document, and perhaps its `group` and its `date`, or "" for
    none. If none of the three is given, a model of the same corpus in the folder leaves its own.

    A ValueError says if the folder holds anything but a model, an array or a list does not fit the others, an algorithm
    of this package ran with another assignment than its own, or an algorithm of your own has the name of one of this
    package.
    """
    expect(isinstance(f, Fit), f, "f", "a Fit")
    folder, A, vocab = path_of(folder, "folder"), f.algorithm, f.vocab if vocab is None else words(vocab)
    namesake = named_here(A.name)
    if A.name in ALGORITHMS and namesake is not None and A.update is not namesake.update:
        raise ValueError(f"f ran an algorithm of its own with the name {A.name}, expected another name for it")
    if namesake is not None and A.assignment != namesake.assignment:
        raise ValueError(f"{A.name} ran with assignment {A.assignment!r}, expected its own, {namesake.assignment!r}")
    check_folder(folder)
    model_file = folder / "model.json"
    if model_file.exists() and documents is None and reading is None and labels is None:
        documents, reading, labels = left_in(model_file, f)
    array_of_name = arrays_of(f)
    check_arrays(array_of_name, f.prior, A, vocab, {"documents": documents} | (labels or {}))
    npz_buffer = io.BytesIO()
    save_function = np.savez if f.state.z is None else np.savez_compressed  # only topics of tokens become much smaller
    save_function(npz_buffer, **array_of_name)
    npz_sha256 = hashlib.sha256(npz_buffer.getbuffer()).hexdigest()
    npz_name = f"arrays-{f.sweeps:06d}-{npz_sha256[:8]}.npz"
    json_fields = {
        "format": FORMAT,
        "arrays": npz_name,
        "sha256": npz_sha256,
        "algorithm": A.name,
        **{setting_name: getattr(f, setting_name) for setting_name in SETTING_NAMES},
        "vocab": None if vocab is None else list(vocab),
        "documents": None if documents is None else list(documents),
        **({} if labels is None else {"labels": labels}),
        "reading": reading,
        "shapes": {array_name: list(np.shape(array)) for array_name, array in array_of_name.items()},
        "history": list(f.history),
    }
    check_about(json_fields, A)
    folder.mkdir(parents=True, exist_ok=True)
    old_npz_names = set(NPZ_RE.findall(model_file.read_text("utf-8"))[:1] if model_file.exists() else ())
    write_bytes(folder / npz_name, npz_buffer.getvalue())
    write_bytes(model_file, json.dumps(json_fields, ensure_ascii=False, indent=1).encode())
    for old_name in old_npz_names - {npz_name}:  # no other process can have named these since, so several may save here
        (folder / old_name).unlink(missing_ok=True)


def left_in(model_file: Path, f: Fit) -> tuple[Any, Any, Any]:
    """The `documents`, `reading` and `labels` of an earlier model of the same corpus; None of a damaged one."""
    try:
        fields = json.loads(model_file.read_text("utf-8"))
        check_about(fields, None if named_here(f.algorithm.name) else f.algorithm)
    except ValueError:
        return None, None, None
    documents, reading, labels = (fields.get(field_name) for field_name in ("documents", "reading", "labels"))
    document_lists = [f.theta_jk if documents is None else documents, *(labels or {}).values()]
    is_same_corpus = fields["corpus"] == f.corpus and all(len(x) == len(f.theta_jk) for x in document_lists)
    return (documents, reading, labels) if is_same_corpus else (None, None, None)


def check_folder(folder: str | os.PathLike[str]) -> None:
    """Raise a ValueError if `save` would refuse a folder because it is a file or holds anything but a model."""
    folder = Path(folder)
    model_file = folder / "model.json"
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder}: a file, expected a folder")
    has_model = model_file.exists() and FORMAT_KIND in model_file.read_text(encoding="utf-8", errors="replace")
    if folder.exists() and not has_model and not all(HALF_WRITTEN_NAME.fullmatch(x.name) for x in folder.iterdir()):
        raise ValueError(f"{folder}: holds files but no model, expected a model folder or an empty one")


def load(folder: str | os.PathLike[str], algorithm: Algorithm | None = None) -> Fit:
    """The model that `save` wrote.

    `algorithm` is needed if the model's is not one of this package. A ValueError says if the folder holds no model, a
    damaged one, or one of another algorithm; it names the file.
    """
    if not (algorithm is None or isinstance(algorithm, Algorithm)):
        raise ValueError(f"algorithm is {kind(algorithm)}, expected an Algorithm")
    model_file = path_of(folder, "folder") / "model.json"
    if not model_file.is_file():
        raise ValueError(
            f"{model_file}: not found, expected a model folder written by save or `lda-reference fit`;"
            " `save(from_model(path, c), folder)` makes one of the model of another program"
        )
    try:
        fields = json.loads(model_file.read_text(encoding="utf-8"))
        A = check_about(fields, algorithm)
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ValueError(f"{model_file}: damaged, expected JSON ({error})") from error
    except ValueError as error:
        raise ValueError(f"{model_file}: {error}") from error
    npz_path = model_file.parent / fields["arrays"]
    if not npz_path.is_file():
        raise ValueError(f"{npz_path}: not found, expected the arrays that model.json names")
    npz_bytes, expected_sha256 = npz_path.read_bytes(), fields["sha256"]
    if (sha256 := hashlib.sha256(npz_bytes).hexdigest()) != expected_sha256:
        raise ValueError(f"{npz_path}: damaged, its SHA-256 is {sha256}, expected {expected_sha256} as in model.json")
    a = unpacked(npz_bytes, npz_path)
    own_prefix = f"{A.keeps.name}_" if A.keeps else "none"
    own_arrays = {name.removeprefix(own_prefix): array for name, array in a.items() if name.startswith(own_prefix)}
    own_state = A.keeps.kind(**own_arrays) if A.keeps and own_arrays else None
    state = State(a["gamma"] if "gamma" in a else recipe_of(a, A), a.get("z"), own_state)
    vocab = None if fields["vocab"] is None else tuple(fields["vocab"])
    settings = [*(fields[setting_name] for setting_name in SETTING_NAMES), vocab]
    return Fit(a["theta_jk"], a["phi_wk"], state, Prior(a["alpha"], a["eta"]), tuple(fields["history"]), A, *settings)


def arrays_of(f: Fit) -> dict[str, Any]:
    """The arrays of a Fit by their names in a model folder: gamma, or that from which one update makes it."""
    arrays: dict[str, Any] = {"theta_jk": f.theta_jk, "phi_wk": f.phi_wk}
    arrays |= {"alpha": np.asarray(f.prior.alpha), "eta": np.asarray(f.prior.eta)}
    if f.state.z is not None:
        arrays["z"] = f.state.z
    if f.state.own is not None and f.algorithm.keeps is not None:
        own_prefix, own_fields = f.algorithm.keeps.name, f.state.own._asdict()
        arrays |= {f"{own_prefix}_{name}": np.asarray(x) for name, x in own_fields.items() if x is not None}
    recipe = f.state.recipe
    if recipe is None or not isinstance(recipe.make, OneUpdate) or recipe.make.update != f.algorithm.update:
        return arrays | {"gamma": f.state.gamma}
    (_, prior_counts, sums_before), c = recipe.make, recipe.c
    small_w, small_n = (x.astype(np.min_scalar_type(x.max())) if x.dtype.kind == "i" else x for x in (c.w, c.n))
    arrays |= {"rows_j": np.bincount(c.j.astype(np.intp), minlength=c.D), "rows_w": small_w, "rows_n": small_n}
    arrays |= {f"N_{name}": x for name, x in recipe.sums._asdict().items()}
    return arrays | {f"before_{name}": x for name, x in (sums_before._asdict() | prior_counts._asdict()).items()}


def recipe_of(arrays: dict[str, Any], A: Algorithm) -> Recipe:
    """What `arrays_of` wrote instead of gamma."""
    rows_j, w, n, fractions = arrays["rows_j"], arrays["rows_w"], arrays["rows_n"], arrays["rows_n"].dtype.kind == "f"
    c = Corpus(np.repeat(np.arange(len(rows_j)), rows_j), w, n, len(rows_j), len(arrays["phi_wk"]), None, fractions)
    sums, sums_before = (Sums(*(arrays[f"{prefix}_{name}"] for name in Sums._fields)) for prefix in ("N", "before"))
    prior_counts = Pseudocounts(*(arrays[f"before_{name}"] for name in Pseudocounts._fields))
    return Recipe(OneUpdate(A.update, prior_counts, sums_before), c, sums)


def saved_with(folder: str | os.PathLike[str], field: str) -> Any:
    """The `documents`, `labels` or `reading` of a model that `load` accepts; None if it was saved without."""
    return json.loads(Path(folder, "model.json").read_text(encoding="utf-8")).get(field)


def unpacked(npz_bytes: bytes, npz_path: str | os.PathLike[str]) -> dict[str, Any]:
    """The arrays in the bytes of an npz file; a ValueError names the file if they are no such arrays."""
    try:
        with np.load(io.BytesIO(npz_bytes), allow_pickle=False) as arrays:
            return dict(arrays)
    except Exception as error:  # a damaged file can raise any error of zip, zlib or NumPy
        hint = "; save words as text, with .astype(str)" * ("Object arrays" in str(error))
        raise ValueError(f"{npz_path}: damaged, expected arrays in NumPy's npz format ({error}){hint}") from error
