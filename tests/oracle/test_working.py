"""The working of a case: it ends in the expected numbers, and shows those on the way."""

import re

import pytest

from lda_reference.oracle.diagnosing.working import working
from lda_reference.plain import is_large

from .helpers import cases, one_of_each, run

SHOWN = [case for case in one_of_each(cases()) if case["operation"] != "reject" and not is_large(case)]


@pytest.mark.parametrize("case", SHOWN, ids=lambda case: case["id"])
def test_the_working_has_the_expected_numbers(case):
    text = "\n".join(working(case))
    for field, expected in case["expected"].items():
        section = text.split(f"\n{field}:")[1].split("\n\n")[0]
        numbers = [float(x) for x in re.findall(r"(?<![\w.])-?(?:\d+(?:\.\d+)?(?:e-?\d+)?|inf)", section)]
        x = expected
        while isinstance(x, list):
            x = x[0]
        assert any(v == float(x) or abs(v - float(x)) <= 1e-9 * max(1, abs(float(x))) for v in numbers)


def test_the_working_of_an_update_shows_sums_terms_and_weights(capsys):
    assert run("explain", "cvb0/update/005") == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert "N_jk 1.4784 2.5216" in lines  # 5 tokens of gamma 0.3696 and 0.6304, less one
    assert "document's term 1.8784 2.9215999999999998" in lines
    assert "gamma_k:" in lines


def test_a_case_without_working_says_why(capsys):
    assert run("explain", "cvb0/reject/001") != 0
    assert "its input must be refused" in capsys.readouterr().err
