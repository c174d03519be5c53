"""The model at a path, of this package or of another program."""

from collections.abc import Sequence
from typing import Any

from ..arguments import path_of
from ..fitting import Fit
from ..formats.files import UTF_8, Source, read_bytes
from ..formats.mallet import HEADER, read_state
from ..formats.models import VOWPAL_WABBIT, arrays_in
from ..storage import load, unpacked


def read_model(
    path: Source, encoding: str = UTF_8, vocab: Sequence[str] | None = None, D: int | None = None
) -> Fit | dict[str, Any]:
    """The model at a path: a Fit, or arrays by name as in `which_number`, for `judge`, `which_number` and `from_model`.

    A ValueError names the file and the line that is not as expected.

    The path is a folder that `save` wrote, a folder with the tables or files of another program, an npz file of arrays
    by name, a file of Vowpal Wabbit's `--readable_model`, or a state of MALLET or topica. The arrays have the words of
    the model as `vocab`, if it has any, and the documents of a state as `c`. The encoding is that of texts that are not
    in UTF-8.

    vocab and D are for a state: all words of MALLET's alphabet, in its order, and the number of documents. A state ends
    with the last word and the last document that has a token, and log p(x, z) depends on the words that follow.
    """
    path = path_of(path, "the path of the model")
    if path.is_dir():
        return load(path) if (path / "model.json").exists() else arrays_in(path, encoding)
    file_bytes = read_bytes(path)
    if file_bytes[:2] == b"PK":
        return unpacked(file_bytes, path)
    if file_bytes.startswith(VOWPAL_WABBIT):
        return arrays_in(path, encoding)
    if not file_bytes.startswith(HEADER):
        expected_text = "a folder, an npz file of arrays, a state of MALLET or a file of `--readable_model`"
        raise ValueError(f"{path}: no model, expected {expected_text}")
    c, z, p = read_state(path, encoding, vocab, D)
    return {"z": z, "alpha": p.alpha, "eta": p.eta, "vocab": c.vocab, "c": c}
