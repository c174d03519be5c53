"""The runner of the oracle: ports that misbehave, the naming of mistakes, the reports and the sampler test."""

import json
import math
import os
import re
import sys
import time
from xml.etree import ElementTree

import numpy as np
import pytest

import lda_reference as lda
from lda_reference import cli, oracle
from lda_reference.oracle import command, comparing, loading, reporting, samplers

EXPECTED = [0.75, 0.25]


def case(number=0, expected=None, tolerance=1e-15, mistakes=None, **rest):
    """A case of which only the comparison matters."""
    expected = {"gamma_k": EXPECTED} if expected is None else expected
    return {
        "id": f"cvb0/update/{number:03}", "version": 1, "algorithm": "cvb0", "operation": "update", "tags": ["AWST09 (13)"],
        "flags": ["types"], "note": "made by hand", "K": 2, "prior": {"alpha": 0.5, "eta": 0.5}, "expected": expected,
        "corpus": {"j": [0, 0], "w": [0, 1], "n": [1, 1], "D": 1, "W": 2},
        "tolerance": {name: {"absolute": tolerance, "why": "..."} for name in expected},
        "mistakes": [{"name": name, "expected": e} for name, e in (mistakes or {}).items()],
    } | rest  # fmt: skip


def compared(answer, number=0, **about):
    return oracle.compare(case(number, **about), {"id": f"cvb0/update/{number:03}"} | answer)


# Comparing -----------------------------------------------------------------------------------------------------------


def test_an_answer_within_the_tolerance_passes():
    assert compared({"gamma_k": EXPECTED}).passed
    assert compared({"gamma_k": [0.75 + 1e-16, 0.25]}, tolerance=1e-15).passed
    assert compared({"z": [1, 0.0]}, expected={"z": [1, 0]}, tolerance=0).passed
    assert compared({"bound": "-inf"}, expected={"bound": "-inf"}).passed


def test_the_first_number_that_differs_and_its_error_in_ulps():
    expected = {"theta_jk": [[0.5, 0.5], [1.0, 0.0]], "phi_wk": [[1.0, 1.0]]}
    r = compared({"theta_jk": [[0.5, 0.5], [1.0 + 3 * 2**-52, 0.1]], "phi_wk": [[1.0, 2.0]]}, expected=expected, tolerance=0)
    assert (r.status, r.field, r.index, r.expected, r.got, r.ulps) == ("failed", "theta_jk", (1, 0), 1.0, 1 + 3 * 2**-52, 3)
    assert r.tags == ("AWST09 (13)",)
    assert "theta_jk[1, 0]" in r.reason
    assert "3 units in the last place" in r.reason
    assert "3 of 6 numbers differ" in r.reason


@pytest.mark.parametrize(
    ("expected", "got", "ulps"),
    [(0.5, 0.25, 0.25 / 2**-53), (1, 2, None), (0.0, 1.0, None), ("inf", 1.0, None), (1.0, "inf", None), (1e-300, 1e300, None), (1.0, 10**400, None)],
)
def test_ulps_only_where_they_mean_something(expected, got, ulps):
    r = compared({"bound": got}, expected={"bound": expected}, tolerance=0)
    assert (r.status, r.expected, r.got, r.ulps) == ("failed", expected, got, ulps)
    assert len(r.reason) < 500


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ({"gamma_k": [math.nan, 0.25]}, r"^gamma_k\[0\] is nan, expected 0.75"),
        ({"gamma_k": [0.75, math.inf]}, r'^gamma_k\[1\] is inf.*infinity is spelled "inf"'),
        ({"gamma_k": ["0.75", 0.25]}, r'^gamma_k\[0\] is "0.75", expected a number'),
        ({"gamma_k": [True, 0.25]}, r"^gamma_k\[0\] is true, expected a number"),
        ({"gamma_k": [None, 0.25]}, r"^gamma_k\[0\] is null, expected a number"),
        ({"gamma_k": [0.75]}, r"^gamma_k has length 1, expected 2"),
        ({"gamma_k": 0.75}, r"^gamma_k is 0.75, expected a list of 2"),
        ({"gamma_k": [[0.75, 0.25]]}, r"^gamma_k has length 1, expected 2"),
        ({"gamma_k": [[0.75], 0.25]}, r"^gamma_k\[0\] is \[0.75\], expected a number"),
        ({}, "gamma_k is missing"),
        ({"gamma": EXPECTED}, "gamma_k is missing; gamma is not asked for"),
        ({"gamma_k": EXPECTED, "gamma": EXPECTED}, "gamma is not asked for"),
        ({"gamma_k": EXPECTED, "id": "cvb0/update/009"}, 'id is "cvb0/update/009", expected "cvb0/update/000"'),
        ({"gamma_k": EXPECTED, "id": 0}, "id is 0"),
        ({"error": "alpha is too small"}, "is legal and was refused: alpha is too small"),
        ({"error": True}, "error is true, expected the reason"),
        ({"skip": ""}, 'skip is "", expected the reason'),
        ({"skip": True}, "skip is true, expected the reason"),
    ],
)
def test_answers_that_fail_for_their_form(answer, reason):
    r = compared(answer)
    assert r.status == "failed"
    assert re.search(reason, r.reason)


