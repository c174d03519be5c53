"""Models that other programs wrote: tables of R and pandas, and the files of lda-c, MALLET and Vowpal Wabbit."""

import csv
import itertools
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arguments import shown
from .files import UTF_8, Source, lines_of, read_text, refuse

TABLES = ("theta_jk", "phi_wk", "alpha_jk", "eta_wk", "N_jk", "N_wk", "z", "alpha", "eta")  # NAME.csv in a folder
WORD_TABLES = ("phi_wk", "eta_wk", "N_wk")
WORDS_IN = (*WORD_TABLES, "eta")
LDA_C_FILES = ("final.beta", "final.gamma", "final.other")
MALLET_FILES = ("topic-word-weights.txt", "doc-topics.txt", "topic-keys.txt")
VOWPAL_WABBIT = b"Version "
ALPHA_LINE = re.compile(r"^alpha (\S+)", re.MULTILINE)
LDA_LINE = re.compile(r"^lda:([1-9][0-9]{0,5})$", re.MULTILINE)
PRIOR_OPTIONS = {"alpha": "lda_alpha", "eta": "lda_rho"}  # options of Vowpal Wabbit


def arrays_in(path: Source, encoding: str = UTF_8) -> dict[str, Any]:
    """The arrays by name of a model in a folder, or in a file of Vowpal Wabbit; "vocab" has its words, if it has any.

    A ValueError names the file and the line that is not as expected.
    """
    if not Path(path).is_dir():
        return _vowpal_wabbit(path, read_text(path, encoding))
    file_names = {file.name for file in Path(path).iterdir()}
    if LDA_C_FILES[0] in file_names:
        return _lda_c(Path(path), file_names)
    if MALLET_FILES[0] in file_names:
        return _mallet(Path(path), file_names, encoding)
    table_names = [table for table in TABLES if f"{table}.csv" in file_names]
    if not table_names:
        expected_text = f"model.json, {TABLES[0]}.csv or the like, {LDA_C_FILES[0]} or {MALLET_FILES[0]}"
        raise ValueError(f"{path}: a folder without a model, expected {expected_text}")
    arrays: dict[str, Any] = {}
    named: dict[str, tuple[str, list[str]]] = {}  # the first table that names words, documents or topics, and the names
    for table in table_names:
        topic_names, row_names, arrays[table] = _table(Path(path, f"{table}.csv"), encoding)
        kind_of_rows = {"alpha": "topics", "z": "tokens"}.get(table, "words" if table in WORDS_IN else "documents")
        for kind, names, step in ((kind_of_rows, row_names, 1), ("topics", topic_names, 0)):
            first_table, first_names = named.setdefault(kind, (table, names)) if len(names) > 1 else (table, names)
            is_reordered = sorted(names) == sorted(first_names)
            for i, (name, first_name) in enumerate(zip(names, first_names, strict=False), 1):
                if is_reordered and name != first_name:
                    expected_text = f"{shown(first_name)} as in {first_table}.csv"
                    refuse(Path(path, f"{table}.csv"), 1 + i * step, shown(name), expected_text)
        if table not in (*TABLES[:4], *WORD_TABLES, "N_jk"):  # one column
            arrays[table] = arrays[table][0, 0] if len(row_names) == 1 and table != "z" else arrays[table][:, 0]
        elif table in WORD_TABLES and not all(row.isdigit() for row in row_names):  # numbers of rows are no words
            arrays["vocab"] = tuple(row_names)
    return arrays


def _table(path: Path, encoding: str) -> tuple[list[str], list[str], NDArray[np.float64]]:
    """The names of the columns and of the rows of a CSV table, its first line and first column, and its numbers."""
    csv_rows = list(csv.reader(lines_of(read_text(path, encoding))))
    topic_names, row_names = [*itertools.chain(*csv_rows[:1])][1:], [row[0] for row in csv_rows[1:] if row]
    for lineno, names, expected_text in ((1, topic_names, "a header"), (2, row_names, "a name before the numbers")):
        if _are_fractions(names):
            refuse(path, lineno, shown(names[0]), expected_text)
    return topic_names, row_names, _numbers(path, [row[1:] for row in csv_rows[1:]], 2)


def _are_fractions(names: Sequence[str]) -> bool:
    """Whether all are numbers, some of which are not whole, so that they name nothing."""
    try:
        return any(np.array(names, np.float64) % 1)
    except ValueError:
        return False


