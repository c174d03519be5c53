"""The tables of the study of starts and schedules, as Markdown for the ledger.

They have a line for each algorithm and schedule, with the starts in columns; search/runs.csv has every run.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import numpy as np

from figures.common import read
from lda_reference.evaluation import search

Key = tuple[str, str, str]  # algorithm, schedule, start
Rows = list[dict[str, str]]
STARTS = ["dirichlet", "topics", "documents", "growing", "incremental"]


def table(head: list[str], lines: list[list[str]]) -> list[str]:
    return ["| " + " | ".join(line) + " |" for line in (head, ["---"] * len(head), *lines)] if lines else []


def spread(x: list[float], digits: int) -> str:
    """The median, and the range in brackets."""
    if len(x) == 1:
        return f"{x[0]:.{digits}f}"
    return f"{np.median(x):.{digits}f} ({min(x):.{digits}f} to {max(x):.{digits}f})"


def digits_of(x: list[float] | np.ndarray) -> int:
    return 2 if np.median(x) < 200 else 0


def numbers(rows: Rows, name: str) -> list[float]:
    return [float(row[name]) for row in rows]


def grouped(folder: Path, study: str) -> tuple[dict[Key, Rows], dict[Key, tuple[int, float]]]:
    """The runs by algorithm, schedule and start; the number and the perplexity of the mean of the first group."""
    runs: dict[Key, Rows] = defaultdict(list)
    means: dict[Key, tuple[int, float]] = {}
    for row in read(folder / "search/runs.csv"):
        if row["study"] == study:
            key = row["algorithm"], row["schedule"], row["start"]
            if row["seed"] == "mean":
                means.setdefault(key, (len(runs[key]), float(row["perplexity"])))
            else:
                runs[key].append(row)
    return runs, means


def starts_of(runs: dict[Key, Rows]) -> list[str]:
    return sorted({key[2] for key in runs}, key=lambda x: (STARTS.index(x) if x in STARTS else len(STARTS), x))


def runs_table(folder: Path, study: str) -> list[str]:
    """Median perplexity with its range, and the median training value, for each start."""
    runs, _ = grouped(folder, study)
    starts, lines = starts_of(runs), {}
    for pair in dict.fromkeys(key[:2] for key in runs):
        mine = {start: runs[*pair, start] for start in starts if (*pair, start) in runs}
        counts = sorted({len(x) for x in mine.values()})
        every = [row for x in mine.values() for row in x]
        unsettled = sum(row["settled"] != "True" for row in every)
        sweeps = f"{np.median(numbers(every, 'sweeps')):.0f}" + (f", {unsettled} not settled" if unsettled else "")
        cells = [", ".join(pair), " to ".join(map(str, sorted({counts[0], counts[-1]}))), sweeps]
        medians = []
        for start in starts:
            score = numbers(mine.get(start, []), "perplexity")
            value = np.median(numbers(mine[start], "value")) if score else 0.0
            cells.append(f"{spread(score, digits_of(score))}; {value:.3f}" if score else "")
            medians += [float(np.median(score))] if score else []
        lines[min(medians), pair] = cells
    return table(["algorithm, schedule", "runs", "sweeps", *starts], [lines[key] for key in sorted(lines)])


def cross_table(folder: Path, study: str) -> list[str]:
    """From each end (line), what each algorithm (column) gains in its own value, and how its perplexity changes.

    The gain is the value reached from that end minus the value that the algorithm reaches from the random start from
    which the other algorithm came. The last line has the standard deviation of the value between the algorithm's own
    ends, to judge the gains by.
    """
    runs, _ = grouped(folder, study)
    own = {(*key, row["seed"]): float(row["value"]) for key, rows in runs.items() for row in rows}
    cells: dict[tuple[str, str], dict[tuple[str, str], Rows]] = defaultdict(lambda: defaultdict(list))
    for row in read(folder / "search/cross.csv"):
        if row["study"] == study:
            cells[row["from"], row["from_schedule"]][row["to"], row["to_schedule"]].append(row)
    targets = list(dict.fromkeys(target for x in cells.values() for target in x))
    lines = []
    for source, x in cells.items():
        line = [f"{', '.join(source)} ({max(map(len, x.values()))})"]
        for target in targets:
            mine = x.get(target, [])
            keys = [(*target, row["from_start"], row["seed"]) for row in mine]
            gains = [float(row["value_after"]) - own[key] for row, key in zip(mine, keys, strict=True) if key in own]
            before, after = (numbers(mine, f"perplexity_{when}") for when in ("before", "after"))
            gain = f"{np.mean(gains):+.4f}; " if gains else ""
            digits = digits_of(after) if mine else 0
            line.append(f"{gain}{np.median(before):.{digits}f} → {np.median(after):.{digits}f}" if mine else "")
        lines.append(line)
    values = [numbers(runs.get((*target, "dirichlet"), []), "value") for target in targets]
    spreads = [f"{np.std(x, ddof=1):.4f}" if len(x) > 1 else "" for x in values]
    if lines and any(spreads):
        lines.append(["standard deviation of its own values", *spreads])
    return table(["from (ends) \\ to", *map(", ".join, targets)], lines)


def parts_table(folder: Path, study: str) -> list[str]:
    """How much of the gap in perplexity to CVB0 an algorithm loses when it starts at CVB0's end."""
    runs, _ = grouped(folder, study)
    own = {(*key, row["seed"]): float(row["perplexity"]) for key, rows in runs.items() for row in rows}
    found: dict[tuple[str, str], dict[str, list[tuple[float, float, float]]]] = defaultdict(lambda: defaultdict(list))
    for row in read(folder / "search/cross.csv"):
        key = row["to"], row["to_schedule"], row["from_start"], row["seed"]
        if row["study"] == study and row["from"] == "cvb0" and row["to"] in ("vb", "cvb") and key in own:
            values = own[key], float(row["perplexity_after"]), float(row["perplexity_before"])
            found[key[:2]][row["seed"]].append(values)
    lines = []
    for pair, seeds in found.items():
        alone, after, before = np.array(
            [np.mean(x, 0) for x in seeds.values()]
        ).T  # ends of one seed are not independent
        digits = digits_of(before)
        parts = [search.paired(a, b) for a, b in ((alone, before), (alone, after), (after, before))]
        shown = [f"{d.mean:.{digits}f}" + (f" ± {d.standard_error:.{digits}f}" if d.pairs > 2 else "") for d in parts]
        share = f"{100 * parts[1].mean / parts[0].mean:.0f}%" if parts[0].mean > 0 else ""
        lines.append([", ".join(pair), str(sum(map(len, seeds.values()))), str(len(seeds)), *shown, share])
    head = ["algorithm, schedule", "ends of CVB0", "seeds", "gap to CVB0", "lost from CVB0's end", "left", "share lost"]
    return table(head, lines)


