"""The pictures of the command line. Only `_picture` imports matplotlib."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..algorithms import ALGORITHMS
from ..evaluation.stability import Stability
from ..model import Array

# Okabe and Ito's colours, which colour-blind readers can tell apart
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
STYLE: dict[Any, Any] = {
    "axes.axisbelow": True,
    "axes.edgecolor": "#444444",
    "axes.grid": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 10,
    "font.size": 9.5,
    "grid.color": "#e4e4e4",
}
FAMILIES = ("Counts that include the token", "Samplers", "Counts that exclude the token")


class Run(NamedTuple):
    """A run of the tour, and what it had after each sweep."""

    algorithm: str
    schedule: str
    start: str
    sweeps: Array
    seconds: Array
    perplexity: Array


def tour_runs(path: Path) -> list[Run]:
    """The runs in a file that `tour.write_numbers` wrote."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    found = []
    for key, group in groupby(rows, lambda row: (row["algorithm"], row["schedule"], row["start"])):
        lines = list(group)
        sweeps, seconds, perplexity = (
            np.array([float(row[name]) for row in lines]) for name in ("sweep", "seconds", "perplexity")
        )
        found.append(Run(*key, sweeps, seconds, perplexity))
    return found


def family(name: str) -> str:
    """The panel of an algorithm in the figure of the tour."""
    A = ALGORITHMS[name]
    return FAMILIES[1] if A.assignment == "sample" else FAMILIES[0 if A.update.excludes == "nothing" else 2]


@contextmanager
def _picture(path: Path, size: tuple[float, float], rows: int = 1, columns: int = 1) -> Iterator[tuple[Any, Any]]:
    """A figure and its axes, which is written at the end; the suffix of the path chooses the format."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(rows, columns, figsize=size, layout="constrained")
        yield figure, axes
        figure.savefig(path, dpi=130)
        plt.close(figure)


def tour_figure(runs: list[Run], path: Path, title: str) -> None:
    """Draw the perplexity of each run by sweeps, in a panel for each family, and the seconds that each run took."""
    with _picture(path, (8, 7), 2, 2) as (figure, axes):
        for name, axis in zip(FAMILIES, axes.flat, strict=False):
            _curves(axis, name, [run for run in runs if family(run.algorithm) == name])
        all_of_them = np.concatenate([run.perplexity[np.isfinite(run.perplexity)] for run in runs])
        if len(all_of_them):
            low, high = all_of_them.min(), all_of_them.max()
            for axis in axes.flat[:3]:
                axis.set_ylim(low - 0.2 * (high - low) - 1e-9, high + 0.05 * (high - low) + 1e-9)
        _seconds(axes[1, 1], runs)
        figure.suptitle(title, size=9.5, x=0.01, ha="left")
        for axis in axes.flat[:3]:
            _name_ends(axis)


def _curves(axis: Any, name: str, runs: list[Run]) -> None:
    """The perplexity of some runs by sweeps; runs whose perplexity is infinite throughout are named in a corner."""
    ends, infinite = [], []
    for run, colour in zip(runs, COLOURS, strict=False):
        finite = np.isfinite(run.perplexity)
        if finite.any():
            ends.append(run.perplexity[finite][-1])
            label = f"{run.algorithm} {ends[-1]:.1f}"
            axis.plot(run.sweeps[finite], run.perplexity[finite], color=colour, label=label)
        else:
            infinite.append(run.algorithm)
    seen = f"perplexity at the end {min(ends):.1f} to {max(ends):.1f}" if ends else "no finite perplexity"
    axis.set(xlabel="sweeps", ylabel="perplexity of held-out tokens", title=f"{name}:\n{seen}")
    if infinite:
        axis.text(0.98, 0.97, f"infinite: {', '.join(infinite)}", transform=axis.transAxes, ha="right", va="top")


def _seconds(axis: Any, runs: list[Run]) -> None:
    """The seconds that each run took, the fastest at the top."""
    runs = sorted(runs, key=lambda run: -run.seconds[-1])
    for place, run in enumerate(runs):
        seconds = max(run.seconds[-1], 1e-6)
        axis.plot((seconds,), (place,), "o", color="#222222", markersize=5)
        name = f"{run.algorithm}, {run.schedule}, {run.start}"
        axis.annotate(name, (seconds, place), (6, 0), textcoords="offset points", va="center", size=8.5)
    axis.set(xscale="log", xlabel="seconds to the end", yticks=[])
    axis.set_xlim(right=axis.get_xlim()[1] * 100)  # room for the names
    axis.grid(axis="y", visible=False)
    if runs:
        first, last = runs[-1], runs[0]
        axis.set_title(
            f"Seconds, with schedule and start:\n{first.seconds[-1]:.2g} ({first.algorithm}) to "
            f"{last.seconds[-1]:.2g} ({last.algorithm})"
        )


def _name_ends(axis: Any, size: float = 8.5) -> None:
    """Write the label of each line at its end; labels that would overlap are moved apart."""
    axis.figure.draw_without_rendering()
    height = 1.15 * size * axis.figure.dpi / 72
    ends = [(line, *(values[-1] for values in line.get_data())) for line in axis.get_lines()]
    ends.sort(key=lambda end: end[2])
    pixels = np.array([axis.transData.transform(end[1:])[1] for end in ends])
    at = pixels.copy()
    for _ in range(200):  # push neighbours apart by equal amounts
        short = np.maximum(height - np.diff(at), 0)
        if not short.any():
            break
        at[:-1] -= short / 2
        at[1:] += short / 2
    right = axis.get_xlim()[1]
    for (line, x, y), pixel, moved in zip(ends, pixels, at, strict=True):
        shift = (5, (moved - pixel) * 72 / axis.figure.dpi)
        axis.annotate(
            line.get_label(), (right, y), shift, textcoords="offset points", color=line.get_color(), va="center",
            size=size, annotation_clip=False,
        )  # fmt: skip
        axis.plot((x, right), (y, y), ":", color=line.get_color(), lw=0.8)


def stability_figure(found: dict[int, Stability], path: Path, title: str) -> None:
    """Draw, against K: the training value and the perplexity of each run, and how often each topic comes back."""
    panels = (
        ("Training value of each run", "nats per token", lambda s: s.value),
        ("Held-out perplexity of each run", "perplexity", lambda s: s.perplexity),
        ("How often each topic comes back", "share of the other runs", lambda s: s.comes_back),
    )
    with _picture(path, (10, 3.2), 1, 3) as (figure, axes):
        for axis, (name, label, values) in zip(axes, panels, strict=True):
            for place, s in enumerate(found.values()):
                y = values(s)
                x = place + np.linspace(-0.15, 0.15, len(y))  # side by side, so that equal values are seen
                axis.plot(x, y, "o", color=COLOURS[0], markersize=4, alpha=0.6, markeredgewidth=0)
                axis.plot((place - 0.25, place + 0.25), (np.mean(y), np.mean(y)), color=COLOURS[1], lw=2)
            axis.set_xticks(range(len(found)), [str(K) for K in found])
            axis.set(title=name, xlabel="K (a line: the mean)", ylabel=label)
            axis.grid(axis="x", visible=False)
        axes[2].set_ylim(-0.05, 1.05)
        figure.suptitle(title, size=9.5, x=0.01, ha="left")
