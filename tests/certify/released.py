"""The vectors that are released: their numbers and their tolerances do not change any more."""

import functools
import json
import math
from pathlib import Path

import lda_reference

VECTORS = Path(lda_reference.__file__).parent / "oracle" / "vectors"
NO_LISTS = ("manifest", "mistakes", "single")  # files that have no list of cases

# Numbers in print that are not the correctly rounded ones, with the reason
KEPT = {
    "vb/m_step/002": "eta_wk[1, 1] is exactly between two floats, and the printed one is the odd one",
    "vb/m_step/003": "eta_wk[3, 2] is exactly between two floats, and the printed one is the odd one",
    "ep/step/004": "three numbers of site_wk are exactly 0, and rounding errors of 1e-50 are printed",
    "ml/converged/001": "the fixed point is 0 and 1; sweeps that change gamma by less than 1e-30 end beside it",
    "ml/converged/002": "as in 001",
    "vem/converged/001": "as in ml/converged/001",
    "vem/converged/002": "as in ml/converged/001",
}


@functools.cache
def file(name):
    """The released cases of NAME.json; none if there is no such file."""
    path = VECTORS / f"{name}.json"
    return list(json.loads(path.read_text("utf-8"))["cases"]) if path.is_file() else []


@functools.cache
def cases():
    """The released cases of all files by their ids."""
    names = (path.stem for path in sorted(VECTORS.glob("*.json")) if path.stem not in NO_LISTS)
    return {case["id"]: case for name in names for case in file(name)}


def kept(new, old, units=1):
    """The released numbers of a wrong answer, where the new ones differ by so many units in the last place at most.

    Wrong answers have no proof, and a number between two floats may be rounded to either.
    """
    if isinstance(new, dict) and isinstance(old, dict):
        return {name: kept(x, old.get(name), units) for name, x in new.items()}
    if isinstance(new, list) and isinstance(old, list) and len(new) == len(old):
        return [kept(x, y, units) for x, y in zip(new, old, strict=True)]
    if isinstance(new, float) and isinstance(old, float) and abs(new - old) <= units * math.ulp(old):
        return old
    return new