def test_answers_that_are_no_object_or_have_no_id():
    assert "is [1], expected an object" in oracle.compare(case(), [1]).reason
    assert "is null, expected an object" in oracle.compare(case(), None).reason
    assert "id is missing" in oracle.compare(case(), {"gamma_k": EXPECTED}).reason


def test_a_skip_is_neither_passed_nor_failed():
    r = compared({"skip": "no types"})
    assert (r.status, r.reason) == ("skipped", "no types")


def test_input_that_must_be_refused():
    about = {"expected": {"error": True}, "operation": "reject"}
    assert compared({"error": "alpha is negative"}, **about).passed
    assert "must be refused with an error; got gamma_k" in compared({"gamma_k": EXPECTED}, **about).reason
    assert "must be refused with an error; got gamma_k" in compared({"error": "x", "gamma_k": EXPECTED}, **about).reason
    assert "got nothing" in compared({}, **about).reason


def test_a_mistake_is_named_where_the_answer_is_its_own_alone():
    planted = {"all-copies-excluded": {"gamma_k": [0.8, 0.2]}, "no-eta": {"gamma_k": [0.6, 0.4]}}
    assert compared({"gamma_k": [0.8, 0.2 + 1e-16]}, mistakes=planted).mistake == "all-copies-excluded"
    assert compared({"gamma_k": [0.6, 0.4]}, mistakes=planted).mistake == "no-eta"
    assert compared({"gamma_k": [0.8, 0.2001]}, mistakes=planted).mistake is None
    assert compared({"gamma_k": [0.8, 0.2], "gamma": 1}, mistakes=planted).mistake is None
    assert compared({"gamma_k": EXPECTED}, mistakes=planted).mistake is None
    assert compared({"gamma_k": [0.8, 0.2]}, mistakes=planted | {"twin": {"gamma_k": [0.8, 0.2]}}).mistake is None


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


def test_a_mistake_in_the_shape_is_named_too():
    r = compared({"phi_wk": [[0.5], [0.5]]}, expected={"phi_wk": [[0.5, 0.5]]}, mistakes={"topics-first": {"phi_wk": [[0.5], [0.5]]}})
    assert (r.status, r.mistake) == ("failed", "topics-first")


def test_the_port_is_not_told_the_answer():
    assert not {"expected", "tolerance", "mistakes", "note"} & set(oracle.question(case()))
    assert set(oracle.question(case())) >= {"id", "version", "algorithm", "operation", "corpus", "K", "prior", "flags"}


# Programs ------------------------------------------------------------------------------------------------------------

PORT = """
import json, os, sys, time
for line in sys.stdin:
    case = json.loads(line)
    good = {{"id": case["id"], "gamma_k": [0.75, 0.25]}}
    if case["id"].endswith("1"):
        {body}
    print(json.dumps(good), flush=True)
"""


@pytest.fixture
def port(tmp_path):
    """A function from the code of a program to the command that runs it."""

    def write(code):
        path = tmp_path / "port.py"
        path.write_text(code)
        return [sys.executable, "-S", str(path)]

    return write


