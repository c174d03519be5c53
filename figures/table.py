"""Tables of numbers that take hours. A script writes each line when it is ready; a new run adds only missing lines."""

import csv
from pathlib import Path


def done(path: Path, keys: int) -> set[tuple[str, ...]]:
    """The runs that a CSV file holds: the first `keys` columns of its lines."""
    if not path.exists():
        return set()
    with open(path, newline="") as file:
        return {tuple(row[:keys]) for row in csv.reader(file)}


def write(path: Path, columns: list[str], lines: list[list]) -> None:
    """Write the lines of a run together, so that a run that was broken off has no lines."""
    with open(path, "a", newline="") as file:
        rows = csv.writer(file)
        if not file.tell():
            rows.writerow(columns)
        rows.writerows([[f"{x:.8g}" if isinstance(x, float) else x for x in line] for line in lines])