def _numbers(path: Source, rows: Sequence[Sequence[str]], first_line_number: int = 1) -> NDArray[np.float64]:
    """Rows of numbers, all of the same length; `first_line_number` is the line of the first."""
    number_rows = []
    for lineno, row in enumerate(rows, first_line_number):
        if len(row) != len(rows[0]) or not row:
            refuse(path, lineno, f"{len(row)} numbers", f"{len(rows[0])}, as in the row before" if row else "a number")
        try:
            number_rows.append([float(field) for field in row])
        except ValueError:
            refuse(path, lineno, shown(row), "numbers")
    if not number_rows:
        refuse(path, first_line_number, "no row", "rows of numbers")
    return np.array(number_rows)


def _numbers_in(path: Path) -> NDArray[np.float64]:
    return _numbers(path, [line.split() for line in lines_of(read_text(path))])


def _lda_c(folder: Path, file_names: set[str]) -> dict[str, Any]:
    """phi and alpha of variational EM, and the parameters of q(theta), which lda-c found with the alpha before."""
    beta_path, gamma_path, other_path = (folder / file_name for file_name in LDA_C_FILES)
    phi_wk = np.exp(_numbers_in(beta_path)).T
    arrays: dict[str, Any] = {"phi_wk": phi_wk / phi_wk.sum(0)}  # printed with ten decimals
    if gamma_path.name in file_names:
        alpha_jk = _numbers_in(gamma_path)
        arrays |= {"alpha_jk": alpha_jk, "theta_jk": alpha_jk / alpha_jk.sum(1, keepdims=True)}
    if other_path.name in file_names:
        alpha_match = ALPHA_LINE.search(read_text(other_path)) or refuse(other_path, 3, "no line `alpha ...`", "one")
        arrays["alpha"] = float(_numbers(other_path, [alpha_match.groups()], 3)[0, 0])
    return arrays


def _mallet(folder: Path, file_names: set[str], encoding: str) -> dict[str, Any]:
    """phi, eta, theta and alpha, from the files of three options of `train-topics`.

    The weight of a word in a topic is its count plus eta, which is taken to be at most 1.
    """
    weights_path = folder / MALLET_FILES[0]
    weight_rows = [line.rstrip("\r").split("\t") for line in lines_of(read_text(weights_path, encoding))]
    for lineno, fields in enumerate(weight_rows, 1):
        if len(fields) != 3:
            refuse(weights_path, lineno, shown("\t".join(fields)), "a topic, a word and its weight, with tabs between")
    weights = _numbers(weights_path, [fields[2:] for fields in weight_rows])[:, 0]
    vocab = tuple(word for topic, word, _ in weight_rows if topic == weight_rows[0][0])
    if len(weights) % len(vocab) or [fields[1] for fields in weight_rows] != [*vocab] * (len(weights) // len(vocab)):
        raise ValueError(f"{weights_path}: topics of different words, expected the same words for each topic")
    eta_kw = weights.reshape(-1, len(vocab))
    eta = weights.min() - np.ceil(weights.min()) + 1
    arrays: dict[str, Any] = {"phi_wk": (eta_kw / eta_kw.sum(1, keepdims=True)).T, "eta": eta, "vocab": vocab}
    for array_name, file_name, start, end in (("theta_jk", MALLET_FILES[1], 2, None), ("alpha", MALLET_FILES[2], 1, 2)):
        if file_name in file_names:
            text = read_text(folder / file_name, encoding)
            rows = [line.rstrip("\r").split("\t")[start:end] for line in lines_of(text) if not line.startswith("#")]
            arrays[array_name] = _numbers(folder / file_name, rows)
    if "alpha" in arrays:
        arrays["alpha"] = arrays["alpha"][:, 0]
    return arrays


def _vowpal_wabbit(path: Source, text: str) -> dict[str, Any]:
    """lambda, a row for each feature, and the priors, by default 0.1, from the file of `--readable_model`."""
    K_match = LDA_LINE.search(text) or refuse(path, 1, "no line `lda:...`", "a file of `--readable_model` with `--lda`")
    K, arrays = int(K_match[1]), dict[str, Any]()
    for prior_name, option_name in PRIOR_OPTIONS.items():
        prior_match = re.search(rf"^options:.* --{option_name} (\S+)", text, re.MULTILINE)
        arrays[prior_name] = float(_numbers(path, [prior_match.groups()])[0, 0]) if prior_match else 0.1
    lines = [(lineno, line.split()) for lineno, line in enumerate(lines_of(text), 1)]
    rows = [(lineno, row) for lineno, row in lines if len(row) == K + 1 and row[0].isdigit() and row[1][0].isdigit()]
    for i, (lineno, row) in enumerate(rows):
        if row[0] != str(i):
            refuse(path, lineno, f"row {row[0]}", f"row {i}: all rows, in order")
    arrays["eta_wk"] = _numbers(path, [row[1:] for _, row in rows]).astype(np.float32)  # printed with six digits
    return arrays
