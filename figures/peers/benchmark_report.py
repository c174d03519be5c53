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


def is_vb(system_label: str) -> bool:
    return system_label.split()[0].strip(",") in ("vb", "scikit-learn", "gensim")


def systems_of(lines: Lines, task_name: str) -> list[str]:
    return [system_name for (system_name,) in grouped(select(lines, task=task_name), "system")]


def runs_of(lines: Lines, task_name: str, system_name: str) -> dict[str, Lines]:
    """The lines of each run of a system, by its seed."""
    return {seed: run for (seed,), run in grouped(select(lines, task=task_name, system=system_name), "seed").items()}


def until(runs: dict[str, Lines], clock: str, column: str, reaches: Callable[[str, float], bool]) -> dict[str, float]:
    """For each run, the seconds until a number has reached something; infinite if it does not."""
    return {
        seed: next((float(line[clock]) for line in rows if line[column] and reaches(seed, float(line[column]))), np.inf)
        for seed, rows in runs.items()
    }


def shown(number: float, digits: int = 3) -> str:
    return f"{number:,.0f}" if abs(number) >= 10**digits else f"{number:.{digits}g}"


def spread(sample: Collection[float], digits: int = 3) -> str:
    """Median and range of the finite numbers; how many they are, if some are not."""
    finite_x = np.sort([number for number in sample if np.isfinite(number)])
    if not len(finite_x):
        return "-"
    spread_text = shown(np.median(finite_x), digits)
    spread_text += f" ({shown(finite_x[0], digits)} to {shown(finite_x[-1], digits)})" if len(finite_x) > 1 else ""
    return spread_text if len(finite_x) == len(sample) else f"{spread_text} in {len(finite_x)} of {len(sample)} runs"


def how(options: dict) -> str:
    """The start and the schedule of a system."""
    return ", ".join(options[option] for option in ("start", "schedule") if option in options) or "its own"


def tables(tasks: Collection, system_of_label: dict, lines: Lines, memory_lines: Lines) -> dict[str, str]:
    """The tables by their names in BENCHMARK.md, and a sentence that says when and where they were measured."""
    page_texts = {task.name: of_task(task, system_of_label, lines, memory_lines) for task in tasks}
    rows = [row for task in tasks for row in bounds(task, lines)]
    page_texts["bounds"] = table(["corpus", "split", "system", "its CPU seconds over scikit-learn's, each run"], rows)
    places_text = " and ".join(f"on {day} on {machine}" for day, machine in grouped(memory_lines, "date", "machine"))
    return page_texts | {"machine": f"These numbers were measured {places_text}."}


def of_task(task: Any, system_of_label: dict, lines: Lines, memory_lines: Lines) -> str:
    """What a sweep of each system costs, when it gets to the level, where it ends, and its memory; under a title."""
    table_rows, level_text = [], f"seconds to perplexity {task.level:g}"
    head = [f"CPU {level_text}", "over tomotopy's", f"wall {level_text}", "perplexity at the last sweep"]
    head = ["system", "start, schedule", "CPU milliseconds a sweep", *(head if task.level else ["ns a row and topic"])]

    def to_level(label: str, clock_column: str = "cpu") -> dict[str, float]:
        return until(runs_of(lines, task.name, label), clock_column, "perplexity", lambda _, x: x <= task.level)

    tomotopy = to_level("tomotopy, one worker")
    for label in systems_of(lines, task.name):
        runs = runs_of(lines, task.name, label).values()
        cpu_of_runs = [numbers(run, "cpu") for run in runs]
        sweep_seconds = np.median(np.concatenate([np.diff(run) if len(run) > 1 else run for run in cpu_of_runs]))
        row_cells = [label, how(system_of_label[label].options), shown(1e3 * sweep_seconds)]
        (memory_line,) = select(memory_lines, task=task.name, system=label)
        if task.level:
            cpu, end_scores = to_level(label), [numbers(run)[-1] for run in runs if len(numbers(run))]
            time_ratios = [cpu[seed] / tomotopy[seed] for seed in cpu if np.isfinite(tomotopy.get(seed, np.inf))]
            row_cells += [spread(cpu.values()), spread(time_ratios), spread(to_level(label, "wall").values())]
            row_cells.append(f"{spread(end_scores, 4)}, sweep {next(iter(runs))[-1]['sweep']}" if end_scores else "-")
        else:
            row_cells.append(shown(1e9 * sweep_seconds / float(memory_line["rows"]) / task.K))
        table_rows.append([*row_cells, shown(float(memory_line["bytes"]))])
    return f"{task.title}\n\n" + table([*head, "bytes a row"], table_rows) if table_rows else ""


