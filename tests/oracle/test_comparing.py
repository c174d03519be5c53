"""Comparing an answer with what a case expects, and reports as text and JSON."""

import json
import math
import re

import pytest

from lda_reference import oracle
from lda_reference.oracle.judging import comparing, reporting

from .helpers import EXPECTED, MISTAKE_TEXTS, PLANTED, case


def comparison(answer_fields, case_number=0, **case_fields):
    compared_case = case(case_number, **case_fields)
    return oracle.compare(compared_case, {"id": compared_case["id"]} | answer_fields)


def test_an_answer_within_the_tolerance_passes():
    assert comparison({"gamma_k": EXPECTED}).passed
    assert comparison({"gamma_k": [0.75 + 1e-16, 0.25]}, tolerance=1e-15).passed
    assert comparison({"z": [1, 0.0]}, expected={"z": [1, 0]}, tolerance=0).passed
    assert comparison({"bound": "-inf"}, expected={"bound": "-inf"}).passed


def test_the_first_number_that_differs_and_how_far_it_is():
    expected = {"theta_jk": [[0.5, 0.5], [1.0, 0.0]], "phi_wk": [[1.0, 1.0]]}
    case_result = comparison({"theta_jk": [[0.5, 0.5], [1.0 + 3 * 2**-52, 0.1]], "phi_wk": [[1.0, 2.0]]}, expected=expected, tolerance=0)
    assert (case_result.status, case_result.field, case_result.index, case_result.expected, case_result.got) == ("failed", "theta_jk", (1, 0), 1.0, 1 + 3 * 2**-52)
    assert case_result.tags == ("AWST09 (13)",)
    assert "theta_jk[1, 0]" in case_result.reason
    assert "they agree to 15 digits" in case_result.reason
    assert "3 of 6 numbers differ" in case_result.reason


@pytest.mark.parametrize(
    ("field", "expected", "got", "difference_words"),
    [
        ("bound", -47.5, -42.5, "too large by 5 nats"), ("bound", -42.5, -47.5, "too small by 5 nats"),
        ("log_joint", -1930.0, -1930.4, "too small by 0.4 nats"), ("log_evidence", -1930.0, -1930.0004, "they agree to 6 digits"),
        ("coherence", 2.0, 2.5, "too large by 0.5"), ("cosine", -0.5, -0.6, "too small by 0.1"), ("eta", 0.5, -0.5, "too small by 1"),
        ("eta", 20.0, 31.0, "55% too large"), ("eta", 20.0, 0.0, "100% too small"), ("eta", 20.0, 50.0, "2.5 times as large"),
    ],
)  # fmt: skip
def test_how_far_a_number_is_from_the_expected_one(field, expected, got, difference_words):
    assert f", expected {expected}: {difference_words}; tolerance" in comparison({field: got}, expected={field: expected}).reason


@pytest.mark.parametrize(
    ("expected", "got"), [(0.5, 0.25), (1, 2), (0.0, 1.0), ("inf", 1.0), (1.0, "inf"), (1e-300, 1e300), (1.0, 10**400)]
)
def test_numbers_that_cannot_be_divided_are_told_too(expected, got):
    case_result = comparison({"bound": got}, expected={"bound": expected}, tolerance=0)
    assert (case_result.status, case_result.expected, case_result.got) == ("failed", expected, got)
    assert len(case_result.reason) < 500


