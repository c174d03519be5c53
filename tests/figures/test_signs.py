"""Two-sided rules for wins and losses, and no status where the runs cannot decide: signs.py and rules of AWST09 and SOL14."""

import awst09_text
import numpy as np
import pytest
import signs
import sol14_r8

from lda_reference.evaluation.search import Difference


@pytest.mark.parametrize(("mean", "expected"), [(0.21, 1), (-0.21, -1), (0.19, 0), (-0.19, 0)])
def test_the_same_two_standard_errors_decide_for_and_against(mean, expected):
    assert signs.sign(Difference(mean, 0.1, 3)) == expected
    assert signs.sign(signs.opposite(Difference(mean, 0.1, 3))) == -expected


def test_a_verdict_needs_a_sign():
    cases = {(): "not tested", (0, 0): "not tested", (1, 1): "reproduced", (1, 0): "depends on search",
             (1, -1): "depends on search", (0, -1): "not reproduced"}  # fmt: skip
    assert {x: signs.verdict(x) for x in cases} == cases


def test_likeness_needs_the_whole_interval_below_the_level():
    assert [signs.within(Difference(mean, 1, 3), 10) for mean in (7, -7, 9, 11, 13, -13)] == [1, 1, 0, 0, -1, -1]
    cases = {(): "not tested", (0, 0): "not tested", (1, 1): "reproduced", (1, 0): "not tested",
             (1, -1): "depends on search", (0, -1): "not reproduced"}  # fmt: skip
    assert {x: signs.verdict_of_likeness(x) for x in cases} == cases


def test_two_pairs_are_no_comparison():
    assert signs.judged([Difference(5, 0.1, 2), None, Difference(5, np.nan, 1)])[0] == "not tested"
    status, text = signs.judged([Difference(5, 0.1, 2), Difference(5, 0.1, 3)])
    assert status == "reproduced"
    assert "1 of 1" in text


def test_twice_the_threshold_weakens_a_status_or_is_mentioned():
    strong, weak, lost = Difference(5, 1, 3), Difference(3, 1, 3), Difference(-9, 1, 3)
    assert signs.judged([strong, strong]) == (
        "reproduced",
        "2 of 2 comparisons agree with the claim by more than two standard errors, and none contradicts it.",
    )
    status, text = signs.judged([strong, weak])
    assert status == "reproduced"
    assert "at four standard errors the status would be “depends on search”" in text
    assert signs.judged([weak, weak])[0] == "not tested"
    assert signs.judged([strong, lost])[0] == "depends on search"
    assert signs.judged([lost, weak])[0] == "depends on search"
    assert signs.judged([lost, lost])[0] == "not reproduced"


def test_awst09_tells_a_difference_from_0_by_student_t():
    three = [awst09_text.sign(Difference(x, 1.0, 3)) for x in (4.4, 4.2, -4.2, -4.4)]  # the quantile is 4.303
    assert three == [1, 0, 0, -1]
    assert awst09_text.sign(Difference(12.0, 1.0, 2)) == 0  # the quantile is 12.7
    assert awst09_text.sign(Difference(2.0, float("nan"), 1)) is None
    assert awst09_text.sign(None) is None
    found = [awst09_text.within(Difference(x, 1.0, 3), 10.0) for x in (5.0, -5.0, 8.0, 16.0, -16.0)]
    assert found == [1, 1, None, -1, -1]


def test_awst09_ignores_what_is_not_decided():
    cases = {(): "not tested", (None,): "not tested", (0, 0): "not tested", (1, None): "reproduced",
             (1, 0): "depends on search", (1, -1): "depends on search", (0, -1): "not reproduced"}  # fmt: skip
    assert {x: awst09_text.verdict(list(x)) for x in cases} == cases


def test_an_f_test_compares_deviations():
    wide, narrow = [0.0, 10.0, 20.0], [0.0, 0.1, 0.2]
    assert (sol14_r8.larger(wide, narrow), sol14_r8.larger(narrow, wide)) == (1, -1)
    assert sol14_r8.larger(wide, [0.0, 4.0, 8.0]) == 0