def statuses(report):
    return [r.status for r in report.results]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("print('one', file=sys.stderr); print('boom', file=sys.stderr); sys.exit(3)", r"^ended with exit status 3 without an answer; stderr ends: one \| boom$"),
        ("1 / 0", "exit status 1 .*ZeroDivisionError"),
        ("sys.exit(0)", "^ended with exit status 0 without an answer$"),
        ("sys.stdout.write('{\"id\": \"cv'); sys.exit(1)", r"exit status 1, in the middle of a line: '\{\"id\": \"cv'"),
        ("print('hello', flush=True)", r"^the answer is not JSON \(Expecting value, column 1\): 'hello'"),
        ("print(flush=True)", "not JSON .*an empty line"),
        ("print('{\"id\": \"cvb0/update/001\", \"gamma_k\": [nan, 0.25]}', flush=True)", "not JSON .*column 39"),
        ("print('[' * 200000, flush=True)", "nested too deeply|not JSON"),
        ("print('[' + '9' * 5000 + ']', flush=True)", "cannot be read"),
        ("sys.stdout.buffer.write(b'\\xff\\xfe\\n'); sys.stdout.flush()", "not UTF-8"),
        ("[sys.stdout.write('x' * 2**20) for _ in range(20)]; time.sleep(60)", "^wrote more than 16777216 bytes for one case; it begins: 'xxx"),
        ("[sys.stdout.write('x\\n' * 2**19) for _ in range(20)]; time.sleep(60)", "not JSON"),
        ("os.close(1); time.sleep(60)", "^closed its output and ran on without an answer"),
        pytest.param("os.kill(os.getpid(), 9)", r"^ended by signal 9 \(SIGKILL\)", marks=pytest.mark.skipif(os.name == "nt", reason="signals are POSIX")),
        ("good = [1]", "is .1., expected an object"),
        ("good['id'] = 'cvb0/update/007'", "id is \"cvb0/update/007\""),
        ("good.pop('id')", "id is missing"),
        ("good['gamma_k'][0] = float('nan')", r"^gamma_k\[0\] is nan"),
        ("good['gamma_k'][0] = float('inf')", r"^gamma_k\[0\] is inf.*spelled"),
        ("good['gamma_k'].pop()", "length 1, expected 2"),
        ("good.pop('gamma_k')", "gamma_k is missing"),
    ],
)  # fmt: skip
def test_a_port_that_misbehaves_loses_its_case_alone(port, body, reason):
    report = oracle.check(port(PORT.format(body=body)), given=[case(i) for i in range(4)])
    assert statuses(report) == ["passed", "failed", "passed", "passed"]
    assert re.search(reason, report.results[1].reason)


def test_a_port_that_never_answers_is_asked_whether_it_flushes(port):
    report = oracle.check(port("import time\ntime.sleep(60)"), given=[case(0)], timeout=0.5)
    assert report.results[0].reason.startswith("no answer in 0.5 s (is its output flushed after every line?)")


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("print('stuck', file=sys.stderr, flush=True); time.sleep(60)", "^no answer in 1 s; stderr ends: stuck"),
        ("sys.stdout.write('{\"id\"'); sys.stdout.flush(); time.sleep(60)", "^no answer in 1 s, only half a line: '{\"id\"'"),
    ],
)
def test_a_port_that_hangs_loses_its_case_alone(port, body, reason):
    report = oracle.check(port(PORT.format(body=body)), given=[case(i) for i in range(3)], timeout=1)
    assert statuses(report) == ["passed", "failed", "passed"]
    assert re.search(reason, report.results[1].reason)


@pytest.mark.parametrize("body", ["sys.stderr.write('y' * 2**22)", "good['gamma_k'] = [0.75, 0.25 ]", "good = good | {'gamma_k': [75e-2, 0.25]}"])
def test_a_port_may_say_much_on_stderr(port, body):
    assert oracle.check(port(PORT.format(body=body)), given=[case(i) for i in range(4)]).ok


def test_a_line_too_many_costs_the_next_case_and_no_other(port):
    report = oracle.check(port(PORT.format(body="print(json.dumps(good), flush=True)")), given=[case(i) for i in range(4)])
    assert statuses(report) == ["passed", "passed", "failed", "passed"]
    assert 'id is "cvb0/update/001", expected "cvb0/update/002"' in report.results[2].reason


def test_a_port_that_does_not_read_does_not_block_the_runner(port):
    large = [case(i, pad="x" * 2**20) for i in range(2)]
    start = time.monotonic()
    report = oracle.check(port("import time; time.sleep(60)"), given=large, timeout=0.5)
    assert statuses(report) == ["failed", "failed"]
    assert time.monotonic() - start < 10


def test_a_port_that_ends_at_its_start_is_given_up(port):
    code = "import sys; print('no library', file=sys.stderr); sys.exit(7)"
    report = oracle.check(port(code), given=[case(i) for i in range(7)], timeout=5)
    reasons = [r.reason for r in report.results]
    assert statuses(report) == ["failed"] * 7
    assert reasons[:3] == ["ended with exit status 7 without an answer; stderr ends: no library"] * 3
    assert reasons[3:] == ["not asked: the program ended at its start 4 times, last with exit status 7; stderr ends: no library"] * 4


def test_a_port_that_ends_on_every_case_is_not_given_up(port):
    code = PORT.replace('if case["id"].endswith("1")', 'if int(case["id"][-3:]) < 6').format(body="sys.exit(1)")
    report = oracle.check(port(code), given=[case(i) for i in range(8)], timeout=1)
    assert statuses(report) == ["failed"] * 6 + ["passed"] * 2


