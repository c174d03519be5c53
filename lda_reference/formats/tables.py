"""Texts in a column of a CSV file, or in a field of JSON: an object on each line, or an array of objects."""

import csv
import io
import json
import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, NoReturn

from ..arguments import shown as quoted
from .files import Source, lines_of, refuse, shown

DELIMITERS = (",", ";", "\t")
LONGEST = 2**31 - 1  # characters in a field of a CSV file
NUMBER = re.compile(r"\s*(?:[-+]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][-+]?[0-9]+)?|nan|NaN|NA)\s*")
SHARE = 0.9  # of the texts or of the fields, above which numbers are taken for counts
COUNTS = "counts belong in a matrix, such as one by scipy.sparse.save_npz, or in a file of (document, word, count)"


def texts_of_csv(path: Source, text: str, column: str | None) -> list[str]:
    """The texts in a column of a CSV file with a header, whose delimiter is a comma, a semicolon or a tab.

    The delimiter is the one with which the header has the column. Fields may be quoted and then contain delimiters and
    line breaks. Blank lines are skipped.

    Raises
    ------
    ValueError
        If the header does not have the column once, a row has more or fewer fields than the header, or a quote is not
        closed or is followed by text; the message names the line. If nearly all of the texts, or of the fields of a
        table, are numbers.

    Examples
    --------
    >>> texts_of_csv("t.csv", 'id;text\\n1;"ash; bay"\\n2;fig\\n', "text")
    ['ash; bay', 'fig']
    """
    header, rows = _table(path, text, column)
    place = header.index(column or "")
    return _without_counts(path, column, [row[place] for _, row in rows])


def _table(path: Source, text: str, column: str | None) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """The header of a CSV file that has a column once, and the rows below it, each with its line."""
    before = csv.field_size_limit(LONGEST)  # Python's own limit, which all of csv shares, is 131,072 characters
    try:
        headers = {delimiter: _header(path, text, delimiter) for delimiter in DELIMITERS}
        if not any(headers.values()):
            next(_rows(path, text, DELIMITERS[0]), None)  # a wrong quote in the header is refused
        if column is None:
            fields = [row for _, row in _rows(path, text, max(headers, key=lambda x: len(headers[x])))][1:]
            if _share_of_numbers([x for row in fields for x in (row[1:] or row)]) > SHARE:  # the first may be a name
                raise ValueError(f"{path}: a table of numbers, expected texts in a column; {COUNTS}")
        delimiters = [delimiter for delimiter, header in headers.items() if column in header]
        if column is None or not delimiters:
            refuse_column(path, column, max(headers.values(), key=len))
        header = headers[delimiters[0]]
        if header.count(column) > 1:
            refuse(path, 1, f"{header.count(column)} columns {quoted(column)}", "one")
        rows = list(_rows(path, text, delimiters[0]))
    finally:
        csv.field_size_limit(before)
    for line, row in rows:
        if len(row) != len(header):
            refuse(path, line, f"{len(row)} fields", f"{len(header)}, as in the header")
    return header, rows[1:]


def columns_of(
    path: Source, text: str, format: str, column: str | None, names: Sequence[str]
) -> tuple[list[str], dict[str, list[str]]]:
    """The places of the rows of a table with texts in `column`, and what other columns hold; what is missing is ""."""
    if format == "csv":
        header, rows = _table(path, text, column)
        records: Any = [(f"{path}, line {line}", dict(zip(header, row, strict=True))) for line, row in rows]
    else:
        records = list(_records(path, text))
        header = list({name: None for _, record in records for name in record})
    for name in names:
        if header.count(name) != 1:
            has = ", ".join(map(quoted, header[:20]))
            raise ValueError(f"{path}: {header.count(name)} columns {quoted(name)}, expected one; it has {has}")
    for (place, record), name in product(records, names):
        if not isinstance(record.get(name), str | int | float | None):
            raise ValueError(f"{place}: {quoted(name)} is {quoted(record[name])}, expected a text or a number")
    values = {name: ["" if (x := row.get(name)) is None else str(x).strip() for _, row in records] for name in names}
    return [place for place, _ in records], values


