"""Texts in a column of a CSV file, or in a field of JSON: an object on each line, or an array of objects."""

import csv
import io
import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple, NoReturn

from ..arguments import shown
from .files import Source, lines_of, refuse

SEPARATOR_LINE = re.compile(r"sep=(.)\r?\n")  # the first line of a file for Excel
DELIMITERS = (",", ";", "\t")
FIELD_LIMIT = 2**31 - 1  # characters in a field of a CSV file
DATE = re.compile(r"[0-9]+[0-9/:. -]+")
NUMBER = re.compile(r"\s*(?:[-+]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][-+]?[0-9]+)?|nan|NaN|NA)\s*")
NUMBER_SHARE = 0.9  # of the texts or of the fields, above which numbers are taken for counts
COUNTS_HINT = "counts belong in a matrix, such as one by scipy.sparse.save_npz, or in a file of (document, word, count)"


class Table(NamedTuple):
    """The names of the columns, and the rows, each with its place."""

    header: list[str]
    rows: list[tuple[str, dict[str, Any]]]
    remark: str = ""


def texts_of(path: Source, text: str, format: str, column: str | None) -> tuple[list[str], str]:
    """The texts in a column of a CSV file with a header, or in a field of JSON, and a remark; null is an empty text.

    The delimiter is that of a first line such as `sep=;`, or else the one of comma, semicolon and tab with which the
    header has the column. Fields may be quoted and then contain delimiters and line breaks. Blank lines are skipped,
    but between the rows of a single column each is an empty text.
    A ValueError is raised if there is no such column, or not a text in each row; the message names the line, or the
    place in the array. It is also raised if nearly all of the texts, or of the fields of a table, are numbers.
    The remark is on lines within quoted fields that look like rows: a stray quote takes rows as one field.
    """
    texts: list[str] = []
    table = table_of(path, text, format, column)
    for row_place, row in table.rows:
        if column not in row:
            raise ValueError(f"{row_place}: no field {shown(column)}, expected one in every object")
        if not isinstance(row[column], str | None):
            counts_hint = f"; {COUNTS_HINT}" * isinstance(row[column], int | float)
            raise ValueError(f"{row_place}: {shown(column)} is {shown(row[column])}, expected a text{counts_hint}")
        texts.append(row[column] or "")
    if (number_share := _share_of_numbers(texts)) > NUMBER_SHARE:
        problem = f"{number_share:.0%} of the texts in {shown(column)} are numbers or dates"
        raise ValueError(f"{path}: {problem}, expected texts; {COUNTS_HINT}")
    return texts, table.remark


def table_of(path: Source, text: str, format: str, column: str | None) -> Table:
    """A table that has a column of texts, once."""
    if format == "csv":
        return _table_of_csv(path, text, column)
    rows = list(_objects(path, text))
    header = list({field: None for _, row in rows for field in row})
    if column not in header:
        _refuse_column(path, column, header)
    return Table(header, rows)


def _table_of_csv(path: Source, text: str, column: str | None) -> Table:
    old_limit = csv.field_size_limit(FIELD_LIMIT)  # Python's own limit, which all of csv shares, is 131,072 characters
    separator_line = SEPARATOR_LINE.match(text)
    if separator_line:
        text = "\n" + text[separator_line.end() :]
    try:
        delimiters = separator_line[1] if separator_line else DELIMITERS
        headers = {delimiter: _header_names(path, text, delimiter) for delimiter in delimiters}
        # If a quote in the header is wrong, the rows are refused with any delimiter.
        delimiter = max(headers, key=lambda x: (column in headers[x], len(headers[x])))
        rows = list(_csv_rows(path, text, delimiter, len(headers[delimiter]) == 1))
    finally:
        csv.field_size_limit(old_limit)
    fields = [field for _, row in rows[1:] for field in row[1:] or row]  # the first of several may be a name
    if column is None and _share_of_numbers(fields) > NUMBER_SHARE:
        raise ValueError(f"{path}: a table of numbers, expected texts in a column; {COUNTS_HINT}")
    header = headers[delimiter]
    if column not in header:
        _refuse_column(path, column, header)
    if header.count(column) > 1:
        refuse(path, 1, f"{header.count(column)} columns {shown(column)}", "one")
    for line_number, row in rows:
        if len(row) != len(header):
            has_row_names = all(len(fields) == len(header) + 1 for _, fields in rows[1:])
            hint = "; R names the rows in a column of their own with col.names = NA" * has_row_names
            refuse(path, line_number, f"{len(row)} fields", f"{len(header)}, as in the header{hint}")
    places = (f"{path}, line {line_number}" for line_number, _ in rows[1:])
    remark = _remark_on_rows_in_fields(rows, delimiter)
    row_fields = (dict(zip(header, row, strict=True)) for _, row in rows[1:])
    return Table(header, list(zip(places, row_fields, strict=True)), remark)


