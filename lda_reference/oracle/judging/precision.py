"""Checking a port that computes in single precision.

vectors/single.json has the tolerances of each case in single precision; a case that is not in the vectors has its own,
in the field `single`. If rounding could change the answer too much, they say why the case is `undecidable`, whatever
numbers the port answers. GUIDE.md says how the tolerances were found.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..asking.loading import SINGLE, Case, single_tolerances
from .comparing import differs

PRECISIONS = ("double", "single")


def at_precision(precision: str, case: Case) -> Case:
    """The case with the tolerances of a precision.

    In double precision it is the case itself. In single precision it may have a field `undecidable`: why no answer can
    be judged. A case made by hand that has no tolerances for single precision is a ValueError.

    Examples
    --------
    >>> from lda_reference.oracle import cases
    >>> at_precision("single", cases("cvb0/estimate/001")[0])["tolerance"]["theta_jk"]
    {'absolute': 1.1e-06}
    """
    if precision not in PRECISIONS:
        raise ValueError(f"precision is {precision!r}, expected one of {', '.join(PRECISIONS)}")
    if precision == "double" or case["operation"] == "sample" or "error" in case["expected"]:
        return case
    single = case.get(SINGLE) or single_tolerances().get(case["id"])
    if single is None:
        raise ValueError(f"{case['id']}: has no tolerances for single precision, expected them in the field `single`")
    case = case | {"tolerance": {field: {"absolute": single[field]} for field in case["expected"]}}
    if "undecidable" in single:
        case["undecidable"] = f"not decidable in single precision: {single['undecidable']}"
    return case


def visible(cases: Iterable[Case]) -> list[str]:
    """How many answers of known mistakes can be told from the right ones, in words; an empty list if there are none.

    A mistaken answer has errors of rounding too, so it must be more than two tolerances away.
    """
    pairs = [(case, m) for case in cases if case["operation"] != "sample" for m in case.get("mistakes", ())]
    if not pairs:
        return []
    kept = [m["name"] for case, m in pairs if "undecidable" not in case and differs(case, m["expected"], 2)]
    answers = f"{len(kept)} of the {len(pairs)} wrong answers that known mistakes give in these cases"
    names = {m["name"] for _, m in pairs}
    return [f"{answers} differ by more than rounding; {len({*kept})} of the {len(names)} mistakes can be found"]
