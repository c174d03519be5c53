"""What a table says of its documents beside their texts: their names, groups and dates."""

import re
from datetime import datetime
from pathlib import Path

from ..arguments import shown
from .tables import Table, table_of

DATE = re.compile(r"[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2}(?:[T ].+)?)?)?")


def is_date(text: str) -> bool:
    """Whether a text is a year, a month or a day in ISO 8601, also with a time."""
    try:
        return DATE.fullmatch(text) is not None and bool(datetime.fromisoformat(text + "-01-01"[len(text) - 4 :]))
    except ValueError:
        return False


def labels_of(
    path: Path, text: str, format: str, column: str | None, columns: dict[str, str]
) -> tuple[dict[str, list[str]], str]:
    """What columns of a table hold, as `id`, the names of documents, `group` or `date`; and a sentence about it.

    A group or a date that is missing is "". Of a year, pandas may have made a number such as 1789.0.
    """
    table = table_of(path, text, format, column)
    labels = {kind: _values(path, table, name) for kind, name in columns.items()}
    first: dict[str, str] = {}
    for (place, _), name in zip(table.rows, labels.get("id", ()), strict=False):
        if not name or name in first:
            what = f"the id {shown(name)} again, as in{first[name].removeprefix(f'{path},')}" if name else "an empty id"
            raise ValueError(f"{place}: {what}, expected a name of its own for each document")
        first[name] = place
    if "date" in labels:
        labels["date"] = [re.sub(r"(?<=^[0-9]{4})\.0$", "", date) for date in labels["date"]]
    dates = zip(table.rows, labels.get("date", ()), strict=False)
    if wrong := [(place, date) for (place, _), date in dates if date and not is_date(date)]:
        place, date = wrong[0]
        further = f"; {len(wrong) - 1:,} more like it" * (len(wrong) > 1)
        raise ValueError(f"{place}: the date {shown(date)}, expected one such as 1789, 1789-07 or 1789-07-14{further}")
    counts = ((kind, len({*listed} - {""}), listed.count("")) for kind, listed in labels.items())
    return labels, "; ".join(f"{kind}: {n:,} different" + f", {m:,} missing" * (m > 0) for kind, n, m in counts)


def _values(path: Path, table: Table, name: str) -> list[str]:
    """What a column holds, as texts."""
    if (times := table.header.count(name)) != 1:
        has = ", ".join(map(shown, table.header[:20]))
        raise ValueError(f"{path}: {times} columns {shown(name)}, expected one; it has {has}")
    for place, row in table.rows:
        if not isinstance(row.get(name), str | int | float | None):
            raise ValueError(f"{place}: {shown(name)} is {shown(row[name])}, expected a text or a number")
    return ["" if (x := row.get(name)) is None else str(x).strip() for _, row in table.rows]