def test_a_port_that_never_answers_is_given_up(port):
    report = oracle.check(port("import time; time.sleep(60)"), given=[case(i) for i in range(12)], timeout=0.05)
    assert [r.reason.startswith("not asked: ") for r in report.results] == [False] * 10 + [True] * 2


def test_a_program_that_is_not_there():
    report = oracle.check(["/no/such/program"], given=[case(i) for i in range(5)])
    assert statuses(report) == ["failed"] * 5
    assert report.results[0].reason.startswith("cannot be started: ")
    assert report.results[4].reason.startswith("not asked: cannot be started: ")


@pytest.mark.skipif(os.name == "nt", reason="process groups are POSIX")
@pytest.mark.parametrize("body", ["time.sleep(60)", "sys.exit(1)", "pass"])
def test_no_child_of_a_port_is_left(port, tmp_path, body):
    beats = tmp_path / "beats"
    child = f"import time\nwhile True:\n    open({str(beats)!r}, 'a').write('.'); time.sleep(0.02)"
    code = f"import subprocess, sys\nsubprocess.Popen([sys.executable, '-S', '-c', {child!r}], stdin=subprocess.DEVNULL)\n"
    wait = f"while not os.path.exists({str(beats)!r}): time.sleep(0.01)\n        "
    oracle.check(port(code + PORT.format(body=wait + body)), given=[case(1)], timeout=1)
    before = beats.stat().st_size
    time.sleep(0.2)
    assert beats.stat().st_size == before


def test_a_program_needs_a_command_and_a_timeout():
    with pytest.raises(ValueError, match=r"command is '\./port', expected the program and its arguments"):
        oracle.Program("./port")
    with pytest.raises(ValueError, match="timeout is 0"):
        oracle.Program(["./port"], timeout=0)


# Callables -----------------------------------------------------------------------------------------------------------


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


def test_cases_are_chosen_by_algorithm_id_and_operation():
    given = [case(0), case(1), case(2, algorithm="vb", id="vb/bound/002", operation="bound")]
    def chosen(**how):
        return [c["id"] for c in loading.select(given, **how)]

    assert chosen(only="vb") == ["vb/bound/002"]
    assert chosen(only="cvb0/update/001") == ["cvb0/update/001"]
    assert chosen(only="cvb0/update,vb") == [c["id"] for c in given]
    assert chosen(only=["cvb0"], operation="bound") == []
    with pytest.raises(ValueError, match=r"only has 'cvb', expected .* an algorithm of cvb0, vb"):
        loading.select(given, only="cvb")
    with pytest.raises(ValueError, match="operation is 'updates', expected one of update, sweep"):
        loading.select(given, operation="updates")
    with pytest.raises(ValueError, match="no case is left"):
        oracle.check(lambda c: c, only="vb", operation="update", given=given)


# Reports -------------------------------------------------------------------------------------------------------------

PLANTED = {"all-copies-excluded": {"gamma_k": [0.8, 0.2]}}
TEXTS = {"all-copies-excluded": "all copies of the word are excluded: AWST09 (13) excludes one token"}


@pytest.fixture
def vectors(tmp_path, monkeypatch):
    """A folder of vectors in the place of the package's: two updates of cvb0 and a bound of vb."""
    folder = tmp_path / "oracle" / "vectors"
    folder.mkdir(parents=True)
    bound = case(0, expected={"bound": -3.5}, id="vb/bound/000", algorithm="vb", operation="bound", tags=["TNW06 (2)"])
    head = {"format": "lda_reference oracle 1", "version": 1}
    (folder / "cvb0.json").write_text(json.dumps(head | {"cases": [case(0, mistakes=PLANTED), case(1, mistakes=PLANTED)]}))
    (folder / "vb.json").write_text(json.dumps(head | {"cases": [bound]}))
    (folder / "mistakes.json").write_text(json.dumps(TEXTS))
    (folder / "samplers.json").write_text(json.dumps([TINY]))
    (folder.parent / "GUIDE.md").write_text("guide")
    for module in (loading, command):
        monkeypatch.setattr(module, "VECTORS", folder)
    monkeypatch.setattr(command, "FOLDER", folder.parent)
    return folder


def a_report():
    failed = [oracle.compare(case(i, mistakes=PLANTED), {"id": f"cvb0/update/{i:03}", "gamma_k": [0.8, 0.2]}) for i in range(12)]
    other = [
        oracle.compare(case(12), {"id": "cvb0/update/012", "gamma_k": EXPECTED}),
        oracle.compare(case(0, id="vb/bound/000", algorithm="vb", operation="bound"), {"id": "vb/bound/000", "skip": "no bound"}),
        comparing.outcome(case(13), "failed", "ended: \x1b[31mred\x00 <&> \ud800"),
        oracle.compare(case(14), {"id": "cvb0/update/014", "gamma_k": [math.nan, 0.25]}),
    ]
    return oracle.Report((*failed, *other))


