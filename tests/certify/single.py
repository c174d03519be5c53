"""The tolerances of single precision, by the spread of noisy runs."""

from __future__ import annotations

import json

from lda_reference.oracle.noise import errors, single_tolerances
from lda_reference.plain.problem import Case

FORMAT = "lda_reference oracle 1 single"


def text(cases: list[Case]) -> str:
    """The contents of single.json for completed cases: a header, and one case a line."""
    header = {"format": FORMAT, "version": 1, "made_by": {"module": "tests.certify", "numbers": "noisy floats"}}
    found = {c["id"]: single_tolerances(c, errors(c)) for c in cases if "error" not in c["expected"]}
    lines = (f"{json.dumps(id)}:{json.dumps(of, separators=(',', ':'))}" for id, of in found.items())
    return json.dumps(header, separators=(",", ":"))[:-1] + ',"cases":{\n' + ",\n".join(lines) + "\n}}\n"
