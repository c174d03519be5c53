"""Programs as ports, above all those that misbehave."""

import os
import re
import time

import pytest

from lda_reference import oracle

from .helpers import PORT, case, statuses

FOUR_CASES = [case(i) for i in range(4)]


@pytest.mark.parametrize(
    ("body_code", "reason_pattern"),
    [
        ("print('one', file=sys.stderr); print('boom', file=sys.stderr); sys.exit(3)", r"^ended with exit status 3 without an answer; stderr: one \| boom$"),
        ("1 / 0", "exit status 1 .*ZeroDivisionError"),
        ("sys.exit(0)", "^ended with exit status 0 without an answer$"),
        ("sys.stdout.write('{\"id\": \"cv'); sys.exit(1)", r"exit status 1, in the middle of a line: '\{\"id\": \"cv'"),
        ("print('{\"id\": \"cvb0/update/001\", \"gamma_k\": [1, 0], \"gamma_k\": [0.75, 0.25]}', flush=True)", r"^the answer cannot be read as JSON \(the name \"gamma_k\" occurs twice in an object\): '\{\"id"),
        ("print('hello', flush=True)", r"^the answer cannot be read as JSON \(Expecting value: line 1 column 1 .*\): 'hello'"),
        ("print(flush=True)", "read as JSON .*an empty line"),
        ("print('{\"id\": \"cvb0/update/001\", \"gamma_k\": [nan, 0.25]}', flush=True)", "read as JSON .*column 39"),
        ("sys.stdout.buffer.write(b'\\xff\\xfe\\n'); sys.stdout.flush()", "read as JSON .*utf-8"),
        ("[sys.stdout.write('x' * 2**20) for _ in range(20)]; time.sleep(60)", "^wrote more than 16777216 bytes for one case; it begins: 'xxx"),
        ("os.close(1); time.sleep(60)", "^kept running but closed its output without an answer"),
        pytest.param("os.kill(os.getpid(), 9)", r"^ended by signal 9 \(SIGKILL\)", marks=pytest.mark.skipif(os.name == "nt", reason="signals are POSIX")),
        ("print('stuck', file=sys.stderr, flush=True); time.sleep(60)", "^no answer in 1 s; stderr: stuck"),
        ("sys.stdout.write('{\"id\"'); sys.stdout.flush(); time.sleep(60)", "^no answer in 1 s, only the beginning of a line: '{\"id\"'"),
    ],
)  # fmt: skip
def test_a_port_that_misbehaves_loses_its_case_alone(port, body_code, reason_pattern):
    timeout = 1 if "no answer in" in reason_pattern else 60
    report = oracle.check(port(PORT.format(body=body_code)), given=FOUR_CASES, timeout=timeout)
    assert statuses(report) == ["passed", "failed", "passed", "passed"]
    assert re.search(reason_pattern, report.results[1].reason)


CRASHES = ["Error: no gamma\n" + "    at f (port.js:2:5)\n" * 300, "Traceback:\n" + "  File port.py\n" * 300 + "KeyError: no gamma"]


@pytest.mark.parametrize("stderr_text", CRASHES)
def test_the_reason_of_a_crash_has_its_message(port, stderr_text):
    body_code = f"sys.stderr.write({stderr_text!r}); sys.exit(1)"
    (case_result,) = oracle.check(port(PORT.format(body=body_code)), given=[case(1)]).results
    assert "no gamma" in case_result.reason
    assert len(case_result.reason) < 500


@pytest.mark.parametrize("body_code", ["sys.stderr.write('y' * 2**22)", "good['gamma_k'] = [0.75, 0.25 ]", "good = good | {'gamma_k': [75e-2, 0.25]}"])
def test_a_port_may_say_much_on_stderr(port, body_code):
    assert oracle.check(port(PORT.format(body=body_code)), given=FOUR_CASES).ok


