"""The commands `lda-reference oracle ...`."""

import json
import re
import sys

import pytest

from lda_reference import oracle
from lda_reference.oracle import Report, Result
from lda_reference.oracle.asking.command import expecting
from lda_reference.oracle.cases.loading import expected_failures
from lda_reference.oracle.diagnosing.working import working
from lda_reference.plain import is_large

from ..app.helpers import printed, refusal
from ..certify import manifest
from .helpers import MISTAKE_TEXTS, PORT, case, cases, one_of_each, run, statuses

GOOD_FOR_CVB0 = PORT.format(body="pass")


def test_check_prints_the_report_writes_it_and_exits_with_1_on_failure(vectors, port, tmp_path, capsys):
    port_argv, json_option = port(GOOD_FOR_CVB0), ("--json", tmp_path / "r.json")
    assert "cvb0        2/0/0  2/0/0" in printed(capsys, "oracle", "check", "--only", "cvb0", *json_option, "--", *port_argv).out
    assert json.loads((tmp_path / "r.json").read_text())["passed"] == 2
    assert run("check", "--", *port_argv) == 1
    printed_text = capsys.readouterr().out
    assert "vb/bound/000, TNW06 (2): " in printed_text
    assert run("check", "--operation", "update", "--level", "2", "--timeout", "5", "--all", "--", *port_argv, "--", "--all", "--x") == 0


def test_the_badge_has_the_version_and_the_counts(vectors, port, tmp_path):
    (vectors / "manifest.json").write_text(manifest.manifest(vectors))
    port_argv, badge_path = port(GOOD_FOR_CVB0), tmp_path / "b.json"
    badge_fields = {"schemaVersion": 1, "label": "LDA vectors", "message": f"{manifest.VERSION}: 2 passed, 0 failed, 0 skipped", "color": "green"}
    assert run("check", "--only", "cvb0", "--badge", badge_path, "--", *port_argv) == 0
    assert json.loads(badge_path.read_text()) == badge_fields
    assert run("check", "--badge", badge_path, "--", *port_argv) == 1
    assert json.loads(badge_path.read_text()) == badge_fields | {"message": f"{manifest.VERSION}: 2 passed, 1 failed, 0 skipped", "color": "red"}
    assert run("export", tmp_path / "pinned") == 0
    (vectors / "manifest.json").unlink()
    assert run("check", "--vectors", tmp_path / "pinned", "--only", "cvb0", "--badge", badge_path, "--", *port_argv) == 0
    assert json.loads(badge_path.read_text()) == badge_fields  # of the pinned vectors


@pytest.mark.parametrize(
    ("command_arguments", "error_message"),
    [
        (("check",), "PROGRAM"),
        (("check", "--", "./no-such-port"), "./no-such-port: no program with this name can be run"),
        (("check", "--", __file__), "test_command.py: not executable; if it is a script, name its language first, as in `python "),
        (("check", "--samplers", "--draws", "10", "--", sys.executable), "draws is 10, expected at least 1680"),
        (("check", "--seed", "4", "--", sys.executable), "--seed is given, expected none without --samplers or --fresh"),
        (("check", "--fresh", "5", "--large", "--", sys.executable), "--fresh and --large are given together"),
        (("check", "--json", "no/such/folder/r.json", "--", sys.executable), "the folder does not exist"),
        (("check", "--vectors", "no/such", "--", sys.executable), "manifest.json: does not exist; `lda-reference oracle export`"),
        (("check", "--expected-failures", "no-such-file", "--", sys.executable), "no-such-file"),
        (("show", "cvb0/update/999"), "'cvb0/update/999' is not the id of a case"),
    ],
)
def test_usage_errors_are_one_line_and_exit_with_2(vectors, capsys, command_arguments, error_message):
    assert error_message in refusal(capsys, "oracle", *command_arguments)


def test_check_with_pinned_vectors(vectors, port, tmp_path, capsys):
    """The exported vectors are asked, and not those of the package, which have changed since."""
    assert run("export", tmp_path / "pinned") == 0
    (vectors / "manifest.json").write_text(manifest.manifest(vectors))
    assert run("export", tmp_path / "pinned") == 0
    (vectors / "vb.json").unlink()
    (vectors / "mistakes.json").write_text("{}")
    assert run("check", "--vectors", tmp_path / "pinned", "--", *port(GOOD_FOR_CVB0)) == 1
    assert "vb/bound/000, TNW06 (2): " in capsys.readouterr().out
    body_code = 'good["gamma_k"] = [0.8, 0.2]'
    assert run("check", "--vectors", tmp_path / "pinned", "--only", "cvb0/update/001", "--", *port(PORT.format(body=body_code))) == 1
    assert MISTAKE_TEXTS["all-copies-excluded"] in capsys.readouterr().out
    (tmp_path / "pinned" / "vectors" / "cvb0.json").write_text("{}")
    assert "cvb0.json: has changed" in refusal(capsys, "oracle", "check", "--vectors", tmp_path / "pinned", "--", *port(GOOD_FOR_CVB0))


