"""The format of a file by its content, and the texts of its documents."""

import codecs
import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..arguments import check_choice, expect, path_of
from ..corpus import Corpus
from . import tables
from .files import SIZE, UTF_8, Source, decoded, lines_of, read_bytes, read_text

FORMATS = ("uci", "ldac", "mm", "npz", "text")
TABLES = ("csv", "jsonl")
TEXTS = ("text", *TABLES)
NUMBERS = 0.9  # the share of tokens without a letter, above which a file is not taken for a text


def read_texts(
    path: Source, documents: Sequence[int], format: str | None = None, column: str | None = None, encoding: str = UTF_8
) -> list[str] | None:
    """The texts of some documents, by number from 0, as they are in the file or folder; None if it holds counts.

    The other arguments are those of `read_corpus`, whose document j has the words `text.tokenise` of its text.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "a.txt").write_text("The cat saw 3 cats. Cats!")
    ...     read_texts(folder, [0])
    ['The cat saw 3 cats. Cats!']
    """
    path = path_of(path, "path")
    check_options(format, column, encoding)
    format, data = opened(path, format, column, encoding)
    if format not in TEXTS:
        return None
    files = files_of(path) if path.is_dir() else []
    texts = [] if files else list(texts_of(path, data, format, column, encoding))
    found = len(files or texts)
    for j in documents:
        if not 0 <= j < found:
            raise ValueError(f"{path}: {found:,} documents, expected one with number {j}, counted from 0")
    return [read_text(files[j], encoding) if files else texts[j] for j in documents]


def opened(path: Path, format: str | None, column: str | None, encoding: str) -> tuple[str, bytes]:
    """The format, and the bytes of a file, in UTF-8 if an encoding is named; no bytes for a folder."""
    if path.is_dir():
        if format not in (None, "text"):
            raise ValueError(f"{path}: a folder, expected a file for format {format!r}")
        format, data = "text", b""
    else:
        data = read_bytes(path).removeprefix(codecs.BOM_UTF8)
        if encoding != UTF_8:
            data = decoded(path, data, encoding).encode()
        format = format or _guess(path, data, column)
    if column is not None and format not in TABLES:
        raise ValueError(f"column is {column!r}, expected none: {path} is of format {format!r}")
    return format, data


def texts_of(path: Path, data: bytes, format: str, column: str | None, encoding: str) -> Iterable[str]:
    """The texts of the documents in order."""
    if path.is_dir():
        return (read_text(x, encoding) for x in files_of(path))
    if format == "text":
        return lines_of(decoded(path, data))
    texts = {"csv": tables.texts_of_csv, "jsonl": tables.texts_of_json_lines}[format]
    return texts(path, decoded(path, data), column)


def check_options(format: Any, column: Any, encoding: Any) -> None:
    """Raise a ValueError if an option is not of its kind."""
    if format is not None:
        check_choice(format, "format", (*FORMATS, *TABLES))
    expect(column is None or isinstance(column, str), column, "column", "the name of a column")
    expect(isinstance(encoding, str), encoding, "encoding", "a name such as utf-8, utf-16 or cp1252")


def files_of(folder: Path) -> list[Path]:
    """The files of a folder and of the folders within it, but for hidden ones, in the order of their names."""
    found: list[Path] = []
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [Path(parent, name) for name in names if not name.startswith(".")]
    for path in found:
        if not path.is_file():
            raise ValueError(f"{path}: a pipe, a device or a link to nothing, expected files of text in {folder}")
    return sorted(found, key=lambda path: path.parts)  # Windows would ignore case


def check_is_prose(path: Path, c: Corpus, data: bytes) -> None:
    """Raise a ValueError if nearly all tokens of what was taken for a text are numbers, as in a damaged file of counts.

    The message names the format that the first lines with a number look like.
    """
    assert c.vocab is not None
    numbers = np.array([not any(map(str.isalpha, word)) for word in c.vocab], bool)
    share = c.n[numbers[c.w]].sum() / max(c.N, 1)
    if share <= NUMBERS:
        return
    lines = [line.split() for line in data[:4096].split(b"\n")[:-1] or [data]]
    looks = {
        "ldac": sum(len(x) > 1 and all(b":" in pair for pair in x[1:]) for x in lines),
        "uci": sum(len(x) == 3 and all(map(SIZE.fullmatch, x)) for x in lines),
    }
    name = max(looks, key=lambda x: looks[x])
    kind = f"a damaged file of format {name}" if 2 * looks[name] > len(lines) else "a file of counts or a table"
    raise ValueError(
        f"{path}: {100 * share:.0f}% of its words are numbers, expected a text; it looks like {kind}: name its format,"
        " which says where it is damaged, or the format text if it is one"
    )


def _guess(path: Path, data: bytes, column: str | None) -> str:
    if data[:2] == b"PK":
        return "npz"
    if data[:14].lower() == b"%%matrixmarket":
        return "mm"
    if tables.is_json_object(data.partition(b"\n")[0]):
        return "jsonl"
    name = path.name.lower().removesuffix(".gz")
    if name.endswith((".jsonl", ".ndjson")):
        return "jsonl"
    if column is not None or name.endswith((".csv", ".tsv")):
        return "csv"
    lines = [line.strip() for line in data[:4096].split(b"\n")]
    # A number alone on its line is a size in UCI's files and a document without words, 0, in LDA-C. UCI's first number
    # is D, which is not 0. A file that ends within UCI's header is one of UCI's, so that it is refused as one.
    sizes = lines[:3] if lines[-1] else lines[:-1][:3]
    if sizes and sizes[0].strip(b"0") and all(SIZE.fullmatch(line) for line in sizes):
        return "uci"
    numbers = lines[0].split()[: -1 if len(lines) == 1 and len(data) > 4096 else None]  # the last one may be cut off
    paired = all(re.fullmatch(rb"[^:]+:[^:]+", pair) for pair in numbers[1:])
    has_pairs = len(numbers) > 1 or (numbers and not numbers[0].strip(b"0"))
    return "ldac" if has_pairs and paired and SIZE.fullmatch(numbers[0]) else "text"
