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
OFFICE_PARTS = (b"xl/workbook", b"word/document", b"opendocument")  # in the zip files of Excel, Word and LibreOffice
DATA_FRAMES = b"PAR1", b"ARROW1", b"FEA1"  # how files of Parquet and Feather begin
BINARY = {b"pk": "npz", b"\x89hdf": "h5ad"}  # how a file begins, in lower case
FORMAT_STARTS = {**BINARY, b"%matrixmarket": "mm", b"%%matrixmarket": "mm", mallet.HEADER.lower(): "mallet-state"}
CHECKED_LENGTH = 2**20  # characters of a text
NUMBER_SHARE = 0.9  # the share of tokens without a letter, above which a file is not taken for a text


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
    path, format, content = opened(path, format, column, encoding)
    if format not in TEXTS:
        return None
    files = readable(files_of(path), encoding, skip_unreadable)[0] if path.is_dir() else []
    sources: list[Any] = files or list(texts_of(path, content, format, column, encoding).documents)
    for j in documents:
        if not 0 <= j < len(sources):
            raise ValueError(f"{path}: {len(sources):,} documents, expected one with number {j}, counted from 0")
    return [text if isinstance(text, str) else read_text(text, encoding) for text in (sources[j] for j in documents)]


def opened(path: Path, format: str | None, column: str | None, encoding: str) -> tuple[Path, str, bytes]:
    """The path, the format, and the bytes of a file, in UTF-8 if an encoding is named; no bytes for a folder of texts.

    The path of a folder with a matrix is that of the matrix.
    """
    if path.is_dir() and format in (None, "mm"):
        path = genes.matrix_in(path) or path
    if path.is_dir():
        if format not in (None, "text"):
            raise ValueError(f"{path}: a folder, expected a file for format {format!r}")
        format, content = "text", b""
    else:
        content = read_bytes(path).removeprefix(codecs.BOM_UTF8)
        if content[:2] == b"PK" and any(part_name in content for part_name in OFFICE_PARTS):
            raise ValueError(f"{path}: a file of an office program, expected a table saved as CSV in UTF-8, or text")
        if content.startswith(DATA_FRAMES):
            raise ValueError(f"{path}: a file of Parquet or Feather, expected a table saved as CSV in UTF-8")
        if encoding != UTF_8 and not content[:4].lower().startswith(tuple(BINARY)):
            content = decoded(path, content, encoding).encode()
        format = format or _guessed_format(path, content, column)
    if column is not None and format not in TABLES:
        raise ValueError(f"column is {shown(column)}, expected none: {path} is of format {format!r}")
    return path, format, content


def texts_of(
    path: Path, content: bytes, format: str, column: str | None, encoding: str, skip_unreadable: bool = False
) -> Contents[Iterable[str]]:
    """The texts of the documents in order.

    A file of GibbsLDA++ has the number of its documents in the first line, and one in each of the others.
    """
    if path.is_dir():
        readable_files, skipped = readable(files_of(path), encoding, skip_unreadable)
        file_names = [file.relative_to(path).as_posix() for file in readable_files]
        skipped_names = ", ".join(file.relative_to(path).as_posix() for file in skipped)
        remark = f"left out are files that cannot be read: {len(skipped):,} ({skipped_names})" if skipped else ""
        return Contents((_text_in_folder(file, encoding) for file in readable_files), file_names, remark)
    text = decoded(path, content)
    if format == "mallet":
        mallet_instances = mallet.instances(text)
        remark = f"names and labels are not read as words; labels: {len({label for _, label, _ in mallet_instances}):,}"
        return Contents([text for _, _, text in mallet_instances], [name for name, _, _ in mallet_instances], remark)
    if format == "gibbslda":
        document_lines = _lines_after_count(text)
        if document_lines is None:
            raise ValueError(f"{path}, line 1: {shown(text[:80])}, expected the number of the lines that follow")
        return Contents(document_lines)
    if format == "text":
        return Contents(lines_of(text))
    table_texts, remark = tables.texts_of(path, text, format, column)
    return Contents(table_texts, taken=remark)


def _text_in_folder(path: Path, encoding: str) -> str:
    try:
        if path.suffix.lower() in (".csv", ".tsv", ".json", ".jsonl", ".ndjson"):
            raise ValueError(f"{path}: a table or JSON, expected a text in each file of a folder: give the file itself")
        return read_text(path, encoding)
    except ValueError as error:
        raise ValueError(f"{error}; `skip_unreadable` leaves out files that cannot be read") from None


def readable(files: list[Path], encoding: str, skip_unreadable: bool) -> tuple[list[Path], list[Path]]:
    """The files whose texts can be read and the others, if these are to be skipped; otherwise all files."""
    readable_files, skipped_files = list[Path](), list[Path]()
    for path in files if skip_unreadable else ():
        try:
            _text_in_folder(path, encoding)
            readable_files.append(path)
        except (OSError, ValueError):
            skipped_files.append(path)
    return readable_files if skip_unreadable else files, skipped_files


def check_options(format: Any, column: Any, encoding: Any) -> None:
    """Raise a ValueError if an option is not of its kind."""
    if format is not None:
        check_choice(format, "format", (*FORMATS, *TABLES, *OF_PROGRAMS))
    expect(isinstance(column, str | None), column, "column", "the name of a column")
    expect(isinstance(encoding, str), encoding, "encoding", "a name such as utf-8, utf-16 or cp1252")


