"""The runner: callables as ports, and the naming of mistakes over several cases."""

import math
import sys
import time

import numpy as np
import pytest

from lda_reference import oracle

from .helpers import EXPECTED, case, right_port, statuses


def test_a_callable_is_a_port():
    def answer(question):
        assert "expected" not in question
        question_number = int(question.pop("id")[-3:])
        if question_number == 1:
            raise KeyError("row")
        if question_number == 4:
            sys.exit(3)
        return {"id": f"cvb0/update/{question_number:03}", "gamma_k": np.array(EXPECTED)} if question_number < 3 else None

    all_cases = [case(case_number) for case_number in range(5)]
    report = oracle.check(answer, given=all_cases)
    assert statuses(report) == ["passed", "failed", "passed", "failed", "failed"]
    assert (report.results[1].reason, report.results[4].reason) == ("raised KeyError: 'row'", "raised SystemExit: 3")
    assert all_cases == [case(case_number) for case_number in range(5)]
    assert not report.ok
    for strange_fields in ({"gamma_k": [10**5000, 0.25]}, {"gamma_k": object()}, {"\x1b[31m\ud800" * 1000: 1, "error": "\x1b"}):
        (case_result,) = oracle.check(lambda question, strange_answer=strange_fields: {"id": question["id"], **strange_answer}, given=all_cases[:1]).results
        assert case_result.status == "failed"
        assert case_result.reason.isprintable()
        assert len(case_result.reason) < 300
        assert oracle.to_json(oracle.Report((case_result,)))
    assert oracle.check(lambda infinite_question: {"id": infinite_question["id"], "bound": math.inf}, given=[case(expected={"bound": "inf"})]).ok


def test_a_draw_that_is_a_mistake_s_by_chance_is_not_named():
    """Whole numbers can be equal by chance: a name must hold wherever the operation knows the mistake."""
    fields_by_mistake = {"off-by-one": {"topic": 1}}
    all_cases = [case(case_number, expected={"topic": 0}, tolerance=0, mistakes=fields_by_mistake) for case_number in range(3)]

    def port_of(*drawn_topics):
        return lambda question: {"id": question["id"], "topic": drawn_topics[int(question["id"][-1])]}

    assert [case_result.mistake for case_result in oracle.check(port_of(1, 1, 1), given=all_cases).results] == ["off-by-one"] * 3
    assert [case_result.mistake for case_result in oracle.check(port_of(1, 0, 1), given=all_cases).results] == [None] * 3
    all_cases[1]["mistakes"] = []
    assert [case_result.mistake for case_result in oracle.check(port_of(1, 0, 1), given=all_cases).results] == ["off-by-one", None, "off-by-one"]


def case_with(case_number, gamma_by_mistake, **case_fields):
    return case(case_number, mistakes={mistake: {"gamma_k": gamma_k} for mistake, gamma_k in gamma_by_mistake.items()}, **case_fields)


ROW_A, ROW_C = [0.8, 0.2], [0.7, 0.3]
KNOWN_CASES = [case_with(i, {"a": ROW_A, "b": [0.6, 0.4]}) for i in range(3)]
FIRST_PLANTED = [case_with(0, {"a": ROW_A}), case_with(1, {}), case_with(2, {})]
SWEEPS_TOO = [case_with(0, {"a": ROW_A}), case_with(1, {"a": ROW_A}), *(case_with(i, {"a": ROW_A}, operation="sweep") for i in range(2))]


def sweeps_by(*schedules):
    return [case_with(i, {"a": ROW_A}, operation="sweep", schedule=schedule) for i, schedule in enumerate(schedules)]


@pytest.mark.parametrize(
    ("gamma_rows", "all_cases", "mistake_names"),
    [  # a name explains two failed cases or the only one
        ([ROW_A, ROW_A, ROW_A], KNOWN_CASES, ["a", "a", "a"]),
        ([ROW_A, EXPECTED, EXPECTED], FIRST_PLANTED, ["a", None, None]),
        ([ROW_A, ROW_A, ROW_C], KNOWN_CASES, [None] * 3),
        ([ROW_A, ROW_A, EXPECTED], KNOWN_CASES, [None] * 3),
        # a failed update contradicts the name of a sweep
        ([ROW_A, ROW_A, ROW_A, ROW_A], SWEEPS_TOO, ["a"] * 4),
        ([ROW_C, ROW_C, ROW_A, ROW_A], SWEEPS_TOO, [None] * 4),
        ([EXPECTED, EXPECTED, ROW_A, ROW_A], SWEEPS_TOO, [None, None, "a", "a"]),
        # a right sweep of another order contradicts it, one in `nested` order does not
        ([ROW_A, ROW_A, EXPECTED], sweeps_by("token", "token", "corpus"), [None] * 3),
        ([ROW_A, ROW_A, EXPECTED], sweeps_by("token", "token", "nested"), ["a", "a", None]),
    ],
)
def test_a_name_explains_enough_and_no_answer_contradicts_it(gamma_rows, all_cases, mistake_names):
    gamma_by_id = dict(zip((asked_case["id"] for asked_case in all_cases), gamma_rows, strict=True))
    report = oracle.check(lambda question: {"id": question["id"], "gamma_k": gamma_by_id[question["id"]]}, given=all_cases)
    assert [case_result.mistake for case_result in report.results] == mistake_names


