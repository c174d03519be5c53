"""The numbers that the plain text can be read in.

| numbers                 | what they give                                                                          |
|-------------------------|-----------------------------------------------------------------------------------------|
| `Floats()`              | double precision; `Floats(numpy.float32)` rounds every result to single precision       |
| `Fractions()`           | exact results of updates that need no log, exp or Ψ                                     |
| `Balls(bits)`           | a proof: an interval that contains the result and all rounding; needs python-flint      |
| `Noisy(seed)`           | floats; each operation moves its result at random, and the spread of some runs shows    |
|                         | how much rounding can do in any precision (Monte Carlo arithmetic, Parker 1997)         |

Fractions and balls take a float as the binary number that it is, so write "1/10" for a tenth. `positive` and `at_most`
are the only comparisons in the plain text, apart from vectors of zeros in `windows`: `Balls` raise an error where the
order is not certain.
"""

from __future__ import annotations

import contextlib
import math
import random
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

Number = Any


def digamma(x: float) -> float:
    """Ψ(x) of x > 0: the recurrence Ψ(x) = Ψ(x + 1) - 1/x up to 10, then the asymptotic series.

    >>> round(digamma(1.0), 15)
    -0.577215664901533
    """
    recurrence_terms = []
    while x < 10:
        recurrence_terms.append(-1 / x)
        x = x + 1
    z = 1 / (x * x)
    series = z * (1 / 12 - z * (1 / 120 - z * (1 / 252 - z * (1 / 240 - z * (1 / 132 - z * (691 / 32760 - z / 12))))))
    return math.fsum([*recurrence_terms, math.log(x), -0.5 / x, -series])


def _rounded(f: Callable[[float], float]) -> Any:
    """A function of one number, computed in double precision, as a method of `Floats`."""
    return lambda self, x: self.number(f(x))


class Floats:
    """Numbers of a type such as `float`; functions are computed in double precision, and rounded to the type.

    `number` makes a number of the type from a number or a text, and `settled` is the change of gamma in one sweep at
    which a fixed point is reached.
    """

    infinity: Number = math.inf

    def __init__(self, number: Callable[[Any], Number] = float) -> None:
        self.number, epsilon = number, 1.0
        while number(1) + number(epsilon) / 2 > 1:
            epsilon /= 2
        self.settled = 4 * epsilon

    def precision(self) -> Any:
        """A context in which the numbers have their precision."""
        return contextlib.nullcontext()

    def sum(self, terms: Iterable[Number]) -> Number:
        """The sum of the terms, which are added in their order."""
        return sum(terms, self.number(0))

    def log(self, x: Number) -> Number:
        """The natural logarithm; minus infinity at 0."""
        return self.number(math.log(x)) if x > 0 else -self.infinity

    exp, sqrt, cos, sin, log_gamma = map(_rounded, (math.exp, math.sqrt, math.cos, math.sin, math.lgamma))

    def power(self, x: Number, y: Number) -> Number:
        """x to the power y."""
        return self.number(math.pow(x, y))

    def digamma(self, x: Number) -> Number:
        """Ψ(x), the derivative of log Gamma(x)."""
        return self.number(digamma(float(x)))

    def positive(self, x: Number) -> bool:
        return bool(x > 0)

    def at_most(self, x: Number, y: Number) -> bool:
        return bool(x <= y)


def _refused(sentence: str) -> Any:
    """A function of one number that fractions do not have."""

    def refuse(self: Floats, x: Number) -> Number:
        raise ValueError(f"{sentence.format(x)} a fraction: take other numbers, such as float")

    return refuse


class Fractions(Floats):
    """Fractions: exact. log, exp, Ψ, log Gamma, the square root, cos and sin raise a ValueError."""

    settled = 0.0
    log, exp, cos, sin = (_refused(f"{name}({{}}) is not") for name in ("log", "exp", "cos", "sin"))
    digamma, log_gamma = _refused("the digamma function of {} is not"), _refused("log Gamma({}) is not")
    sqrt = _refused("the square root of {} need not be")

    def __init__(self) -> None:
        self.number = Fraction

    def power(self, x: Number, y: Number) -> Number:
        """x to the power y, a whole number."""
        if Fraction(y).denominator > 1:
            raise ValueError(f"{x} to the power {y} is not a fraction: take other numbers, such as float")
        return Fraction(x) ** int(y)


class Noisy(Floats):
    """Floats that each operation moves at random, by up to a relative `size`; functions by four times as much.

    The additions of one sum are moved alike, a quarter as far: equal terms may all be rounded in one direction.
    """

    functions = 4  # ports compute them with errors of some units in the last place

    def __init__(self, seed: int, size: float = 1e-9) -> None:
        self.size, self.random, self.kind = size, random.Random(seed).random, type("Moved", (float,), {})
        for operation_name in ("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "pow", "neg", "abs"):
            setattr(self.kind, f"__{operation_name}__", self.operation(getattr(float, f"__{operation_name}__")))
        self.number, self.settled = self.read, 1000 * size

    def operation(self, exact: Callable[..., float]) -> Callable[..., Number]:
        """An operation whose results are moved, but for whole numbers: counts are exact in every precision."""
        moved_type, uniform, floor, width = self.kind, self.random, 1 - self.size, 2 * self.size

        def moved_operation(*x: float) -> Number:
            exact_x = exact(*x)
            return moved_type(exact_x) if exact_x.is_integer() else moved_type(exact_x * (floor + width * uniform()))

        return moved_operation

    def read(self, x: Any) -> Number:
        """A number of a case; all but whole numbers are moved, as if they were rounded."""
        return self.kind(x) if float(x).is_integer() else self.moved(float(x))

    def sum(self, terms: Iterable[Number]) -> Number:
        total, partial_sizes = 0.0, 0.0
        for term in terms:
            total += float(term)
            partial_sizes += abs(total)
        if total.is_integer() or math.isinf(total):
            return self.kind(total)
        return self.kind(total + partial_sizes * self.size * (2 * self.random() - 1) / 4)

    def moved(self, x: float, times: float = 1) -> Number:
        """x, moved at random."""
        return self.kind(x * (1 + times * self.size * (2 * self.random() - 1)))

    def of(self, x: float) -> Number:
        """The value of a function, moved in proportion to 1 + |x|."""
        return self.moved(x + self.moved(1, self.functions) - 1, self.functions)

    def log(self, x: Number) -> Number:
        return self.of(math.log(x)) if x > 0 else -self.infinity

    def exp(self, x: Number) -> Number:
        return self.moved(math.exp(x), self.functions)

    def digamma(self, x: Number) -> Number:
        return self.of(digamma(float(x)))

    def log_gamma(self, x: Number) -> Number:
        return self.of(math.lgamma(x))


def numbers_of(numbers: Any) -> Floats:
    """Number types by a short name: `float`, `fractions.Fraction`, `numpy.float32`, or one of the classes above."""
    if isinstance(numbers, Floats):
        return numbers
    return Fractions() if numbers is Fraction else Floats(numbers)