def chains_table(folder: Path, study: str) -> list[str]:
    """Collapsed Gibbs: R-hat, and the perplexity by (20) of 1, 10 and 100 samples of a chain and of all chains."""
    rows = [row for row in read(folder / "search/chains.csv") if row["study"] == study]
    if not rows:
        return []
    first, lines = rows[0], []
    for S in dict.fromkeys(row["samples"] for row in rows):
        own = numbers([row for row in rows if row["samples"] == S and row["chain"] != "all"], "perplexity")
        every = numbers([row for row in rows if row["samples"] == S and row["chain"] == "all"], "perplexity")[0]
        digits = digits_of([every])
        lines.append([S, spread(own, digits), f"{every:.{digits}f}"])
    return [
        f"{first['chains']} chains of collapsed Gibbs of {first['sweeps']} sweeps. R-hat of log p(x, z) is"
        f" {float(first['r_hat']):.3f} in the second half.",
        "",
        *table(["samples of each chain", "perplexity of a chain", "of all chains"], lines),
    ]


SYSTEMS = {("vb", "corpus"): "vb", ("vb", "nested"): "vb, nested", ("cvb0", "block"): "cvb0", ("cvb", "block"): "cvb"}


def seconds_per_sweep(folder: Path) -> dict[tuple[str, str], float]:
    """Wall seconds of a sweep of KOS, from the benchmark, which runs alone on its machine."""
    found = {}
    rows = [row for row in read(folder / "peers/benchmark.csv") if row["corpus"] == "KOS"]
    for key, system in SYSTEMS.items():
        runs = defaultdict(list)
        for row in rows:
            if row["system"] == system and row["wall"]:
                runs[row["seed"]].append((int(row["sweep"]), float(row["wall"])))
        slopes = [(x[-1][1] - x[0][1]) / (x[-1][0] - x[0][0]) for x in map(sorted, runs.values()) if len(x) > 1]
        if slopes:
            found[key] = float(np.median(slopes))
    return found


def prices(folder: Path, study: str, benchmark: Path, runs: dict[Key, Rows]) -> dict[tuple[str, str], float]:
    """Seconds of a sweep: for KOS the benchmark's, for other corpora the medians of the runs themselves."""
    if study == "kos":
        return seconds_per_sweep(benchmark)
    found = defaultdict(list)
    for key, rows in runs.items():
        found[key[:2]] += [float(row["seconds"]) / float(row["sweeps"]) for row in rows]
    return {pair: float(np.median(x)) for pair, x in found.items()}


def matched_table(folder: Path, study: str, benchmark: Path) -> list[str]:
    """The best of as many runs as fit, to the nearest number, the time of one run of VB in nested order.

    A cell has the expected perplexity and value of the run with the highest training value among R, and how many would
    fit if fewer were made. The averages are of all runs from `dirichlet`, however long they took.
    """
    runs, means = grouped(folder, study)
    price, starts, lines = prices(folder, study, benchmark, runs), starts_of(runs), {}
    own = {key: price[key[:2]] * float(np.median(numbers(rows, "sweeps"))) for key, rows in runs.items()
           if key[:2] in price}  # fmt: skip
    budget = own.get(("vb", "nested", "dirichlet"), 0.0)
    for pair in dict.fromkeys(key[:2] for key in own) if budget else ():
        cells, found = [], []
        for start in starts:
            rows = runs.get((*pair, start), [])
            if not rows:
                cells.append("")
                continue
            fit = round(budget / own[*pair, start])
            R = min(max(fit, 1), len(rows))
            score = numbers(rows, "perplexity")
            value = numbers(rows, "value")
            highest, best = (search.best_of(value, x, R) for x in (value, score))
            more = f" ({fit} fit)" if fit > R else "" if fit else f" ({own[*pair, start] / budget:.0f} times the cost)"
            cells.append(f"{best:.{digits_of(score)}f}; {highest:.3f}, of {R}{more}")
            found.append(best)
        number, average = means.get((*pair, "dirichlet"), (0, 0.0))
        last = f"{average:.{digits_of([average])}f}, of {number}" if number else ""
        lines[min(found), pair] = [", ".join(pair), *cells, last]
    head = ["algorithm, schedule", *starts, "average of the ends from dirichlet"]
    if not lines:
        return []
    source = "peers/benchmark.csv" if study == "kos" else "search/runs.csv, on a machine with other work"
    return [
        f"The best of R runs at the cost of one run of VB in `nested` order from `dirichlet` ({budget:.2g} s;"
        f" the seconds are those of {source}):",
        "",
        *table(head, [lines[key] for key in sorted(lines)]),
    ]
