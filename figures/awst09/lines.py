"""Lines of awst09/runs.csv: which belong together, the best points of the grid, and the minima along a row."""

from pathlib import Path
from typing import Any

import numpy as np

import lda_reference as lda
from figures.common import grouped, keyed, numbers, read, select

Line = dict[str, str]
GRID = (0.1, 0.25, 0.5)  # alpha and eta of the grid that all algorithms share
LABELS = {"digamma": " (16)", "lowered": " lowered"}


OF_SEARCH = {"kos-40": "40", "kos": "10", "drawn": "8", "bars": "10"}  # K


def averages_of(folder: Path) -> list[Line]:
    """The lines of averages: of awst09/averages.csv, and of the runs and chains of search/runs.py.

    The perplexities of search/runs.py are those of held-out tokens of the training documents.
    """
    lines = read(folder / "awst09/averages.csv")
    for x in read(folder / "search/runs.csv"):
        if x["study"] in OF_SEARCH and x["start"] == "dirichlet" and x["schedule"] != "token" and x["group"] == "0":
            lines.append(_average(x, "mean" if x["algorithm"] == "vb" else "own", "1", x["seed"], ""))
    for x in read(folder / "search/chains.csv"):
        if x["study"] in OF_SEARCH:
            cgs = {"algorithm": "cgs", "schedule": "token"}
            lines.append(_average({**x, **cgs}, "own", x["samples"], x["chain"], x["r_hat"]))
    return lines


def _average(x: Line, estimator: str, samples: str, of: str, r_hat: str) -> Line:
    new = {"K": OF_SEARCH[x["study"]], "estimator": estimator, "samples": samples, "r_hat": r_hat}
    return {**x, **new, "of": of.replace("mean", "all")}


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


def of_vb(groups: dict[str, list[Line]]) -> dict[str, list[Line]]:
    return {name: lines for name, lines in groups.items() if lines[0]["algorithm"] == "vb"}


def by_seed(lines: list[Line], column: str = "perplexity") -> dict[str, float]:
    return {x["seed"]: float(x[column]) for x in lines}


def at_prior(x: Line) -> tuple[float, float]:
    """alpha and eta of a line, without the algorithm's offset."""
    return round(float(x["alpha"]) - offset(x), 8), round(float(x["eta"]) - offset(x), 8)


def points(lines: list[Line]) -> dict[tuple[float, float], list[Line]]:
    """The lines of each prior."""
    return keyed(lines, at_prior)


def cells(lines: list[Line], least: int = 3) -> dict[tuple[float, float], list[Line]]:
    """The priors that have at least so many seeds, and their lines."""
    return {at: x for at, x in points(lines).items() if len({y["seed"] for y in x}) >= least}


def of_grid(lines: list[Line]) -> dict[tuple[float, float], list[Line]]:
    """The points of the grid that all algorithms share, with at least three seeds each."""
    return {at: x for at, x in cells(lines).items() if at[0] in GRID and at[1] in GRID}


def least_of(found: dict[tuple[float, float], list[Line]]) -> tuple[tuple[float, float], list[Line]]:
    """The point with the least mean validation perplexity, and its lines."""
    at = min(found, key=lambda p: numbers(found[p], "validation").mean())
    return at, found[at]


def best(lines: list[Line]) -> tuple[tuple[float, float], list[Line]]:
    """The best point of the shared grid or, if it is not complete, of the priors with the most seeds."""
    grid, found = of_grid(lines), points(lines)
    most = max(len(x) for x in found.values())
    return least_of(grid if len(grid) == len(GRID) ** 2 else {at: x for at, x in found.items() if len(x) == most})


def minima(lines: list[Line]) -> dict[str, float]:
    """For each seed, the eta of the smallest test perplexity: the minimum of a parabola in log eta.

    The parabola goes through the smallest value and its neighbours; eta is without the algorithm's offset. A seed whose
    smallest value is at an end of the row has nan.
    """
    found = {}
    for (seed,), mine in sorted(grouped(lines, "seed").items()):
        eta, y = np.array(sorted((float(x["eta"]) - offset(x), float(x["perplexity"])) for x in mine)).T
        i, found[seed] = int(y.argmin()), float("nan")
        if 0 < i < len(y) - 1:
            a, b, _ = np.polyfit(np.log(eta[i - 1 : i + 2]), y[i - 1 : i + 2], 2)
            found[seed] = float(np.exp(-b / (2 * a)))
    return found


def fixed(lines: list[Line]) -> list[Line]:
    """The lines at the prior 0.1, 0.1, to which the algorithm's offset is added."""
    return [x for x in select(lines, setting="fixed") if x["algorithm"] != "ml" and at_prior(x) == (0.1, 0.1)]


def usual(lines: list[Line]) -> list[Line]:
    """The lines with the paper's estimates (15), without VB from raised priors."""
    return select([x for x in lines if x["setting"] != "raised"], estimator=("mean", "own"))
