"""The format of a file by its content, and the texts of its documents."""

import codecs
import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..arguments import check_choice, expect, path_of, shown
from ..corpus import Corpus
from . import genes, lda_c, mallet, tables, vw
from .files import SIZE, UTF_8, Contents, Source, decoded, lines_of, read_bytes, read_text

FORMATS = ("uci", "ldac", "mm", "npz", "text")
TABLES = ("csv", "jsonl", "json")
OF_PROGRAMS = ("gibbslda", "mallet", "mallet-state", "vw", "h5ad")
TEXTS = ("text", *TABLES, "gibbslda", "mallet")
BINARY = {b"pk": "npz", b"\x89hdf": "h5ad"}  # how a file begins, in lower case
STARTS = {**BINARY, b"%matrixmarket": "mm", b"%%matrixmarket": "mm", mallet.HEADER.lower(): "mallet-state"}
LOOKED_AT = 2**20  # characters of a text
NUMBERS = 0.9  # the share of tokens without a letter, above which a file is not taken for a text


def read_texts(
    path: Source,
    documents: Sequence[int],
    format: str | None = None,
    column: str | None = None,
    encoding: str = UTF_8,
    skip_unreadable: bool = False,
) -> list[str] | None:
    """The texts of some documents, by number from 0, as they are in the file or folder; None if it holds counts.

    The other arguments are those of `read_corpus`, whose document j has the words `text.tokenise` of its text.
    """
    path = path_of(path, "path")
    check_options(format, column, encoding)
    path, format, data = opened(path, format, column, encoding)
    if format not in TEXTS:
        return None
    files = readable(files_of(path), encoding, skip_unreadable)[0] if path.is_dir() else []
    texts: list[Any] = files or list(texts_of(path, data, format, column, encoding).documents)
    for j in documents:
        if not 0 <= j < len(texts):
            raise ValueError(f"{path}: {len(texts):,} documents, expected one with number {j}, counted from 0")
    return [x if isinstance(x, str) else read_text(x, encoding) for x in (texts[j] for j in documents)]


def opened(path: Path, format: str | None, column: str | None, encoding: str) -> tuple[Path, str, bytes]:
    """The path, the format, and the bytes of a file, in UTF-8 if an encoding is named; no bytes for a folder of texts.

    The path of a folder with a matrix is that of the matrix.
    """
    if path.is_dir() and format in (None, "mm"):
        path = genes.matrix_in(path) or path
    if path.is_dir():
        if format not in (None, "text"):
            raise ValueError(f"{path}: a folder, expected a file for format {format!r}")
        format, data = "text", b""
    else:
        data = read_bytes(path).removeprefix(codecs.BOM_UTF8)
        if encoding != UTF_8 and not data[:4].lower().startswith(tuple(BINARY)):
            data = decoded(path, data, encoding).encode()
        format = format or _guess(path, data, column)
    if column is not None and format not in TABLES:
        raise ValueError(f"column is {shown(column)}, expected none: {path} is of format {format!r}")
    return path, format, data


def texts_of(
    path: Path, data: bytes, format: str, column: str | None, encoding: str, skip_unreadable: bool = False
) -> Contents[Iterable[str]]:
    """The texts of the documents in order.

    A file of GibbsLDA++ has the number of its documents in the first line, and one in each of the others.
    """
    if path.is_dir():
        files, skipped = readable(files_of(path), encoding, skip_unreadable)
        names = [x.relative_to(path).as_posix() for x in files]
        listed = ", ".join(x.relative_to(path).as_posix() for x in skipped)
        taken = f"left out are files that cannot be read: {len(skipped):,} ({listed})" if skipped else ""
        return Contents((_text_in_folder(x, encoding) for x in files), names, taken)
    text = decoded(path, data)
    if format == "mallet":
        lines = mallet.instances(text)
        taken = f"names and labels are not read as words; labels: {len({label for _, label, _ in lines}):,}"
        return Contents([x for _, _, x in lines], [name for name, _, _ in lines], taken)
    if format == "gibbslda":
        documents = _after_their_number(text)
        if documents is None:
            raise ValueError(f"{path}, line 1: {shown(text[:80])}, expected the number of the lines that follow")
        return Contents(documents)
    if format == "text":
        return Contents(lines_of(text))
    return Contents(tables.texts_of(path, text, format, column))