def bounds(task: Any, lines: Lines) -> list[list[str]]:
    """The CPU seconds of VB to the bound that scikit-learn has after some iterations, over scikit-learn's."""
    level_lines = select(lines, task=task.name, system="scikit-learn", sweep=LEVEL_ITERATIONS)
    level_of_seed, seconds_of, rows = by(level_lines, "bound"), by(level_lines, "cpu"), []
    for system in (label for label in systems_of(lines, task.name) if label.startswith("vb") and level_of_seed):
        vb_runs = {seed: run for seed, run in runs_of(lines, task.name, system).items() if (seed,) in level_of_seed}
        cpu = until(vb_runs, "cpu", "bound", lambda seed, bound_reached: bound_reached >= level_of_seed[seed,])
        rows.append([task.title, str(task.split), system, ", ".join(spread([cpu[x] / seconds_of[x,]], 2) for x in cpu)])
    return rows


def put(page_path: Path, new_texts: dict[str, str]) -> None:
    """Write the texts into a page, each after the comment that has its name, up to the comment that ends it."""
    text = page_path.read_text("utf-8")
    for text_name, new_text in new_texts.items():
        pattern = re.compile(rf"(<!-- {text_name} -->\n).*?(\n<!-- end -->)", re.DOTALL)
        text = pattern.sub(lambda match, new_text=new_text: match[1] + new_text + match[2], text) if new_text else text
    page_path.write_text(text, "utf-8")


# The picture ---------------------------------------------------------------------------------------------------------


def middle(lines: Lines) -> Any:
    """Seconds and perplexity after each sweep that was scored: medians over the runs."""
    scored_lines = [line for line in lines if line["perplexity"] and float(line["wall"]) > 0]
    medians = [(np.median(numbers(x, "wall")), np.median(numbers(x))) for x in grouped(scored_lines, "sweep").values()]
    return np.array(medians).reshape(-1, 2).T


def draw(lines: Lines, tasks: list, system_of_label: dict, svg_path: Path) -> None:
    figure, axes = plt.subplots(len(tasks), 1, figsize=(8, 4.4 * len(tasks)), squeeze=False)
    for axis, task in zip(axes[:, 0], tasks, strict=True):
        curve_ends, leftmost_x, y_top = [], np.inf, 1.25 * task.level
        for system in systems_of(lines, task.name):
            x, y = middle(select(lines, task=task.name, system=system))
            if len(x):
                leftmost_x = min(leftmost_x, x[y <= y_top].min(initial=np.inf))
                colour, line_style = system_of_label[system].style
                colour = COLOURS.get(colour, colour)
                axis.plot(x, y, color=colour, linestyle=line_style, linewidth=1.8)
                curve_ends.append((x[-1], y[-1], system, colour))
        y_low, y_top = min(y for _, y, _, _ in curve_ends), max(y_top, *(y for _, y, _, _ in curve_ends))
        axis.axhline(task.level, color="#999999", linewidth=0.8)
        level_at = (0.01, task.level), ("axes fraction", "data")
        axis.annotate(f"{task.level:g}", level_at[0], xycoords=level_at[1], va="bottom", color="#666666", fontsize=9)
        axis.set_ylim(y_low - 0.06 * (y_top - y_low), y_top)
        axis.set(xscale="log", xlabel="seconds of wall time, with the start", title=task.title)
        axis.set_ylabel("perplexity of held-out tokens")
        axis.set_xlim(left=0.7 * leftmost_x if np.isfinite(leftmost_x) else None)
        label_ends(axis, curve_ends)
    figure.suptitle("Coloured: this package. Grey and black: other packages. Medians of the runs.", fontsize=10)
    save(figure, svg_path)


def label_ends(axis, curve_ends: list[tuple[float, float, str, str]]) -> None:
    """The names of the lines to the right of the picture, in the order of their ends, each joined to its end."""
    y_low, y_high = axis.get_ylim()
    label_gap, curve_ends = (y_high - y_low) * 0.055, sorted(curve_ends, key=lambda end: end[1])
    label_heights = [text_y for _, text_y, _, _ in curve_ends]
    for i in range(1, len(label_heights)):  # up from the lowest, then down from the top, so that no two names overlap
        label_heights[i] = max(label_heights[i], label_heights[i - 1] + label_gap)
    label_heights[-1] = min(label_heights[-1], y_high)
    for i in range(len(label_heights) - 2, -1, -1):
        label_heights[i] = min(label_heights[i], label_heights[i + 1] - label_gap)
    for (x, y, label, colour), text_y in zip(curve_ends, label_heights, strict=True):
        axis.plot(x, y, "o", color=colour, markersize=4)
        axis.annotate(
            label, (x, y), (1.03, text_y), textcoords=axis.get_yaxis_transform(), color=colour, va="center", fontsize=9,
            arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 0.5, "alpha": 0.7}, annotation_clip=False,
        )  # fmt: skip