def test_the_table_and_the_failures(vectors):
    text = str(a_report())
    lines = text.splitlines()
    assert lines[:5] == [
        "passed/failed/skipped",
        "           update  bound   total",
        "cvb0       1/14/0      -  1/14/0",
        "vb              -  0/0/1   0/0/1",
        "total      1/14/0  0/0/1  1/14/1",
    ]
    block = text.split("\n\n")[1].splitlines()
    assert block[0] == "cvb0/update/000  failed  AWST09 (13)"
    assert block[1].startswith("  gamma_k[0] is 0.8, expected 0.75: 4.5e+14 units in the last place; tolerance 1e-15; 2 of 2 ")
    assert block[2] == f"  your answer is what you get when {TEXTS['all-copies-excluded']}"
    assert "\n  and 11 more with this message\n" in text
    assert "cvb0/update/001" not in text
    assert "cvb0/update/014" in text
    assert "shown with --all" not in text
    failed = [comparing.outcome(case(i), "failed", f"ended {i}") for i in range(12)]
    assert "and 2 more failed cases, shown with --all" in str(oracle.Report(tuple(failed)))
    assert lines[-2:] == ["Mistakes named:", f"  cvb0        12 cases  all-copies-excluded: {TEXTS['all-copies-excluded']}"]
    everything = reporting.text(a_report(), everything=True)
    assert "cvb0/update/001" in everything
    assert "Skipped:\n    1  no bound" in everything


def test_the_report_as_json():
    found = json.loads(oracle.to_json(a_report()), parse_constant=lambda name: pytest.fail(name))
    assert (found["passed"], found["failed"], found["skipped"]) == (1, 14, 1)
    first = found["results"][0]
    assert (first["id"], first["field"], first["index"], first["got"], first["mistake"]) == ("cvb0/update/000", "gamma_k", [0], 0.8, "all-copies-excluded")
    assert found["results"][-1]["got"] == "nan"


def test_the_report_as_junit(vectors):
    root = ElementTree.fromstring(oracle.to_junit(a_report()))
    assert (root.tag, root.get("tests"), root.get("failures"), root.get("skipped")) == ("testsuites", "16", "14", "1")
    suites = {suite.get("name"): suite for suite in root}
    assert {name: (len(s), s.get("tests")) for name, s in suites.items()} == {"cvb0": (15, "15"), "vb": (1, "1")}
    tests = {test.get("name"): test for suite in root for test in suite}
    assert tests["vb/bound/000"].find("skipped").get("message") == "no bound"
    assert len(tests["cvb0/update/012"]) == 0
    assert TEXTS["all-copies-excluded"] in tests["cvb0/update/000"].find("failure").text
    assert tests["cvb0/update/013"].find("failure").get("message") == "ended: ?[31mred? <&> ?"


# The command line ----------------------------------------------------------------------------------------------------


def run(*arguments):
    try:
        return cli.main(["oracle", *map(str, arguments)])
    except SystemExit as end:
        return end.code


GOOD_FOR_CVB0 = PORT.format(body="pass")


def test_check_prints_the_report_writes_it_and_exits_with_1_on_failure(vectors, port, tmp_path, capsys):
    good, files = port(GOOD_FOR_CVB0), ("--json", tmp_path / "r.json", "--junit", tmp_path / "r.xml")
    assert run("check", "--only", "cvb0", *files, "--", *good) == 0
    assert "cvb0        2/0/0  2/0/0" in capsys.readouterr().out
    assert json.loads((tmp_path / "r.json").read_text())["passed"] == 2
    assert ElementTree.parse(tmp_path / "r.xml").getroot().get("tests") == "2"
    assert run("check", "--", *good) == 1
    out = capsys.readouterr().out
    assert "vb/bound/000  failed  TNW06 (2)" in out
    assert run("check", "--operation", "update", "--timeout", "5", "--all", "--", *good, "--", "--all", "--x") == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("check",), "PROGRAM"),
        (("check", "--", "./no-such-port"), "./no-such-port: no program that can be run"),
        (("check", "--only", "lda", "--", sys.executable), "only has 'lda'"),
        (("check", "--only", "vb", "--operation", "draw", "--", sys.executable), "no case is left to ask"),
        (("check", "--operation", "dance", "--", sys.executable), "invalid choice"),
        (("check", "--timeout", "0", "--", sys.executable), "timeout is 0"),
        (("check", "--samplers", "--draws", "10", "--", sys.executable), "draws is 10, expected 1640 or more"),
        (("check", "--json", "no/such/folder/r.json", "--", sys.executable), "no such folder"),
        (("show", "cvb0/update/999"), "'cvb0/update/999' is no id"),
        (("list", "--only", "x"), "only has 'x'"),
        ((), "oracle"),
    ],
)
def test_usage_errors_are_one_line_and_exit_with_2(vectors, capsys, arguments, message):
    assert run(*arguments) == 2
    error = capsys.readouterr().err
    assert len(error.splitlines()) == 1
    assert message in error


