"""The tables and the picture of the benchmark, from its lines."""

import statistics
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path

import numpy as np

from figures.common import table
from figures.style import plt

STYLES = {  # colour-blind safe colours of Okabe and Ito; solid lines are ours
    "cvb0": ("#0072B2", "-"), "cvb0, 2 threads": ("#56B4E9", "-"), "cvb": ("#009E73", "-"), "cgs": ("#CC79A7", "-"),
    "vb": ("#D55E00", "-"), "vb, nested": ("#8B3A00", "-"), "vb, growing start": ("#F0B000", "-"),
    "vb, after cvb0": ("#882255", "-"),
    "tomotopy, 1 worker": ("#000000", "--"), "tomotopy, 2 workers": ("#777777", "--"), "lda": ("#CC79A7", "--"),
    "scikit-learn": ("#D55E00", "--"), "gensim": ("#8B3A00", ":"),
}  # fmt: skip


def is_vb(label: str) -> bool:
    return label.split(",")[0] in ("vb", "scikit-learn", "gensim")


def title(task) -> str:
    corpus = "a synthetic corpus" if task.corpus == "synthetic" else task.corpus.upper()
    return f"{corpus}, K = {task.K}"


def runs_of(lines: Iterable, corpus: str, system: str) -> list[list]:
    """The lines of each run of a system."""
    runs: dict[int, list] = {}
    for x in lines:
        if (x.corpus, x.system) == (corpus, system):
            runs.setdefault(x.seed, []).append(x)
    return list(runs.values())


def systems_of(lines: Iterable, corpus: str) -> list[str]:
    return list(dict.fromkeys(x.system for x in lines if x.corpus == corpus))


def first(runs: list[list], reached: Callable) -> list:
    """For each run, its first line that has reached something; runs that never do are left out."""
    found = (next((x for x in run if reached(x)), None) for run in runs)
    return [x for x in found if x is not None]


def last_scored(run: list):
    return [x for x in run if x.perplexity is not None][-1]


def below(level: float) -> Callable:
    return lambda x: x.perplexity is not None and x.perplexity <= level


def above(bound: float) -> Callable:
    return lambda x: x.bound is not None and x.bound >= bound


def median(x: Iterable[float]) -> float:
    found = list(x)
    return statistics.median(found) if found else float("nan")


def shown(x: float, digits: int = 3) -> str:
    if np.isnan(x):
        return "-"
    return f"{x:.0f}" if abs(x) >= 10**digits else f"{x:.{digits}g}"


def spread(values: list[float], runs: int, digits: int = 3) -> str:
    """Median and range; how many runs, if some are missing."""
    if not values:
        return "never"
    text = shown(median(values), digits)
    if len(values) > 1:
        text += f" ({shown(min(values), digits)}..{shown(max(values), digits)})"
    return text if len(values) == runs else f"{text} in {len(values)} of {runs}"


def of_sweeps(runs: list[list], clock: str) -> list[float]:
    """Seconds of all sweeps of all runs, without the starts."""
    return [getattr(b, clock) - getattr(a, clock) for run in runs for a, b in pairwise(run)]


def print_systems(task, lines: list, systems: dict) -> None:
    level, rows = task.level, []
    for name in systems_of(lines, task.name):
        runs = runs_of(lines, task.name, name)
        reached, ends = first(runs, below(level)), [last_scored(run) for run in runs]
        options = systems[name].options
        how = ", ".join(str(options[x]) for x in ("start", "schedule") if x in options)
        how += f" {options['blocks']}" if options.get("schedule") == "block" else ""
        how = f"{options['cvb0_sweeps']} cvb0, {options['schedule']}" if "cvb0_sweeps" in options else how
        bound = median(x.bound for x in ends if x.bound is not None)
        rows.append([
            name, how or "its own", str(len(runs)), shown(median(run[0].wall for run in runs)),
            shown(median(of_sweeps(runs, "wall"))), shown(median(of_sweeps(runs, "cpu"))),
            shown(median(x.sweep for x in reached)), spread([x.wall for x in reached], len(runs)),
            shown(median(x.cpu for x in reached)), str(ends[0].sweep),
            spread([x.perplexity for x in ends if x.perplexity is not None], len(runs), 4),
            "-" if np.isnan(bound) else f"{bound:.4f}",
        ])  # fmt: skip
    print(f"\n{title(task)}: seconds to perplexity {level:g} of held-out tokens, the start included;")
    print("medians (and range) of the runs\n")
    header = ["system", "start, schedule", "runs", "start", "wall/sweep", "CPU/sweep", "sweeps", "wall seconds"]
    print(table([*header, "CPU s", "ends after", "perplexity", "bound/token"], rows))


