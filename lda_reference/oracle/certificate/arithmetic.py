"""Arithmetic at 50 digits, and the distribution of a count."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

from mpmath import MPContext

DIGITS = 50
mp = MPContext()  # a context of its own: the precision of other users of mpmath stays as it is
mp.dps = DIGITS
mpf = mp.mpf

Number = Any  # an mpf
Row = list[Number]
Case = dict[str, Any]

digamma, log_gamma, _log = (functools.lru_cache(100_000)(f) for f in (mp.digamma, mp.loggamma, mp.log))


def log(x: Number) -> Number:
    """The natural logarithm; minus infinity at 0."""
    return _log(x) if x > 0 else -mp.inf


def exp(x: Number) -> Number:
    """The exponential function; an OverflowError beyond exp(1e8) and below exp(-1e8)."""
    if mp.isfinite(x) and abs(x) > 1e8:
        raise OverflowError("the exponent is beyond 1e8")
    return mp.exp(x)


def added(x: Iterable[Number]) -> Number:
    """The sum at 50 digits. mpmath's fsum is exact, and runs out of memory when one term is 2 to the power -10^9."""
    return sum(x, mpf(0))


def normalised(x: Row) -> Row:
    """x divided by its sum."""
    total = added(x)
    return [v / total for v in x]


def distribution(trials: list[tuple[Number, int]]) -> Row:
    """The distribution of the number of successes in independent trials, by convolution.

    Each pair is a probability of success and the number of trials that have it.
    """
    p = [mpf(1)]
    for g, copies in trials:
        for _ in range(copies):
            p = [p[0] * (1 - g), *(p[m] * (1 - g) + p[m - 1] * g for m in range(1, len(p))), p[-1] * g]
    return p  # by TNW06 App. A


def expectation(f: Callable[[int], Number], p: Row) -> Number:
    """E[f(n)] for a count n with distribution p."""
    return added(q * f(n) for n, q in enumerate(p) if q)


def difference(a: Any, b: Any) -> Number:
    """The largest absolute difference between two answers; infinite when their shapes differ."""
    if isinstance(a, dict):
        return max(difference(a[key], b[key]) for key in a) if a.keys() == b.keys() else mp.inf
    if isinstance(a, list):
        if not isinstance(b, list) or len(a) != len(b):
            return mp.inf
        return max((difference(x, y) for x, y in zip(a, b, strict=True)), default=mpf(0))
    if isinstance(b, list):
        return mp.inf
    return mpf(0) if a == b else abs(mpf(a) - mpf(b))


def rounded(x: Any) -> Any:
    """An answer in float64: each number is rounded once, to the nearest; infinity is "inf" or "-inf"."""
    if isinstance(x, dict):
        return {key: rounded(v) for key, v in x.items()}
    if isinstance(x, list):
        return [rounded(v) for v in x]
    if isinstance(x, int):
        return x
    if not mp.isfinite(x):
        return "inf" if x > 0 else "-inf"
    return float(mp.nstr(x, 40)) if abs(x) > 1e-330 else 0.0