def test_list_and_show(vectors, capsys):
    assert run("list", "--only", "cvb0") == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["cvb0/update/000", "cvb0/update/001"]
    assert run("list") == 0
    assert "sampler/cgs/1" in capsys.readouterr().out
    assert run("show", "cvb0/update/001") == 0
    out = capsys.readouterr().out
    assert 'expected: {"gamma_k": [0.75, 0.25]}' in out
    assert f"mistake all-copies-excluded ({TEXTS['all-copies-excluded']}): " in out


def test_export_replaces_only_what_it_wrote(vectors, tmp_path, capsys):
    out = tmp_path / "vendored"
    assert run("export", out) == 0
    assert "5 files written, 0 up to date" in capsys.readouterr().out
    assert (out / "vectors" / "cvb0.json").read_bytes() == (vectors / "cvb0.json").read_bytes()
    assert run("export", out) == 0
    assert "0 files written, 5 up to date" in capsys.readouterr().out
    (vectors.parent / "GUIDE.md").write_text("a newer guide")
    assert run("export", out) == 0
    assert "1 files written, 4 up to date" in capsys.readouterr().out
    (out / "GUIDE.md").write_text("mine")
    (out / "vectors" / "vb.json").unlink()
    assert run("export", out) == 2
    assert "GUIDE.md: is there and was not written by an export, or changed since" in capsys.readouterr().err
    assert (out / "GUIDE.md").read_text() == "mine"
    assert not (out / "vectors" / "vb.json").exists()


def test_parametrize_gives_a_test_every_case(vectors):
    mark = oracle.parametrize(only="cvb0").mark
    assert mark.args[0] == "case"
    assert mark.kwargs["ids"] == ["cvb0/update/000", "cvb0/update/001"]
    result = oracle.judge(lambda c: {"id": c["id"], "gamma_k": EXPECTED}, mark.args[1][0])
    assert result.passed


# Samplers ------------------------------------------------------------------------------------------------------------

WORDS = [[0, 0, 1], [1, 0]]
TOPICS = 2
PRIOR = {"alpha": 0.7, "eta": 0.5}


def states(N):
    return np.stack(np.unravel_index(np.arange(TOPICS**N), (TOPICS,) * N), axis=-1)


def kernel(excludes):
    """The transition matrix of a sweep of collapsed Gibbs sampling over all assignments, the token excluded or not."""
    c = lda.Corpus.from_documents(WORDS)
    z, one = states(c.N), np.eye(TOPICS)
    T = np.eye(len(z))
    for i in range(c.N):
        step = np.zeros_like(T)
        for a, now in enumerate(z):
            counts, own = one[now], one[now[i]] * excludes
            N_jk, N_wk, N_k = counts[c.j == c.j[i]].sum(0) - own, counts[c.w == c.w[i]].sum(0) - own, counts.sum(0) - own
            x = (N_jk + PRIOR["alpha"]) * (N_wk + PRIOR["eta"]) / (N_k + c.W * PRIOR["eta"])
            for k in range(TOPICS):
                to = now.copy()
                to[i] = k
                step[a, np.ravel_multi_index(tuple(to), (TOPICS,) * c.N)] += x[k] / x.sum()
        T = T @ step
    return T


def together_of(law, z):
    return np.einsum("s,sij->ij", law, z[:, :, None] == z[:, None, :])


def law_of(T):
    return np.linalg.matrix_power(T, 2**12)[0]


def chain(T, draws, rng, burn_in=200):
    """(draws, N) topics of a chain with a transition matrix."""
    cumulative, here, visited = T.cumsum(1), 0, []
    for u in rng.random(draws + burn_in):
        here = min(int(cumulative[here].searchsorted(u, "right")), len(T) - 1)
        visited.append(here)
    return states(int(np.log2(len(T))))[visited[burn_in:]]


RIGHT, WRONG = kernel(True), kernel(False)
E = lda.exact.posterior(lda.Corpus.from_documents(WORDS), TOPICS, lda.Prior(**PRIOR))
TINY = {
    "id": "sampler/cgs/1", "algorithm": "cgs", "operation": "sample", "K": TOPICS, "prior": PRIOR,
    "corpus": {"j": [0, 0, 0, 1, 1], "w": [0, 0, 1, 1, 0], "n": [1] * 5, "D": 2, "W": 2}, "together": E.together.tolist(),
    "mistakes": {
        "nothing-excluded": together_of(law_of(WRONG), states(5)).tolist(),
        "uniform": (np.eye(5) / 2 + 0.5).tolist(),
    },
}  # fmt: skip