def files_of(folder: Path) -> list[Path]:
    """The files of a folder and of the folders within it, but for hidden ones, in the order of their names.

    Links to folders are followed, but for those to a folder that has been read or lies within this one.
    """
    files, real_folders = list[Path](), {folder.resolve()}
    for parent, subfolder_names, file_names in os.walk(folder, followlinks=True):
        subfolders = [Path(parent, name) for name in sorted(subfolder_names) if not name.startswith(".")]
        for path in [x for x in subfolders if x.is_symlink()]:
            if any(path.resolve().is_relative_to(x) or x.is_relative_to(path.resolve()) for x in real_folders):
                subfolders.remove(path)
            else:
                real_folders.add(path.resolve())
        subfolder_names[:] = [path.name for path in subfolders]
        files += [Path(parent, name) for name in file_names if not name.startswith(".")]
    return sorted(files, key=lambda path: path.parts)  # Windows would ignore case


def check_is_prose(path: Path, c: Corpus, content: bytes) -> None:
    """Raise a ValueError if what was taken for a text is likely to be something else, and say what.

    It is if nearly all tokens or most of the first lines are numbers, if numbers follow words, as for Vowpal Wabbit, or
    if names or numbers of documents stand before the texts, as in files for MALLET or GibbsLDA++.
    """
    has_letter_w = np.array([any(map(str.isalpha, word)) for word in c.vocab or ()], bool)
    number_share = c.n[~has_letter_w[c.w]].sum() / max(c.N, 1)
    numbers_text = f"{100 * number_share:.0f}% of its words are numbers"
    text, rows = content.decode(), [line.split() for line in content[:4096].split(b"\n")[:-1] or [content]]
    n_pair_rows = sum(len(row) > 1 and all(re.fullmatch(rb"[0-9]+:[0-9.]+", pair) for pair in row[1:]) for row in rows)
    n_triple_rows = sum(len(row) == 3 and all(map(SIZE.fullmatch, row)) for row in rows)
    has_counts = vw.looks_like_counts("\n".join(text[:4096].split("\n")[:-1]) or text[:4096])
    begins_with_count = len(_lines_after_count(text) or ()) > 1
    for applies, reason, likely_kind in (
        (has_counts, "numbers follow its words, as in `| word:count`", "a file of format vw"),
        (2 * n_pair_rows > len(rows), numbers_text, "a damaged file of format ldac"),
        (2 * n_triple_rows > len(rows), numbers_text, "a damaged file of format uci"),
        (number_share > NUMBER_SHARE, numbers_text, "a file of counts or a table"),
        (begins_with_count, "it begins with the number of the other lines", "a file of format gibbslda"),
        (
            mallet.looks_like_instances(text[:CHECKED_LENGTH]),
            "it begins with names of documents and labels", "a file of format mallet",
        ),
    ):  # fmt: skip
        if applies:
            advice = "name its format, or the format text if it is one; a named format says where a file is damaged"
            raise ValueError(f"{path}: {reason}, expected a text; it looks like {likely_kind}: {advice}")


def _lines_after_count(text: str) -> list[str] | None:
    """The lines after a first one that is their number, without blank lines after these; None if it is not."""
    first_line, _, later_text = text.partition("\n")
    if not re.fullmatch(r" *[0-9]{1,18}[ \t\r]*", first_line):
        return None
    later_lines, count = lines_of(later_text), int(first_line)
    return later_lines[:count] if count <= len(later_lines) and not any(map(str.strip, later_lines[count:])) else None


def _guessed_format(path: Path, blob: bytes, column: str | None) -> str:
    for format_start, format in FORMAT_STARTS.items():
        if blob[: len(format_start)].lower() == format_start:
            return format
    name = path.name.lower().removesuffix(".gz")
    is_jsonl = name.endswith((".jsonl", ".ndjson"))
    if is_jsonl or tables.is_json(head := blob.partition(b"\n")[0]) or tables.is_json(blob) or name.endswith(".json"):
        return "jsonl" if is_jsonl or (head[:1] == b"{" and blob[len(head) :].strip()) else "json"
    if column is not None or name.endswith((".csv", ".tsv")):
        return "csv"
    lda_c.check_is_no_svmlight(path, blob)
    lines = [line.strip() for line in blob[:4096].split(b"\n")]
    # A number alone on its line is a size in UCI's files and a document without words, 0, in LDA-C. UCI's first number
    # is D, which is not 0. A file that ends within UCI's header is one of UCI's, so that it is refused as one.
    size_lines = lines[:3] if lines[-1] else lines[:-1][:3]
    if size_lines and size_lines[0].strip(b"0") and all(SIZE.fullmatch(line) for line in size_lines):
        return "uci"
    fields = lines[0].split()[: -1 if len(lines) == 1 and len(blob) > 4096 else None]  # the last one may be cut off
    are_pairs = all(re.fullmatch(rb"[^:]+:[^:]+", pair) for pair in fields[1:])
    has_pairs = len(fields) > 1 or (fields and not fields[0].strip(b"0"))
    return "ldac" if has_pairs and are_pairs and SIZE.fullmatch(fields[0]) else "text"