def print_bounds(lines: list, iterations: int) -> None:
    """Seconds until VB reaches the bound that scikit-learn has after some iterations."""
    level = median(x.bound for x in lines if (x.corpus, x.system, x.sweep) == ("KOS", "scikit-learn", iterations))
    if np.isnan(level):
        return
    print(f"\nKOS: seconds to the bound of scikit-learn after {iterations} iterations, {level:.4f} nats per token\n")
    rows = []
    for name in filter(is_vb, systems_of(lines, "KOS")):
        runs = runs_of(lines, "KOS", name)
        reached = first(runs, above(level))
        ends = [last_scored(run).bound for run in runs]
        rows.append([
            name, shown(median(x.sweep for x in reached)), spread([x.wall for x in reached], len(runs)),
            f"{median(ends):.4f} ({min(ends):.4f}..{max(ends):.4f})" if ends else "-",
        ])  # fmt: skip
    print(table(["system", "sweeps", "wall seconds", "its last bound/token"], rows))


def print_floors(floors: dict) -> None:
    print("\nCPU milliseconds of a `corpus` sweep, and of the NumPy kernels that it cannot do without, one thread\n")
    rows = [[*name, shown(1e3 * sweep), shown(1e3 * kernels), f"{sweep / kernels:.2f}"]
            for name, (sweep, kernels) in floors.items()]  # fmt: skip
    print(table(["corpus", "algorithm", "sweep", "kernels", "ratio"], rows))


# The picture ---------------------------------------------------------------------------------------------------------


def middle(runs: list[list], value: str) -> tuple[np.ndarray, np.ndarray]:
    """Seconds and a value after each sweep that was scored: medians over the runs."""
    by_sweep: dict[int, list] = {}
    for x in (x for run in runs for x in run):
        if getattr(x, value) is not None and x.wall > 0:
            by_sweep.setdefault(x.sweep, []).append(x)
    points = [(median(x.wall for x in at), median(getattr(x, value) for x in at)) for at in by_sweep.values()]
    return np.array(points).reshape(-1, 2).T


def draw(lines: list, tasks: list, path: Path) -> None:
    panels = [(task, "perplexity") for task in tasks if task.name != "NIPS, K=10"]
    if any(x.bound is not None and x.corpus == tasks[0].name for x in lines):
        panels.append((tasks[0], "bound"))
    figure, axes = plt.subplots(len(panels), 1, figsize=(8, 4.4 * len(panels)), squeeze=False)
    for axis, (task, value) in zip(axes[:, 0], panels, strict=True):
        ends, shown_from = [], np.inf
        for name in systems_of(lines, task.name):
            x, y = middle(runs_of(lines, task.name, name), value)
            if len(x):
                inside = y <= 1.25 * task.level if value == "perplexity" else y >= y[-1] - 0.3
                shown_from = min(shown_from, x[inside].min(initial=np.inf))
                colour, style = STYLES[name]
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
    figure.suptitle("Solid lines: this package. Broken lines: other packages. Medians of the runs.", fontsize=10)
    figure.savefig(path, dpi=130)
    plt.close(figure)


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
            arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 0.5, "alpha": 0.7},
            annotation_clip=False,
        )  # fmt: skip
