"""Numbers that take hours: a script writes each line as it is found and, run again, finds only what is missing."""

import csv
from pathlib import Path


def done(path: Path, keys: int) -> set[tuple[str, ...]]:
    """The runs that a CSV file holds: the first columns of its lines, as many as `keys`."""
    if not path.exists():
        return set()
    with open(path, newline="") as file:
        return {tuple(row[:keys]) for row in csv.reader(file)}


def write(path: Path, columns: list[str], lines: list[list]) -> None:
    """Writes the lines of a run together, so that one that was broken off is missing as a whole."""
    with open(path, "a", newline="") as file:
        rows = csv.writer(file)
        if not file.tell():
            rows.writerow(columns)
        rows.writerows([[f"{x:.8g}" if isinstance(x, float) else x for x in line] for line in lines])
