"""The runner: callables as ports, and the naming of mistakes over several cases."""

import math
from xml.etree import ElementTree

import numpy as np

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
            ElementTree.fromstring(oracle.to_junit(oracle.Report((r,))))
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


def test_parametrize_gives_a_test_every_case(vectors):
    mark = oracle.parametrize(only="cvb0").mark
    assert mark.args[0] == "case"
    assert mark.kwargs["ids"] == ["cvb0/update/000", "cvb0/update/001"]
    result = oracle.judge(lambda c: {"id": c["id"], "gamma_k": EXPECTED}, mark.args[1][0])
    assert result.passed
