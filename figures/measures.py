"""What the queries of claims.toml compute that SQL has no word for: functions of numbers, and of columns of numbers."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from lda_reference.evaluation import chains

Column = Sequence[float]


def median(x: Column) -> float:
    return float(np.median(x))


def spread(x: Column, form: Sequence[str] = (",.0f",)) -> str:
    """Median and range: "-617,894 (-618,700 to -617,000; 5 runs)"."""
    middle, low, high = (format(y, form[0]) for y in (np.median(x), min(x), max(x)))
    return middle if len(x) == 1 else f"{middle} ({low.rstrip('%')} to {high.rstrip('%')}; {len(x)} runs)"


def lowest(eta: Column, y: Column) -> float | None:
    """The eta of the smallest y: the minimum of a parabola in log eta through the smallest y and its neighbours.

    None if the smallest y is at an end.
    """
    log_eta, heights = np.array(sorted(zip(np.log(eta), y, strict=True))).T
    i = int(heights.argmin())
    if not 0 < i < len(heights) - 1:
        return None
    a, b, _ = np.polyfit(log_eta[i - 1 : i + 2], heights[i - 1 : i + 2], 2)
    return float(np.exp(-b / (2 * a)))


def passing(sweeps: Column, numbers: Column, level: Column) -> float | None:
    """The first sweep at which the interpolated values reach a level; None if they do not."""
    x, y = np.array(sorted(zip(sweeps, numbers, strict=True))).T
    t = np.arange(x[0], x[-1] + 1)
    arrivals = np.flatnonzero(np.interp(t, x, y) >= level[0])
    return float(t[arrivals[0]]) if len(arrivals) else None


def r_hat(chain: Column, numbers: Column) -> float | None:
    """R-hat of the second half of some chains, whose values follow each other in the order of their sweeps."""
    chain_of_line, y = np.asarray(chain), np.asarray(numbers)
    trace = np.array([y[chain_of_line == chain_name] for chain_name in dict.fromkeys(chain)]).T
    return float(chains.r_hat(trace[len(trace) // 2 :])) if trace.shape[1] > 1 else None


def aggregate(function: Callable[..., Any]) -> type:
    """A function of columns as an aggregate of SQLite; lines that lack a number are left out."""

    class Lines:
        def __init__(self) -> None:
            self.lines: list[tuple[Any, ...]] = []

        def step(self, *line: Any) -> None:
            if None not in line:
                self.lines.append(line)

        def finalize(self) -> Any:
            return function(*zip(*self.lines, strict=True)) if self.lines else None

    return Lines


def shown(x: float | None, form: str) -> str | None:
    """A number by a format of Python; nothing if there is none."""
    return None if x is None else format(x, form)


def past(x: float | None, low: float, high: float) -> float | None:
    """How far a number is outside an interval: 0 in it, and negative below it."""
    return None if x is None else max(x - high, 0.0) + min(x - low, 0.0)


def ln(x: float | None) -> float | None:
    return None if x is None else math.log(x)


FUNCTIONS: dict[str, Callable[..., Any]] = {"shown": shown, "ln": ln, "past": past}
AGGREGATES = {x.__name__: aggregate(x) for x in (median, spread, lowest, passing, r_hat)}
