"""The tables of the study of starts and schedules, as Markdown for the ledger."""

from collections import defaultdict
from pathlib import Path

import numpy as np
from common import read

from lda_reference.evaluation import search


def spread(x: list[float], digits: int) -> str:
    """The median, and the range in brackets."""
    if len(x) == 1:
        return f"{x[0]:.{digits}f}"
    return f"{np.median(x):.{digits}f} ({min(x):.{digits}f} to {max(x):.{digits}f})"


def runs_table(folder: Path, study: str) -> list[str]:
    """A line for each algorithm, schedule and start: bounds and perplexity, and what averages and restarts give."""
    groups = defaultdict(list)
    mean = {}
    for row in read(folder / "search_runs.csv"):
        if row["study"] == study:
            key = row["algorithm"], row["schedule"], row["start"]
            if row["seed"] == "mean":
                mean.setdefault(key, float(row["perplexity"]))  # of the first group of seeds
            else:
                groups[key].append(row)
    if not groups:
        return []
    lines = [
        "| algorithm | schedule | start | runs | sweeps | bound (2) | bound (12) | perplexity | run with the best own"
        " value | average of the first group |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for key, mine in sorted(groups.items(), key=lambda item: np.median([float(x["perplexity"]) for x in item[1]])):
        two, twelve, score, value = (
            [float(row[x]) for row in mine] for x in ("bound_2", "bound_12", "perplexity", "value")
        )
        sweeps = f"{np.median([float(row['sweeps']) for row in mine]):.0f}"
        unsettled = sum(row["settled"] != "True" for row in mine)
        sweeps += f", {unsettled} not settled" if unsettled else ""
        digits = 2 if np.median(score) < 200 else 0
        best = f"{search.best_of(value, score, len(score)):.{digits}f}"
        cells = [*key, len(mine), sweeps, spread(two, 4), spread(twelve, 4), spread(score, digits), best]
        lines.append("| " + " | ".join(map(str, [*cells, f"{mean[key]:.{digits}f}"])) + " |")
    return lines


def cross_table(folder: Path, study: str) -> list[str]:
    """From each end (line), what each algorithm (column) gains in its own value, and how its perplexity changes.

    The gain is the value reached from that end minus the value that the algorithm reaches from the random start from
    which the other algorithm came.
    """
    cells = defaultdict(list)
    names = "study", "algorithm", "schedule", "start", "seed"
    own = {tuple(row[x] for x in names): row["value"] for row in read(folder / "search_runs.csv")}
    for row in read(folder / "search_cross.csv"):
        if row["study"] == study:
            cells[f"{row['from']}, {row['from_schedule']}", f"{row['to']}, {row['to_schedule']}"].append(row)
    if not cells:
        return []
    sources, targets = (list(dict.fromkeys(key[i] for key in cells)) for i in (0, 1))
    lines = ["| from \\ to | " + " | ".join(targets) + " |", "|---" * (len(targets) + 1) + "|"]
    for source in sources:
        line = [source]
        for target in targets:
            mine = cells.get((source, target), [])
            if not mine:
                line.append("")
                continue
            keys = [(study, row["to"], row["to_schedule"], row["from_start"], row["seed"]) for row in mine]
            gains = [
                float(row["value_after"]) - float(own[key]) for row, key in zip(mine, keys, strict=True) if key in own
            ]
            before, after = (np.median([float(row[f"perplexity_{x}"]) for row in mine]) for x in ("before", "after"))
            digits = 2 if after < 200 else 0
            gain = f"{np.mean(gains):+.4f}; " if gains else ""
            line.append(f"{gain}{before:.{digits}f} → {after:.{digits}f}")
        lines.append("| " + " | ".join(line) + " |")
    return lines


def chains_table(folder: Path, study: str) -> list[str]:
    """Collapsed Gibbs: R-hat, and the perplexity by (20) of 1, 10 and 100 samples of a chain and of all chains."""
    rows = [row for row in read(folder / "search_chains.csv") if row["study"] == study]
    if not rows:
        return []
    first = rows[0]
    lines = [
        f"{first['chains']} chains of collapsed Gibbs of {first['sweeps']} sweeps. R-hat of log p(x, z) is"
        f" {float(first['r_hat']):.3f} in the second half.",
        "",
        "| samples of each chain | perplexity of a chain | of all chains |",
        "|---|---|---|",
    ]
    for S in dict.fromkeys(row["samples"] for row in rows):
        own = [float(row["perplexity"]) for row in rows if row["samples"] == S and row["chain"] != "all"]
        of_all = [float(row["perplexity"]) for row in rows if row["samples"] == S and row["chain"] == "all"]
        every = of_all[0]
        digits = 2 if every < 200 else 0
        lines.append(f"| {S} | {spread(own, digits)} | {every:.{digits}f} |")
    return lines


SYSTEMS = {("vb", "corpus"): "vb", ("vb", "nested"): "vb, nested", ("cvb0", "block"): "cvb0", ("cvb", "block"): "cvb"}


def seconds_per_sweep(folder: Path) -> dict[tuple[str, str], float]:
    """Wall seconds of a sweep of KOS, from the benchmark, which runs alone on its machine."""
    found = {}
    rows = [row for row in read(folder / "benchmark.csv") if row["corpus"] == "KOS"]
    for key, system in SYSTEMS.items():
        runs = defaultdict(list)
        for row in rows:
            if row["system"] == system and row["wall"]:
                runs[row["seed"]].append((int(row["sweep"]), float(row["wall"])))
        slopes = [(x[-1][1] - x[0][1]) / (x[-1][0] - x[0][0]) for x in map(sorted, runs.values()) if len(x) > 1]
        if slopes:
            found[key] = float(np.median(slopes))
    return found


def matched_table(folder: Path, benchmark: Path) -> list[str]:
    """On KOS with K = 10: the best of as many runs as fit the time of one run of VB in nested order."""
    groups = defaultdict(list)
    for row in read(folder / "search_runs.csv"):
        if row["study"] == "kos" and row["seed"] != "mean":
            groups[row["algorithm"], row["schedule"], row["start"]].append(row)
    price, lines = seconds_per_sweep(benchmark), []
    seconds = {
        key: price[key[:2]] * np.median([float(row["sweeps"]) for row in mine])
        for key, mine in groups.items() if key[:2] in price
    }  # fmt: skip
    budget = max((x for key, x in seconds.items() if key[:2] == ("vb", "nested")), default=0.0)
    for key, own in sorted(seconds.items()):
        mine, fit = groups[key], int(budget / own)
        if not fit:
            continue
        R = min(fit, len(mine))
        value, score = ([float(row[x]) for row in mine] for x in ("value", "perplexity"))
        one, best = (search.best_of(value, score, x) for x in (1, R))
        lines.append(f"| {', '.join(key)} | {own:.1f} | {fit} | {R} | {one:.0f} | {best:.0f} |")
    if not lines:
        return []
    names = (
        "algorithm, schedule, start",
        "seconds of a run",
        "runs in the budget",
        "R",
        "perplexity of one",
        "best of R",
    )
    return ["| " + " | ".join(names) + " |", "|---" * len(names) + "|", *lines]
