"""The runner: callables as ports, and the naming of mistakes over several cases."""

import math
import sys
import time

import numpy as np
import pytest

from lda_reference import oracle

from .helpers import EXPECTED, case, statuses


def test_a_callable_is_a_port():
    def answer(question):
        assert "expected" not in question
        number = int(question.pop("id")[-3:])
        if number == 1:
            raise KeyError("row")
        return {"id": f"cvb0/update/{number:03}", "gamma_k": np.array(EXPECTED)} if number < 3 else None

    given = [case(i) for i in range(4)]
    report = oracle.check(answer, given=given)
    assert statuses(report) == ["passed", "failed", "passed", "failed"]
    assert report.results[1].reason == "raised KeyError: 'row'"
    assert given == [case(i) for i in range(4)]
    assert not report.ok
    for strange in (10**5000, {1: 2}, object(), [[]], b"0.5", "\x1b[31m\ud800"):
        for field in ({"gamma_k": [strange, 0.25]}, {"gamma_k": strange}, {"skip": strange}, {"error": strange}, {1: strange}):
            (r,) = oracle.check(lambda q, field=field: {"id": q["id"], **field}, given=given[:1]).results
            assert r.status == ("skipped" if "skip" in field and isinstance(strange, str) else "failed")
            assert r.reason.isprintable()
            assert oracle.to_json(oracle.Report((r,)))
    assert oracle.check(lambda c: {"id": c["id"], "bound": math.inf}, given=[case(expected={"bound": "inf"})]).ok


def test_a_draw_that_is_a_mistake_s_by_chance_is_not_named():
    """Whole numbers can be equal by chance: a name must hold wherever the operation knows the mistake."""
    planted = {"off-by-one": {"topic": 1}}
    given = [case(i, expected={"topic": 0}, tolerance=0, mistakes=planted) for i in range(3)]

    def answers(*topics):
        return lambda q: {"id": q["id"], "topic": topics[int(q["id"][-1])]}

    assert [r.mistake for r in oracle.check(answers(1, 1, 1), given=given).results] == ["off-by-one"] * 3
    assert [r.mistake for r in oracle.check(answers(1, 0, 1), given=given).results] == [None] * 3
    given[1]["mistakes"] = []
    assert [r.mistake for r in oracle.check(answers(1, 0, 1), given=given).results] == ["off-by-one", None, "off-by-one"]


def of(i, mistakes, **rest):
    return case(i, mistakes={name: {"gamma_k": x} for name, x in mistakes.items()}, **rest)


def names(answers, given):
    """The mistakes named for answers, one for each case."""
    by_id = dict(zip((c["id"] for c in given), answers, strict=True))
    return [r.mistake for r in oracle.check(lambda q: {"id": q["id"], "gamma_k": by_id[q["id"]]}, given=given).results]


A, B, OTHER = [0.8, 0.2], [0.6, 0.4], [0.7, 0.3]


def test_a_name_explains_two_failed_cases_or_the_only_one():
    known = [of(i, {"a": A, "b": B}) for i in range(3)]
    assert names([A, A, A], known) == ["a", "a", "a"]
    assert names([A, EXPECTED, EXPECTED], [of(0, {"a": A}), of(1, {}), of(2, {})]) == ["a", None, None]
    assert names([A, OTHER, EXPECTED], [of(0, {"a": A}), of(1, {}), of(2, {})]) == [None] * 3
    assert names([A, A, OTHER], [of(0, {"a": A}), of(1, {"a": A}), of(2, {})]) == ["a", "a", None]


def test_no_answer_contradicts_a_name():
    known = [of(i, {"a": A, "b": B}) for i in range(3)]
    assert names([A, A, B], known) == [None] * 3
    assert names([A, A, OTHER], known) == [None] * 3
    assert names([A, A, EXPECTED], known) == [None] * 3


