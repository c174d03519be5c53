"""Balls: numbers with a radius that encloses all rounding."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from .numbers import Floats, Number


class Uncertain(ArithmeticError):
    """Two balls overlap, so that their order is not known: more bits may tell."""


class Balls(Floats):
    """Balls: a midpoint of some bits and a radius, which encloses the result and all rounding; python-flint's `arb`."""

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
