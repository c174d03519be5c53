"""Reports: text, JSON and JUnit XML."""

import json
import math

import pytest

from lda_reference import oracle
from lda_reference.oracle.judging import comparing, reporting

from .helpers import EXPECTED, PLANTED, TEXTS, case


def a_report():
    failed = [oracle.compare(case(i, mistakes=PLANTED), {"id": f"cvb0/update/{i:03}", "gamma_k": [0.8, 0.2]}) for i in range(12)]
    other = [
        oracle.compare(case(12), {"id": "cvb0/update/012", "gamma_k": EXPECTED}),
        oracle.compare(case(0, id="vb/bound/000", algorithm="vb", operation="bound"), {"id": "vb/bound/000", "skip": "no bound"}),
        comparing.outcome(case(13), "failed", "ended: \x1b[31mred\x00 <&> \ud800"),
        oracle.compare(case(14), {"id": "cvb0/update/014", "gamma_k": [math.nan, 0.25]}),
    ]
    return oracle.Report((*failed, *other))


def test_the_table_and_the_failures(vectors):
    text = str(a_report())
    lines = text.splitlines()
    assert lines[:5] == [
        "passed/failed/skipped",
        "           update  bound   total",
        "cvb0       1/14/0      -  1/14/0",
        "vb              -  0/0/1   0/0/1",
        "total      1/14/0  0/0/1  1/14/1",
    ]
    verdict, first, *others = text.split("\n\n")[1:]
    assert verdict == "14 of 15 cases failed."
    block = first.splitlines()
    assert block[0] == "1. 12 failed cases (cvb0/update 12)"
    assert block[1] == f"   The answers are those that one gets when {TEXTS['all-copies-excluded']} [all-copies-excluded]"
    assert block[2].startswith("   cvb0/update/000, AWST09 (13): gamma_k[0] is 0.8, expected 0.75: 6.67% too large; tolerance 1e-15; 2 of 2 ")
    assert block[3] == "   Next: `lda-reference oracle explain cvb0/update/000` shows the right numbers on the way"
    assert len(others) == 3
    assert others[2] == "Mend 1 first and run again: the other groups may have the same cause."
    assert "cvb0/update/001" not in text
    assert "cvb0/update/014" in text
    assert "shown with --all" not in text
    failed = [comparing.outcome(case(i), "failed", f"ended {i}") for i in range(12)]
    assert "and 9 more failed cases (cvb0/update 9), shown with --all" in str(oracle.Report(tuple(failed)))
    everything = reporting.text(a_report(), everything=True)
    assert "cvb0/update/001" in everything
    assert "Skipped:\n    1  no bound" in everything


def test_the_report_as_json():
    found = json.loads(oracle.to_json(a_report()), parse_constant=lambda name: pytest.fail(name))
    assert (found["passed"], found["failed"], found["skipped"]) == (1, 14, 1)
    first = found["results"][0]
    assert (first["id"], first["field"], first["index"], first["got"], first["mistake"]) == ("cvb0/update/000", "gamma_k", [0], 0.8, "all-copies-excluded")
    assert found["results"][-1]["got"] == "nan"
