"""The tables and the picture of the benchmark, from its lines."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from figures.common import grouped, numbers, select, table
from figures.style import COLOURS, plt, save

Lines = list[dict[str, str]]


def is_vb(label: str) -> bool:
    return label.split(",")[0] in ("vb", "scikit-learn", "gensim")


def title(task) -> str:
    corpus = "a synthetic corpus" if task.corpus == "synthetic" else task.corpus.upper()
    return f"{corpus}, K = {task.K}"


def runs_of(lines: Lines, corpus: str, system: str) -> list[Lines]:
    """The lines of each run of a system."""
    return list(grouped(select(lines, corpus=corpus, system=system), "seed").values())


def systems_of(lines: Lines, corpus: str) -> list[str]:
    return [name for (name,) in grouped(select(lines, corpus=corpus), "system")]


def first(runs: list[Lines], column: str, reached: Callable[[float], bool]) -> Lines:
    """For each run, its first line whose number has reached something; runs that never do are left out."""
    found = (next((x for x in run if x[column] and reached(float(x[column]))), None) for run in runs)
    return [x for x in found if x is not None]


def last_scored(run: Lines) -> dict[str, str]:
    return [x for x in run if x["perplexity"]][-1]


def median(x: Any) -> float:
    return float(np.median(x)) if len(x) else float("nan")


def shown(x: float, digits: int = 3) -> str:
    if np.isnan(x):
        return "-"
    return f"{x:.0f}" if abs(x) >= 10**digits else f"{x:.{digits}g}"


def spread(values: Any, runs: int, digits: int = 3) -> str:
    """Median and range; how many runs, if some are missing."""
    if not len(values):
        return "never"
    text = shown(median(values), digits)
    if len(values) > 1:
        text += f" ({shown(min(values), digits)}..{shown(max(values), digits)})"
    return text if len(values) == runs else f"{text} in {len(values)} of {runs}"


def how(options: dict) -> str:
    """The start and the schedule of a system."""
    if "cvb0_sweeps" in options:
        return f"{options['cvb0_sweeps']} cvb0, {options['schedule']}"
    blocks = f" {options['blocks']}" if options.get("schedule") == "block" else ""
    return ", ".join(options[x] for x in ("start", "schedule") if x in options) + blocks or "its own"


def print_systems(task, lines: Lines, systems: dict) -> None:
    rows = []
    for name in systems_of(lines, task.name):
        runs = runs_of(lines, task.name, name)
        reached = first(runs, "perplexity", lambda x: x <= task.level)
        ends = [last_scored(run) for run in runs]
        sweeps = [np.concatenate([np.diff(numbers(run, clock)) for run in runs]) for clock in ("wall", "cpu")]
        rows.append([
            name, how(systems[name].options), str(len(runs)), shown(median([float(run[0]["wall"]) for run in runs])),
            *(shown(median(x)) for x in sweeps), shown(median(numbers(reached, "sweep"))),
            spread(numbers(reached, "wall"), len(runs)), shown(median(numbers(reached, "cpu"))), ends[0]["sweep"],
            spread(numbers(ends), len(runs), 4), shown(median(numbers(ends, "bound")), 5),
        ])  # fmt: skip
    print(f"\n{title(task)}: seconds to perplexity {task.level:g} of held-out tokens, the start included;")
    print("medians (and range) of the runs\n")
    header = ["system", "start, schedule", "runs", "start", "wall/sweep", "CPU/sweep", "sweeps", "wall seconds"]
    print(table([*header, "CPU s", "ends after", "perplexity", "bound/token"], rows))


def print_bounds(lines: Lines, iterations: int) -> None:
    """Seconds until VB reaches the bound that scikit-learn has after some iterations."""
    level = median(numbers(select(lines, corpus="KOS", system="scikit-learn", sweep=iterations), "bound"))
    rows = []
    for name in filter(is_vb, systems_of(lines, "KOS")):
        runs = runs_of(lines, "KOS", name)
        reached, ends = first(runs, "bound", lambda x: x >= level), [last_scored(run) for run in runs]
        sweeps, seconds = median(numbers(reached, "sweep")), spread(numbers(reached, "wall"), len(runs))
        rows.append([name, shown(sweeps), seconds, spread(numbers(ends, "bound"), len(runs), 5)])
    print(f"\nKOS: seconds to the bound of scikit-learn after {iterations} iterations, {level:.4f} nats per token\n")
    print(table(["system", "sweeps", "wall seconds", "its last bound/token"], rows))


def print_floors(floors: dict) -> None:
    print("\nCPU milliseconds of a `corpus` sweep, and of the NumPy kernels that it cannot do without, one thread\n")
    rows = [[*name, shown(1e3 * sweep), shown(1e3 * kernels), f"{sweep / kernels:.2f}"]
            for name, (sweep, kernels) in floors.items()]  # fmt: skip
    print(table(["corpus", "algorithm", "sweep", "kernels", "ratio"], rows))


# The picture ---------------------------------------------------------------------------------------------------------


def middle(runs: list[Lines], value: str) -> Any:
    """Seconds and a value after each sweep that was scored: medians over the runs."""
    scored = [x for run in runs for x in run if x[value] and float(x["wall"]) > 0]
    points = [(median(numbers(at, "wall")), median(numbers(at, value))) for at in grouped(scored, "sweep").values()]
    return np.array(points).reshape(-1, 2).T


def draw(lines: Lines, tasks: list, systems: dict, path: Path) -> None:
    panels = [(task, "perplexity") for task in tasks if task.name != "NIPS, K=10"]
    if len(numbers(select(lines, corpus=tasks[0].name), "bound")):
        panels.append((tasks[0], "bound"))
    figure, axes = plt.subplots(len(panels), 1, figsize=(8, 4.4 * len(panels)), squeeze=False)
    for axis, (task, value) in zip(axes[:, 0], panels, strict=True):
        ends, shown_from = [], np.inf
        for name in systems_of(lines, task.name):
            x, y = middle(runs_of(lines, task.name, name), value)
            if len(x):
                inside = y <= 1.25 * task.level if value == "perplexity" else y >= y[-1] - 0.3
                shown_from = min(shown_from, x[inside].min(initial=np.inf))
                colour, style = systems[name].style
                colour = COLOURS.get(colour, colour)
                axis.plot(x, y, color=colour, linestyle=style, linewidth=1.8)
                ends.append((x[-1], y[-1], name, colour))
        low, high = min(y for _, y, _, _ in ends), max(y for _, y, _, _ in ends)
        if value == "perplexity":
            top = max(1.25 * task.level, high)
            axis.axhline(task.level, color="#999999", linewidth=0.8)
            place = (0.01, task.level), ("axes fraction", "data")
            axis.annotate(f"{task.level:g}", place[0], xycoords=place[1], va="bottom", color="#666666", fontsize=9)
            axis.set_ylim(low - 0.06 * (top - low), top)
            axis.set_ylabel("perplexity of held-out tokens")
        else:
            bottom = min(high - 0.3, low)
            axis.set_ylim(bottom, high + 0.06 * (high - bottom))
            axis.set_ylabel("bound, nats per token")
        axis.set(xscale="log", xlabel="seconds of wall time, with the start", title=title(task))
        axis.set_xlim(left=0.7 * shown_from if np.isfinite(shown_from) else None)
        label_ends(axis, ends)
    figure.suptitle("Coloured: this package. Grey and black: other packages. Medians of the runs.", fontsize=10)
    save(figure, path)


def label_ends(axis, ends: list[tuple[float, float, str, str]]) -> None:
    """The names of the lines to the right of the picture, in the order of their ends, each joined to its end."""
    low, high = axis.get_ylim()
    gap, ends = (high - low) * 0.055, sorted(ends, key=lambda end: end[1])
    heights = [y for _, y, _, _ in ends]
    for i in range(1, len(heights)):  # up from the lowest, then down from the top, so that no two names overlap
        heights[i] = max(heights[i], heights[i - 1] + gap)
    heights[-1] = min(heights[-1], high)
    for i in range(len(heights) - 2, -1, -1):
        heights[i] = min(heights[i], heights[i + 1] - gap)
    for (x, y, name, colour), height in zip(ends, heights, strict=True):
        axis.plot(x, y, "o", color=colour, markersize=4)
        axis.annotate(
            name, (x, y), (1.03, height), textcoords=axis.get_yaxis_transform(), color=colour, va="center", fontsize=9,
            arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 0.5, "alpha": 0.7}, annotation_clip=False,
        )  # fmt: skip
