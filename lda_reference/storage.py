"""Models on disk: a folder with `model.json` and the arrays that it names; `storage_schema` has their contents."""

import hashlib
import io
import json
import os
import re
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

from .algorithms import ALGORITHMS
from .arguments import check_memory, kind, path_of, words
from .corpus import Corpus
from .engine import Algorithm, State
from .engine.products import OneUpdate
from .engine.state import Recipe
from .engine.update import Pseudocounts, Sums
from .fitting import Fit, corpus_digest
from .storage_schema import ARRAYS, FORMAT, arrays_kept, check_about, check_arrays, known

SETTINGS = Fit._fields[6:-1]  # from the schedule to `learn_after`
OURS = re.compile(ARRAYS.pattern.replace("npz", r"(npz|json\.tmp)"))  # what save writes beside model.json
LOCK = "lock"  # a file that is locked while the folder is written; a run that holds the folder has its process in it
KIND = FORMAT.rpartition(" ")[0]  # without its version


def save(
    f: Fit, folder: str | os.PathLike[str], vocab: tuple[str, ...] | None = None, documents: list[str] | None = None,
    reading: str | None = None, labels: dict[str, list[Any]] | None = None, is_held: bool = False,
) -> None:  # fmt: skip
    """Write a model folder: `model.json` and the arrays it names, in an npz beside it.

    The arrays go into a new file first. Then a new `model.json` replaces the old one in one step, and the old arrays
    are removed last. A run that is killed at any point leaves the last saved model whole. Processes that save into the
    same folder wait for each other, and are refused while the command `fit` runs there.

    The folder is made if missing. `vocab` are the W words, by default those of the Fit, and `documents` the names of
    the D documents. `reading` says what was read and which words were left out, for the reader of a report. `labels`
    has lists of D entries: the number of `tokens` of each document with its `group`, its `date`, or both; "" if it has
    none. `is_held` says whether `held` keeps other processes out of the folder already.

    A ValueError says if the folder holds anything but a model, a run holds it, `load` would refuse an array or a word,
    an algorithm of this package ran with another assignment than its own, or an algorithm of your own has the name
    of one of this package.
    """
    if not isinstance(f, Fit):
        raise ValueError(f"f is {kind(f)}, expected a Fit")
    folder, vocab = path_of(folder, "folder"), f.vocab if vocab is None else words(vocab)
    ours = known(f.algorithm.name)
    if f.algorithm.name in ALGORITHMS and ours is not None and f.algorithm.update is not ours.update:
        raise ValueError(f"f ran an algorithm of its own with the name {ours.name}, expected another name for it")
    if ours is not None and f.algorithm.assignment != ours.assignment:
        own = f"expected its own, {ours.assignment!r}"
        raise ValueError(f"{f.algorithm.name} ran with assignment {f.algorithm.assignment!r}, {own}")
    check_folder(folder)
    arrays: dict[str, Any] = {"theta_jk": f.theta_jk, "phi_wk": f.phi_wk} | arrays_of_gamma(f)
    arrays |= {"alpha": np.asarray(f.prior.alpha), "eta": np.asarray(f.prior.eta)}
    if f.state.z is not None:
        arrays["z"] = f.state.z
    if f.state.own is not None and f.algorithm.keeps is not None:
        fields = f.state.own._asdict()
        arrays |= {f"{f.algorithm.keeps.name}_{x}": np.asarray(y) for x, y in fields.items() if y is not None}
    name = f"arrays-{f.sweeps:06d}-{os.urandom(4).hex()}.npz"
    packed = io.BytesIO()
    pack = np.savez if f.state.z is None else np.savez_compressed  # only topics of tokens become much smaller
    pack(packed, **arrays)
    temporary = folder / (name[:-4] + ".json.tmp")
    about = {
        "format": FORMAT,
        "arrays": name,
        "sha256": hashlib.sha256(packed.getbuffer()).hexdigest(),
        "algorithm": f.algorithm.name,
        **{setting: getattr(f, setting) for setting in SETTINGS},
        "vocab": None if vocab is None else list(vocab),
        "documents": None if documents is None else list(documents),
        **({} if labels is None else {"labels": labels}),
        "reading": reading,
        "shapes": {array: list(np.shape(x)) for array, x in arrays.items()},
        "history": list(f.history),
    }
    check_arrays(arrays, check_about(about, f.algorithm), about)
    text = json.dumps(about, ensure_ascii=False, indent=1).encode()
    folder.mkdir(parents=True, exist_ok=True)
    with nullcontext() if is_held else locked(folder):
        try:
            for path, data in ((folder / name, packed.getbuffer()), (temporary, text)):
                with open(path, "wb") as out:
                    out.write(data)
                    out.flush()
                    os.fsync(out.fileno())
            os.replace(temporary, folder / "model.json")
        except OSError as error:  # of a full disk it names no file, and the disk has no room for halves
            for half in (folder / name, temporary):
                half.unlink(missing_ok=True)
            raise OSError(error.errno, error.strerror, str(folder)) from error
        for old in folder.iterdir():
            if OURS.fullmatch(old.name) and old.name != name:
                old.unlink()


