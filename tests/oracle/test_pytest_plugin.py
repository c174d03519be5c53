"""The pytest plugin, in runs of its own."""

import shlex
import sys

import pytest

from lda_reference import oracle

from .helpers import ROOT, mistaken

pytest_plugins = ["pytester"]

BODY = """
import json, sys
for line in sys.stdin:
    case = json.loads(line)
    answer = {answer}
    print(json.dumps({{"id": case["id"], **answer}}), flush=True)
"""
CASES = oracle.cases("cvb0/update")
RIGHT = {case["id"]: case["expected"] for case in CASES}
WRONG = {**RIGHT, CASES[1]["id"]: next(iter(mistaken(CASES[1]["id"]).values()))}


@pytest.fixture
def run(pytester, monkeypatch):
    """A function that runs pytest with the plugin, and with a port that answers in some way."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)

    def with_port(answer, *options):
        path = pytester.makepyfile(port=BODY.format(answer=answer))
        command = shlex.join([sys.executable, "-S", str(path)])
        return pytester.runpytest_subprocess("-p", "lda_reference_pytest", "--lda-port", command, *options)

    return with_port


def test_each_case_is_a_test(run):
    done = run(f"{RIGHT!r}[case['id']]", "--lda-only", "cvb0/update", "-v")
    assert done.ret == 0
    done.assert_outcomes(passed=len(CASES))
    done.stdout.fnmatch_lines([f"*collected {len(CASES)} items", f"lda::{CASES[0]['id']} PASSED*"])


def test_a_failure_shows_the_report_and_a_skip_is_a_skip(run):
    answer = f"{WRONG!r}.get(case['id'], {{'skip': 'not written yet'}})"
    done = run(answer, "--lda-only", "cvb0/update,vb/update/001", "-rfs")
    assert done.ret == 1
    done.assert_outcomes(passed=len(CASES) - 1, failed=1, skipped=1)
    failed = oracle.judge(lambda case: {"id": case["id"], **WRONG[case["id"]]}, CASES[1])
    assert failed.mistake
    shown = done.stdout.str()
    about, reason, mistake = str(failed).splitlines()
    assert f"\n{reason.strip()}\n{mistake}\n{about}\n" in shown
    assert f"FAILED lda::{failed.id} - {reason.strip()[:20]}" in shown
    assert "Traceback" not in shown
    assert "not written yet" in shown


def test_skips_alone_are_a_failure(run):
    done = run("{'skip': 'not written yet'}", "--lda-only", "cvb0/update")
    done.assert_outcomes(skipped=len(CASES))
    assert done.ret == 1
    done.stdout.fnmatch_lines(["No case of the oracle passed. A run in which nothing passes is a failure."])


def test_cases_join_the_other_tests_and_can_be_chosen(run, pytester):
    pytester.makepyfile(test_own="def test_one(): pass")
    answer = f"{RIGHT!r}[case['id']]"
    run(answer, "--lda-only", "cvb0/update").assert_outcomes(passed=len(CASES) + 1)
    run(answer, "--lda-only", "cvb0/update", "-m", "lda", "-k", "001 or 002").assert_outcomes(passed=2, deselected=len(CASES) - 1)


def test_expected_failures_are_strict(run, pytester):
    listed = pytester.path / "known"
    listed.write_text(f"{CASES[1]['id']}  # wrong sums\n{CASES[2]['id']}  # wrong sums\n")
    done = run(f"{WRONG!r}[case['id']]", "--lda-only", "cvb0/update", "--lda-expected-failures", listed)
    assert done.ret == 1
    done.assert_outcomes(passed=len(CASES) - 2, xfailed=1, failed=1)
    done.stdout.fnmatch_lines(["*XPASS(strict)*wrong sums"])


@pytest.mark.parametrize(
    ("options", "message"), [(["--lda-timeout", "0"], "timeout is 0"), (["--lda-vectors", "none"], "none/manifest.json: does not exist")]
)
def test_a_usage_error_is_one_line(run, options, message):
    done = run("{}", *options)
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    assert done.errlines[0].startswith("ERROR: lda_reference: ")
    assert message in done.errlines[0]


def test_an_ordinary_run_imports_nothing_of_the_package(pytester, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    pytester.makepyfile("""
        import sys

        def test_nothing_is_imported(pytestconfig):
            assert pytestconfig.pluginmanager.get_plugin("lda_reference_pytest")
            assert {"lda_reference", "numpy", "scipy"} & sys.modules.keys() == set()
    """)
    done = pytester.runpytest_subprocess("-p", "lda_reference_pytest", "-p", "no:hypothesispytest")
    done.assert_outcomes(passed=1)
