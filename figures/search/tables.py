"""The tables of the study of starts and schedules, as Markdown for the ledger.

They have a line for each algorithm and schedule, with the starts in columns; search/runs.csv has every run.
"""

from pathlib import Path
from typing import Any

import numpy as np

from figures.common import grouped, numbers, read, select, table

Pair = tuple[str, ...]  # algorithm, schedule
Rows = list[dict[str, str]]
STARTS = ("dirichlet", "topics", "documents", "incremental", "growing", "collapsed", "anneal")


def spread(sample: Any, digits: int | None = None) -> str:
    """The median, and the range in brackets."""
    digits = digits_of(sample) if digits is None else digits
    if len(sample) == 1:
        return f"{sample[0]:.{digits}f}"
    return f"{np.median(sample):.{digits}f} ({min(sample):.{digits}f} to {max(sample):.{digits}f})"


def digits_of(sample: Any) -> int:
    return 2 if np.median(sample) < 200 else 0


def runs_of(folder: Path, study: str) -> dict[Pair, dict[str, Rows]]:
    """The runs of each algorithm and schedule by their start."""
    run_lines = [line for line in select(read(folder / "search/runs.csv"), study=study) if line["seed"] != "mean"]
    pairs = grouped(run_lines, "algorithm", "schedule").items()
    return {pair: {start: rows for (start,), rows in grouped(pair_rows, "start").items()} for pair, pair_rows in pairs}


def by_run(runs: dict[Pair, dict[str, Rows]], column: str) -> dict[Pair, float]:
    """A number of each run, by algorithm, schedule, start and seed."""
    lines = [(pair, start, row) for pair, by_start in runs.items() for start, rows in by_start.items() for row in rows]
    return {(*pair, start, row["seed"]): float(row[column]) for pair, start, row in lines}


def runs_table(folder: Path, study: str) -> list[str]:
    """Median perplexity with its range, and the median training value, for each start."""
    runs, lines = runs_of(folder, study), []
    starts = sorted({start for rows_of_start in runs.values() for start in rows_of_start}, key=STARTS.index)
    for pair, rows_of_start in runs.items():
        all_rows = [row for rows in rows_of_start.values() for row in rows]
        run_counts = sorted({len(rows) for rows in rows_of_start.values()})
        n_unsettled = sum(row["settled"] != "True" for row in all_rows)
        cell = f"{np.median(numbers(all_rows, 'sweeps')):.0f}" + (f", {n_unsettled} not settled" if n_unsettled else "")
        scores = {start: numbers(rows, "perplexity") for start, rows in rows_of_start.items()}
        median_bounds = {start: np.median(numbers(rows, "value")) for start, rows in rows_of_start.items()}
        cells = [", ".join(pair), " to ".join(map(str, sorted({run_counts[0], run_counts[-1]}))), cell]
        cells += [f"{spread(scores[start])}; {median_bounds[start]:.3f}" if start in scores else "" for start in starts]
        lines.append((min(np.median(sample) for sample in scores.values()), pair, cells))
    return table(["algorithm, schedule", "runs", "sweeps", *starts], [line[2] for line in sorted(lines)]).splitlines()


def cross_table(folder: Path, study: str) -> list[str]:
    """From each end (line), what each algorithm (column) gains in its own value, and how its perplexity changes.

    The gain is the value reached from that end minus the value that the algorithm reaches from the random start from
    which the other algorithm came. The last line has the standard deviation of the value between the algorithm's own
    ends, to judge the gains by.
    """
    runs, table_rows = runs_of(folder, study), []
    random = by_run(runs, "value")
    rows_of_source = grouped(select(read(folder / "search/cross.csv"), study=study), "from", "from_schedule")
    targets = list(dict.fromkeys((row["to"], row["to_schedule"]) for rows in rows_of_source.values() for row in rows))
    for source, rows in rows_of_source.items():
        by_target = grouped(rows, "to", "to_schedule")
        cells = [f"{', '.join(source)} ({max(map(len, by_target.values()))})"]
        for target in targets:
            ends = by_target.get(target, [])
            keys = [(*target, end["from_start"], end["seed"]) for end in ends]
            gains = [float(x["value_after"]) - random[key] for x, key in zip(ends, keys, strict=True) if key in random]
            before, after = (numbers(ends, f"perplexity_{when}") for when in ("before", "after"))
            gain_text = f"{np.mean(gains):+.4f}; " if gains else ""
            digits = digits_of(after) if ends else 0
            cells.append(f"{gain_text}{np.median(before):.{digits}f} → {np.median(after):.{digits}f}" if ends else "")
        table_rows.append(cells)
    own_values = [numbers(runs.get(target, {}).get("dirichlet", []), "value") for target in targets]
    deviation_texts = [f"{np.std(sample, ddof=1):.4f}" if len(sample) > 1 else "" for sample in own_values]
    if table_rows and any(deviation_texts):
        table_rows.append(["standard deviation of its own values", *deviation_texts])
    return table(["from (ends) \\ to", *map(", ".join, targets)], table_rows).splitlines()
