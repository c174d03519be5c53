"""The tables and the picture of the benchmark, from its lines."""

import re
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import numpy as np

from figures.common import by, grouped, numbers, select, table
from figures.style import COLOURS, plt, save

Lines = list[dict[str, str]]
LEVEL_ITERATIONS = 10  # the bound that VB must reach is that of scikit-learn after these


def is_vb(label: str) -> bool:
    return label.split()[0].strip(",") in ("vb", "scikit-learn", "gensim")


def systems_of(lines: Lines, task: str) -> list[str]:
    return [name for (name,) in grouped(select(lines, task=task), "system")]


def runs_of(lines: Lines, task: str, system: str) -> dict[str, Lines]:
    """The lines of each run of a system, by its seed."""
    return {seed: run for (seed,), run in grouped(select(lines, task=task, system=system), "seed").items()}


def until(runs: dict[str, Lines], clock: str, column: str, reaches: Callable[[str, float], bool]) -> dict[str, float]:
    """For each run, the seconds until a number has reached something; infinite if it does not."""
    return {
        seed: next((float(x[clock]) for x in run if x[column] and reaches(seed, float(x[column]))), np.inf)
        for seed, run in runs.items()
    }


def shown(x: float, digits: int = 3) -> str:
    return f"{x:,.0f}" if abs(x) >= 10**digits else f"{x:.{digits}g}"


def spread(sample: Collection[float], digits: int = 3) -> str:
    """Median and range of the finite numbers; how many they are, if some are not."""
    x = np.sort([number for number in sample if np.isfinite(number)])
    if not len(x):
        return "-"
    text = shown(np.median(x), digits)
    text += f" ({shown(x[0], digits)} to {shown(x[-1], digits)})" if len(x) > 1 else ""
    return text if len(x) == len(sample) else f"{text} in {len(x)} of {len(sample)} runs"


def how(options: dict) -> str:
    """The start and the schedule of a system."""
    return ", ".join(options[option] for option in ("start", "schedule") if option in options) or "its own"


def tables(tasks: Collection, systems: dict, lines: Lines, memory: Lines) -> dict[str, str]:
    """The tables by their names in BENCHMARK.md, and a sentence that says when and where they were measured."""
    texts = {task.name: of_task(task, systems, lines, memory) for task in tasks}
    rows = [row for task in tasks for row in bounds(task, lines)]
    texts["bounds"] = table(["corpus", "split", "system", "its CPU seconds over scikit-learn's, each run"], rows)
    places = " and ".join(f"on {day} on {machine}" for day, machine in grouped(memory, "date", "machine"))
    return texts | {"machine": f"These numbers were measured {places}."}


def of_task(task: Any, systems: dict, lines: Lines, memory: Lines) -> str:
    """What a sweep of each system costs, when it gets to the level, where it ends, and its memory; under a title."""
    rows, level_text = [], f"seconds to perplexity {task.level:g}"
    head = [f"CPU {level_text}", "over tomotopy's", f"wall {level_text}", "perplexity at the last sweep"]
    head = ["system", "start, schedule", "CPU milliseconds a sweep", *(head if task.level else ["ns a row and topic"])]

    def to_level(system: str, clock: str = "cpu") -> dict[str, float]:
        return until(runs_of(lines, task.name, system), clock, "perplexity", lambda _, x: x <= task.level)

    tomotopy = to_level("tomotopy, one worker")
    for system in systems_of(lines, task.name):
        runs = runs_of(lines, task.name, system).values()
        cpu_of_runs = [numbers(run, "cpu") for run in runs]
        sweep_seconds = np.median(np.concatenate([np.diff(run) if len(run) > 1 else run for run in cpu_of_runs]))
        row = [system, how(systems[system].options), shown(1e3 * sweep_seconds)]
        (memory_line,) = select(memory, task=task.name, system=system)
        if task.level:
            cpu, end_scores = to_level(system), [numbers(run)[-1] for run in runs if len(numbers(run))]
            ratios = [cpu[seed] / tomotopy[seed] for seed in cpu if np.isfinite(tomotopy.get(seed, np.inf))]
            row += [spread(cpu.values()), spread(ratios), spread(to_level(system, "wall").values())]
            row.append(f"{spread(end_scores, 4)}, sweep {next(iter(runs))[-1]['sweep']}" if end_scores else "-")
        else:
            row.append(shown(1e9 * sweep_seconds / float(memory_line["rows"]) / task.K))
        rows.append([*row, shown(float(memory_line["bytes"]))])
    return f"{task.title}\n\n" + table([*head, "bytes a row"], rows) if rows else ""


