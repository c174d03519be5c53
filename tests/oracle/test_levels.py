"""Choosing cases, and levels: which cases each has, and how far a port has come."""

import json

import pytest

from lda_reference import oracle
from lda_reference.oracle.cases import loading
from lda_reference.oracle.judging import levels

from .helpers import GUIDE, case, right_port, statuses


def test_cases_are_chosen_by_algorithm_id_and_operation():
    all_cases = [case(0), case(1), case(2, algorithm="vb", operation="bound")]

    def chosen_ids(**select_options):
        return [chosen_case["id"] for chosen_case in loading.select(all_cases, **select_options)]

    assert chosen_ids(only="vb") == ["vb/bound/002"]
    assert chosen_ids(only="cvb0/update,vb") == [chosen_case["id"] for chosen_case in all_cases]
    assert chosen_ids(only=["cvb0"], operation="bound") == []
    with pytest.raises(ValueError, match=rf"only has 'cvb', expected an algorithm \(cvb0, vb\) or the beginning of an id of one of the {len(all_cases)} cases"):
        loading.select(all_cases, only="cvb")
    with pytest.raises(ValueError, match="operation is 'updates', expected one of update, sweep"):
        loading.select(all_cases, operation="updates")


def test_every_algorithm_has_a_plain_update_and_every_level_has_cases():
    levels_by_algorithm = {}
    for vector_case in [*oracle.cases(), *oracle.sampler_cases()]:
        levels_by_algorithm.setdefault(vector_case["algorithm"], set()).add(levels.level(vector_case))
    algorithms_without_all_levels = ("gibbs", "cgs", "starts", "lda", "ep", "hmc", "sgrld", "scvb0")
    assert all(levels_by_algorithm[algorithm] == {1, 2, 3, 4, 5} for algorithm in levels_by_algorithm if algorithm not in algorithms_without_all_levels)
    assert levels_by_algorithm["cgs"] == {1, 2, 3, 5, 4, 6}
    assert set.union(*levels_by_algorithm.values()) == levels.LEVELS.keys()


def test_edges_other_schedules_and_illegal_input_are_higher_levels():
    update_case = {"algorithm": "cvb0", "operation": "update", "schedule": "corpus"}
    assert [levels.level(update_case | {"flags": flags}) for flags in ([], ["unseen_word"], ["types"], ["K1"])] == [1, 1, 2, 2]
    assert levels.level(update_case | {"algorithm": "tcvb0", "flags": ["types"]}) == 1
    sweep_cases = [{"algorithm": "cvb0", "operation": "sweep", "schedule": schedule} for schedule in ("token", "corpus")]
    assert [levels.level(sweep_case) for sweep_case in sweep_cases] == [3, 4]
    assert [levels.level({"algorithm": "cgs", "operation": operation}) for operation in ("bound", "reject", "sample", "new")] == [4, 5, 6, 4]


def test_a_level_is_reached_if_all_its_cases_pass():
    four_cases = [case(0, flags=[]), case(1), case(0, operation="estimate"), case(0, operation="bound")]

    def reached(port, **check_options):
        (level_progress,) = oracle.check(port, given=four_cases, **check_options).levels
        assert (level_progress.algorithm, level_progress.top) == ("cvb0", 4)
        return level_progress.level, level_progress.left

    assert reached(right_port) == (4, {})
    assert reached(lambda question: right_port(question) if question["operation"] == "update" else {"id": question["id"], "skip": "no"}) == (2, {"skipped": 1})
    assert reached(lambda question: right_port(question) | ({"gamma_k": [0, 1]} if question["id"] == "cvb0/update/000" else {})) == (0, {"failed": 1})
    assert reached(right_port, operation="update") == (2, {"not asked": 1})
    assert statuses(oracle.check(right_port, given=four_cases, level=2)) == ["passed"] * 2
    with pytest.raises(ValueError, match="level is 7, expected a whole number from 1 to 6"):
        oracle.check(right_port, given=four_cases, level=7)


LONG_OPERATIONS = ("ten_sweeps", "converged", "summary")
SKIPS = "16 skipped by token, 3 skipped by document, 5 skipped by block"


@pytest.mark.parametrize(
    ("schedules", "further_operations", "failing_id", "level_line"),
    [
        (["corpus"], (), "", f"3 (corpus) of 5: {levels.ORDER_MEANINGS[3]} (sweeps: {SKIPS})"),
        (["corpus"], (*LONG_OPERATIONS, "bound"), "", f"4 (corpus) of 5: {levels.ORDER_MEANINGS[4]} (sweeps: {SKIPS})"),
        (["corpus"], (), "cvb0/sweep/008", f"2 of 5: {levels.LEVELS[2]} (cases of the next level: 16 skipped)"),
        (["corpus", "block"], (), "cvb0/sweep/019", f"3 (corpus) of 5: {levels.ORDER_MEANINGS[3]} (sweeps: 16 skipped by token, 3 skipped by document, 1 failed by block)"),
        (["document", "corpus"], (), "", f"3 (document) and 3 (corpus) of 5: {levels.ORDER_MEANINGS[3]} (sweeps: 16 skipped by token, 5 skipped by block)"),
        (["token", "corpus"], (), "", f"3 of 5: {levels.LEVELS[3]} (cases of the next level: 52 skipped)"),
    ],
)
def test_a_port_that_does_not_sweep_in_the_default_schedule_has_levels_in_its_own(schedules, further_operations, failing_id, level_line):
    expected_by_id = {vector_case["id"]: vector_case["expected"] for vector_case in oracle.cases("cvb0")}

    def port(question):
        is_skipped = question["operation"] in (*LONG_OPERATIONS, "sweep") and question["schedule"] not in schedules
        if is_skipped or question["operation"] not in ("update", "sweep", "estimate", "predict", *further_operations):
            return {"id": question["id"], "skip": "no"}
        return {"id": question["id"]} if question["id"] == failing_id else {"id": question["id"], **expected_by_id[question["id"]]}

    report = oracle.check(port, only="cvb0")
    assert levels.lines(report.levels) == [f"  cvb0       {level_line}"]
    level_by_schedule = report.levels[0].in_order
    assert json.loads(oracle.to_json(report))["levels_in_order"] == ({"cvb0": level_by_schedule} if level_by_schedule else {})


def test_the_guide_has_the_table_of_the_levels():
    assert all(f"| {level_number} | " in GUIDE and f"| {meaning} |" in GUIDE for level_number, meaning in levels.LEVELS.items())
    assert all(f"| {level_number} (`corpus`) | " in GUIDE and f"| {meaning} |" in GUIDE for level_number, meaning in levels.ORDER_MEANINGS.items())
