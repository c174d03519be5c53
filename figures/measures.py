"""What the queries of claims.toml compute that SQL has no word for: functions of numbers, and of columns of numbers."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from lda_reference.evaluation import chains

Column = Sequence[float]


def median(numbers: Column) -> float:
    return float(np.median(numbers))


def spread(x: Column, form_column: Sequence[str] = (",.0f",)) -> str:
    """Median and range: "-617,894 (-618,700 to -617,000; 5 runs)"."""
    mid_text, low_text, high_text = (format(number, form_column[0]) for number in (np.median(x), min(x), max(x)))
    return mid_text if len(x) == 1 else f"{mid_text} ({low_text.rstrip('%')} to {high_text.rstrip('%')}; {len(x)} runs)"


def lowest(eta: Column, y: Column) -> float | None:
    """The eta of the smallest y: the minimum of a parabola in log eta through the smallest y and its neighbours.

    None if the smallest y is at an end.
    """
    log_eta, sorted_y = np.array(sorted(zip(np.log(eta), y, strict=True))).T
    i = int(sorted_y.argmin())
    if not 0 < i < len(sorted_y) - 1:
        return None
    quadratic, linear, _ = np.polyfit(log_eta[i - 1 : i + 2], sorted_y[i - 1 : i + 2], 2)
    return float(np.exp(-linear / (2 * quadratic)))


def passing(sweeps: Column, numbers: Column, level_column: Column) -> float | None:
    """The first sweep at which the interpolated values reach a level; None if they do not."""
    sorted_sweeps, sorted_numbers = np.array(sorted(zip(sweeps, numbers, strict=True))).T
    whole_sweeps = np.arange(sorted_sweeps[0], sorted_sweeps[-1] + 1)
    arrival_indices = np.flatnonzero(np.interp(whole_sweeps, sorted_sweeps, sorted_numbers) >= level_column[0])
    return float(whole_sweeps[arrival_indices[0]]) if len(arrival_indices) else None


def r_hat(chain: Column, numbers: Column) -> float | None:
    """R-hat of the second half of some chains, whose values follow each other in the order of their sweeps."""
    chain_of_line, number_of_line = np.asarray(chain), np.asarray(numbers)
    chain_traces = np.array([number_of_line[chain_of_line == chain_name] for chain_name in dict.fromkeys(chain)]).T
    return float(chains.r_hat(chain_traces[len(chain_traces) // 2 :])) if chain_traces.shape[1] > 1 else None


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


def shown(number: float | None, number_format: str) -> str | None:
    """A number by a format of Python; nothing if there is none."""
    return None if number is None else format(number, number_format)


def past(number: float | None, low: float, high: float) -> float | None:
    """How far a number is outside an interval: 0 in it, and negative below it."""
    return None if number is None else max(number - high, 0.0) + min(number - low, 0.0)


def ln(x: float | None) -> float | None:
    return None if x is None else math.log(x)


FUNCTIONS: dict[str, Callable[..., Any]] = {"shown": shown, "ln": ln, "past": past}
AGGREGATES = {function.__name__: aggregate(function) for function in (median, spread, lowest, passing, r_hat)}
