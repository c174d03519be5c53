"""What the report says of planted mistakes: no known mistake is named wrongly, and every sentence is true."""

import pytest

from lda_reference import oracle
from lda_reference.oracle.judging.reporting import Said

from .claims import refuted
from .helpers import EXPECTED, case, cases
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
    "euclidean-norm": {"gamma-of-length-one"},
}


@pytest.mark.parametrize("fault", FAULTS)
def test_no_mistake_is_named_wrongly_and_every_sentence_is_true(fault):
    answers, port = {}, planted.port(fault, FAULTS)

    def noted(case):
        answers[case["id"]] = port(case)
        return answers[case["id"]]

    given = [case for case in cases(FAULTS[fault].algorithms) if case["operation"] in planted.OPERATIONS]
    report = oracle.check(noted, given=given, compose=False)
    assert {r.mistake for r in report.results if r.mistake} == NAMES.get(fault, set())
    named = {r.id for r in report.results if r.mistake}
    assert not named & {id for said in report.shared for id in said.ids}
    assert refuted(report, {case["id"]: case for case in given}, answers) == []


@pytest.mark.parametrize(
    "text",
    [
        "2 failed cases: every number is 2 times the expected one",
        "1 failed case: every number is 1.9 times the expected one",
        "1 failed case of sweep: every number is 2 times the expected one",
        "1 failed case: the numbers agree to at least 7 digits: look for an approximate function",
        "1 failed case: gamma has the expected numbers in another order of topics",
        "1 failed case: gamma is 0 or 1, as where the largest topic is taken, or a topic is drawn",
        "1 failed case: only the last topic's numbers are wrong; the other 1 numbers are right",
        "1 failed case: all are cases with an asymmetric alpha; of 0 passed cases of the same operations, none are",
        "1 failed case: all are cases with more than 2 topics; of 0 passed cases of the same operations, none are",
        "1 failed case: it is a Tuesday",
    ],
)
def test_a_false_sentence_is_refuted(text):
    given = [case(0), case(1)]
    answers = {q["id"]: {"id": q["id"], "gamma_k": [(2 - i) * x for x in EXPECTED]} for i, q in enumerate(given)}
    report = oracle.check(lambda q: answers[q["id"]], given=given, compose=False)
    said = oracle.Report(report.results, shared=(Said(text, ("cvb0/update/000",)),))
    assert refuted(said, {q["id"]: q for q in given}, answers) == [text]
    right = "1 failed case: every number is 2 times the expected one"
    said = oracle.Report(report.results, shared=(Said(right, ("cvb0/update/000",)),))
    assert refuted(said, {q["id"]: q for q in given}, answers) == []