def drawing(T, seed=0):
    """A port that draws from a chain."""

    def answer(question):
        return {"id": question["id"], "z": chain(T, question["draws"], np.random.default_rng(seed + question["seed"]))}

    return answer


def test_the_transition_matrix_keeps_the_enumerated_posterior():
    np.testing.assert_allclose(together_of(law_of(RIGHT), states(5)), E.together, atol=1e-12)


def test_the_sampler_of_the_package_passes():
    def answer(question):
        assert set(question) == {"id", "operation", "algorithm", "corpus", "K", "prior", "draws", "seed"}
        rng = np.random.default_rng(question["seed"])
        return {"id": question["id"], "z": samplers.sample(question, question["draws"], rng)[:, :, 0]}

    report = oracle.check(answer, given=[TINY], draws=4000, seed=3)
    assert report.ok, str(report)


def test_a_sampler_that_excludes_nothing_is_found_and_named():
    assert oracle.check(drawing(RIGHT), given=[TINY]).ok
    (r,) = oracle.check(drawing(WRONG), given=[TINY]).results
    assert (r.status, r.mistake) == ("failed", "nothing-excluded")
    assert "share a topic in" in r.reason
    assert "your draws are such as you get when" in str(r)


def test_samplers_that_stand_still_or_know_nothing_are_found():
    def still(q):
        return {"id": q["id"], "z": [[0, 1, 0, 1, 0]] * q["draws"]}

    (r,) = oracle.check(still, given=[TINY]).results
    assert (r.status, r.mistake) == ("failed", None)
    def uniform(q):
        return {"id": q["id"], "z": np.random.default_rng(0).integers(2, size=(q["draws"], 5))}

    (r,) = oracle.check(uniform, given=[TINY]).results
    assert (r.status, r.mistake) == ("failed", "uniform")


def test_a_mistake_of_a_sampler_must_explain_all_corpora():
    other = TINY | {"id": "sampler/cgs/2", "mistakes": {"uniform": TINY["mistakes"]["uniform"]}}
    def found(port):
        return [(r.status, r.mistake) for r in oracle.check(port, given=[TINY, other]).results]

    def by_id(first, second):
        return lambda q: (first if q["id"] == "sampler/cgs/1" else second)(q)

    assert found(by_id(drawing(WRONG), drawing(RIGHT))) == [("failed", "nothing-excluded"), ("passed", None)]
    assert found(drawing(WRONG)) == [("failed", None)] * 2  # of the second corpus it is said to change nothing


@pytest.mark.parametrize(
    ("z", "reason"),
    [
        ([[0] * 5] * 1999, "z has length 1999, expected 2000 draws"),
        ([[0] * 5] * 1999 + [[0] * 4], r"z\[1999\] has length 4, expected the topics of 5 tokens"),
        ([[0] * 5] * 1999 + [[0, 0, 2, 0, 0]], r"z\[1999, 2\] is 2, expected a topic from 0 below 2"),
        ([[0] * 5] * 1999 + [[0, 0, 0.5, 0, 0]], r"z\[1999, 2\] is 0.5, expected a topic"),
        ([[0] * 5] * 1999 + [[0, 0, math.nan, 0, 0]], r"z\[1999, 2\] is nan, expected a topic"),
        ([[0] * 5] * 1999 + [0], r"z\[1999\] is no list"),
        ("0", "z is no list"),
    ],
)
def test_draws_of_the_wrong_form(z, reason):
    (r,) = oracle.check(lambda q: {"id": q["id"], "z": z}, given=[TINY], draws=2000).results
    assert r.status == "failed"
    assert re.search(reason, r.reason)


def test_certain_pairs_must_be_certain():
    one = np.ones((2, 2))
    z = np.zeros((800, 2), int)
    assert samplers.verdict(z, one).p == 1
    z[17, 0] = 1
    v = samplers.verdict(z, one)
    assert (v.p, v.pair) == (0, (0, 1))


def exact_times(T):
    """tau of every pair: the asymptotic variance of the chain, by its transition matrix, over that of one draw."""
    z, law = states(5), law_of(T)
    f = (z[:, :, None] == z[:, None, :]).reshape(len(z), -1).astype(float)
    f -= law @ f
    solved = np.linalg.solve(np.eye(len(T)) - T + law, f)  # the fundamental matrix
    variance = law @ f**2
    with np.errstate(invalid="ignore"):
        tau = (2 * law @ (f * solved) - variance) / variance
    return np.where(variance > 0, tau, 1.0).reshape(5, 5)


