"""What several tests of the figures need."""

import csv


def write(path, columns, rows):
    """Write rows, which are dicts, to a CSV file; what a row lacks is empty."""
    path.parent.mkdir(exist_ok=True)
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, columns, restval="")
        writer.writeheader()
        writer.writerows(rows)