def test_a_line_too_many_costs_the_next_case_and_no_other(port):
    report = oracle.check(port(PORT.format(body="print(json.dumps(good), flush=True)")), given=FOUR_CASES)
    assert statuses(report) == ["passed", "passed", "failed", "passed"]
    assert 'id is "cvb0/update/001", expected "cvb0/update/002"' in report.results[2].reason


def test_a_port_that_does_not_read_does_not_block_the_runner(port):
    large_cases = [case(case_number, pad="x" * 2**20) for case_number in range(2)]
    start_time = time.monotonic()
    report = oracle.check(port("import time; time.sleep(60)"), given=large_cases, timeout=0.5)
    assert statuses(report) == ["failed", "failed"]
    assert time.monotonic() - start_time < 10


def test_a_port_that_ends_at_its_start_is_given_up(port):
    port_code = "import sys; print('no library', file=sys.stderr); sys.exit(7)"
    report = oracle.check(port(port_code), given=[case(case_number) for case_number in range(7)], timeout=5)
    reasons = [case_result.reason for case_result in report.results]
    assert statuses(report) == ["failed"] * 7
    assert reasons[:3] == ["ended with exit status 7 without an answer; stderr: no library"] * 3
    assert reasons[3:] == ["not asked: the program ended at its start 4 times, the last time with exit status 7; stderr: no library"] * 4


def test_a_port_that_ends_on_every_case_is_not_given_up(port):
    port_code = PORT.replace('if case["id"].endswith("1")', 'if int(case["id"][-3:]) < 6').format(body="sys.exit(1)")
    report = oracle.check(port(port_code), given=[case(case_number) for case_number in range(8)], timeout=1)
    assert statuses(report) == ["failed"] * 6 + ["passed"] * 2


def test_a_port_that_never_answers_is_given_up(port):
    report = oracle.check(port("import time; time.sleep(60)"), given=[case(case_number) for case_number in range(12)], timeout=0.05)
    assert [case_result.reason.startswith("not asked: ") for case_result in report.results] == [False] * 10 + [True] * 2
    assert report.results[0].reason.startswith("no answer in 0.05 s (is its output flushed after every line?)")


def test_a_program_that_is_not_there():
    report = oracle.check(["/no/such/program"], given=[case(case_number) for case_number in range(5)])
    assert statuses(report) == ["failed"] * 5
    assert report.results[0].reason.startswith("cannot be started: ")
    assert report.results[4].reason.startswith("not asked: cannot be started: ")


@pytest.mark.skipif(os.name == "nt", reason="process groups are POSIX")
@pytest.mark.parametrize("body_code", ["time.sleep(60)", "sys.exit(1)", "pass"])
def test_no_child_of_a_port_is_left(port, tmp_path, body_code):
    beats_path = tmp_path / "beats"
    child_code = f"import time\nwhile True:\n    open({str(beats_path)!r}, 'a').write('.'); time.sleep(0.02)"
    parent_code = f"import subprocess, sys\nsubprocess.Popen([sys.executable, '-S', '-c', {child_code!r}], stdin=subprocess.DEVNULL)\n"
    waiting_code = f"while not os.path.exists({str(beats_path)!r}): time.sleep(0.01)\n        "
    oracle.check(port(parent_code + PORT.format(body=waiting_code + body_code)), given=[case(1)], timeout=1)
    n_beats = beats_path.stat().st_size
    time.sleep(0.2)
    assert beats_path.stat().st_size == n_beats


def test_the_exit_status_after_the_last_answer_is_reported(port):
    def report_after(last_code):
        return oracle.check(port(PORT.format(body="pass") + last_code), given=[case(case_number) for case_number in range(3)])

    bad_report = report_after("print('leaked', file=sys.stderr)\nsys.exit(23)\n")
    assert bad_report.ok
    assert bad_report.ending == "with exit status 23; stderr: leaked"
    assert "After its last answer the program ended with exit status 23; stderr: leaked." in str(bad_report)
    good_report = report_after("print('done', file=sys.stderr)\n")
    assert good_report.ending == ""
    assert "After its last answer" not in str(good_report)


