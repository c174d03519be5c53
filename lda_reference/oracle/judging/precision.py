"""Checking a port that computes in single precision.

The tolerance of a number is the error that rounding can cause, as `rounding` computes it from the case: a number of
units, times the roundoff 2^-24. A fixed point has 2^-20 more, for sweeps that end when they change gamma by less than
2^-22.

A case cannot be decided if a tolerance is above a hundredth of the largest number of its field, or if rounding could
move a draw across a boundary between topics. (If the field is a number in nats, a coherence or a sum of `summary`, the
tolerance must also be above 0.01.) The case is then `undecidable`, whatever numbers the port answers.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .. import margins, rounding
from ..asking.loading import Case
from .comparing import differs

PRECISIONS = ("double", "single")
ROUNDOFF = 2.0**-24
END = 2.0**-20  # of the distance to a fixed point that sweeps leave, each of which takes off a fifth of it or more
LARGEST = 0.01  # a tolerance, as a share of the largest number of its field
# Fields of which this number is at least 1
SINGLE = ("bound", "log_joint", "log_density", "log_evidence", "coherence", "cosine", "sine")


def at_precision(precision: str, case: Case) -> Case:
    """The case with the tolerances of a precision.

    Parameters
    ----------
    precision : {"double", "single"}
    case : dict

    Returns
    -------
    dict
        In double precision the case itself. In single precision it may have a field `undecidable`: why no answer can
        be judged.

    Raises
    ------
    ValueError
        If the precision is unknown.

    Examples
    --------
    >>> from lda_reference.oracle import cases
    >>> case = at_precision("single", cases("cvb0/estimate/001")[0])
    >>> case["tolerance"]["theta_jk"]
    {'absolute': 1.6e-06, 'why': '27 times 2^-24, from the errors of sums and functions'}
    """
    if precision not in PRECISIONS:
        raise ValueError(f"precision is {precision!r}, expected one of {', '.join(PRECISIONS)}")
    if precision == "double" or case["operation"] == "sample" or "error" in case["expected"]:
        return case
    tolerance, why = {}, ""
    for field, units in rounding.errors(case).items():
        absolute = float(f"{units * ROUNDOFF + (END if case['operation'] == 'converged' else 0):.2g}")
        reason = f"{units:.2g} times 2^-24, from the errors of sums and functions"
        tolerance[field] = {"absolute": absolute, "why": reason}
        largest = max(_largest(case["expected"][field]), 1.0 if field in SINGLE else 0.0)
        if not absolute <= LARGEST * largest:
            why = f"rounding errors grow by a factor of {units:.2g} and may change {field} by {absolute:.2g}"
    close = margins.undecided(case, ROUNDOFF)
    if close is not None:
        why = f"a uniform number is {close:.2g} from a boundary between topics, which is within the rounding error"
    case = case | {"tolerance": tolerance}
    return case | {"undecidable": f"not decidable in single precision: {why}"} if why else case


def _largest(x: Any) -> float:
    """The largest absolute value in an expected field; infinity and whole numbers are always decided."""
    if isinstance(x, list):
        return max(map(_largest, x), default=float("inf"))
    return abs(float(x)) if isinstance(x, float) else float("inf")


def visible(cases: Iterable[Case]) -> list[str]:
    """How many answers of known mistakes can be told from the right ones, in words; an empty list if there are none.

    A mistaken answer has errors of rounding too, so it must be more than two tolerances away.
    """
    found: list[str] = []
    kept: list[str] = []
    for case in cases:
        known = case.get("mistakes", ())
        for m in known if isinstance(known, list) else ():
            found.append(m["name"])
            if "undecidable" not in case and differs(case, m["expected"], 2):
                kept.append(m["name"])
    if not found:
        return []
    answers = f"{len(kept)} of the {len(found)} wrong answers that known mistakes give in these cases"
    return [f"{answers} differ by more than rounding; {len({*kept})} of the {len({*found})} mistakes can be found"]
