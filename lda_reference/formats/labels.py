"""What a table says of its documents beside their texts: their names, groups and dates."""

import re
from datetime import datetime
from pathlib import Path
from unicodedata import normalize

from ..arguments import shown
from .tables import Table, table_of

MISSING = {"NA", "N/A", "n/a", "NaN", "nan", "None", "NULL", "null"}  # what other programs write for nothing
DATE = re.compile(r"[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2}(?:[T ].+)?)?)?")


def is_date(text: str) -> bool:
    """Whether a text is a year, a month or a day in ISO 8601, also with a time."""
    try:
        return DATE.fullmatch(text) is not None and bool(datetime.fromisoformat(text + "-01-01"[len(text) - 4 :]))
    except ValueError:
        return False


def labels_of(
    path: Path, text: str, format: str, column: str | None, column_of_kind: dict[str, str]
) -> tuple[dict[str, list[str]], str]:
    """What columns of a table hold, as `id`, the names of documents, `group` or `date`; and a sentence about it.

    A group or a date that is missing is "". Of a year, pandas may have made a number such as 1789.0.
    """
    table = table_of(path, text, format, column)
    labels = {kind: _column_texts(path, table, column_name) for kind, column_name in column_of_kind.items()}
    places: dict[str, str] = {}
    for (place, _), name in zip(table.rows, labels.get("id", ()), strict=False):
        if not name or name in places:
            why = f"the id {shown(name)} again, as in{places[name].removeprefix(f'{path},')}" if name else "an empty id"
            raise ValueError(f"{place}: {why}, expected a name of its own for each document")
        places[name] = place
    if "date" in labels:
        labels["date"] = [re.sub(r"(?<=^[0-9]{4})\.0$", "", date) for date in labels["date"]]
    rows_and_dates = zip(table.rows, labels.get("date", ()), strict=False)
    if wrong_dates := [(place, date) for (place, _), date in rows_and_dates if date and not is_date(date)]:
        place, date = wrong_dates[0]
        suffix = f"; {len(wrong_dates) - 1:,} more like it" * (len(wrong_dates) > 1)
        expected_text = "none or one such as 1789, 1789-07 or 1789-07-14"
        raise ValueError(f"{place}: the date {shown(date)}, expected {expected_text}{suffix}")
    label_counts = [(kind, len({*kind_labels} - {""}), kind_labels.count("")) for kind, kind_labels in labels.items()]
    remarks = [f"{kind}: {n:,} different" + f", {m:,} missing" * (m > 0) for kind, n, m in label_counts]
    missing_names = sorted(MISSING & {*labels.get("group", ())})
    remarks += [f"a group is named {name}: if it is missing, write an empty field" for name in missing_names]
    return labels, "; ".join(remarks)


def _column_texts(path: Path, table: Table, column: str) -> list[str]:
    """What a column holds, as texts."""
    if (n_columns := table.header.count(column)) != 1:
        columns_text = ", ".join(map(shown, table.header[:20]))
        raise ValueError(f"{path}: {n_columns} columns {shown(column)}, expected one; it has {columns_text}")
    for place, row in table.rows:
        if not isinstance(row.get(column), str | int | float | None):
            raise ValueError(f"{place}: {shown(column)} is {shown(row[column])}, expected a text or a number")
    fields = ("" if (field := row.get(column)) is None else str(field).strip() for _, row in table.rows)
    return [normalize("NFC", field) for field in fields]