def texts_of_json(path: Source, text: str, column: str | None) -> list[str]:
    """The texts in a field of JSON: of an object on each line, or of the objects in an array; null is an empty text.

    Blank lines are skipped.

    Raises
    ------
    ValueError
        If there is not an object with a text in this field; the message names the line, or the place in the array. If
        nearly all of the texts are numbers.

    Examples
    --------
    >>> texts_of_json("t.jsonl", '{"text": "ash"}\\n{"text": "bay"}', "text")
    ['ash', 'bay']
    >>> texts_of_json("t.json", '[{"text": "ash"},\\n {"text": "bay"}]', "text")
    ['ash', 'bay']
    """
    texts: list[str] = []
    for place, record in _records(path, text):
        if not isinstance(record, dict):
            raise ValueError(f"{place}: {quoted(json.dumps(record))}, expected a JSON object")
        if orient := "" if texts else _orient(record):
            raise ValueError(f'{place}: a table by pandas with orient="{orient}", expected orient="records"')
        if column is None or (column not in record and not texts):
            refuse_column(path, column, list(record))
        if column not in record:
            raise ValueError(f"{place}: no field {quoted(column)}, expected one in every object")
        if not isinstance(record[column], str | None):
            hint = f"; {COUNTS}" * isinstance(record[column], int | float)
            raise ValueError(f"{place}: {quoted(column)} is {quoted(record[column])}, expected a text{hint}")
        texts.append(record[column] or "")
    return _without_counts(path, column, texts)


def _records(path: Source, text: str) -> Iterator[tuple[str, Any]]:
    """The values on the lines of JSON Lines, or in the array that is all of a file, each with its place."""
    is_array = text.lstrip()[:1] == "["
    values = [(1, text)] if is_array or is_json(text) else enumerate(lines_of(text), 1)
    for line, encoded in values:
        if not encoded.strip():
            continue
        try:
            value = json.loads(encoded)
        except (ValueError, RecursionError) as error:
            refuse(path, line, f"{shown(encoded.encode('utf-8', 'replace'))} ({error})", "a JSON object")
        if is_array:
            yield from ((f"{path}, object {i}", record) for i, record in enumerate(value, 1))
        else:
            yield f"{path}, line {line}", value


def _orient(record: dict[str, Any]) -> str:
    """How pandas wrote a whole table as this object; "" if it is no table."""
    for orient, keys in (("split", {"columns", "data"}), ("table", {"schema", "data"})):
        if keys <= set(record) and isinstance(record["data"], list):
            return orient
    return "columns" if record and all(isinstance(x, dict) for x in record.values()) else ""


def _without_counts(path: Source, column: str | None, texts: list[str]) -> list[str]:
    """The texts, unless nearly all of them are numbers."""
    if (share := _share_of_numbers(texts)) > SHARE:
        raise ValueError(f"{path}: {share:.0%} of the texts in {quoted(column)} are numbers, expected texts; {COUNTS}")
    return texts


def _share_of_numbers(fields: list[str]) -> float:
    filled = [x for x in fields if x.strip()]
    return sum(NUMBER.fullmatch(x) is not None for x in filled) / max(len(filled), 1)


def refuse_column(path: Source, column: str | None, names: list[str]) -> NoReturn:
    """Raise a ValueError about a column that is missing or not given."""
    found = "column is missing" if column is None else f"column is {quoted(column)}"
    raise ValueError(f"{found}, expected one of those of {path}: {', '.join(map(quoted, names[:20])) or 'it has none'}")


def is_json(text: str | bytes) -> bool:
    """Whether a text is a JSON object or an array that holds no numbers alone, such as `[1]` of a footnote."""
    try:
        value = json.loads(text) if text.lstrip()[:1] in (b"{", b"[", "{", "[") else None
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) or (isinstance(value, list) and any(isinstance(x, dict | list | str) for x in value))


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