def test_autocorrelation_times_are_those_of_the_transition_matrix():
    pairs = np.triu_indices(5, 1)
    np.testing.assert_allclose(samplers.autocorrelation_times(TINY, sweeps=1000, chains=16)[pairs], exact_times(RIGHT)[pairs], rtol=0.15)


def test_so_many_draws_find_a_mistake():
    draws = samplers.detectable(TINY, "nothing-excluded", times=exact_times(WRONG))
    found = [samplers.verdict(chain(WRONG, draws, np.random.default_rng(seed)), TINY["together"]).p < samplers.LEVEL for seed in range(40)]
    assert sum(found) >= 30  # 36 expected, or more: other pairs tell too
    fewer = [samplers.verdict(chain(WRONG, draws // 6, np.random.default_rng(seed)), TINY["together"]).p < samplers.LEVEL for seed in range(40)]
    assert sum(fewer) < sum(found) / 2
    with pytest.raises(ValueError, match="name is 'x', expected one of nothing-excluded, uniform"):
        samplers.detectable(TINY, "x")


def test_check_samplers_on_the_command_line(vectors, port, capsys):
    code = """
import json, random, sys
for line in sys.stdin:
    case = json.loads(line)
    random.seed(case["seed"])
    z = [[random.randrange(2) for _ in range(5)] for _ in range(case["draws"])]
    print(json.dumps({"id": case["id"], "z": z}), flush=True)
"""
    assert run("check", "--operation", "sample", "--draws", 4000, "--", *port(code)) == 1
    out = capsys.readouterr().out
    assert "your draws are such as you get when uniform" in out
    assert "Draws that find a known mistake 9 times in 10, where it shows best (4000 were asked for):" in out
    assert re.search(r"cgs +nothing-excluded +\d+  sampler/cgs/1", out)


@pytest.mark.skipif(not os.environ.get("LDA_TEST_ALL"), reason="the study of false alarms takes minutes: set LDA_TEST_ALL")
def test_false_alarms_are_fewer_than_1_in_1000():
    study = samplers.false_alarms(TINY, runs=20_000, draws=4000)
    assert study.rejected[-1] <= 11, study  # 20 are allowed; were the rate 1 in 1,000, 11 or fewer would be 1 in 47


# The guide -----------------------------------------------------------------------------------------------------------

GUIDE = (loading.FOLDER / "GUIDE.md").read_text("utf-8")
GUIDE_PORT = next(block for block in re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL) if "def weights" in block)
WRONG_TURNS = {
    "cvb0/update": ("(n[r] - (1 if r == i else 0)) * g[r][k]", "(0 if (j[r], w[r]) == (j[i], w[i]) else n[r]) * g[r][k]"),
    "cvb0/sweep": ("                g[i] = normalised", "                g = list(g)\n                new = new if i else list(g)\n                new[i] = normalised"),
    "cgs/sweep": ("z[i] = draw(weights(c, alpha, eta, one_hot(z, len(alpha)), i)", "before = before if i else one_hot(z, len(alpha))\n        z[i] = draw(weights(c, alpha, eta, before, i)"),
}


def test_the_port_of_the_guide_passes(port):
    report = oracle.check(port(GUIDE_PORT), only="cvb0,cgs")
    assert report.ok, str(report)
    passed, skipped = (len(report.of(status)) for status in ("passed", "skipped"))
    assert f"{passed + 4}/0/{skipped}\n" in GUIDE  # and four samplers


@pytest.mark.parametrize("only", WRONG_TURNS)
def test_the_wrong_turns_of_the_guide_print_what_it_says(port, only):
    right, wrong = WRONG_TURNS[only]
    code = GUIDE_PORT.replace(right, wrong)
    assert code != GUIDE_PORT
    if only == "cvb0/sweep":
        code = code.replace('        return {"gamma": g}', '            g = new\n        return {"gamma": g}')
    first = oracle.check(port(code), only=only).of("failed")[0]
    assert all(f"    {line}\n" in GUIDE for line in str(first).splitlines()), str(first)


def test_the_generator_of_the_guide_must_be_seeded_once(port):
    code = GUIDE_PORT.replace("            gibbs_sweep(t", '            rng = random.Random(case["seed"])\n            gibbs_sweep(t')
    assert code != GUIDE_PORT
    one = [c for c in oracle.sampler_cases() if c["id"] == "sampler/cgs/1"]
    (r,) = oracle.check(port(code), given=one, draws=2000).results
    assert (r.status, r.mistake) == ("failed", None)
