"""Texts in a column of a CSV file, or in a field of JSON Lines."""

import csv
import io
import json
from collections.abc import Iterator
from typing import NoReturn

from ..arguments import shown as quoted
from .files import Source, lines_of, refuse, shown

DELIMITERS = (",", ";", "\t")
LONGEST = 2**31 - 1  # characters in a field of a CSV file


def texts_of_csv(path: Source, text: str, column: str | None) -> list[str]:
    """The texts in a column of a CSV file with a header, whose delimiter is a comma, a semicolon or a tab.

    The delimiter is the one with which the header has the column. Fields may be quoted and then contain delimiters and
    line breaks. Blank lines are skipped.

    Raises
    ------
    ValueError
        If the header does not have the column once, a row has more or fewer fields than the header, or a quote is not
        closed or is followed by text; the message names the line.

    Examples
    --------
    >>> texts_of_csv("t.csv", 'id;text\\n1;"ash; bay"\\n2;fig\\n', "text")
    ['ash; bay', 'fig']
    """
    before = csv.field_size_limit(LONGEST)  # Python's own limit, which all of csv shares, is 131,072 characters
    try:
        headers = {delimiter: _header(path, text, delimiter) for delimiter in DELIMITERS}
        if not any(headers.values()):
            next(_rows(path, text, DELIMITERS[0]), None)  # a wrong quote in the header is refused
        delimiters = [delimiter for delimiter, header in headers.items() if column in header]
        if column is None or not delimiters:
            refuse_column(path, column, max(headers.values(), key=len))
        header = headers[delimiters[0]]
        if header.count(column) > 1:
            refuse(path, 1, f"{header.count(column)} columns {column!r}", "one")
        place, texts = header.index(column), []
        for line, row in _rows(path, text, delimiters[0]):
            if len(row) != len(header):
                refuse(path, line, f"{len(row)} fields", f"{len(header)}, as in the header")
            texts.append(row[place])
    finally:
        csv.field_size_limit(before)
    return texts[1:]


def texts_of_json_lines(path: Source, text: str, column: str | None) -> list[str]:
    """The texts in a field of JSON Lines, an object on each line. Blank lines are skipped; null is an empty text.

    Raises
    ------
    ValueError
        If a line is not an object with a text in this field; the message names the line.

    Examples
    --------
    >>> texts_of_json_lines("t.jsonl", '{"text": "ash"}\\n{"text": "bay"}', "text")
    ['ash', 'bay']
    """
    texts: list[str] = []
    for line, encoded in enumerate(lines_of(text), 1):
        if not encoded.strip():
            continue
        try:
            record = json.loads(encoded)
        except (ValueError, RecursionError) as error:
            refuse(path, line, f"{shown(encoded.encode('utf-8', 'replace'))} ({error})", "a JSON object")
        if not isinstance(record, dict):
            refuse(path, line, shown(encoded.encode()), "a JSON object")
        if column is None or (column not in record and not texts):
            refuse_column(path, column, list(record))
        if column not in record:
            refuse(path, line, f"no field {column!r}", "one in every line")
        if not isinstance(record[column], str | None):
            refuse(path, line, f"{column!r} is {quoted(record[column])}", "a text")
        texts.append(record[column] or "")
    return texts


def refuse_column(path: Source, column: str | None, names: list[str]) -> NoReturn:
    """Raise a ValueError about a column that is missing or not given."""
    found = "column is missing" if column is None else f"column is {column!r}"
    raise ValueError(f"{found}, expected one of those of {path}: {', '.join(map(repr, names[:20])) or 'it has none'}")


def is_json_object(line: bytes) -> bool:
    """Whether a line is a JSON object."""
    try:
        return line.lstrip()[:1] == b"{" and isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _header(path: Source, text: str, delimiter: str) -> list[str]:
    """The names of the columns, or none if a quote is wrong: a quoted name can only end at the right delimiter."""
    try:
        return next(_rows(path, text, delimiter), (1, []))[1]
    except ValueError:
        return []


def _rows(path: Source, text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The rows of a CSV file but for blank lines, each with the number of its first line."""
    rows, line = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True), 1
    try:
        for row in rows:
            if row:
                yield line, row
            line = rows.line_num + 1
    except csv.Error as error:
        refuse(path, line, f"a row with a wrong quote ({error})", 'quoted fields such as "a ""word"" here"')