def bounds(task: Any, lines: Lines) -> list[list[str]]:
    """The CPU seconds of VB to the bound that scikit-learn has after some iterations, over scikit-learn's."""
    level_lines = select(lines, task=task.name, system="scikit-learn", sweep=LEVEL_ITERATIONS)
    level_of, seconds_of, rows = by(level_lines, "bound"), by(level_lines, "cpu"), []
    for system in (name for name in systems_of(lines, task.name) if name.startswith("vb") and level_of):
        runs = {seed: run for seed, run in runs_of(lines, task.name, system).items() if (seed,) in level_of}
        cpu = until(runs, "cpu", "bound", lambda seed, x: x >= level_of[seed,])
        rows.append([task.title, str(task.split), system, ", ".join(spread([cpu[x] / seconds_of[x,]], 2) for x in cpu)])
    return rows


def put(page: Path, texts: dict[str, str]) -> None:
    """Write the texts into a page, each after the comment that has its name, up to the comment that ends it."""
    text = page.read_text("utf-8")
    for text_name, new_text in texts.items():
        pattern = re.compile(rf"(<!-- {text_name} -->\n).*?(\n<!-- end -->)", re.DOTALL)
        text = pattern.sub(lambda match, new_text=new_text: match[1] + new_text + match[2], text) if new_text else text
    page.write_text(text, "utf-8")


# The picture ---------------------------------------------------------------------------------------------------------


def middle(lines: Lines) -> Any:
    """Seconds and perplexity after each sweep that was scored: medians over the runs."""
    scored_lines = [line for line in lines if line["perplexity"] and float(line["wall"]) > 0]
    points = [(np.median(numbers(x, "wall")), np.median(numbers(x))) for x in grouped(scored_lines, "sweep").values()]
    return np.array(points).reshape(-1, 2).T


def draw(lines: Lines, tasks: list, systems: dict, path: Path) -> None:
    figure, axes = plt.subplots(len(tasks), 1, figsize=(8, 4.4 * len(tasks)), squeeze=False)
    for axis, task in zip(axes[:, 0], tasks, strict=True):
        ends, x_left, y_top = [], np.inf, 1.25 * task.level
        for system in systems_of(lines, task.name):
            x, y = middle(select(lines, task=task.name, system=system))
            if len(x):
                x_left = min(x_left, x[y <= y_top].min(initial=np.inf))
                colour, style = systems[system].style
                colour = COLOURS.get(colour, colour)
                axis.plot(x, y, color=colour, linestyle=style, linewidth=1.8)
                ends.append((x[-1], y[-1], system, colour))
        y_low, y_top = min(y for _, y, _, _ in ends), max(y_top, *(y for _, y, _, _ in ends))
        axis.axhline(task.level, color="#999999", linewidth=0.8)
        level_at = (0.01, task.level), ("axes fraction", "data")
        axis.annotate(f"{task.level:g}", level_at[0], xycoords=level_at[1], va="bottom", color="#666666", fontsize=9)
        axis.set_ylim(y_low - 0.06 * (y_top - y_low), y_top)
        axis.set(xscale="log", xlabel="seconds of wall time, with the start", title=task.title)
        axis.set_ylabel("perplexity of held-out tokens")
        axis.set_xlim(left=0.7 * x_left if np.isfinite(x_left) else None)
        label_ends(axis, ends)
    figure.suptitle("Coloured: this package. Grey and black: other packages. Medians of the runs.", fontsize=10)
    save(figure, path)


def label_ends(axis, ends: list[tuple[float, float, str, str]]) -> None:
    """The names of the lines to the right of the picture, in the order of their ends, each joined to its end."""
    low, high = axis.get_ylim()
    gap, ends = (high - low) * 0.055, sorted(ends, key=lambda end: end[1])
    heights = [height for _, height, _, _ in ends]
    for i in range(1, len(heights)):  # up from the lowest, then down from the top, so that no two names overlap
        heights[i] = max(heights[i], heights[i - 1] + gap)
    heights[-1] = min(heights[-1], high)
    for i in range(len(heights) - 2, -1, -1):
        heights[i] = min(heights[i], heights[i + 1] - gap)
    for (x, y, label, colour), height in zip(ends, heights, strict=True):
        axis.plot(x, y, "o", color=colour, markersize=4)
        axis.annotate(
            label, (x, y), (1.03, height), textcoords=axis.get_yaxis_transform(), color=colour, va="center", fontsize=9,
            arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 0.5, "alpha": 0.7}, annotation_clip=False,
        )  # fmt: skip
