"""Numbers with the errors of all operations that made them, added up: the worst case.

An error is a number of units of the roundoff, to first order. An operation has the errors of its operands, times its
derivatives, and its own: 1 unit in proportion to the result, m + 4 in proportion to the terms of a sum of m terms, and
8 in proportion to 1 + |f| for a function f, as in `perturbed`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import digamma, gammaln, polygamma

from ..corpus import Ints
from ..model import Array
from .perturbed import FUNCTION


@dataclass(frozen=True, eq=False)
class Rounded:
    """An array of numbers and the errors that rounding can cause in them.

    Attributes
    ----------
    x : array
    error : array of the same shape
        In units of the roundoff.

    Examples
    --------
    >>> a, b = given(3.0), given(2.0)
    >>> float((a * b).error), float((a - b).error)  # the product has three errors of 6 units in proportion
    (18.0, 6.0)
    """

    x: Array
    error: Array
    __array_ufunc__ = None  # so that `array + rounded` is an operation of Rounded

    def __add__(self, other: Any) -> Rounded:
        y = _of(other)
        x = self.x + y.x
        return Rounded(x, self.error + y.error + np.abs(x))

    def __neg__(self) -> Rounded:
        return Rounded(-self.x, self.error)

    def __sub__(self, other: Any) -> Rounded:
        return self + -_of(other)

    def __mul__(self, other: Any) -> Rounded:
        y = _of(other)
        x = self.x * y.x
        return Rounded(x, np.abs(self.x) * y.error + np.abs(y.x) * self.error + np.abs(x))

    def __truediv__(self, other: Any) -> Rounded:
        y = _of(other)
        x = self.x / y.x
        return Rounded(x, (self.error + np.abs(x) * y.error) / np.abs(y.x) + np.abs(x))

    def __rsub__(self, other: Any) -> Rounded:
        return -self + other

    __radd__ = __add__
    __rmul__ = __mul__

    def __getitem__(self, at: Any) -> Rounded:
        return Rounded(self.x[at], self.error[at])

    @property
    def T(self) -> Rounded:
        """The transpose."""
        return Rounded(self.x.T, self.error.T)

    def sum(self, axis: int | None = None, keepdims: bool = False) -> Rounded:
        """The sum along an axis, or of all numbers, in any order."""
        m = self.x.size if axis is None else self.x.shape[axis]
        x, error = (v.sum(axis, keepdims=keepdims) for v in (self.x, self.error + (m + 4) * np.abs(self.x)))
        return Rounded(x, error)

    def sums(self, index: Ints, size: int) -> Rounded:
        """The sums (size, ...) of the rows of equal index, in any order."""
        x, error = (np.zeros((size, *self.x.shape[1:])) for _ in range(2))
        m = np.bincount(index, minlength=1).max()
        np.add.at(x, index, self.x)
        np.add.at(error, index, self.error + (m + 4) * np.abs(self.x))
        return Rounded(x, error)


def given(x: Any) -> Rounded:
    """Numbers of a case, which are rounded when they are read."""
    x = np.asarray(x, np.float64)
    return Rounded(x, np.abs(x))


def exact(x: Any) -> Rounded:
    """Numbers without an error, such as counts."""
    x = np.asarray(x, np.float64)
    return Rounded(x, np.zeros_like(x))


def _of(x: Any) -> Rounded:
    return x if isinstance(x, Rounded) else exact(x)


# Functions -----------------------------------------------------------------------------------------------------------


def _function(value: Array, slope: Array, of: Rounded) -> Rounded:
    return Rounded(value, np.abs(slope) * of.error + FUNCTION * (1 + np.abs(value)))


def log(a: Rounded) -> Rounded:
    """The natural logarithm."""
    return _function(np.log(a.x), 1 / a.x, a)


def psi(a: Rounded) -> Rounded:
    """The digamma function."""
    return _function(digamma(a.x), polygamma(1, a.x), a)


def log_gamma(a: Rounded) -> Rounded:
    """The logarithm of the gamma function."""
    return _function(gammaln(a.x), digamma(a.x), a)


def exp(a: Rounded) -> Rounded:
    """Its own error is in proportion to its value."""
    x = np.exp(a.x)
    return Rounded(x, x * (a.error + FUNCTION))


def root(a: Rounded) -> Rounded:
    """The square root."""
    x = np.sqrt(a.x)
    return Rounded(x, a.error / (2 * x) + x)


def log_sum_exp(a: Rounded) -> Rounded:
    """log sum exp along the last axis, which is kept; the largest exponent is subtracted."""
    largest = a.x.max(-1, keepdims=True)
    return log(exp(a - largest).sum(-1, keepdims=True)) + largest