def test_a_failed_update_contradicts_the_name_of_a_sweep():
    sweeps = [of(i, {"a": A}, id=f"cvb0/sweep/{i:03}", operation="sweep") for i in range(2)]
    assert names([A, A, A, A], [of(0, {"a": A}), of(1, {"a": A}), *sweeps]) == ["a"] * 4
    assert names([OTHER, OTHER, A, A], [of(0, {"a": A}), of(1, {"a": A}), *sweeps]) == [None] * 4
    assert names([EXPECTED, EXPECTED, A, A], [of(0, {"a": A}), of(1, {"a": A}), *sweeps]) == [None, None, "a", "a"]


def test_a_run_in_which_nothing_passes_is_a_failure():
    report = oracle.check(lambda q: {"id": q["id"], "skip": "not yet"}, given=[case(i) for i in range(3)])
    assert not report.ok
    assert not report.of("failed")
    assert "\n\nNo case passed. A run in which nothing passes is a failure.\n" in str(report)
    assert oracle.check(lambda q: {"id": q["id"], "gamma_k": EXPECTED} if q["id"][-1] == "1" else {"id": q["id"], "skip": "no"}, given=[case(0), case(1)]).ok


def test_required_cases_must_not_be_skipped():
    given = [case(0), case(1), case(0, id="vb/bound/000", algorithm="vb", operation="bound")]

    def port(q):
        return {"id": q["id"], "gamma_k": EXPECTED} if q["id"] == "cvb0/update/000" else {"id": q["id"], "skip": "not yet"}

    def failed(require):
        return [r.id for r in oracle.check(port, given=given, require=require).of("failed")]

    assert failed(()) == []
    assert failed("cvb0/update/000") == []
    assert failed("cvb0") == failed("update") == failed(["cvb0/update"]) == ["cvb0/update/001"]
    assert failed("bound") == failed("vb/bound") == ["vb/bound/000"]
    assert failed("vb,update") == ["cvb0/update/001", "vb/bound/000"]
    (r,) = oracle.check(port, given=given, only="vb", require="vb").results
    assert (r.status, r.reason) == ("failed", "skipped, but required: not yet")
    with pytest.raises(ValueError, match="require has 'vb', which is no algorithm, operation or beginning of an id of these cases"):
        oracle.check(port, given=given, only="cvb0", require="vb")


def test_a_callable_that_exits_fails_its_case_alone():
    def port(q):
        if q["id"].endswith("1"):
            sys.exit(3)
        return {"id": q["id"], "gamma_k": EXPECTED}

    report = oracle.check(port, given=[case(i) for i in range(3)])
    assert statuses(report) == ["passed", "failed", "passed"]
    assert report.results[1].reason == "raised SystemExit: 3"


def test_names_and_fields_of_an_answer_are_cut_and_cleaned():
    red = "\x1b[31m" + "x" * 1000
    for field in ({red: 1}, {red: 1, "error": "no"}):
        for about in ({}, {"operation": "reject", "expected": {"error": True}}):
            (r,) = oracle.check(lambda q, field=field: {"id": q["id"], **field}, given=[case(0, **about)]).results
            assert r.status == "failed"
            assert r.reason.isprintable()
            assert len(r.reason) < 300
    (r,) = oracle.check(lambda q: {"id": q["id"]} | {f"field{i}": 1 for i in range(100)}, given=[case(0)]).results
    assert r.reason == "the answer's fields: gamma_k is missing; field0, field1, field2, field3, field4, 95 more is not asked for"


def test_the_cases_after_the_budget_are_not_asked():
    def port(q):
        time.sleep(0.1)
        return {"id": q["id"], "gamma_k": EXPECTED}

    report = oracle.check(port, given=[case(i) for i in range(4)], budget=0.15)
    assert statuses(report) == ["passed", "passed", "failed", "failed"]
    assert report.results[3].reason == "not asked: the budget of 0.15 s for all cases is used up"
    with pytest.raises(ValueError, match="budget is 0, expected seconds, above 0"):
        oracle.check(port, given=[case(0)], budget=0)
