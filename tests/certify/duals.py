"""Duals: balls with their derivatives, which prove that a fixed point is near."""

from lda_reference.plain import Balls


class Dual:
    """A ball with its derivatives by n variables."""

    def __init__(self, x, d):
        self.x, self.d = x, d

    def __add__(self, y):
        if isinstance(y, Dual):
            return Dual(self.x + y.x, [a + b for a, b in zip(self.d, y.d, strict=True)])
        return Dual(self.x + y, self.d)

    def __mul__(self, y):
        if isinstance(y, Dual):
            return Dual(self.x * y.x, [a * y.x + self.x * b for a, b in zip(self.d, y.d, strict=True)])
        return Dual(self.x * y, [a * y for a in self.d])

    def along(self, value, slope):
        """A function of this number, from its value and its derivative."""
        return Dual(value, [slope * a for a in self.d])

    def __neg__(self):
        return self.along(-self.x, -1)

    def __sub__(self, y):
        return self + -y

    def __rsub__(self, y):
        return -self + y

    def __truediv__(self, y):
        return self * (y.along(1 / y.x, -1 / y.x**2) if isinstance(y, Dual) else 1 / (self.x * 0 + y))

    def __rtruediv__(self, y):
        return self.along(1 / self.x, -1 / self.x**2) * y

    def __pow__(self, y):
        return self.along(self.x**y, y * self.x ** (y - 1))

    __radd__, __rmul__ = __add__, __mul__


class Duals(Balls):
    """Balls with derivatives by n variables; `number` makes constants."""

    def __init__(self, n, bits=300):
        super().__init__(bits)
        self.n = n

    def number(self, x):
        return Dual(super().number(x), [self.flint.arb(0)] * self.n)

    def variable(self, i, x):
        """The i-th variable, with the value x."""
        return Dual(x, [self.flint.arb(int(i == v)) for v in range(self.n)])

    def log(self, x):
        return x.along(super().log(x.x), 1 / x.x)

    def exp(self, x):
        y = super().exp(x.x)
        return x.along(y, y)

    def digamma(self, x):
        return x.along(super().digamma(x.x), self.flint.arb(2).zeta(x.x))  # the trigamma function

    def at_most(self, x, y):
        return super().at_most(*(v.x if isinstance(v, Dual) else v for v in (x, y)))
