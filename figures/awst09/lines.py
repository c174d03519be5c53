"""Lines of awst09/runs.csv for the pictures: which belong together, and the best points of the grid."""

from pathlib import Path
from typing import Any

import lda_reference as lda
from figures.common import keyed, numbers, read, select

Line = dict[str, str]
GRID = (0.1, 0.25, 0.5)  # alpha and eta of the grid that all algorithms share
LABELS = {"digamma": " (16)", "lowered": " lowered"}
OF_SEARCH = {"kos": "10", "drawn": "8", "bars": "10"}  # K


def averages_of(folder: Path) -> list[Line]:
    """The lines of averages: of awst09/averages.csv, and of the runs and chains of the study of search.

    The perplexities of that study are those of held-out tokens of the training documents.
    """
    runs = select(read(folder / "search/runs.csv"), study=tuple(OF_SEARCH), start="dirichlet", group="0")
    ends = [{**x, "samples": "1", "r_hat": "", "of": x["seed"].replace("mean", "all")} for x in runs]
    chains = select(read(folder / "search/chains.csv"), study=tuple(OF_SEARCH))
    lines = [x for x in ends if x["schedule"] != "token"]
    lines += [{**x, "algorithm": "cgs", "schedule": "token", "of": x["chain"]} for x in chains]
    estimators = {"vb": "mean"}  # the others have one of their own
    return read(folder / "awst09/averages.csv") + [
        {**x, "K": OF_SEARCH[x["study"]], "estimator": estimators.get(x["algorithm"], "own")} for x in lines
    ]


def lines_of(path: Any, begin: str = "0.5") -> list[Line]:
    """The lines of a file; of the runs that learn both priors, those that begin as in the paper, at 0.5, 0.5."""
    return [x for x in read(path) if x["setting"] != "minka" or x["alpha"] == begin]


def ends(path: Any, begin: str = "0.5", **where: Any) -> list[Line]:
    """The lines of the ends of runs; for vb those that fold in with the schedule of the run."""
    lines = [x for x in lines_of(path, begin) if x["at"].startswith("end")]
    return select([x for x in lines if x["algorithm"] != "vb" or x["fold"] == x["schedule"]], **where)


def offset(x: Line) -> float:
    return lda.ALGORITHMS[x["algorithm"]].prior_offset if x["algorithm"] != "ml" else 0.0


def label(x: Line) -> str:
    """The algorithm, with its schedule, start and estimate where they are not the usual ones."""
    usual = "token" if x["algorithm"] == "cgs" else "" if x["algorithm"] == "vb" else "corpus"
    schedule = "" if x["schedule"] == usual else x["schedule"]
    start = {"cvb0": "from cvb0", "growing": "growing"}.get(x["start"], "")
    return " ".join(y for y in (x["algorithm"], schedule, start) if y) + LABELS.get(x["estimator"], "")


def by_label(lines: list[Line]) -> dict[str, list[Line]]:
    """The lines of each label, in the order of the algorithms."""
    order = ["ml", "map", "vb", "cvb", "cvb0", "cgs"]
    columns = ("schedule", "start", "estimator")
    return keyed(sorted(lines, key=lambda x: (order.index(x["algorithm"]), *(x[y] for y in columns))), label)


def at_prior(x: Line) -> tuple[float, float]:
    """alpha and eta of a line, without the algorithm's offset."""
    return round(float(x["alpha"]) - offset(x), 8), round(float(x["eta"]) - offset(x), 8)


def points(lines: list[Line]) -> dict[tuple[float, float], list[Line]]:
    """The lines of each prior."""
    return keyed(lines, at_prior)


def of_grid(lines: list[Line]) -> dict[tuple[float, float], list[Line]]:
    """The points of the grid that all algorithms share, with at least three seeds each."""
    shared = {prior: x for prior, x in points(lines).items() if prior[0] in GRID and prior[1] in GRID}
    return {prior: x for prior, x in shared.items() if len({y["seed"] for y in x}) >= 3}


def least_of(runs: dict[tuple[float, float], list[Line]]) -> tuple[tuple[float, float], list[Line]]:
    """The point with the least mean validation perplexity, and its lines."""
    lowest = min(runs, key=lambda p: numbers(runs[p], "validation").mean())
    return lowest, runs[lowest]


def best(lines: list[Line]) -> tuple[tuple[float, float], list[Line]]:
    """The best point of the shared grid or, if it is not complete, of the priors with the most seeds."""
    grid, runs = of_grid(lines), points(lines)
    largest = max(len(x) for x in runs.values())
    is_complete = len(grid) == len(GRID) ** 2
    return least_of(grid if is_complete else {prior: x for prior, x in runs.items() if len(x) == largest})