def test_expected_failures_do_not_fail_the_run(vectors, port, tmp_path, capsys):
    failures_path, json_option = tmp_path / "known", ("--json", tmp_path / "r.json")
    failures_path.write_text("# The port has no log Gamma yet\n\nvb/bound  # issue 12: no log Gamma function\n")
    port_argv = port(GOOD_FOR_CVB0)
    printed_text = printed(capsys, "oracle", "check", "--expected-failures", failures_path, *json_option, "--", *port_argv).out
    assert printed_text.startswith("passed/failed/skipped/failed as expected\n")
    assert "total      2/0/0/0  0/0/0/1  2/0/0/1\n" in printed_text
    assert "Failed as expected:\n    1  issue 12: no log Gamma function" in printed_text
    assert json.loads((tmp_path / "r.json").read_text())["expected"] == 1
    assert run("check", "--expected-failures", failures_path, "--only", "cvb0", "--", *port_argv) == 0  # vb is not asked


def test_list_and_show(vectors, capsys):
    printed_text = printed(capsys, "oracle", "list", "--only", "cvb0").out
    assert [line.split()[0] for line in printed_text.splitlines()] == ["cvb0/update/000", "cvb0/update/001"]
    assert "sampler/cgs/1" in printed(capsys, "oracle", "list").out
    printed_text = printed(capsys, "oracle", "show", "cvb0/update/001").out
    assert 'expected: {"gamma_k": [0.75, 0.25]}' in printed_text
    assert f"mistake all-copies-excluded ({MISTAKE_TEXTS['all-copies-excluded']}): " in printed_text


def test_a_case_of_the_sampler_test_is_shown_with_the_draws_that_find_each_mistake(capsys):
    printed_text = printed(capsys, "oracle", "show", "sampler/cgs/1").out
    assert re.search(r"mistake topic-count-not-excluded \(.*; 3,36\d independent draws find it\): \[", printed_text)
    assert printed_text.count(" independent draws find it): [") == len(oracle.sampler_cases()[0]["mistakes"])


def test_export_replaces_only_what_it_wrote(vectors, tmp_path, capsys):
    export_folder = tmp_path / "vendored"
    assert "6 files written, 0 up to date" in printed(capsys, "oracle", "export", export_folder).out
    assert (export_folder / "vectors" / "cvb0.json").read_bytes() == (vectors / "cvb0.json").read_bytes()
    assert "0 files written, 6 up to date" in printed(capsys, "oracle", "export", export_folder).out
    (vectors.parent / "GUIDE.md").write_text("a newer guide")
    assert "1 files written, 5 up to date" in printed(capsys, "oracle", "export", export_folder).out
    (export_folder / "GUIDE.md").write_text("mine")
    (export_folder / "vectors" / "vb.json").unlink()
    assert "GUIDE.md: exists, and was not written by an export or has changed since" in refusal(capsys, "oracle", "export", export_folder)
    assert (export_folder / "GUIDE.md").read_text() == "mine"
    assert not (export_folder / "vectors" / "vb.json").exists()


def test_pinned_vectors_bring_their_tolerances_of_single_precision(port, tmp_path, capsys):
    assert run("export", tmp_path) == 0
    single_path = tmp_path / "vectors" / "single.json"
    tolerance_file = json.loads(single_path.read_text("utf-8"))
    tolerance_file["cases"]["cvb0/update/001"]["undecidable"] = "to be tested"
    single_path.write_text(json.dumps(tolerance_file))
    (tmp_path / "vectors" / "manifest.json").write_text(manifest.manifest(tmp_path / "vectors"))
    port_command = port(PORT.format(body='good["gamma_k"] = [0, 0, 0]'))
    assert run("check", "--only", "cvb0/update/001", "--precision", "single", "--vectors", tmp_path, "--", *port_command) == 1
    assert "1 of the 1 cases cannot be decided" in capsys.readouterr().out


# Lists of expected failures ------------------------------------------------------------------------------------------

R = Result("cvb0/update/000", "cvb0", "update", "passed")
CASES = [case(0), case(1), case(2, algorithm="vb")]


def test_a_file_gives_names_and_reasons_and_the_longest_name_decides(tmp_path):
    failures_path = tmp_path / "known"
    failures_path.write_text("# all\n\ncvb0/update/001  # first # second\n  cvb0 #reason  \n#", "utf-8")
    assert expected_failures(failures_path, CASES) == {"cvb0/update/000": "reason", "cvb0/update/001": "first # second"}
    assert expected_failures(None, CASES) == {}


