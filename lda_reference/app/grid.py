"""The grid of hyperparameters as a table to read, and as CSV."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from ..evaluation.validation import Grid


def table(g: Grid) -> str:
    """The grid as text, with a line for each alpha and a column for each eta, or a line for each power.

    Parameters
    ----------
    g : Grid

    Examples
    --------
    >>> print(table(Grid((0.5, 1.0), (), np.array([2.0, 1.5]))))
    power 0.5            2.00
    power 1              1.50
    """
    if not g.etas:
        return "\n".join(f"power {x:<8g} {value:10.2f}" for x, value in zip(g.alphas, g.perplexity, strict=True))
    lines = ["alpha \\ eta" + "".join(f"{x:>10g}" for x in g.etas)]
    for x, row in zip(g.alphas, g.perplexity, strict=True):
        lines.append(f"{x:<11g}" + "".join(f"{value:10.2f}" for value in row))
    return "\n".join(lines)


def write_numbers(g: Grid, path: Path) -> None:
    """Write a line for each run, as CSV: alpha and eta, or the power, and the perplexity in full precision.

    Parameters
    ----------
    g : Grid
    path : Path
    """
    with open(path, "w", newline="", encoding="utf-8") as out:
        rows = csv.writer(out)
        rows.writerow(["alpha", "eta", "perplexity"] if g.etas else ["power", "perplexity"])
        for at in np.ndindex(g.perplexity.shape):
            point = [axis[i] for axis, i in zip((g.alphas, g.etas), at, strict=False)]
            rows.writerow([*point, repr(float(g.perplexity[at]))])
