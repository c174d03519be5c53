"""Numbers on their way to a file: midpoints without a proof, differences, and the one rounding to float64."""

import math

from lda_reference.plain import Balls


class Midpoints(Balls):
    """Many digits without a proof: every sum forgets its radius. For wrong answers, and to look for fixed points."""

    def __init__(self, bits=300):
        super().__init__(bits)

    def sum(self, terms):
        return super().sum(terms).mid()

    def at_most(self, x, y):
        """Whether the midpoint of x is at most that of y; never, if one of them is no number."""
        return bool(self.number(x).mid() <= self.number(y).mid())


def difference(a, b):
    """The largest absolute difference between two answers; infinite when their shapes differ."""
    if isinstance(a, dict):
        return max(difference(a[key], b[key]) for key in a) if a.keys() == b.keys() else math.inf
    if isinstance(a, list) or isinstance(b, list):
        if not isinstance(a, list) or not isinstance(b, list) or len(a) != len(b):
            return math.inf
        return max((difference(x, y) for x, y in zip(a, b, strict=True)), default=0.0)
    return 0.0 if a == b else float(abs(a - b))


def rounded(x):
    """An answer in float64: each number is rounded once, to the nearest; infinity is "inf" or "-inf"."""
    if isinstance(x, dict):
        return {key: rounded(v) for key, v in x.items()}
    if isinstance(x, list):
        return [rounded(v) for v in x]
    if isinstance(x, int):
        return x
    value = float(x)
    return value if math.isfinite(value) else "inf" if value > 0 else "-inf"
