"""Changes of digits: sums that are added up in narrow numbers, and quick ways to Ψ."""

import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any

from ...plain.numbers import digamma
from .change import Change, Method, at, bare, in_single, of_table
from .in_functions import SERIES
from .in_padding import PARTS


def _significant(bits: int) -> Callable[[float], float]:
    """The nearest number with some significant bits."""

    def rounded(x: float) -> float:
        mantissa, exponent = math.frexp(x)
        return math.ldexp(round(math.ldexp(mantissa, bits)), exponent - bits)

    return rounded


NARROW: dict[str, Callable[[float], float]] = {
    "single precision": in_single, "half precision": lambda x: in_single(x, "e"),
    "TF32": _significant(11), "bfloat16": _significant(8),
}  # fmt: skip
UNITS = {f"units of 1/{unit}, each summand rounded down": lambda x, unit=unit: math.floor(x * unit) / unit
         for unit in (2**8, 2**10, 2**16, 2**20)}  # fmt: skip


def _added_up(rounded: Callable[[float], float]) -> Method:
    def N(self: Any, right: Method, part: str, gamma: Any, i: int, k: int) -> float:
        total = 0.0
        for r, n in self.left(part, i):
            total = rounded(total + rounded(n * gamma[r][k]))
        return total

    return N


def _digamma_above(steps: int, terms: int) -> Callable[[float], float]:
    """Ψ by some terms of its series at x + steps."""

    def function(x: float) -> float:
        above = x + steps
        series = sum(factor / above**power for power, factor in list(SERIES.values())[:terms])
        return math.log(above) - series - sum(1 / (x + m) for m in range(steps))

    return function


def _from_table(size: int, rounded: Callable[[float], int]) -> Callable[[float], float]:
    return lambda x: digamma(rounded(x * size) / size)


def _then(f: Callable[[float], float]) -> Callable[[float], float]:
    return lambda x: f(digamma(x))


ROUNDED: dict[str, Callable[[float], int]] = {"nearest": round, "next lower": math.floor}
DIGAMMA: dict[str, Callable[[float], float]] = {
    "Ψ(x) is log(x + 1) - 1/x - 1/(2 (x + 1))": lambda x: math.log(x + 1) - 1 / x - 1 / (2 * (x + 1)),
    "Ψ(x) is log(x + 2) - (2x + 1) / (x (x + 1)) - (6x + 13) / (12 (x + 2)²)": lambda x: (
        math.log(x + 2) - (2 * x + 1) / (x * (x + 1)) - (6 * x + 13) / (12 * (x + 2) ** 2)
    ),
    **{f"Ψ(x) is rounded to {text}": _then(f) for text, f in NARROW.items()},
    **{f"Ψ(x) is read from a table at multiples of 1/{size}, at the {which} one": _from_table(size, rounded)
       for size in (100, 256, 1000, 1024, 4096, 10_000) for which, rounded in ROUNDED.items()},
    **{
        f"Ψ(x) is its recurrence from x + {steps} on, by the series to {list(SERIES)[terms - 1]}":
            _digamma_above(steps, terms)
        for steps in (1, 2, 3, 4, 5, 6, 8, 10) for terms in range(1, 7)
    },
}  # fmt: skip


def changes() -> Iterator[Change]:
    """All changes of digits."""
    for (part, name), (text, f) in itertools.product(PARTS.items(), (NARROW | UNITS).items()):
        yield Change(f"{name} is added up in {text}", f"value N {part}", {"N": at(part, _added_up(f))}, alone=True)
    for change in of_table(DIGAMMA, "digamma", "digamma", lambda h: bare(lambda self, x: h(x))):
        yield Change(change.text, change.of, change.methods, alone=True)
