"""Mistakes of readers who had not seen the known ones: the report is true, and takes little time and memory."""

import pytest

from lda_reference import oracle

from .claims import refuted
from .helpers import ALL
from .readers import asking

SECONDS = 15  # of processor time, with the port's own


@pytest.mark.parametrize("name", asking.LISTS)
def test_every_sentence_on_a_readers_mistake_is_true(name):
    """Without LDA_TEST_ALL, on two mistakes of each list."""
    mistakes = asking.mistakes(name)
    assert len({m["name"] for m in mistakes}) == len(mistakes) == 100
    for mistake in mistakes if ALL else mistakes[7::60]:
        answers, port = {}, asking.port(mistake)
        by_id = {case["id"]: case for case in asking.cases()}

        def noted(asked, port=port, answers=answers):
            answers[asked["id"]] = asking.as_json(port(asked))
            return answers[asked["id"]]

        report = oracle.check(noted, given=by_id.values())
        assert report.of("failed") or mistake.get("unseen"), mistake["name"]
        assert refuted(report, by_id, answers) == [], mistake["name"]


@pytest.mark.parametrize("name", asking.LISTS)
def test_a_report_is_made_in_little_time_and_memory(name):
    for mistake in asking.mistakes(name)[:: 1 if ALL else 100]:
        cost = asking.summary(mistake)
        assert cost["seconds"] < SECONDS, mistake["name"]
        assert cost["megabytes"] < 1000, mistake["name"]
