"""Comparing an answer with what a case expects, and reports as text and JSON."""

import json
import math
import re

import pytest

from lda_reference import oracle
from lda_reference.oracle.judging import comparing, reporting

from .helpers import EXPECTED, MISTAKE_TEXTS, PLANTED, case


def comparison(answer, number=0, **fields):
    c = case(number, **fields)
    return oracle.compare(c, {"id": c["id"]} | answer)


def test_an_answer_within_the_tolerance_passes():
    assert comparison({"gamma_k": EXPECTED}).passed
    assert comparison({"gamma_k": [0.75 + 1e-16, 0.25]}, tolerance=1e-15).passed
    assert comparison({"z": [1, 0.0]}, expected={"z": [1, 0]}, tolerance=0).passed
    assert comparison({"bound": "-inf"}, expected={"bound": "-inf"}).passed


def test_the_first_number_that_differs_and_how_far_it_is():
    expected = {"theta_jk": [[0.5, 0.5], [1.0, 0.0]], "phi_wk": [[1.0, 1.0]]}
    r = comparison({"theta_jk": [[0.5, 0.5], [1.0 + 3 * 2**-52, 0.1]], "phi_wk": [[1.0, 2.0]]}, expected=expected, tolerance=0)
    assert (r.status, r.field, r.index, r.expected, r.got) == ("failed", "theta_jk", (1, 0), 1.0, 1 + 3 * 2**-52)
    assert r.tags == ("AWST09 (13)",)
    assert "theta_jk[1, 0]" in r.reason
    assert "they agree to 15 digits" in r.reason
    assert "3 of 6 numbers differ" in r.reason


@pytest.mark.parametrize(
    ("field", "expected", "got", "words"),
    [
        ("bound", -47.5, -42.5, "too large by 5 nats"), ("bound", -42.5, -47.5, "too small by 5 nats"),
        ("log_joint", -1930.0, -1930.4, "too small by 0.4 nats"), ("log_evidence", -1930.0, -1930.0004, "they agree to 6 digits"),
        ("coherence", 2.0, 2.5, "too large by 0.5"), ("cosine", -0.5, -0.6, "too small by 0.1"), ("eta", 0.5, -0.5, "too small by 1"),
        ("eta", 20.0, 31.0, "55% too large"), ("eta", 20.0, 0.0, "100% too small"), ("eta", 20.0, 50.0, "2.5 times as large"),
    ],
)  # fmt: skip
def test_how_far_a_number_is_from_the_expected_one(field, expected, got, words):
    assert f", expected {expected}: {words}; tolerance" in comparison({field: got}, expected={field: expected}).reason


@pytest.mark.parametrize(
    ("expected", "got"), [(0.5, 0.25), (1, 2), (0.0, 1.0), ("inf", 1.0), (1.0, "inf"), (1e-300, 1e300), (1.0, 10**400)]
)
def test_numbers_that_cannot_be_divided_are_told_too(expected, got):
    r = comparison({"bound": got}, expected={"bound": expected}, tolerance=0)
    assert (r.status, r.expected, r.got) == ("failed", expected, got)
    assert len(r.reason) < 500


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ({"gamma_k": [math.nan, 0.25]}, r"^gamma_k\[0\] is nan, expected 0.75"),
        ({"gamma_k": [0.75, math.inf]}, r'^gamma_k\[1\] is inf.*infinity is spelled "inf"'),
        ({"gamma_k": ["0.75", 0.25]}, r'^gamma_k\[0\] is "0.75", expected a number'),
        ({"gamma_k": [True, 0.25]}, r"^gamma_k\[0\] is true, expected a number"),
        ({"gamma_k": [None, 0.25]}, r"^gamma_k\[0\] is null, expected a number"),
        ({"gamma_k": [0.75]}, r"^gamma_k has length 1, expected 2"),
        ({"gamma_k": 0.75}, r"^gamma_k is 0.75, expected a list of 2"),
        ({"gamma_k": [[0.75, 0.25]]}, r"^gamma_k has length 1, expected 2"),
        ({"gamma_k": [[0.75], 0.25]}, r"^gamma_k\[0\] is \[0.75\], expected a number"),
        ({}, "gamma_k is missing"),
        ({"gamma": EXPECTED}, "gamma_k is missing; gamma is not asked for"),
        ({"gamma_k": EXPECTED, "gamma": EXPECTED}, "gamma is not asked for"),
        ({"gamma_k": EXPECTED, "id": "cvb0/update/009"}, 'id is "cvb0/update/009", expected "cvb0/update/000"'),
        ({"gamma_k": EXPECTED, "id": 0}, "id is 0"),
        ({"error": "alpha is too small"}, "is legal and was refused: alpha is too small"),
        ({"error": True}, "error is true, expected the reason"),
        ({"skip": ""}, 'skip is "", expected the reason'),
        ({"skip": True}, "skip is true, expected the reason"),
    ],
)
def test_answers_that_fail_for_their_form(answer, reason):
    r = comparison(answer)
    assert r.status == "failed"
    assert re.search(reason, r.reason)


def test_answers_that_are_no_object_have_no_id_or_are_skipped():
    assert "is [1], expected an object" in oracle.compare(case(), [1]).reason
    assert "is null, expected an object" in oracle.compare(case(), None).reason
    assert "id is missing" in oracle.compare(case(), {"gamma_k": EXPECTED}).reason
    r = comparison({"skip": "no types"})
    assert (r.status, r.reason) == ("skipped", "no types")


