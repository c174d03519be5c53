"""What several tests of the figures need."""

import csv


def write(path, columns, rows):
    """Write rows, which are dicts, to a CSV file; what a row lacks is empty."""
    path.parent.mkdir(exist_ok=True)
    with open(path, "w", newline="") as csv_file:
        dict_writer = csv.DictWriter(csv_file, columns, restval="")
        dict_writer.writeheader()
        dict_writer.writerows(rows)
