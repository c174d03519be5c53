"""Lines of awst09/runs.csv for the pictures: which belong together, and the best points of the grid."""

from pathlib import Path
from typing import Any

import lda_reference as lda
from figures.common import keyed, numbers, read, select

Line = dict[str, str]
GRID = (0.1, 0.25, 0.5)  # alpha and eta of the grid that all algorithms share
LABELS = {"digamma": " (16)", "lowered": " lowered"}
SEARCH_K = {"kos": "10", "drawn": "8", "bars": "10"}  # K


def averages_of(folder: Path) -> list[Line]:
    """The lines of averages: of awst09/averages.csv, and of the runs and chains of the study of search.

    The perplexities of that study are those of held-out tokens of the training documents.
    """
    run_lines = select(read(folder / "search/runs.csv"), study=tuple(SEARCH_K), start="dirichlet", group="0")
    run_averages = [{**run, "samples": "1", "r_hat": "", "of": run["seed"].replace("mean", "all")} for run in run_lines]
    chain_lines = select(read(folder / "search/chains.csv"), study=tuple(SEARCH_K))
    study_lines = [end for end in run_averages if end["schedule"] != "token"]
    study_lines += [{**chain, "algorithm": "cgs", "schedule": "token", "of": chain["chain"]} for chain in chain_lines]
    estimator_of_A = {"vb": "mean"}  # the others have one of their own
    return read(folder / "awst09/averages.csv") + [
        {**x, "K": SEARCH_K[x["study"]], "estimator": estimator_of_A.get(x["algorithm"], "own")} for x in study_lines
    ]


def lines_of(csv_path: Any, begin_alpha: str = "0.5") -> list[Line]:
    """The lines of a file; of the runs that learn both priors, those that begin as in the paper, at 0.5, 0.5."""
    return [line for line in read(csv_path) if line["setting"] != "minka" or line["alpha"] == begin_alpha]


def ends(csv_path: Any, begin_alpha: str = "0.5", **where: Any) -> list[Line]:
    """The lines of the ends of runs; for vb those that fold in with the schedule of the run."""
    lines = [line for line in lines_of(csv_path, begin_alpha) if line["at"].startswith("end")]
    return select([line for line in lines if line["algorithm"] != "vb" or line["fold"] == line["schedule"]], **where)


def offset(csv_line: Line) -> float:
    return lda.ALGORITHMS[csv_line["algorithm"]].prior_offset if csv_line["algorithm"] != "ml" else 0.0


def label(line: Line) -> str:
    """The algorithm, with its schedule, start and estimate where they are not the usual ones."""
    usual_schedule = "token" if line["algorithm"] == "cgs" else "" if line["algorithm"] == "vb" else "corpus"
    schedule = "" if line["schedule"] == usual_schedule else line["schedule"]
    start = {"cvb0": "from cvb0", "growing": "growing"}.get(line["start"], "")
    return " ".join(word for word in (line["algorithm"], schedule, start) if word) + LABELS.get(line["estimator"], "")


def by_label(lines: list[Line]) -> dict[str, list[Line]]:
    """The lines of each label, in the order of the algorithms."""
    order = ["ml", "map", "vb", "cvb", "cvb0", "cgs"]
    columns = ("schedule", "start", "estimator")
    return keyed(sorted(lines, key=lambda x: (order.index(x["algorithm"]), *(x[column] for column in columns))), label)


def at_prior(csv_line: Line) -> tuple[float, float]:
    """alpha and eta of a line, without the algorithm's offset."""
    return round(float(csv_line["alpha"]) - offset(csv_line), 8), round(float(csv_line["eta"]) - offset(csv_line), 8)


def points(csv_lines: list[Line]) -> dict[tuple[float, float], list[Line]]:
    """The lines of each prior."""
    return keyed(csv_lines, at_prior)


def of_grid(lines: list[Line]) -> dict[tuple[float, float], list[Line]]:
    """The points of the grid that all algorithms share, with at least three seeds each."""
    grid_points = {prior: runs for prior, runs in points(lines).items() if prior[0] in GRID and prior[1] in GRID}
    return {prior: runs for prior, runs in grid_points.items() if len({line["seed"] for line in runs}) >= 3}


def least_of(lines_of_prior: dict[tuple[float, float], list[Line]]) -> tuple[tuple[float, float], list[Line]]:
    """The point with the least mean validation perplexity, and its lines."""
    best_point = min(lines_of_prior, key=lambda point: numbers(lines_of_prior[point], "validation").mean())
    return best_point, lines_of_prior[best_point]


def best(lines: list[Line]) -> tuple[tuple[float, float], list[Line]]:
    """The best point of the shared grid or, if it is not complete, of the priors with the most seeds."""
    grid, lines_at = of_grid(lines), points(lines)
    max_runs = max(len(runs) for runs in lines_at.values())
    is_complete = len(grid) == len(GRID) ** 2
    return least_of(grid if is_complete else {prior: runs for prior, runs in lines_at.items() if len(runs) == max_runs})
