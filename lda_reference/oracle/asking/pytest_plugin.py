"""The pytest plugin: each case of the oracle is a test of a program.

`pytest --lda-port ./port` adds the cases to the tests of the run, with the mark `lda`; `-m lda` runs them alone. A
skipped case is a skipped test, and a failed test shows what `lda-reference oracle check` would, the reason first.
pytest loads the module `lda_reference_pytest`, which has the options, in every run, and this module only with
`--lda-port`.
"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from ..cases.loading import Case, cases_to_ask, expected_failures, mistakes, sampler_cases, select
from ..judging.comparing import lines
from .program import Program, startable
from .runner import judge

IS_WINDOWS = sys.platform == "win32"


class Failed(Exception):
    """The text of a failed case."""


class CaseItem(pytest.Item):
    """The test of a case."""

    def __init__(self, *, case: Case, oracle: Oracle, **item_options: Any) -> None:
        super().__init__(**item_options)
        self.case, self.oracle = case, oracle

    def runtest(self) -> None:
        case_result = judge(self.oracle.program, self.case)
        self.oracle.statuses.add(case_result.status)
        if case_result.status == "skipped":
            pytest.skip(case_result.reason)
        if case_result.status == "failed":
            first_line, reason, *mistake = lines(case_result, self.oracle.texts)
            raise Failed("\n".join((reason.strip(), *mistake, first_line)))  # pytest's summary shows the first line

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        return str(excinfo.value) if isinstance(excinfo.value, Failed) else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.path, None, self.case["id"]


class Oracle:
    """The program, the chosen cases and pytest's hooks."""

    def __init__(self, program: Program, cases: list[Case], reasons: dict[str, str], sentences: dict[str, str]) -> None:
        self.program, self.chosen, self.listed, self.texts = program, cases, reasons, sentences
        self.statuses: set[str] = set()  # of the cases that were asked

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Add the cases, before -k and -m choose among the tests; their ids begin with `lda::`."""
        case_items = [self.test_of(case, session) for case in self.chosen]
        report = pytest.CollectReport("lda", "passed", None, [*case_items])  # pytest counts what is collected
        session.ihook.pytest_collectreport(report=report)
        items += case_items

    def test_of(self, case: Case, session: pytest.Session) -> CaseItem:
        case_id = case["id"]
        item: CaseItem = CaseItem.from_parent(session, name=case_id, nodeid=f"lda::{case_id}", case=case, oracle=self)
        item.add_marker("lda")
        if case_id in self.listed:
            item.add_marker(pytest.mark.xfail(reason=self.listed[case_id], strict=True))
        return item

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Fail a run in which cases were skipped and none passed."""
        if exitstatus == pytest.ExitCode.OK and self.statuses == {"skipped"}:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Say why a run failed in which no test did."""
        if self.statuses == {"skipped"}:
            terminalreporter.write_line("No case of the oracle passed. A run in which nothing passes is a failure.")

    def pytest_unconfigure(self) -> None:
        self.program.close()


def plugin(config: pytest.Config) -> Oracle:
    """The plugin for the options of a run; a UsageError if one is not legal."""
    vectors_folder, failures_file = config.getoption("--lda-vectors"), config.getoption("--lda-expected-failures")
    try:
        command = startable(words_of(config.getoption("--lda-port")))
        cases = cases_to_ask(config.getoption("--lda-only"), False, vectors_folder)
        reason_of_id = expected_failures(failures_file, [*cases, *sampler_cases(vectors_folder)])
        program = Program(command, config.getoption("--lda-timeout"))
        return Oracle(program, select(cases, config.getoption("--lda-only")), reason_of_id, mistakes(vectors_folder))
    except (OSError, ValueError) as error:
        raise pytest.UsageError(f"lda_reference: {error}") from None


def words_of(command: str, is_windows: bool = IS_WINDOWS) -> list[str]:
    r"""A command as a list of words; on Windows a backslash is a part of a path."""
    return [word.replace('"', "") for word in shlex.split(command, posix=False)] if is_windows else shlex.split(command)
