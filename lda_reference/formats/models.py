"""Models that other programs wrote: tables of R and pandas, and the files of lda-c, MALLET and Vowpal Wabbit."""

import csv
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arguments import shown
from .files import UTF_8, Source, lines_of, read_text, refuse

TABLES = ("theta_jk", "phi_wk", "alpha_jk", "eta_wk", "N_jk", "N_wk", "z", "alpha", "eta")  # NAME.csv in a folder
OF_WORDS = ("phi_wk", "eta_wk", "N_wk")
LDA_C = ("final.beta", "final.gamma", "final.other")
MALLET = ("topic-word-weights.txt", "doc-topics.txt", "topic-keys.txt")
VOWPAL_WABBIT = b"Version "
ALPHA = re.compile(r"^alpha (\S+)", re.MULTILINE)
TOPICS = re.compile(r"^lda:([1-9][0-9]{0,5})$", re.MULTILINE)
PRIORS = {"alpha": "lda_alpha", "eta": "lda_rho"}  # options of Vowpal Wabbit


def arrays_in(path: Source, encoding: str = UTF_8) -> dict[str, Any]:
    """The arrays by name of a model in a folder, or in a file of Vowpal Wabbit; "vocab" has its words, if it has any.

    A ValueError names the file and the line that is not as expected.
    """
    if not Path(path).is_dir():
        return _vowpal_wabbit(path, read_text(path, encoding))
    names = {x.name for x in Path(path).iterdir()}
    if LDA_C[0] in names:
        return _lda_c(Path(path), names)
    if MALLET[0] in names:
        return _mallet(Path(path), names, encoding)
    tables = [name for name in TABLES if f"{name}.csv" in names]
    if not tables:
        expected = f"model.json, {TABLES[0]}.csv or the like, {LDA_C[0]} or {MALLET[0]}"
        raise ValueError(f"{path}: a folder without a model, expected {expected}")
    arrays: dict[str, Any] = {}
    for name in tables:
        rows, arrays[name] = _table(Path(path, f"{name}.csv"), encoding)
        if name not in (*TABLES[:4], *OF_WORDS, "N_jk"):  # one column
            arrays[name] = arrays[name][0, 0] if len(rows) == 1 and name != "z" else arrays[name][:, 0]
        elif name in OF_WORDS and not all(x.isdigit() for x in rows):  # numbers of rows are no words
            arrays["vocab"] = tuple(rows)
    return arrays


def _table(path: Path, encoding: str) -> tuple[list[str], NDArray[np.float64]]:
    """The names of the rows of a CSV table, its first column, and the numbers of the others; it has a header."""
    rows = list(csv.reader(lines_of(read_text(path, encoding))))
    return [row[0] for row in rows[1:] if row], _numbers(path, [row[1:] for row in rows[1:]], 2)


def _numbers(path: Source, rows: Sequence[Sequence[str]], first: int = 1) -> NDArray[np.float64]:
    """Rows of numbers, all of the same length; `first` is the line of the first."""
    values = []
    for number, row in enumerate(rows, first):
        if len(row) != len(rows[0]) or not row:
            refuse(path, number, f"{len(row)} numbers", f"{len(rows[0])}, as in the row before" if row else "a number")
        try:
            values.append([float(x) for x in row])
        except ValueError:
            refuse(path, number, shown(row), "numbers")
    if not values:
        refuse(path, first, "no row", "rows of numbers")
    return np.array(values)


def _fields(path: Path) -> NDArray[np.float64]:
    return _numbers(path, [line.split() for line in lines_of(read_text(path))])


def _lda_c(folder: Path, names: set[str]) -> dict[str, Any]:
    """phi and alpha of variational EM, and the parameters of q(theta), which lda-c found with the alpha before."""
    beta, gamma, settings = (folder / name for name in LDA_C)
    phi_wk = np.exp(_fields(beta)).T
    arrays: dict[str, Any] = {"phi_wk": phi_wk / phi_wk.sum(0)}  # printed with ten decimals
    if gamma.name in names:
        alpha_jk = _fields(gamma)
        arrays |= {"alpha_jk": alpha_jk, "theta_jk": alpha_jk / alpha_jk.sum(1, keepdims=True)}
    if settings.name in names:
        alpha = ALPHA.search(read_text(settings)) or refuse(settings, 3, "no line `alpha ...`", "one")
        arrays["alpha"] = float(_numbers(settings, [alpha.groups()], 3)[0, 0])
    return arrays


def _mallet(folder: Path, file_names: set[str], encoding: str) -> dict[str, Any]:
    """phi, eta, theta and alpha, from the files of three options of `train-topics`.

    The weight of a word in a topic is its count plus eta, which is taken to be at most 1.
    """
    path = folder / MALLET[0]
    lines = [line.rstrip("\r").split("\t") for line in lines_of(read_text(path, encoding))]
    for number, line in enumerate(lines, 1):
        if len(line) != 3:
            refuse(path, number, shown("\t".join(line)), "a topic, a word and its weight, with tabs between")
    weights = _numbers(path, [line[2:] for line in lines])[:, 0]
    vocab = tuple(word for topic, word, _ in lines if topic == lines[0][0])
    if len(weights) % len(vocab) or [line[1] for line in lines] != [*vocab] * (len(weights) // len(vocab)):
        raise ValueError(f"{path}: topics of different words, expected the same words for each topic")
    eta_kw = weights.reshape(-1, len(vocab))
    eta = weights.min() - np.ceil(weights.min()) + 1
    arrays: dict[str, Any] = {"phi_wk": (eta_kw / eta_kw.sum(1, keepdims=True)).T, "eta": eta, "vocab": vocab}
    for array_name, file, start, end in (("theta_jk", MALLET[1], 2, None), ("alpha", MALLET[2], 1, 2)):
        if file in file_names:
            text = read_text(folder / file, encoding)
            rows = [x.rstrip("\r").split("\t")[start:end] for x in lines_of(text) if not x.startswith("#")]
            arrays[array_name] = _numbers(folder / file, rows)
    if "alpha" in arrays:
        arrays["alpha"] = arrays["alpha"][:, 0]
    return arrays


def _vowpal_wabbit(path: Source, text: str) -> dict[str, Any]:
    """lambda, a row for each feature, and the priors, by default 0.1, from the file of `--readable_model`."""
    topics = TOPICS.search(text) or refuse(path, 1, "no line `lda:...`", "a file of `--readable_model` with `--lda`")
    K, arrays = int(topics[1]), dict[str, Any]()
    for name, option in PRIORS.items():
        prior = re.search(rf"^options:.* --{option} (\S+)", text, re.MULTILINE)
        arrays[name] = float(_numbers(path, [prior.groups()])[0, 0]) if prior else 0.1
    lines = [(number, line.split()) for number, line in enumerate(lines_of(text), 1)]
    rows = [(number, row) for number, row in lines if len(row) == K + 1 and row[0].isdigit() and row[1][0].isdigit()]
    for i, (number, row) in enumerate(rows):
        if row[0] != str(i):
            refuse(path, number, f"row {row[0]}", f"row {i}: all rows, in order")
    arrays["eta_wk"] = _numbers(path, [row[1:] for _, row in rows]).astype(np.float32)  # printed with six digits
    return arrays
