"""The tolerances of single precision, which vectors/single.json stores.

    python -m lda_reference.oracle.single_precision

writes the file and the manifest. The tolerance of a number is the error that rounding can cause, which `rounding`
computes from the case in units of the roundoff 2^-24. A fixed point has 2^-20 more, for sweeps that end when they
change gamma by less than 2^-22.

A case cannot be decided if a tolerance is above a hundredth of the largest number of its field, or if rounding could
move a draw across a boundary between topics. (If the field is a number in nats, a coherence or a sum of `summary`, the
tolerance must also be above 0.01.)
"""

from __future__ import annotations

import json
from typing import Any

from . import margins, rounding
from .asking.loading import SINGLE, VECTORS, Case, cases
from .certificate.manifest import manifest

FORMAT = "lda_reference oracle 1 single"
ROUNDOFF = 2.0**-24
END = 2.0**-20  # of the distance to a fixed point that sweeps leave, each of which takes off a fifth of it or more
LARGEST = 0.01  # a tolerance, as a share of the largest number of its field
# Fields of which this number is at least 1
AT_LEAST_ONE = ("bound", "log_joint", "log_density", "log_evidence", "coherence", "cosine", "sine")


def tolerances(case: Case) -> dict[str, Any]:
    """The absolute tolerance of each field of a case and, if it is `undecidable`, the reason.

    Examples
    --------
    >>> tolerances(cases("cvb0/estimate/001")[0])
    {'theta_jk': 1.6e-06, 'phi_wk': 1.2e-06}
    """
    found: dict[str, Any] = {}
    why = ""
    for field, units in rounding.errors(case).items():
        absolute = float(f"{units * ROUNDOFF + (END if case['operation'] == 'converged' else 0):.2g}")
        found[field] = absolute
        largest = max(_largest(case["expected"][field]), 1.0 if field in AT_LEAST_ONE else 0.0)
        if not absolute <= LARGEST * largest:
            why = f"rounding errors grow by a factor of {units:.2g} and may change {field} by {absolute:.2g}"
    close = margins.undecided(case, ROUNDOFF)
    if close is not None:
        why = f"a uniform number is {close:.2g} from a boundary between topics, which is within the rounding error"
    return {"undecidable": why, **found} if why else found


def _largest(x: Any) -> float:
    """The largest absolute value in an expected field; infinity and whole numbers are always decided."""
    if isinstance(x, list):
        return max(map(_largest, x), default=float("inf"))
    return abs(float(x)) if isinstance(x, float) else float("inf")


def text() -> str:
    """The contents of single.json: a header, and one case a line."""
    header = {"format": FORMAT, "version": 1, "made_by": {"script": "lda_reference/oracle/single_precision.py"}}
    legal = [case for case in cases() if "error" not in case["expected"]]
    lines = (f"{json.dumps(case['id'])}:{json.dumps(tolerances(case), separators=(',', ':'))}" for case in legal)
    return json.dumps(header, separators=(",", ":"))[:-1] + ',"cases":{\n' + ",\n".join(lines) + "\n}}\n"


if __name__ == "__main__":
    (VECTORS / f"{SINGLE}.json").write_text(text(), "utf-8", newline="\n")
    (VECTORS / "manifest.json").write_text(manifest(VECTORS), "utf-8", newline="\n")