def _remark_on_rows_in_fields(rows: list[tuple[int, list[str]]], delimiter: str) -> str:
    """What is said of lines within quoted fields that have as many fields as the header, the first as in its column."""
    header_length, first_fields = len(rows[0][1]), [row[0] for _, row in rows[1:]]
    if header_length < 3 or not all(field.strip().isdigit() for field in first_fields):  # then prose may look like rows
        return ""
    later_lines = [(number, line) for number, row in rows for field in row for line in field.split("\n")[1:]]
    fields_of_lines = [(number, line.split(delimiter)) for number, line in later_lines]
    row_like = [number for number, x in fields_of_lines if len(x) == header_length and x[0].strip().isdigit()]
    if not row_like:
        return ""
    problem = f"lines within quotes that look like rows: {len(row_like):,}, the first in the row of line {row_like[0]}"
    return f"{problem}; if they are rows, a quote is missing before them"


def _objects(path: Source, text: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects on the lines of JSON Lines, or in the array that is all of a file, each with its place."""
    is_array = text.lstrip()[:1] == "["
    numbered_lines = [(1, text)] if is_array or is_json(text) else enumerate(lines_of(text), 1)
    for line_number, json_text in numbered_lines:
        if not json_text.strip():
            continue
        try:
            parsed_json = json.loads(json_text)
        except (ValueError, RecursionError) as error:
            refuse(path, line_number, f"{shown(json_text.strip())} ({error})", "a JSON object")
        object_places = (f"object {i}" for i in range(1, len(parsed_json) + 1)) if is_array else [f"line {line_number}"]
        places = (f"{path}, {place}" for place in object_places)
        for place, record in zip(places, parsed_json if is_array else [parsed_json], strict=True):
            if not isinstance(record, dict):
                raise ValueError(f"{place}: {shown(json.dumps(record))}, expected a JSON object")
            yield place, record


def _share_of_numbers(fields: list[str]) -> float:
    nonblank = [field for field in fields if field.strip()]
    return sum(bool(NUMBER.fullmatch(field) or DATE.fullmatch(field)) for field in nonblank) / max(len(nonblank), 1)


def _refuse_column(path: Source, column: str | None, names: list[str]) -> NoReturn:
    """Raise a ValueError about a column that is missing or not given."""
    reason = "column is missing" if column is None else f"column is {shown(column)}"
    raise ValueError(f"{reason}, expected one of those of {path}: {', '.join(map(shown, names[:20])) or 'it has none'}")


def is_json(text: str | bytes) -> bool:
    """Whether a text is a JSON object or an array that holds no numbers alone, such as `[1]` of a footnote."""
    try:
        tree = json.loads(text) if text.lstrip()[:1] in (b"{", b"[", "{", "[") else None
    except (ValueError, RecursionError):
        return False
    return isinstance(tree, dict) or (isinstance(tree, list) and any(isinstance(x, dict | list | str) for x in tree))


def _header_names(path: Source, text: str, delimiter: str) -> list[str]:
    """The names of the columns, or none if a quote is wrong: a quoted name can only end at the right delimiter."""
    try:
        return next(_csv_rows(path, text, delimiter), (1, []))[1]
    except ValueError:
        return []


def _csv_rows(path: Source, text: str, delimiter: str, has_one_column: bool = False) -> Iterator[tuple[int, list[str]]]:
    """The rows of a CSV file, each with the number of its first line; of one column also blank lines between rows."""
    lines = io.StringIO(text.replace("\r\r\n", "\r\n"), newline="")  # as Python writes on Windows
    csv_reader, line_number = csv.reader(lines, delimiter=delimiter, strict=True), 1
    try:
        has_header, blank_lines = False, list[int]()
        for row in csv_reader:
            if row:
                yield from ((blank_line, [""]) for blank_line in blank_lines)
                yield line_number, row
                has_header, blank_lines = True, []
            elif has_one_column and has_header:
                blank_lines.append(line_number)
            line_number = csv_reader.line_num + 1
    except csv.Error as error:
        error_text = str(error).replace("\t", "\\t")
        expected_text = f'quoted fields such as "a ""word"" here" (in R qmethod = "double"), {delimiter!r} between them'
        refuse(path, line_number, f"a row with a wrong quote ({error_text})", expected_text)
