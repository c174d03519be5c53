"""Mistakes of readers who had not seen the known ones: each is found and named rightly, and the report is true."""

import json
import subprocess
import sys

import pytest

from lda_reference import oracle

from .claims import true_report
from .helpers import ALL, ROOT
from .readers import asking

SECONDS = 25  # of processor time, with the port's own, which is most of it; in four mistakes, marked `slow`, that may be more
REPORT_SECONDS = 8  # without the port's own
PARTS = [(list_name, part) for list_name in asking.LISTS for part in range(10 if ALL else 1)]
SCRIPT = """
import json, re, sys, time
from pathlib import Path
from lda_reference import oracle
from lda_reference.oracle.asking.written import as_json
from tests.oracle.claims import judgements_of
from tests.oracle.readers import asking

port, cases, answer_by_id, of_port = asking.port(json.load(sys.stdin)), asking.legal_cases(asking.ROWS), {}, []

def timed(case):
    begin = time.process_time()
    answer = port(case)
    of_port.append(time.process_time() - begin)
    answer_by_id[case["id"]] = as_json(answer)
    return answer

begin = time.process_time()
report = oracle.check(timed, given=cases)
seconds, status = time.process_time() - begin, Path("/proc/self/status")
peak = status.is_file() and re.search(r"VmHWM:\\s+(\\d+) kB", status.read_text())[1]  # ru_maxrss would be that of the tests, too
judgements = judgements_of(report, {case["id"]: case for case in cases}, answer_by_id)
untrue_sentences = [sentence for _, sentence, is_true in judgements if not is_true]
print(json.dumps([seconds, sum(of_port), int(peak), len(report.of("failed")), untrue_sentences]))
"""


@pytest.mark.parametrize("port_name", ["sequential", "arrays"])
def test_a_port_without_a_mistake_passes(port_name):
    report = oracle.check(asking.edited(port_name), given=asking.legal_cases(asking.ROWS))
    assert report.ok, str(report)
    assert len(report.of("passed")) > (700 if port_name == "sequential" else 100)


@pytest.mark.parametrize("list_name", asking.LISTS)
def test_a_readers_mistake_is_named_rightly_and_every_sentence_is_true(list_name):
    """Without LDA_TEST_ALL, the first mistake of every eighth name, and another."""
    mistakes = asking.mistakes(list_name)
    assert len({reader_mistake["name"] for reader_mistake in mistakes}) == len(mistakes) == 100
    first_of_each_name = [*{tuple(reader_mistake["named"]): reader_mistake for reader_mistake in reversed(mistakes) if "named" in reader_mistake}.values()]
    for mistake in mistakes if ALL else [*first_of_each_name[::8], *mistakes[::100]]:
        report, _ = true_report(asking.port(mistake), asking.legal_cases(12), compose=False)
        named_mistakes = sorted({case_result.mistake for case_result in report.results} - {None})
        assert named_mistakes == mistake.get("named", named_mistakes), mistake["name"]


@pytest.mark.parametrize(("list_name", "part"), PARTS)
def test_a_readers_mistake_fails_some_case_and_its_report_is_true_and_made_in_little_time_and_memory(list_name, part):
    """Without LDA_TEST_ALL, of one mistake of each list."""
    mistakes = asking.mistakes(list_name)
    for mistake in mistakes[part::10] if ALL else mistakes[7::100]:
        completed_process = subprocess.run([sys.executable, "-c", SCRIPT], input=json.dumps(mistake), cwd=ROOT, capture_output=True, text=True)
        seconds, port_seconds, kilobytes, n_failed, untrue_sentences = json.loads(completed_process.stdout)
        assert n_failed or mistake.get("unseen"), mistake["name"]
        assert untrue_sentences == [], mistake["name"]
        assert seconds < SECONDS or mistake.get("slow"), mistake["name"]
        assert seconds - port_seconds < REPORT_SECONDS, mistake["name"]
        assert kilobytes < 1_000_000, mistake["name"]  # 0 where the system does not tell