def test_a_run_in_which_nothing_passes_is_a_failure():
    report = oracle.check(lambda question: {"id": question["id"], "skip": "not yet"}, given=[case(case_number) for case_number in range(3)])
    assert not report.ok
    assert not report.of("failed")
    assert "\n\nNo case passed. A run in which nothing passes is a failure.\n" in str(report)


def test_required_cases_must_not_be_skipped():
    all_cases = [case(0), case(1), case(0, algorithm="vb", operation="bound")]

    def port(question):
        return right_port(question) if question["id"] == "cvb0/update/000" else {"id": question["id"], "skip": "not yet"}

    def failed_ids(require):
        return [case_result.id for case_result in oracle.check(port, given=all_cases, require=require).of("failed")]

    assert failed_ids(()) == failed_ids("cvb0/update/000") == []
    assert failed_ids("cvb0") == failed_ids("update") == failed_ids(["cvb0/update"]) == ["cvb0/update/001"]
    assert failed_ids("vb,update") == ["cvb0/update/001", "vb/bound/000"]
    (case_result,) = oracle.check(port, given=all_cases, only="vb", require="vb").results
    assert (case_result.status, case_result.reason) == ("failed", "skipped, but required: not yet")
    with pytest.raises(ValueError, match="require has 'vb', which is no algorithm, operation or beginning of an id of these cases"):
        oracle.check(port, given=all_cases, only="cvb0", require="vb")


def test_the_cases_after_the_budget_are_not_asked():
    def port(question):
        time.sleep(0.6 * question["id"].endswith("1"))
        return right_port(question)

    report = oracle.check(port, given=[case(case_number) for case_number in range(4)], budget=0.5)
    assert statuses(report) == ["passed", "passed", "failed", "failed"]
    assert report.results[3].reason == "not asked: the budget of 0.5 s for all cases is used up"


# Batches and repetition ----------------------------------------------------------------------------------------------


def test_a_function_is_asked_the_cases_of_one_form_as_one():
    priors = [{"alpha": 0.5, "eta": 0.5}, {"alpha": [0.5, 0.5], "eta": 0.5}]
    all_cases = [case(case_number, prior=priors[case_number % 3 == 2], row=case_number, state={"gamma": [[case_number, 1], [0, 1]]}) for case_number in range(5)]
    asked_batches = []

    def port(batch):
        asked_batches.append(batch)
        return {"gamma_k": np.tile(EXPECTED, (len(batch["id"]), 1))}

    report = oracle.check(port, given=all_cases, batch=True)
    assert report.ok
    assert [case_result.id for case_result in report.results] == [asked_case["id"] for asked_case in all_cases]
    assert report.notes == ("5 cases in 2 batches of one form",)
    first_batch, second_batch = asked_batches
    assert (first_batch["id"], second_batch["id"]) == (["cvb0/update/000", "cvb0/update/001", "cvb0/update/003", "cvb0/update/004"], ["cvb0/update/002"])
    assert (first_batch["row"], first_batch["prior"]["alpha"], first_batch["flags"]) == ([0, 1, 3, 4], [0.5] * 4, [["types"]] * 4)
    assert np.shape(first_batch["state"]["gamma"]) == (4, 2, 2)
    assert second_batch["prior"] == {"alpha": [[0.5, 0.5]], "eta": [0.5]}


@pytest.mark.parametrize(
    ("batch_answer", "reason"),
    [
        ({"skip": "not yet"}, "not yet"),
        ({"gamma_k": [EXPECTED]}, "the answer's gamma_k has no first axis of 2, the number of cases"),
        (None, "the answer is null, expected an object"),
        ({"id": ["cvb0/update/000"] * 2, "gamma_k": [EXPECTED] * 2}, 'the answer\'s id is "cvb0/update/000", expected "cvb0/update/001"'),
    ],
)
def test_an_answer_to_a_batch_stands_for_its_cases(batch_answer, reason):
    case_results = oracle.check(lambda batch: batch_answer, given=[case(0), case(1)], batch=True).results
    assert case_results[1].reason == reason
    assert case_results[0].reason in (reason, "")


def test_every_case_is_in_one_batch_and_right_answers_pass():
    all_cases = oracle.cases("cvb0,cgs,starts,ep")
    expected_by_id = {vector_case["id"]: vector_case["expected"] for vector_case in all_cases}

    def port(batch):
        expected_answers = [expected_by_id[case_id] for case_id in batch["id"]]
        return {field: ["no" if field == "error" else answer[field] for answer in expected_answers] for field in expected_answers[0]}

    assert oracle.check(port, given=all_cases, batch=True, repeat=2).ok


def test_a_case_that_is_answered_in_one_run_alone_fails_and_varies():
    asked_ids = []

    def port(question):
        asked_ids.append(question["id"])
        return right_port(question) if len(asked_ids) < 4 else 1 / 0

    report = oracle.check(port, given=[case(0), case(1)], repeat=2)
    assert statuses(report) == ["passed", "failed"]
    assert report.results[1].reason == "raised ZeroDivisionError: division by zero; the answers vary from run to run"
    assert report.notes[0].endswith("1 of 2 cases have answers that vary from run to run; most of all cvb0/update/001: passed and failed")
