"""The pytest plugin, in runs of its own."""

import shlex
import sys

import pytest

from lda_reference import oracle

from .helpers import PORT, ROOT, mistaken

pytest_plugins = ["pytester"]

PORT_CODE = PORT.replace('if case["id"].endswith("1")', "if True")  # the body runs for every case
CASES = oracle.cases("cvb0/update")
RIGHT_ANSWERS = {case["id"]: case["expected"] for case in CASES}
WRONG_ANSWERS = {**RIGHT_ANSWERS, CASES[1]["id"]: next(iter(mistaken(CASES[1]["id"]).values()))}


@pytest.fixture
def run(pytester, monkeypatch):
    """A function that runs pytest with the plugin, and with a port that answers in some way."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)

    def with_port(answer_code, *pytest_options):
        port_path = pytester.makepyfile(port=PORT_CODE.format(body=f"good = {{'id': case['id'], **{answer_code}}}"))
        port_command = shlex.join([sys.executable, "-S", str(port_path)])
        return pytester.runpytest_subprocess("-p", "lda_reference_pytest", "--lda-port", port_command, *pytest_options)

    return with_port


def test_each_case_is_a_test(run):
    pytest_run = run(f"{RIGHT_ANSWERS!r}[case['id']]", "--lda-only", "cvb0/update", "-v")
    assert pytest_run.ret == 0
    pytest_run.assert_outcomes(passed=len(CASES))
    pytest_run.stdout.fnmatch_lines([f"*collected {len(CASES)} items", f"lda::{CASES[0]['id']} PASSED*"])


def test_a_failure_shows_the_report_and_a_skip_is_a_skip(run):
    answer_code = f"{WRONG_ANSWERS!r}.get(case['id'], {{'skip': 'not written yet'}})"
    pytest_run = run(answer_code, "--lda-only", "cvb0/update,vb/update/001", "-rfs")
    assert pytest_run.ret == 1
    pytest_run.assert_outcomes(passed=len(CASES) - 1, failed=1, skipped=1)
    failed_result = oracle.judge(lambda case: {"id": case["id"], **WRONG_ANSWERS[case["id"]]}, CASES[1])
    assert failed_result.mistake
    pytest_output = pytest_run.stdout.str()
    heading_line, reason_line, mistake_line = str(failed_result).splitlines()
    assert f"\n{reason_line.strip()}\n{mistake_line}\n{heading_line}\n" in pytest_output
    assert f"FAILED lda::{failed_result.id} - {reason_line.strip()[:20]}" in pytest_output
    assert "Traceback" not in pytest_output
    assert "not written yet" in pytest_output


def test_skips_alone_are_a_failure(run):
    pytest_run = run("{'skip': 'not written yet'}", "--lda-only", "cvb0/update")
    pytest_run.assert_outcomes(skipped=len(CASES))
    assert pytest_run.ret == 1
    pytest_run.stdout.fnmatch_lines(["No case of the oracle passed. A run in which nothing passes is a failure."])


def test_cases_join_the_other_tests_and_can_be_chosen(run, pytester):
    pytester.makepyfile(test_own="def test_one(): pass")
    answer_code = f"{RIGHT_ANSWERS!r}[case['id']]"
    run(answer_code, "--lda-only", "cvb0/update").assert_outcomes(passed=len(CASES) + 1)
    run(answer_code, "--lda-only", "cvb0/update", "-m", "lda", "-k", "001 or 002").assert_outcomes(passed=2, deselected=len(CASES) - 1)


def test_expected_failures_are_strict(run, pytester):
    failures_path = pytester.path / "known"
    failures_path.write_text(f"{CASES[1]['id']}  # wrong sums\n{CASES[2]['id']}  # wrong sums\n")
    pytest_run = run(f"{WRONG_ANSWERS!r}[case['id']]", "--lda-only", "cvb0/update", "--lda-expected-failures", failures_path)
    assert pytest_run.ret == 1
    pytest_run.assert_outcomes(passed=len(CASES) - 2, xfailed=1, failed=1)
    pytest_run.stdout.fnmatch_lines(["*XPASS(strict)*wrong sums"])


@pytest.mark.parametrize(
    ("plugin_options", "error_message"), [(["--lda-timeout", "0"], "timeout is 0"), (["--lda-vectors", "none"], "none/manifest.json: does not exist")]
)
def test_a_usage_error_is_one_line(run, plugin_options, error_message):
    pytest_run = run("{}", *plugin_options)
    assert pytest_run.ret == pytest.ExitCode.USAGE_ERROR
    assert pytest_run.errlines[0].startswith("ERROR: lda_reference: ")
    assert error_message in pytest_run.errlines[0]


def test_an_ordinary_run_imports_nothing_of_the_package(pytester, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    pytester.makepyfile("""
        import sys

        def test_nothing_is_imported(pytestconfig):
            assert pytestconfig.pluginmanager.get_plugin("lda_reference_pytest")
            assert {"lda_reference", "numpy", "scipy"} & sys.modules.keys() == set()
    """)
    pytest_run = pytester.runpytest_subprocess("-p", "lda_reference_pytest", "-p", "no:hypothesispytest")
    pytest_run.assert_outcomes(passed=1)
