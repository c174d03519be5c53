"""Balls: numbers with a radius that encloses all rounding, and balls with their derivatives."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from .numbers import Floats, Number


class Uncertain(ArithmeticError):
    """Two balls overlap, so that their order is not known: more bits may tell."""


class Balls(Floats):
    """Balls: a midpoint and a radius, which encloses the result and all rounding; python-flint's `arb`.

    Parameters
    ----------
    bits : int
        The precision of the midpoints.
    """

    settled = 1e-30

    def __init__(self, bits: int = 400) -> None:
        import flint

        self.bits, self.flint, self.infinity = bits, flint, flint.arb.pos_inf()

    def precision(self) -> Any:
        return self.flint.ctx.workprec(self.bits)

    def number(self, x: Any) -> Number:
        """A ball without a radius from an integer or a float; a fraction is enclosed."""
        if isinstance(x, Fraction):
            return self.flint.arb(x.numerator) / x.denominator
        return self.flint.arb(x)

    def log(self, x: Number) -> Number:
        return x.log() if self.positive(x) else -self.infinity

    def exp(self, x: Number) -> Number:
        if x.is_finite() and not abs(x) < 1e8:
            raise OverflowError("the exponent is beyond 1e8")
        return x.exp()

    def sqrt(self, x: Number) -> Number:
        return x.sqrt()

    def cos(self, x: int) -> Number:
        return self.flint.arb(x).cos()

    def sin(self, x: int) -> Number:
        return self.flint.arb(x).sin()

    def power(self, x: Number, y: Number) -> Number:
        return x**y

    def digamma(self, x: Number) -> Number:
        if x == 0:
            raise ValueError("the digamma function has a pole at 0")
        return x.digamma()

    def log_gamma(self, x: Number) -> Number:
        return x.lgamma()

    def positive(self, x: Number) -> bool:
        return not self.at_most(x, 0)

    def at_most(self, x: Number, y: Number) -> bool:
        if x <= y:
            return True
        if x > y:
            return False
        raise Uncertain(f"{x} may be below or above {y}")


class Dual:
    """A ball with its derivatives by n variables."""

    def __init__(self, x: Number, d: list[Number]) -> None:
        self.x, self.d = x, d

    def __add__(self, y: Any) -> Dual:
        if isinstance(y, Dual):
            return Dual(self.x + y.x, [a + b for a, b in zip(self.d, y.d, strict=True)])
        return Dual(self.x + y, self.d)

    def __mul__(self, y: Any) -> Dual:
        if isinstance(y, Dual):
            return Dual(self.x * y.x, [a * y.x + self.x * b for a, b in zip(self.d, y.d, strict=True)])
        return Dual(self.x * y, [a * y for a in self.d])

    def along(self, value: Number, slope: Number) -> Dual:
        """A function of this number, from its value and its derivative."""
        return Dual(value, [slope * a for a in self.d])

    def __neg__(self) -> Dual:
        return self.along(-self.x, -1)

    def __sub__(self, y: Any) -> Dual:
        return self + -y

    def __rsub__(self, y: Any) -> Dual:
        return -self + y

    def __truediv__(self, y: Any) -> Dual:
        return self * (y.along(1 / y.x, -1 / y.x**2) if isinstance(y, Dual) else 1 / (self.x * 0 + y))

    def __rtruediv__(self, y: Any) -> Dual:
        return self.along(1 / self.x, -1 / self.x**2) * y

    def __pow__(self, y: int) -> Dual:
        return self.along(self.x**y, y * self.x ** (y - 1))

    __radd__, __rmul__ = __add__, __mul__


class Duals(Balls):
    """Balls with derivatives by n variables; `number` makes constants."""

    def __init__(self, n: int, bits: int = 300) -> None:
        super().__init__(bits)
        self.n = n

    def number(self, x: Any) -> Dual:
        return Dual(super().number(x), [self.flint.arb(0)] * self.n)

    def variable(self, i: int, x: Number) -> Dual:
        """The i-th variable, with the value x."""
        return Dual(x, [self.flint.arb(int(i == v)) for v in range(self.n)])

    def log(self, x: Dual) -> Dual:
        return x.along(super().log(x.x), 1 / x.x)

    def exp(self, x: Dual) -> Dual:
        y = super().exp(x.x)
        return x.along(y, y)

    def digamma(self, x: Dual) -> Dual:
        return x.along(super().digamma(x.x), self.flint.arb(2).zeta(x.x))  # the trigamma function

    def at_most(self, x: Any, y: Any) -> bool:
        return super().at_most(*(v.x if isinstance(v, Dual) else v for v in (x, y)))