@pytest.mark.parametrize(
    ("list_text", "error_message"),
    [
        ("cvb0\n", "line 1: 'cvb0' has no reason, expected `cvb0  # why it fails`"),
        ("cvb0 # a\ncvb0 # b\n", "line 2: 'cvb0' stands there twice"),
        ("vb # a\n# all\ncvb # b\n", "line 3: 'cvb' is neither an algorithm nor the beginning of an id"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(tmp_path, list_text, error_message):
    failures_path = tmp_path / "known"
    failures_path.write_text(list_text, "utf-8")
    with pytest.raises(ValueError) as raised:
        expected_failures(failures_path, CASES)
    assert str(raised.value).startswith(f"{failures_path}, {error_message}")


def test_only_listed_results_change():
    report = Report(tuple(R._replace(id=str(case_number), status=status) for case_number, status in enumerate(["passed", "failed", "skipped"] * 2)))
    new_report = expecting(report, {"0": "a", "1": "b", "2": "c"})
    assert statuses(new_report) == ["failed", "expected", "skipped", "passed", "failed", "skipped"]
    assert new_report.results[1].reason == "b"
    assert not new_report.ok
    assert expecting(report, {}) == report


# The working of a case -----------------------------------------------------------------------------------------------

UNDERFLOW = cases("vb/summary/003,vem/summary/003")  # of 1,000 topics, in which products of floats are 0
SHOWN = one_of_each(case for case in cases() if not ("error" in case["expected"] or is_large(case)))


@pytest.mark.parametrize("case", [*SHOWN, *UNDERFLOW], ids=lambda case: case["id"])
def test_the_working_has_the_expected_numbers(case):
    working_text = "\n".join(working(case))
    for field, expected in case["expected"].items():
        field_section = working_text.split(f"\n{field}:")[1].split("\n\n")[0]
        shown_numbers = [float(number_text) for number_text in re.findall(r"(?<![\w.])-?(?:\d+(?:\.\d+)?(?:e-?\d+)?|inf)", field_section)]
        first_number = expected
        while isinstance(first_number, list):
            first_number = first_number[0]
        assert any(shown_number == float(first_number) or abs(shown_number - float(first_number)) <= 1e-9 * max(1, abs(float(first_number))) for shown_number in shown_numbers)


def test_the_working_of_an_update_shows_sums_terms_and_weights(capsys):
    assert run("explain", "cvb0/update/005") == 0
    printed_lines = [" ".join(printed_line.split()) for printed_line in capsys.readouterr().out.splitlines()]
    assert "N_jk 1.4784 2.5216" in printed_lines  # 5 tokens of gamma 0.3696 and 0.6304, less one
    assert "document's term 1.8784 2.9215999999999998" in printed_lines
    assert "gamma_k:" in printed_lines


def test_the_working_of_a_sweep_shows_the_row_that_is_asked_for(capsys):
    printed_text = " ".join(printed(capsys, "oracle", "explain", "cvb0/sweep/003", "--row", "3").out.split())
    row_text = "0.38586198817240697 0.6141380118275931"  # in the update, and in gamma
    assert all(part in printed_text for part in ("The update of row 3, topic", f"weight / sum {row_text}", f" 3 {row_text} 4 "))
    printed_text = " ".join(printed(capsys, "oracle", "explain", "vb/e_step/013").out.split())
    assert all(part in printed_text for part in ("all exponentials of a word", "E[log phi_wk]: 0 -", "the last gamma: 0 "))


def test_a_case_without_working_says_why(capsys):
    for arguments, message in (
        ("cvb0/reject/001", "its input must be refused"),
        ("cvb0/sweep/003 --row 10", "no update of row 10, expected --row to be one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9\n"),
        ("vb/bound/001 --row 1", "no update of row 1, expected --row to be left out\n"),
    ):
        assert run("explain", *arguments.split()) != 0
        assert message in capsys.readouterr().err


def test_a_report_on_sweeps_asks_for_a_row_that_has_a_working():
    sweeps = [any_case for any_case in cases() if any_case["operation"] == "sweep" and any_case["K"] > 1 and {"gamma", "z"} & {*any_case["expected"]}]
    for vector_case in {any_case["algorithm"]: any_case for any_case in sweeps}.values():
        field = "gamma" if "gamma" in vector_case["expected"] else "z"
        *right_rows, last_row = vector_case["expected"][field]
        wrong_row = last_row[1:] + last_row[:1] if field == "gamma" else (last_row + 1) % vector_case["K"]
        wrong_answer = vector_case["expected"] | {"id": vector_case["id"], field: [*right_rows, wrong_row]}
        report_text, row = str(oracle.Report((oracle.compare(vector_case, wrong_answer),))), len(right_rows)
        assert f"explain {vector_case['id']} --row {row}`" in report_text
        assert any(f" {row}, topic by topic" in working_line for working_line in working(vector_case, row))
