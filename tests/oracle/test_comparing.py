"""Comparing an answer with what a case expects, and reports as text and JSON."""

import json
import math
import re

import pytest

from lda_reference import oracle
from lda_reference.oracle.judging import comparing, reporting

from .helpers import EXPECTED, PLANTED, TEXTS, case


def compared(answer, number=0, **about):
    return oracle.compare(case(number, **about), {"id": f"cvb0/update/{number:03}"} | answer)


def test_an_answer_within_the_tolerance_passes():
    assert compared({"gamma_k": EXPECTED}).passed
    assert compared({"gamma_k": [0.75 + 1e-16, 0.25]}, tolerance=1e-15).passed
    assert compared({"z": [1, 0.0]}, expected={"z": [1, 0]}, tolerance=0).passed
    assert compared({"bound": "-inf"}, expected={"bound": "-inf"}).passed


def test_the_first_number_that_differs_and_how_far_it_is():
    expected = {"theta_jk": [[0.5, 0.5], [1.0, 0.0]], "phi_wk": [[1.0, 1.0]]}
    r = compared({"theta_jk": [[0.5, 0.5], [1.0 + 3 * 2**-52, 0.1]], "phi_wk": [[1.0, 2.0]]}, expected=expected, tolerance=0)
    assert (r.status, r.field, r.index, r.expected, r.got) == ("failed", "theta_jk", (1, 0), 1.0, 1 + 3 * 2**-52)
    assert r.tags == ("AWST09 (13)",)
    assert "theta_jk[1, 0]" in r.reason
    assert "they agree to 15 digits" in r.reason
    assert "3 of 6 numbers differ" in r.reason


@pytest.mark.parametrize(
    ("field", "expected", "got", "text"),
    [
        ("bound", -47.5, -42.5, "too large by 5 nats"), ("log_evidence", -1930.0, -1930.0004, "they agree to 6 digits"),
        ("cosine", -0.5, -0.6, "too small by 0.1"), ("eta", 20.0, 31.0, "55% too large"), ("eta", 20.0, 50.0, "2.5 times as large"),
    ],
)  # fmt: skip
def test_how_far_a_number_is_from_the_expected_one(field, expected, got, text):
    assert f", expected {expected}: {text}; tolerance" in compared({field: got}, expected={field: expected}).reason


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ({"gamma_k": [math.nan, 0.25]}, r"^gamma_k\[0\] is nan, expected 0.75"),
        ({"gamma_k": [0.75, math.inf]}, r'^gamma_k\[1\] is inf.*infinity is spelled "inf"'),
        ({"gamma_k": ["0.75", 0.25]}, r'^gamma_k\[0\] is "0.75", expected a number'),
        ({"gamma_k": [0.75]}, r"^gamma_k has length 1, expected 2"),
        ({"gamma_k": 0.75}, r"^gamma_k is 0.75, expected a list of 2"),
        ({"gamma": EXPECTED}, "gamma_k is missing; gamma is not asked for"),
        ({"gamma_k": EXPECTED, "id": "cvb0/update/009"}, 'id is "cvb0/update/009", expected "cvb0/update/000"'),
        ({"error": "alpha is too small"}, "is legal and was refused: alpha is too small"),
        ({"skip": ""}, 'skip is "", expected the reason'),
    ],
)
def test_answers_that_fail_for_their_form(answer, reason):
    r = compared(answer)
    assert r.status == "failed"
    assert re.search(reason, r.reason)


def test_answers_that_are_no_object_have_no_id_or_are_skipped():
    assert "is [1], expected an object" in oracle.compare(case(), [1]).reason
    assert "id is missing" in oracle.compare(case(), {"gamma_k": EXPECTED}).reason
    r = compared({"skip": "no types"})
    assert (r.status, r.reason) == ("skipped", "no types")


def test_input_that_must_be_refused():
    about = {"expected": {"error": True}, "operation": "reject"}
    assert compared({"error": "alpha is negative"}, **about).passed
    wrong = {"gamma_k": EXPECTED}
    for answer, fields in ((wrong, "gamma_k"), ({"error": "x"} | wrong, "gamma_k"), ({}, "nothing")):
        r = compared(answer, **about)
        assert r.status == "failed"
        assert f"must be refused with an error; got {fields}" in r.reason


def test_a_mistake_is_named_where_the_answer_is_its_own_alone():
    planted = {"all-copies-excluded": {"gamma_k": [0.8, 0.2]}, "no-eta": {"gamma_k": [0.6, 0.4]}}
    assert compared({"gamma_k": [0.8, 0.2 + 1e-16]}, mistakes=planted).mistake == "all-copies-excluded"
    assert compared({"gamma_k": [0.8, 0.2001]}, mistakes=planted).mistake is None
    assert compared({"gamma_k": [0.8, 0.2], "gamma": 1}, mistakes=planted).mistake is None
    assert compared({"gamma_k": [0.8, 0.2]}, mistakes=planted | {"twin": {"gamma_k": [0.8, 0.2]}}).mistake is None


# Reports -------------------------------------------------------------------------------------------------------------


def a_report():
    failed = [oracle.compare(case(i, mistakes=PLANTED), {"id": f"cvb0/update/{i:03}", "gamma_k": [0.8, 0.2]}) for i in range(12)]
    single_results = [
        oracle.compare(case(12), {"id": "cvb0/update/012", "gamma_k": EXPECTED}),
        oracle.compare(case(0, id="vb/bound/000", algorithm="vb", operation="bound"), {"id": "vb/bound/000", "skip": "no bound"}),
        comparing.outcome(case(13), "failed", "ended: \x1b[31mred\x00 <&> \ud800"),
        oracle.compare(case(14), {"id": "cvb0/update/014", "gamma_k": [math.nan, 0.25]}),
    ]
    return oracle.Report((*failed, *single_results))


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
    verdict, first, *next_blocks = text.split("\n\n")[1:]
    assert verdict == "14 of 15 cases failed."
    assert first.splitlines()[:2] == [
        "1. 12 failed cases (cvb0/update 12)",
        f"   The answers are those that one gets when {TEXTS['all-copies-excluded']} [all-copies-excluded]",
    ]
    assert len(next_blocks) == 3
    assert "cvb0/update/001" not in text
    failed = [comparing.outcome(case(i), "failed", f"ended {i}") for i in range(12)]
    assert "and 9 more failed cases (cvb0/update 9), shown with --all" in str(oracle.Report(tuple(failed)))
    everything = reporting.text(a_report(), everything=True)
    assert "cvb0/update/001" in everything
    assert "Skipped:\n    1  no bound" in everything


def test_the_report_as_json():
    content = json.loads(oracle.to_json(a_report()), parse_constant=lambda name: pytest.fail(name))
    assert (content["passed"], content["failed"], content["skipped"]) == (1, 14, 1)
    first = content["results"][0]
    assert (first["id"], first["field"], first["index"], first["got"], first["mistake"]) == ("cvb0/update/000", "gamma_k", [0], 0.8, "all-copies-excluded")
    assert content["results"][-1]["got"] == "nan"