KEEPING_PORT = """
import json, sys
N = 0
for line in sys.stdin:
    case = json.loads(line)
    {body}
    N += sum(case["corpus"]["n"])
    print(json.dumps({{"id": case["id"], "gamma_k": [1.5 / N, 0.5 / N]}}), flush=True)
"""


@pytest.mark.parametrize(
    ("body_code", "n_cases", "joined_ids"),
    [
        ("pass", 2, "cvb0/update/001"),
        ("if N: sys.exit(1)", 2, "cvb0/update/001"),
        ("pass", 7, "cvb0/update/001 and cvb0/update/003 and cvb0/update/005"),
    ],
)
def test_what_a_program_keeps_from_an_earlier_case_is_reported(port, body_code, n_cases, joined_ids):
    all_cases = [case(case_number) for case_number in range(n_cases)]
    report = oracle.check(port(KEEPING_PORT.format(body=body_code)), given=all_cases)
    assert report.notes == (f"asked nothing else, in a new process, the program answers {joined_ids} rightly: it keeps something from an earlier case, or its answers vary",)
    assert report.notes[0] in str(report)
    assert not report.ok
    with oracle.Program(port(KEEPING_PORT.format(body=body_code))) as program:
        assert oracle.check(program, given=all_cases).notes == report.notes


@pytest.mark.parametrize("body_code", ["N = 0", "N = 1", "sys.exit(1)", "N = int(case['id'][-1])", "N = 9 * (case['id'] > 'cvb0/update/001')"])
def test_a_program_that_keeps_nothing_is_not_said_to_keep_something(port, body_code):
    assert oracle.check(port(KEEPING_PORT.format(body=body_code)), given=[case(case_number) for case_number in range(3)]).notes == ()


def test_a_program_needs_a_command_and_a_timeout():
    with pytest.raises(ValueError, match=r"command is '\./port', expected the program and its arguments"):
        oracle.Program("./port")
    with pytest.raises(ValueError, match="timeout is 0"):
        oracle.Program(["./port"], timeout=0)


# Batches -------------------------------------------------------------------------------------------------------------

IN_A_BATCH = """
import json, os, sys, time
cases = [json.loads(line) for line in sys.stdin]  # this waits for the end of the input
lines = [json.dumps({"id": case["id"], "gamma_k": [0.75, 0.25]}) + "\\n" for case in reversed(cases)]
"""
WRITE = "sys.stdout.write(''.join(lines))"
WRITE_ONCE = f"{WRITE}; sys.stdout.flush(); "


@pytest.mark.parametrize(
    ("body_code", "failed_case_numbers", "reason_pattern"),
    [
        (WRITE, [], None),
        ("sys.stdout.write(''.join(lines[1:]))", [3], "^ended with exit status 0 without an answer$"),
        (f"{WRITE}; sys.stdout.write(lines[0])", [3], "^answered more than once$"),
        ("sys.stdout.write(''.join(lines[:3])); sys.stdout.flush(); sys.exit('boom')", [0], "^ended with exit status 1 without an answer; stderr: boom$"),
        ("sys.stdout.write(''.join(lines)[:-9])", [0], "^ended with exit status 0, in the middle of a line: '.\"id\": \"cvb0/update/000\""),
        ("time.sleep(60)", [0, 1, 2, 3], r"^no answer in 2 s"),
        ("sys.stdout.write(lines[0]); sys.stdout.flush(); time.sleep(60)", [0, 1, 2], r"^no answer in 2 s$"),
        ("sys.stdout.write('x' * 2**25)", [0, 1, 2, 3], "^wrote more than 17039360 bytes for all cases; it begins: 'xxx"),
        (f"{WRITE_ONCE} time.sleep(60)", [], None),
    ],
)
def test_what_is_wrong_with_a_batch_fails_the_cases_without_an_answer(port, body_code, failed_case_numbers, reason_pattern):
    start_time = time.monotonic()
    report = oracle.check(port(IN_A_BATCH + body_code), given=FOUR_CASES, batch=True, timeout=0.5 if failed_case_numbers else 5)
    assert [int(case_result.id[-1]) for case_result in report.of("failed")] == failed_case_numbers
    assert all(re.search(reason_pattern, case_result.reason) for case_result in report.of("failed"))
    assert (report.notes, report.ending) == ((), "")
    assert time.monotonic() - start_time < 10