@contextmanager
def held(folder: Path) -> Iterator[Callable[..., None]]:
    """Hold a folder for a run, and yield the function by which it saves into the folder.

    If the folder did not exist and nothing is saved, it is removed again.
    """
    made = [x for x in (folder, *folder.parents) if not x.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with locked(folder, str(os.getpid())):
            yield partial(save, is_held=True)
    finally:
        for x in made:
            with suppress(OSError):  # it is not empty
                x.rmdir()


@contextmanager
def locked(folder: Path, run: str = "") -> Iterator[None]:
    """Wait until no other process saves into a folder; a ValueError if a run holds it. `run` is the process of a run.

    The lock ends with its process. Where a file system has no locks, processes do not wait and are not refused.
    """
    path = folder / LOCK
    while (handle := _lock(path)) is None:
        with suppress(FileNotFoundError):
            if process := path.read_text():
                expected = "another folder, or this one when it has ended"
                raise ValueError(f"{folder}: process {process} is fitting a model into it, expected {expected}")
        time.sleep(0.01)
    try:
        try:
            os.ftruncate(handle, 0)  # a run that was killed leaves the file
            os.write(handle, run.encode())
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(folder)) from error
        yield
    finally:
        if sys.platform == "win32":  # where an open file cannot be removed
            os.close(handle)
        with suppress(OSError):
            path.unlink()  # while it is locked, so that whoever has opened it looks again
        if sys.platform != "win32":
            os.close(handle)