def _text_in_folder(path: Path, encoding: str) -> str:
    try:
        return read_text(path, encoding)
    except ValueError as error:
        raise ValueError(f"{error}; `skip_unreadable` leaves out files that cannot be read") from None


def readable(files: list[Path], encoding: str, skip_unreadable: bool) -> tuple[list[Path], list[Path]]:
    """The files whose texts can be read and the others, if these are to be skipped; otherwise all files."""
    can_be_read, skipped = list[Path](), list[Path]()
    for path in files if skip_unreadable else ():
        try:
            read_text(path, encoding)
            can_be_read.append(path)
        except (OSError, ValueError):
            skipped.append(path)
    return can_be_read if skip_unreadable else files, skipped


def check_options(format: Any, column: Any, encoding: Any) -> None:
    """Raise a ValueError if an option is not of its kind."""
    if format is not None:
        check_choice(format, "format", (*FORMATS, *TABLES, *OF_PROGRAMS))
    expect(isinstance(column, str | None), column, "column", "the name of a column")
    expect(isinstance(encoding, str), encoding, "encoding", "a name such as utf-8, utf-16 or cp1252")


def files_of(folder: Path) -> list[Path]:
    """The files of a folder and of the folders within it, but for hidden ones, in the order of their names."""
    files: list[Path] = []
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        files += [Path(parent, name) for name in names if not name.startswith(".")]
    return sorted(files, key=lambda path: path.parts)  # Windows would ignore case


def check_is_prose(path: Path, c: Corpus, data: bytes) -> None:
    """Raise a ValueError if what was taken for a text is likely to be something else, and say what.

    It is if nearly all tokens or most of the first lines are numbers, if numbers follow words, as for Vowpal Wabbit, or
    if names or numbers of documents stand before the texts, as in files for MALLET or GibbsLDA++.
    """
    words = np.array([any(map(str.isalpha, word)) for word in c.vocab or ()], bool)
    share = c.n[~words[c.w]].sum() / max(c.N, 1)
    numbers = f"{100 * share:.0f}% of its words are numbers"
    text, lines = data.decode(), [line.split() for line in data[:4096].split(b"\n")[:-1] or [data]]
    pairs = sum(len(x) > 1 and all(re.fullmatch(rb"[0-9]+:[0-9.]+", pair) for pair in x[1:]) for x in lines)
    triples = sum(len(x) == 3 and all(map(SIZE.fullmatch, x)) for x in lines)
    counts = vw.looks_like_counts("\n".join(text[:4096].split("\n")[:-1]) or text[:4096])
    is_numbered = len(_after_their_number(text) or ()) > 1
    for is_alike, reason, kind in (
        (counts, "numbers follow its words, as in `| word:count`", "a file of format vw"),
        (2 * pairs > len(lines), numbers, "a damaged file of format ldac"),
        (2 * triples > len(lines), numbers, "a damaged file of format uci"),
        (share > NUMBERS, numbers, "a file of counts or a table"),
        (is_numbered, "it begins with the number of the other lines", "a file of format gibbslda"),
        (
            mallet.looks_like_instances(text[:LOOKED_AT]),
            "it begins with names of documents and labels", "a file of format mallet",
        ),
    ):  # fmt: skip
        if is_alike:
            says = "name its format, which says where it is damaged, or the format text if it is one"
            raise ValueError(f"{path}: {reason}, expected a text; it looks like {kind}: {says}")


def _after_their_number(text: str) -> list[str] | None:
    """The lines after a first one that is their number, without blank lines after these; None if it is not."""
    first, _, after = text.partition("\n")
    if not re.fullmatch(r" *[0-9]{1,18}[ \t\r]*", first):
        return None
    lines, n = lines_of(after), int(first)
    return lines[:n] if n <= len(lines) and not any(map(str.strip, lines[n:])) else None


def _guess(path: Path, data: bytes, column: str | None) -> str:
    for start, format in STARTS.items():
        if data[: len(start)].lower() == start:
            return format
    name = path.name.lower().removesuffix(".gz")
    is_lines = name.endswith((".jsonl", ".ndjson"))
    if is_lines or tables.is_json(first := data.partition(b"\n")[0]) or tables.is_json(data) or name.endswith(".json"):
        return "jsonl" if is_lines or (first[:1] == b"{" and data[len(first) :].strip()) else "json"
    if column is not None or name.endswith((".csv", ".tsv")):
        return "csv"
    lda_c.check_is_no_svmlight(path, data)
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