def test_lines_of_a_batch_that_answer_no_case_are_noted_and_so_is_its_end(port):
    body_code = f"{WRITE}; print('[1]'); print('{{\"id\": \"vb\"}}'); print('{{\"id\": [1]}}'); print('hello'); sys.exit(3)"
    report = oracle.check(port(IN_A_BATCH + body_code), given=FOUR_CASES, batch=True)
    assert report.ok
    assert report.notes == ("lines of the output that answer no case: 4; the first: no case has its id: '[1]'",)
    assert report.ending == "with exit status 3"


def test_a_batch_has_the_budget_and_a_program_that_is_not_there_none(port):
    report = oracle.check(port(IN_A_BATCH + "time.sleep(60)"), given=[case(0)], batch=True, budget=0.5)
    assert report.results[0].reason.startswith("no answer in 0.5 s")
    report = oracle.check(["/no/such/program"], given=[case(case_number) for case_number in range(5)], batch=True)
    assert {case_result.reason.partition(":")[0] for case_result in report.of("failed")} == {"cannot be started"}


def test_what_a_program_keeps_from_an_earlier_case_of_a_batch_is_reported(port):
    port_code = KEEPING_PORT.format(body="pass").replace("in sys.stdin", "in list(sys.stdin)")
    report = oracle.check(port(port_code), given=[case(case_number) for case_number in range(3)], batch=True)
    assert len(report.notes) == 1
    assert report.notes[0].startswith("asked nothing else, in a new process, the program answers cvb0/update/001 and cvb0/update/002 rightly")


# Answers that vary ---------------------------------------------------------------------------------------------------

RACING_PORT = """
import json, os, random, sys
with open(__file__ + ".runs", "a") as file:
    random.seed(file.write(".") + file.tell())  # each run has a seed of its own
for line in sys.stdin:
    case = json.loads(line)
    added = [1 for _ in range(3) if random.random() > {lost}]
    x = [sum(added) + {noise} * random.random(), 1]
    print(json.dumps({{"id": case["id"], "gamma_k": [v / sum(x) for v in x]}}), flush=True)
"""


@pytest.mark.parametrize("asks_batches", [False, True])
def test_a_race_is_named_and_only_a_case_that_varies_is_said_to_vary(port, asks_batches):
    all_cases = [case(case_number, tolerance=1e-12) for case_number in range(30)]
    report = oracle.check(port(RACING_PORT.format(lost=0.02, noise=0)), given=all_cases, repeat=5, batch=asks_batches)
    failed_ids = {case_result.id for case_result in report.of("failed")}
    assert 3 < len(failed_ids) < 20
    assert {case_result.id for case_result in report.results if "; the answers vary from run to run" in case_result.reason} == failed_ids
    assert re.match(rf"asked 5 times, {len(failed_ids)} of 30 cases .*most of all cvb0/update/0..: gamma_k\[.\] varies by 0\.\d+, \d\.?\d*e\+1\d of its", report.notes[0])
    assert len(report.notes) == 1


def test_sums_in_no_fixed_order_pass_and_are_noted(port):
    two_cases = [case(case_number, tolerance=1e-12) for case_number in range(2)]
    report = oracle.check(port(RACING_PORT.format(lost=-1, noise=1e-14)), given=two_cases, repeat=3)
    assert report.ok
    assert re.match(r"asked 3 times, 2 of 2 cases .*varies by \d\.\de-1[56], 0\.00\d+ of its tolerance$", report.notes[0])
    report = oracle.check(port(RACING_PORT.format(lost=-1, noise=0)), given=two_cases, repeat=3)
    assert report.notes == ("asked 3 times, 0 of 2 cases have answers that vary from run to run",)
