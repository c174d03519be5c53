"""What the report says of planted mistakes: no known mistake is named wrongly, and every sentence is true."""

import pytest

from lda_reference import oracle
from lda_reference.oracle.diagnosing import describing
from lda_reference.oracle.diagnosing.sentences import CASES, idle

from .helpers import cases
from .ports import planted
from .ports.planted_updates import Mistake

KNOWN = {
    "nothing-excluded": planted.NothingExcluded, "token-excluded": planted.TokenExcluded, "W-for-W-eta": planted.WForWEta,
    "log-for-digamma": planted.LogForDigamma, "variance-without-half": planted.WithoutHalf,
    "alpha-and-eta-swapped": planted.AlphaAndEtaSwapped,
}  # fmt: skip
FAULTS = planted.PLANTED | {name: Mistake("", ("vb", "cvb0", "cvb"), (layer,)) for name, layer in KNOWN.items()}
# The right names of mistakes; those that are not here have none
NAMES = {name: {name} for name in KNOWN} | {
    "log-for-digamma": {"log-for-digamma", "minka-log-for-digamma"},
    "log-for-digamma+token-excluded": {"minka-log-for-digamma"},
}


def found(fault):
    """The report on a port with a mistake, and what its failed cases share."""
    answers, port = {}, planted.port(fault, FAULTS)

    def answer(case):
        answers[case["id"]] = port(case)
        return answers[case["id"]]

    given = [case for case in cases(FAULTS[fault].algorithms) if case["operation"] in planted.OPERATIONS]
    report = oracle.check(answer, given=given)
    triples = [describing.Asked(c, answers.get(c["id"]), r) for c, r in zip(given, report.results, strict=True)]
    return report, describing.shared(triples), {c["id"]: c for c in given}


@pytest.mark.parametrize("fault", FAULTS)
def test_no_mistake_is_named_wrongly_and_every_sentence_is_true(fault):
    report, shared, cases = found(fault)
    assert {r.mistake for r in report.results if r.mistake} == NAMES.get(fault, set())
    status = {r.id: r for r in report.results}
    for s in shared:
        assert all(status[id].status == "failed" and status[id].mistake is None for id in s.failed)
        if s.attributes:
            assert all(CASES[name](cases[id]) for id in s.failed for name in s.attributes)
            groups = {(status[id].algorithm, status[id].operation) for id in s.failed}
            passed = [r for r in report.of("passed") if (r.algorithm, r.operation) in groups and not idle(cases[r.id])]
            have = sum(all(CASES[name](cases[r.id]) for name in s.attributes) for r in passed)
            assert s.counts == (len(passed), have)