def _lock(path: Path) -> int | None:
    """The handle of a file that is made and locked; None if another process has locked it."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        if sys.platform == "win32":
            os.lseek(handle, 1000, os.SEEK_SET)  # a byte that nobody reads, because it cannot be read while locked
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
            os.lseek(handle, 0, os.SEEK_SET)
        else:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        os.close(handle)
        return None
    except OSError:  # the file system has no locks
        return handle
    with suppress(FileNotFoundError):
        if os.path.samestat(os.fstat(handle), os.stat(path)):  # it was not removed in between
            return handle
    os.close(handle)
    return None


def check_folder(folder: str | os.PathLike[str]) -> None:
    """Raise a ValueError if `save` would refuse a folder because it is a file or holds anything but a model."""
    folder = Path(folder)
    last = folder / "model.json"
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder}: a file, expected a folder")
    ours = last.exists() and KIND in last.read_text(encoding="utf-8", errors="replace")
    if folder.exists() and not ours and not all(x.name == LOCK or OURS.fullmatch(x.name) for x in folder.iterdir()):
        raise ValueError(f"{folder}: holds files but no model, expected a model folder or an empty one")


def load(folder: str | os.PathLike[str], algorithm: Algorithm | None = None) -> Fit:
    """The model that `save` wrote.

    `algorithm` is needed if the model's is not one of this package. A ValueError says if the folder holds no model, a
    damaged one, or one of another algorithm; it names the file.
    """
    if not (algorithm is None or isinstance(algorithm, Algorithm)):
        raise ValueError(f"algorithm is {kind(algorithm)}, expected an Algorithm")
    file = path_of(folder, "folder") / "model.json"
    if file.parent.is_file():
        raise ValueError(f"{folder}: a file, expected the folder of a model, as lda.from_model makes of a state")
    if not file.exists():
        raise ValueError(f"{file}: not found, expected a model folder written by save or `lda-reference fit`")
    if not file.is_file():
        raise ValueError(f"{file}: a device, pipe or folder, expected a file")
    try:
        about = json.loads(file.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{file}: damaged, expected JSON ({error})") from error
    try:
        algorithm = check_about(about, algorithm)
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from error
    file = file.parent / about["arrays"]
    if not file.is_file():
        raise ValueError(f"{file}: not found, expected the arrays that model.json names")
    data, expected = file.read_bytes(), about["sha256"]
    if (sha256 := hashlib.sha256(data).hexdigest()) != expected:
        numbers = f"its SHA-256 is {sha256[:16]}..., expected {expected[:16]}..."
        raise ValueError(f"{file}: damaged, {numbers} as in model.json")
    a = unpacked(data, file)
    try:
        prior = check_arrays(a, algorithm, about)
        gamma = a["gamma"] if "gamma" in a else recipe_of(a, algorithm, about["corpus"])
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from error
    fields = {field: a[name] for name, (field, _) in arrays_kept(algorithm).items() if name in a}
    own_arrays = algorithm.keeps.kind(**fields) if algorithm.keeps is not None and fields else None
    state = State(gamma, a.get("z"), own_arrays)
    vocab = None if about["vocab"] is None else tuple(about["vocab"])
    settings = [*(about[setting] for setting in SETTINGS), vocab]
    return Fit(a["theta_jk"], a["phi_wk"], state, prior, tuple(about["history"]), algorithm, *settings)


def arrays_of_gamma(f: Fit) -> dict[str, Any]:
    """gamma, or that from which one update makes it."""
    recipe = f.state.recipe
    if recipe is None or not isinstance(recipe.make, OneUpdate) or recipe.make.update != f.algorithm.update:
        return {"gamma": f.state.gamma}
    (_, numbers, before), c = recipe.make, recipe.c
    w, n = (x.astype(np.min_scalar_type(x.max())) if x.dtype.kind == "i" else x for x in (c.w, c.n))
    arrays: dict[str, Any] = {"rows_j": np.bincount(c.j.astype(np.intp), minlength=c.D), "rows_w": w, "rows_n": n}
    arrays |= {f"N_{name}": x for name, x in recipe.sums._asdict().items()}
    return arrays | {f"before_{name}": x for name, x in (before._asdict() | numbers._asdict()).items()}


def recipe_of(a: dict[str, Any], A: Algorithm, digest: str) -> Recipe:
    """What `arrays_of_gamma` wrote instead of gamma."""
    sizes, w, n, fractions = a["rows_j"], a["rows_w"], a["rows_n"], a["rows_n"].dtype.kind == "f"
    c = Corpus(np.repeat(np.arange(len(sizes)), sizes), w, n, len(sizes), len(a["phi_wk"]), None, fractions)
    if corpus_digest(c) != digest:
        raise ValueError("rows_j, rows_w and rows_n are another corpus than that of model.json")
    sums, before = (Sums(*(a[f"{kind}_{name}"] for name in Sums._fields)) for kind in ("N", "before"))
    tokens = c.by_document(c.n), c.by_word(c.n)
    if not all(np.allclose(N.sum(-1).T, n) for N, n in zip(sums, tokens, strict=False)):
        raise ValueError("N_jk or N_wk does not add up to the tokens of the documents or words")
    numbers = Pseudocounts(*(a[f"before_{name}"] for name in Pseudocounts._fields))
    return Recipe(OneUpdate(A.update, numbers, before), c, sums)


def saved_with(folder: str | os.PathLike[str], name: str) -> Any:
    """The `documents`, `labels` or `reading` of a model that `load` accepts; None if it was saved without."""
    return json.loads(Path(folder, "model.json").read_text(encoding="utf-8")).get(name)


def unpacked(data: bytes, file: str | os.PathLike[str]) -> dict[str, Any]:
    """The arrays in the bytes of an npz file; a ValueError names the file if they are no such arrays."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as members:
            check_memory(sum(x.file_size for x in members.infolist()) // 8, "its arrays")
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            return dict(arrays)
    except Exception as error:  # a damaged file can raise any error of zip, zlib or NumPy
        raise ValueError(f"{file}: damaged, expected arrays in NumPy's npz format ({error})") from error
