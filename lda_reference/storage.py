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
from .storage_schema import ARRAYS, FORMAT, check_about, check_arrays, named_here

SETTINGS = Fit._fields[6:-1]  # from the schedule to `learn_after`
HALF_WRITTEN = re.compile(rf"\.?{ARRAYS.pattern}(\.\d+)?|\.model\.json\.\d+")  # what a killed run can leave
KIND = FORMAT.rpartition(" ")[0]  # without its version


def save(
    f: Fit, folder: str | os.PathLike[str], vocab: tuple[str, ...] | None = None, documents: list[str] | None = None,
    reading: str | None = None, labels: dict[str, list[Any]] | None = None,
) -> None:  # fmt: skip
    """Write a model folder: `model.json` and the arrays it names, in an npz beside it.

    A run that is killed at any point leaves the last saved model whole: the arrays go into a new file first.

    The folder is made if missing. `vocab` are the W words, by default those of the Fit, and `documents` the names of
    the D documents. `reading` says what was read and which words were left out, for the reader of a report. `labels`
    has lists of D entries: the number of `tokens` of each document with its `group`, its `date`, or both; "" if it has
    none.

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
    arrays = arrays_of(f)
    check_arrays(arrays, f.prior, A, vocab, {"documents": documents} | (labels or {}))
    packed = io.BytesIO()
    pack = np.savez if f.state.z is None else np.savez_compressed  # only topics of tokens become much smaller
    pack(packed, **arrays)
    sha256 = hashlib.sha256(packed.getbuffer()).hexdigest()
    name = f"arrays-{f.sweeps:06d}-{sha256[:8]}.npz"
    about = {
        "format": FORMAT,
        "arrays": name,
        "sha256": sha256,
        "algorithm": A.name,
        **{setting: getattr(f, setting) for setting in SETTINGS},
        "vocab": None if vocab is None else list(vocab),
        "documents": None if documents is None else list(documents),
        **({} if labels is None else {"labels": labels}),
        "reading": reading,
        "shapes": {array: list(np.shape(x)) for array, x in arrays.items()},
        "history": list(f.history),
    }
    check_about(about, A)
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "model.json"
    replaced = set(ARRAYS.findall(file.read_text("utf-8"))[:1] if file.exists() else ())
    write_bytes(folder / name, packed.getvalue())
    write_bytes(file, json.dumps(about, ensure_ascii=False, indent=1).encode())
    for old in replaced - {name}:  # no other process can have named these arrays since, so that several may save here
        (folder / old).unlink(missing_ok=True)


def check_folder(folder: str | os.PathLike[str]) -> None:
    """Raise a ValueError if `save` would refuse a folder because it is a file or holds anything but a model."""
    folder = Path(folder)
    file = folder / "model.json"
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder}: a file, expected a folder")
    is_model = file.exists() and KIND in file.read_text(encoding="utf-8", errors="replace")
    if folder.exists() and not is_model and not all(HALF_WRITTEN.fullmatch(x.name) for x in folder.iterdir()):
        raise ValueError(f"{folder}: holds files but no model, expected a model folder or an empty one")


def load(folder: str | os.PathLike[str], algorithm: Algorithm | None = None) -> Fit:
    """The model that `save` wrote.

    `algorithm` is needed if the model's is not one of this package. A ValueError says if the folder holds no model, a
    damaged one, or one of another algorithm; it names the file.
    """
    if not (algorithm is None or isinstance(algorithm, Algorithm)):
        raise ValueError(f"algorithm is {kind(algorithm)}, expected an Algorithm")
    file = path_of(folder, "folder") / "model.json"
    if not file.is_file():
        raise ValueError(f"{file}: not found, expected a model folder written by save or `lda-reference fit`")
    try:
        about = json.loads(file.read_text(encoding="utf-8"))
        A = check_about(about, algorithm)
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ValueError(f"{file}: damaged, expected JSON ({error})") from error
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from error
    file = file.parent / about["arrays"]
    if not file.is_file():
        raise ValueError(f"{file}: not found, expected the arrays that model.json names")
    data, expected = file.read_bytes(), about["sha256"]
    if (sha256 := hashlib.sha256(data).hexdigest()) != expected:
        raise ValueError(f"{file}: damaged, its SHA-256 is {sha256}, expected {expected} as in model.json")
    a = unpacked(data, file)
    start = f"{A.keeps.name}_" if A.keeps else "none"
    fields = {name.removeprefix(start): x for name, x in a.items() if name.startswith(start)}
    kept = A.keeps.kind(**fields) if A.keeps and fields else None
    state = State(a["gamma"] if "gamma" in a else recipe_of(a, A), a.get("z"), kept)
    vocab = None if about["vocab"] is None else tuple(about["vocab"])
    settings = [*(about[setting] for setting in SETTINGS), vocab]
    return Fit(a["theta_jk"], a["phi_wk"], state, Prior(a["alpha"], a["eta"]), tuple(about["history"]), A, *settings)


def arrays_of(f: Fit) -> dict[str, Any]:
    """The arrays of a Fit by their names in a model folder: gamma, or that from which one update makes it."""
    arrays: dict[str, Any] = {"theta_jk": f.theta_jk, "phi_wk": f.phi_wk}
    arrays |= {"alpha": np.asarray(f.prior.alpha), "eta": np.asarray(f.prior.eta)}
    if f.state.z is not None:
        arrays["z"] = f.state.z
    if f.state.own is not None and f.algorithm.keeps is not None:
        start, fields = f.algorithm.keeps.name, f.state.own._asdict()
        arrays |= {f"{start}_{name}": np.asarray(x) for name, x in fields.items() if x is not None}
    recipe = f.state.recipe
    if recipe is None or not isinstance(recipe.make, OneUpdate) or recipe.make.update != f.algorithm.update:
        return arrays | {"gamma": f.state.gamma}
    (_, numbers, before), c = recipe.make, recipe.c
    w, n = (x.astype(np.min_scalar_type(x.max())) if x.dtype.kind == "i" else x for x in (c.w, c.n))
    arrays |= {"rows_j": np.bincount(c.j.astype(np.intp), minlength=c.D), "rows_w": w, "rows_n": n}
    arrays |= {f"N_{name}": x for name, x in recipe.sums._asdict().items()}
    return arrays | {f"before_{name}": x for name, x in (before._asdict() | numbers._asdict()).items()}


def recipe_of(a: dict[str, Any], A: Algorithm) -> Recipe:
    """What `arrays_of` wrote instead of gamma."""
    sizes, w, n, fractions = a["rows_j"], a["rows_w"], a["rows_n"], a["rows_n"].dtype.kind == "f"
    c = Corpus(np.repeat(np.arange(len(sizes)), sizes), w, n, len(sizes), len(a["phi_wk"]), None, fractions)
    sums, before = (Sums(*(a[f"{start}_{name}"] for name in Sums._fields)) for start in ("N", "before"))
    numbers = Pseudocounts(*(a[f"before_{name}"] for name in Pseudocounts._fields))
    return Recipe(OneUpdate(A.update, numbers, before), c, sums)


def saved_with(folder: str | os.PathLike[str], part: str) -> Any:
    """The `documents`, `labels` or `reading` of a model that `load` accepts; None if it was saved without."""
    return json.loads(Path(folder, "model.json").read_text(encoding="utf-8")).get(part)


def unpacked(data: bytes, file: str | os.PathLike[str]) -> dict[str, Any]:
    """The arrays in the bytes of an npz file; a ValueError names the file if they are no such arrays."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            return dict(arrays)
    except Exception as error:  # a damaged file can raise any error of zip, zlib or NumPy
        raise ValueError(f"{file}: damaged, expected arrays in NumPy's npz format ({error})") from error