def test_input_that_must_be_refused():
    reject = {"expected": {"error": True}, "operation": "reject"}
    assert comparison({"error": "alpha is negative"}, **reject).passed
    wrong_answer = {"gamma_k": EXPECTED}
    for answer, field_names in ((wrong_answer, "gamma_k"), ({"error": "x"} | wrong_answer, "gamma_k"), ({}, "nothing")):
        r = comparison(answer, **reject)
        assert r.status == "failed"
        assert f"must be refused with an error; got {field_names}" in r.reason


def test_a_mistake_is_named_where_the_answer_is_its_own_alone():
    mistakes = {"all-copies-excluded": {"gamma_k": [0.8, 0.2]}, "no-eta": {"gamma_k": [0.6, 0.4]}}
    assert comparison({"gamma_k": [0.8, 0.2 + 1e-16]}, mistakes=mistakes).mistake == "all-copies-excluded"
    assert comparison({"gamma_k": [0.6, 0.4]}, mistakes=mistakes).mistake == "no-eta"
    assert comparison({"gamma_k": [0.8, 0.2001]}, mistakes=mistakes).mistake is None
    assert comparison({"gamma_k": [0.8, 0.2], "gamma": 1}, mistakes=mistakes).mistake is None
    assert comparison({"gamma_k": EXPECTED}, mistakes=mistakes).mistake is None
    assert comparison({"gamma_k": [0.8, 0.2]}, mistakes=mistakes | {"twin": {"gamma_k": [0.8, 0.2]}}).mistake is None


def test_a_mistake_in_the_shape_is_named_too():
    r = comparison({"phi_wk": [[0.5], [0.5]]}, expected={"phi_wk": [[0.5, 0.5]]}, mistakes={"topics-first": {"phi_wk": [[0.5], [0.5]]}})
    assert (r.status, r.mistake) == ("failed", "topics-first")


# Reports -------------------------------------------------------------------------------------------------------------


def a_report():
    failed_results = [comparison({"gamma_k": [0.8, 0.2]}, i, mistakes=PLANTED) for i in range(12)]
    single_results = [
        comparison({"gamma_k": EXPECTED}, 12),
        comparison({"skip": "no bound"}, algorithm="vb", operation="bound"),
        comparing.outcome(case(13), "failed", "ended: \x1b[31mred\x00 <&> \ud800"),
        comparison({"gamma_k": [math.nan, 0.25]}, 14),
    ]
    return oracle.Report((*failed_results, *single_results))


def test_the_table_and_the_failures(vectors):
    report_text = str(a_report())
    lines = report_text.splitlines()
    assert lines[:5] == [
        "passed/failed/skipped",
        "           update  bound   total",
        "cvb0       1/14/0      -  1/14/0",
        "vb              -  0/0/1   0/0/1",
        "total      1/14/0  0/0/1  1/14/1",
    ]
    verdict, first_group, *next_groups = report_text.split("\n\n")[1:]
    assert verdict == "14 of 15 cases failed."
    group = first_group.splitlines()
    assert group[0] == "1. 12 failed cases (cvb0/update 12)"
    assert group[1] == f"   The answers are those that one gets when {MISTAKE_TEXTS['all-copies-excluded']} [all-copies-excluded]"
    assert group[2].startswith("   cvb0/update/000, AWST09 (13): gamma_k[0] is 0.8, expected 0.75: 6.67% too large; tolerance 1e-15; 2 of 2 ")
    assert group[3] == "   Next: `lda-reference oracle explain cvb0/update/000` shows the right numbers on the way"
    assert len(next_groups) == 3
    assert next_groups[2] == "Mend 1 first and run again: the other groups may have the same cause."
    assert "cvb0/update/001" not in report_text
    assert "cvb0/update/014" in report_text
    assert "shown with --all" not in report_text
    failed_results = [comparing.outcome(case(i), "failed", f"ended {i}") for i in range(12)]
    assert "and 9 more failed cases (cvb0/update 9), shown with --all" in str(oracle.Report(tuple(failed_results)))
    unread_lines = [f'the answer cannot be read as JSON (Expecting value): "asking {i}"' for i in range(3)]
    reasons = ["not asked: the program ended"] * 5 + unread_lines
    failed_results = [comparing.outcome(case(i), "failed", reason) for i, reason in enumerate(reasons)]
    group_sizes = [len(results) for _, results in reporting.groups(oracle.Report(tuple(failed_results)), {})]
    assert group_sizes == [3, 5]  # the cause first, and no group for each line
    full_text = reporting.text(a_report(), everything=True)
    assert "cvb0/update/001" in full_text
    assert "Skipped:\n    1  no bound" in full_text


def test_the_report_as_json():
    content = json.loads(oracle.to_json(a_report()), parse_constant=lambda name: pytest.fail(name))
    assert (content["passed"], content["failed"], content["skipped"]) == (1, 14, 1)
    r = content["results"][0]
    assert (r["id"], r["field"], r["index"], r["got"], r["mistake"]) == ("cvb0/update/000", "gamma_k", [0], 0.8, "all-copies-excluded")
    assert content["results"][-1]["got"] == "nan"
