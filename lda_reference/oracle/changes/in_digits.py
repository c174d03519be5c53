"""Changes of digits: sums that are added up in narrow numbers, and quick ways to Ψ."""

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from ...plain.numbers import digamma
from .change import MEANS, Change, Function, Method, in_single, of_table
from .in_functions import SERIES, series


def _significant(bits: int, x: float) -> float:
    """The nearest number with some significant bits."""
    mantissa, exponent = math.frexp(x)
    return math.ldexp(round(math.ldexp(mantissa, bits)), exponent - bits)


NARROW: dict[str, Function] = {
    "single precision": in_single, "half precision": lambda x: in_single(x, "e"),
    "TF32": partial(_significant, 11), "bfloat16": partial(_significant, 8),
}  # fmt: skip
UNITS = {f"units of 1/{unit}, each summand rounded down": lambda x, unit=unit: math.floor(x * unit) / unit
         for unit in (2**8, 2**10, 2**16, 2**20)}  # fmt: skip


def _N(rounded: Function, self: Any, right: Method, part: str, gamma: Any, i: int, k: int) -> float:
    """A sum whose summands and partial sums are rounded."""
    total = 0.0
    for r, n in self.left(part, i):
        total = rounded(total + rounded(n * gamma[r][k]))
    return total


def _digamma_above(steps: int, terms: int, x: float) -> float:
    """Ψ by some terms of its series at x + steps."""
    return series(x + steps, dict.fromkeys(list(SERIES)[:terms], 1.0)) - sum(1 / (x + m) for m in range(steps))


ROUNDED: dict[str, Function] = {"nearest": round, "next lower": math.floor}
DIGAMMA: dict[str, Callable[..., float]] = {
    "Ψ(x) is log(x + 1) - 1/x - 1/(2 (x + 1))": lambda x: math.log(x + 1) - 1 / x - 1 / (2 * (x + 1)),
    "Ψ(x) is log(x + 2) - (2x + 1) / (x (x + 1)) - (6x + 13) / (12 (x + 2)²)": lambda x: (
        math.log(x + 2) - (2 * x + 1) / (x * (x + 1)) - (6 * x + 13) / (12 * (x + 2) ** 2)
    ),
    **{f"Ψ(x) is rounded to {text}": lambda x, f=f: f(digamma(x)) for text, f in NARROW.items()},
    **{f"Ψ(x) is read from a table at multiples of 1/{size}, at the {which} one":
        lambda x, size=size, rounded=rounded: digamma(rounded(x * size) / size)
       for size in (100, 256, 1000, 1024, 4096, 10_000) for which, rounded in ROUNDED.items()},
    **{
        f"Ψ(x) is its recurrence from x + {steps} on, by the series to {list(SERIES)[terms - 1]}":
            partial(_digamma_above, steps, terms)
        for steps in (1, 2, 3, 4, 5, 6, 8, 10) for terms in range(1, 7)
    },
}  # fmt: skip


def changes() -> Iterator[Change]:
    for part, name in MEANS.items():
        text = f"{name} is added up in {{}}"
        yield from of_table(NARROW | UNITS, f"value N {part}", "N", text, _N, part, alone=True)
    yield from of_table(DIGAMMA, "digamma", "digamma", using=lambda f, self, right, x: f(x), alone=True)