@pytest.mark.parametrize(
    ("answer_fields", "reason_pattern"),
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
def test_answers_that_fail_for_their_form(answer_fields, reason_pattern):
    case_result = comparison(answer_fields)
    assert case_result.status == "failed"
    assert re.search(reason_pattern, case_result.reason)


def test_answers_that_are_no_object_have_no_id_or_are_skipped():
    for answer, reason in (([1], "is [1], expected an object"), (None, "is null, expected an object"), ({"gamma_k": EXPECTED}, "id is missing")):
        assert reason in oracle.compare(case(), answer).reason
    case_result = comparison({"skip": "no types"})
    assert (case_result.status, case_result.reason) == ("skipped", "no types")


def test_input_that_must_be_refused():
    reject_fields = {"expected": {"error": True}, "operation": "reject"}
    assert comparison({"error": "alpha is negative"}, **reject_fields).passed
    wrong_answer = {"gamma_k": EXPECTED}
    for answer, field_names in ((wrong_answer, "gamma_k"), ({"error": "x"} | wrong_answer, "gamma_k"), ({}, "nothing")):
        case_result = comparison(answer, **reject_fields)
        assert case_result.status == "failed"
        assert f"must be refused with an error; got {field_names}" in case_result.reason


def test_a_mistake_is_named_where_the_answer_is_its_own_alone():
    fields_by_mistake = {"all-copies-excluded": {"gamma_k": [0.8, 0.2]}, "no-eta": {"gamma_k": [0.6, 0.4]}}
    mistake_of_answer = ([0.8, 0.2 + 1e-16], "all-copies-excluded"), ([0.6, 0.4], "no-eta"), ([0.8, 0.2001], None), (EXPECTED, None)
    for gamma_k, mistake in mistake_of_answer:
        assert comparison({"gamma_k": gamma_k}, mistakes=fields_by_mistake).mistake == mistake
    assert comparison({"gamma_k": [0.8, 0.2], "gamma": 1}, mistakes=fields_by_mistake).mistake is None
    assert comparison({"gamma_k": [0.8, 0.2]}, mistakes=fields_by_mistake | {"twin": {"gamma_k": [0.8, 0.2]}}).mistake is None


def test_a_mistake_in_the_shape_is_named_too():
    case_result = comparison({"phi_wk": [[0.5], [0.5]]}, expected={"phi_wk": [[0.5, 0.5]]}, mistakes={"topics-first": {"phi_wk": [[0.5], [0.5]]}})
    assert (case_result.status, case_result.mistake) == ("failed", "topics-first")


# Reports -------------------------------------------------------------------------------------------------------------


def a_report():
    failed_results = [comparison({"gamma_k": [0.8, 0.2]}, case_number, mistakes=PLANTED) for case_number in range(12)]
    single_results = [
        comparison({"gamma_k": EXPECTED}, 12),
        comparison({"skip": "no bound"}, algorithm="vb", operation="bound"),
        comparing.outcome(case(13), "failed", "ended: \x1b[31mred\x00 <&> \ud800"),
        comparison({"gamma_k": [math.nan, 0.25]}, 14),
    ]
    return oracle.Report((*failed_results, *single_results))


def test_the_table_and_the_failures(vectors):
    report_text = str(a_report())
    report_lines = report_text.splitlines()
    assert report_lines[:5] == [
        "passed/failed/skipped",
        "           update  bound   total",
        "cvb0       1/14/0      -  1/14/0",
        "vb              -  0/0/1   0/0/1",
        "total      1/14/0  0/0/1  1/14/1",
    ]
    verdict_text, first_group_text, *next_group_texts = report_text.split("\n\n")[1:]
    assert verdict_text == "14 of 15 cases failed."
    group_lines = first_group_text.splitlines()
    assert group_lines[0] == "1. 12 failed cases (cvb0/update 12)"
    assert group_lines[1] == f"   The answers are those that one gets when {MISTAKE_TEXTS['all-copies-excluded']} [all-copies-excluded]"
    assert group_lines[2].startswith("   cvb0/update/000, AWST09 (13): gamma_k[0] is 0.8, expected 0.75: 6.67% too large; tolerance 1e-15; 2 of 2 ")
    assert group_lines[3] == "   Next: `lda-reference oracle explain cvb0/update/000` shows the right numbers on the way"
    assert len(next_group_texts) == 3
    assert next_group_texts[2] == "Mend 1 first and run again: the other groups may have the same cause."
    assert "cvb0/update/001" not in report_text
    assert "cvb0/update/014" in report_text
    assert "shown with --all" not in report_text
    failed_results = [comparing.outcome(case(case_number), "failed", f"ended {case_number}") for case_number in range(12)]
    assert "and 9 more failed cases (cvb0/update 9), shown with --all" in str(oracle.Report(tuple(failed_results)))
    unread_lines = [f'the answer cannot be read as JSON (Expecting value): "asking {case_number}"' for case_number in range(3)]
    failure_reasons = ["not asked: the program ended"] * 5 + unread_lines
    failed_results = [comparing.outcome(case(case_number), "failed", failure_reason) for case_number, failure_reason in enumerate(failure_reasons)]
    group_sizes = [len(results) for _, results in reporting.groups(oracle.Report(tuple(failed_results)), {})]
    assert group_sizes == [3, 5]  # the cause first, and no group for each line
    full_text = reporting.text(a_report(), everything=True)
    assert full_text.index("1. 12 failed cases") < full_text.index("cvb0/update/001  failed")
    assert "Skipped:\n    1  no bound" in full_text


def test_the_report_as_json():
    report_content = json.loads(oracle.to_json(a_report()), parse_constant=lambda constant_name: pytest.fail(constant_name))
    assert (report_content["passed"], report_content["failed"], report_content["skipped"]) == (1, 14, 1)
    first_result_fields = report_content["results"][0]
    assert (first_result_fields["id"], first_result_fields["field"], first_result_fields["index"], first_result_fields["got"], first_result_fields["mistake"]) == ("cvb0/update/000", "gamma_k", [0], 0.8, "all-copies-excluded")
    assert report_content["results"][-1]["got"] == "nan"
