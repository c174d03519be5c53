"""The answer of a case with a proof: every number is a ball that contains it, and rounds to one float.

The bits are doubled until every ball is finite and its radius is at most 1e-30 max(1, |x|). If a ball contains the
border between two floats, the number is decided in fractions, in which ties of rounding and zeros are exact. So are the
draws of cases with the flag `tie`, whose uniform numbers are on a boundary between topics.
"""

import math
from fractions import Fraction

from lda_reference.oracle.cases.noise import Watched, double_tolerances, errors
from lda_reference.plain import Balls, Uncertain, algorithm

from .fixed_points import proved_fixed_point
from .released import KEPT, cases
from .rounding import difference, rounded

BITS, MOST = 400, 6400
RADIUS = 1e-30
CLOSE = 1e-9  # the least distance of a uniform number from a boundary between topics

# Numbers that are exactly 0 although they are sums of logarithms
ZEROS = dict.fromkeys(
    (f"lda/document_evidence/{number}" for number in ("002", "009", "010")),
    "the evidence of a document without tokens is 1",
)


def proved(case):
    """The answer of a case: in balls, or in fractions where they are needed, and as it is printed.

    A ValueError says if 6,400 bits do not decide it, or a uniform number is within 1e-9 of a boundary between topics
    and the case has no flag `tie`.
    """
    if "tie" in case["flags"]:
        exact = algorithm(case, Fraction).answer()
        return exact, rounded(exact)
    bits = BITS
    while bits <= MOST:
        numbers = Balls(bits)
        with numbers.precision():
            try:
                balls = proved_fixed_point(case) if case["operation"] == "converged" else _answer(case, numbers)
            except (Uncertain, OverflowError):
                balls = None
            if balls is not None and _enough(balls):
                return balls, _kept(case, balls) or {name: _printed(x, (name,), case, []) for name, x in balls.items()}
        bits *= 2
    raise ValueError(f"{case['id']}: {MOST} bits do not decide its answer")


def completed(case):
    """The case with its answer and its tolerances, which are those released, or of a new case those of the noise.

    The answer to an illegal input is part of the question.
    """
    if "expected" in case:
        return case
    answered, old = case | {"expected": proved(case)[1]}, cases().get(case["id"])
    return answered | {"tolerance": dict(old["tolerance"]) if old else double_tolerances(answered, errors(answered))}


def _answer(case, numbers):
    watched = algorithm(case, numbers, Watched)
    answer = watched.answer()
    for draw in watched.draws:
        if any(float(abs(b - draw.u)) < CLOSE for b in draw.boundaries()):
            raise ValueError(f"{case['id']}: a uniform number is within {CLOSE} of a boundary between topics")
    return answer


def _enough(x):
    """Whether all balls are finite and small; the perplexity may be exactly infinite."""
    if isinstance(x, dict):
        return all(map(_enough, x.values()))
    if isinstance(x, list):
        return all(map(_enough, x))
    if isinstance(x, int) or x == x + 1:  # infinity
        return True
    return bool(x.is_finite()) and float(x.rad()) <= RADIUS * max(1.0, abs(float(x)))


def _kept(case, balls):
    """What is printed of a case in `KEPT`: it is within a unit in the last place or 1e-30 of what is proved."""
    if case["id"] not in KEPT:
        return None
    expected = cases()[case["id"]]["expected"]
    off = difference(balls, expected)
    if off > max(RADIUS, math.ulp(1.0)):
        raise ValueError(f"{case['id']}: the released answer is off by {off}")
    return dict(expected)


def _printed(x, place, case, exact):
    """The floats to which all numbers of the balls round; `exact` keeps the answer in fractions once it is needed."""
    if isinstance(x, list):
        return [_printed(v, (*place, i), case, exact) for i, v in enumerate(x)]
    if isinstance(x, int) or not x.is_finite():
        return rounded(x)
    low, high = float(x.lower()), float(x.upper())
    if low == high:
        return low
    if case["id"] in ZEROS and x.contains(0):
        return 0.0
    if not exact:
        exact.append(algorithm(case, Fraction).answer())  # a ValueError where the answer has logarithms
    value = exact[0]
    for index in place:
        value = value[index]
    return float(value)
